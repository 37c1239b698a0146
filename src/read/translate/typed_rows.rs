//! Delimited text whose rows are no records yet: several types of row in one file, or several rows to a record.

use super::Translation;
use super::original::{Handled, Original, Passed, pass};
use super::tabular::{Cell, Tabular};
use crate::domain::record::{Block, Blocks, Region};
use crate::domain::report::Note;
use crate::read::broken::unusable;
use crate::read::csv::{Quotes, Row, RowWalk, Shape, never_closes, wrong_width};
use crate::read::footer::{self, Footed};
use crate::read::header::{self, DELIMITERS};
use crate::read::quotes::RowCutter;
use crate::read::{BLOCK_BYTES, OpenError};
use crate::rules::RecordTypes;
use std::ops::RangeInclusive;

/// Rows looked at to tell the delimiter.
const ROWS_LOOKED_AT: usize = 50;

/// A row with all of its cells.
struct FoundRow {
    lines: [u64; 2],
    region: Region,
    cells: Vec<String>,
    trouble: Option<String>,
}

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    match &original.source.read.record_types {
        Some(types) => typed(original, types),
        None => plain(original),
    }
}

/// Rows of one type under one header.
fn plain(original: &Original<'_>) -> Result<Translation, OpenError> {
    let source = original.source;
    let Some(table) = header::find(original.name(), original.sample, source)? else {
        return Tabular::new(original, Vec::new()).finish(source);
    };
    let width = table.least..=table.columns.len();
    let footed = footer::Table { shape: table.shape, width: table.least, sum: table.sum };
    let mut tabular = Tabular::new(original, table.columns);
    let start = (table.start as u64, table.lines);
    let Passed { fault, notes } = each_row(original, footed, start, &mut |row| add(&mut tabular, row, &width))?;
    let mut translation = tabular.finish(source)?;
    translation.notes = notes;
    translation.facts = facts(original, table.shape);
    translation.fault = fault;
    Ok(translation)
}

/// Rows that say in their first cell what they are.
fn typed(original: &Original<'_>, types: &RecordTypes) -> Result<Translation, OpenError> {
    let source = original.source;
    let shape = shape(original, types);
    let mut tabular = Tabular::new(original, Vec::new());
    let mut counts = Counts { of: types.counts.iter().map(|name| (name.clone(), 0)).collect(), notes: Vec::new() };
    let mut width = None;
    let table = footer::Table { shape, width: 0, sum: None };
    let Passed { fault, notes } = each_row(original, table, (0, 0), &mut |row| {
        if row.region == Region::Footer {
            return tabular.ignored(row.lines);
        }
        let first = row.cells.first().map(|cell| cell.trim().to_owned()).unwrap_or_default();
        if types.data.contains(&first) {
            counts.of.iter_mut().for_each(|(_, count)| *count += 1);
            let names = || (1..=row.cells.len()).map(|number| number.to_string()).collect();
            let needs = match width {
                Some(width) => width,
                None => {
                    tabular.rename(source, names())?;
                    row.cells.len()
                }
            };
            width = Some(needs);
            return add(&mut tabular, row, &(needs..=needs));
        }
        if types.header.contains(&first) && row.trouble.is_none() {
            width = Some(row.cells.len());
            return tabular.rename(source, header::names(&row.cells));
        }
        counts.check(original.name(), &first, &row);
        match &row.trouble {
            // It might have been a record.
            Some(trouble) => tabular.broken(row.lines, trouble),
            None => tabular.ignored(row.lines),
        }
    })?;
    let mut translation = tabular.finish(source)?;
    if translation.columns.is_empty() && fault.is_none() {
        return Err(OpenError::NoRecordTypes { file: original.name().to_owned(), types: types.data.join("\", \"") });
    }
    translation.facts = facts(original, shape);
    translation.notes = counts.notes;
    translation.notes.extend(notes);
    translation.fault = fault;
    Ok(translation)
}

/// A row that must have as many cells as this; empty ones may be beyond.
fn add(tabular: &mut Tabular, row: FoundRow, width: &RangeInclusive<usize>) -> Handled {
    let FoundRow { lines, region, mut cells, trouble } = row;
    if region == Region::Footer {
        return tabular.ignored(lines);
    }
    if let Some(trouble) = trouble {
        return tabular.broken(lines, &trouble);
    }
    let spare = cells.iter().skip(*width.end()).any(|cell| !cell.is_empty());
    if cells.len() < *width.start() || spare {
        return tabular.broken(lines, &wrong_width(cells.len(), *width.start()));
    }
    cells.truncate(*width.end());
    tabular.row(lines, cells.into_iter().map(Cell::of).collect())
}

/// Rows that count the rows of data before them.
struct Counts {
    /// Type of the counting row, and rows since the last of it.
    of: Vec<(String, u64)>,
    notes: Vec<Note>,
}

impl Counts {
    fn check(&mut self, file: &str, first: &str, row: &FoundRow) {
        let Some((name, found)) = self.of.iter_mut().find(|(name, _)| name == first) else { return };
        let told = row.cells.get(1).map(|cell| cell.trim().to_owned()).unwrap_or_default();
        if told.parse() != Ok(*found) {
            let [line, _] = row.lines;
            let message = format!(
                "{file}:{line}: row {name:?} tells of {told:?} rows of data, but {found} stand before it; check that the file is whole"
            );
            self.notes.push(Note { code: "wrong_total".to_owned(), message });
        }
        *found = 0;
    }
}

/// The delimiter under which most rows begin with a known type.
fn shape(original: &Original<'_>, types: &RecordTypes) -> Shape {
    let line_end = original.sample.line_end;
    let known = |cells: &[String]| {
        let first = cells.first().map(|cell| cell.trim()).unwrap_or_default();
        cells.len() > 1 && [&types.header, &types.data, &types.counts].iter().any(|names| names.iter().any(|name| name == first))
    };
    let score = |delimiter: u8| {
        let block = Block { text: original.sample.text.clone(), ..Block::default() };
        let mut found = 0;
        let mut left = ROWS_LOOKED_AT;
        each_row_of(&block, Shape { delimiter, line_end }, |_, _, cells| {
            found += usize::from(known(&cells));
            left -= 1;
            left > 0
        });
        found
    };
    let delimiter = original.source.read.delimiter.unwrap_or_else(|| {
        // The first of the best; `max_by_key` would take the last.
        let best = DELIMITERS.iter().copied().rev().max_by_key(|delimiter| score(*delimiter));
        best.unwrap_or(b',')
    });
    Shape { delimiter, line_end }
}

fn facts(original: &Original<'_>, shape: Shape) -> Vec<String> {
    let delimiter = match shape.delimiter {
        b'\t' => "tab".to_owned(),
        other => format!("\"{}\"", char::from(other)),
    };
    vec!["csv".to_owned(), delimiter, original.encoding().to_owned()]
}

/// Hands over the rows that begin at a byte of the text with so many lines before it, up to the footer.
fn each_row(
    original: &Original<'_>,
    table: footer::Table,
    (start, lines): (u64, u64),
    each: &mut dyn FnMut(FoundRow) -> Handled,
) -> Result<Passed, OpenError> {
    let Shape { delimiter, line_end } = table.shape;
    let mut line = lines + 1;
    let walk = original.walk(start, RowCutter { delimiter, line_end }, BLOCK_BYTES)?;
    let blocks: Box<dyn Blocks + '_> = match &original.source.read.footer {
        Some(footer) => Box::new(Footed::new(original.name(), footer, table, walk)),
        None => Box::new(walk),
    };
    pass(blocks, &mut |block| {
        let mut handled = Ok(());
        each_row_of(block, table.shape, |start, row, cells| {
            let left_out = block.oversize.map_or(0, |whole| u64::from(whole.lines));
            let lines = [line, line + u64::from(row.lines) + left_out - 1];
            line = lines[1] + 1;
            if !row.is_blank(start) {
                let trouble = trouble(original, block, start, row);
                handled = each(FoundRow { lines, region: block.region, cells, trouble });
            }
            handled.is_ok()
        });
        handled
    })
}

/// Calls `each` with the start of every row, the row and its cells, as long as it wants more.
fn each_row_of(block: &Block, shape: Shape, mut each: impl FnMut(usize, &Row, Vec<String>) -> bool) {
    let text = block.text.as_bytes();
    let mut walk = RowWalk::new(text, 0, shape);
    let mut start = 0;
    while start < text.len() {
        let mut cells = Vec::new();
        let row = walk.row(start, |_, span| {
            let mut cell = String::new();
            span.read(&block.text, &mut cell);
            cells.push(cell);
        });
        if !each(start, &row, cells) {
            return;
        }
        start = row.next;
    }
}

fn trouble(original: &Original<'_>, block: &Block, start: usize, row: &Row) -> Option<String> {
    let broken = unusable(block, start..row.end, 0, row.lines, original.encoding());
    broken.map(|broken| broken.reason).or(match row.quotes {
        Quotes::Open(at) => Some(never_closes(block.text.get(at..row.end).unwrap_or_default())),
        Quotes::Closed => None,
    })
}
