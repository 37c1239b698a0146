//! Finds the few bytes that matter to a splitter: the marks of a table 64 bytes at a time, the end of the plain part of a JSON string
//! eight at a time.
//!
//! A field of an export is seldom longer than 20 bytes, so that a search of its own for each costs more than the searching. Here 64
//! bytes are compared at once, and their hits are handed out from a mask.

use super::window::{WINDOW, masks_at};

/// Places of a few bytes in a text, in order.
#[derive(Clone)]
pub(super) struct Marks<'a, const N: usize> {
    text: &'a [u8],
    needles: [u8; N],
    /// Where the window at hand starts.
    at: usize,
    /// Its hits that were not handed out yet; the lowest bit is its first byte.
    hits: u64,
}

impl<'a, const N: usize> Marks<'a, N> {
    /// From byte `from` on.
    pub(super) fn new(text: &'a [u8], needles: [u8; N], from: usize) -> Self {
        let mut marks = Self { text, needles, at: 0, hits: 0 };
        marks.seek(from);
        marks
    }

    /// Goes on from byte `from`.
    pub(super) fn seek(&mut self, from: usize) {
        self.at = from;
        self.hits = self.look();
    }

    /// The next place and the byte there.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(usize, u8)> {
        while self.hits == 0 {
            self.at += WINDOW;
            if self.at >= self.text.len() {
                return None;
            }
            self.hits = self.look();
        }
        let at = self.at + self.hits.trailing_zeros() as usize;
        self.hits &= self.hits - 1;
        self.text.get(at).map(|byte| (at, *byte))
    }

    #[inline]
    fn look(&self) -> u64 {
        masks_at(self.text, self.at, self.needles).into_iter().fold(0, |hits, mask| hits | mask)
    }
}

const LOW: u64 = u64::from_ne_bytes([0x7F; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
const WORD: usize = size_of::<u64>();

/// The high bit of each byte that is zero. Exact: no carry runs from byte to byte.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    !(((word & LOW) + LOW) | word) & HIGH
}

/// Fewer than eight bytes as a word, and which of its bytes are text.
#[cold]
fn last_word(rest: &[u8]) -> (u64, u64) {
    let word = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let kept = rest.iter().fold(0, |kept, _| kept << 8 | 0x80);
    (word, kept)
}

/// The first byte at or after `from` that a JSON string does not simply contain: a quote, a backslash or a control character.
#[inline]
pub(super) fn string_stop(text: &[u8], from: usize) -> Option<(usize, u8)> {
    const QUOTE: u64 = u64::from_ne_bytes([b'"'; 8]);
    const BACKSLASH: u64 = u64::from_ne_bytes([b'\\'; 8]);
    const CONTROLS: u64 = u64::from_ne_bytes([0xE0; 8]);
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let (word, kept) = match rest.first_chunk::<WORD>() {
            Some(chunk) => (u64::from_le_bytes(*chunk), HIGH),
            None if rest.is_empty() => return None,
            None => last_word(rest),
        };
        // Below 0x20: none of the upper three bits set.
        let hits = (zero_bytes(word ^ QUOTE) | zero_bytes(word ^ BACKSLASH) | zero_bytes(word & CONTROLS)) & kept;
        if hits != 0 {
            let bit = hits.trailing_zeros();
            return Some((at + (bit / 8) as usize, (word >> (bit & !7)) as u8));
        }
        at += WORD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every start and every length around the window, with bytes that share bits with the needles.
    #[test]
    fn marks_are_those_of_a_plain_search() {
        let text: Vec<u8> = (0..300_u32)
            .map(|at| [b',', b'-', b'\n', 0, b'"', 0xAC, b'a', 0x8A, 0xFF, b'#'][(at * at / 3) as usize % 10])
            .collect();
        for from in 0..70 {
            for to in from..text.len() {
                let text = &text[..to];
                let mut marks = Marks::new(text, *b",\n\"", from);
                let found: Vec<(usize, u8)> = std::iter::from_fn(|| marks.next()).collect();
                let all = text.iter().copied().enumerate().skip(from);
                assert_eq!(found, all.filter(|(_, byte)| b",\n\"".contains(byte)).collect::<Vec<_>>());
            }
        }
    }

    /// Every start and every length around the word size, with bytes that share bits with the needles.
    #[test]
    fn stops_are_those_of_a_plain_search() {
        let text: Vec<u8> = (0..200_u32)
            .map(|at| [b',', b'-', b'\n', 0, b'"', 0xAC, b'a', 0x8A, b'\\', b'#'][(at * at / 3) as usize % 10])
            .collect();
        for from in 0..40 {
            for to in from..text.len() {
                let text = &text[..to];
                let all = text.iter().copied().enumerate().skip(from);
                let stop = all.clone().find(|(_, byte)| *byte < 0x20 || b"\"\\".contains(byte));
                assert_eq!(string_stop(text, from), stop);
            }
        }
    }
}
