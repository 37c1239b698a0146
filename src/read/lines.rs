//! Physical lines: how they end, and blocks cut between them.

use super::walk::{After, Cut, Cutter};
use memchr::{memchr, memchr_iter, memrchr};

/// LF, or CR where a text has no LF at all (old Macintosh exports). A CR before the LF belongs to the line end.
pub(super) fn line_end(sample: &[u8]) -> u8 {
    if memchr(b'\n', sample).is_none() && memchr(b'\r', sample).is_some() { b'\r' } else { b'\n' }
}

/// One physical line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Without the line end.
    pub(super) end: usize,
    /// Where the next line starts.
    pub(super) next: usize,
}

/// The line of `text` that starts (or goes on) at `start`.
pub(super) fn line_at(text: &[u8], start: usize, line_end: u8) -> Line {
    let rest = text.get(start..).unwrap_or_default();
    let (end, next) = match memchr(line_end, rest) {
        Some(length) => (start + length, start + length + 1),
        None => (text.len(), text.len()),
    };
    let has_return = line_end == b'\n' && end > start && text.get(end - 1) == Some(&b'\r');
    Line { end: end - usize::from(has_return), next }
}

/// Line ends in a text.
pub(super) fn count(text: &[u8], line_end: u8) -> u32 {
    u32::try_from(memchr_iter(line_end, text).count()).unwrap_or(u32::MAX)
}

/// Cuts at line ends: every line is a record.
pub(super) struct LineCutter {
    pub(super) line_end: u8,
}

impl Cutter for LineCutter {
    fn cut(&mut self, text: &[u8], after: After) -> Cut {
        match (after, memrchr(self.line_end, text)) {
            (After::End, _) => Cut::Last(text.len()),
            (_, Some(last)) => Cut::At(last + 1),
            (After::Fault, None) => Cut::At(0),
            (After::More | After::Full, None) => Cut::Oversize,
        }
    }

    fn pass(&mut self, text: &[u8]) -> Option<usize> {
        memchr(self.line_end, text).map(|at| at + 1)
    }
}
