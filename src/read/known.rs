//! Inputs known by their content: which texts of earlier nights an input begins with, and a running digest of how much of it was used.

use super::OpenError;
use super::opened::{self, Opened};
use super::stored::Stored;
use super::text_stream::{Coding, TextStream};
use super::{BLOCK_BYTES, compression::Unpacked};
use crate::domain::memory::{KnownInput, KnownText};
use crate::domain::record::{Input, InputError, InputFacts};
use crate::rules::Source;
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// Text at the front by which most other texts are told apart without reading on.
const FRONT: u64 = 64 << 10;
/// Text looked at a time.
const STEP: usize = 256 << 10;

/// Whether the last record of an uncompressed text may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What stands behind the last line end is held back.
    MayGoOn,
    /// The text is whole.
    Whole,
}

/// A running digest of the front of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    bytes: u64,
    all: Sha256,
    front: Sha256,
}

impl Watch {
    pub(super) fn add(&mut self, text: &[u8]) {
        let left = usize::try_from(FRONT.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        self.front.update(text.get(..left.min(text.len())).unwrap_or_default());
        self.all.update(text);
        self.bytes += text.len() as u64;
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What is known of the text so far.
    pub(super) fn known(&self) -> KnownText {
        KnownText { bytes: self.bytes, sha256: hex(&self.all), front_sha256: hex(&self.front) }
    }
}

fn hex(digest: &Sha256) -> String {
    digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An input, and what of it earlier nights have read.
pub enum Acquainted {
    /// All of it, by its stored bytes or by its text: which of the known ones it is.
    Unchanged {
        known: usize,
        facts: InputFacts,
    },
    Opened(Box<Acquaintance>),
}

/// An opened input and the known texts that it begins with.
pub struct Acquaintance {
    opened: Opened,
    /// Which of the known ones, with the digest up to its end; the longest first.
    begins_with: Vec<(usize, Watch)>,
}

impl Acquaintance {
    /// Which of the known ones it begins with; the longest first.
    pub fn begins_with(&self) -> impl Iterator<Item = usize> {
        self.begins_with.iter().map(|(known, _)| *known)
    }

    /// All of it.
    pub fn whole(self, ending: Ending) -> Box<dyn Input> {
        Box::new(self.opened.watched(Watch::default(), ending))
    }

    /// What stands behind a known text that it begins with, with numbers of records and lines that go on from there. All of it where it
    /// does not begin with that text.
    pub fn rest(self, index: usize, known: &KnownInput, ending: Ending) -> Box<dyn Input> {
        match self.begins_with.into_iter().find(|(begins_with, _)| *begins_with == index) {
            Some((_, watch)) => Box::new(self.opened.going_on(known.records, known.lines).watched(watch, ending)),
            None => Box::new(self.opened.watched(Watch::default(), ending)),
        }
    }
}

/// Opens an input unless it is known as a whole.
///
/// # Errors
/// As [`super::open`].
pub fn acquaint(
    stored: Stored,
    source: &Source,
    spool_folder: &Path,
    known: &[&KnownInput],
    ending: Ending,
) -> Result<Acquainted, OpenError> {
    let stored = match ending {
        Ending::MayGoOn => stored.holding_back_last_line(),
        Ending::Whole => stored,
    };
    // What was held back last night is wanted now that the text is whole.
    let is_used = |index: usize| ending == Ending::MayGoOn || known.get(index).is_none_or(|known| known.held == 0);
    if let Some((known, facts)) = by_stored_bytes(&stored, known)?.filter(|(index, _)| is_used(*index)) {
        return Ok(Acquainted::Unchanged { known, facts });
    }
    let opened = opened::recognise(stored, source, BLOCK_BYTES, spool_folder)?;
    let Some((stored, coding)) = opened.plain_text() else {
        return Ok(Acquainted::Opened(Box::new(Acquaintance { opened, begins_with: Vec::new() })));
    };
    let found = by_text(stored, coding, known)?;
    if let Some(known) = found.whole {
        return Ok(Acquainted::Unchanged { known, facts: stored.facts()? });
    }
    Ok(Acquainted::Opened(Box::new(Acquaintance { opened, begins_with: found.begins_with })))
}

/// The known input whose stored bytes are the same. An empty file says nothing of another.
fn by_stored_bytes(stored: &Stored, known: &[&KnownInput]) -> Result<Option<(usize, InputFacts)>, InputError> {
    let is_as_long = |known: &&&KnownInput| known.stored_bytes == stored.bytes() && stored.bytes() > 0;
    if !known.iter().any(|known| is_as_long(&known)) {
        return Ok(None);
    }
    let facts = stored.facts()?;
    let same = known.iter().position(|known| is_as_long(&known) && known.stored_sha256 == facts.sha256);
    Ok(same.map(|known| (known, facts)))
}

#[derive(Default)]
struct ByText {
    whole: Option<usize>,
    begins_with: Vec<(usize, Watch)>,
}

/// Reads the text as far as a known one may go, and compares the digests.
fn by_text(stored: &Stored, coding: Coding, known: &[&KnownInput]) -> Result<ByText, InputError> {
    let mut known: Vec<(usize, &KnownText, bool)> = known
        .iter()
        .enumerate()
        .filter_map(|(index, known)| Some((index, known.text.as_ref()?, known.held == 0 && known.fault.is_none())))
        .filter(|(_, text, _)| text.bytes > 0)
        .collect();
    known.sort_by_key(|(_, text, _)| text.bytes);
    let mut found = ByText::default();
    let mut stream = TextStream::new(Unpacked::new(stored, stored.read()?, coding.compression)?, coding.recognised);
    let (mut watch, mut text) = (Watch::default(), Vec::new());
    let mut next = 0;
    while let Some((index, wanted, is_done)) = known.get(next).copied() {
        if watch.bytes() >= FRONT && wanted.bytes > FRONT {
            let front = watch.known().front_sha256;
            if front != wanted.front_sha256 {
                next += 1;
                continue;
            }
        }
        // The front decides whether more is read.
        let upto = if watch.bytes() < FRONT { wanted.bytes.min(FRONT) } else { wanted.bytes };
        text.clear();
        while watch.bytes() < upto {
            text.clear();
            stream.fill(&mut text, STEP.min(usize::try_from(upto - watch.bytes()).unwrap_or(STEP)));
            if text.is_empty() {
                return Ok(found);
            }
            watch.add(&text);
        }
        if watch.bytes() < wanted.bytes {
            continue;
        }
        next += 1;
        if watch.known().sha256 == wanted.sha256 {
            found.begins_with.insert(0, (index, watch.clone()));
            // Looks whether there is more, without going on.
            if is_done && known.get(next).is_none_or(|(_, other, _)| other.bytes > wanted.bytes) {
                text.clear();
                stream.fill(&mut text, 1);
                if text.is_empty() && stream.fault().is_none() {
                    found.whole = Some(index);
                    return Ok(found);
                }
                watch.add(&text);
            }
        }
    }
    Ok(found)
}
