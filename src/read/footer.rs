//! The footer of a table: where it begins, and whether the totals in it are those of the rows above it.

use super::csv::{Quotes, RowWalk, Shape};
use super::header;
use super::preamble::Preamble;
use super::tables::Tables;
use super::totals::Totals;
use crate::domain::record::{Block, Blocks, InputError, InputFacts, Region};
use crate::domain::report::Note;
use crate::rules::Footer;

/// Sees the rows of a table in order, tells those of its footer from the others, and adds up.
pub(super) struct Watch<'f> {
    file: &'f str,
    footer: &'f Footer,
    /// Columns that the header names.
    width: usize,
    region: Region,
    totals: Totals,
}

/// A row of a table.
#[derive(Debug, Default)]
pub(super) struct SeenRow {
    /// Its cells, joined by the delimiter.
    pub(super) line: String,
    /// What stands in the column whose sum a footer tells.
    pub(super) amount: String,
    /// Cells that hold something but blanks.
    pub(super) filled: usize,
}

impl<'f> Watch<'f> {
    pub(super) fn new(file: &'f str, footer: &'f Footer, width: usize) -> Self {
        Self { file, footer, width, region: Region::Records, totals: Totals::default() }
    }

    /// Where a row is; a footer begins once, and all that follows is of it, up to the header of another table.
    pub(super) fn row(&mut self, SeenRow { line, amount, filled }: &SeenRow) -> Region {
        let is_known = self.footer.patterns.iter().any(|pattern| pattern.is_match(line));
        if is_known {
            self.region = Region::Footer;
        }
        match self.region {
            // Spreadsheets fill empty rows with delimiters.
            _ if *filled == 0 => {}
            Region::Records | Region::Header => self.totals.row(amount),
            Region::Footer => {
                self.totals.footer_row(line, self.footer);
                if !is_known && *filled > 1 && filled * 2 > self.width {
                    self.totals.row_below();
                }
            }
        }
        self.region
    }

    /// Where a row is that cannot be read.
    pub(super) fn unreadable_row(&mut self) -> Region {
        if self.region == Region::Records {
            self.totals.unreadable_row();
        }
        self.region
    }

    /// What the footer says that is not so.
    pub(super) fn notes(&self) -> Vec<Note> {
        self.totals.notes(self.file, self.footer)
    }
}

/// What is known of the table above a footer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// Columns that the header names.
    pub(super) width: usize,
    /// The column whose sum a footer tells.
    pub(super) sum: Option<usize>,
}

/// The blocks of a table with the footer in blocks of its own. It sees them in order, as no splitter does.
pub(super) struct Footed<'f, B> {
    watch: Watch<'f>,
    table: Table,
    /// The tables of the text, where it may have several.
    tables: Option<&'f Tables>,
    /// What the lines below the table at hand say of the next one.
    preamble: Preamble<'f>,
    /// Of the tables before.
    notes: Vec<Note>,
    blocks: B,
    /// The footer's part of a block whose other part was delivered.
    rest: Option<Block>,
}

impl<'f, B: Blocks> Footed<'f, B> {
    pub(super) fn new(file: &'f str, footer: &'f Footer, table: Table, blocks: B) -> Self {
        let watch = Watch::new(file, footer, table.width);
        Self { watch, table, tables: None, preamble: Preamble::of(&[], &[]), notes: Vec::new(), blocks, rest: None }
    }

    /// Of a text that may have these tables one below the other, each with its own footer.
    pub(super) fn with_tables(mut self, tables: &'f Tables) -> Self {
        self.tables = Some(tables);
        self.preamble = Preamble::of(&tables.preamble, &tables.asked);
        self
    }

    /// The header of another table begins at this place.
    fn begin(&mut self, tables: &'f Tables, offset: u64) {
        let preamble = std::mem::replace(&mut self.preamble, Preamble::of(&tables.preamble, &tables.asked));
        // A header repeated among the records begins no table of its own.
        if self.watch.region == Region::Footer || !preamble.constants().is_empty() {
            tables.tell(offset, preamble.constants());
            self.notes.extend(preamble.notes(self.watch.file));
            let next = Watch::new(self.watch.file, self.watch.footer, self.table.width);
            self.notes.extend(std::mem::replace(&mut self.watch, next).notes());
        }
        let heading = tables.heading(offset);
        let sum = self.watch.footer.sum_column.as_ref();
        self.table.sum = sum.and_then(|name| header::position(&heading.columns, name));
        self.table.width = heading.least;
        self.watch.width = heading.least;
    }

    /// Passes the rows of a block. Returns where the first of them stands that is of the footer.
    fn pass(&mut self, block: &Block) -> Option<usize> {
        let mut begins = (self.watch.region == Region::Footer).then_some(0);
        if block.oversize.is_some() {
            self.watch.unreadable_row();
            return begins;
        }
        let Table { shape, sum, .. } = self.table;
        let text = block.text.as_str();
        let mut walk = RowWalk::new(text.as_bytes(), 0, shape);
        let (mut start, mut seen) = (0, SeenRow::default());
        while start < text.len() {
            seen.line.clear();
            seen.amount.clear();
            seen.filled = 0;
            let row = walk.row(start, |column, span| {
                if column > 0 {
                    seen.line.push(char::from(shape.delimiter));
                }
                let before = seen.line.len();
                span.read(text, &mut seen.line);
                seen.filled += usize::from(seen.line.get(before..).is_some_and(|cell| !cell.trim().is_empty()));
                if sum == Some(column) {
                    span.read(text, &mut seen.amount);
                }
            });
            // Those of a sheet are padded with delimiters.
            seen.line.truncate(shape.unpadded(&seen.line).len());
            if seen.filled * 2 <= self.table.width {
                self.preamble.line(&seen.line);
            }
            if !row.is_blank(start) {
                // A row whose quote never closes has no cells to speak of.
                let region = if row.quotes == Quotes::Closed { self.watch.row(&seen) } else { self.watch.unreadable_row() };
                if region == Region::Footer {
                    begins.get_or_insert(start);
                }
            }
            start = row.next;
        }
        begins
    }
}

impl<B: Blocks> Blocks for Footed<'_, B> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        if let Some(rest) = self.rest.take() {
            return Ok(Some(rest));
        }
        let Some(mut block) = self.blocks.next_block()? else { return Ok(None) };
        if let (Region::Header, Some(tables)) = (block.region, self.tables) {
            self.begin(tables, block.offset);
            return Ok(Some(block));
        }
        let Some(at) = self.pass(&block) else { return Ok(Some(block)) };
        let footer = Block { region: Region::Footer, ..block.cut_off(at) };
        if at == 0 {
            return Ok(Some(footer));
        }
        self.rest = Some(footer);
        Ok(Some(block))
    }

    fn give_back(&mut self, text: String) {
        self.blocks.give_back(text);
    }

    fn stored_read(&mut self) -> u64 {
        self.blocks.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        let mut facts = self.blocks.facts();
        facts.notes.append(&mut self.notes);
        facts.notes.extend(self.watch.notes());
        facts
    }
}
