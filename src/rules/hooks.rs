//! Commands that a run calls when it has something to say.

use crate::domain::time::SECOND;

/// Commands of a configuration; each is a program and its arguments, run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// Before anything is read: it may fetch what is to be read.
    pub before: Option<Vec<String>>,
    /// When there are findings that count.
    pub findings: Option<Vec<String>>,
    /// When the run failed, or its result is incomplete.
    pub failure: Option<Vec<String>>,
    /// After every run.
    pub finally: Option<Vec<String>>,
    /// How long each may take, in nanoseconds.
    pub timeout: i64,
}

impl Default for Hooks {
    fn default() -> Self {
        Self { before: None, findings: None, failure: None, finally: None, timeout: 60 * SECOND }
    }
}
