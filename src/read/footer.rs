//! The footer of a table: where it begins, and whether the totals in it are those of the rows above it.

use super::csv::{Quotes, RowWalk, Shape};
use super::totals::Totals;
use crate::domain::record::{Block, Blocks, InputError, InputFacts, Region};
use crate::rules::Footer;

/// What is known of the table above a footer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// Columns that the header names.
    pub(super) width: usize,
    /// The column whose sum a footer tells.
    pub(super) sum: Option<usize>,
}

/// The blocks of a table with the footer in blocks of its own. It sees them in order, as no splitter does: a footer begins once, and all
/// that follows is of it.
pub(super) struct Footed<'f, B> {
    file: &'f str,
    footer: &'f Footer,
    table: Table,
    blocks: B,
    region: Region,
    /// The footer's part of a block whose other part was delivered.
    rest: Option<Block>,
    totals: Totals,
}

impl<'f, B: Blocks> Footed<'f, B> {
    pub(super) fn new(file: &'f str, footer: &'f Footer, table: Table, blocks: B) -> Self {
        Self { file, footer, table, blocks, region: Region::Records, rest: None, totals: Totals::default() }
    }

    /// Adds up the rows of a block. Returns where the first of them stands that begins the footer.
    fn pass(&mut self, block: &Block) -> Option<usize> {
        if block.oversize.is_some() {
            self.totals.unreadable_row();
            return None;
        }
        let Table { shape, sum, .. } = self.table;
        let text = block.text.as_str();
        let mut walk = RowWalk::new(text.as_bytes(), 0, shape);
        let (mut start, mut line, mut amount) = (0, String::new(), String::new());
        while start < text.len() {
            amount.clear();
            line.clear();
            let row = walk.row(start, |column, span| {
                if column > 0 {
                    line.push(char::from(shape.delimiter));
                }
                span.read(text, &mut line);
                if sum == Some(column) {
                    span.read(text, &mut amount);
                }
            });
            if !row.is_blank(start) {
                // A row whose quote never closes has no cells to speak of.
                if row.quotes == Quotes::Closed && self.footer.patterns.iter().any(|pattern| pattern.is_match(&line)) {
                    return Some(start);
                }
                self.totals.row(&amount);
            }
            start = row.next;
        }
        None
    }

    /// Notes what the footer's part of a block says.
    fn listen(&mut self, block: &Block) {
        let Table { shape, width, .. } = self.table;
        let text = block.text.as_str();
        let mut walk = RowWalk::new(text.as_bytes(), 0, shape);
        let (mut start, mut line) = (0, String::new());
        while start < text.len() {
            line.clear();
            let mut filled = 0;
            let row = walk.row(start, |column, span| {
                if column > 0 {
                    line.push(char::from(shape.delimiter));
                }
                let before = line.len();
                span.read(text, &mut line);
                filled += usize::from(line.len() > before);
            });
            self.totals.footer_row(&line, self.footer);
            if filled > 1 && filled * 2 > width {
                self.totals.row_below();
            }
            start = row.next;
        }
    }
}

impl<B: Blocks> Blocks for Footed<'_, B> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        if let Some(rest) = self.rest.take() {
            return Ok(Some(rest));
        }
        let Some(mut block) = self.blocks.next_block()? else { return Ok(None) };
        let begins = match self.region {
            Region::Footer => Some(0),
            Region::Records => self.pass(&block),
        };
        let Some(at) = begins else { return Ok(Some(block)) };
        self.region = Region::Footer;
        let mut footer = cut_off(&mut block, at);
        footer.region = Region::Footer;
        self.listen(&footer);
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
        facts.notes.extend(self.totals.notes(self.file, self.footer));
        facts
    }
}

/// Takes the part of a block from byte `at` on.
fn cut_off(block: &mut Block, at: usize) -> Block {
    let damaged = block.damaged.split_off(block.damaged.partition_point(|place| (*place as usize) < at));
    Block {
        offset: block.offset + at as u64,
        text: block.text.split_off(at),
        damaged: damaged.into_iter().map(|place| place - at as u32).collect(),
        oversize: block.oversize.take(),
        region: block.region,
    }
}
