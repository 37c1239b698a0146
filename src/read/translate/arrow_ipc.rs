//! Arrow IPC, as a file (Feather) or a stream. A row is a record, read a batch at a time.

use super::original::{Original, all_bytes};
use super::whole_file::{damaged, guarded, missing};
use super::{Members, Numbers, Translation};
use crate::domain::record::{InputError, Position};
use crate::read::OpenError;
use crate::read::compression::Compression;
use crate::read::content::Content;
use crate::read::stored::{Stored, StoredFile};
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_json::LineDelimitedWriter;
use std::io::{self, BufReader, Cursor, Read, Seek};

/// The largest file that is not read in place, because it comes packed or by a pipe.
const MOST_BYTES: usize = 1 << 30;
/// How a file begins; a stream begins with its first message.
const MAGIC: &[u8] = b"ARROW1";
const WHAT: &str = "Arrow IPC file";

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    if original.sample.not_text != Some(Content::Ipc) {
        let reason = "its bytes are no Arrow IPC".to_owned();
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "ipc", reason });
    }
    guarded(original.name(), WHAT, || rows(original))
}

/// Names of the columns.
pub(super) fn columns(stored: &Stored, compression: Compression) -> Result<Vec<String>, OpenError> {
    guarded(stored.name(), WHAT, || Ok(Batches::open(stored, compression)?.names))
}

/// Batches of rows, whichever of the two layouts they come in.
struct Batches {
    names: Vec<String>,
    batches: Box<dyn Iterator<Item = Result<Batch, String>>>,
}

/// What comes next.
enum Batch {
    Rows(RecordBatch),
    /// A stream ends without its mark.
    CutOff,
}

impl Batches {
    fn open(stored: &Stored, compression: Compression) -> Result<Self, OpenError> {
        match stored.open()? {
            StoredFile::File(file) if compression == Compression::None => Self::of(stored.name(), BufReader::new(file)),
            _ => {
                let bytes = all_bytes(stored, compression, MOST_BYTES, "a packed Arrow IPC file")?;
                Self::of(stored.name(), Cursor::new(bytes))
            }
        }
    }

    fn of(file: &str, mut input: impl Read + Seek + 'static) -> Result<Self, OpenError> {
        let mut first = [0; MAGIC.len()];
        let begins = input.read_exact(&mut first).and_then(|()| input.rewind());
        begins.map_err(|error| damaged(file, WHAT, &error.to_string()))?;
        if first == MAGIC {
            let reader = FileReader::try_new(input, None).map_err(|error| damaged(file, WHAT, &error.to_string()))?;
            let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
            let batches = reader.map(|batch| batch.map(Batch::Rows).map_err(|error| error.to_string()));
            Ok(Self { names, batches: Box::new(batches) })
        } else {
            let watched = Watched { input, has_ended: false };
            let reader = StreamReader::try_new(watched, None).map_err(|error| damaged(file, WHAT, &error.to_string()))?;
            let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
            Ok(Self { names, batches: Box::new(Marked { reader, is_done: false }) })
        }
    }
}

/// Bytes of a stream, and whether more of them were asked for than there are.
struct Watched<R> {
    input: R,
    has_ended: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.input.read(buffer)?;
        self.has_ended |= got == 0 && !buffer.is_empty();
        Ok(got)
    }
}

/// The batches of a stream. Its reader takes the end of the bytes between two batches for the end of the stream; one that was cut off there
/// is told from it by the mark that must stand at the end.
struct Marked<R: Read> {
    reader: StreamReader<Watched<R>>,
    is_done: bool,
}

impl<R: Read> Iterator for Marked<R> {
    type Item = Result<Batch, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let batch = self.reader.next().map(|batch| batch.map(Batch::Rows).map_err(|error| error.to_string()));
        self.is_done = batch.is_none();
        batch.or_else(|| self.reader.get_ref().has_ended.then_some(Ok(Batch::CutOff)))
    }
}

/// The rows of a batch as lines of JSON.
fn lines(batch: &RecordBatch) -> Result<String, String> {
    let mut writer = LineDelimitedWriter::new(Vec::new());
    writer.write(batch).and_then(|()| writer.finish()).map_err(|error| error.to_string())?;
    String::from_utf8(writer.into_inner()).map_err(|error| error.to_string())
}

fn rows(original: &Original<'_>) -> Result<Translation, OpenError> {
    let file = original.name();
    let Batches { names: columns, batches } = Batches::open(original.stored, original.coding.compression)?;
    let missing = missing(original, &columns)?;
    let mut rows = original.rows();
    let (mut number, mut fault) = (0, None);
    let wrong = |reason: String| damaged(file, WHAT, &reason);
    for batch in batches {
        let Batch::Rows(batch) = batch.map_err(wrong)? else {
            let reason = "it has no mark at its end".to_owned();
            let (file, bytes) = (file.to_owned(), original.stored.bytes());
            fault = Some(InputError::CutOff { file, what: "Arrow IPC stream", bytes, reason });
            break;
        };
        for line in lines(&batch).map_err(wrong)?.lines() {
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
        fault,
    })
}
