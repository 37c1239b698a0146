//! The footer of a table: where it begins, and whether the totals in it are those of the rows above it.

use super::csv::{Quotes, RowWalk, Shape};
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
    /// Cells that hold something.
    pub(super) filled: usize,
}

impl<'f> Watch<'f> {
    pub(super) fn new(file: &'f str, footer: &'f Footer, width: usize) -> Self {
        Self { file, footer, width, region: Region::Records, totals: Totals::default() }
    }

    /// Where a row is; a footer begins once, and all that follows is of it.
    pub(super) fn row(&mut self, SeenRow { line, amount, filled }: &SeenRow) -> Region {
        let is_known = self.footer.patterns.iter().any(|pattern| pattern.is_match(line));
        if is_known {
            self.region = Region::Footer;
        }
        match self.region {
            Region::Records => self.totals.row(amount),
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
    blocks: B,
    /// The footer's part of a block whose other part was delivered.
    rest: Option<Block>,
}

impl<'f, B: Blocks> Footed<'f, B> {
    pub(super) fn new(file: &'f str, footer: &'f Footer, table: Table, blocks: B) -> Self {
        Self { watch: Watch::new(file, footer, table.width), table, blocks, rest: None }
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
                seen.filled += usize::from(seen.line.len() > before);
                if sum == Some(column) {
                    span.read(text, &mut seen.amount);
                }
            });
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
        let Some(at) = self.pass(&block) else { return Ok(Some(block)) };
        let footer = cut_off(&mut block, at);
        if at == 0 {
            return Ok(Some(footer));
        }
        self.rest = Some(footer);
        Ok(Some(block))
    }

    fn give_back(&mut self, text: String) {
        self.blocks.give_back(text);
    }

    fn facts(&mut self) -> InputFacts {
        let mut facts = self.blocks.facts();
        facts.notes.extend(self.watch.notes());
        facts
    }
}

/// Takes the part of a block from byte `at` on, which is the footer.
fn cut_off(block: &mut Block, at: usize) -> Block {
    let damaged = block.damaged.split_off(block.damaged.partition_point(|place| (*place as usize) < at));
    Block {
        offset: block.offset + at as u64,
        text: block.text.split_off(at),
        damaged: damaged.into_iter().map(|place| place - at as u32).collect(),
        oversize: block.oversize.take(),
        region: Region::Footer,
    }
}
