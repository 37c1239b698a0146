//! Exit codes, and failures that carry one.

use std::fmt::Display;
use std::process::ExitCode;

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

impl Failure {
    pub fn new(exit: Exit, message: impl Display) -> Self {
        Self { exit, message: Some(message.to_string()) }
    }

    /// The reader of our output has gone (`twicelog … | head`): no trouble, nothing to say.
    pub fn reader_gone() -> Self {
        Self { exit: Exit::Clean, message: None }
    }

    /// As it is told on standard error, with what comes from files made harmless.
    pub fn message(&self) -> Option<String> {
        let lines: Vec<_> = self.message.as_ref()?.lines().map(twicelog::report::safe::visible).collect();
        Some(format!("twicelog: {}\n", lines.join("\n")))
    }
}
