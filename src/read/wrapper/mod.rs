//! What containers and log daemons write before each message of a program: when, where, by whom.
//!
//! To add a wrapper: a file of its own that takes a line apart, its name in [`Wrapper`] and in `open` below, and a line in the conformance
//! suite `tests/readers/wrapped.rs`.

mod cri;
mod docker;
mod syslog;

use super::json::Cells;
use crate::domain::record::Cell;
use crate::rules::Wrapper;
use std::ops::Range;

/// A line that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opened {
    /// The message: in the line's own text, or in the scratch text.
    pub(super) message: Cell,
    pub(super) piece: Piece,
    pub(super) stream: Stream,
}

/// Whether a message ends in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Last,
    /// The next line of the same stream goes on.
    Part,
}

/// Where a program wrote the message; parts of one message are of one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Error,
}

impl Stream {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "stdout" => Some(Self::Output),
            "stderr" => Some(Self::Error),
            _ => None,
        }
    }
}

/// The columns that a source asks of the wrapper, and room for what it says.
pub(super) struct Outside<'o> {
    /// Name and slot.
    pub(super) asked: &'o [(String, usize)],
    pub(super) cells: Cells<'o>,
}

impl Outside<'_> {
    fn put(&mut self, name: &str, cell: Cell) {
        for (_, slot) in self.asked.iter().filter(|(asked, _)| asked == name) {
            self.cells.set(*slot, cell);
        }
    }

    fn put_range(&mut self, name: &str, range: Range<usize>) {
        let cell = if range.is_empty() { Cell::Missing } else { cell(range) };
        self.put(name, cell);
    }
}

fn cell(range: Range<usize>) -> Cell {
    Cell::Block { from: range.start as u32, to: range.end as u32 }
}

/// Takes the wrapper off a line of `text`; None where it has none.
pub(super) fn open(wrapper: Wrapper, text: &str, line: Range<usize>, outside: &mut Outside<'_>) -> Option<Opened> {
    match wrapper {
        Wrapper::Docker => docker::open(text, line, outside),
        Wrapper::Cri => cri::open(text, line, outside),
        Wrapper::Syslog => syslog::open(text, line, outside),
        Wrapper::None => None,
    }
}

/// As [`open`], where nothing but the message matters.
pub(super) fn peek(wrapper: Wrapper, text: &str, line: Range<usize>, scratch: &mut String) -> Option<Opened> {
    scratch.clear();
    open(wrapper, text, line, &mut Outside { asked: &[], cells: Cells { cells: &mut [], scratch } })
}

/// True for a line that certainly begins no message in parts, where a look can tell it that costs less than [`peek`]. False tells nothing.
pub(super) fn is_surely_whole(wrapper: Wrapper, line: &[u8]) -> bool {
    match wrapper {
        Wrapper::Docker => docker::is_surely_whole(line),
        Wrapper::Cri => false,
        // These know no parts.
        Wrapper::Syslog | Wrapper::None => true,
    }
}

/// What may end a line, whichever a text uses.
pub(super) const LINE_ENDS: [char; 2] = ['\n', '\r'];
/// Lines looked at to tell a wrapper.
const LINES_LOOKED_AT: usize = 40;

/// The wrapper that most lines have.
pub(super) fn detect(text: &str) -> Option<Wrapper> {
    let lines = || text.split(LINE_ENDS).filter(|line| !line.trim().is_empty()).take(LINES_LOOKED_AT);
    let all = lines().count();
    let mut scratch = String::new();
    let mut share = |wrapper| lines().filter(|line| peek(wrapper, line, 0..line.len(), &mut scratch).is_some()).count();
    [Wrapper::Docker, Wrapper::Cri, Wrapper::Syslog].into_iter().find(|wrapper| all > 0 && share(*wrapper) * 5 >= all * 4)
}

/// The front of a text without its wrappers, a message a line.
pub(super) fn messages(wrapper: Wrapper, text: &str, line_end: char) -> String {
    let mut scratch = String::new();
    let mut messages = String::new();
    for line in text.split_inclusive(line_end) {
        let content = line.trim_end_matches(LINE_ENDS);
        let Some(opened) = peek(wrapper, content, 0..content.len(), &mut scratch) else { continue };
        messages.push_str(opened.message.text(content, &scratch).unwrap_or_default());
        if opened.piece == Piece::Last {
            messages.push('\n');
        }
    }
    messages
}
