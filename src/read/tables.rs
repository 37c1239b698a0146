//! Tables that follow one another in one text: where a further header stands, and how the rows below it are read.
//!
//! Files put together (`cat`) and exports that page their rows repeat the header. A header of the same columns in another order names the
//! rows below it anew: read by the first one, a refund would count as an amount.

use super::OpenError;
use super::csv::{Quotes, RowWalk, Shape, Wanted};
use super::header;
use crate::domain::record::{Block, Blocks, InputError, InputFacts, Region};
use crate::rules::Source;
use memchr::memmem::Finder;
use memchr::{memchr, memrchr};
use regex::Regex;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};

/// How the rows below a header are read.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    /// As [`header::names`] calls them.
    pub(super) columns: Vec<String>,
    /// As many without those at the end that have no name: some exports pad only their header.
    pub(super) least: usize,
    /// Ascending by column.
    pub(super) wanted: Vec<Wanted>,
    /// Columns that the header lacks and the lines above it fill: the slot, and the value of every record.
    pub(super) constants: Vec<(usize, String)>,
}

impl Heading {
    fn of(columns: Vec<String>, asked: &[String]) -> Self {
        let place = |(slot, name): (usize, &String)| header::position(&columns, name).map(|column| Wanted { column, slot });
        let mut wanted: Vec<Wanted> = (0..).zip(asked).filter_map(place).collect();
        wanted.sort_unstable();
        Self { least: header::least(&columns), wanted, constants: Vec::new(), columns }
    }

    fn has(&self, slot: usize) -> bool {
        self.wanted.iter().any(|wanted| wanted.slot == slot)
    }
}

/// The tables of a text. Headers are found while its blocks are read the first time, each before a block below it is delivered; a
/// splitter asks which of them its block is under.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) shape: Shape,
    pub(super) asked: Vec<String>,
    /// What tells of the records of a table in the lines above its header.
    pub(super) preamble: Vec<Regex>,
    first: Arc<Heading>,
    /// Those after the first, ascending by the place in the text from which they count.
    later: RwLock<Vec<(u64, Arc<Heading>)>>,
}

impl Tables {
    pub(super) fn new(shape: Shape, first: Heading, source: &Source) -> Self {
        Self {
            shape,
            asked: source.columns.clone(),
            preamble: source.read.preamble.clone(),
            first: Arc::new(first),
            later: RwLock::default(),
        }
    }

    /// The heading under which a block at this place of the text is.
    pub(super) fn heading(&self, offset: u64) -> Arc<Heading> {
        let later = self.later.read().unwrap_or_else(PoisonError::into_inner);
        let before = later.partition_point(|(from, _)| *from <= offset);
        let heading = before.checked_sub(1).and_then(|last| later.get(last)).map_or(&self.first, |(_, heading)| heading);
        Arc::clone(heading)
    }

    /// True when some rows are not under the first header.
    fn has_further(&self) -> bool {
        !self.later.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// From this place on, rows are read so. A later pass over the text says the same.
    fn add(&self, offset: u64, heading: Heading) {
        let mut later = self.later.write().unwrap_or_else(PoisonError::into_inner);
        let at = later.partition_point(|(from, _)| *from < offset);
        let known = later.get_mut(at).filter(|(from, _)| *from == offset);
        match known {
            Some((_, known)) => *known = Arc::new(heading),
            None => later.insert(at, (offset, Arc::new(heading))),
        }
    }

    /// What the lines above the header at this place say of all records below it.
    pub(super) fn tell(&self, offset: u64, mut constants: Vec<(usize, String)>) {
        let heading = self.heading(offset);
        constants.retain(|(slot, _)| !heading.has(*slot));
        self.add(offset, Heading { constants, ..Heading::clone(&heading) });
    }
}

/// What a row is that names columns.
pub(super) enum Named {
    /// The header above it once more.
    Again,
    /// Most of the columns, otherwise.
    Anew(Heading),
    /// Most of the columns, without this one, which was asked for and which the header above it has.
    Lacking(String),
}

/// Whether a row is a header, below a header of these columns.
pub(super) fn named(cells: &[String], columns: &[String], asked: &[String]) -> Option<Named> {
    if !may_name(cells, columns) {
        return None;
    }
    let names = header::names(cells);
    let plain = |names: &[String]| -> Vec<String> {
        names.iter().take(header::least(names)).map(|name| name.trim_start_matches('\u{feff}').to_lowercase()).collect()
    };
    let (mut found, known) = (plain(&names), plain(columns));
    if found == known {
        return Some(Named::Again);
    }
    let named: Vec<&String> = known.iter().filter(|name| !name.is_empty()).collect();
    found.sort_unstable();
    let same = named.iter().filter(|name| found.binary_search(name).is_ok()).count();
    let is_header = named.len() > 1 && same >= needed(named.len());
    if !is_header {
        return None;
    }
    let is_lost = |name: &&String| header::position(columns, name).is_some() && header::position(&names, name).is_none();
    let lost = asked.iter().find(is_lost).cloned();
    Some(lost.map_or_else(|| Named::Anew(Heading::of(names, asked)), Named::Lacking))
}

/// False for almost all rows that are no headers.
fn may_name(cells: &[String], columns: &[String]) -> bool {
    // The second of one name is `name[2]` to us only.
    let is_written = |name: &&String| !name.is_empty() && !name.ends_with(']');
    let named = columns.iter().filter(is_written).count();
    let mut may_lack = named - needed(named);
    columns.iter().filter(is_written).all(|name| {
        let is_there = cells.iter().any(|cell| cell.trim().trim_start_matches('\u{feff}').eq_ignore_ascii_case(name));
        let is_fine = is_there || may_lack > 0;
        may_lack = may_lack.saturating_sub(usize::from(!is_there));
        is_fine
    })
}

/// A header without a column that the first one has: what stands below it would be read half.
pub(super) fn other_header(file: &str, name: &str) -> OpenError {
    OpenError::Damaged { file: file.to_owned(), what: "table", reason: lacks(name) }
}

/// As many of a header's names make a row another header.
fn needed(names: usize) -> usize {
    (names * 3).div_ceil(4)
}

/// Blocks that are cut at headers, each header in a block of its own.
pub(super) struct Parted<'t, B> {
    file: &'t str,
    tables: &'t Tables,
    /// Some of which every header of most columns has: the longest, which few rows hold.
    finders: Vec<Finder<'static>>,
    /// Any of them, found in one go: each block is searched once, however many there are. None where the header has no names.
    any: Option<Regex>,
    /// Of the header at hand.
    columns: Vec<String>,
    blocks: B,
    /// The rest of a block of which a part was delivered.
    parts: VecDeque<Block>,
    /// What ends the text early, once the parts are delivered.
    end: Option<InputError>,
    has_ended: bool,
}

impl<'t, B: Blocks> Parted<'t, B> {
    pub(super) fn new(file: &'t str, tables: &'t Tables, blocks: B) -> Self {
        let columns = tables.first.columns.clone();
        let names = telling_names(&columns);
        let finders = names.iter().map(|name| Finder::new(name.as_bytes()).into_owned()).collect();
        // The beginning of a name is enough to look at its line more closely, and short enough for a pattern, however long the name.
        let alternatives = names.iter().map(|name| regex::escape(&name.chars().take(LOOKED_FOR).collect::<String>()));
        let any = Regex::new(&alternatives.collect::<Vec<_>>().join("|")).ok().filter(|_| !names.is_empty());
        Self { file, tables, finders, any, columns, blocks, parts: VecDeque::new(), end: None, has_ended: false }
    }

    /// Where rows of a block may be headers.
    fn candidates(&self, text: &str) -> BTreeSet<usize> {
        let line_end = self.tables.shape.line_end;
        let bytes = text.as_bytes();
        let mut starts = BTreeSet::new();
        let mut at = 0;
        while let Some(hit) = self.any.as_ref().and_then(|any| any.find_at(text, at)).map(|hit| hit.start()) {
            let start = memrchr(line_end, bytes.get(..hit).unwrap_or_default()).map_or(0, |end| end + 1);
            let end = memchr(line_end, bytes.get(hit..).unwrap_or_default()).map_or(text.len(), |length| hit + length);
            if self.may_be_header(bytes.get(start..end).unwrap_or_default()) {
                starts.insert(start);
            }
            at = end;
        }
        starts
    }

    fn may_be_header(&self, line: &[u8]) -> bool {
        self.finders.iter().filter(|finder| finder.find(line).is_some()).count() * 2 >= self.finders.len()
    }

    /// The headers in a block: where each starts and ends, and what it is.
    fn headers(&self, text: &str) -> Vec<(usize, usize, Named)> {
        let candidates = self.candidates(text);
        let Some(last) = candidates.last().copied() else { return Vec::new() };
        let mut walk = RowWalk::new(text.as_bytes(), 0, self.tables.shape);
        let (mut start, mut found) = (0, Vec::new());
        let mut columns = self.columns.clone();
        while start <= last && start < text.len() {
            let mut cells = Vec::new();
            let is_candidate = candidates.contains(&start);
            let row = walk.row(start, |_, span| {
                if is_candidate {
                    let mut value = String::new();
                    span.read(text, &mut value);
                    cells.push(value);
                }
            });
            let is_whole = is_candidate && row.quotes == Quotes::Closed;
            if let Some(named) = is_whole.then(|| named(&cells, &columns, &self.tables.asked)).flatten() {
                if let Named::Anew(heading) = &named {
                    columns.clone_from(&heading.columns);
                }
                found.push((start, row.next, named));
            }
            start = row.next;
        }
        found
    }

    /// Cuts a block at its headers.
    fn part(&mut self, mut block: Block) {
        let headers = if block.oversize.is_some() { Vec::new() } else { self.headers(&block.text) };
        let mut cut = 0;
        for (start, next, named) in headers {
            let offset = block.offset + (start - cut) as u64;
            match named {
                Named::Again => {}
                Named::Anew(heading) => {
                    self.columns.clone_from(&heading.columns);
                    let constants = self.tables.heading(offset).constants.clone();
                    self.tables.add(offset, Heading { constants, ..heading });
                }
                Named::Lacking(name) => {
                    block.cut_off(start - cut);
                    let (file, reason) = (self.file.to_owned(), lacks(&name));
                    self.end = Some(InputError::CutOff { file, what: "table", bytes: offset, reason });
                    break;
                }
            }
            let mut of_header = block.cut_off(start - cut);
            let below = of_header.cut_off(next - start);
            of_header.region = Region::Header;
            self.parts.extend([std::mem::replace(&mut block, below), of_header]);
            cut = next;
        }
        self.parts.push_back(block);
        self.parts.retain(|part| !part.text.is_empty());
    }
}

/// Why what stands below a header without this column is not read.
pub(super) fn lacks(name: &str) -> String {
    format!("another header, without {name:?}, stands below the first; scan what it heads as a file of its own")
}

/// Names that a line is held against.
const MOST_NAMES: usize = 8;
/// Characters of each that lines are searched for.
const LOOKED_FOR: usize = 64;

/// So many of the longest names that a header of most of them has at least half of these.
fn telling_names(columns: &[String]) -> Vec<&String> {
    // The second of one name is `name[2]` to us only.
    let is_written = |name: &&String| !name.is_empty() && !name.contains('"') && !name.ends_with(']');
    let mut names: Vec<&String> = columns.iter().filter(is_written).collect();
    names.sort_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    let named = columns.iter().filter(|name| !name.is_empty()).count();
    let missed = named - needed(named);
    names.truncate((missed * 2).clamp(1, MOST_NAMES));
    names
}

impl<B: Blocks> Blocks for Parted<'_, B> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        while self.parts.is_empty() && self.end.is_none() && !self.has_ended {
            match self.blocks.next_block()? {
                Some(block) => self.part(block),
                None => self.has_ended = true,
            }
        }
        if let Some(part) = self.parts.pop_front() {
            return Ok(Some(part));
        }
        self.has_ended = true;
        self.end.take().map_or(Ok(None), Err)
    }

    fn give_back(&mut self, text: String) {
        self.blocks.give_back(text);
    }

    fn stored_read(&mut self) -> u64 {
        self.blocks.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        let facts = self.blocks.facts();
        // What stands below a further header says nothing without it.
        let used = facts.used.filter(|_| !self.tables.has_further());
        InputFacts { used, ..facts }
    }
}
