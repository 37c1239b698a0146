//! Alerts of a night: each is sent at most once, and none is lost without a word.

use super::super::exit::Failure;
use super::super::hooks::{self, Told};
use super::super::output;
use super::Night;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use twicelog::nightly::alert::Alert;
use twicelog::state::{Letter, Standing};

/// An alert as it waits in the outbox. What is told is what the run that owes it had to say; it goes to whom tonight's alerts go to, and only
/// where tonight names nobody to whom it was to go.
#[derive(Serialize, Deserialize)]
pub struct Owed {
    pub command: Vec<String>,
    /// Nanoseconds that the command may take.
    pub limit: u64,
    pub alert: Alert,
}

/// Whom alerts go to tonight.
#[derive(Clone, Debug)]
pub struct Recipient {
    pub command: Vec<String>,
    pub limit: Duration,
}

impl Night {
    pub(super) fn finish_letters(&mut self, letters: Vec<Letter>) -> Result<(), Failure> {
        for letter in letters {
            match letter.standing {
                Standing::Sent => {}
                Standing::Waiting => self.troubled |= !self.deliver(&letter)?,
                Standing::Sending => {
                    self.state.mark(letter.number, Standing::Doubtful)?;
                    self.troubled = true;
                    self.remind(&letter, "may have been sent or not: the run was stopped while it sent it");
                }
                Standing::Doubtful => self.remind(&letter, "may have been sent or not"),
                Standing::Failed => self.remind(&letter, "was not sent: its command failed"),
            }
        }
        Ok(())
    }

    fn remind(&self, letter: &Letter, what: &str) {
        output::talk(&format!(
            "twicelog: alert {} of run {} {what}; see twicelog state outbox {}\n",
            letter.number,
            letter.run_id,
            self.state.folder().path().display()
        ));
    }

    /// Sends one alert: first it is noted that it is being sent, so that it is never sent twice. False where it was not delivered.
    fn deliver(&self, letter: &Letter) -> Result<bool, Failure> {
        let Ok(owed) = serde_json::from_slice::<Owed>(&letter.content) else {
            self.remind(letter, "cannot be read by this version");
            return Ok(false);
        };
        self.state.mark(letter.number, Standing::Sending)?;
        let of_then = || Recipient { command: owed.command, limit: Duration::from_nanos(owed.limit) };
        let Recipient { command, limit } = self.recipient.clone().unwrap_or_else(of_then);
        let told = hooks::call(&command, &owed.alert, limit);
        let standing = match told {
            Told::Yes => Standing::Sent,
            Told::No => Standing::Failed,
            // Nobody can have been told: the next run tries again.
            Told::NotStarted => Standing::Waiting,
        };
        self.state.mark(letter.number, standing)?;
        Ok(told == Told::Yes)
    }

    /// Sends the alerts of this night. False where one was not delivered.
    pub fn send(&self) -> Result<bool, Failure> {
        let mut delivered = true;
        if !self.committed {
            return Ok(delivered);
        }
        for letter in self.state.letters()?.iter().filter(|letter| letter.run_id == self.run_id) {
            if letter.standing == Standing::Waiting {
                delivered &= self.deliver(letter)?;
            }
        }
        Ok(delivered)
    }
}
