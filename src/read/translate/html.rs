//! A page with a table, such as spreadsheets open and CRMs export under the name .xls; SpreadsheetML too. A row is a record.

use super::Translation;
use super::grid::{Below, GridRow, Header, ROWS_LOOKED_AT, header};
use super::html_table::{Row, Table, tables};
use super::original::Original;
use super::tabular::Tabular;
use crate::domain::record::Block;
use crate::read::OpenError;
use crate::read::broken::unusable;
use crate::read::lines::count;
use crate::read::sample::Sample;

/// The largest page.
const MOST_BYTES: usize = 256 << 20;

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let (block, fault) = original.text(MOST_BYTES, "a page")?;
    let all = tables(&block.text);
    let rows = rows(&block, original.sample.line_end, original.encoding(), &all);
    let source = original.source;
    let mut best: Option<(Header, &Vec<GridRow>)> = None;
    for rows in &rows {
        let Some(found) = header(rows, source) else { continue };
        // Of tables that fit alike the one with most rows: pages have tables for their layout.
        let rank = |header: &Header, rows: &Vec<GridRow>| (header.found, rows.len());
        if best.as_ref().is_none_or(|(best, of_best)| rank(&found, rows) > rank(best, of_best)) {
            best = Some((found, rows));
        }
    }
    let mut translation = match best {
        Some((header, rows)) => {
            let mut below = Below::new(original, header)?;
            rows.iter().try_for_each(|row| below.row(row.clone()))?;
            below.finish()?
        }
        None => Translation { missing: Vec::new(), ..Tabular::new(original, Vec::new()).finish(source)? },
    };
    translation.facts = vec!["html".to_owned(), original.encoding().to_owned()];
    translation.fault = fault;
    Ok(translation)
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
