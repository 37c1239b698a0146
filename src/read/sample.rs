//! A look at the front of an input: enough to tell encoding, format, header and damage.

use super::OpenError;
use super::archive::{self, Inside};
use super::compression::{Compression, Unpacked};
use super::content::{self, Content};
use super::encoding::recognise;
use super::lines;
use super::stored::Stored;
use super::text_stream::{Coding, TextStream, checked};
use crate::domain::record::InputError;
use encoding_rs::Encoding;
use std::io::Read;

/// Bytes looked at when an input is opened. Text that is ASCII for so long is taken for UTF-8.
pub(super) const SAMPLE_BYTES: usize = 1 << 20;

/// The front of an input's text.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) text: String,
    /// True when the text holds no more than this.
    pub(super) is_whole: bool,
    /// The fault that ended it.
    pub(super) fault: Option<InputError>,
    pub(super) line_end: u8,
    /// What the input is when its bytes are no text; `text` is empty then.
    pub(super) not_text: Option<Content>,
}

/// The first bytes of an input, unpacked.
pub(super) struct Front {
    pub(super) compression: Compression,
    pub(super) raw: Vec<u8>,
    /// What the input is when its bytes are no text.
    pub(super) not_text: Option<Content>,
}

/// Unpacks the first `most` bytes of an input.
///
/// # Errors
/// It cannot be read, or is an archive that does not hold one file that can be unpacked.
pub(super) fn front(stored: &Stored, most: usize) -> Result<Front, OpenError> {
    let mut first = [0; 8];
    let mut bytes = stored.read()?;
    let mut got = 0;
    while let Ok(count @ 1..) = bytes.read(first.get_mut(got..).unwrap_or_default()) {
        got += count;
    }
    let first = first.get(..got).unwrap_or_default();
    let inside = archive::begins(first).then(|| archive::inside(stored)).transpose()?;
    let compression = match inside {
        Some(Inside::One(entry)) => Compression::Zip(entry),
        Some(Inside::Workbook) | None => Compression::detect(first),
    };

    let mut raw = Vec::new();
    let mut unpacked = Unpacked::new(stored, stored.read()?, compression)?;
    // A fault here is met again, and told, by the pass over the blocks; what came before it is the front.
    let _ = unpacked.append(&mut raw, most);
    let not_text = match inside {
        Some(Inside::Workbook) => Some(Content::Workbook),
        Some(Inside::One(_)) | None => content::of_bytes(&raw),
    };
    Ok(Front { compression, raw, not_text })
}

/// Recognises how bytes become text, by the configured encoding or by the front. The stream goes on where the sample of `most` bytes
/// ends.
pub(super) fn take(
    stored: &Stored,
    front: &Front,
    encoding: Option<&'static Encoding>,
    most: usize,
) -> Result<(Sample, Coding, TextStream), OpenError> {
    let Front { compression, not_text, .. } = *front;
    let recognised = recognise(&front.raw, encoding);

    let mut stream = TextStream::new(Unpacked::new(stored, stored.read()?, compression)?, recognised);
    let mut text = Vec::with_capacity(most.min(front.raw.len()));
    stream.fill(&mut text, most);
    let fault = stream.fault().cloned();
    let is_whole = stream.has_ended() && fault.is_none();
    let text = if not_text.is_some() { String::new() } else { stream.block(0, text, None).text };
    let line_end = lines::line_end(text.as_bytes());
    Ok((Sample { text, is_whole, fault, line_end, not_text }, Coding { compression, recognised }, stream))
}

/// The whole lines in the front of a text of this program.
pub(super) fn lines(stored: &Stored) -> Result<Sample, OpenError> {
    let mut raw = Vec::new();
    let mut unpacked = Unpacked::new(stored, stored.read()?, Compression::None)?;
    let is_whole = unpacked.append(&mut raw, SAMPLE_BYTES).map_err(|(_, fault)| fault)? < SAMPLE_BYTES;
    if !is_whole {
        raw.truncate(memchr::memrchr(b'\n', &raw).map_or(0, |last| last + 1));
    }
    Ok(Sample { text: checked(raw).0, is_whole, fault: None, line_end: b'\n', not_text: None })
}
