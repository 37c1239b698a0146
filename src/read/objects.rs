//! Records that are JSON objects: one a line (NDJSON), or elements of a document.

use super::broken::unusable;
use super::document::{Skipper, next_element};
use super::json::{Cells, Cursor, Malformed};
use super::lines::{count, line_at};
use super::pointer::Columns;
use super::reading::malformed;
use crate::domain::record::{Block, Broken, Cell, Position, Record, Split, Splitter};
use std::ops::{ControlFlow, Range};

/// Splits NDJSON: every line is a record.
#[derive(Debug)]
pub(super) struct ObjectLines {
    pub(super) columns: Columns,
    pub(super) line_end: u8,
    pub(super) encoding: &'static str,
}

/// Splits the elements of an array, or objects one after the other.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) columns: Columns,
    pub(super) line_end: u8,
    pub(super) encoding: &'static str,
}

impl Splitter for ObjectLines {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_bytes();
        let mut line = 0;
        let mut objects = Objects::new(block, &self.columns, self.encoding);
        let mut start = from;
        while start < text.len() {
            let found = line_at(text, start, self.line_end);
            let broken = block.oversize.is_some() && found.next >= text.len();
            let is_blank = !broken && text.get(start..found.end).is_none_or(|bytes| bytes.iter().all(u8::is_ascii_whitespace));
            let go_on = if is_blank {
                each(Split::Blank)
            } else {
                let sound = objects.read_whole(start..found.end);
                objects.tell(start..found.end, sound, line, 1, each)
            };
            line += 1;
            if go_on.is_break() {
                return line;
            }
            start = found.next;
        }
        line
    }
}

impl Splitter for Elements {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_bytes();
        let lines_in = |range: Range<usize>| count(text.get(range).unwrap_or_default(), self.line_end);
        let mut objects = Objects::new(block, &self.columns, self.encoding);
        let mut line = 0;
        let mut counted = from;
        let mut at = from;
        while let Some(start) = next_element(text, at) {
            line += lines_in(counted..start);
            let (end, sound) = match objects.read(start, text.len()) {
                Ok(end) => (end, Ok(())),
                Err(_) => {
                    // Where a broken one ends is told by the way in which the cutter passed over it.
                    let length = Skipper::default().pass(text.get(start..).unwrap_or_default());
                    let end = length.map_or(text.len(), |length| start + length);
                    (end, objects.read_whole(start..end))
                }
            };
            let within = lines_in(start..end);
            let left_out = block.oversize.map_or(0, |whole| whole.lines);
            if objects.tell(start..end, sound, line, 1 + within + left_out, each).is_break() {
                return line + within + 1;
            }
            line += within + left_out;
            (at, counted) = (end, end);
        }
        line + lines_in(counted..text.len())
    }
}

/// The objects of one block, with the buffers they share.
pub(super) struct Objects<'a> {
    block: &'a Block,
    columns: &'a Columns,
    encoding: &'static str,
    /// Of the object at hand, where the text tells it.
    pub(super) position: Option<Position>,
    cells: Vec<Cell>,
    scratch: String,
}

impl<'a> Objects<'a> {
    pub(super) fn new(block: &'a Block, columns: &'a Columns, encoding: &'static str) -> Self {
        Self { block, columns, encoding, position: None, cells: vec![Cell::Missing; columns.slots()], scratch: String::new() }
    }

    /// Fills the cells from the object that starts at `start`; where it ends.
    fn read(&mut self, start: usize, end: usize) -> Result<usize, Malformed> {
        self.read_then(start, end, |_| Ok(()))
    }

    /// Fills the cells from an object that must be all there is in these bytes.
    pub(super) fn read_whole(&mut self, bytes: Range<usize>) -> Result<(), Malformed> {
        self.read_then(bytes.start, bytes.end, Cursor::finish).map(|_| ())
    }

    #[inline]
    fn read_then(
        &mut self,
        start: usize,
        end: usize,
        then: impl Fn(&mut Cursor<'a>) -> Result<(), Malformed>,
    ) -> Result<usize, Malformed> {
        self.cells.fill(Cell::Missing);
        self.scratch.clear();
        let mut cursor = Cursor::new(&self.block.text, start, end, self.columns);
        let end = cursor.record(&mut Cells { cells: &mut self.cells, scratch: &mut self.scratch })?;
        then(&mut cursor)?;
        Ok(end)
    }

    /// Hands over what these bytes turned out to be.
    pub(super) fn tell(
        &self,
        bytes: Range<usize>,
        sound: Result<(), Malformed>,
        line: u32,
        lines: u32,
        each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(broken) = unusable(self.block, bytes.clone(), line, lines, self.encoding) {
            return each(Split::Broken(Broken { position: self.position, ..broken }));
        }
        let Range { start, end } = bytes;
        let (text, position) = (self.block.text.as_str(), self.position);
        match sound {
            Ok(()) => {
                let (scratch, cells) = (self.scratch.as_str(), self.cells.as_slice());
                each(Split::Record(Record { start, end, line, lines, position, text, scratch, cells }))
            }
            Err(wrong) => {
                let reason = malformed(text.get(start..end).unwrap_or_default(), start, wrong);
                each(Split::Broken(Broken { start, line, lines, position, reason }))
            }
        }
    }
}
