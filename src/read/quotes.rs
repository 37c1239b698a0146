//! Quoted CSV fields, and where blocks of CSV may be cut: the one place that knows what a quote means.

use super::lines::{count, line_at};
use super::walk::{After, Cut, Cutter};
use memchr::{memchr, memrchr};

/// A quoted field over more lines than this was never meant to be one.
const MOST_LINES: u32 = 10_000;

/// The end of a quoted field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closing {
    /// Place of the closing quote.
    pub(super) at: usize,
    /// Line ends inside.
    pub(super) lines: u32,
    /// Quotes inside, written twice.
    pub(super) doubled: Doubled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubled {
    None,
    Some,
}

/// Where the quoted field whose text starts at `from` is closed; None when it is not closed within `text` or within 10,000 lines.
#[inline]
pub(super) fn closing_quote(text: &[u8], from: usize, line_end: u8) -> Option<Closing> {
    let mut doubled = Doubled::None;
    let mut at = from;
    loop {
        at += memchr(b'"', text.get(at..)?)?;
        if text.get(at + 1) != Some(&b'"') {
            break;
        }
        doubled = Doubled::Some;
        at += 2;
    }
    let lines = count(text.get(from..at)?, line_end);
    (lines <= MOST_LINES).then_some(Closing { at, lines, doubled })
}

/// Cuts between rows, keeping the state of quotes exactly. A quote opens a field only where a field starts; elsewhere it is text.
pub(super) struct RowCutter {
    pub(super) delimiter: u8,
    pub(super) line_end: u8,
}

impl Cutter for RowCutter {
    fn cut(&mut self, text: &[u8], after: After) -> Cut {
        if after == After::End {
            return Cut::Last(text.len());
        }
        let row = match memchr(b'"', text) {
            Some(_) => self.last_row(text, after),
            None => memrchr(self.line_end, text).map_or(0, |end| end + 1),
        };
        match after {
            After::More if row == 0 => Cut::Oversize,
            _ => Cut::At(row),
        }
    }

    fn pass(&mut self, text: &[u8]) -> Option<usize> {
        memchr(self.line_end, text).map(|at| at + 1)
    }
}

impl RowCutter {
    /// The start of the last row that `text` may not hold wholly; every byte before it belongs to whole rows.
    fn last_row(&self, text: &[u8], after: After) -> usize {
        // Up to `at` all quotes are accounted for. From `floor` to `at` no line end lies inside quotes, so each one ends a row; the
        // last row that ended before `floor` is followed by `row`.
        let (mut at, mut floor, mut row) = (0, 0, 0);
        let row_before = |end: usize, floor: usize, row: usize| {
            text.get(floor..end).and_then(|part| memrchr(self.line_end, part)).map_or(row, |found| floor + found + 1)
        };
        while let Some(quote) = text.get(at..).and_then(|rest| memchr(b'"', rest)).map(|found| at + found) {
            at = quote + 1;
            if !self.opens(text, quote) {
                continue;
            }
            if let Some(closing) = closing_quote(text, at, self.line_end) {
                at = closing.at + 1;
                if closing.lines > 0 {
                    row = row_before(quote, floor, row);
                    floor = at;
                }
                continue;
            }
            // More text may close it, unless this is all that a row may have.
            row = row_before(quote, floor, row);
            if row > 0 || after == After::Fault {
                return row;
            }
            row = match line_at(text, quote, self.line_end).next {
                next if next < text.len() => next,
                _ => return 0,
            };
            (at, floor) = (row, row);
        }
        row_before(text.len(), floor, row)
    }

    fn opens(&self, text: &[u8], quote: usize) -> bool {
        quote == 0 || text.get(quote - 1).is_some_and(|before| *before == self.delimiter || *before == self.line_end)
    }
}
