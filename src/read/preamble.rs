//! What the lines above the header of a table say of all its records: a day, an account, a currency.

use super::broken::excerpt;
use super::csv::Shape;
use super::lines::line_at;
use crate::domain::report::Note;
use crate::rules::Source;
use regex::Regex;

/// What was found so far.
#[derive(Debug)]
pub(super) struct Preamble<'s> {
    patterns: &'s [Regex],
    columns: &'s [String],
    /// By slot: the first value of each column, and the first that is another.
    found: Vec<(usize, String, Option<String>)>,
}

impl<'s> Preamble<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self::of(&source.read.preamble, &source.columns)
    }

    /// What these patterns find for these columns.
    pub(super) fn of(patterns: &'s [Regex], columns: &'s [String]) -> Self {
        Self { patterns, columns, found: Vec::new() }
    }

    /// The lines above the header, as they stand but for the delimiters that spreadsheets pad them with.
    pub(super) fn text(&mut self, text: &str, shape: Shape) {
        let mut start = 0;
        while start < text.len() && !self.patterns.is_empty() {
            let line = line_at(text.as_bytes(), start, shape.line_end);
            self.line(shape.unpadded(text.get(start..line.end).unwrap_or_default()));
            start = line.next;
        }
    }

    /// A line above the header.
    pub(super) fn line(&mut self, line: &str) {
        for pattern in self.patterns {
            let Some(captures) = pattern.captures(line) else { continue };
            for group in pattern.capture_names().flatten() {
                let slot = self.columns.iter().position(|column| column == group);
                let value = captures.name(group).map(|value| value.as_str()).filter(|value| !value.is_empty());
                if let (Some(slot), Some(value)) = (slot, value) {
                    self.add(slot, value);
                }
            }
        }
    }

    fn add(&mut self, slot: usize, value: &str) {
        match self.found.iter_mut().find(|(known, ..)| *known == slot) {
            None => self.found.push((slot, value.to_owned(), None)),
            Some((_, first, other)) if first != value => {
                other.get_or_insert_with(|| value.to_owned());
            }
            Some(_) => {}
        }
    }

    /// The columns that it fills: the slot, and the value of every record.
    pub(super) fn constants(&self) -> Vec<(usize, String)> {
        self.found.iter().map(|(slot, value, _)| (*slot, value.clone())).collect()
    }

    /// Columns for which two lines give different values.
    pub(super) fn notes(&self, file: &str) -> Vec<Note> {
        let differing = self.found.iter().filter_map(|(slot, first, other)| Some((*slot, first, other.as_ref()?)));
        let note = |(slot, first, other): (usize, &String, &String)| {
            let column = self.columns.get(slot).map(String::as_str).unwrap_or_default();
            let (first, other) = (excerpt(first), excerpt(other));
            let message = format!(
                "{file}: the lines above the header give {column:?} as {first:?} and as {other:?}; the first was used, make read.preamble match one line only"
            );
            Note { code: "ambiguous_preamble".to_owned(), message }
        };
        differing.map(note).collect()
    }
}
