//! Where an input lies: standard input, a file, or an object at a URL.

use super::remote::Remote;
use super::{OpenError, Stored};
use crate::domain::RemoteUrl;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What came from standard input: the process has one, and it gives its bytes once.
static STDIN: OnceLock<Result<Stored, OpenError>> = OnceLock::new();

/// What came from named pipes, by path: they give their bytes once, too, and whoever asks twice waits for ever.
static PIPES: Mutex<BTreeMap<PathBuf, Result<Stored, OpenError>>> = Mutex::new(BTreeMap::new());

/// Where an input lies. A remote one remembers what it fetched: its clones share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// Standard input, which can be read once: all that stand for it share what came.
    Stdin,
    File(PathBuf),
    Remote(Remote),
}

impl Location {
    /// The objects that a URL means, by key: the one it names, or those of its bucket that fit its pattern; the store is asked which.
    /// Where it does not tell, the pattern itself stands for them, and says so when it is read: what else there is can be read still.
    pub fn remote(url: RemoteUrl) -> Vec<Self> {
        Remote::expand(url).into_iter().map(Self::Remote).collect()
    }

    /// Keeps what lies here at hand, so that it can be glanced at and then opened. `name` is what messages call it. What can be read
    /// only once is copied to a temporary file in `spool_folder`. An object is fetched once, by a runtime that must not be started from
    /// within another: asynchronous programs call this from a thread for blocking work.
    ///
    /// # Errors
    /// It cannot be read or fetched whole, or the temporary file not written.
    pub fn store(&self, name: &str, spool_folder: &Path) -> Result<Stored, OpenError> {
        match self {
            Self::Stdin => {
                let read = || Stored::stream(&mut std::io::stdin().lock(), name, spool_folder);
                STDIN.get_or_init(read).clone().map(|stored| stored.called(name))
            }
            Self::File(path) if is_read_once(path) => {
                let mut pipes = PIPES.lock().unwrap_or_else(PoisonError::into_inner);
                let read = || Stored::file(path, name, spool_folder);
                pipes.entry(path.clone()).or_insert_with(read).clone().map(|stored| stored.called(name))
            }
            Self::File(path) => Stored::file(path, name, spool_folder),
            Self::Remote(remote) => Ok(remote.stored(spool_folder)?.called(name)),
        }
    }

    /// How messages call it when nothing else is said: the path, `-`, or the URL without its secrets.
    pub fn shown(&self) -> String {
        match self {
            Self::Stdin => "-".into(),
            Self::File(path) => path.to_string_lossy().into_owned(),
            Self::Remote(remote) => remote.url().shown(),
        }
    }

    /// The URL of an object.
    pub fn url(&self) -> Option<&RemoteUrl> {
        if let Self::Remote(remote) = self { Some(remote.url()) } else { None }
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }
}

/// True for a named pipe, and for what a shell passes as one (`<(command)`, `/dev/stdin`).
#[cfg(unix)]
fn is_read_once(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|facts| facts.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_read_once(_: &Path) -> bool {
    false
}
