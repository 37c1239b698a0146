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

/// Where the field that the quote at `open` opens is closed; None when it is not closed within `text` or within 10,000 lines.
pub(super) fn closing_quote(text: &[u8], open: usize, line_end: u8) -> Option<Closing> {
    let mut from = open + 1;
    let mut doubled = Doubled::None;
    let at = loop {
        let at = from + memchr(b'"', text.get(from..)?)?;
        if text.get(at + 1) != Some(&b'"') {
            break at;
        }
        doubled = Doubled::Some;
        from = at + 2;
    };
    let lines = count(text.get(open..at)?, line_end);
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
        // Start of the last row that was met; every byte before it belongs to whole rows.
        let mut row = 0;
        let mut from = 0;
        while let Some(quote) = memchr(b'"', text.get(from..).unwrap_or_default()).map(|at| from + at) {
            if let Some(end) = memrchr(self.line_end, text.get(from..quote).unwrap_or_default()) {
                row = from + end + 1;
            }
            if !self.opens(text, row, quote) {
                from = quote + 1;
                continue;
            }
            match closing_quote(text, quote, self.line_end) {
                Some(closing) => from = closing.at + 1,
                // The rest of the text may close it, unless the text is all that a row may have.
                None if row > 0 => return Cut::At(row),
                None if after == After::Fault => return Cut::At(0),
                None => {
                    let line = line_at(text, quote, self.line_end);
                    if line.next >= text.len() {
                        break;
                    }
                    (row, from) = (line.next, line.next);
                }
            }
        }
        if let Some(end) = memrchr(self.line_end, text.get(from..).unwrap_or_default()) {
            row = from + end + 1;
        }
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
    fn opens(&self, text: &[u8], row: usize, quote: usize) -> bool {
        quote == row || text.get(quote - 1).is_some_and(|before| *before == self.delimiter || *before == self.line_end)
    }
}
