//! Quoted CSV fields, and where blocks of CSV may be cut: the one place that knows what a quote means.

use super::lines::line_at;
use super::marks::Marks;
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

/// The bytes that matter to rows and quotes.
pub(super) fn marks(text: &[u8], from: usize, delimiter: u8, line_end: u8) -> Marks<'_> {
    Marks::new(text, [b'"', line_end, delimiter], from)
}

/// Where the quoted field within which `marks` stand is closed; None when it is not closed within the text or within 10,000 lines.
#[inline]
pub(super) fn closing_quote(text: &[u8], marks: &mut Marks<'_>, line_end: u8) -> Option<Closing> {
    let mut lines = 0;
    let mut doubled = Doubled::None;
    while let Some((at, byte)) = marks.next() {
        if byte == b'"' {
            if text.get(at + 1) != Some(&b'"') {
                return Some(Closing { at, lines, doubled });
            }
            doubled = Doubled::Some;
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
        let mut row = 0;
        let mut marks = marks(text, 0, self.delimiter, self.line_end);
        while let Some((at, byte)) = marks.next() {
            if byte == self.line_end {
                row = at + 1;
            } else if byte == b'"' && self.opens(text, at) && closing_quote(text, &mut marks, self.line_end).is_none() {
                // More text may close it, unless this is all that a row may have.
                if row > 0 || after == After::Fault {
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
