//! Reads an input to its end as the engine does, and checks on the way what every reader promises.

use sha2::Digest;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use twicelog::domain::record::{Block, Input, InputError, InputFacts, Position, Region, Split};
use twicelog::read::OpenError;
use twicelog::rules::{Read, Source};

pub struct File(tempfile::NamedTempFile);

impl File {
    pub fn new(bytes: &[u8]) -> Self {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.flush().unwrap();
        Self(file)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

pub fn source(columns: &[&str]) -> Source {
    Source::of_columns(None, Read::default(), columns.iter().map(|name| name.to_string()).collect())
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Record,
    Ignored,
    Blank,
    Broken(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub number: u64,
    pub lines: [u64; 2],
    pub cells: Vec<Option<String>>,
    pub raw: String,
    pub kind: Kind,
    /// Number and lines as the reader tells them itself.
    pub position: Option<Position>,
}

pub struct All {
    pub records: Vec<Found>,
    pub fault: Option<InputError>,
    pub facts: InputFacts,
}

impl All {
    pub fn broken(&self) -> Vec<(u64, &str)> {
        let broken = |found: &'_ Found| matches!(found.kind, Kind::Broken(_));
        self.records
            .iter()
            .filter(|found| broken(found))
            .map(|found| match &found.kind {
                Kind::Broken(reason) => (found.lines[0], reason.as_str()),
                _ => unreachable!(),
            })
            .collect()
    }

    /// The cells of the records that are whole.
    pub fn cells(&self) -> Vec<Vec<Option<String>>> {
        self.records.iter().filter(|found| found.kind == Kind::Record).map(|found| found.cells.clone()).collect()
    }
}

/// What a splitter makes of a block from `from` on: start in the block, lines before it, lines, and the rest.
fn split(input: &dyn Input, block: &Block, from: usize, most: usize) -> (Vec<(usize, Found)>, u32) {
    let columns = 64;
    let mut all = Vec::new();
    let lines = input.splitter().split(block, from, &mut |split| {
        let found = |line: u32, lines: u32, kind| Found {
            number: 0,
            lines: [u64::from(line), u64::from(line + lines - 1)],
            cells: Vec::new(),
            raw: String::new(),
            kind,
            position: None,
        };
        all.push(match split {
            Split::Record(record) => {
                let cells = record.cells.len().min(columns);
                let cells = (0..cells).map(|column| record.cell(column).map(str::to_owned)).collect();
                let found = found(record.line, record.lines, Kind::Record);
                (record.start, Found { cells, raw: record.raw().to_owned(), position: record.position, ..found })
            }
            Split::Ignored { start, line } => (start, found(line, 1, Kind::Ignored)),
            Split::Blank => (usize::MAX, found(0, 1, Kind::Blank)),
            Split::Broken(broken) => {
                let found = found(broken.line, broken.lines, Kind::Broken(broken.reason));
                (broken.start, Found { position: broken.position, ..found })
            }
        });
        if all.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (all, lines)
}

/// Opens a file; a pipe is spooled to the system's folder.
pub fn open(path: &Path, name: &str, source: &Source) -> Result<Box<dyn Input>, OpenError> {
    twicelog::read::open(path, name, source, &std::env::temp_dir())
}

/// As [`open`], with blocks of at most `block_bytes`.
pub fn open_in_blocks(path: &Path, name: &str, source: &Source, block_bytes: usize) -> Result<Box<dyn Input>, OpenError> {
    twicelog::read::open_in_blocks(path, name, source, block_bytes, &std::env::temp_dir())
}

/// Opens a stream, spooled to the system's folder.
pub fn open_stream(stream: &mut dyn std::io::Read, name: &str, source: &Source) -> Result<Box<dyn Input>, OpenError> {
    twicelog::read::open_stream(stream, name, source, &std::env::temp_dir())
}

pub fn read(input: &dyn Input) -> All {
    let mut blocks = input.blocks().unwrap();
    let (mut records, mut number, mut line, mut fault) = (Vec::new(), 0, input.first_line(), None);
    let mut kept: Vec<Block> = Vec::new();
    loop {
        let block = match blocks.next_block() {
            Ok(Some(block)) => block,
            Ok(None) => break,
            Err(error) => {
                fault = Some(error);
                break;
            }
        };
        assert!(!block.text.is_empty() && block.text.len() < 1 << 20);
        if let Some(before) = kept.last() {
            let left_out = before.oversize.map_or(0, |whole| whole.bytes - before.text.len() as u64);
            assert_eq!(block.offset, before.offset + before.text.len() as u64 + left_out, "blocks follow one another");
        }
        let (found, lines) = split(input, &block, 0, usize::MAX);
        assert!(found.len() < 1 << 20);
        // A record found by the first pass is the record read by the second, whose lines are counted from where it starts.
        let step = found.len() / 20 + 1;
        for (start, record) in found.iter().step_by(step).filter(|(start, _)| *start != usize::MAX) {
            let (again, _) = split(input, &block, *start, 1);
            let from_start = Found { lines: record.lines.map(|line| line - record.lines[0]), ..record.clone() };
            assert_eq!(again.first().map(|(_, again)| again), Some(&from_start));
        }
        for (_, mut record) in found {
            number += 1;
            record.number = number;
            record.lines = record.lines.map(|of_block| of_block + line);
            if let Some(position) = record.position {
                (record.number, record.lines) = (position.number, position.lines);
            }
            records.push(record);
        }
        line += u64::from(lines);
        kept.push(block);
    }
    assert!(blocks.next_block().is_ok_and(|block| block.is_none()), "after the end or an error no more blocks come");
    let facts = blocks.facts();
    // Every second block again, by its place.
    let whole: Vec<&Block> = kept.iter().filter(|block| block.oversize.is_none()).skip(kept.len() % 2).step_by(2).collect();
    let wanted: Vec<(u64, usize)> = whole.iter().map(|block| (block.offset, block.text.len())).collect();
    let mut visited = 0;
    input
        .reread(&wanted, &mut |index, block| {
            assert_eq!(index, visited);
            assert_eq!(
                (&block.text, &block.damaged, block.offset),
                (&whole[index].text, &whole[index].damaged, whole[index].offset)
            );
            visited += 1;
        })
        .unwrap();
    assert_eq!(visited, wanted.len());
    if input.has_lines() {
        reread_lines(input, &kept);
    }
    All { records, fault, facts }
}

/// Where a block has as many lines as records, each line read alone holds the record that starts there.
fn reread_lines(input: &dyn Input, blocks: &[Block]) {
    let mut expected: Vec<(u64, Found)> = Vec::new();
    for block in blocks.iter().filter(|block| block.oversize.is_none() && block.region == Region::Records) {
        let (found, lines) = split(input, block, 0, usize::MAX);
        if found.len() == lines as usize {
            let line_by_line = found.into_iter().filter(|(_, found)| found.kind == Kind::Record);
            expected.extend(line_by_line.map(|(start, found)| (block.offset + start as u64, found)).step_by(3));
        }
    }
    let starts: Vec<u64> = expected.iter().map(|(start, _)| *start).collect();
    let mut visited = 0;
    let mut each = |index: usize, line: &Block| {
        let (found, lines) = split(input, line, 0, usize::MAX);
        let (start, in_block) = &expected[index];
        let alone = Found { lines: in_block.lines.map(|line| line - in_block.lines[0]), ..in_block.clone() };
        assert_eq!((line.offset, lines), (*start, 1));
        assert_eq!(found, [(0, alone)]);
        visited += 1;
    };
    input.reread_lines(&starts, &mut each).unwrap();
    assert_eq!(visited, starts.len());
}

pub fn read_bytes(bytes: &[u8], source: &Source) -> All {
    let file = File::new(bytes);
    read(open(file.path(), "test", source).unwrap().as_ref())
}
