//! One cell of delimited text: where it stands, and its value without quotes and marks.

use super::outside::odd_before_and_at;
use super::window::{WINDOW, masks_at};
use crate::domain::record::Cell;
use memchr::{memchr, memrchr};
use std::num::NonZeroU32;
use std::ops::Range;

/// A cell as it stands in the text. Texts are blocks, shorter than 2^20 bytes, so that no place is cut off; three small numbers stay in
/// registers, where an enum of two shapes would be written to memory and read back for each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    from: u32,
    to: u32,
    /// Of a cell that begins with a quote: the place of the one that closes it. Those between are doubled; text may follow.
    close: Option<NonZeroU32>,
}

impl Span {
    #[inline]
    pub(super) fn plain(from: usize, to: usize) -> Self {
        Self { from: from as u32, to: to as u32, close: None }
    }

    #[inline]
    pub(super) fn quoted(from: usize, close: usize, to: usize) -> Self {
        Self { from: from as u32, to: to as u32, close: NonZeroU32::new(close as u32) }
    }

    /// The cell between two marks that an even number of quotes lies between, the last of which closes what the first opens.
    #[inline]
    pub(super) fn regular(text: &[u8], from: usize, to: usize) -> Self {
        let is_quoted = from < to && text.get(from) == Some(&b'"');
        if is_quoted { Self::regular_quoted(text, from, to) } else { Self::plain(from, to) }
    }

    fn regular_quoted(text: &[u8], from: usize, to: usize) -> Self {
        match text.get(from + 1..to) {
            Some([.., b'"']) => Self::quoted(from, to - 1, to),
            Some(rest) => memrchr(b'"', rest).map_or(Self::plain(from, to), |at| Self::quoted(from, from + 1 + at, to)),
            None => Self::plain(from, to),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        let quotes = self.close.map_or(0, |close| if close.get() + 1 == self.to { 2 } else { 0 });
        self.from + quotes >= self.to
    }

    /// Adds the cell's value to `out`.
    pub(super) fn read(self, text: &str, out: &mut String) {
        let mut value = Vec::new();
        self.copy(text.as_bytes(), &mut value);
        // Quotes and edges are no parts of characters: nothing is lost.
        out.push_str(&String::from_utf8_lossy(&value));
    }

    /// Adds the bytes of the cell's value to `out`.
    fn copy(self, text: &[u8], out: &mut Vec<u8>) {
        let (from, to) = (self.from as usize, self.to as usize);
        match self.close.map(|close| close.get() as usize) {
            None => out.extend_from_slice(text.get(from..to).unwrap_or_default()),
            Some(close) => {
                unescape(text, from + 1..close, out);
                out.extend_from_slice(text.get(close + 1..to).unwrap_or_default());
            }
        }
    }

    /// The value as it stands in the text where it does so, else written to `scratch`.
    #[inline(never)]
    pub(super) fn deliver(self, text: &str, scratch: &mut Vec<u8>, cell: &mut Cell) {
        match self.close {
            None if self.from >= self.to => *cell = Cell::Missing,
            None => {
                let inside = text.get(self.from as usize..self.to as usize);
                *cell = Cell::Block { from: self.from + inside.map_or(0, text_mark) as u32, to: self.to };
            }
            Some(close) => self.deliver_quoted(close.get(), text, scratch, cell),
        }
    }

    fn deliver_quoted(self, close: u32, text: &str, scratch: &mut Vec<u8>, cell: &mut Cell) {
        let inside = text.as_bytes().get(self.from as usize + 1..close as usize).unwrap_or_default();
        if close + 1 == self.to && memchr(b'"', inside).is_none() {
            return Self { from: self.from + 1, to: close, close: None }.deliver(text, scratch, cell);
        }
        let mut from = scratch.len();
        self.copy(text.as_bytes(), scratch);
        if let Some(marked @ [b'\'', ..]) = scratch.get(from..) {
            from += text_mark(&String::from_utf8_lossy(marked));
        }
        *cell = if from == scratch.len() { Cell::Missing } else { Cell::Scratch { from: from as u32, to: scratch.len() as u32 } };
    }
}

/// Adds the inside of a quoted field: every quote in it is one of two, which stand for one.
fn unescape(text: &[u8], inside: Range<usize>, out: &mut Vec<u8>) {
    /// Bytes that are copied in one step; what lies between two quotes is seldom longer.
    const STEP: usize = 16;
    let start = out.len();
    // A step may write beyond what it copies.
    out.resize(start + inside.len() + STEP, 0);
    let mut written = start;
    let mut keep = |mut from: usize, to: usize| {
        while from < to {
            let step = (to - from).min(STEP);
            let bytes = text.get(from..).and_then(|rest| rest.first_chunk::<STEP>());
            match (bytes, out.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<STEP>())) {
                (Some(bytes), Some(room)) => *room = *bytes,
                _ => (from..from + step).zip(written..).for_each(|(from, to)| {
                    if let (Some(byte), Some(room)) = (text.get(from), out.get_mut(to)) {
                        *room = *byte;
                    }
                }),
            }
            from += step;
            written += step;
        }
    };
    let (mut kept, mut odd, mut at) = (inside.start, 0, inside.start);
    while at < inside.end {
        let [mut quotes] = masks_at(text, at, [b'"']);
        if inside.end - at < WINDOW {
            quotes &= (1 << (inside.end - at)) - 1;
        }
        let firsts = odd_before_and_at(quotes) ^ odd;
        let mut seconds = quotes & !firsts;
        while seconds != 0 {
            let second = at + seconds.trailing_zeros() as usize;
            keep(kept, second);
            kept = second + 1;
            seconds &= seconds - 1;
        }
        odd = (firsts.cast_signed() >> 63).cast_unsigned();
        at += WINDOW;
    }
    keep(kept, inside.end);
    out.truncate(written);
}

/// Bytes of the apostrophe by which a spreadsheet was told that a cell is text (`'01234`, `'+7 900 …`, `'ORD-7`); it is no part of the value.
/// One that belongs to a word (`'s-Gravenhage`) or to a pair of quotes (`'abc'`) is.
#[inline]
pub(super) fn text_mark(cell: &str) -> usize {
    match cell.strip_prefix('\'') {
        None => 0,
        Some(marked) => {
            let is_text = marked.is_empty() || marked.contains('\'') || marked.starts_with(char::is_lowercase);
            usize::from(!is_text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of every length around the step, wherever the borders between windows fall.
    #[test]
    fn two_quotes_stand_for_one() {
        for (length, before) in (0..40).flat_map(|length| (0..70).map(move |before| (length, before))) {
            let piece = "abcdefghijklmnopqrstuvwxyz0123456789äöüß".chars().take(length).collect::<String>();
            for value in [format!("{piece}\"{piece}"), format!("\"\"{piece}\"\"\"x{piece}\""), piece.clone()] {
                let text = format!("{}\"{}\"", "é".repeat(before), value.replace('"', "\"\""));
                let from = before * 2;
                let mut read = String::from("before ");
                Span::quoted(from, text.len() - 1, text.len()).read(&text, &mut read);
                assert_eq!(read, format!("before {value}"), "{text}");
            }
        }
    }
}
