//! Rows at the front of delimited text, all their cells: what headers are looked for in.

use super::csv::{Quotes, RowWalk, Shape};
use super::lines::line_at;

/// Rows of a sample. A row that the end of the sample may have cut is given as well.
pub(super) struct Rows<'a> {
    text: &'a str,
    shape: Shape,
    /// Where the row that was given last starts.
    pub(super) given: usize,
    /// Where the next row starts.
    pub(super) start: usize,
    /// Physical lines before it.
    pub(super) lines: u64,
}

impl<'a> Rows<'a> {
    /// From byte `start` of the text on, which must be where a row begins; lines are counted from there.
    pub(super) fn new(text: &'a str, shape: Shape, start: usize) -> Self {
        Self { text, shape, given: start, start, lines: 0 }
    }

    /// Passes over physical lines.
    pub(super) fn skip_lines(&mut self, lines: u64) {
        for _ in 0..lines {
            if self.start >= self.text.len() {
                break;
            }
            self.start = line_at(self.text.as_bytes(), self.start, self.shape.line_end).next;
            self.lines += 1;
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        while self.start < self.text.len() {
            let start = self.start;
            let mut cells = Vec::new();
            let row = RowWalk::new(self.text.as_bytes(), start, self.shape).row(start, |_, span| {
                let mut value = String::new();
                span.read(self.text, &mut value);
                cells.push(value);
            });
            self.start = row.next;
            self.lines += u64::from(row.lines);
            if !row.is_blank(start) {
                self.given = start;
                // A title with a stray quote is no header, but the rows after it may hold one.
                return Some(if row.quotes == Quotes::Closed { cells } else { Vec::new() });
            }
        }
        None
    }
}
