//! Splits the text of a translation into records, each with the place that it has in the original.

use crate::domain::record::{Block, Broken, Position, Split, Splitter};
use crate::read::lines::line_at;
use crate::read::objects::Objects;
use crate::read::pointer::Columns;
use memchr::memrchr;
use std::ops::ControlFlow;

/// Splits the lines that `Rows` wrote.
#[derive(Debug)]
pub(in crate::read) struct TranslatedLines {
    pub(in crate::read) columns: Columns,
}

impl Splitter for TranslatedLines {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_str();
        let mut objects = Objects::new(block, &self.columns, "UTF-8");
        let mut line = 0;
        // A record starts after its place, so that its text is the same wherever it stands. A visit may begin at either.
        let mut start = memrchr(b'\n', text.as_bytes().get(..from).unwrap_or_default()).map_or(0, |before| before + 1);
        while start < text.len() {
            let found = line_at(text.as_bytes(), start, b'\n');
            let (position, body) = place(text.get(start..found.end).unwrap_or_default());
            let start_of_body = start + body;
            objects.position = position;
            let go_on = match text.as_bytes().get(start_of_body) {
                Some(b'-') => each(Split::Ignored { start: start_of_body, line }),
                Some(b'!') if block.oversize.is_none() => {
                    let reason = text.get(start_of_body + 1..found.end).unwrap_or_default().to_owned();
                    each(Split::Broken(Broken { start: start_of_body, line, lines: 1, position, reason }))
                }
                _ => {
                    let sound = objects.read_whole(start_of_body..found.end);
                    objects.tell(start_of_body..found.end, sound, line, 1, each)
                }
            };
            line += 1;
            if go_on.is_break() {
                return line;
            }
            start = found.next;
        }
        line
    }
}

/// The place before a record, and where the record begins.
fn place(line: &str) -> (Option<Position>, usize) {
    let mut parts = line.splitn(4, '\t');
    let mut count = || parts.next().and_then(|part| part.parse().ok());
    let (number, first, last) = (count(), count(), count());
    let body = parts.next().map_or(0, |body| line.len() - body.len());
    let position = number.zip(first.zip(last)).map(|(number, (first, last))| Position { number, lines: [first, last] });
    (position, body)
}
