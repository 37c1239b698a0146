//! Bytes kept as long as their input is open: in memory while they are few, else in a temporary file without a name.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// As many bytes stay in memory.
const FEW_BYTES: usize = 4 << 20;

/// What was written, to be read at any place by any number of threads.
#[derive(Debug)]
pub(super) struct Spool {
    place: Place,
    bytes: u64,
}

#[derive(Debug)]
enum Place {
    Memory(Vec<u8>),
    /// A stretch of a file that others may have parts of.
    File {
        file: Arc<File>,
        from: u64,
    },
}

impl Spool {
    /// What was written to a file from this place on.
    #[cfg(feature = "remote")]
    pub(super) fn part(file: Arc<File>, from: u64, bytes: u64) -> Self {
        Self { place: Place::File { file, from }, bytes }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads at a place without a position that threads would have to share.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match &self.place {
            Place::Memory(bytes) => {
                let from = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
                bytes.get(from..).unwrap_or_default().read(buffer)
            }
            Place::File { file, from } => {
                let left = usize::try_from(self.bytes.saturating_sub(at)).unwrap_or(usize::MAX);
                let most = buffer.len().min(left);
                read_file_at(file, buffer.get_mut(..most).unwrap_or_default(), from + at)
            }
        }
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_file_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// One reader of a spool, with a position of its own.
#[derive(Clone, Debug)]
pub(super) struct SpoolReader {
    spool: Arc<Spool>,
    at: u64,
}

impl SpoolReader {
    pub(super) fn new(spool: &Arc<Spool>) -> Self {
        Self { spool: Arc::clone(spool), at: 0 }
    }
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.spool.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for SpoolReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.spool.bytes.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte"))?;
        Ok(self.at)
    }
}

/// Takes the bytes of a spool, front to back.
pub(super) struct SpoolWriter {
    folder: PathBuf,
    memory: Vec<u8>,
    file: Option<BufWriter<File>>,
    bytes: u64,
}

impl SpoolWriter {
    /// `folder` is where the temporary file goes, if one is needed.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), memory: Vec::new(), file: None, bytes: 0 }
    }

    /// # Errors
    /// The last bytes cannot be written.
    pub(super) fn finish(mut self) -> io::Result<Spool> {
        self.flush()?;
        let place = match self.file {
            Some(file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                Place::File { file: Arc::new(file), from: 0 }
            }
            None => Place::Memory(self.memory),
        };
        Ok(Spool { place, bytes: self.bytes })
    }
}

impl Write for SpoolWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() && self.memory.len() + bytes.len() > FEW_BYTES {
            let mut file = BufWriter::with_capacity(256 << 10, tempfile::tempfile_in(&self.folder)?);
            file.write_all(&self.memory)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes)?,
            None => self.memory.extend_from_slice(bytes),
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}
