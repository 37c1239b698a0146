//! Takes rows of delimited text apart, delivering only the columns that were asked for.

use super::broken::{excerpt, unusable};
use super::lines::line_at;
use super::outside::Windows;
use super::quotes::{Closing, closing_quote, marks};
use super::span::Span;
use super::tables::{Heading, Tables};
use super::window::WINDOW;
use crate::domain::record::{Block, Broken, Cell, Record, Region, Split, Splitter};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How the text of a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) delimiter: u8,
    pub(super) line_end: u8,
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

/// Goes through the rows of a table one after the other.
pub(super) struct RowWalk<'a> {
    text: &'a [u8],
    shape: Shape,
    windows: Windows<'a>,
    /// Where the window at hand starts.
    at: usize,
    /// Its delimiters and line ends that were not passed yet; the lowest bit is its first byte.
    marks: u64,
    /// The line ends among them.
    line_ends: u64,
    edges: Edges,
    /// The cells, where they are not simply what lies between the edges; else empty.
    irregular: Vec<Span>,
}

/// Where each cell of the row at hand starts, and after the last of them where one more would.
#[derive(Default)]
struct Edges {
    /// The first `count` are edges. There is always room for a step more.
    room: Vec<u32>,
    count: usize,
}

/// Edges that are written in one go, wanted or not: to ask after each whether there is another costs more than writing, because a
/// processor can only guess the answer.
const EDGES_AT_ONCE: usize = 6;

impl Edges {
    fn begin(&mut self, start: u32) {
        self.count = 0;
        self.add(start);
    }

    #[inline]
    fn add(&mut self, edge: u32) {
        self.make_room(1);
        if let Some(place) = self.room.get_mut(self.count) {
            *place = edge;
            self.count += 1;
        }
    }

    /// Adds the places behind the marks of a window that starts at `at`.
    #[inline]
    fn add_after(&mut self, at: u32, mut marks: u64) {
        self.make_room(WINDOW);
        let wanted = self.count + marks.count_ones() as usize;
        let mut from = self.count;
        while from < wanted {
            if let Some(places) = self.room.get_mut(from..).and_then(|room| room.first_chunk_mut::<EDGES_AT_ONCE>()) {
                for place in places {
                    *place = at + 1 + marks.trailing_zeros();
                    marks &= marks.wrapping_sub(1);
                }
            }
            from += EDGES_AT_ONCE;
        }
        self.count = wanted;
    }

    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.count + more + EDGES_AT_ONCE > self.room.len() {
            self.room.resize((self.count + more + EDGES_AT_ONCE) * 2, 0);
        }
    }

    #[inline]
    fn all(&self) -> &[u32] {
        self.room.get(..self.count).unwrap_or_default()
    }

    #[inline]
    fn move_last(&mut self, edge: u32) {
        if let Some(last) = self.count.checked_sub(1).and_then(|last| self.room.get_mut(last)) {
            *last = edge;
        }
    }
}

/// What comes after the marks of a window.
enum Ahead {
    Window,
    /// The end of the text, outside of quotes.
    End,
    /// Quotes that need a closer look.
    Irregular,
}

impl<'a> RowWalk<'a> {
    /// From byte `from` on, where a row must start.
    pub(super) fn new(text: &'a [u8], from: usize, shape: Shape) -> Self {
        let windows = Windows::new(text, from, shape.delimiter, shape.line_end);
        Self { text, shape, windows, at: from, marks: 0, line_ends: 0, edges: Edges::default(), irregular: Vec::new() }
    }

    /// Goes through the row at `start`, which must be the byte after the row before, and calls `cell` for each of its cells.
    pub(super) fn row(&mut self, start: usize, mut cell: impl FnMut(usize, Span)) -> Row {
        let row = self.pass(start);
        (0..row.cells).for_each(|column| self.cell(column).into_iter().for_each(|span| cell(column, span)));
        row
    }

    /// Goes through the row at `start`, which must be the byte after the row before. [`Self::cell`] tells its cells.
    #[inline]
    fn pass(&mut self, start: usize) -> Row {
        self.irregular.clear();
        self.edges.begin(start as u32);
        loop {
            // Up to and with the first line end: all of them where there is none.
            let first_end = self.line_ends & self.line_ends.wrapping_neg();
            let of_row = self.marks & (first_end | first_end.wrapping_sub(1));
            self.marks ^= of_row;
            self.line_ends ^= first_end;
            self.edges.add_after(self.at as u32, of_row);
            if first_end != 0 {
                return self.end_row();
            }
            match self.next_window() {
                Ahead::Window => {}
                Ahead::End => {
                    self.edges.add(self.text.len() as u32 + 1);
                    return self.end_row();
                }
                Ahead::Irregular => return self.irregular_row(),
            }
        }
    }

    /// The cell of the row at hand in one column; None beyond its last.
    fn cell(&self, column: usize) -> Option<Span> {
        if self.irregular.is_empty() {
            let (from, to) = self.between(column)?;
            Some(Span::regular(self.text, from as usize, to as usize))
        } else {
            self.irregular.get(column).copied()
        }
    }

    /// Tells the value of a column of the row at hand, which is as [`Self::cell`] tells. It is written where it is to lie: one that is
    /// put together elsewhere in parts and fetched as a whole keeps the processor waiting for each cell.
    #[inline]
    fn deliver(&self, column: usize, text: &str, scratch: &mut Vec<u8>, cell: &mut Cell) {
        if !self.irregular.is_empty() {
            match self.irregular.get(column) {
                Some(span) => span.deliver(text, scratch, cell),
                None => *cell = Cell::Missing,
            }
            return;
        }
        let Some((from, to)) = self.between(column).filter(|(from, to)| from < to) else {
            *cell = Cell::Missing;
            return;
        };
        // All but the cells that begin with a quote or an apostrophe are what they look like.
        match self.text.get(from as usize) {
            Some(b'"' | b'\'') => Span::regular(self.text, from as usize, to as usize).deliver(text, scratch, cell),
            _ => *cell = Cell::Block { from, to },
        }
    }

    /// True for a row at hand whose cells are all blank: spreadsheets fill empty rows with delimiters.
    #[inline]
    fn holds_nothing(&self, start: usize, row: &Row, text: &str) -> bool {
        let may_be_blank = |byte: &u8| !byte.is_ascii_graphic() || *byte == self.shape.delimiter || *byte == b'"';
        // Almost every row holds a letter or digit at its front.
        self.text.get(start..row.end).is_some_and(|bytes| bytes.iter().all(may_be_blank)) && self.cells_are_blank(row, text)
    }

    fn cells_are_blank(&self, row: &Row, text: &str) -> bool {
        let mut value = String::new();
        (0..row.cells).filter_map(|column| self.cell(column)).for_each(|span| span.read(text, &mut value));
        row.quotes == Quotes::Closed && value.trim().is_empty()
    }

    /// What lies between the edges of a column.
    #[inline]
    fn between(&self, column: usize) -> Option<(u32, u32)> {
        match self.edges.all().get(column..)? {
            [from, next, ..] => Some((*from, *next - 1)),
            _ => None,
        }
    }

    /// The row whose line end stands before the last edge.
    #[inline]
    fn end_row(&mut self) -> Row {
        let cells = self.edges.count - 1;
        let (from, at) = self.between(cells - 1).map_or((0, 0), |(from, at)| (from as usize, at as usize));
        let end = self.shape.end_of_row(self.text, from, at);
        // Without the CR.
        self.edges.move_last(end as u32 + 1);
        Row { end, next: self.text.len().min(at + 1), cells, lines: 1, quotes: Quotes::Closed }
    }

    #[inline]
    fn next_window(&mut self) -> Ahead {
        match self.windows.next() {
            Some(window) if window.stray == 0 && window.inner_ends == 0 => {
                (self.at, self.marks, self.line_ends) = (window.at, window.marks, window.ends);
                Ahead::Window
            }
            None if !self.windows.ends_within() => Ahead::End,
            _ => Ahead::Irregular,
        }
    }

    /// Goes through the rest of the row at hand, quote by quote.
    #[inline(never)]
    fn irregular_row(&mut self) -> Row {
        let regular = self.edges.all().windows(2).map(|edges| match *edges {
            [from, next] => Span::regular(self.text, from as usize, next as usize - 1),
            _ => Span::plain(0, 0),
        });
        self.irregular.extend(regular);
        let from = self.edges.all().last().map_or(0, |edge| *edge as usize);
        let row = self.shape.row_by_marks(self.text, from, &mut self.irregular);
        (self.marks, self.line_ends) = (0, 0);
        self.windows.seek(row.next);
        row
    }
}

impl Shape {
    /// A line without the empty cells at its end.
    pub(super) fn unpadded(self, line: &str) -> &str {
        line.trim_end_matches([char::from(self.delimiter), ' '])
    }

    /// The end of a row whose last cell begins at `from` and whose line end stands at `at`. A CR before an LF belongs to it.
    #[inline]
    fn end_of_row(self, text: &[u8], from: usize, at: usize) -> usize {
        let has_return = self.line_end == b'\n' && at > from && text.get(at - 1) == Some(&b'\r');
        at - usize::from(has_return)
    }

    /// Goes through the rest of a row quote by quote, from the cell at `from` on, and adds its cells to those before.
    fn row_by_marks(self, text: &[u8], mut from: usize, cells: &mut Vec<Span>) -> Row {
        let mut marks = marks(text, from, self.delimiter, self.line_end);
        let mut lines = 1;
        let mut quoted: Option<Closing> = None;
        loop {
            let (at, byte) = marks.next().unwrap_or((text.len(), self.line_end));
            if byte == self.delimiter {
                cells.push(span(from, quoted.take(), at));
                from = at + 1;
            } else if byte == self.line_end {
                let end = self.end_of_row(text, from, at);
                cells.push(span(from, quoted, end));
                let next = text.len().min(at + 1);
                return Row { end, next, cells: cells.len(), lines, quotes: Quotes::Closed };
            } else if at == from {
                let Some(closing) = closing_quote(text, &mut marks, self.line_end) else {
                    let line = line_at(text, at, self.line_end);
                    return Row { end: line.end, next: line.next, cells: cells.len(), lines, quotes: Quotes::Open(at) };
                };
                lines += closing.lines;
                quoted = Some(closing);
            }
        }
    }
}

fn span(from: usize, quoted: Option<Closing>, to: usize) -> Span {
    match quoted {
        None => Span::plain(from, to),
        Some(Closing { at, .. }) => Span::quoted(from, at, to),
    }
}

/// A column of the table that a slot of the record wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) column: usize,
    pub(super) slot: usize,
}

/// Splits rows of tables whose headers are known.
#[derive(Debug)]
pub(super) struct RowSplitter {
    pub(super) tables: Arc<Tables>,
    pub(super) slots: usize,
    pub(super) encoding: &'static str,
}

impl Splitter for RowSplitter {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_bytes();
        let mut line = 0;
        let (shape, heading) = (self.tables.shape, self.tables.heading(block.offset));
        let mut rows = RowWalk::new(text, from, shape);
        let mut scratch = Vec::new();
        let mut cells = vec![Cell::Missing; self.slots];
        for (slot, value) in &heading.constants {
            let from = scratch.len() as u32;
            scratch.extend_from_slice(value.as_bytes());
            if let Some(cell) = cells.get_mut(*slot) {
                *cell = Cell::Scratch { from, to: scratch.len() as u32 };
            }
        }
        let constant = scratch.len();
        let mut start = from;
        while start < text.len() {
            scratch.truncate(constant);
            let row = rows.pass(start);
            for asked in &heading.wanted {
                if let Some(cell) = cells.get_mut(asked.slot) {
                    rows.deliver(asked.column, &block.text, &mut scratch, cell);
                }
            }
            if !row.is_blank(start) {
                let split = match self.broken(block, &heading, start, line, &row, &rows) {
                    _ if block.region != Region::Records => Split::Ignored { start, line },
                    _ if block.oversize.is_none() && rows.holds_nothing(start, &row, &block.text) => {
                        Split::Ignored { start, line }
                    }
                    Some(broken) => Split::Broken(broken),
                    None => Split::Record(Record {
                        start,
                        end: row.end,
                        line,
                        lines: row.lines,
                        position: None,
                        text: &block.text,
                        scratch: std::str::from_utf8(&scratch).unwrap_or_default(),
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
    fn broken(&self, block: &Block, heading: &Heading, start: usize, line: u32, row: &Row, rows: &RowWalk<'_>) -> Option<Broken> {
        let (width, least) = (heading.columns.len(), heading.least);
        if block.oversize.is_some() || !block.damaged.is_empty() {
            let broken = unusable(block, start..row.end, line, row.lines, self.encoding);
            if broken.is_some() {
                return broken;
            }
        }
        if (least..=width).contains(&row.cells) && row.quotes == Quotes::Closed {
            return None;
        }
        let reason = match row.quotes {
            Quotes::Open(at) => never_closes(block.text.get(at..row.end).unwrap_or_default()),
            Quotes::Closed if row.cells > width && spare_cells_are_empty(width, row, rows) => return None,
            Quotes::Closed => wrong_width(row.cells, least),
        };
        Some(Broken { start, line, lines: row.lines, position: None, reason })
    }
}

/// True when nothing stands beyond the last column of the header.
fn spare_cells_are_empty(width: usize, row: &Row, rows: &RowWalk<'_>) -> bool {
    (width..row.cells).all(|column| rows.cell(column).is_none_or(Span::is_empty))
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
