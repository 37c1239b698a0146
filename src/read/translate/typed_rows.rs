//! Delimited text whose rows are no records yet: several types of row in one file, or several rows to a record.

use super::Translation;
use super::original::{Handled, Original, Passed, pass};
use super::tabular::{Cell, Tabular};
use crate::domain::record::{Block, Blocks, Region};
use crate::domain::report::Note;
use crate::read::broken::unusable;
use crate::read::csv::{Quotes, Row, RowWalk, Shape, never_closes, wrong_width};
use crate::read::footer::{self, Footed};
use crate::read::glance::delimiter_name;
use crate::read::header::{self, DELIMITERS};
use crate::read::preamble::Preamble;
use crate::read::quotes::RowCutter;
use crate::read::tables::{self, Named};
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
    let mut tabular = Tabular::new(original);
    let Some(table) = header::find(original.name(), original.sample, source)? else { return tabular.finish() };
    let footed = footer::Table { shape: table.shape, width: table.least, sum: table.sum };
    let mut preamble = Preamble::new(source);
    preamble.text(original.sample.text.get(..table.header).unwrap_or_default(), table.shape);
    tabular.header(table.columns.clone(), &preamble)?;
    let mut columns = table.columns;
    let start = (table.start as u64, table.lines);
    let Passed { fault, notes } =
        each_row(original, footed, start, &mut |row| match tables::named(&row.cells, &columns, &source.columns)
            .filter(|_| row.trouble.is_none())
        {
            None => add(&mut tabular, row, &(header::least(&columns)..=columns.len())),
            Some(Named::Again) => tabular.ignored(row.lines),
            Some(Named::Anew(heading)) => {
                columns.clone_from(&heading.columns);
                tabular.header(heading.columns, &preamble)?;
                tabular.ignored(row.lines)
            }
            Some(Named::Lacking(name)) => Err(tables::other_header(original.name(), &name)),
        })?;
    let mut translation = tabular.finish()?;
    translation.notes.extend(notes);
    translation.facts = facts(original, table.shape);
    translation.fault = fault;
    Ok(translation)
}

/// Rows that say in their first cell what they are.
fn typed(original: &Original<'_>, types: &RecordTypes) -> Result<Translation, OpenError> {
    let shape = shape(original, types);
    let mut sections = Sections {
        types,
        shape,
        preamble: Preamble::new(original.source),
        tabular: Tabular::new(original),
        counts: Counts { of: types.counts.iter().map(|name| (name.clone(), 0)).collect(), notes: Vec::new() },
        header: Heading::None,
    };
    let table = footer::Table { shape, width: 0, sum: None };
    let Passed { fault, notes } = each_row(original, table, (0, 0), &mut |row| sections.row(original.name(), row))?;
    if sections.header == Heading::None && fault.is_none() {
        return Err(OpenError::NoRecordTypes { file: original.name().to_owned(), types: types.data.join("\", \"") });
    }
    let mut translation = sections.tabular.finish()?;
    translation.facts = facts(original, shape);
    translation.notes.extend(sections.counts.notes.into_iter().chain(notes));
    translation.fault = fault;
    Ok(translation)
}

/// What names the columns of the rows of data that come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    /// Nothing did so far.
    None,
    /// A row of so many cells.
    Width(usize),
    /// A row that could not be read.
    Unreadable,
}

/// The rows of a file, each of the type that it says.
struct Sections<'s> {
    types: &'s RecordTypes,
    shape: Shape,
    preamble: Preamble<'s>,
    tabular: Tabular<'s>,
    counts: Counts,
    header: Heading,
}

impl Sections<'_> {
    fn row(&mut self, file: &str, row: FoundRow) -> Handled {
        if row.region == Region::Footer {
            return self.tabular.ignored(row.lines);
        }
        let first = row.cells.first().map(|cell| cell.trim().to_owned()).unwrap_or_default();
        if self.types.data.contains(&first) {
            return self.data(row);
        }
        if self.types.header.contains(&first) {
            return match &row.trouble {
                None => {
                    self.header = Heading::Width(row.cells.len());
                    self.tabular.header(header::names(&row.cells), &self.preamble)
                }
                Some(trouble) => {
                    // The columns of the section before are not those of the rows to come.
                    self.header = Heading::Unreadable;
                    self.tabular.broken(row.lines, trouble, &[])
                }
            };
        }
        self.counts.check(file, &first, &row);
        match &row.trouble {
            // It might have been a record.
            Some(trouble) => self.tabular.broken(row.lines, trouble, &[]),
            None => {
                self.preamble.line(&row.cells.join(char::from(self.shape.delimiter).encode_utf8(&mut [0; 4])));
                self.tabular.ignored(row.lines)
            }
        }
    }

    fn data(&mut self, row: FoundRow) -> Handled {
        self.counts.of.iter_mut().for_each(|(_, count)| *count += 1);
        let width = match self.header {
            Heading::Width(width) => width,
            Heading::None => {
                let names = (1..=row.cells.len()).map(|number| number.to_string()).collect();
                self.tabular.header(names, &self.preamble)?;
                self.header = Heading::Width(row.cells.len());
                row.cells.len()
            }
            Heading::Unreadable => {
                let reason = "stands below a header that could not be read; repair that header";
                return self.tabular.broken(row.lines, row.trouble.as_deref().unwrap_or(reason), &cells_of(row.cells));
            }
        };
        add(&mut self.tabular, row, &(width..=width))
    }
}

/// A row that must have as many cells as this; empty ones may be beyond.
fn add(tabular: &mut Tabular<'_>, row: FoundRow, width: &RangeInclusive<usize>) -> Handled {
    let FoundRow { lines, region, mut cells, trouble } = row;
    if region == Region::Footer {
        return tabular.ignored(lines);
    }
    if let Some(trouble) = trouble {
        return tabular.broken(lines, &trouble, &cells_of(cells));
    }
    if cells.iter().all(|cell| cell.trim().is_empty()) {
        return tabular.ignored(lines);
    }
    let spare = cells.iter().skip(*width.end()).any(|cell| !cell.is_empty());
    if cells.len() < *width.start() || spare {
        let trouble = wrong_width(cells.len(), *width.start());
        return tabular.broken(lines, &trouble, &cells_of(cells));
    }
    cells.truncate(*width.end());
    tabular.row(lines, cells_of(cells))
}

fn cells_of(cells: Vec<String>) -> Vec<Cell> {
    cells.into_iter().map(Cell::of).collect()
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
    vec!["csv".to_owned(), delimiter_name(shape.delimiter), original.encoding().to_owned()]
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
