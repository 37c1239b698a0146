//! Putting a state aside, whatever became of it.

use super::folder::{DATABASE, JOURNAL};
use super::{Lock, StateError};
use std::path::PathBuf;

/// What became of a state that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aside {
    /// It is kept under this name.
    Kept(PathBuf),
    /// It was gone already; that there was one is forgotten.
    Gone,
}

/// Puts a state aside, whatever it is, so that the next run begins anew: it is kept under a name of its own, never removed. The name tells
/// `when`.
///
/// # Errors
/// It cannot be renamed.
pub fn set_aside(lock: &Lock, when: &str) -> Result<Aside, StateError> {
    let folder = lock.folder();
    let database = folder.file(DATABASE);
    let aside = folder.file(&format!("{DATABASE}.{when}"));
    if aside.exists() {
        return Err(StateError::not_written(&aside, "is there already"));
    }
    // A cut-off transaction belongs to it.
    let journal = folder.file(JOURNAL);
    if journal.exists() {
        let aside = folder.file(&format!("{DATABASE}.{when}-journal"));
        std::fs::rename(&journal, &aside).map_err(|error| StateError::not_written(&journal, error))?;
    }
    if !database.exists() {
        lock.forget()?;
        return Ok(Aside::Gone);
    }
    std::fs::rename(&database, &aside).map_err(|error| StateError::not_written(&database, error))?;
    folder.sync()?;
    lock.forget()?;
    Ok(Aside::Kept(aside))
}
