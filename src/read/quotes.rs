//! Quoted CSV fields, and where blocks of CSV may be cut: the one place that knows what a quote means.

use super::lines::line_at;
use super::marks::Marks;
use super::outside::Windows;
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
}

/// The bytes that matter to rows and quotes.
pub(super) fn marks(text: &[u8], from: usize, delimiter: u8, line_end: u8) -> Marks<'_, 3> {
    Marks::new(text, [b'"', line_end, delimiter], from)
}

/// Where the quoted field within which `marks` stand is closed; None when it is not closed within the text or within 10,000 lines.
#[inline]
pub(super) fn closing_quote(text: &[u8], marks: &mut Marks<'_, 3>, line_end: u8) -> Option<Closing> {
    let mut lines = 0;
    while let Some((at, byte)) = marks.next() {
        if byte == b'"' {
            if text.get(at + 1) != Some(&b'"') {
                return Some(Closing { at, lines });
            }
            // One of two, which stand for one.
            marks.next();
        } else if byte == line_end {
            lines += 1;
            if lines > MOST_LINES {
                return None;
            }
        }
    }
    None
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
            Some(_) => self.last_row_by_windows(text).unwrap_or_else(|| self.last_row(text, after)),
            None => memrchr(self.line_end, text).map_or(0, |end| end + 1),
        };
        match after {
            After::More | After::Full if row == 0 => Cut::Oversize,
            _ => Cut::At(row),
        }
    }

    fn pass(&mut self, text: &[u8]) -> Option<usize> {
        memchr(self.line_end, text).map(|at| at + 1)
    }
}

impl RowCutter {
    /// As [`RowCutter::last_row`]; None where the text must be looked at mark by mark: for a stray quote, for lines within quotes that may
    /// be too many for one field, or because no row ends.
    fn last_row_by_windows(&self, text: &[u8]) -> Option<usize> {
        let mut windows = Windows::new(text, 0, self.delimiter, self.line_end);
        let (mut row, mut inner_lines) = (0, 0);
        while let Some(window) = windows.next() {
            if window.stray != 0 {
                return None;
            }
            if window.inner_ends != 0 {
                inner_lines += window.inner_ends.count_ones();
            }
            if let Some(last) = window.ends.checked_ilog2() {
                row = window.at + last as usize + 1;
            }
        }
        (row > 0 && inner_lines <= MOST_LINES).then_some(row)
    }

    /// The start of the last row that `text` may not hold wholly; every byte before it belongs to whole rows.
    fn last_row(&self, text: &[u8], after: After) -> usize {
        let mut row = 0;
        let mut marks = marks(text, 0, self.delimiter, self.line_end);
        while let Some((at, byte)) = marks.next() {
            if byte == self.line_end {
                row = at + 1;
            } else if byte == b'"' && self.opens(text, at) && closing_quote(text, &mut marks, self.line_end).is_none() {
                // More text may close it, unless this is all that a row may have.
                if row > 0 || after != After::Full {
                    return row;
                }
                row = match line_at(text, at, self.line_end).next {
                    next if next < text.len() => next,
                    _ => return 0,
                };
                marks.seek(row);
            }
        }
        row
    }

    fn opens(&self, text: &[u8], quote: usize) -> bool {
        quote == 0 || text.get(quote - 1).is_some_and(|before| *before == self.delimiter || *before == self.line_end)
    }
}
