//! Made-up payment logs with known duplicates, and the answers: to see for oneself what is found, and what is not taken for a duplicate.
//!
//! Every payment has an order of its own, so that no two of them are alike by chance: what repeats was planted, and stands in the answers.

mod case;
mod log;
mod random;

pub use case::{Answer, Answers, Kind};
pub use log::{CONFIG, write};

/// What is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Payments; the repeats of planted cases come on top.
    pub payments: u64,
    /// Planted cases, of all kinds in turn; at most as many as payments.
    pub cases: u64,
    /// The same seed makes the same log.
    pub seed: u64,
}
