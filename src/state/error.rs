//! Why a state cannot be used; each kind ends a run with an exit code of its own.

use std::fmt::Display;
use std::io;
use std::path::Path;
use thiserror::Error;

/// What is wrong with a state.
#[derive(Debug, Error)]
pub enum StateError {
    /// A path that a state must not have, or that others may write.
    #[error("{0}")]
    Refused(String),
    /// Another run committed while this one was at work. Nothing of this one was kept.
    #[error("{0}: another run came first and has committed; this one is stopped, and nothing of it was kept")]
    Overtaken(String),
    /// The database is in use beyond the lock.
    #[error("{0}: is in use by another process; try again")]
    Busy(String),
    /// Something in it is not as twicelog wrote it, or is gone. `folder` is the state's, as a command line names it.
    #[error("{place}: {what}; restore a copy, or begin anew with: twicelog state rebuild {folder}")]
    Damaged { place: String, what: String, folder: String },
    #[error("{place}: was written by a newer twicelog (state version {version}); use that one")]
    Newer { place: String, version: u32 },
    #[error(
        "{place}: was written by an older twicelog (state version {version}); bring it up with: twicelog state migrate {folder}"
    )]
    Older { place: String, version: u32, folder: String },
    #[error("{place}: cannot be written: {what}")]
    NotWritten { place: String, what: String },
}

/// A path as a shell takes it.
pub(super) fn argument(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,@".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

impl StateError {
    pub(super) fn refused(place: &Path, what: impl Display) -> Self {
        Self::Refused(format!("{}: {what}", place.display()))
    }

    /// For what lies in the folder itself.
    pub(super) fn damaged(place: &Path, what: impl Display) -> Self {
        Self::damaged_in(place.parent().unwrap_or(place), place, what)
    }

    /// For what may lie elsewhere: the key.
    pub(super) fn damaged_in(folder: &Path, place: &Path, what: impl Display) -> Self {
        Self::Damaged { place: place.display().to_string(), what: what.to_string(), folder: argument(folder) }
    }

    pub(super) fn not_written(place: &Path, what: impl Display) -> Self {
        Self::NotWritten { place: place.display().to_string(), what: what.to_string() }
    }

    /// For reading what should be there.
    pub(super) fn unread(place: &Path, error: &io::Error) -> Self {
        Self::refused(place, format_args!("cannot be read: {error}"))
    }

    pub(super) fn of_database(place: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy(place.display().to_string()),
            Some(
                Code::DiskFull
                | Code::SystemIoFailure
                | Code::ReadOnly
                | Code::CannotOpen
                | Code::PermissionDenied
                | Code::OutOfMemory,
            ) => Self::not_written(place, error),
            _ => Self::damaged(place, error),
        }
    }
}
