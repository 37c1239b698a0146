//! Takes rows of delimited text apart, delivering only the columns that were asked for.

use super::broken::{excerpt, unusable};
use super::lines::line_at;
use super::marks::Marks;
use super::quotes::{Closing, Doubled, closing_quote, marks};
use crate::domain::record::{Block, Broken, Cell, Record, Split, Splitter};
use memchr::memchr;
use std::ops::ControlFlow;

/// How the text of a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) delimiter: u8,
    pub(super) line_end: u8,
}

/// A cell as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Plain {
        from: usize,
        to: usize,
    },
    /// With its quotes: some are doubled, or text follows the closing one.
    Quoted {
        from: usize,
        close: usize,
        to: usize,
    },
}

impl Span {
    fn is_empty(self) -> bool {
        matches!(self, Self::Plain { from, to } if from >= to)
    }

    /// Adds the cell's value to `out`.
    pub(super) fn read(self, text: &str, out: &mut String) {
        match self {
            Self::Plain { from, to } => out.push_str(text.get(from..to).unwrap_or_default()),
            Self::Quoted { from, close, to } => {
                let mut rest = text.get(from + 1..close).unwrap_or_default();
                // Inside, every quote is one of two: the text up to and with the first of them is kept, the second dropped.
                while let Some(quote) = memchr(b'"', rest.as_bytes()) {
                    out.push_str(rest.get(..=quote).unwrap_or_default());
                    rest = rest.get(quote + 2..).unwrap_or_default();
                }
                out.push_str(rest);
                out.push_str(text.get(close + 1..to).unwrap_or_default());
            }
        }
    }
}

/// A row that was gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Without the line end.
    pub(super) end: usize,
    pub(super) next: usize,
    pub(super) cells: usize,
    /// Physical lines, at least 1.
    pub(super) lines: u32,
    pub(super) quotes: Quotes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    Closed,
    /// The quote at this place never closes; the row is given up at the end of its line.
    Open(usize),
}

impl Row {
    /// True for a line without anything on it, which is no row.
    pub(super) fn is_blank(&self, start: usize) -> bool {
        self.end == start && self.quotes == Quotes::Closed
    }
}

impl Shape {
    pub(super) fn marks(self, text: &[u8], from: usize) -> Marks<'_> {
        marks(text, from, self.delimiter, self.line_end)
    }

    /// Goes through the row at `start`, where `marks` must stand, and leaves `marks` at the next row.
    #[inline]
    pub(super) fn row(self, text: &[u8], start: usize, marks: &mut Marks<'_>, mut cell: impl FnMut(usize, Span)) -> Row {
        let (mut cells, mut lines) = (0, 1);
        let mut from = start;
        let mut quoted: Option<Closing> = None;
        loop {
            let (at, byte) = marks.next().unwrap_or((text.len(), self.line_end));
            if byte == self.delimiter {
                cell(cells, span(from, quoted.take(), at));
                cells += 1;
                from = at + 1;
            } else if byte == self.line_end {
                let has_return = self.line_end == b'\n' && at > from && text.get(at - 1) == Some(&b'\r');
                let end = at - usize::from(has_return);
                cell(cells, span(from, quoted, end));
                let next = text.len().min(at + 1);
                return Row { end, next, cells: cells + 1, lines, quotes: Quotes::Closed };
            } else if at == from {
                let Some(closing) = closing_quote(text, marks, self.line_end) else {
                    let line = line_at(text, at, self.line_end);
                    marks.seek(line.next);
                    return Row { end: line.end, next: line.next, cells, lines, quotes: Quotes::Open(at) };
                };
                lines += closing.lines;
                quoted = Some(closing);
            }
        }
    }
}

#[inline]
fn span(from: usize, quoted: Option<Closing>, to: usize) -> Span {
    match quoted {
        None => Span::Plain { from, to },
        Some(Closing { at, doubled: Doubled::None, .. }) if at + 1 == to => Span::Plain { from: from + 1, to: at },
        Some(Closing { at, .. }) => Span::Quoted { from, close: at, to },
    }
}

/// A column of the table that a slot of the record wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) column: usize,
    pub(super) slot: usize,
}

/// Splits rows of a table whose header is known.
#[derive(Debug)]
pub(super) struct RowSplitter {
    pub(super) shape: Shape,
    /// Columns that the header has.
    pub(super) width: usize,
    /// Ascending by column.
    pub(super) wanted: Vec<Wanted>,
    pub(super) slots: usize,
    pub(super) encoding: &'static str,
}

impl Splitter for RowSplitter {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_bytes();
        let mut line = 0;
        let mut marks = self.shape.marks(text, from);
        let mut scratch = String::new();
        let mut cells = vec![Cell::Missing; self.slots];
        let mut start = from;
        while start < text.len() {
            cells.fill(Cell::Missing);
            scratch.clear();
            let mut spare = None;
            let mut next = self.wanted.as_slice();
            let row = self.shape.row(text, start, &mut marks, |column, span| {
                // Most cells of most tables are not asked for.
                while let [asked, rest @ ..] = next
                    && asked.column == column
                {
                    if let Some(cell) = cells.get_mut(asked.slot) {
                        *cell = deliver(span, &block.text, &mut scratch);
                    }
                    next = rest;
                }
                if column >= self.width && !span.is_empty() {
                    spare = Some(column);
                }
            });
            if !row.is_blank(start) {
                let split = match self.broken(block, start, line, &row, spare) {
                    Some(broken) => Split::Broken(broken),
                    None => Split::Record(Record {
                        start,
                        end: row.end,
                        line,
                        lines: row.lines,
                        position: None,
                        text: &block.text,
                        scratch: &scratch,
                        cells: &cells,
                    }),
                };
                if each(split).is_break() {
                    return line + row.lines;
                }
            }
            line += row.lines;
            start = row.next;
        }
        line
    }
}

impl RowSplitter {
    #[inline]
    fn broken(&self, block: &Block, start: usize, line: u32, row: &Row, spare: Option<usize>) -> Option<Broken> {
        if block.oversize.is_some() || !block.damaged.is_empty() {
            let broken = unusable(block, start..row.end, line, row.lines, self.encoding);
            if broken.is_some() {
                return broken;
            }
        }
        if row.cells == self.width && row.quotes == Quotes::Closed {
            return None;
        }
        let reason = match row.quotes {
            Quotes::Open(at) => never_closes(block.text.get(at..row.end).unwrap_or_default()),
            Quotes::Closed if row.cells > self.width && spare.is_none() => return None,
            Quotes::Closed => wrong_width(row.cells, self.width),
        };
        Some(Broken { start, line, lines: row.lines, position: None, reason })
    }
}

/// Why a row with this open quote cannot be used.
pub(super) fn never_closes(opened: &str) -> String {
    format!("quote opened here never closes {:?}; close it, or double it if it is text", excerpt(opened))
}

/// Why a row of another width than its header cannot be used.
pub(super) fn wrong_width(has: usize, needs: usize) -> String {
    format!("has {has} {}, the header has {needs}; quote cells that hold the delimiter", fields(has))
}

fn fields(count: usize) -> &'static str {
    if count == 1 { "field" } else { "fields" }
}

/// Blocks are shorter than 2^20 bytes, and so is what a cell stands for: no place is cut off.
#[inline]
fn deliver(span: Span, text: &str, scratch: &mut String) -> Cell {
    match span {
        Span::Plain { from, to } if from < to => Cell::Block { from: from as u32, to: to as u32 },
        Span::Plain { .. } => Cell::Missing,
        Span::Quoted { .. } => {
            let from = scratch.len();
            span.read(text, scratch);
            if from == scratch.len() { Cell::Missing } else { Cell::Scratch { from: from as u32, to: scratch.len() as u32 } }
        }
    }
}
