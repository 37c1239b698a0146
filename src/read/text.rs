//! Takes log lines apart with the source's pattern: named groups become columns.

use super::broken::unusable;
use super::lines::line_at;
use crate::domain::record::{Block, Cell, Record, Split, Splitter};
use regex::Regex;
use std::ops::ControlFlow;

/// Splits text into lines; one that the pattern does not match is ignored.
#[derive(Debug)]
pub(super) struct LineSplitter {
    pattern: Regex,
    /// For each column the number of the group that fills it.
    groups: Vec<Option<usize>>,
    line_end: u8,
    encoding: &'static str,
}

impl LineSplitter {
    pub(super) fn new(pattern: Regex, columns: &[String], line_end: u8, encoding: &'static str) -> Self {
        let group = |column: &String| pattern.capture_names().position(|name| name == Some(column));
        let groups = columns.iter().map(group).collect();
        Self { pattern, groups, line_end, encoding }
    }

    /// Names of the groups.
    pub(super) fn columns(&self) -> Vec<String> {
        self.pattern.capture_names().flatten().map(str::to_owned).collect()
    }
}

impl Splitter for LineSplitter {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_str();
        let mut line = 0;
        let mut found = self.pattern.capture_locations();
        let mut cells = vec![Cell::Missing; self.groups.len()];
        let mut start = from;
        while start < text.len() {
            let physical = line_at(text.as_bytes(), start, self.line_end);
            let end = physical.end;
            let content = text.get(start..end).unwrap_or_default();
            let split = if let Some(broken) = unusable(block, start..end, line, 1, self.encoding) {
                Split::Broken(broken)
            } else if self.pattern.captures_read(&mut found, content).is_some() {
                for (cell, group) in cells.iter_mut().zip(&self.groups) {
                    let place = group.and_then(|group| found.get(group)).filter(|(from, to)| from < to);
                    *cell = place
                        .map_or(Cell::Missing, |(from, to)| Cell::Block { from: (start + from) as u32, to: (start + to) as u32 });
                }
                Split::Record(Record { start, end, line, lines: 1, position: None, text, scratch: "", cells: &cells })
            } else {
                Split::Ignored { start, line }
            };
            line += 1;
            if each(split).is_break() {
                return line;
            }
            start = physical.next;
        }
        line
    }
}
