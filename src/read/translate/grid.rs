//! Tables that lie in cells already, of a sheet or a page: which of several is meant, and where its header is.

use super::original::{Handled, Original};
use super::tabular::{Cell, Tabular};
use super::{Numbers, Translation};
use crate::domain::record::Region;
use crate::domain::report::Note;
use crate::read::OpenError;
use crate::read::footer::{SeenRow, Watch};
use crate::read::header;
use crate::read::preamble::Preamble;
use crate::read::tables::{self, Named};
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
    /// Rows of its table up to it, itself included. Their lines do not tell: a whole page may be one line.
    rows: usize,
    columns: Vec<String>,
    /// Slots of the columns asked for that it has.
    found: Vec<usize>,
    /// The rows above it, their cells joined by tabs.
    above: Vec<String>,
}

/// Which of several tables are the data.
#[derive(Debug)]
pub(super) struct Choice {
    /// The table whose header fits best, and those that fit like it, each with its place among all.
    pub(super) read: Vec<(usize, Header)>,
    /// Others with rows below a header, by their place; the header's columns that were asked for.
    pub(super) left_out: Vec<(usize, usize)>,
}

/// Chooses among tables by their first rows: that with most of the columns asked for, of equals the one with most rows, and with it all
/// that have the same of these columns, or the same header. A finance workbook has a sheet for each month.
pub(super) fn choose(tables: &[Vec<GridRow>], source: &Source) -> Choice {
    let headers: Vec<Option<Header>> = tables.iter().map(|rows| header(rows, source)).collect();
    let ranked = headers.iter().zip(tables).filter_map(|(header, rows)| Some((header.as_ref()?, rows.len())));
    // The first of the best.
    let best = ranked.rev().max_by_key(|(header, rows)| (header.found.len(), *rows)).map(|(header, _)| header.clone());
    let mut choice = Choice { read: Vec::new(), left_out: Vec::new() };
    for ((place, header), rows) in (0..).zip(headers).zip(tables) {
        match header {
            Some(header) if best.as_ref().is_some_and(|best| header.is_like(best)) => choice.read.push((place, header)),
            Some(header) if rows.len() > 1 => choice.left_out.push((place, header.found.len())),
            _ => {}
        }
    }
    choice
}

impl Header {
    fn is_like(&self, best: &Self) -> bool {
        let lower = |columns: &[String]| columns.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>();
        (!best.found.is_empty() && self.found == best.found) || lower(&self.columns) == lower(&best.columns)
    }
}

/// The header among the first rows: that with most of the columns asked for; where none are asked for, or none is found, the first of
/// those with the most texts. None where there are no rows.
fn header(rows: &[GridRow], source: &Source) -> Option<Header> {
    let skipped = source.read.skip_lines;
    let candidates: Vec<Header> = (1..)
        .zip(rows)
        .filter(|(_, row)| skipped.is_none_or(|lines| row.lines[0] > lines))
        .take(if skipped.is_some() { 1 } else { ROWS_LOOKED_AT })
        .map(|(number, row)| {
            let columns = names(row);
            let found = (0..).zip(&source.columns).filter(|(_, name)| header::position(&columns, name).is_some());
            Header { rows: number, found: found.map(|(slot, _)| slot).collect(), columns, above: Vec::new() }
        })
        .collect();
    let best = candidates.iter().map(|header| header.found.len()).max()?;
    let texts = |header: &Header| header.columns.iter().filter(|name| !name.is_empty()).count();
    let most = candidates.iter().map(texts).max()?;
    let header = candidates.iter().find(|header| if best > 0 { header.found.len() == best } else { texts(header) == most })?;
    let above = rows.iter().take(header.rows.saturating_sub(1)).map(|row| joined(&row.cells)).collect();
    Some(Header { above, ..header.clone() })
}

/// Cells as a line of text, without the empty ones at its end: a sheet pads all rows to one width.
fn joined(cells: &[Cell]) -> String {
    cells.iter().map(Cell::text).collect::<Vec<_>>().join("\t").trim_end().to_owned()
}

/// What a row calls the columns: numbers are no names.
pub(super) fn names(row: &GridRow) -> Vec<String> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Empty | Cell::Number(_) | Cell::Error(_) => String::new(),
    };
    header::names(&row.cells.iter().map(text).collect::<Vec<_>>())
}

/// The rows below headers, on their way to be records.
pub(super) struct Below<'s> {
    file: &'s str,
    source: &'s Source,
    header: Option<Header>,
    /// Rows of the table at hand that came.
    seen: usize,
    tabular: Tabular<'s>,
    /// A text could be a number in the style of some country.
    styled: bool,
    footer: Option<Watch<'s>>,
    /// The column whose sum the footer tells.
    sum: Option<usize>,
    errors: Errors,
    notes: Vec<Note>,
}

/// Cells that hold an error of the spreadsheet.
#[derive(Default)]
struct Errors {
    count: u64,
    /// What the first says, and its record.
    first: Option<(String, u64)>,
}

impl<'s> Below<'s> {
    pub(super) fn new(original: &Original<'s>) -> Self {
        Self {
            file: original.name(),
            source: original.source,
            header: None,
            seen: 0,
            tabular: Tabular::new(original),
            styled: false,
            footer: None,
            sum: None,
            errors: Errors::default(),
            notes: Vec::new(),
        }
    }

    /// A table begins; its rows follow. Those of tables before it are done.
    ///
    /// # Errors
    /// The header has none of the columns asked for.
    pub(super) fn table(&mut self, header: Header) -> Handled {
        let source = self.source;
        if header.found.is_empty() && !source.columns.is_empty() {
            return Err(header::no_columns(self.file, &header.columns, source));
        }
        self.end_footer();
        let footer = source.read.footer.as_ref();
        let column = footer.and_then(|footer| footer.sum_column.as_ref());
        self.sum = column.and_then(|column| header::position(&header.columns, column));
        self.footer = footer.map(|footer| Watch::new(self.file, footer, header.columns.len()));
        let mut preamble = Preamble::new(source);
        header.above.iter().for_each(|line| preamble.line(line));
        self.tabular.header(header.columns.clone(), &preamble)?;
        (self.header, self.seen) = (Some(header), 0);
        Ok(())
    }

    /// Rows so far that are records or parts of them.
    pub(super) fn records(&self) -> u64 {
        self.tabular.records()
    }

    pub(super) fn row(&mut self, row: GridRow) -> Handled {
        let GridRow { lines, mut cells, trouble } = row;
        let Some((above, width)) = self.header.as_ref().map(|header| (header.rows, header.columns.len())) else { return Ok(()) };
        self.seen += 1;
        if self.seen <= above || cells.iter().all(|cell| *cell == Cell::Empty) && trouble.is_none() {
            return Ok(());
        }
        let is_blank = trouble.is_none()
            && cells.iter().all(|cell| matches!(cell, Cell::Empty | Cell::Text(_)) && cell.text().trim().is_empty());
        if self.region(&cells, trouble.as_deref()) == Region::Footer || is_blank {
            return self.tabular.ignored(lines);
        }
        if trouble.is_none()
            && let Some(handled) = self.other_header(lines, &cells)
        {
            return handled;
        }
        let spare = cells.iter().skip(width).any(|cell| *cell != Cell::Empty);
        match trouble {
            Some(trouble) => self.tabular.broken(lines, &trouble, &cells),
            None if spare => {
                let has = cells.len();
                self.tabular.broken(lines, &format!("has {has} cells, the header has {width}; name all columns"), &cells)
            }
            None => {
                self.errors.take(&mut cells, self.tabular.records() + 1);
                self.styled |= cells.iter().any(is_styled);
                self.tabular.row(lines, cells)
            }
        }
    }

    /// A row that names the columns once more, perhaps in another order.
    fn other_header(&mut self, lines: [u64; 2], cells: &[Cell]) -> Option<Handled> {
        let header = self.header.as_mut()?;
        let texts: Vec<String> = cells.iter().map(|cell| cell.text().to_owned()).collect();
        Some(match tables::named(&texts, &header.columns, &self.source.columns)? {
            Named::Again => self.tabular.ignored(lines),
            Named::Anew(heading) => {
                let mut preamble = Preamble::new(self.source);
                header.above.iter().for_each(|line| preamble.line(line));
                header.columns.clone_from(&heading.columns);
                self.tabular.header(heading.columns, &preamble).and_then(|()| self.tabular.ignored(lines))
            }
            Named::Lacking(name) => Err(tables::other_header(self.file, &name)),
        })
    }

    /// Whether a row is of the footer.
    fn region(&mut self, cells: &[Cell], trouble: Option<&str>) -> Region {
        let Some(footer) = &mut self.footer else { return Region::Records };
        if trouble.is_some() {
            return footer.unreadable_row();
        }
        let texts: Vec<&str> = cells.iter().map(Cell::text).collect();
        footer.row(&SeenRow {
            line: joined(cells),
            amount: self.sum.and_then(|column| texts.get(column)).map(|text| (*text).to_owned()).unwrap_or_default(),
            filled: texts.iter().filter(|text| !text.trim().is_empty()).count(),
        })
    }

    fn end_footer(&mut self) {
        self.notes.extend(self.footer.take().map(|footer| footer.notes()).unwrap_or_default());
    }

    pub(super) fn finish(mut self) -> Result<Translation, OpenError> {
        self.end_footer();
        let numbers = if self.styled { Numbers::AnyWay } else { Numbers::OneWay };
        let translation = self.tabular.finish()?;
        let notes = [translation.notes, self.errors.note(self.file).into_iter().collect(), self.notes].concat();
        // Where there was no table nothing is known of the columns.
        let missing = if self.header.is_some() { translation.missing } else { Vec::new() };
        Ok(Translation { numbers, notes, missing, ..translation })
    }
}

/// What spreadsheets write where a formula has no value.
const ERRORS: [&str; 10] =
    ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#GETTING_DATA"];

impl Errors {
    /// Counts the errors of a row; one that a page or a copied cell holds as text is no value either.
    fn take(&mut self, cells: &mut [Cell], record: u64) {
        for cell in cells {
            if let Cell::Text(text) = cell
                && ERRORS.contains(&text.trim())
            {
                *cell = Cell::Error(std::mem::take(text));
            }
            if let Cell::Error(text) = cell {
                self.count += 1;
                self.first.get_or_insert_with(|| (text.clone(), record));
            }
        }
    }

    fn note(&self, file: &str) -> Option<Note> {
        let (text, record) = self.first.as_ref()?;
        let count = self.count;
        let message = format!(
            "{file}: {count} cells hold an error of the spreadsheet, the first {text:?} in record {record}; they count as empty, repair the formulas"
        );
        Some(Note { code: "spreadsheet_error".to_owned(), message })
    }
}

/// True for a text that is a number, with signs that mean different things in different countries.
fn is_styled(cell: &Cell) -> bool {
    let Cell::Text(text) = cell else { return false };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.contains(['.', ',']) && digits > 0 && digits < text.len() && text.bytes().all(|byte| !byte.is_ascii_alphabetic())
}
