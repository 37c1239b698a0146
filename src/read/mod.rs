//! Reads files and streams: bytes become text, text becomes blocks of whole records, blocks become records.
//!
//! `location` says where an input lies; `remote` fetches objects from URLs. `stored` and `digest` keep and hash bytes, `compression` unpacks them, `encoding` and `text_stream` make text of them. `walk` cuts
//! the text into blocks with a cutter (`lines`, `quotes`, `document`, `wrapped`), and a splitter (`csv`, `objects`, `text`,
//! `wrapped`) takes blocks apart. Logs are recognised by `logs`, and their lines read by a `reading`, with what stands before a message taken
//! off by `wrapper`. `sample`, `content`, `format` and `header` recognise an input by its front; `opened` puts it all together. What is no such text
//! is turned into it first, in `translate`. `glance` shows the front to those who do not know yet which source it is of.
//!
//! To add a text format: a splitter in a file of its own (and a cutter, if its records are not lines), a branch in `opened`, and a line in
//! the conformance suite `tests/readers.rs`.

mod archive;
mod broken;
mod carried;
mod compression;
mod content;
mod csv;
mod digest;
mod document;
mod encoding;
mod escapes;
mod footer;
mod format;
mod front;
mod glance;
mod header;
mod json;
mod kept;
mod known;
mod lines;
mod location;
mod logfmt;
mod logs;
mod marks;
mod noted;
mod objects;
mod opened;
mod outside;
mod pointer;
mod preamble;
mod quotes;
mod reading;
mod remote;
mod rows;
mod sample;
#[cfg(feature = "remote")]
mod shelf;
mod span;
mod spool;
mod stored;
mod tables;
mod text;
mod text_stream;
mod totals;
mod translate;
mod translated;
mod walk;
mod window;
mod wrapped;
mod wrapper;

pub use carried::{Form, with_carried};
pub use content::Content;
pub use glance::{Glance, HeaderRow};
pub use header::nearest;
pub use known::{Acquaintance, Acquainted, Ending, acquaint};
pub use location::Location;
pub use stored::Stored;

use crate::domain::record::{Input, InputError};
use crate::rules::Source;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// The largest block, and so the longest record, in bytes of text. One byte less than 2^20: every record starts below 2^20, and a block
/// holds fewer than 2^20 records, because each takes a byte at least.
pub const BLOCK_BYTES: usize = (1 << 20) - 1;

/// Opens a file and recognises it. `name` is what messages call it. A named pipe is copied to a temporary file in `spool_folder` first.
///
/// # Errors
/// The file cannot be read, is no text, or has none of the columns that `source` asks for. An empty file is an input without blocks.
pub fn open(path: &Path, name: &str, source: &Source, spool_folder: &Path) -> Result<Box<dyn Input>, OpenError> {
    let stored = Stored::file(path, name, spool_folder)?;
    Ok(Box::new(opened::recognise(stored, source, BLOCK_BYTES, spool_folder)?))
}

/// Keeps what a file holds at hand, so that it can be glanced at and then opened; a named pipe gives its bytes only once, and is copied to
/// a temporary file in `spool_folder`.
///
/// # Errors
/// The file cannot be read, or the temporary file not written.
pub fn store(path: &Path, name: &str, spool_folder: &Path) -> Result<Stored, OpenError> {
    Stored::file(path, name, spool_folder)
}

/// As [`store`], of a stream that can be read only once, such as standard input.
///
/// # Errors
/// As [`store`].
pub fn store_stream(stream: &mut dyn Read, name: &str, spool_folder: &Path) -> Result<Stored, OpenError> {
    Stored::stream(stream, name, spool_folder)
}

/// Looks at the front of an input, before a source is known for it.
///
/// # Errors
/// The input cannot be read, is damaged where its columns would be, or is of a kind that no reader makes sense of.
pub fn glance(stored: &Stored) -> Result<Glance, OpenError> {
    glance::glance(stored)
}

/// As [`open`], of what is at hand already.
///
/// # Errors
/// As [`open`].
pub fn open_stored(stored: Stored, source: &Source, spool_folder: &Path) -> Result<Box<dyn Input>, OpenError> {
    Ok(Box::new(opened::recognise(stored, source, BLOCK_BYTES, spool_folder)?))
}

/// As [`open`], with blocks (and records) of at most `block_bytes`, between 1 and [`BLOCK_BYTES`].
///
/// # Errors
/// As [`open`].
pub fn open_in_blocks(
    path: &Path,
    name: &str,
    source: &Source,
    block_bytes: usize,
    spool_folder: &Path,
) -> Result<Box<dyn Input>, OpenError> {
    let stored = Stored::file(path, name, spool_folder)?;
    Ok(Box::new(opened::recognise(stored, source, block_bytes.clamp(1, BLOCK_BYTES), spool_folder)?))
}

/// Opens a stream that can be read only once, such as standard input, by way of a temporary file that has no name.
///
/// # Errors
/// As [`open`], and when the temporary file cannot be written.
pub fn open_stream(stream: &mut dyn Read, name: &str, source: &Source, spool_folder: &Path) -> Result<Box<dyn Input>, OpenError> {
    let stored = Stored::stream(stream, name, spool_folder)?;
    Ok(Box::new(opened::recognise(stored, source, BLOCK_BYTES, spool_folder)?))
}

/// Why an input cannot be read at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpenError {
    #[error("{file}: cannot be read: {reason}; check the path and the permissions")]
    Unreadable { file: String, reason: String },
    #[error("{file}: is a folder; name the files in it, or a pattern such as \"{file}/*.csv\"")]
    Folder { file: String },
    #[error(
        "{file}: cannot be copied to a temporary file: {reason}; free some space, or save the stream to a file and read that"
    )]
    Spool { file: String, reason: String },
    #[error("{url}: {what}; {advice}")]
    Remote { url: String, what: String, advice: String },
    #[error("{file}: is {what}, which is not read; {advice}")]
    Foreign { file: String, what: &'static str, advice: &'static str },
    #[error(
        "{file}: none of the columns \"{wanted}\" is in the header \"{header}\"{nearest}; set source.map, or read.delimiter and read.skip_lines"
    )]
    NoColumns { file: String, wanted: String, header: String, nearest: String },
    #[error("{file}: the header does not end within {bytes} bytes; set read.delimiter and read.skip_lines, or repair the file")]
    EndlessHeader { file: String, bytes: usize },
    #[error("{file}: no array of records at \"{pointer}\"; set read.records to its JSON pointer")]
    NoRecords { file: String, pointer: String },
    #[error("{file}: several arrays may be the records: \"{arrays}\"; set read.records to one of them")]
    SeveralArrays { file: String, arrays: String },
    #[error("{file}: no sheet \"{sheet}\"; set read.sheet to one of \"{sheets}\"")]
    NoSheet { file: String, sheet: String, sheets: String },
    #[error("{file}: is larger than the {mebibytes} MiB that {what} may have; export the records as CSV or NDJSON")]
    TooLarge { file: String, what: &'static str, mebibytes: usize },
    #[error("{file}: the ZIP archive {reason}; unpack it, and name the file that is meant")]
    Archive { file: String, reason: String },
    #[error("{file}: the {what} is damaged or cut off: {reason}; get the file again")]
    Damaged { file: String, what: &'static str, reason: String },
    #[error("{file}: is not \"{format}\": {reason}; set format, or leave it out to have it told from the content")]
    NotOfFormat { file: String, format: &'static str, reason: String },
    #[error("{file}: no row begins with \"{types}\"; set read.record_types to the types that the file has")]
    NoRecordTypes { file: String, types: String },
    #[error("{file}: text needs a pattern; set read.pattern")]
    NoPattern { file: String },
    #[error(transparent)]
    Input(#[from] InputError),
}

impl OpenError {
    /// True when the file is fine and the configuration does not fit it.
    pub fn is_configuration(&self) -> bool {
        matches!(
            self,
            Self::NoColumns { .. }
                | Self::NoRecords { .. }
                | Self::SeveralArrays { .. }
                | Self::NoSheet { .. }
                | Self::NotOfFormat { .. }
                | Self::NoRecordTypes { .. }
                | Self::NoPattern { .. }
        )
    }

    /// True when the file can be read whole, and another one or another setting is needed.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::Unreadable { .. } | Self::Spool { .. } | Self::Remote { .. } | Self::Damaged { .. } | Self::Input(_)
        )
    }

    fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::Unreadable { file: name.to_owned(), reason: error.to_string() }
    }
}
