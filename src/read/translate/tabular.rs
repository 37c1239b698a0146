//! Rows under a header, wherever they come from: named, numbered, and gathered where a record is several rows.

use super::continuation::{Added, Continuation, Gathered};
use super::original::{Handled, Original};
use super::rows::{Member, Rows};
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::domain::report::Note;
use crate::read::OpenError;
use crate::read::header;
use crate::read::preamble::Preamble;
use crate::read::span::text_mark;
use crate::rules::Source;

/// Why a row is no record where the one before it could not be read.
const TORN: &str = "continues a row that could not be read; repair that row";

/// What a cell holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Cell {
    #[default]
    Empty,
    Text(String),
    /// A number in JSON's notation.
    Number(String),
    /// `#N/A` and its like: no value, but not an empty cell.
    Error(String),
}

impl Cell {
    /// A text as it was entered, without the mark by which spreadsheets tell it from a number.
    pub(super) fn of(mut text: String) -> Self {
        text.drain(..text_mark(&text));
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }

    /// What it says; nothing where it is empty or an error.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Empty | Self::Error(_) => "",
            Self::Text(text) | Self::Number(text) => text,
        }
    }
}

/// Takes the rows of one table, or of several that are read as one.
pub(super) struct Tabular<'s> {
    file: &'s str,
    source: &'s Source,
    rows: Rows,
    /// All columns that were ever named.
    columns: Vec<String>,
    /// By column of the rows at hand: the members as which its cells are written.
    members: Vec<Vec<String>>,
    /// What stands above the header at hand, for the columns that it lacks: name and value.
    constants: Vec<(String, String)>,
    /// By slot: some header or preamble has the column.
    found: Vec<bool>,
    continuation: Option<Continuation>,
    /// Records so far, broken ones too.
    records: u64,
    notes: Vec<Note>,
}

impl<'s> Tabular<'s> {
    pub(super) fn new(original: &Original<'s>) -> Self {
        let source = original.source;
        Self {
            file: original.name(),
            source,
            rows: original.rows(),
            columns: Vec::new(),
            members: Vec::new(),
            constants: Vec::new(),
            found: vec![false; source.columns.len()],
            continuation: None,
            records: 0,
            notes: Vec::new(),
        }
    }

    /// The header of the rows that follow, as [`header::names`] calls its columns, and what stands above it. Later sections may have
    /// other columns, or the same ones in another spelling: cells are written under the names that were asked for.
    pub(super) fn header(&mut self, columns: Vec<String>, preamble: &Preamble<'_>) -> Handled {
        self.flush()?;
        self.continuation = self.source.read.continues.as_ref().map(|continues| Continuation::new(continues, &columns));
        let mut members: Vec<Vec<String>> = columns.iter().map(|_| Vec::new()).collect();
        let mut constants = preamble.constants();
        for ((slot, name), found) in self.source.columns.iter().enumerate().zip(&mut self.found) {
            // What the table itself says of a record counts.
            let place = header::position(&columns, name);
            constants.retain(|(filled, _)| *filled != slot || place.is_none());
            *found |= place.is_some() || constants.iter().any(|(filled, _)| *filled == slot);
            if let Some(members) = place.and_then(|place| members.get_mut(place)) {
                members.push(name.clone());
            }
        }
        for (column, members) in columns.iter().zip(&mut members) {
            if members.is_empty() && !self.source.columns.contains(column) {
                members.push(column.clone());
            }
        }
        let named = constants.into_iter().filter_map(|(slot, value)| Some((self.source.columns.get(slot)?.clone(), value)));
        self.constants = named.collect();
        let notes = [preamble.notes(self.file), header::ambiguous(self.file, &columns, self.source)].concat();
        self.notes.extend(notes.into_iter().filter(|note| !self.notes.contains(note)).collect::<Vec<_>>());
        self.columns.extend(columns.into_iter().filter(|name| !self.columns.contains(name)).collect::<Vec<_>>());
        self.members = members;
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
            Added::Torn => self.rows.broken(Position { number, lines }, TORN),
        }
    }

    /// A row that cannot be used; `cells` are those of it that can be read.
    pub(super) fn broken(&mut self, lines: [u64; 2], reason: &str, cells: &[Cell]) -> Handled {
        if let Some(whole) = self.continuation.as_mut().and_then(|continuation| continuation.tear(cells)) {
            self.write(&whole)?;
        }
        self.records += 1;
        self.rows.broken(Position { number: self.records, lines }, reason)
    }

    /// A row that is none of the data.
    pub(super) fn ignored(&mut self, lines: [u64; 2]) -> Handled {
        self.rows.ignored(Position { number: self.records, lines })
    }

    /// Rows so far that are records or parts of them.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The translation; the rest of its facts are the caller's.
    pub(super) fn finish(mut self) -> Result<Translation, OpenError> {
        self.flush()?;
        let missing = self.source.columns.iter().zip(&self.found).filter(|(_, found)| !**found);
        Ok(Translation {
            members: Members::ByName,
            missing: missing.map(|(name, _)| name.clone()).collect(),
            spool: self.rows.finish()?,
            columns: self.columns,
            numbers: Numbers::AnyWay,
            facts: Vec::new(),
            notes: self.notes,
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
        let of_cells = self.members.iter().zip(cells).flat_map(|(names, cell)| {
            let member = match cell {
                Cell::Empty | Cell::Error(_) => None,
                Cell::Text(text) => Some(Member::Text(text)),
                Cell::Number(number) => Some(Member::Json(number)),
            };
            member.into_iter().flat_map(|member| names.iter().map(move |name| (name.as_str(), member)))
        });
        let constants = self.constants.iter().map(|(name, value)| (name.as_str(), Member::Text(value)));
        self.rows.record(Position { number: *number, lines: *lines }, of_cells.chain(constants))
    }
}
