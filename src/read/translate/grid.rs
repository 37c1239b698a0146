//! Tables that lie in cells already, of a sheet or a page: which of several is meant, and where its header is.

use super::original::{Handled, Original};
use super::tabular::{Cell, Tabular};
use super::{Numbers, Translation};
use crate::domain::record::Region;
use crate::read::OpenError;
use crate::read::footer::{SeenRow, Watch};
use crate::read::header;
use crate::rules::Source;

/// Rows that may stand before the header and the header itself.
pub(super) const ROWS_LOOKED_AT: usize = 50;

/// A row that holds something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GridRow {
    /// 1-based rows of a sheet, or lines of a page.
    pub(super) lines: [u64; 2],
    pub(super) cells: Vec<Cell>,
    /// Why it cannot be used.
    pub(super) trouble: Option<String>,
}

/// A row that names the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Its last line.
    pub(super) line: u64,
    pub(super) columns: Vec<String>,
    /// Columns asked for that it has.
    pub(super) found: usize,
}

/// The header among the first rows: that with most of the columns asked for; where none are asked for, or none is found, the first of
/// those with the most texts. None where there are no rows.
pub(super) fn header(rows: &[GridRow], source: &Source) -> Option<Header> {
    let skipped = source.read.skip_lines;
    let candidates: Vec<Header> = rows
        .iter()
        .filter(|row| skipped.is_none_or(|lines| row.lines[0] > lines))
        .take(if skipped.is_some() { 1 } else { ROWS_LOOKED_AT })
        .map(|row| {
            let columns = names(row);
            let found = source.columns.iter().filter(|name| header::position(&columns, name).is_some()).count();
            Header { line: row.lines[1], columns, found }
        })
        .collect();
    let best = candidates.iter().map(|header| header.found).max()?;
    let texts = |header: &Header| header.columns.iter().filter(|name| !name.is_empty()).count();
    let most = candidates.iter().map(texts).max()?;
    candidates.iter().find(|header| if best > 0 { header.found == best } else { texts(header) == most }).cloned()
}

/// What a row calls the columns: numbers are no names.
pub(super) fn names(row: &GridRow) -> Vec<String> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Empty | Cell::Number(_) => String::new(),
    };
    header::names(&row.cells.iter().map(text).collect::<Vec<_>>())
}

/// The rows below a header, on their way to be records.
pub(super) struct Below<'s> {
    source: &'s Source,
    header: Header,
    tabular: Tabular,
    /// A text could be a number in the style of some country.
    styled: bool,
    footer: Option<Watch<'s>>,
    /// The column whose sum the footer tells.
    sum: Option<usize>,
}

impl<'s> Below<'s> {
    /// # Errors
    /// The header has none of the columns asked for.
    pub(super) fn new(original: &Original<'s>, header: Header) -> Result<Self, OpenError> {
        let source = original.source;
        if header.found == 0 && !source.columns.is_empty() {
            return Err(header::no_columns(original.name(), &header.columns, source));
        }
        let tabular = Tabular::new(original, header.columns.clone());
        let footer = source.read.footer.as_ref();
        let column = footer.and_then(|footer| footer.sum_column.as_ref());
        let sum = column.and_then(|column| header::position(&header.columns, column));
        let footer = footer.map(|footer| Watch::new(original.name(), footer, header.columns.len()));
        Ok(Self { source, header, tabular, styled: false, footer, sum })
    }

    pub(super) fn row(&mut self, row: GridRow) -> Handled {
        let GridRow { lines, cells, trouble } = row;
        if lines[0] <= self.header.line || cells.iter().all(|cell| *cell == Cell::Empty) && trouble.is_none() {
            return Ok(());
        }
        if self.region(&cells, trouble.as_deref()) == Region::Footer {
            return self.tabular.ignored(lines);
        }
        let spare = cells.iter().skip(self.header.columns.len()).any(|cell| *cell != Cell::Empty);
        match trouble {
            Some(trouble) => self.tabular.broken(lines, &trouble),
            None if spare => {
                let (has, needs) = (cells.len(), self.header.columns.len());
                self.tabular.broken(lines, &format!("has {has} cells, the header has {needs}; name all columns"))
            }
            None => {
                self.styled |= cells.iter().any(is_styled);
                self.tabular.row(lines, cells)
            }
        }
    }

    /// Whether a row is of the footer.
    fn region(&mut self, cells: &[Cell], trouble: Option<&str>) -> Region {
        let Some(footer) = &mut self.footer else { return Region::Records };
        if trouble.is_some() {
            return footer.unreadable_row();
        }
        let texts: Vec<&str> = cells.iter().map(Cell::text).collect();
        footer.row(&SeenRow {
            line: texts.join("\t"),
            amount: self.sum.and_then(|column| texts.get(column)).map(|text| (*text).to_owned()).unwrap_or_default(),
            filled: texts.iter().filter(|text| !text.is_empty()).count(),
        })
    }

    pub(super) fn finish(self) -> Result<Translation, OpenError> {
        let numbers = if self.styled { Numbers::AnyWay } else { Numbers::OneWay };
        let notes = self.footer.as_ref().map(Watch::notes).unwrap_or_default();
        Ok(Translation { numbers, notes, ..self.tabular.finish(self.source)? })
    }
}

/// True for a text that is a number, with signs that mean different things in different countries.
fn is_styled(cell: &Cell) -> bool {
    let Cell::Text(text) = cell else { return false };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.contains(['.', ',']) && digits > 0 && digits < text.len() && text.bytes().all(|byte| !byte.is_ascii_alphabetic())
}
