//! Tells the delimiters and line ends of a table that stand outside of quotes from those within, 64 bytes at a time.
//!
//! Where each quote either encloses a field as a whole or is doubled within one, a byte lies outside when an even number of quotes stands
//! before it; that is known of 64 bytes after a few operations. Any other quote is plain text, and counting it would be wrong. A window
//! with such a quote, or with a line end inside a field, says so: what it holds is for [`super::quotes`] to tell, mark by mark.

use super::window::{WINDOW, masks_at};

/// What 64 bytes of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Place of its first byte.
    pub(super) at: usize,
    /// Delimiters and line ends outside of quotes: one bit for each byte, the lowest for the first.
    pub(super) marks: u64,
    /// The line ends among them.
    pub(super) ends: u64,
    /// Line ends within quotes.
    pub(super) inner_ends: u64,
    /// Quotes that open a field where none begins: they are text, and the masks are wrong from the first of them on.
    pub(super) stray: u64,
}

/// Goes over a table window by window.
pub(super) struct Windows<'a> {
    text: &'a [u8],
    /// Quote, delimiter, line end.
    needles: [u8; 3],
    at: usize,
    /// All bits set where the byte before the window lies within quotes.
    within: u64,
    /// The lowest bit set where a quote may open a field at the window's first byte, or goes on with one (it is the second of two).
    opens: u64,
}

impl<'a> Windows<'a> {
    /// From byte `from` on, where a field must begin.
    pub(super) fn new(text: &'a [u8], from: usize, delimiter: u8, line_end: u8) -> Self {
        Self { text, needles: [b'"', delimiter, line_end], at: from, within: 0, opens: 1 }
    }

    /// Goes on from byte `from`, where a field must begin.
    pub(super) fn seek(&mut self, from: usize) {
        (self.at, self.within, self.opens) = (from, 0, 1);
    }

    /// True when the bytes gone over end within quotes.
    pub(super) fn ends_within(&self) -> bool {
        self.within != 0
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<Window> {
        if self.at >= self.text.len() {
            return None;
        }
        let [quotes, delimiters, ends] = masks_at(self.text, self.at, self.needles);
        let within = odd_before_and_at(quotes) ^ self.within;
        let marks = (delimiters | ends) & !within;
        // A quote that leaves an even number behind it closes; one more right after it makes two, which stand for one.
        let before_opening = marks | (quotes & !within);
        let stray = quotes & within & !(before_opening << 1 | self.opens);
        let window = Window { at: self.at, marks, ends: ends & !within, inner_ends: ends & within, stray };
        self.at += WINDOW;
        self.within = (within.cast_signed() >> 63).cast_unsigned();
        self.opens = before_opening >> 63;
        Some(window)
    }
}

/// For each bit, whether it and those below it hold an odd number of ones.
#[inline]
pub(super) fn odd_before_and_at(mut bits: u64) -> u64 {
    for distance in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << distance;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each byte of a table is: 'd' delimiter, 'e' end outside, 'n' end within, 's' stray quote, '.' anything else.
    fn seen(text: &str, from: usize) -> String {
        let mut windows = Windows::new(text.as_bytes(), from, b',', b'\n');
        let mut seen = ".".repeat(from);
        while let Some(window) = windows.next() {
            for bit in 0..WINDOW.min(text.len() - window.at) {
                let is = |mask: u64| mask >> bit & 1 == 1;
                seen.push(match () {
                    () if is(window.stray) => 's',
                    () if is(window.ends) => 'e',
                    () if is(window.marks) => 'd',
                    () if is(window.inner_ends) => 'n',
                    () => '.',
                });
            }
        }
        seen
    }

    /// Wherever the borders between windows fall.
    #[test]
    fn quotes_that_enclose_and_double_are_understood() {
        let cases = [
            ("a,b\nc", ".d.e."),
            ("\"a,b\",c\n", ".....d.e"),
            ("\"a\"\"\n,\"\"b\",c", "....n.....d."),
            ("\"\",\"\"\"\"\n", "..d....e"),
            ("\"a\"x,b\n", "....d.e"),
        ];
        for (text, expected) in cases {
            for before in 0..130 {
                let text = format!("{},{text}", "x".repeat(before));
                assert_eq!(seen(&text, 0), format!("{}d{expected}", ".".repeat(before)), "{text:?}");
            }
        }
    }

    #[test]
    fn quotes_within_plain_text_are_stray() {
        for before in 1..130 {
            let stray = |text: &str| seen(text, 0).find('s');
            assert_eq!(stray(&format!("{}\"b,c", "x".repeat(before))), Some(before));
            let closed = format!("\"{}\"b\"c,d", "x".repeat(before));
            assert_eq!(stray(&closed), Some(before + 3), "{closed:?}");
        }
    }

    #[test]
    fn the_end_of_a_text_within_quotes_is_told() {
        for (text, expected) in [("\"a", true), ("\"a\"", false), ("\"a\"\"", true), ("", false)] {
            let mut windows = Windows::new(text.as_bytes(), 0, b',', b'\n');
            while windows.next().is_some() {}
            assert_eq!(windows.ends_within(), expected, "{text:?}");
        }
    }
}
