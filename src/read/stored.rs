//! The bytes of an input as they are stored: where they lie, and whether they are still the same.

use super::OpenError;
use super::digest::Digest;
use crate::domain::record::{InputError, InputFacts};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// An input's stored bytes, to be read as often as needed.
#[derive(Debug)]
pub struct Stored {
    name: String,
    place: Place,
    bytes: u64,
    modified: Option<SystemTime>,
}

#[derive(Debug)]
enum Place {
    Path(PathBuf),
    /// A pipe's content, in a temporary file without a name.
    Spool(File),
}

impl Stored {
    /// A file; a named pipe is spooled.
    pub(super) fn file(path: &Path, name: &str, spool_folder: &Path) -> Result<Self, OpenError> {
        let unreadable = |error: io::Error| OpenError::unreadable(name, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        let facts = file.metadata().map_err(unreadable)?;
        if facts.is_dir() {
            return Err(OpenError::Folder { file: name.to_owned() });
        }
        if is_device(&facts) {
            return Self::device(file, name, spool_folder);
        }
        if !facts.is_file() {
            return Self::stream(&mut file, name, spool_folder);
        }
        Ok(Self::new(name, Place::Path(path.to_owned()), &facts))
    }

    /// A stream that can be read only once, copied to a temporary file in this folder.
    pub(super) fn stream(stream: &mut dyn Read, name: &str, spool_folder: &Path) -> Result<Self, OpenError> {
        let spool = |error: io::Error| OpenError::Spool { file: name.to_owned(), reason: error.to_string() };
        let mut file = tempfile::tempfile_in(spool_folder).map_err(spool)?;
        io::copy(stream, &mut file).map_err(spool)?;
        let facts = file.metadata().map_err(spool)?;
        Ok(Self::new(name, Place::Spool(file), &facts))
    }

    /// A device holds no log, and may never end (`/dev/zero`). One that ends at once (`/dev/null`) is an empty input.
    fn device(mut file: File, name: &str, spool_folder: &Path) -> Result<Self, OpenError> {
        match file.read(&mut [0]) {
            Ok(0) => Self::stream(&mut io::empty(), name, spool_folder),
            Ok(_) => {
                let advice = "name a file, a pipe, or - for standard input";
                Err(OpenError::Foreign { file: name.to_owned(), what: "a device", advice })
            }
            Err(error) => Err(OpenError::unreadable(name, &error)),
        }
    }

    fn new(name: &str, place: Place, facts: &Metadata) -> Self {
        Self { name: name.to_owned(), place, bytes: facts.len(), modified: facts.modified().ok() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// From the first byte. What was appended since the input was opened is not read: it may be half a record.
    ///
    /// # Errors
    /// The file is gone or may not be read.
    pub(super) fn read(&self) -> Result<StoredBytes, InputError> {
        Ok(StoredBytes { file: self.open()?, left: self.bytes, read: 0, digest: None, fault: None })
    }

    /// As `read`, while a digest is taken.
    pub(super) fn read_hashed(&self) -> Result<StoredBytes, InputError> {
        Ok(StoredBytes { digest: Some(Digest::start()), ..self.read()? })
    }

    /// The file for reading at any place, at its first byte.
    pub(super) fn open(&self) -> Result<File, InputError> {
        let open = || -> io::Result<File> {
            match &self.place {
                Place::Path(path) => File::open(path),
                Place::Spool(file) => {
                    // The copies share one position; a spool is read by one pass after the other.
                    let mut file = file.try_clone()?;
                    file.seek(SeekFrom::Start(0))?;
                    Ok(file)
                }
            }
        };
        open().map_err(|error| self.unreadable(&error))
    }

    /// Fails when the file is not the one that was opened first, as far as size and time of change tell.
    pub(super) fn check_unchanged(&self, file: &File) -> Result<(), InputError> {
        let now = file.metadata().map_err(|error| self.unreadable(&error))?;
        if now.len() == self.bytes && now.modified().ok() == self.modified {
            Ok(())
        } else {
            Err(InputError::Changed { file: self.name.clone() })
        }
    }

    pub(super) fn unreadable(&self, error: &io::Error) -> InputError {
        InputError::Unreadable { file: self.name.clone(), reason: error.to_string() }
    }
}

#[cfg(unix)]
fn is_device(facts: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    facts.file_type().is_char_device() || facts.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

/// One pass over the stored bytes.
pub(super) struct StoredBytes {
    file: File,
    /// Bytes that the file had when it was opened, less those read.
    left: u64,
    read: u64,
    digest: Option<Digest>,
    /// The operating system's trouble, as opposed to that of a decompressor above.
    fault: Option<String>,
}

impl StoredBytes {
    pub(super) fn bytes_read(&self) -> u64 {
        self.read
    }

    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    pub(super) fn check_unchanged(&self, stored: &Stored) -> Result<(), InputError> {
        stored.check_unchanged(&self.file)
    }

    /// Reads what a fault left unread, so that size and digest are those of the whole file.
    pub(super) fn finish(&mut self) -> InputFacts {
        let mut rest = vec![0; 64 << 10];
        while self.digest.is_some() && matches!(self.read(&mut rest), Ok(1..)) {}
        let sha256 = self.digest.take().map(Digest::finish).unwrap_or_default();
        InputFacts { bytes: self.read, sha256 }
    }
}

impl Read for StoredBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most) else { return Ok(0) };
        if buffer.is_empty() {
            return Ok(0);
        }
        let got = match self.file.read(buffer) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")),
            other => other,
        };
        match got {
            Ok(count) => {
                self.left -= count as u64;
                self.read += count as u64;
                if let (Some(digest), Some(bytes)) = (&mut self.digest, buffer.get(..count)) {
                    digest.add(bytes);
                }
                Ok(count)
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.fault = Some(error.to_string());
                }
                Err(error)
            }
        }
    }
}
