//! Exit codes, and failures that carry one.

use std::fmt::Display;
use std::process::ExitCode;
use twicelog::report::mask::Masker;
use twicelog::report::{Mask, safe};
use twicelog::state::StateError;

/// How a command ended. Errors outrank findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The whole input was read, nothing to report.
    Clean = 0,
    /// The whole input was read, there are findings.
    Findings = 1,
    /// A wrong flag, configuration, mapping or rule; nothing was scanned.
    Usage = 2,
    /// The result is incomplete: a file that could not be read to its end, or too many rejected records.
    Incomplete = 3,
    /// An output could not be written.
    NotWritten = 4,
    /// Another run holds the state, or came first.
    Locked = 5,
    /// The state is damaged, or of another version.
    Damaged = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    message: Option<String>,
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        let exit = match error {
            StateError::Refused(_) => Exit::Usage,
            StateError::Overtaken(_) | StateError::Busy(_) => Exit::Locked,
            StateError::Damaged { .. } | StateError::Newer { .. } | StateError::Older { .. } => Exit::Damaged,
            StateError::NotWritten { .. } => Exit::NotWritten,
        };
        Self::new(exit, error)
    }
}

impl Failure {
    pub fn new(exit: Exit, message: impl Display) -> Self {
        Self { exit, message: Some(message.to_string()) }
    }

    /// The reader of our output has gone (`twicelog … | head`): no trouble, nothing to say.
    pub fn reader_gone() -> Self {
        Self { exit: Exit::Clean, message: None }
    }

    /// As it is told on standard error.
    pub fn message(&self) -> Option<String> {
        self.message.as_deref().map(complaint)
    }
}

/// A message as it is told on standard error: what comes from files is harmless there and masked, because standard error ends in the logs of
/// schedulers. The place, which stands before the first colon, is told as it is.
pub fn complaint(message: &str) -> String {
    let mut masker = Masker::new(Mask::On);
    let mut masked = |line: &str| match line.split_once(": ") {
        Some((place, what)) => format!("{place}: {}", masker.text(what)),
        None => line.to_owned(),
    };
    let lines: Vec<String> = message.lines().map(|line| safe::visible(&masked(line)).into_owned()).collect();
    format!("twicelog: {}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn messages_are_masked_behind_their_place() {
        let message = "a@example.org.csv: none of the columns is in the header \"anna@example.org, 4111111111111111\"";
        let masked = "a@example.org.csv: none of the columns is in the header \"a…@e….org #1, 411111******1111\"";
        assert_eq!(complaint(message), format!("twicelog: {masked}\n"));
    }
}
