//! Files that a library reads as a whole, by their structure: what is damaged in them, and which of their columns are asked for.

use crate::read::OpenError;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A damaged file may bring its reader to a stop; that must not stop the scan of other files. `what` is what the file is.
pub(super) fn guarded<T>(file: &str, what: &'static str, read: impl FnOnce() -> Result<T, OpenError>) -> Result<T, OpenError> {
    let stopped = |_| Err(damaged(file, what, "its parts contradict each other"));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(stopped)
}

pub(super) fn damaged(file: &str, what: &'static str, reason: &str) -> OpenError {
    OpenError::Damaged { file: file.to_owned(), what, reason: reason.to_owned() }
}

/// Columns asked for that are not among those of the file. Of members within them nothing is known beforehand.
///
/// # Errors
/// None of them is there.
#[cfg(any(feature = "ipc", feature = "parquet"))]
pub(super) fn missing(original: &super::Original<'_>, columns: &[String]) -> Result<Vec<String>, OpenError> {
    let asked = &original.source.columns;
    let is_there = |name: &&String| name.starts_with('/') || columns.contains(name);
    let missing: Vec<String> = asked.iter().filter(|name| !is_there(name)).cloned().collect();
    if missing.len() == asked.len() && !missing.is_empty() {
        return Err(crate::read::header::no_columns(original.name(), columns, original.source));
    }
    Ok(missing)
}
