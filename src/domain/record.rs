//! Records, and what the engine asks of a reader: blocks of whole records, split the same way at every visit.

use super::carried::CarriedText;
use super::memory::KnownText;
use super::report::Note;
use std::ops::ControlFlow;
use thiserror::Error;

/// From this position on an input has records that an earlier night carried; no text is so long.
pub const CARRIED: u64 = 1 << 62;

/// A run of whole records of one input, decompressed and in UTF-8.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Position of the first byte in the decompressed, transcoded text of the input.
    pub offset: u64,
    pub text: String,
    /// Positions in `text` of bytes that were not UTF-8 and were replaced, byte for byte, by SUB (0x1A). Records that hold one are
    /// broken, never used.
    pub damaged: Vec<u32>,
    /// The block's only record is too long to be kept: `text` holds no more than its front.
    pub oversize: Option<Oversize>,
    pub region: Region,
}

impl Block {
    /// True when its records come from an earlier night, and not from the text of the input.
    pub fn is_carried(&self) -> bool {
        self.offset >= CARRIED
    }

    /// Takes the part from byte `at` of the text on, where a record must begin.
    pub fn cut_off(&mut self, at: usize) -> Self {
        let damaged = self.damaged.split_off(self.damaged.partition_point(|place| (*place as usize) < at));
        Self {
            offset: self.offset + at as u64,
            text: self.text.split_off(at),
            damaged: damaged.into_iter().map(|place| place - at as u32).collect(),
            oversize: self.oversize.take(),
            region: self.region,
        }
    }
}

/// Which part of its input a block is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Region {
    #[default]
    Records,
    /// What stands below the records: totals, notices. It is counted and never used.
    Footer,
    /// The header of a further table, of which the records below it are. It is counted and never used.
    Header,
}

/// A record that is longer than a block may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oversize {
    /// Bytes of the whole record.
    pub bytes: u64,
    /// Line ends in the part that the block leaves out, but for the one that ends the record.
    pub lines: u32,
}

/// Where a cell's text lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The record has no such column, or it is empty, blank or null.
    Missing,
    /// As it stands in the block.
    Block { from: u32, to: u32 },
    /// Unescaped, in the splitter's scratch text.
    Scratch { from: u32, to: u32 },
}

impl Cell {
    /// What it says, in the text of its block and the scratch text of its splitter; None where it is missing, empty or blank.
    #[inline]
    pub fn text<'a>(&self, text: &'a str, scratch: &'a str) -> Option<&'a str> {
        let (text, from, to) = match *self {
            Self::Missing => return None,
            Self::Block { from, to } => (text, from, to),
            Self::Scratch { from, to } => (scratch, from, to),
        };
        text.get(from as usize..to as usize).filter(|text| !is_blank(text))
    }
}

/// True for a text of blanks only, and for an empty one: a cell of them says nothing, however wide its export padded it.
#[inline]
pub fn is_blank(text: &str) -> bool {
    // Nearly every text is told by its first byte: no blank is one of these.
    match text.as_bytes().first() {
        Some(b'!'..=b'~') => false,
        _ => text.trim().is_empty(),
    }
}

/// Where a record stands in its input, told by the reader itself: what it reads was translated, so that a count of rows and line ends
/// would be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1-based number of the record.
    pub number: u64,
    /// 1-based first and last physical line, or row of a sheet.
    pub lines: [u64; 2],
}

/// One record: the columns that were asked for, in the order they were asked for.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Bytes of the record in its block, without the line end.
    pub start: usize,
    pub end: usize,
    /// Physical lines between the start of the split and this record.
    pub line: u32,
    /// Physical lines that the record covers, at least 1.
    pub lines: u32,
    /// None: counted by the engine from the two above.
    pub position: Option<Position>,
    pub text: &'a str,
    pub scratch: &'a str,
    pub cells: &'a [Cell],
}

impl<'a> Record<'a> {
    /// The text of a column; None where it is missing, empty or blank.
    #[inline]
    pub fn cell(&self, column: usize) -> Option<&'a str> {
        self.cells.get(column)?.text(self.text, self.scratch)
    }

    /// The record as it stands in the file.
    pub fn raw(&self) -> &'a str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }
}

/// A record that could not be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub start: usize,
    /// Physical lines between the start of the split and this record.
    pub line: u32,
    pub lines: u32,
    /// None: counted by the engine from the two above.
    pub position: Option<Position>,
    /// What is wrong, the value, what to do; without the place.
    pub reason: String,
}

/// What a splitter found at one place of a block.
#[derive(Debug)]
pub enum Split<'a> {
    Record(Record<'a>),
    /// Counts as a record (it has a number) but the source does not want it: a text line that the pattern does not match, a row of
    /// the footer, a row whose cells are all blank.
    Ignored {
        start: usize,
        line: u32,
    },
    /// Has a number, holds nothing: a blank line of NDJSON.
    Blank,
    Broken(Broken),
}

/// Takes blocks apart. One splitter serves both passes, so that a record found by the first is the record read by the second.
pub trait Splitter: Send + Sync {
    /// Calls `each` for every record of `block` from byte `from` (the start of a record) on, in order, until it breaks.
    /// Lines are counted from `from`. Returns the number of physical lines gone through; a last line without an end counts.
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32;
}

/// Trouble with an input as a whole, not with one of its records.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InputError {
    #[error("{file}: cannot be read: {reason}")]
    Unreadable { file: String, reason: String },
    /// The records before the fault were delivered.
    #[error("{file}: the {what} is damaged or cut off after {bytes} bytes: {reason}; the records before that were read")]
    CutOff { file: String, what: &'static str, bytes: u64, reason: String },
    #[error("{file}: changed while it was read; scan again when nothing writes to it")]
    Changed { file: String },
}

/// What is known of an input once it was read to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFacts {
    /// Bytes as stored.
    pub bytes: u64,
    /// SHA-256 of the bytes as stored, in lower-case hex, taken in the same pass that parsed them.
    pub sha256: String,
    /// Doubts that only reading all of it could raise: totals that do not agree.
    pub notes: Vec<Note>,
    /// How much of its text was used; None where nobody asked, or where the rest of a longer text could not be read by itself.
    pub used: Option<KnownText>,
    /// Records at its end that were left because more of them may come.
    pub held: u64,
}

/// The blocks of one input, front to back.
pub trait Blocks: Send {
    /// The next block; None at the end. After an error no more blocks come.
    fn next_block(&mut self) -> Result<Option<Block>, InputError>;
    /// Takes back the text of a block that nobody looks at any more, so that its memory can serve another.
    fn give_back(&mut self, _text: String) {}
    /// Bytes, as stored, that were read so far.
    fn stored_read(&mut self) -> u64;
    /// What is known after the last block (or the error).
    fn facts(&mut self) -> InputFacts;
}

/// An opened, recognised input: its format, encoding and columns are settled.
pub trait Input: Send + Sync {
    /// How messages and results call it.
    fn name(&self) -> &str;
    /// What was recognised, in words for a note: `csv, ";", windows-1251`.
    fn description(&self) -> String;
    /// 1-based number of the physical line on which the first block starts.
    fn first_line(&self) -> u64;
    /// 1-based number of the first record in the first block.
    fn first_record(&self) -> u64 {
        1
    }
    /// False when nothing of it lies there any more, and only its carried records are known.
    fn is_there(&self) -> bool {
        true
    }
    /// True when its carried records stand in a file as they are, and are no translation.
    fn carries_text(&self) -> bool {
        false
    }
    /// What an earlier night carried of it, as it was carried.
    fn carried(&self) -> Option<&CarriedText> {
        None
    }
    /// Columns of the configuration that this input does not have.
    fn missing_columns(&self) -> &[String];
    /// All columns that the input names itself; none where it has no header.
    fn columns(&self) -> &[String];
    /// Columns, asked for or not, where a look at the front found values that a spreadsheet damaged: `8.80731E+15`.
    fn damaged_columns(&self) -> Vec<String>;
    /// True when the format has one way to write a number (JSON), so that `1.234` cannot be a thousand.
    fn writes_numbers(&self) -> bool;
    /// True when [`Input::reread`] can go to a block without reading what lies before it.
    fn is_seekable(&self) -> bool;
    fn splitter(&self) -> &dyn Splitter;
    fn blocks(&self) -> Result<Box<dyn Blocks + '_>, InputError>;
    /// Bytes, as stored, that its blocks are made of.
    fn stored_bytes(&self) -> u64;
    /// Visits again the blocks at these offsets (ascending) with their length in bytes of text, each with its index in `wanted`.
    fn reread(&self, wanted: &[(u64, usize)], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError>;
    /// True when the text can be sought and every record begins and ends with lines of it, so that the records of a block with as many lines
    /// as records can be visited again one by one with [`Input::reread_lines`].
    fn has_lines(&self) -> bool;
    /// Visits again the lines that begin at these places of the text (ascending), each as a block of its own with its index in `starts`.
    fn reread_lines(&self, starts: &[u64], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError>;
    /// Fails where it had grown when it was visited again, and what was read of it first, of which this is the SHA-256, does not lie there any
    /// more: then what was found again is not what was read. Only one that had grown is read once more.
    fn check_content(&self, sha256: &str) -> Result<(), InputError>;
}

/// A record that could not be used, with its place and reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    pub source: usize,
    /// Index of the file in the scan.
    pub file: usize,
    pub record: u64,
    pub line: u64,
    pub reason: String,
}
