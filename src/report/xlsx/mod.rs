//! The `xlsx` format: a workbook with a sheet of findings, one of their records and one of totals (Office Open XML, ECMA-376).
//!
//! It is written as it goes, row by row, so that a hundred thousand findings take no memory. A cell is text or a number and nothing else:
//! there is no way here to write a formula or a link. Ids, keys and times are text, so that no digit is lost; an amount is a number where
//! the fifteen digits of a spreadsheet hold it. Nothing tells of the clock: equal results give equal bytes.

mod book;
mod cell;
mod findings;
mod parts;
mod records;
mod sheet;
mod totals;

use super::{Out, Style, Told};
use book::Book;
use std::io;

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let words = style.texts().words();
    let mut book = Book::new(out, [words.findings, words.records, words.totals])?;
    let findings = findings::write(told, style, &mut book)?;
    let records = records::write(told, style, &mut book)?;
    totals::write(told, style, findings, &records, &mut book)?;
    book.finish()
}
