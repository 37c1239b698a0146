//! How one line of a log, or one message in it, is taken apart: by a pattern, as pairs, or as a JSON object.

use super::broken::excerpt;
use super::json::{Cells, Cursor, Malformed};
use super::logfmt;
use super::pointer::Columns;
use crate::domain::record::Cell;
use regex::{CaptureLocations, Regex};
use std::ops::Range;

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Its cells are filled.
    Record,
    /// A line that is no record: the source does not want it.
    Ignored,
    /// Why it cannot be used.
    Broken(String),
}

/// Takes lines apart.
#[derive(Debug)]
pub(super) enum Reading {
    /// Named groups become columns; for each column the number of the group that fills it.
    Pattern {
        pattern: Regex,
        groups: Vec<Option<usize>>,
    },
    /// The keys that are asked for, one for each column.
    Pairs(Vec<String>),
    Object(Columns),
}

impl Reading {
    pub(super) fn by_pattern(pattern: Regex, columns: &[String]) -> Self {
        let group = |column: &String| pattern.capture_names().position(|name| name == Some(column));
        let groups = columns.iter().map(group).collect();
        Self::Pattern { pattern, groups }
    }

    /// Columns that it names itself.
    pub(super) fn columns(&self) -> Vec<String> {
        match self {
            Self::Pattern { pattern, .. } => pattern.capture_names().flatten().map(str::to_owned).collect(),
            Self::Pairs(_) | Self::Object(_) => Vec::new(),
        }
    }

    /// Those of `columns` that no line can have; None where only the lines tell.
    pub(super) fn missing(&self, columns: &[String]) -> Option<Vec<String>> {
        match self {
            Self::Pattern { groups, .. } => {
                let missing = columns.iter().zip(groups).filter(|(_, group)| group.is_none());
                Some(missing.map(|(name, _)| name.clone()).collect())
            }
            Self::Pairs(_) | Self::Object(_) => None,
        }
    }

    /// Room for the places of a pattern's groups, to be used again and again.
    pub(super) fn locations(&self) -> Option<CaptureLocations> {
        match self {
            Self::Pattern { pattern, .. } => Some(pattern.capture_locations()),
            Self::Pairs(_) | Self::Object(_) => None,
        }
    }

    /// Fills `cells`, which must all be missing, from a line of `text`.
    pub(super) fn read(
        &self,
        text: &str,
        line: Range<usize>,
        cells: &mut Cells<'_>,
        locations: &mut Option<CaptureLocations>,
    ) -> Said {
        match self {
            Self::Pattern { pattern, groups } => {
                let (start, content) = (line.start, text.get(line).unwrap_or_default());
                let found = locations.get_or_insert_with(|| pattern.capture_locations());
                if pattern.captures_read(found, content).is_none() {
                    return Said::Ignored;
                }
                for (slot, group) in groups.iter().enumerate() {
                    if let Some((from, to)) = group.and_then(|group| found.get(group)).filter(|(from, to)| from < to) {
                        cells.set(slot, Cell::Block { from: (start + from) as u32, to: (start + to) as u32 });
                    }
                }
                Said::Record
            }
            Self::Pairs(keys) => logfmt::read(text, line, keys, cells),
            Self::Object(columns) => object(text, line, columns, cells),
        }
    }
}

/// Programs that log objects also print other lines: banners, tracebacks. Those are no records.
fn object(text: &str, line: Range<usize>, columns: &Columns, cells: &mut Cells<'_>) -> Said {
    let content = text.get(line.clone()).unwrap_or_default();
    if !content.trim_start().starts_with('{') {
        return Said::Ignored;
    }
    let mut cursor = Cursor::new(text, line.start, line.end, columns);
    match cursor.record(cells).and_then(|_| cursor.finish()) {
        Ok(()) => Said::Record,
        Err(wrong) => Said::Broken(malformed(content, line.start, wrong)),
    }
}

/// Why an object that begins at `start` cannot be used.
pub(super) fn malformed(raw: &str, start: usize, Malformed { at, what }: Malformed) -> String {
    let place = at.saturating_sub(start);
    let value = match raw.get(place..) {
        Some(rest) if !rest.is_empty() => excerpt(rest),
        _ => excerpt(raw),
    };
    format!("not a JSON object: at byte {} {what} {value:?}; repair or remove the record", place + 1)
}
