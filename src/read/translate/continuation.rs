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
    /// While rows may continue one that could not be read: its cells, and those of the record that it cut off.
    torn: Option<Vec<Vec<Cell>>>,
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
            torn: None,
        }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, number: u64, lines: [u64; 2], cells: Vec<Cell>) -> Added {
        if self.torn.as_ref().is_some_and(|torn| !self.ends(torn, &cells)) {
            return Added::Torn;
        }
        self.torn = None;
        if let Some(open) = self.open.as_mut().filter(|open| !starts(&self.key, &self.filled, open, &cells)) {
            open.lines = [open.lines[0], lines[1]];
            open.cells.resize(open.cells.len().max(cells.len()), Cell::Empty);
            for (at, (kept, more)) in open.cells.iter_mut().zip(cells).enumerate() {
                if self.items.get(at) == Some(&true) {
                    // An empty item keeps its line, so that items of one row stay side by side.
                    *kept = Cell::Text(format!("{}\n{}", kept.text(), more.text()));
                } else if kept.text().is_empty() {
                    *kept = more;
                }
            }
            return Added::Kept;
        }
        Added::After(self.take_and_open(Some(Gathered { number, lines, cells })))
    }

    /// A row comes that cannot be read, but for these cells; gives the record before it.
    pub(super) fn tear(&mut self, cells: &[Cell]) -> Option<Gathered> {
        let open = self.take();
        let torn = self.torn.get_or_insert_default();
        torn.extend(open.iter().map(|open| open.cells.clone()));
        torn.push(cells.to_vec());
        open
    }

    /// True for a row that belongs to none of the torn rows: it begins a record, or is of another key than all of them.
    fn ends(&self, torn: &[Vec<Cell>], cells: &[Cell]) -> bool {
        let has_key = !self.key.is_empty() && is_filled(&self.key, cells);
        is_filled(&self.filled, cells) || (has_key && torn.iter().all(|torn| has_other_key(&self.key, torn, cells)))
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
    let has_key = key.is_empty() || is_filled(key, cells);
    (is_filled(filled, cells) && has_key) || has_other_key(key, &open.cells, cells)
}

fn is_filled(columns: &[usize], cells: &[Cell]) -> bool {
    columns.iter().any(|at| !trimmed(cells, *at).is_empty())
}

/// Blank cells of a key say nothing.
fn has_other_key(key: &[usize], known: &[Cell], cells: &[Cell]) -> bool {
    key.iter().any(|at| !trimmed(cells, *at).is_empty() && trimmed(cells, *at) != trimmed(known, *at))
}

fn trimmed(cells: &[Cell], at: usize) -> &str {
    cells.get(at).map(|cell| cell.text().trim()).unwrap_or_default()
}
