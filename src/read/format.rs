//! Tells the format of a text by its content.

use super::OpenError;
use super::content::{self, Content};
use super::document::{Arrays, Located, Records, Skipper, arrays, depth, element_start, locate};
use super::front::{holds_calls, holds_spans};
use super::json::{Cells, Cursor};
use super::lines::line_at;
use super::logfmt::is_logfmt;
use super::pointer::{Columns, tokens};
use super::sample::Sample;
use super::translate;
use crate::domain::record::Cell;
use crate::rules::{Format, Source};
use std::cmp::Reverse;

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
    let rest = text.get(start..).unwrap_or_default();
    match () {
        () if content::is_bank_exchange(rest) => Format::BankExchange,
        () if content::is_page(rest) => Format::Html,
        () if is_json(rest) => of_json(sample, source, start),
        () if source.read.delimiter.is_none() && is_logfmt(rest) => Format::Logfmt,
        () => Format::Csv,
    }
}

/// JSON by what the source asks of it.
fn of_json(sample: &Sample, source: &Source, start: usize) -> Format {
    // Whoever names columns of the messages, or an array, wants the JSON as it stands.
    let as_it_stands = source.read.records.is_some();
    match () {
        () if !as_it_stands && holds_spans(&sample.text) => Format::Otlp,
        () if !as_it_stands && translate::asks_for_calls(source) && holds_calls(&sample.text) => Format::Transcript,
        () if envelope(sample, source) != Keeps::Roots => Format::Envelopes,
        () if as_it_stands => Format::Json,
        () => of_objects(sample, start),
    }
}

/// The format of what is no text.
///
/// # Errors
/// No reader makes sense of it.
pub(super) fn of_binary(file: &str, content: Content) -> Result<Format, OpenError> {
    match content {
        Content::Workbook => Ok(Format::Workbook),
        Content::Ipc => Ok(Format::Ipc),
        Content::Parquet => Ok(Format::Parquet),
        _ => {
            let (what, advice) = content.unread().unwrap_or(("a file of an unknown kind", "export it as CSV or NDJSON"));
            Err(OpenError::Foreign { file: file.to_owned(), what, advice })
        }
    }
}

/// True when a text begins as a JSON document of objects does, or is an array of anything. `[2026-03-02 10:40:12] …` is a line of a log.
pub(super) fn is_json(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('[') else { return text.starts_with('{') };
    let rest = rest.trim_start();
    match rest.chars().next() {
        None | Some('{' | '[' | ']' | '"') => true,
        Some(_) => {
            let after = rest.trim_start_matches(|char: char| char.is_ascii_alphanumeric() || "+-.".contains(char)).trim_start();
            after.len() < rest.len() && (after.starts_with(',') || after.trim_end() == "]")
        }
    }
}

/// Objects that are a line each, or a document. `start` is where the text begins.
pub(super) fn of_objects(sample: &Sample, start: usize) -> Format {
    let text = sample.text.as_str();
    let line = line_at(text.as_bytes(), start, sample.line_end);
    let rest = text.get(line.next..).unwrap_or_default();
    // One object and nothing else: a document, which may hold an array of records.
    let is_alone = rest.trim().is_empty() && sample.is_whole;
    if is_object(text, start, line.end) && !is_alone { Format::Ndjson } else { Format::Json }
}

/// True when these bytes are one JSON object.
pub(super) fn is_object(text: &str, start: usize, end: usize) -> bool {
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

/// A root array; else the array of objects whose first element has most of the columns (of several that which lies least deep), unless the
/// root itself has more.
pub(super) fn records(sample: &Sample, columns: &[String]) -> Keeps {
    let text = sample.text.as_str();
    let Arrays { pointers, end } = arrays(text.as_bytes());
    // What else comes after it (a status that curl writes) is no record, and the reader of the document objects to it.
    let next = end.and_then(|end| element_start(text.as_bytes(), end)).and_then(|at| text.as_bytes().get(at));
    if next == Some(&b'{') {
        return Keeps::Roots;
    }
    if pointers.iter().any(String::is_empty) {
        return Keeps::Array(String::new());
    }
    let tree = Columns::new(columns);
    let Some(offer) = Offer::of(text, pointers, &tree) else { return Keeps::Roots };
    let of_root = end.and_then(|_| element_start(text.as_bytes(), 0)).map_or(0, |start| present(text, start, &tree));
    if of_root > offer.columns { Keeps::Roots } else { offer.keeps() }
}

/// Where the objects of a stream or a root array keep their records, if that is not themselves: the pointer that the source names, else
/// the array of the first object whose elements have more of the columns than the object has.
pub(super) fn envelope(sample: &Sample, source: &Source) -> Keeps {
    let Some(front) = first_of_several(&sample.text) else { return Keeps::Roots };
    if let Some(pointer) = &source.read.records {
        let is_in = |text: &str| matches!(locate(text.as_bytes(), pointer), Located::Found { .. });
        let holds = is_in(front) && !tokens(pointer).is_empty();
        return if holds { Keeps::Array(pointer.clone()) } else { Keeps::Roots };
    }
    let tree = Columns::new(&source.columns);
    let pointers = arrays(front.as_bytes()).pointers.into_iter().filter(|pointer| !pointer.is_empty()).collect();
    match Offer::of(front, pointers, &tree) {
        Some(offer) if offer.columns > present(front, 0, &tree) => offer.keeps(),
        _ => Keeps::Roots,
    }
}

/// The first of the objects of a stream, or of a root array. One object alone is a document.
fn first_of_several(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let root = element_start(bytes, 0)?;
    let is_array = bytes.get(root) == Some(&b'[');
    let start = if is_array { element_start(bytes, root + 1)? } else { root };
    let is_object = |at: usize| bytes.get(at) == Some(&b'{');
    let end = start + Skipper::default().pass(bytes.get(start..)?)?;
    let has_next = is_array || element_start(bytes, end).is_some_and(is_object);
    if is_object(start) && has_next { text.get(start..end) } else { None }
}

/// The best of the arrays of an object, by the columns that their first elements have; of equals the least deep.
struct Offer {
    columns: usize,
    pointers: Vec<String>,
}

impl Offer {
    fn of(text: &str, pointers: Vec<String>, tree: &Columns) -> Option<Self> {
        let score = |pointer: &String| (of_first_element(text, pointer, tree), Reverse(depth(pointer)));
        let scored: Vec<_> = pointers.into_iter().map(|pointer| (score(&pointer), pointer)).collect();
        let best = scored.iter().map(|(score, _)| *score).max()?;
        let pointers = scored.into_iter().filter(|(score, _)| *score == best).map(|(_, pointer)| pointer).collect();
        Some(Self { columns: best.0, pointers })
    }

    fn keeps(mut self) -> Keeps {
        match (self.pointers.len(), self.pointers.pop()) {
            (1, Some(only)) => Keeps::Array(only),
            (_, Some(last)) => {
                self.pointers.push(last);
                Keeps::Unclear(self.pointers)
            }
            (_, None) => Keeps::Roots,
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
pub(super) fn present(text: &str, start: usize, tree: &Columns) -> usize {
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
