//! The bytes of an input as they are stored: where they lie, and whether they are still the same.

use super::OpenError;
use super::digest::Digest;
use super::spool::{Spool, SpoolReader, SpoolWriter};
use crate::domain::record::{InputError, InputFacts};
use crate::domain::report::Note;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;
use xxhash_rust::xxh3::xxh3_128;

/// An input's stored bytes, to be read as often as needed.
#[derive(Clone, Debug)]
pub struct Stored {
    name: String,
    place: Place,
    bytes: u64,
    modified: Option<SystemTime>,
    last_line: LastLine,
    /// Of a file; by them one that has grown is told from one that was written anew.
    edges: Edges,
    /// It had grown when it was read again.
    has_grown: Arc<AtomicBool>,
}

/// What becomes of a line that had no end when the input was opened, if the input grows: then it may have been half a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastLine {
    /// It is read as a record, so the input must not have grown.
    Read,
    /// Its reader holds it back.
    HeldBack,
}

/// What tells the first and the last bytes that a file had when it was opened: of a hundred thousand files not much is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Edges {
    first: u128,
    last: u128,
    last_byte: Option<u8>,
}

impl Edges {
    const BYTES: u64 = 4 << 10;

    /// Of the first `bytes` of a file. Moves where the file is read next.
    fn of(file: &mut File, bytes: u64) -> io::Result<Self> {
        let mut edge = Vec::new();
        let mut read = |from: u64| {
            edge.clear();
            file.seek(SeekFrom::Start(from))?;
            file.take(Self::BYTES.min(bytes - from)).read_to_end(&mut edge)?;
            Ok::<_, io::Error>((xxh3_128(&edge), edge.last().copied()))
        };
        let (first, last_byte) = read(0)?;
        // A small file is all edge.
        let (last, last_byte) = if bytes <= Self::BYTES { (first, last_byte) } else { read(bytes - Self::BYTES)? };
        Ok(Self { first, last, last_byte })
    }
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
        let edges = Edges::of(&mut file, bytes).map_err(unreadable)?;
        let place = Place::Path(path.to_owned());
        Ok(Self { name: name.to_owned(), place, bytes, modified, last_line: LastLine::Read, edges, has_grown: Arc::default() })
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
        let (bytes, place) = (spool.bytes(), Place::Spool(Arc::new(spool)));
        Self {
            name: name.to_owned(),
            place,
            bytes,
            modified: None,
            last_line: LastLine::Read,
            edges: Edges::default(),
            has_grown: Arc::default(),
        }
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

    /// The same bytes, of which a last line without an end is not used.
    pub(super) fn holding_back_last_line(self) -> Self {
        Self { last_line: LastLine::HeldBack, ..self }
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
        let (file, name) = (self.open()?, self.name.clone());
        Ok(StoredBytes { file, name, left: self.bytes, read: 0, digest: None, fault: None })
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

    /// Fails when the file does not hold any more what it held when it was opened first, as far as its size, its time of change and its edges
    /// tell. What was written behind that is no change, because it is not read.
    pub(super) fn check_unchanged(&self, file: &StoredFile) -> Result<(), InputError> {
        let StoredFile::File(file) = file else { return Ok(()) };
        let now = file.metadata().map_err(|error| self.unreadable(&error))?;
        let is_same = now.len() == self.bytes && now.modified().ok() == self.modified;
        let has_grown = || Ok::<_, io::Error>(now.len() > self.bytes && self.may_grow() && self.edges_now()? == self.edges);
        if is_same {
            Ok(())
        } else if has_grown().map_err(|error| self.unreadable(&error))? {
            self.has_grown.store(true, Ordering::Relaxed);
            Ok(())
        } else {
            Err(InputError::Changed { file: self.name.clone() })
        }
    }

    /// Fails when the file had grown when it was read again, and what was read of it first, by its SHA-256, does not stand there any more: it
    /// was written anew in its middle.
    pub(super) fn check_content(&self, sha256: &str) -> Result<(), InputError> {
        if !self.has_grown.load(Ordering::Relaxed) || self.facts()?.sha256 == sha256 {
            Ok(())
        } else {
            Err(InputError::Changed { file: self.name.clone() })
        }
    }

    /// Whether more bytes behind those that are read can make none of the records another.
    fn may_grow(&self) -> bool {
        self.last_line == LastLine::HeldBack || self.edges.last_byte.is_none_or(|byte| byte == b'\n')
    }

    fn edges_now(&self) -> io::Result<Edges> {
        match &self.place {
            Place::Path(path) => Edges::of(&mut File::open(path)?, self.bytes),
            Place::Spool(_) => Ok(self.edges),
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
    /// Of the input.
    name: String,
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
        InputFacts { bytes: self.read, sha256, notes: self.growth().into_iter().collect(), ..InputFacts::default() }
    }

    /// What stands in the file by now behind what was read.
    fn growth(&self) -> Option<Note> {
        let StoredFile::File(file) = &self.file else { return None };
        file.metadata().ok().filter(|now| now.len() > self.read + self.left)?;
        let message =
            format!("{}: grew while it was read; what was written after the scan began is not in this result", self.name);
        Some(Note { code: "grew".to_owned(), message })
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

#[cfg(test)]
mod tests {
    use super::Stored;
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::path::Path;

    fn opened(path: &Path, text: &str) -> Stored {
        std::fs::write(path, text).unwrap();
        Stored::file(path, "a.log", &std::env::temp_dir()).unwrap()
    }

    fn is_unchanged(stored: &Stored) -> bool {
        stored.check_unchanged(&stored.open().unwrap()).is_ok()
    }

    #[test]
    fn growth_is_no_change_and_every_other_writing_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let append = |text: &str| OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
        let line = "2026-03-02 a\n".repeat(2_000);
        let whole = opened(&path, &line);
        assert!(is_unchanged(&whole));
        append("2026-03-02 b\n");
        assert!(is_unchanged(&whole));
        assert_eq!(whole.facts().unwrap().bytes, line.len() as u64, "what was appended is not read");
        assert!(whole.facts().unwrap().notes.iter().any(|note| note.code == "grew"));

        std::fs::write(&path, "2026-03-03 c\n".repeat(3_000)).unwrap();
        assert!(!is_unchanged(&whole), "begun anew, and longer already");
        std::fs::write(&path, &line[..line.len() - 13]).unwrap();
        assert!(!is_unchanged(&whole), "cut off");

        let half = opened(&path, "2026-03-02 a\n2026-03-02 hal");
        append("f\n");
        assert!(!is_unchanged(&half), "half a line would be read as a record");
        let half = opened(&path, "2026-03-02 a\n2026-03-02 hal").holding_back_last_line();
        append("f\n");
        assert!(is_unchanged(&half));
    }
}
