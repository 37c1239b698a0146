//! A table that fits: columns side by side where there is room, otherwise each row as a sentence.

use super::page::{Line, Page, Paint, shown};
use crate::report::safe;
use std::io;

/// Least width of the first column, which gives way when the others need the room.
const NAME: usize = 10;
/// Blanks before the table.
const INDENT: usize = 2;
/// Blanks between columns, where there is room and where it is short.
const GAPS: [usize; 2] = [2, 1];

/// A first column of names, and columns of numbers.
pub(super) struct Table<'a> {
    heads: &'a [&'a str],
    rows: Vec<Vec<(Paint, String)>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(heads: &'a [&'a str]) -> Self {
        Self { heads, rows: Vec::new() }
    }

    /// Adds a row with a cell for each head.
    pub(super) fn row(&mut self, cells: Vec<(Paint, String)>) {
        self.rows.push(cells.into_iter().map(|(paint, text)| (paint, shown(&text))).collect());
    }

    pub(super) fn write(&self, page: &mut Page<'_>) -> io::Result<()> {
        let widths: Vec<usize> = (0..self.heads.len()).map(|column| self.width(column)).collect();
        let Some((name, numbers)) = widths.split_first() else {
            return Ok(());
        };
        let room = |gap: usize| page.width().checked_sub(INDENT + numbers.iter().map(|width| width + gap).sum::<usize>());
        let fitting = GAPS.into_iter().find_map(|gap| Some((gap, room(gap).filter(|room| *room >= NAME.min(*name))?)));
        match fitting {
            Some((gap, room)) => self.columns(*name.min(&room), numbers, gap, page),
            None => self.sentences(page),
        }
    }

    fn columns(&self, name: usize, numbers: &[usize], gap: usize, page: &mut Page<'_>) -> io::Result<()> {
        let head: Vec<(Paint, String)> = self.heads.iter().map(|head| (Paint::Faint, (*head).to_owned())).collect();
        for row in std::iter::once(&head).chain(&self.rows) {
            let Some(((paint, text), cells)) = row.split_first() else {
                continue;
            };
            let mut line = Line::new().plain(&" ".repeat(INDENT)).with(*paint, &safe::pad(text, name));
            for ((paint, text), width) in cells.iter().zip(numbers) {
                line = line.plain(&" ".repeat((width + gap).saturating_sub(safe::width(text)))).with(*paint, text);
            }
            page.line(&line)?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|(_, text)| safe::width(text));
        cells.chain(self.heads.get(column).map(|head| safe::width(head))).max().unwrap_or_default()
    }

    fn sentences(&self, page: &mut Page<'_>) -> io::Result<()> {
        for row in &self.rows {
            let mut parts = Vec::new();
            for (head, (_, text)) in self.heads.iter().zip(row).skip(1) {
                // A head agrees with no number in particular.
                parts.push(format!("{head}: {text}"));
            }
            let name = row.first().map(|(_, text)| text.as_str()).unwrap_or_default();
            page.hang(Line::new().plain("  "), Paint::Plain, name)?;
            page.paragraph(4, Paint::Plain, &parts.join(", "))?;
        }
        Ok(())
    }
}
