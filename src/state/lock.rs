//! One run at a time: an advisory lock that the kernel gives back when its holder ends, however it ends.

use super::folder::{Folder, KEY, LOCK};
use super::{StateError, folder};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// Stands in the lock's file from the moment that there is a state: one that is gone later was there.
const KEPT: &[u8] = b"a state is kept here\n";

/// What the folder says of a state that it should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// No run has come so far as to make one.
    None,
    /// There was one.
    Kept,
}

/// The state is this process's as long as this lives.
#[derive(Debug)]
pub struct Lock {
    folder: Folder,
    file: File,
    promise: Promise,
    /// Its file was not there before.
    is_new: bool,
}

impl Lock {
    /// None where another run has it.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn try_take(folder: &Folder) -> Result<Option<Self>, StateError> {
        let path = folder.file(LOCK);
        let is_new = folder::plain(&path)?.is_none();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(|error| StateError::not_written(&path, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(StateError::not_written(&path, error)),
        }
        // Whoever had it may have taken its file away: who comes next would lock another one.
        if !is_file_of(&file, &path) {
            return Ok(None);
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| StateError::unread(&path, &error))?;
        let promise = if text.is_empty() { Promise::None } else { Promise::Kept };
        let mut lock = Self { folder: folder.clone(), file, promise, is_new };
        // A run locks before it makes a key: a key without a lock was left by somebody who took the rest away.
        if is_new && folder.file(KEY).exists() {
            lock.keep()?;
        }
        Ok(Some(lock))
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(super) fn promise(&self) -> Promise {
        self.promise
    }

    /// Notes that there is a state.
    pub(super) fn keep(&mut self) -> Result<(), StateError> {
        if self.promise == Promise::Kept {
            return Ok(());
        }
        let written = self.file.rewind().and_then(|()| self.file.write_all(KEPT)).and_then(|()| self.file.sync_all());
        written.map_err(|error| StateError::not_written(&self.folder.file(LOCK), error))?;
        self.promise = Promise::Kept;
        Ok(())
    }

    /// Removes its file and its folder where they were made with it.
    pub(super) fn remove_made(self) -> Result<(), StateError> {
        if self.is_new {
            folder::remove(&self.folder.file(LOCK))?;
            self.folder.remove_made();
        }
        Ok(())
    }

    /// Notes that there is none any more: it was put aside.
    pub(super) fn forget(&self) -> Result<(), StateError> {
        let written = self.file.set_len(0).and_then(|()| self.file.sync_all());
        written.map_err(|error| StateError::not_written(&self.folder.file(LOCK), error))
    }
}

/// Whether the file of this name is the one that is open.
#[cfg(unix)]
fn is_file_of(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |facts: std::fs::Metadata| (facts.dev(), facts.ino());
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    place(open) == place(named)
}

/// A file that is open cannot be removed.
#[cfg(not(unix))]
fn is_file_of(_: &File, _: &Path) -> bool {
    true
}
