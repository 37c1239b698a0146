//! Logs whose lines come wrapped: the wrapper is taken off, messages in parts are joined, and each message is read as if it stood alone.

use super::broken::{excerpt, unusable};
use super::json::Cells;
use super::lines::{count, line_at};
use super::reading::{Reading, Said};
use super::walk::{After, Cut, Cutter};
use super::wrapper::{self, Opened, Outside, Piece, Stream};
use crate::domain::record::{Block, Broken, Cell, Record, Split, Splitter};
use crate::rules::Wrapper;
use memchr::memchr;
use regex::CaptureLocations;
use std::ops::{ControlFlow, Range};

/// The last part of a message may begin so many bytes after its first one. Without a bound one part that is never ended would hold up all
/// that follows.
const REACH: usize = 256 << 10;

/// Splits wrapped lines.
#[derive(Debug)]
pub(super) struct WrappedLines {
    pub(super) wrapper: Wrapper,
    /// Columns that the wrapper fills: name and slot.
    pub(super) asked: Vec<(String, usize)>,
    pub(super) reading: Reading,
    /// Columns of the source.
    pub(super) slots: usize,
    pub(super) line_end: u8,
    pub(super) encoding: &'static str,
}

/// Buffers of one pass.
struct Room {
    cells: Vec<Cell>,
    scratch: String,
    /// What the wrapper of the first line says.
    outside: Vec<Cell>,
    /// A message that does not lie in the block in one piece.
    message: String,
    /// What reading such a message adds.
    of_message: String,
    of_line: String,
    locations: Option<CaptureLocations>,
}

/// A message, and the lines that it stands on.
struct Message {
    place: Place,
    end: usize,
    lines: u32,
}

enum Place {
    Block(Range<usize>),
    /// In `Room::message`.
    Joined,
    /// Its last part is not there.
    Unended,
}

impl Splitter for WrappedLines {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_str();
        if block.oversize.is_some() {
            let within = count(text.get(from..).unwrap_or_default().as_bytes(), self.line_end);
            let lines = within + block.oversize.map_or(0, |whole| whole.lines) + 1;
            if let Some(broken) = unusable(block, from..text.len(), 0, lines, self.encoding) {
                // Nothing follows in this block, so that it does not matter whether more is wanted.
                let _ = each(Split::Broken(broken));
            }
            return lines;
        }
        let mut room = Room {
            cells: vec![Cell::Missing; self.slots],
            scratch: String::new(),
            outside: vec![Cell::Missing; self.slots],
            message: String::new(),
            of_message: String::new(),
            of_line: String::new(),
            locations: self.reading.locations(),
        };
        // Starts of lines that belong to a message before them.
        let mut taken: Vec<usize> = Vec::new();
        let (mut line, mut start) = (0, from);
        while start < text.len() {
            let physical = line_at(text.as_bytes(), start, self.line_end);
            if let Some(at) = taken.iter().position(|taken| *taken == start) {
                taken.swap_remove(at);
            } else {
                let at = Line { start, end: physical.end, next: physical.next, number: line };
                if each(self.found(block, &at, &mut taken, &mut room)).is_break() {
                    return line + 1;
                }
            }
            line += 1;
            start = physical.next;
        }
        line
    }
}

/// A line at hand.
struct Line {
    start: usize,
    end: usize,
    next: usize,
    number: u32,
}

impl WrappedLines {
    fn found<'r>(&self, block: &'r Block, at: &Line, taken: &mut Vec<usize>, room: &'r mut Room) -> Split<'r> {
        let Line { start, number: line, .. } = *at;
        let text = block.text.as_str();
        if let Some(broken) = unusable(block, start..at.end, line, 1, self.encoding) {
            return Split::Broken(broken);
        }
        room.scratch.clear();
        room.outside.fill(Cell::Missing);
        let cells = Cells { cells: &mut room.outside, scratch: &mut room.scratch };
        let outside = &mut Outside { asked: &self.asked, cells };
        let Some(opened) = wrapper::open(self.wrapper, text, start..at.end, outside) else {
            return Split::Ignored { start, line };
        };
        let Message { place, end, lines } = self.message(block, at, opened, taken, room);
        let broken = |reason| Split::Broken(Broken { start, line, lines, position: None, reason });
        room.cells.fill(Cell::Missing);
        let said = match place {
            Place::Unended => {
                let begun = excerpt(&room.message);
                return broken(format!(
                    "a message in parts whose last part is not there {begun:?}; check that the file is whole"
                ));
            }
            Place::Block(range) => {
                let cells = &mut Cells { cells: &mut room.cells, scratch: &mut room.scratch };
                self.reading.read(text, range, cells, &mut room.locations)
            }
            Place::Joined => {
                room.of_message.clear();
                let cells = &mut Cells { cells: &mut room.cells, scratch: &mut room.of_message };
                let said = self.reading.read(&room.message, 0..room.message.len(), cells, &mut room.locations);
                room.settle();
                said
            }
        };
        for (_, slot) in &self.asked {
            if let (Some(cell), Some(outside)) = (room.cells.get_mut(*slot), room.outside.get(*slot)) {
                *cell = *outside;
            }
        }
        match said {
            Said::Broken(reason) => broken(reason),
            Said::Ignored => Split::Ignored { start, line },
            Said::Record => {
                let (scratch, cells) = (room.scratch.as_str(), room.cells.as_slice());
                Split::Record(Record { start, end, line, lines, position: None, text, scratch, cells })
            }
        }
    }

    /// The message that begins on a line. Lines that it takes besides are noted in `taken`.
    fn message(&self, block: &Block, at: &Line, first: Opened, taken: &mut Vec<usize>, room: &mut Room) -> Message {
        let text = block.text.as_str();
        let mut message = Message { place: Place::Joined, end: at.end, lines: 1 };
        if let (Piece::Last, Cell::Block { from, to }) = (first.piece, first.message) {
            message.place = Place::Block(from as usize..to as usize);
            return message;
        }
        room.message.clear();
        room.message.push_str(first.message.text(text, &room.scratch).unwrap_or_default());
        let (mut start, mut lines, mut piece) = (at.next, 1, first.piece);
        while piece == Piece::Part {
            let line = line_at(text.as_bytes(), start, self.line_end);
            lines += 1;
            // A damaged line may be the part that is looked for.
            let is_out_of_reach = start >= text.len() || start - at.start > REACH;
            if is_out_of_reach || unusable(block, start..line.end, 0, 1, self.encoding).is_some() {
                message.place = Place::Unended;
                break;
            }
            let opened = wrapper::peek(self.wrapper, text, start..line.end, &mut room.of_line);
            if let Some(opened) = opened.filter(|opened| opened.stream == first.stream) {
                room.message.push_str(opened.message.text(text, &room.of_line).unwrap_or_default());
                taken.push(start);
                (message.end, message.lines, piece) = (line.end, lines, opened.piece);
            }
            start = line.next;
        }
        message
    }
}

impl Room {
    /// Moves the joined message, and what reading it added, behind what the scratch text holds, and its cells with it.
    fn settle(&mut self) {
        let message = self.scratch.len() as u32;
        let added = message + self.message.len() as u32;
        self.scratch.push_str(&self.message);
        self.scratch.push_str(&self.of_message);
        for cell in &mut self.cells {
            *cell = match *cell {
                Cell::Missing => Cell::Missing,
                Cell::Block { from, to } => Cell::Scratch { from: message + from, to: message + to },
                Cell::Scratch { from, to } => Cell::Scratch { from: added + from, to: added + to },
            };
        }
    }
}

/// Cuts between messages.
pub(super) struct MessageCutter {
    wrapper: Wrapper,
    line_end: u8,
    scratch: String,
    /// The stream of the message that is passed over; None: a line that is too long.
    stream: Option<Stream>,
    /// The line on which the text passed so far ends.
    line: Vec<u8>,
}

impl MessageCutter {
    pub(super) fn new(wrapper: Wrapper, line_end: u8) -> Self {
        Self { wrapper, line_end, scratch: String::new(), stream: None, line: Vec::new() }
    }

    /// What a line is; None for one without a wrapper, or that is no text.
    fn peek(&mut self, line: &[u8]) -> Option<Opened> {
        let text = std::str::from_utf8(line).ok()?;
        let text = text.strip_suffix('\r').unwrap_or(text);
        wrapper::peek(self.wrapper, text, 0..text.len(), &mut self.scratch)
    }
}

impl Cutter for MessageCutter {
    fn cut(&mut self, text: &[u8], after: After) -> Cut {
        if after == After::End {
            return Cut::Last(text.len());
        }
        // Where messages began that still go on, with their streams.
        let mut open: Vec<(Stream, usize)> = Vec::new();
        let (mut safe, mut start) = (0, 0);
        while let Some(length) = text.get(start..).and_then(|rest| memchr(self.line_end, rest)) {
            open.retain(|(_, from)| start - from <= REACH);
            let line = text.get(start..start + length).unwrap_or_default();
            // Where nothing goes on, only a line that may begin a message in parts matters.
            if open.is_empty() && wrapper::is_surely_whole(self.wrapper, line) {
                start += length + 1;
                safe = start;
                continue;
            }
            match self.peek(line) {
                Some(opened) => {
                    let goes_on = open.iter().any(|(stream, _)| *stream == opened.stream);
                    match opened.piece {
                        Piece::Part if !goes_on => open.push((opened.stream, start)),
                        Piece::Part => {}
                        Piece::Last => open.retain(|(stream, _)| *stream != opened.stream),
                    }
                }
                None if std::str::from_utf8(line).is_err() => open.clear(),
                None => {}
            }
            start += length + 1;
            if open.is_empty() {
                safe = start;
            }
        }
        match after {
            After::More | After::Full if safe == 0 => {
                self.stream = open.first().map(|(stream, _)| *stream);
                self.line = text.get(start..).unwrap_or_default().to_vec();
                Cut::Oversize
            }
            _ => Cut::At(safe),
        }
    }

    fn pass(&mut self, text: &[u8]) -> Option<usize> {
        let mut start = 0;
        while let Some(length) = text.get(start..).and_then(|rest| memchr(self.line_end, rest)) {
            let mut line = std::mem::take(&mut self.line);
            line.extend_from_slice(text.get(start..start + length).unwrap_or_default());
            start += length + 1;
            let opened = self.peek(&line);
            let goes_on = self.stream.is_some()
                && opened.is_none_or(|opened| Some(opened.stream) != self.stream || opened.piece == Piece::Part);
            if !goes_on {
                return Some(start);
            }
        }
        self.line.extend_from_slice(text.get(start..).unwrap_or_default());
        None
    }
}
