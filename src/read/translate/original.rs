//! The text of an input that is to be translated: its rows, lines and JSON values, each with the line it stands on.

use super::rows::Rows;
use crate::domain::record::{Block, Blocks, InputError};
use crate::domain::report::Note;
use crate::read::broken::unusable;
use crate::read::compression::{Compression, Unpacked};
use crate::read::lines::{LineCutter, line_at};
use crate::read::sample::{SAMPLE_BYTES, Sample};
use crate::read::stored::Stored;
use crate::read::text_stream::{Coding, TextStream};
use crate::read::walk::{Cutter, Walk};
use crate::read::{BLOCK_BYTES, OpenError};
use crate::rules::Source;
use std::path::Path;

/// An input before translation.
#[derive(Clone, Copy)]
pub(in crate::read) struct Original<'o> {
    pub(in crate::read) stored: &'o Stored,
    pub(in crate::read) coding: Coding,
    pub(in crate::read) sample: &'o Sample,
    pub(in crate::read) source: &'o Source,
    pub(in crate::read) spool_folder: &'o Path,
}

/// Bytes taken at a time.
const STEP: usize = 1 << 20;

/// One physical line.
pub(super) struct TextLine<'t> {
    /// 1-based.
    pub(super) number: u64,
    pub(super) text: &'t str,
    /// Why it cannot be used: too long, or bytes that are no text.
    pub(super) trouble: Option<String>,
}

/// What handles a piece of an input says whether it could.
pub(super) type Handled = Result<(), OpenError>;

impl<'o> Original<'o> {
    pub(super) fn name(&self) -> &'o str {
        self.stored.name()
    }

    pub(super) fn encoding(&self) -> &'static str {
        self.coding.recognised.encoding.name()
    }

    /// The first bytes, unpacked.
    pub(super) fn front(&self) -> Result<Vec<u8>, OpenError> {
        let mut front = Vec::new();
        let mut bytes = Unpacked::new(self.stored, self.stored.read()?, self.coding.compression)?;
        // A fault is told by whoever reads the rest.
        let _ = bytes.append(&mut front, SAMPLE_BYTES);
        Ok(front)
    }

    /// Where the records go.
    pub(super) fn rows(&self) -> Rows {
        Rows::new(self.name(), self.spool_folder)
    }

    /// All of it, unpacked, when it is at most `most` bytes; as [`all_bytes`].
    pub(super) fn bytes(&self, most: usize, what: &'static str) -> Result<Vec<u8>, OpenError> {
        all_bytes(self.stored, self.coding.compression, most, what)
    }

    /// All of its text, when it is at most `most` bytes, and what ended it early.
    pub(super) fn text(&self, most: usize, what: &'static str) -> Result<(Block, Option<InputError>), OpenError> {
        let mut stream = self.stream()?;
        let mut text = Vec::new();
        while !stream.has_ended() {
            let target = text.len() + STEP;
            stream.fill(&mut text, target);
            if text.len() > most {
                return Err(OpenError::TooLarge { file: self.name().to_owned(), what, mebibytes: most >> 20 });
            }
        }
        let fault = stream.fault().cloned();
        Ok((stream.block(0, text, None), fault))
    }

    fn stream(&self) -> Result<TextStream, OpenError> {
        let bytes = Unpacked::new(self.stored, self.stored.read()?, self.coding.compression)?;
        Ok(TextStream::new(bytes, self.coding.recognised))
    }

    /// The blocks from byte `start` of the text on, each at most `limit` bytes.
    pub(super) fn walk<C: Cutter>(&self, start: u64, cutter: C, limit: usize) -> Result<Walk<C>, OpenError> {
        Ok(Walk::new(self.name(), self.stream()?, start, cutter, self.sample.line_end, limit))
    }

    /// Hands over line after line.
    pub(super) fn each_line(&self, each: &mut dyn FnMut(TextLine<'_>) -> Handled) -> Result<Option<InputError>, OpenError> {
        let line_end = self.sample.line_end;
        let mut number = 0;
        let passed = pass(Box::new(self.walk(0, LineCutter { line_end }, BLOCK_BYTES)?), &mut |block| {
            let mut start = 0;
            while start < block.text.len() {
                let line = line_at(block.text.as_bytes(), start, line_end);
                let trouble = unusable(block, start..line.end, 0, 1, self.encoding()).map(|broken| broken.reason);
                number += 1;
                each(TextLine { number, text: block.text.get(start..line.end).unwrap_or_default(), trouble })?;
                start = line.next;
            }
            Ok(())
        })?;
        Ok(passed.fault)
    }
}

/// All bytes of an input, unpacked, when they are at most `most`.
///
/// # Errors
/// They are more, or damaged: `what` the input is cannot be read in part.
pub(super) fn all_bytes(
    stored: &Stored,
    compression: Compression,
    most: usize,
    what: &'static str,
) -> Result<Vec<u8>, OpenError> {
    let mut bytes = Unpacked::new(stored, stored.read()?, compression)?;
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.resize(before + STEP, 0);
        let got = bytes.fill(all.get_mut(before..).unwrap_or_default()).map_err(|(_, fault)| fault)?;
        all.truncate(before + got);
        if all.len() > most {
            return Err(OpenError::TooLarge { file: stored.name().to_owned(), what, mebibytes: most >> 20 });
        }
        if got < STEP {
            return Ok(all);
        }
    }
}

/// How a pass over an input ended.
pub(super) struct Passed {
    /// What ended it early; that is no error, for the records before it are good.
    pub(super) fault: Option<InputError>,
    /// What was found out on the way.
    pub(super) notes: Vec<Note>,
}

/// Hands over block after block.
pub(super) fn pass(mut blocks: Box<dyn Blocks + '_>, each: &mut dyn FnMut(&Block) -> Handled) -> Result<Passed, OpenError> {
    let fault = loop {
        match blocks.next_block() {
            Ok(Some(block)) => {
                each(&block)?;
                blocks.give_back(block.text);
            }
            Ok(None) => break None,
            Err(fault) => break Some(fault),
        }
    };
    Ok(Passed { fault, notes: blocks.facts().notes })
}
