//! The folder of a state: its owner's alone, without links.

use super::{StateError, header};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names in the folder. `-journal` is SQLite's own.
pub(super) const DATABASE: &str = "state.db";
pub(super) const JOURNAL: &str = "state.db-journal";
pub(super) const NEW_DATABASE: &str = "state.db.new";
/// What a state's key is called in its folder.
pub const KEY: &str = "key";
pub(super) const LOCK: &str = "lock";

/// A folder that is fit to hold a state.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// How many folders, this one and those above it, were made with it.
    made: usize,
}

impl Folder {
    /// Makes the folder where it is not there, for its owner alone.
    ///
    /// # Errors
    /// It cannot be made, is a link, or others may write into it.
    pub fn make(path: &Path) -> Result<Self, StateError> {
        let is_missing = |path: &&Path| std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let made = path.ancestors().filter(|path| !path.as_os_str().is_empty()).take_while(is_missing).count();
        if made > 0 {
            let mut builder = std::fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(path).map_err(|error| StateError::not_written(path, error))?;
        }
        Ok(Self { made, ..Self::open(path)? })
    }

    /// A folder that is there.
    ///
    /// # Errors
    /// It is not there, is a link, or others may write into it.
    pub fn open(path: &Path) -> Result<Self, StateError> {
        let facts = std::fs::symlink_metadata(path).map_err(|error| StateError::unread(path, &error))?;
        if facts.is_symlink() {
            return Err(StateError::refused(path, "is a link; name the folder itself"));
        }
        if !facts.is_dir() {
            return Err(StateError::refused(path, "is no folder; name a folder for the state"));
        }
        if others_may(&facts, 0o022) {
            return Err(StateError::refused(
                path,
                "others may write into it; see what they left there, and make it yours alone with chmod 700",
            ));
        }
        if others_may(&facts, 0o055) {
            close(path)?;
        }
        let path = std::fs::canonicalize(path).map_err(|error| StateError::unread(path, &error))?;
        let folder = Self { path, made: 0 };
        for name in [DATABASE, JOURNAL, NEW_DATABASE, KEY, LOCK] {
            plain(&folder.file(name))?;
        }
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is anything of a state, whatever became of it. A folder of something else is left alone: not even a lock is put there.
    pub fn holds_something(&self) -> bool {
        [LOCK, KEY].into_iter().any(|name| self.file(name).exists()) || header::is_ours(&self.file(DATABASE))
    }

    /// As [`Folder::holds_something`].
    ///
    /// # Errors
    /// It holds nothing of a state.
    pub fn of_a_state(self) -> Result<Self, StateError> {
        let none = "holds no state; name the folder that twicelog scan --state keeps one in";
        if self.holds_something() { Ok(self) } else { Err(StateError::refused(&self.path, none)) }
    }

    /// Removes the folders that were made with it, unless somebody has put something there since.
    pub(super) fn remove_made(&self) {
        let made = self.path.ancestors().take(self.made);
        let _ = made.map(std::fs::remove_dir).take_while(Result::is_ok).count();
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes what was written, renamed or removed in it safe.
    pub(super) fn sync(&self) -> Result<(), StateError> {
        sync_folder(&self.path)
    }
}

/// Makes names in a folder safe on its disk.
pub(super) fn sync_folder(path: &Path) -> Result<(), StateError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(|error| StateError::not_written(path, error))
}

/// A file of its owner alone, or none yet. Links are never followed, whoever planted them.
pub(super) fn plain(path: &Path) -> Result<Option<Metadata>, StateError> {
    let facts = match std::fs::symlink_metadata(path) {
        Ok(facts) => facts,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StateError::unread(path, &error)),
    };
    if facts.is_symlink() {
        return Err(StateError::refused(path, "is a link; a state has none, see who put it there"));
    }
    if !facts.is_file() {
        return Err(StateError::damaged(path, "is no plain file; see who put it there, and move it away"));
    }
    if others_may(&facts, 0o077) {
        return Err(StateError::refused(path, "others may read it; make it yours alone with chmod 600"));
    }
    Ok(Some(facts))
}

/// Takes the right to look into a folder from everybody but its owner: docs promise 0700, and a folder that somebody else made has what the
/// umask left.
#[cfg(unix)]
fn close(path: &Path) -> Result<(), StateError> {
    let owners = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o700);
    std::fs::set_permissions(path, owners).map_err(|_| {
        StateError::refused(path, "others may look into it, and it is not yours to close; have its owner run chmod 700")
    })
}

#[cfg(not(unix))]
fn close(_: &Path) -> Result<(), StateError> {
    Ok(())
}

#[cfg(unix)]
fn others_may(facts: &Metadata, mask: u32) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & mask != 0
}

#[cfg(not(unix))]
fn others_may(_: &Metadata, _: u32) -> bool {
    false
}

/// Writes a new file of its owner alone, and makes it safe. One that is there is no place for it.
pub(super) fn write_new(path: &Path, content: &[u8]) -> Result<(), StateError> {
    let written = create_new(path).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    written.map_err(|error| {
        // Half a file would stand in the way of the next run.
        if error.kind() != ErrorKind::AlreadyExists {
            let _ = std::fs::remove_file(path);
        }
        StateError::not_written(path, error)
    })
}

pub(super) fn create_new(path: &Path) -> std::io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Removes what an earlier run may have left; that there is nothing is fine.
pub(super) fn remove(path: &Path) -> Result<(), StateError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StateError::not_written(path, error)),
        _ => Ok(()),
    }
}
