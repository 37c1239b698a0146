//! Tells the format of a text by its content.

use super::document::{Located, Outline, Records, element_start, locate, outline};
use super::json::{Cells, Cursor};
use super::lines::line_at;
use super::pointer::{Columns, tokens};
use super::sample::Sample;
use crate::domain::record::Cell;
use crate::rules::{Format, Source};

/// The configured format, else what the content says. A file's name says nothing.
pub(super) fn detect(sample: &Sample, source: &Source) -> Format {
    if let Some(format) = source.format {
        return format;
    }
    if source.read.pattern.is_some() {
        return Format::Text;
    }
    let text = sample.text.as_str();
    let start = text.len() - text.trim_start().len();
    match text.as_bytes().get(start) {
        Some(b'[') => Format::Json,
        Some(b'{') if source.read.records.is_some() => Format::Json,
        Some(b'{') => {
            let line = line_at(text.as_bytes(), start, sample.line_end);
            let rest = text.get(line.next..).unwrap_or_default();
            // One object and nothing else: a document, which may hold an array of records.
            let is_alone = rest.trim().is_empty() && sample.is_whole;
            if is_object(text, start, line.end) && !is_alone { Format::Ndjson } else { Format::Json }
        }
        _ => Format::Csv,
    }
}

fn is_object(text: &str, start: usize, end: usize) -> bool {
    let columns = Columns::new(&[]);
    let mut cursor = Cursor::new(text, start, end, &columns);
    let mut cells = Cells { cells: &mut [], scratch: &mut String::new() };
    cursor.record(&mut cells).and_then(|_| cursor.finish()).is_ok()
}

/// Where a document without a configured pointer keeps its records.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    /// Objects one after the other, or a single one.
    Roots,
    Array(String),
    /// Several arrays may be meant.
    Unclear(Vec<String>),
}

/// A root array; else the array of objects whose first element has most of the columns, unless the root itself has more.
pub(super) fn records(sample: &Sample, columns: &[String]) -> Keeps {
    let text = sample.text.as_str();
    let Some(start) = element_start(text.as_bytes(), 0) else { return Keeps::Roots };
    if text.as_bytes().get(start) == Some(&b'[') {
        return Keeps::Array(String::new());
    }
    let Outline { arrays, end } = outline(text.as_bytes());
    if end.is_some_and(|end| element_start(text.as_bytes(), end).is_some()) {
        return Keeps::Roots;
    }
    let tree = Columns::new(columns);
    let of_root = if end.is_some() { present(text, start, &tree) } else { 0 };
    let scored: Vec<(usize, String)> =
        arrays.into_iter().map(|pointer| (of_first_element(text, &pointer, &tree), pointer)).collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    let mut with_best: Vec<String> = scored.into_iter().filter(|(score, _)| *score == best).map(|(_, pointer)| pointer).collect();
    match (with_best.len(), with_best.pop()) {
        (_, None) => Keeps::Roots,
        _ if of_root > best => Keeps::Roots,
        (1, Some(only)) => Keeps::Array(only),
        (_, Some(last)) => {
            with_best.push(last);
            Keeps::Unclear(with_best)
        }
    }
}

fn of_first_element(text: &str, pointer: &str, tree: &Columns) -> usize {
    match locate(text.as_bytes(), pointer) {
        Located::Found { start, .. } => element_start(text.as_bytes(), start).map_or(0, |at| present(text, at, tree)),
        Located::NeedsMore | Located::Absent => 0,
    }
}

/// Columns that the object at `start` has, as far as it can be read.
fn present(text: &str, start: usize, tree: &Columns) -> usize {
    let mut cells = vec![Cell::Missing; tree.slots()];
    let mut cursor = Cursor::new(text, start, text.len(), tree);
    // What follows the object, or a cut by the end of the sample, does not matter here.
    let _ = cursor.record(&mut Cells { cells: &mut cells, scratch: &mut String::new() });
    cells.iter().filter(|cell| **cell != Cell::Missing).count()
}

/// How the records of a document lie, from its pointer: the root of anything but an array is the records themselves.
pub(super) fn lie(pointer: &str, located: &Located) -> Option<(Records, usize)> {
    match located {
        Located::Found { start, around } => Some((Records::Array { around: *around }, *start)),
        Located::Absent if tokens(pointer).is_empty() => Some((Records::Roots, 0)),
        Located::Absent | Located::NeedsMore => None,
    }
}
