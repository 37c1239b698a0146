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

/// Limits of one scan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that parse and key.
    pub threads: usize,
    /// Bytes for keyed rows; beyond it they go to a temporary file.
    pub max_memory: usize,
    pub temp_dir: PathBuf,
    pub depth: Depth,
    /// Rejected records that are kept with their place and reason; all are counted.
    pub most_rejects: usize,
}

impl Default for Options {
    /// A thread for each processor, 512 MiB for rows, the system's folder for temporary files, findings only, 1,000 rejected records.
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, |count| count.get()),
            max_memory: 512 << 20,
            temp_dir: std::env::temp_dir(),
            depth: Depth::Findings,
            most_rejects: 1_000,
        }
    }
}
