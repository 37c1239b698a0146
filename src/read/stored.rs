//! The bytes of an input as they are stored: where they lie, and whether they are still the same.

use super::OpenError;
use super::digest::Digest;
use super::spool::{Spool, SpoolReader, SpoolWriter};
use crate::domain::record::{InputError, InputFacts};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// An input's stored bytes, to be read as often as needed.
#[derive(Clone, Debug)]
pub struct Stored {
    name: String,
    place: Place,
    bytes: u64,
    modified: Option<SystemTime>,
}

#[derive(Clone, Debug)]
enum Place {
    Path(PathBuf),
    /// The content of a pipe, or what was made of a file.
    Spool(Arc<Spool>),
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
        let (bytes, modified) = (facts.len(), facts.modified().ok());
        Ok(Self { name: name.to_owned(), place: Place::Path(path.to_owned()), bytes, modified })
    }

    /// A stream that can be read only once, copied to a temporary file in this folder.
    pub(super) fn stream(stream: &mut dyn Read, name: &str, spool_folder: &Path) -> Result<Self, OpenError> {
        let spool = |error: io::Error| OpenError::Spool { file: name.to_owned(), reason: error.to_string() };
        let mut copy = SpoolWriter::new(spool_folder);
        io::copy(stream, &mut copy).map_err(spool)?;
        Ok(Self::spooled(name, copy.finish().map_err(spool)?))
    }

    /// Bytes that were written by this program.
    pub(super) fn spooled(name: &str, spool: Spool) -> Self {
        Self { name: name.to_owned(), bytes: spool.bytes(), modified: None, place: Place::Spool(Arc::new(spool)) }
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

    /// The same bytes by another name.
    pub(super) fn called(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
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

    /// For reading at any place, at the first byte.
    pub(super) fn open(&self) -> Result<StoredFile, InputError> {
        match &self.place {
            Place::Path(path) => File::open(path).map(StoredFile::File).map_err(|error| self.unreadable(&error)),
            Place::Spool(spool) => Ok(StoredFile::Spool(SpoolReader::new(spool))),
        }
    }

    /// Size and digest of all the bytes.
    ///
    /// # Errors
    /// As `read`; or the file is not the one that was opened first any more.
    pub(super) fn facts(&self) -> Result<InputFacts, InputError> {
        let mut bytes = self.read_hashed()?;
        let facts = bytes.finish();
        bytes.check_unchanged(self)?;
        Ok(facts)
    }

    /// Fails when the file is not the one that was opened first, as far as size and time of change tell.
    pub(super) fn check_unchanged(&self, file: &StoredFile) -> Result<(), InputError> {
        let StoredFile::File(file) = file else { return Ok(()) };
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

/// The stored bytes for reading at any place.
#[derive(Debug)]
pub(super) enum StoredFile {
    File(File),
    Spool(SpoolReader),
}

impl Read for StoredFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Spool(spool) => spool.read(buffer),
        }
    }
}

impl Seek for StoredFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Spool(spool) => spool.seek(to),
        }
    }
}

/// One pass over the stored bytes.
pub(super) struct StoredBytes {
    file: StoredFile,
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

    /// Adds so many bytes to `buffer`, or all there are, whatever the buffer's memory held before.
    ///
    /// # Errors
    /// What came before the fault was added.
    pub(super) fn append(&mut self, buffer: &mut Vec<u8>, count: usize) -> io::Result<()> {
        let most = self.left.min(count as u64);
        let before = buffer.len();
        buffer.reserve(most as usize);
        let got = match &mut self.file {
            StoredFile::File(file) => file.take(most).read_to_end(buffer),
            StoredFile::Spool(spool) => spool.take(most).read_to_end(buffer),
        };
        self.took(buffer.get(before..).unwrap_or_default());
        let got = match got {
            Ok(count) if (count as u64) < most => Err(became_shorter()),
            other => other.map(|_| ()),
        };
        got.inspect_err(|error| self.fault = Some(error.to_string()))
    }

    /// Counts and hashes bytes that were read.
    fn took(&mut self, bytes: &[u8]) {
        self.left -= bytes.len() as u64;
        self.read += bytes.len() as u64;
        if let Some(digest) = &mut self.digest {
            digest.add(bytes);
        }
    }

    /// Reads what a fault left unread, so that size and digest are those of the whole file.
    pub(super) fn finish(&mut self) -> InputFacts {
        let mut rest = vec![0; usize::try_from(self.left).unwrap_or(usize::MAX).min(64 << 10)];
        while self.digest.is_some() && matches!(self.read(&mut rest), Ok(1..)) {}
        let sha256 = self.digest.take().map(Digest::finish).unwrap_or_default();
        InputFacts { bytes: self.read, sha256, ..InputFacts::default() }
    }
}

fn became_shorter() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")
}

impl Read for StoredBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most) else { return Ok(0) };
        if buffer.is_empty() {
            return Ok(0);
        }
        let got = match self.file.read(buffer) {
            Ok(0) => Err(became_shorter()),
            other => other,
        };
        match got {
            Ok(count) => {
                self.took(buffer.get(..count).unwrap_or_default());
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
