//! Takes the lines of a log apart, each as it stands.

use super::broken::unusable;
use super::json::Cells;
use super::lines::line_at;
use super::reading::{Reading, Said};
use crate::domain::record::{Block, Broken, Cell, Record, Split, Splitter};
use std::ops::ControlFlow;

/// Splits text into lines.
#[derive(Debug)]
pub(super) struct LineSplitter {
    pub(super) reading: Reading,
    /// Columns of the source.
    pub(super) slots: usize,
    pub(super) line_end: u8,
    pub(super) encoding: &'static str,
}

impl Splitter for LineSplitter {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        let text = block.text.as_str();
        let mut line = 0;
        let mut locations = self.reading.locations();
        let mut cells = vec![Cell::Missing; self.slots];
        let mut scratch = String::new();
        let mut start = from;
        while start < text.len() {
            let physical = line_at(text.as_bytes(), start, self.line_end);
            let end = physical.end;
            let split = if let Some(broken) = unusable(block, start..end, line, 1, self.encoding) {
                Split::Broken(broken)
            } else {
                cells.fill(Cell::Missing);
                scratch.clear();
                let mut room = Cells { cells: &mut cells, scratch: &mut scratch };
                match self.reading.read(text, start..end, &mut room, &mut locations) {
                    Said::Record => Split::Record(Record {
                        start,
                        end,
                        line,
                        lines: 1,
                        position: None,
                        text,
                        scratch: &scratch,
                        cells: &cells,
                    }),
                    Said::Ignored => Split::Ignored { start, line },
                    Said::Broken(reason) => Split::Broken(Broken { start, line, lines: 1, position: None, reason }),
                }
            };
            line += 1;
            if each(split).is_break() {
                return line;
            }
            start = physical.next;
        }
        line
    }
}
