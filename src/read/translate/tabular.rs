//! Rows under a header, wherever they come from: named, numbered, and gathered where a record is several rows.

use super::continuation::{Added, Continuation, Gathered};
use super::original::{Handled, Original};
use super::rows::{Member, Rows};
use super::{Members, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::csv::text_mark;
use crate::read::header;
use crate::rules::Source;

/// What a cell holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Cell {
    #[default]
    Empty,
    Text(String),
    /// A number in JSON's notation.
    Number(String),
}

impl Cell {
    /// A text as it was entered, without the mark by which spreadsheets tell it from a number.
    pub(super) fn of(mut text: String) -> Self {
        text.drain(..text_mark(&text));
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Text(text) | Self::Number(text) => text,
        }
    }
}

/// Takes the rows of one table.
pub(super) struct Tabular {
    rows: Rows,
    /// All columns that were ever named.
    columns: Vec<String>,
    /// Those of the rows at hand.
    names: Vec<String>,
    continuation: Option<Continuation>,
    /// Records so far, broken ones too.
    records: u64,
}

impl Tabular {
    /// Under these columns, as [`header::names`] calls them.
    pub(super) fn new(original: &Original<'_>, columns: Vec<String>) -> Self {
        let source = original.source;
        Self { rows: original.rows(), continuation: continuation(source, &columns), names: columns.clone(), columns, records: 0 }
    }

    /// Another header within the same table: later sections may have other columns.
    pub(super) fn rename(&mut self, source: &Source, columns: Vec<String>) -> Handled {
        self.flush()?;
        self.continuation = continuation(source, &columns);
        self.columns.extend(columns.iter().filter(|name| !self.columns.contains(name)).cloned().collect::<Vec<_>>());
        self.names = columns;
        Ok(())
    }

    /// Cells of a row, at most as many as the header has names.
    pub(super) fn row(&mut self, lines: [u64; 2], cells: Vec<Cell>) -> Handled {
        self.records += 1;
        let number = self.records;
        let Some(continuation) = &mut self.continuation else { return self.write(&Gathered { number, lines, cells }) };
        match continuation.add(number, lines, cells) {
            Added::Kept | Added::After(None) => Ok(()),
            Added::After(Some(whole)) => self.write(&whole),
            Added::Torn => self.ignored(lines),
        }
    }

    pub(super) fn broken(&mut self, lines: [u64; 2], reason: &str) -> Handled {
        if let Some(whole) = self.continuation.as_mut().and_then(Continuation::tear) {
            self.write(&whole)?;
        }
        self.records += 1;
        self.rows.broken(Position { number: self.records, lines }, reason)
    }

    /// A row that is none of the data.
    pub(super) fn ignored(&mut self, lines: [u64; 2]) -> Handled {
        self.rows.ignored(Position { number: self.records, lines })
    }

    /// The translation; the rest of its facts are the caller's.
    pub(super) fn finish(mut self, source: &Source) -> Result<Translation, OpenError> {
        self.flush()?;
        let found = |name: &String| header::position(&self.columns, name).and_then(|at| self.columns.get(at));
        Ok(Translation {
            members: Members::Named(source.columns.iter().map(|name| found(name).unwrap_or(name).clone()).collect()),
            missing: source.columns.iter().filter(|name| found(name).is_none()).cloned().collect(),
            spool: self.rows.finish()?,
            columns: self.columns,
            numbers: super::Numbers::AnyWay,
            facts: Vec::new(),
            notes: Vec::new(),
            fault: None,
        })
    }

    fn flush(&mut self) -> Handled {
        match self.continuation.as_mut().and_then(Continuation::take) {
            Some(whole) => self.write(&whole),
            None => Ok(()),
        }
    }

    fn write(&mut self, Gathered { number, lines, cells }: &Gathered) -> Handled {
        let members = self.names.iter().zip(cells).filter_map(|(name, cell)| {
            let member = match cell {
                Cell::Empty => return None,
                Cell::Text(text) => Member::Text(text),
                Cell::Number(number) => Member::Json(number),
            };
            Some((name.as_str(), member))
        });
        self.rows.record(Position { number: *number, lines: *lines }, members)
    }
}

fn continuation(source: &Source, columns: &[String]) -> Option<Continuation> {
    source.read.continues.as_ref().map(|continues| Continuation::new(continues, columns))
}
