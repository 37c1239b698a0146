//! Why a record cannot be used, in words: what is the same for every format.

use crate::domain::record::{Block, Broken};
use std::ops::Range;

/// A broken record, unless nothing but its content could be wrong: too long, or bytes that are no text.
pub(super) fn unusable(block: &Block, bytes: Range<usize>, line: u32, lines: u32, encoding: &str) -> Option<Broken> {
    let reason = if let Some(whole) = block.oversize.filter(|_| bytes.end >= block.text.len()) {
        format!("a record of {} bytes is longer than the limit of 1 MiB; split or remove it", whole.bytes)
    } else {
        not_text(block, &bytes, encoding)?
    };
    Some(Broken { start: bytes.start, line, lines, position: None, reason })
}

fn not_text(block: &Block, bytes: &Range<usize>, encoding: &str) -> Option<String> {
    let first = block.damaged.partition_point(|at| (*at as usize) < bytes.start);
    let at = block.damaged.get(first).map(|at| *at as usize).filter(|at| *at < bytes.end)?;
    let near = around(&block.text, at, bytes);
    Some(format!("bytes that are not {encoding} in \"{near}\"; set read.encoding, or repair the file"))
}

/// A few characters on both sides of a place, the bad byte shown as U+FFFD.
fn around(text: &str, at: usize, bytes: &Range<usize>) -> String {
    const SIDE: usize = 12;
    let before = text.get(bytes.start..at).unwrap_or_default();
    let after = text.get(at + 1..bytes.end).unwrap_or_default();
    let from = before.char_indices().rev().take(SIDE).last().map_or(before.len(), |(from, _)| from);
    let shown = before.get(from..).unwrap_or_default().chars().chain(['\u{FFFD}']).chain(after.chars().take(SIDE));
    shown.map(|char| if char.is_control() { '\u{FFFD}' } else { char }).collect()
}

/// The front of a value, short enough for a message.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
