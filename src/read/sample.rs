//! A look at the front of an input: enough to tell encoding, format, header and damage.

use super::OpenError;
use super::compression::{Compression, Unpacked};
use super::encoding::recognise;
use super::lines;
use super::stored::Stored;
use super::text_stream::{Coding, TextStream, checked};
use crate::domain::record::InputError;
use crate::rules::Source;
use std::io::Read;

/// Bytes looked at. Text that is ASCII for so long is taken for UTF-8.
pub(super) const SAMPLE_BYTES: usize = 1 << 20;

/// The front of an input's text.
pub(super) struct Sample {
    pub(super) text: String,
    /// True when the text holds no more than this.
    pub(super) is_whole: bool,
    /// The fault that ended it.
    pub(super) fault: Option<InputError>,
    pub(super) line_end: u8,
}

/// The first bytes of an input, unpacked.
pub(super) struct Front {
    pub(super) compression: Compression,
    pub(super) raw: Vec<u8>,
}

/// Unpacks the front of an input.
pub(super) fn front(stored: &Stored) -> Result<Front, OpenError> {
    let mut first = [0; 8];
    let mut bytes = stored.read()?;
    let mut got = 0;
    while let Ok(count @ 1..) = bytes.read(first.get_mut(got..).unwrap_or_default()) {
        got += count;
    }
    let compression = Compression::detect(first.get(..got).unwrap_or_default());

    let mut raw = vec![0; SAMPLE_BYTES];
    let mut unpacked = Unpacked::new(stored, stored.read()?, compression)?;
    // A fault here is met again, and told, by the pass over the blocks.
    let got = unpacked.fill(&mut raw).unwrap_or_else(|(count, _)| count);
    raw.truncate(got);
    Ok(Front { compression, raw })
}

/// Recognises how bytes become text. The stream goes on where the sample ends.
pub(super) fn take(stored: &Stored, front: &Front, source: &Source) -> Result<(Sample, Coding, TextStream), OpenError> {
    if let Some((what, advice)) = foreign(&front.raw) {
        return Err(OpenError::Foreign { file: stored.name().to_owned(), what, advice });
    }
    let compression = front.compression;
    let recognised = recognise(&front.raw, source.read.encoding);

    let mut stream = TextStream::new(Unpacked::new(stored, stored.read()?, compression)?, recognised);
    let mut text = Vec::new();
    stream.fill(&mut text, SAMPLE_BYTES);
    let fault = stream.fault().cloned();
    let is_whole = stream.has_ended() && fault.is_none();
    let text = stream.block(0, text, None).text;
    let line_end = lines::line_end(text.as_bytes());
    Ok((Sample { text, is_whole, fault, line_end }, Coding { compression, recognised }, stream))
}

/// The whole lines in the front of a text of this program.
pub(super) fn lines(stored: &Stored) -> Result<Sample, OpenError> {
    let mut raw = vec![0; SAMPLE_BYTES];
    let mut unpacked = Unpacked::new(stored, stored.read()?, Compression::None)?;
    let got = unpacked.fill(&mut raw).map_err(|(_, fault)| fault)?;
    let is_whole = got < raw.len();
    raw.truncate(if is_whole { got } else { memchr::memrchr(b'\n', &raw).map_or(0, |last| last + 1) });
    Ok(Sample { text: checked(raw).0, is_whole, fault: None, line_end: b'\n' })
}

/// Files that are no text, by their first bytes, and what to do about them.
fn foreign(first: &[u8]) -> Option<(&'static str, &'static str)> {
    const KNOWN: [(&[u8], &str, &str); 8] = [
        (b"PK\x03\x04", "a ZIP archive or a workbook", "unpack it, or save the sheet as CSV"),
        (b"BZh", "bzip2", "unpack it first"),
        (b"\xFD7zXZ\0", "xz", "unpack it first"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first"),
        (b"PAR1", "Parquet", "export it as CSV or NDJSON"),
        (b"ARROW1", "Arrow IPC", "export it as CSV or NDJSON"),
        (b"SQLite format 3\0", "an SQLite database", "export its table as CSV"),
        (b"%PDF-", "PDF", "export the data as CSV"),
    ];
    KNOWN.iter().find(|(magic, ..)| first.starts_with(magic)).map(|(_, what, advice)| (*what, *advice))
}
