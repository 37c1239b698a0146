//! The log format of Kubernetes' container runtimes: `2026-03-02T10:40:12.5Z stdout F message`.

use super::{Opened, Outside, Piece, Stream, cell};
use std::ops::Range;

/// `P` marks a part of a message whose rest follows; tags after a colon are to be ignored.
pub(super) fn open(text: &str, line: Range<usize>, outside: &mut Outside<'_>) -> Option<Opened> {
    let content = text.get(line.clone())?;
    let mut words = content.splitn(4, ' ');
    let (time, name, tags) = (words.next()?, words.next()?, words.next()?);
    let stream = Stream::parse(name)?;
    let piece = match tags.split(':').next()? {
        "F" => Piece::Last,
        "P" => Piece::Part,
        _ => return None,
    };
    if !time.contains('T') || !time.starts_with(|char: char| char.is_ascii_digit()) {
        return None;
    }
    let time_end = line.start + time.len();
    outside.put_range("@time", line.start..time_end);
    outside.put_range("@stream", time_end + 1..time_end + 1 + name.len());
    // Nothing may follow the tag: the blank before an empty message is often trimmed.
    let message = words.next().map_or(line.end, |message| line.end - message.len());
    Some(Opened { message: cell(message..line.end), piece, stream })
}
