//! The second visit: records of pass one are found again by their places and mapped again.

use super::amount::Exponents;
use super::blocks::{BlockFacts, BlockTable};
use super::derive::DerivedCells;
use super::keyer::{RuleKeyer, Viewed};
use super::mapping::{Conventions, Mapper, Mapping};
use super::row::Place;
use super::{EngineError, OpenInput};
use crate::domain::event::Origin;
use crate::domain::record::{Block, Position, Record, Reread, Split};
use crate::rules::Rules;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is needed to find records again.
pub struct SecondVisit<'v> {
    blocks: &'v BlockTable,
    inputs: &'v [OpenInput],
    /// By source.
    readers: Vec<SourceReader<'v>>,
}

struct SourceReader<'r> {
    mapper: Mapper<'r>,
    rules: Vec<RuleKeyer<'r>>,
}

/// A record that was found again.
pub struct Visited<'s, 'a> {
    pub viewed: Viewed<'s, 'a>,
    /// Index of its source.
    pub source: usize,
    /// The rules that judge its source.
    pub rules: &'s [RuleKeyer<'a>],
    /// It was read on an earlier night.
    pub is_carried: bool,
    /// It stands in its file as it is, and is no translation.
    pub is_in_file: bool,
    file: &'s Arc<str>,
    number: u64,
    lines: [u64; 2],
}

/// An input, and its name as the places of its records share it.
struct Named<'n> {
    open: &'n OpenInput,
    file: Arc<str>,
}

/// What is done with each record.
type Each<'e> = &'e mut dyn FnMut(&Visited<'_, '_>);

impl Visited<'_, '_> {
    /// Where the record stands.
    pub fn origin(&self) -> Origin {
        let source = self.viewed.mapper.source.name.clone();
        Origin { source, file: self.file.clone(), record: self.number, lines: self.lines }
    }
}

impl<'v> SecondVisit<'v> {
    pub fn new(blocks: &'v BlockTable, inputs: &'v [OpenInput], rules: &'v Rules, conventions: &[Conventions]) -> Self {
        let reader = |(index, source)| SourceReader {
            mapper: Mapper::new(
                source,
                conventions.get(index).copied().unwrap_or_else(|| Conventions::first(source, Exponents::Refused)),
            ),
            rules: RuleKeyer::of_source(rules, index),
        };
        Self { blocks, inputs, readers: rules.sources.iter().enumerate().map(reader).collect() }
    }

    /// The keyers of the rules that judge a source, ascending by rule.
    pub fn rules(&self, source: usize) -> &[RuleKeyer<'v>] {
        self.readers.get(source).map(|reader| reader.rules.as_slice()).unwrap_or_default()
    }

    /// The keyer of one of them.
    pub fn rule(&self, source: usize, rule: usize) -> Option<&RuleKeyer<'v>> {
        let rules = self.rules(source);
        rules.binary_search_by_key(&rule, |keyer| keyer.index).ok().and_then(|at| rules.get(at))
    }

    /// Calls `each` for every record at `places` (ascending, without repeats) that can be mapped. The work is shared out to all threads of
    /// the pool; each piece of it fills an `A` of its own, and these come back in the order of the places.
    pub fn visit<A, F>(&self, places: &[Place], each: F) -> Result<Vec<A>, EngineError>
    where
        A: Default + Send,
        F: Fn(&mut A, &Visited<'_, '_>) + Sync,
    {
        self.visit_and(places, each, Ok)
    }

    /// As [`Self::visit`]; what comes back is what `done` makes of each `A` as soon as it is full.
    pub fn visit_and<A, B, F, D>(&self, places: &[Place], each: F, done: D) -> Result<Vec<B>, EngineError>
    where
        A: Default,
        B: Send,
        F: Fn(&mut A, &Visited<'_, '_>) + Sync,
        D: Fn(A) -> Result<B, EngineError> + Sync,
    {
        let pieces = share_of_work(places, self.blocks, self.inputs);
        pieces.into_par_iter().map(|piece| done(self.piece(piece, &each)?)).collect()
    }

    fn piece<A: Default>(&self, places: &[Place], each: &impl Fn(&mut A, &Visited<'_, '_>)) -> Result<A, EngineError> {
        let mut gathered = A::default();
        let Some(input) = places.first().and_then(|place| self.blocks.block(*place)).map(|block| block.input as usize) else {
            return Ok(gathered);
        };
        let open = &self.inputs[input];
        let named = Named { open, file: Arc::from(open.input.name()) };
        let is_line = |place: &Place| {
            let block = self.blocks.block(*place).filter(|_| !self.blocks.is_carried(*place));
            open.input.has_lines() && block.is_some_and(BlockFacts::is_line_by_line)
        };
        for alike in places.chunk_by(|a, b| is_line(a) == is_line(b)) {
            let each = &mut |visited: &Visited<'_, '_>| each(&mut gathered, visited);
            match is_line(&alike[0]) {
                true => self.lines(&named, alike, each)?,
                false => self.whole_blocks(&named, alike, each)?,
            }
        }
        Ok(gathered)
    }

    /// Visits records of which each is a line: nothing else is read.
    fn lines(&self, input: &Named<'_>, places: &[Place], each: Each<'_>) -> Result<(), EngineError> {
        let start = |place: &Place| self.blocks.block(*place).map_or(0, |block| block.offset) + place.start() as u64;
        let starts: Vec<u64> = places.iter().map(start).collect();
        let found = input.open.input.reread_lines(&starts, &mut |index, line| {
            if let Some(place) = places.get(index) {
                self.place(input, line, 0, *place, u64::from(place.row()), each);
            }
        })?;
        match found {
            Reread::AsItWas => Ok(()),
            // A line alone does not tell whether it is the one that was there.
            Reread::Grown => self.blocks_again(input, places, &mut |_, _| ()),
        }
    }

    fn whole_blocks(&self, input: &Named<'_>, places: &[Place], each: Each<'_>) -> Result<(), EngineError> {
        self.blocks_again(input, places, &mut |places, block| {
            let mut lines = LineCount::new(&block.text);
            for place in places {
                self.place(input, block, place.start(), *place, lines.before(place.start()), each);
            }
        })
    }

    /// Reads the blocks of these places again, each with its places.
    ///
    /// # Errors
    /// One of them is not what it was when its records were keyed.
    fn blocks_again(
        &self,
        input: &Named<'_>,
        places: &[Place],
        each: &mut dyn FnMut(&[Place], &Block),
    ) -> Result<(), EngineError> {
        let by_block: Vec<&[Place]> = places.chunk_by(|a, b| a.block() == b.block()).collect();
        let numbers: Vec<usize> = by_block.iter().map(|places| places[0].block()).collect();
        let of_block = |index: usize, block: &Block| each(by_block.get(index).copied().unwrap_or_default(), block);
        self.blocks.reread(&*input.open.input, &numbers, of_block)
    }

    /// Visits the record at byte `start` of a block (or line), before which `lines` lines stand in its block.
    fn place(&self, Named { open, file }: &Named<'_>, block: &Block, start: usize, place: Place, lines: u64, each: Each<'_>) {
        let before = open.input.first_line() + self.blocks.lines_before(place.block()) + lines;
        open.input.splitter().split(block, start, &mut |split| {
            if let Split::Record(record) = split {
                self.record(open, &record, place, before, file, each);
            }
            ControlFlow::Break(())
        });
    }

    fn record<'a>(&'a self, open: &OpenInput, record: &Record<'a>, place: Place, before: u64, file: &Arc<str>, each: Each<'_>) {
        let source = open.source;
        let reader = &self.readers[source];
        let derived = DerivedCells::of(reader.mapper.source, record);
        let mapping = reader.mapper.map(record, &derived, &mut Default::default());
        let (Mapping::Event(mapped) | Mapping::Ignored(Some(mapped))) = mapping else {
            return;
        };
        let first = before + u64::from(record.line);
        let counted =
            || Position { number: self.blocks.record_number(place), lines: [first, first + u64::from(record.lines.max(1)) - 1] };
        let Position { number, lines } = record.position.unwrap_or_else(counted);
        let is_carried = self.blocks.is_carried(place);
        each(&Visited {
            viewed: Viewed { mapper: &reader.mapper, record, derived: &derived, mapped: &mapped },
            source,
            rules: &reader.rules,
            is_carried,
            is_in_file: if is_carried { open.input.carries_text() } else { record.position.is_none() },
            file,
            number,
            lines,
        });
    }
}

/// Cuts the places into pieces that can be read at once: an input each, and large inputs in several parts where they can be sought.
fn share_of_work<'p>(places: &'p [Place], blocks: &BlockTable, inputs: &[OpenInput]) -> Vec<&'p [Place]> {
    // A few blocks' worth: few enough to open the input anew for, so many pieces that no thread waits long for the last.
    const LEAST: usize = 250;
    let input = |place: &Place| blocks.block(*place).map_or(u32::MAX, |block| block.input);
    let mut pieces = Vec::new();
    for mut rest in places.chunk_by(|a, b| input(a) == input(b)) {
        let seekable = inputs.get(input(&rest[0]) as usize).is_some_and(|open| open.input.is_seekable());
        while seekable && rest.len() > LEAST {
            let block = rest[LEAST].block();
            let at = rest.partition_point(|place| place.block() <= block);
            let (piece, more) = rest.split_at(at);
            pieces.push(piece);
            rest = more;
        }
        if !rest.is_empty() {
            pieces.push(rest);
        }
    }
    pieces
}

/// Lines before a byte of a block, asked for ascending bytes.
pub(super) struct LineCount<'b> {
    text: &'b [u8],
    /// Files of old Macs end lines with CR alone.
    end: u8,
    at: usize,
    lines: u64,
}

impl<'b> LineCount<'b> {
    pub fn new(text: &'b str) -> Self {
        let text = text.as_bytes();
        let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
        Self { text, end, at: 0, lines: 0 }
    }

    pub fn before(&mut self, byte: usize) -> u64 {
        let upto = byte.min(self.text.len());
        if let Some(part) = self.text.get(self.at..upto) {
            self.lines += memchr::memchr_iter(self.end, part).count() as u64;
            self.at = upto;
        }
        self.lines
    }
}
