//! ZIP archives around one file: where it lies, and its bytes.

use super::OpenError;
use super::content::{self, Content};
use super::stored::{Stored, StoredBytes};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use zip::{CompressionMethod, ZipArchive};

/// Files that systems add to archives by themselves.
const BY_THE_WAY: [&str; 3] = ["__MACOSX/", ".DS_Store", "Thumbs.db"];
/// A workbook is an archive with one of these in it.
const OF_WORKBOOKS: [&str; 2] = ["[Content_Types].xml", "content.xml"];
/// Bytes of the front in which a workbook names its parts.
const FRONT: u64 = 16 * 1024;
/// Names told in a message.
const MOST_NAMED: usize = 8;
/// The header before each file: its size without name and extra field, and where their lengths stand.
const LOCAL_HEADER: usize = 30;
const NAME_LENGTH: usize = 26;
const EXTRA_LENGTH: usize = 28;

/// The file in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    start: u64,
    length: u64,
    unpacked: u64,
    checksum: u32,
    packing: Packing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Stored,
    Deflated,
}

/// True for the first bytes of an archive, be it an empty one.
pub(super) fn begins(first: &[u8]) -> bool {
    first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06")
}

/// What a file that begins like an archive is.
pub(super) enum Inside {
    One(Entry),
    Workbook,
}

/// The one file of an archive.
///
/// # Errors
/// The archive is damaged, holds several files or none, or the one cannot be unpacked here.
pub(super) fn inside(stored: &Stored) -> Result<Inside, OpenError> {
    let damaged = |error: &dyn std::fmt::Display| OpenError::Damaged {
        file: stored.name().to_owned(),
        what: if looks_like_a_workbook(stored) { "workbook" } else { "ZIP archive" },
        reason: error.to_string(),
    };
    let mut archive = ZipArchive::new(BufReader::new(stored.open()?)).map_err(|error| damaged(&error))?;
    let names: Vec<String> = archive.file_names().map(|name| name.map(|name| name.into_owned()).unwrap_or_default()).collect();
    if names.iter().any(|name| OF_WORKBOOKS.contains(&name.as_str())) {
        return Ok(Inside::Workbook);
    }
    let is_file = |name: &&String| !name.ends_with('/') && !BY_THE_WAY.iter().any(|known| name.contains(known));
    let files: Vec<&String> = names.iter().filter(is_file).collect();
    let wrong = |reason: String| OpenError::Archive { file: stored.name().to_owned(), reason };
    let [name] = files[..] else {
        let more = if files.len() > MOST_NAMED { ", …" } else { "" };
        let shown: Vec<String> = files.iter().take(MOST_NAMED).map(|name| format!("{name:?}")).collect();
        let reason = if files.is_empty() {
            "holds no file".to_owned()
        } else {
            format!("holds {} files: {}{more}", files.len(), shown.join(", "))
        };
        return Err(wrong(reason));
    };
    let index = names.iter().position(|other| other == name).unwrap_or_default();
    let found = archive.by_index_raw(index).map_err(|error| damaged(&error))?;
    if found.encrypted() {
        return Err(wrong(format!("keeps {name:?} under a password")));
    }
    let packing = match found.compression() {
        CompressionMethod::Stored => Packing::Stored,
        CompressionMethod::Deflated => Packing::Deflated,
        other => return Err(wrong(format!("keeps {name:?} packed by {other}, which is not read"))),
    };
    let (header, length, unpacked, checksum) = (found.header_start(), found.compressed_size(), found.size(), found.crc32());
    drop(found);
    let start = data_start(&mut archive.into_inner(), header).map_err(|error| damaged(&error))?;
    Ok(Inside::One(Entry { start, length, unpacked, checksum, packing }))
}

/// What an archive without its directory was, told from its front.
fn looks_like_a_workbook(stored: &Stored) -> bool {
    let mut front = Vec::new();
    let read = stored.open().map(|file| file.take(FRONT).read_to_end(&mut front));
    matches!(read, Ok(Ok(_))) && content::of_bytes(&front) == Some(Content::Workbook)
}

/// Where the bytes of a file begin: after the header that stands before them.
fn data_start(file: &mut (impl Read + Seek), header: u64) -> io::Result<u64> {
    let mut bytes = [0; LOCAL_HEADER];
    file.seek(SeekFrom::Start(header))?;
    file.read_exact(&mut bytes)?;
    let length =
        |at: usize| bytes.get(at..at + 2).map_or(0, |bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    Ok(header + LOCAL_HEADER as u64 + length(NAME_LENGTH) + length(EXTRA_LENGTH))
}

/// The unpacked bytes of the file.
pub(super) struct EntryReader {
    bytes: Unpacking,
    entry: Entry,
    checksum: Crc,
}

enum Unpacking {
    Stored(BufReader<Take<StoredBytes>>),
    Deflated(DeflateDecoder<BufReader<Take<StoredBytes>>>),
}

impl EntryReader {
    /// # Errors
    /// What stands before the file cannot be read.
    pub(super) fn new(mut bytes: StoredBytes, entry: Entry, buffer: usize) -> io::Result<Self> {
        // Read, not passed over: it belongs to the digest.
        io::copy(&mut Read::by_ref(&mut bytes).take(entry.start), &mut io::sink())?;
        let packed = BufReader::with_capacity(buffer, bytes.take(entry.length));
        let bytes = match entry.packing {
            Packing::Stored => Unpacking::Stored(packed),
            Packing::Deflated => Unpacking::Deflated(DeflateDecoder::new(packed)),
        };
        Ok(Self { bytes, entry, checksum: Crc::new() })
    }

    pub(super) fn stored(&mut self) -> &mut StoredBytes {
        match &mut self.bytes {
            Unpacking::Stored(packed) => packed.get_mut().get_mut(),
            Unpacking::Deflated(decoder) => decoder.get_mut().get_mut().get_mut(),
        }
    }

    /// What the archive says of the file must be true of its bytes.
    fn check_end(&self) -> io::Result<()> {
        let is_whole = u64::from(self.checksum.amount()) == self.entry.unpacked & u64::from(u32::MAX);
        if is_whole && self.checksum.sum() == self.entry.checksum {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "size or checksum do not agree"))
    }
}

impl Read for EntryReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = match &mut self.bytes {
            Unpacking::Stored(bytes) => bytes.read(buffer)?,
            Unpacking::Deflated(bytes) => bytes.read(buffer)?,
        };
        match buffer.get(..got) {
            Some(bytes) if !bytes.is_empty() => self.checksum.update(bytes),
            _ if buffer.is_empty() => {}
            _ => self.check_end()?,
        }
        Ok(got)
    }
}
