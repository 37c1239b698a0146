//! Carried records: the form in which a night keeps records for the next, as text that splits into the same records again.
//!
//! A record is a line that says where it stood and where its cells lie, then its raw text, then cells that do not lie in it:
//! `NUMBER FIRST LAST BYTES CELL,CELL…`. A cell is `-` (missing), `FROM:BYTES` within the raw text, or `=BYTES` behind it.

use super::record::{Block, CARRIED, Cell, Position, Record, Split, Splitter};
use std::fmt::Write;
use std::ops::ControlFlow;

/// A piece of text this long is full: its records start within what a place can say, unless one alone is longer.
const FULL: usize = 256 << 10;

/// Carried records of one input, in pieces that are blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CarriedText {
    pub pieces: Vec<String>,
    pub records: u64,
}

impl CarriedText {
    /// Adds a record that stood at `position`.
    pub fn add(&mut self, record: &Record<'_>, position: Position) {
        if self.pieces.last().is_none_or(|piece| piece.len() >= FULL) {
            self.pieces.push(String::new());
        }
        let Some(piece) = self.pieces.last_mut() else { return };
        let raw = record.raw();
        let Position { number, lines: [first, last] } = position;
        let mut behind = String::new();
        // Writing to a String does not fail.
        let _ = write!(piece, "{number} {first} {last} {} ", raw.len());
        for (column, cell) in record.cells.iter().enumerate() {
            let comma = if column == 0 { "" } else { "," };
            let _ = match (record.cell(column), within(record, *cell)) {
                (None, _) => write!(piece, "{comma}-"),
                (Some(text), Some(from)) => write!(piece, "{comma}{from}:{}", text.len()),
                (Some(text), None) => {
                    behind.push_str(text);
                    write!(piece, "{comma}={}", text.len())
                }
            };
        }
        piece.push('\n');
        piece.push_str(raw);
        piece.push_str(&behind);
        piece.push('\n');
        self.records += 1;
    }

    /// Cuts one text of pieces, as they were joined, at the lengths they had. None where the text has other lengths.
    pub fn of_pieces(text: &str, lengths: &[usize], records: u64) -> Option<Self> {
        let mut pieces = Vec::with_capacity(lengths.len());
        let mut rest = text;
        for length in lengths {
            let (piece, more) = rest.split_at_checked(*length)?;
            pieces.push(piece.to_owned());
            rest = more;
        }
        rest.is_empty().then_some(Self { pieces, records })
    }

    /// The pieces as blocks; where each begins counts from [`CARRIED`].
    pub fn blocks(&self) -> impl Iterator<Item = Block> + Send {
        let mut offset = CARRIED;
        self.pieces.iter().map(move |piece| {
            let block = Block { offset, text: piece.clone(), ..Block::default() };
            offset += piece.len() as u64;
            block
        })
    }

    /// True when the text splits into as many records as it says.
    pub fn is_sound(&self) -> bool {
        let mut records = 0;
        let mut sound = true;
        // One block for all pieces: a copy of each would take as much memory again.
        let mut block = Block { offset: CARRIED, ..Block::default() };
        for piece in &self.pieces {
            block.text.clear();
            block.text.push_str(piece);
            CarriedRecords { slots: Vec::new() }.split(&block, 0, &mut |split| {
                records += 1;
                sound &= matches!(split, Split::Record(_));
                ControlFlow::Continue(())
            });
        }
        sound && records == self.records
    }
}

/// Where a cell begins in the raw text of its record, when it lies in it.
fn within(record: &Record<'_>, cell: Cell) -> Option<usize> {
    match cell {
        Cell::Block { from, to } if from as usize >= record.start && to as usize <= record.end => {
            Some(from as usize - record.start)
        }
        _ => None,
    }
}

/// Splits carried text.
#[derive(Clone, Debug)]
pub struct CarriedRecords {
    /// For each column that is asked for: which of the carried cells it is.
    pub slots: Vec<Option<usize>>,
}

/// What the line before a raw text says.
struct Head {
    position: Position,
    bytes: usize,
    /// Where each cell lies in the text of the block.
    cells: Vec<Cell>,
    /// Where the next record begins.
    next: usize,
}

impl CarriedRecords {
    fn head(text: &str, start: usize) -> Option<(usize, Head)> {
        let length = memchr::memchr(b'\n', text.as_bytes().get(start..)?)?;
        let line = text.get(start..start + length)?;
        let raw = start + length + 1;
        let mut words = line.splitn(5, ' ');
        let mut number = || words.next()?.parse::<u64>().ok();
        let position = Position { number: number()?, lines: [number()?, number()?] };
        let bytes = usize::try_from(number()?).ok()?;
        let mut behind = raw.checked_add(bytes)?;
        let mut cells = Vec::new();
        for cell in words.next()?.split(',').filter(|cell| !cell.is_empty()) {
            let (from, to) = match (cell, cell.strip_prefix('=')) {
                ("-", _) => {
                    cells.push(Cell::Missing);
                    continue;
                }
                (_, Some(length)) => {
                    let from = behind;
                    behind = behind.checked_add(length.parse().ok()?)?;
                    (from, behind)
                }
                (cell, None) => {
                    let (from, length) = cell.split_once(':')?;
                    let from = raw.checked_add(from.parse().ok()?)?;
                    (from, from.checked_add(length.parse().ok()?)?)
                }
            };
            text.get(from..to)?;
            cells.push(Cell::Block { from: u32::try_from(from).ok()?, to: u32::try_from(to).ok()? });
        }
        (text.as_bytes().get(behind) == Some(&b'\n')).then_some((raw, Head { position, bytes, cells, next: behind + 1 }))
    }
}

impl Splitter for CarriedRecords {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_str();
        // A visit begins where the raw text does; the line before it says what it is.
        let mut start = match from.checked_sub(1) {
            Some(end) => memchr::memrchr(b'\n', text.as_bytes().get(..end).unwrap_or_default()).map_or(0, |at| at + 1),
            None => 0,
        };
        let mut cells = Vec::new();
        while start < text.len() {
            let Some((raw, head)) = Self::head(text, start) else {
                let reason = "a carried record is damaged; remove the state, and scan all inputs anew".to_owned();
                // Nothing that follows can be told apart, so that it does not matter whether more is wanted.
                let _ = each(Split::Broken(super::record::Broken { start, line: 0, lines: 1, position: None, reason }));
                return 0;
            };
            cells.clear();
            cells.extend(
                self.slots.iter().map(|slot| slot.and_then(|slot| head.cells.get(slot)).copied().unwrap_or(Cell::Missing)),
            );
            let record = Record {
                start: raw,
                end: raw + head.bytes,
                line: 0,
                lines: 1,
                position: Some(head.position),
                text,
                scratch: "",
                cells: &cells,
            };
            if each(Split::Record(record)).is_break() {
                return 0;
            }
            start = head.next;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record<'a>(text: &'a str, scratch: &'a str, range: std::ops::Range<usize>, cells: &'a [Cell]) -> Record<'a> {
        Record { start: range.start, end: range.end, line: 0, lines: 1, position: None, text, scratch, cells }
    }

    #[test]
    fn records_come_back_whole_and_from_their_places() {
        let text = "x\n\"a\n\"\"b\",,c\nrest";
        let cells = [
            Cell::Scratch { from: 0, to: 4 },
            Cell::Missing,
            Cell::Block { from: 11, to: 12 },
            // A constant from above the table lies outside the record.
            Cell::Block { from: 0, to: 1 },
        ];
        let mut carried = CarriedText::default();
        let position = Position { number: 7, lines: [9, 10] };
        carried.add(&record(text, "a\n\"b", 2..12, &cells), position);
        carried.add(&record("é;", "", 0..3, &[Cell::Missing; 4]), Position { number: 8, lines: [11, 11] });
        assert!(carried.is_sound());
        let splitter = CarriedRecords { slots: vec![Some(0), Some(2), None, Some(3), Some(1)] };
        let block = carried.blocks().next().expect("one piece");
        let mut starts = Vec::new();
        splitter.split(&block, 0, &mut |split| {
            let Split::Record(record) = split else { panic!("{split:?}") };
            starts.push(record.start);
            if record.position == Some(position) {
                assert_eq!(record.raw(), "\"a\n\"\"b\",,c");
                let told: Vec<Option<&str>> = (0..5).map(|column| record.cell(column)).collect();
                assert_eq!(told, [Some("a\n\"b"), Some("c"), None, Some("x"), None]);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(starts.len(), 2);
        splitter.split(&block, starts[1], &mut |split| {
            assert!(matches!(split, Split::Record(record) if record.raw() == "é;"));
            ControlFlow::Break(())
        });
    }

    #[test]
    fn damage_is_seen() {
        let mut carried = CarriedText::default();
        carried.add(&record("abc", "", 0..3, &[Cell::Block { from: 0, to: 3 }]), Position { number: 1, lines: [1, 1] });
        let whole = carried.pieces[0].clone();
        for length in 1..whole.len() {
            let cut = CarriedText { pieces: vec![whole[..length].to_owned()], records: 1 };
            assert!(!cut.is_sound(), "{length}");
        }
        assert!(!CarriedText { records: 2, ..carried }.is_sound());
    }
}
