//! The table of blocks: where each lies, and the numbers of its records and lines.

use super::EngineError;
use super::row::Place;
use crate::domain::record::{Block, CARRIED, Input, InputError};

/// One block as pass one saw it.
#[derive(Clone, Copy, Debug)]
pub struct BlockFacts {
    /// Index of the input.
    pub input: u32,
    /// Position in the decompressed, transcoded text of the input.
    pub offset: u64,
    /// Bytes of text.
    pub length: u32,
    /// Numbered records: used or not.
    pub records: u32,
    /// Physical lines.
    pub lines: u32,
    /// Nanoseconds since 1970 of the last event that has a time.
    pub latest: Option<i64>,
    /// [`digest`] of its text.
    pub digest: u64,
}

/// Tells whether a block is read again as it was read first.
pub fn digest(block: &Block) -> u64 {
    xxhash_rust::xxh3::xxh3_64(block.text.as_bytes())
}

impl BlockFacts {
    /// True when each record is one line, and each line a record, where records cover whole lines.
    pub fn is_line_by_line(&self) -> bool {
        self.records == self.lines
    }
}

/// All blocks of a scan, in the order of inputs and offsets.
#[derive(Debug, Default)]
pub struct BlockTable {
    blocks: Vec<BlockFacts>,
    /// Records and lines of the same input before each block.
    before: Vec<(u64, u64)>,
    /// For each number that pass one gave out: the place of that block in the order.
    rank: Vec<u32>,
    /// For each input: records before its first block.
    first: Vec<u64>,
}

impl BlockTable {
    /// From the blocks in the order in which threads happened to take them. `first` are the records before the first block of each input.
    pub fn new(taken: Vec<BlockFacts>, first: Vec<u64>) -> Self {
        let mut order: Vec<u32> = (0..taken.len() as u32).collect();
        order.sort_by_key(|number| {
            let block = &taken[*number as usize];
            (block.input, block.offset)
        });
        let mut rank = vec![0; taken.len()];
        let mut blocks = Vec::with_capacity(taken.len());
        let mut before = Vec::with_capacity(taken.len());
        let (mut input, mut records, mut lines) = (u32::MAX, 0, 0);
        for (place, number) in order.into_iter().enumerate() {
            let block = taken[number as usize];
            if block.input != input {
                (input, records, lines) = (block.input, 0, 0);
            }
            rank[number as usize] = place as u32;
            before.push((records, lines));
            records += u64::from(block.records);
            lines += u64::from(block.lines);
            blocks.push(block);
        }
        Self { blocks, before, rank, first }
    }

    pub fn block(&self, place: Place) -> Option<&BlockFacts> {
        self.blocks.get(place.block())
    }

    /// Reads blocks of an input again, by their numbers, and gives each with its index among these.
    ///
    /// # Errors
    /// The input cannot be read, or one of the blocks is not what it was when it was read first.
    pub fn reread(&self, input: &dyn Input, numbers: &[usize], mut each: impl FnMut(usize, &Block)) -> Result<(), EngineError> {
        let wanted: Vec<(u64, usize)> = numbers.iter().filter_map(|number| self.lies(*number)).collect();
        let mut is_as_it_was = true;
        input.reread(&wanted, &mut |index, block| {
            is_as_it_was &= numbers.get(index).is_some_and(|number| self.is_as_it_was(*number, block));
            each(index, block);
        })?;
        match is_as_it_was {
            true => Ok(()),
            false => Err(InputError::Changed { file: input.name().to_owned() }.into()),
        }
    }

    /// Whether a block that was read again, by its number, holds what it held.
    fn is_as_it_was(&self, number: usize, block: &Block) -> bool {
        self.blocks.get(number).is_some_and(|facts| facts.digest == digest(block))
    }

    /// The place with its block's number replaced by its place in the order, so that places compare as records stand in the inputs.
    pub fn ranked(&self, place: Place) -> Place {
        match self.rank.get(place.block()) {
            Some(rank) => place.in_block(*rank as usize),
            None => place,
        }
    }

    /// 1-based number of a record in its input.
    pub fn record_number(&self, place: Place) -> u64 {
        let first = self.block(place).and_then(|block| self.first.get(block.input as usize)).copied().unwrap_or_default();
        self.before.get(place.block()).map_or(0, |(records, _)| first + records + u64::from(place.row()) + 1)
    }

    /// True where a record was carried from an earlier night.
    pub fn is_carried(&self, place: Place) -> bool {
        self.block(place).is_some_and(|block| block.offset >= CARRIED)
    }

    /// The blocks of an input, in their order.
    pub fn of_input(&self, input: usize) -> impl Iterator<Item = usize> {
        let from = self.blocks.partition_point(|block| (block.input as usize) < input);
        let to = self.blocks.partition_point(|block| (block.input as usize) <= input);
        from..to
    }

    /// Records and lines in the blocks of an input that are its own.
    pub fn extent(&self, input: usize) -> (u64, u64) {
        let own = self.of_input(input).filter_map(|block| self.blocks.get(block)).filter(|block| block.offset < CARRIED);
        own.fold((0, 0), |(records, lines), block| (records + u64::from(block.records), lines + u64::from(block.lines)))
    }

    /// Where a block lies in its input, and its length.
    pub fn lies(&self, block: usize) -> Option<(u64, usize)> {
        self.blocks.get(block).map(|block| (block.offset, block.length as usize))
    }

    /// Nanoseconds since 1970 of the last event of a block.
    pub fn latest(&self, block: usize) -> Option<i64> {
        self.blocks.get(block)?.latest
    }

    /// Lines of the same input before a block, counted from where the first block starts.
    pub fn lines_before(&self, block: usize) -> u64 {
        self.before.get(block).map_or(0, |(_, lines)| *lines)
    }
}

/// One bit for each record of each block.
#[derive(Debug, Default)]
pub struct RecordSet {
    blocks: Vec<Vec<u64>>,
    count: u64,
}

impl RecordSet {
    pub fn insert(&mut self, place: Place) {
        if self.blocks.len() <= place.block() {
            self.blocks.resize(place.block() + 1, Vec::new());
        }
        let words = &mut self.blocks[place.block()];
        let (word, bit) = (place.row() as usize / 64, place.row() % 64);
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        self.count += u64::from(words[word] >> bit & 1 == 0);
        words[word] |= 1 << bit;
    }

    pub fn contains(&self, place: Place) -> bool {
        let word = self.blocks.get(place.block()).and_then(|words| words.get(place.row() as usize / 64));
        word.is_some_and(|word| word >> (place.row() % 64) & 1 == 1)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
