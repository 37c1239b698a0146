//! What a scan may use, and how deep it looks.

use std::path::PathBuf;

/// Whether groups that need no attention are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Findings only; quiet groups are counted.
    Findings,
    /// Quiet groups too, and records that only accompany attempts.
    All,
}

/// Whether the text of candidates is kept as it stands in their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawText {
    Left,
    /// At most the first [`LONGEST_RAW`] characters of each record.
    Kept,
}

/// Whether groups are made again with shorter and longer windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherWindows {
    Left,
    /// At each reach of [`crate::rules::window::Reach::STEPS`]. Costs another visit of the candidates for each.
    Tried,
}

/// Characters of a record's own text that are kept.
pub const LONGEST_RAW: usize = 2_000;

/// Limits of one scan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that parse and key.
    pub threads: usize,
    /// Bytes to keep to. Half of them are for what grows with the input; beyond it that goes to a temporary file.
    pub max_memory: usize,
    pub temp_dir: PathBuf,
    pub depth: Depth,
    pub raw_text: RawText,
    pub other_windows: OtherWindows,
    /// Rejected records that are kept with their place and reason; all are counted.
    pub most_rejects: usize,
}

impl Default for Options {
    /// A thread for each processor, 512 MiB for rows, the system's folder for temporary files, findings only, no raw text, no other windows, 1,000 rejected records.
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, |count| count.get()),
            max_memory: 512 << 20,
            temp_dir: std::env::temp_dir(),
            depth: Depth::Findings,
            raw_text: RawText::Left,
            other_windows: OtherWindows::Left,
            most_rejects: 1_000,
        }
    }
}
