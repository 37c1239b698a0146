//! Lines of `key=value` pairs (logfmt).

use super::escapes::unescape;
use super::json::Cells;
use super::reading::Said;
use crate::domain::record::Cell;
use std::ops::Range;

/// Lines looked at to tell logfmt.
const LINES_LOOKED_AT: usize = 40;

/// One key of a line, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    key: Range<usize>,
    value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A word without a value; of a message without quotes (`msg=charge of id done`) most are no keys.
    Bare,
    Plain(Range<usize>),
    /// Without its quotes; it holds escapes.
    Escaped(Range<usize>),
    /// The quote that opens it never closes.
    Open(usize),
}

/// The pairs of a line.
struct Pairs<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl Iterator for Pairs<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        let bytes = self.text.as_bytes().get(..self.end)?;
        let stop = |from: usize, is_stop: fn(u8) -> bool| {
            let rest = bytes.get(from..).unwrap_or_default();
            rest.iter().position(|byte| is_stop(*byte)).map_or(self.end, |length| from + length)
        };
        let start = stop(self.at, |byte| !byte.is_ascii_whitespace());
        if start >= self.end {
            return None;
        }
        let key = start..stop(start, |byte| byte.is_ascii_whitespace() || byte == b'=');
        if bytes.get(key.end) != Some(&b'=') {
            self.at = key.end;
            return Some(Pair { key, value: Value::Bare });
        }
        let from = key.end + 1;
        if bytes.get(from) != Some(&b'"') {
            self.at = stop(from, |byte| byte.is_ascii_whitespace());
            return Some(Pair { key, value: Value::Plain(from..self.at) });
        }
        let (mut at, mut has_escapes) = (from + 1, false);
        let value = loop {
            at = stop(at, |byte| byte == b'"' || byte == b'\\');
            match bytes.get(at) {
                Some(b'"') if has_escapes => break Value::Escaped(from + 1..at),
                Some(b'"') => break Value::Plain(from + 1..at),
                Some(_) => (at, has_escapes) = (at + 2, true),
                None => break Value::Open(from),
            }
        };
        self.at = if let Value::Open(_) = value { self.end } else { at + 1 };
        Some(Pair { key, value })
    }
}

/// Fills the cells of the keys asked for from a line of `text`; of pairs with one key the last counts, and a word alone is no pair. A line without a single pair is none
/// of the log's records: a traceback, a banner.
pub(super) fn read(text: &str, line: Range<usize>, keys: &[String], cells: &mut Cells<'_>) -> Said {
    let mut has_pairs = false;
    for Pair { key, value } in (Pairs { text, at: line.start, end: line.end }) {
        has_pairs |= value != Value::Bare;
        if let Value::Open(at) = value {
            let opened = super::broken::excerpt(text.get(at..line.end).unwrap_or_default());
            return Said::Broken(format!("quote opened here never closes {opened:?}; repair or remove the line"));
        }
        let key = text.get(key).unwrap_or_default();
        for slot in keys.iter().enumerate().filter(|(_, asked)| *asked == key).map(|(slot, _)| slot) {
            let cell = match &value {
                Value::Plain(range) if range.is_empty() => Cell::Missing,
                Value::Plain(range) => Cell::Block { from: range.start as u32, to: range.end as u32 },
                Value::Escaped(range) => cells.added(|scratch| unescape(text.get(range.clone()).unwrap_or_default(), scratch)),
                Value::Bare | Value::Open(_) => continue,
            };
            cells.set(slot, cell);
        }
    }
    if has_pairs { Said::Record } else { Said::Ignored }
}

/// True where a third of the lines are pairs from their beginning on: tracebacks are long.
pub(super) fn is_logfmt(text: &str) -> bool {
    let lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).take(LINES_LOOKED_AT);
    let (mut all, mut alike) = (0, 0);
    for line in lines {
        all += 1;
        alike += usize::from(is_pairs(line));
    }
    all > 0 && alike * 3 >= all
}

/// Two pairs at least, the first of which begins the line, and hardly a word that is none.
fn is_pairs(line: &str) -> bool {
    let is_key = |key: &str| {
        key.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
            && key.chars().all(|char| char.is_ascii_alphanumeric() || "_-./@".contains(char))
    };
    let (mut pairs, mut words) = (0, 0);
    for (place, Pair { key, value }) in (Pairs { text: line, at: 0, end: line.len() }).enumerate() {
        let is_pair = matches!(value, Value::Plain(_) | Value::Escaped(_)) && line.get(key).is_some_and(is_key);
        if place == 0 && !is_pair {
            return false;
        }
        if is_pair {
            pairs += 1;
        } else {
            words += 1;
        }
    }
    pairs >= 2 && words <= pairs
}
