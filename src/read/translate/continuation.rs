//! Records of several rows: the first has all the columns, those after it only an item each.

use super::tabular::Cell;
use crate::rules::Continues;

/// A record, with the number of its first row and the lines of all.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gathered {
    pub(super) number: u64,
    pub(super) lines: [u64; 2],
    pub(super) cells: Vec<Cell>,
}

/// Tells which rows belong together.
pub(super) struct Continuation {
    key: Vec<usize>,
    filled: Vec<usize>,
    /// By column: its values of all rows are kept.
    items: Vec<bool>,
    open: Option<Gathered>,
    /// The row before could not be read: those that continue it belong to nothing.
    is_torn: bool,
}

/// What becomes of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It is part of the record at hand.
    Kept,
    /// It begins a record, so that the one before it is whole.
    After(Option<Gathered>),
    /// It continues a row that could not be read.
    Torn,
}

impl Continuation {
    pub(super) fn new(continues: &Continues, columns: &[String]) -> Self {
        let places = |names: &[String]| {
            let is_named = |column: &String| names.iter().any(|name| name.trim().to_lowercase() == column.trim().to_lowercase());
            (0..columns.len()).filter(|at| columns.get(*at).is_some_and(is_named)).collect()
        };
        Self {
            key: places(&continues.key),
            filled: places(&continues.filled),
            items: columns.iter().map(|column| continues.items.iter().any(|glob| glob.matches(column))).collect(),
            open: None,
            is_torn: false,
        }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, number: u64, lines: [u64; 2], cells: Vec<Cell>) -> Added {
        let is_first = self.filled.iter().any(|at| cells.get(*at).is_some_and(|cell| !cell.text().trim().is_empty()));
        if self.is_torn && !is_first {
            return Added::Torn;
        }
        self.is_torn = false;
        if let Some(open) = self.open.as_mut().filter(|open| !starts(&self.key, &self.filled, open, &cells)) {
            open.lines = [open.lines[0], lines[1]];
            open.cells.resize(open.cells.len().max(cells.len()), Cell::Empty);
            for (at, (kept, more)) in open.cells.iter_mut().zip(cells).enumerate() {
                if self.items.get(at) == Some(&true) {
                    // An empty item keeps its line, so that items of one row stay side by side.
                    *kept = Cell::Text(format!("{}\n{}", kept.text(), more.text()));
                } else if *kept == Cell::Empty {
                    *kept = more;
                }
            }
            return Added::Kept;
        }
        Added::After(self.take_and_open(Some(Gathered { number, lines, cells })))
    }

    /// A row that cannot be read comes; gives the record before it.
    pub(super) fn tear(&mut self) -> Option<Gathered> {
        self.is_torn = true;
        self.take()
    }

    /// The last record.
    pub(super) fn take(&mut self) -> Option<Gathered> {
        self.take_and_open(None)
    }

    fn take_and_open(&mut self, next: Option<Gathered>) -> Option<Gathered> {
        let mut whole = std::mem::replace(&mut self.open, next)?;
        for (cell, is_item) in whole.cells.iter_mut().zip(&self.items) {
            if *is_item && cell.text().bytes().all(|byte| byte == b'\n') {
                *cell = Cell::Empty;
            }
        }
        Some(whole)
    }
}

/// A row starts a record when it has the columns that only first rows have, and a key; or another key than the rows before it, so that
/// items are never added to somebody else's record.
fn starts(key: &[usize], filled: &[usize], open: &Gathered, cells: &[Cell]) -> bool {
    let cell = |cells: &'_ [Cell], at: usize| cells.get(at).map(|cell| cell.text().trim().to_owned()).unwrap_or_default();
    let is_first = filled.iter().any(|at| !cell(cells, *at).is_empty());
    let has_key = key.is_empty() || key.iter().any(|at| !cell(cells, *at).is_empty());
    let has_other_key = key.iter().any(|at| !cell(cells, *at).is_empty() && cell(cells, *at) != cell(&open.cells, *at));
    (is_first && has_key) || has_other_key
}
