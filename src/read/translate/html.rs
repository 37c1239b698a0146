//! A page with a table, such as spreadsheets open and CRMs export under the name .xls; SpreadsheetML too. A row is a record.

use super::Translation;
use super::grid::{Below, Choice, GridRow, ROWS_LOOKED_AT, choose};
use super::html_table::{Row, Table, tables};
use super::original::Original;
use crate::domain::record::{Block, InputError};
use crate::domain::report::Note;
use crate::read::OpenError;
use crate::read::broken::{excerpt, unusable};
use crate::read::lines::count;
use crate::read::sample::Sample;

/// The largest page.
const MOST_BYTES: usize = 256 << 20;

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let (block, fault) = original.text(MOST_BYTES, "a page")?;
    let all = tables(&block.text);
    let rows = rows(&block, original.sample.line_end, original.encoding(), &all);
    let Choice { read, left_out } = choose(&rows, original.source);
    let mut below = Below::new(original);
    let count = read.len();
    let mut spanned = Vec::new();
    for (place, header) in read {
        below.table(header)?;
        rows.get(place).into_iter().flatten().try_for_each(|row| below.row(row.clone()))?;
        spanned.extend(all.get(place).into_iter().flat_map(|table| &table.spanned));
    }
    let mut translation = below.finish()?;
    // Tables without any of the columns are the layout of the page.
    let left_out: Vec<String> =
        left_out.iter().filter(|(_, found)| *found > 0).map(|(place, _)| (place + 1).to_string()).collect();
    translation.notes.extend([unread(original.name(), &left_out), repeated(original.name(), &spanned)].into_iter().flatten());
    translation.facts = vec!["html".to_owned(), original.encoding().to_owned()];
    translation.facts.extend((count > 1).then(|| format!("{count} tables")));
    translation.fault = fault.or_else(|| cut_off(original, &all));
    Ok(translation)
}

fn unread(file: &str, left_out: &[String]) -> Option<Note> {
    let message = format!(
        "{file}: tables of the page under other columns than the one that fits best were not read, by their place: {}; save them as files of their own",
        left_out.join(", ")
    );
    (!left_out.is_empty()).then(|| Note { code: "unread_tables".to_owned(), message })
}

/// Numbers that stand once for several rows: a sum over a group would count in each of its rows.
fn repeated(file: &str, spanned: &[&String]) -> Option<Note> {
    let first = excerpt(spanned.first()?);
    let message = format!(
        "{file}: {} numbers stand in cells that reach over several rows, the first {first:?}; each row has them, check that they are no totals of several rows",
        spanned.len()
    );
    Some(Note { code: "spanned_number".to_owned(), message })
}

/// A table that the end of the page leaves open: rows may be lost.
fn cut_off(original: &Original<'_>, tables: &[Table]) -> Option<InputError> {
    let reason = "the page ends within a table".to_owned();
    let (file, bytes) = (original.name().to_owned(), original.stored.bytes());
    let cut_off = InputError::CutOff { file, what: "page", bytes, reason };
    tables.iter().any(|table| table.is_cut_off).then_some(cut_off)
}

/// The first rows of every table in the front of a page.
pub(super) fn glance(sample: &Sample) -> Vec<Vec<GridRow>> {
    let block = Block { text: sample.text.clone(), ..Block::default() };
    let tables = tables(&block.text);
    let mut all = rows(&block, sample.line_end, "UTF-8", &tables);
    all.iter_mut().for_each(|rows| rows.truncate(ROWS_LOOKED_AT));
    all
}

/// The rows of each table with their lines.
fn rows(block: &Block, line_end: u8, encoding: &str, tables: &[Table]) -> Vec<Vec<GridRow>> {
    let mut lines = Lines { text: block.text.as_bytes(), end: line_end, at: 0, line: 1 };
    let mut row = |row: &Row| {
        let first = lines.at_byte(row.bytes.start);
        let within = block.text.get(row.bytes.clone()).unwrap_or_default().trim_end();
        let trouble = unusable(block, row.bytes.clone(), 0, 1, encoding).map(|broken| broken.reason);
        let unfinished = || row.is_cut_off.then(|| "the page ends within the row; get the file again".to_owned());
        GridRow {
            lines: [first, first + u64::from(count(within.as_bytes(), line_end))],
            cells: row.cells.clone(),
            trouble: trouble.or_else(unfinished),
        }
    };
    tables.iter().map(|table| table.rows.iter().map(&mut row).collect()).collect()
}

/// The lines of bytes, cheapest when asked for in order.
struct Lines<'t> {
    text: &'t [u8],
    end: u8,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    fn at_byte(&mut self, byte: usize) -> u64 {
        if byte < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line += u64::from(count(self.text.get(self.at..byte).unwrap_or_default(), self.end));
        self.at = byte;
        self.line
    }
}
