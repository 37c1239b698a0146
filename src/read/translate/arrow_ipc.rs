//! Arrow IPC, as a file (Feather) or a stream. A row is a record, read a batch at a time.

use super::original::{Original, all_bytes};
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::compression::Compression;
use crate::read::content::Content;
use crate::read::header;
use crate::read::stored::{Stored, StoredFile};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_json::LineDelimitedWriter;
use std::io::{BufReader, Cursor, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The largest file that is not read in place, because it comes packed or by a pipe.
const MOST_BYTES: usize = 1 << 30;
/// How a file begins; a stream begins with its first message.
const MAGIC: &[u8] = b"ARROW1";

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    if original.sample.not_text != Some(Content::Ipc) {
        let reason = "its bytes are no Arrow IPC".to_owned();
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "ipc", reason });
    }
    guarded(original.name(), || rows(original))
}

/// Names of the columns.
pub(super) fn columns(stored: &Stored, compression: Compression) -> Result<Vec<String>, OpenError> {
    guarded(stored.name(), || with_batches(stored, compression, |batches| Ok(batches.names())))
}

/// A damaged file may bring its reader to a stop; that must not stop the scan of other files.
fn guarded<T>(file: &str, read: impl FnOnce() -> Result<T, OpenError>) -> Result<T, OpenError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(damaged(file, "its parts contradict each other")))
}

fn damaged(file: &str, reason: &str) -> OpenError {
    OpenError::Damaged { file: file.to_owned(), what: "Arrow IPC file", reason: reason.to_owned() }
}

/// Batches of rows, whichever of the two layouts they come in.
enum Batches<R: Read + Seek> {
    File(FileReader<R>),
    Stream(StreamReader<R>),
}

impl<R: Read + Seek> Batches<R> {
    fn open(file: &str, mut input: R) -> Result<Self, OpenError> {
        let mut first = [0; MAGIC.len()];
        let begins = input.read_exact(&mut first).and_then(|()| input.rewind());
        begins.map_err(|error| damaged(file, &error.to_string()))?;
        let opened = if first == MAGIC {
            FileReader::try_new(input, None).map(Self::File)
        } else {
            StreamReader::try_new(input, None).map(Self::Stream)
        };
        opened.map_err(|error| damaged(file, &error.to_string()))
    }

    fn names(&self) -> Vec<String> {
        let schema = match self {
            Self::File(reader) => reader.schema(),
            Self::Stream(reader) => reader.schema(),
        };
        schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows of the next batch as lines of JSON; None at the end.
    fn next_lines(&mut self) -> Option<Result<Vec<u8>, String>> {
        let batch = match self {
            Self::File(reader) => reader.next(),
            Self::Stream(reader) => reader.next(),
        }?;
        let lines = batch.and_then(|batch| {
            let mut writer = LineDelimitedWriter::new(Vec::new());
            writer.write(&batch)?;
            writer.finish()?;
            Ok(writer.into_inner())
        });
        Some(lines.map_err(|error| error.to_string()))
    }
}

/// What stands for both kinds of input behind one face.
trait Rows {
    fn names(&self) -> Vec<String>;
    fn next_lines(&mut self) -> Option<Result<Vec<u8>, String>>;
}

impl<R: Read + Seek> Rows for Batches<R> {
    fn names(&self) -> Vec<String> {
        Batches::names(self)
    }

    fn next_lines(&mut self) -> Option<Result<Vec<u8>, String>> {
        Batches::next_lines(self)
    }
}

fn with_batches<T>(
    stored: &Stored,
    compression: Compression,
    read: impl FnOnce(&mut dyn Rows) -> Result<T, OpenError>,
) -> Result<T, OpenError> {
    match stored.open()? {
        StoredFile::File(file) if compression == Compression::None => {
            read(&mut Batches::open(stored.name(), BufReader::new(file))?)
        }
        _ => {
            let bytes = all_bytes(stored, compression, MOST_BYTES, "a packed Arrow IPC file")?;
            read(&mut Batches::open(stored.name(), Cursor::new(bytes))?)
        }
    }
}

fn rows(original: &Original<'_>) -> Result<Translation, OpenError> {
    with_batches(original.stored, original.coding.compression, |batches| {
        let columns = batches.names();
        let found = |name: &&String| name.starts_with('/') || columns.contains(name);
        let missing: Vec<String> = original.source.columns.iter().filter(|name| !found(name)).cloned().collect();
        if missing.len() == original.source.columns.len() && !missing.is_empty() {
            return Err(header::no_columns(original.name(), &columns, original.source));
        }
        let mut rows = original.rows();
        let mut number = 0;
        while let Some(lines) = batches.next_lines() {
            let lines = lines.map_err(|reason| damaged(original.name(), &reason))?;
            let text = String::from_utf8(lines).map_err(|error| damaged(original.name(), &error.to_string()))?;
            for line in text.lines() {
                number += 1;
                rows.object(Position { number, lines: [number, number] }, line)?;
            }
        }
        Ok(Translation {
            spool: rows.finish()?,
            members: Members::AsAsked,
            columns,
            missing,
            numbers: Numbers::OneWay,
            facts: vec!["ipc".to_owned()],
            notes: Vec::new(),
            fault: None,
        })
    })
}
