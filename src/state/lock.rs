//! One run at a time: an advisory lock that the kernel gives back when its holder ends, however it ends.

use super::folder::{Folder, LOCK};
use super::{StateError, folder};
use std::fs::{File, OpenOptions, TryLockError};

/// The state is this process's as long as this lives.
#[derive(Debug)]
pub struct Lock {
    folder: Folder,
    /// Held, never read.
    _file: File,
}

impl Lock {
    /// None where another run has it.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn try_take(folder: &Folder) -> Result<Option<Self>, StateError> {
        let path = folder.file(LOCK);
        folder::plain(&path)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|error| StateError::not_written(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { folder: folder.clone(), _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StateError::not_written(&path, error)),
        }
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }
}
