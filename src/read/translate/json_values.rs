//! The JSON values of an input: a line each, elements of an array, or one after the other; each with the lines of its parts.

use super::original::{Handled, Original, pass};
use crate::domain::record::{Block, InputError};
use crate::read::OpenError;
use crate::read::broken::unusable;
use crate::read::document::{ElementCutter, Records, Skipper, next_element};
use crate::read::format;
use crate::read::lines::{LineCutter, line_at};
use crate::rules::Format;
use memchr::memchr_iter;

/// The largest value: exporters write thousands of spans on one line.
const MOST_BYTES: usize = 64 << 20;

/// One value.
pub(super) struct JsonValue<'t> {
    pub(super) text: &'t str,
    /// 1-based line on which it begins.
    pub(super) line: u64,
    /// Places of the line ends in it.
    line_ends: Vec<usize>,
    /// Why it cannot be used: too long, or bytes that are no text.
    pub(super) trouble: Option<String>,
}

impl JsonValue<'_> {
    /// The line on which a part of the value begins. A text that is no part of it is told to be on its first line.
    pub(super) fn line_of(&self, part: &str) -> u64 {
        let at = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let at = if at <= self.text.len() { at } else { 0 };
        self.line + self.line_ends.partition_point(|end| *end < at) as u64
    }

    /// The line on which it ends.
    pub(super) fn last_line(&self) -> u64 {
        self.line + self.line_ends.len() as u64
    }
}

/// Hands over value after value.
pub(super) fn each_value(
    original: &Original<'_>,
    each: &mut dyn FnMut(&JsonValue<'_>) -> Handled,
) -> Result<Option<InputError>, OpenError> {
    let text = original.sample.text.as_str();
    let start = text.len() - text.trim_start().len();
    if text.get(start..).is_some_and(|rest| rest.starts_with('[')) {
        return each_element(original, Records::Array { around: 0 }, start + 1, each);
    }
    match format::of_objects(original.sample, start) {
        Format::Ndjson => each_line(original, each),
        _ => each_element(original, Records::Roots, 0, each),
    }
}

fn each_line(original: &Original<'_>, each: &mut dyn FnMut(&JsonValue<'_>) -> Handled) -> Result<Option<InputError>, OpenError> {
    let line_end = original.sample.line_end;
    let mut number = 0;
    let passed = pass(Box::new(original.walk(0, LineCutter { line_end }, MOST_BYTES)?), &mut |block| {
        let mut start = 0;
        while start < block.text.len() {
            let line = line_at(block.text.as_bytes(), start, line_end);
            let text = block.text.get(start..line.end).unwrap_or_default();
            number += 1;
            if !text.trim().is_empty() {
                let trouble = trouble(original, block, start, line.end);
                each(&JsonValue { text, line: number, line_ends: Vec::new(), trouble })?;
            }
            start = line.next;
        }
        Ok(())
    })?;
    Ok(passed.fault)
}

fn each_element(
    original: &Original<'_>,
    records: Records,
    start: usize,
    each: &mut dyn FnMut(&JsonValue<'_>) -> Handled,
) -> Result<Option<InputError>, OpenError> {
    let line_end = original.sample.line_end;
    let ends = |text: &str| memchr_iter(line_end, text.as_bytes()).collect::<Vec<_>>();
    let mut line = 1 + ends(original.sample.text.get(..start).unwrap_or_default()).len() as u64;
    let walk = original.walk(start as u64, ElementCutter::new(records), MOST_BYTES)?;
    let passed = pass(Box::new(walk), &mut |block| {
        let bytes = block.text.as_bytes();
        let mut counted = 0;
        let mut at = 0;
        while let Some(start) = next_element(bytes, at) {
            line += ends(block.text.get(counted..start).unwrap_or_default()).len() as u64;
            let length = Skipper::default().pass(bytes.get(start..).unwrap_or_default());
            let end = length.map_or(bytes.len(), |length| start + length);
            let text = block.text.get(start..end).unwrap_or_default();
            let value = JsonValue { text, line, line_ends: ends(text), trouble: trouble(original, block, start, end) };
            each(&value)?;
            line = value.last_line() + block.oversize.map_or(0, |whole| u64::from(whole.lines));
            (at, counted) = (end, end);
        }
        line += ends(block.text.get(counted..).unwrap_or_default()).len() as u64;
        Ok(())
    })?;
    Ok(passed.fault)
}

fn trouble(original: &Original<'_>, block: &Block, start: usize, end: usize) -> Option<String> {
    if let Some(whole) = block.oversize {
        return Some(format!("a value of {} bytes is longer than the limit of 64 MiB; split it", whole.bytes));
    }
    unusable(block, start..end, 0, 1, original.encoding()).map(|broken| broken.reason)
}
