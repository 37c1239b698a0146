//! One sheet: its columns, its head, its rows one after the other, and what it cannot hold.

use super::cell::{self, Cell, Held};
use std::io::{self, Write};

/// Rows of a sheet, its head among them (Excel specifications and limits).
const ROWS: u64 = 1_048_576;
/// Bytes of a sheet before it is packed; in an archive of the plain kind, which every reader knows, they must stay below 4 GiB.
const BYTES: u64 = 4_000_000_000;

/// A column: what stands above it, and its width in digits.
pub(super) struct Column {
    pub(super) head: String,
    pub(super) width: usize,
}

impl Column {
    pub(super) fn new(head: impl Into<String>, width: usize) -> Self {
        Self { head: head.into(), width }
    }
}

/// What stands above the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// The heads of the columns, which stay in sight and can be filtered by.
    Columns,
    /// Nothing: the sheet is a list of small tables.
    None,
}

/// What a sheet could not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// Rows that are missing.
    pub(super) rows: u64,
    /// Cells whose text was cut.
    pub(super) cells: u64,
}

pub(super) struct Sheet<'o> {
    out: &'o mut dyn Write,
    head: Head,
    /// Letters of the columns that have a head.
    letters: Vec<String>,
    /// The row under construction.
    row: String,
    rows: u64,
    bytes: u64,
    cut: Cut,
}

/// Whether the sheet is the one that is seen first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    First,
    Later,
}

impl<'o> Sheet<'o> {
    /// Opens a sheet and writes the heads of its columns.
    pub(super) fn open(out: &'o mut dyn Write, head: Head, columns: &[Column], shown: Shown) -> io::Result<Self> {
        let selected = if shown == Shown::First { " tabSelected=\"1\"" } else { "" };
        let pane = match head {
            Head::Columns => "<pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>",
            Head::None => "",
        };
        write!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
             <worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
             <sheetPr><pageSetUpPr fitToPage=\"1\"/></sheetPr>\
             <sheetViews><sheetView{selected} workbookViewId=\"0\">{pane}</sheetView></sheetViews><cols>"
        )?;
        for (Column { width, .. }, number) in columns.iter().zip(1..) {
            write!(out, "<col min=\"{number}\" max=\"{number}\" width=\"{width}\" customWidth=\"1\"/>")?;
        }
        write!(out, "</cols><sheetData>")?;
        let letters = (0..columns.len()).map(letters).collect();
        let mut sheet = Self { out, head, letters, row: String::new(), rows: 0, bytes: 0, cut: Cut::default() };
        if head == Head::Columns {
            let heads: Vec<Cell<'_>> = columns.iter().map(|column| Cell::Head(&column.head)).collect();
            sheet.row(&heads)?;
        }
        Ok(sheet)
    }

    /// The next row; of more cells than there are columns the last are left out.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        if self.rows == ROWS || self.bytes > BYTES {
            self.cut.rows += 1;
            return Ok(());
        }
        self.rows += 1;
        let number = self.rows.to_string();
        self.row.clear();
        self.row.extend(["<row r=\"", &number, "\">"]);
        for (cell, letters) in cells.iter().zip(&self.letters) {
            let held = cell::write(cell, &format!("{letters}{number}"), &mut self.row);
            self.cut.cells += u64::from(held == Held::Cut);
        }
        self.row.push_str("</row>");
        self.bytes += self.row.len() as u64;
        self.out.write_all(self.row.as_bytes())
    }

    /// Ends the sheet. Tells which cells can be filtered, `$A$1:$F$20`, and what was left out.
    pub(super) fn close(self) -> io::Result<(Option<String>, Cut)> {
        let Self { out, head, letters, rows, cut, .. } = self;
        write!(out, "</sheetData>")?;
        let last = letters.last().map(String::as_str).filter(|_| rows > 0);
        let filter = last.filter(|_| head == Head::Columns);
        if let Some(last) = filter {
            write!(out, "<autoFilter ref=\"A1:{last}{rows}\"/>")?;
        }
        write!(out, "<pageSetup paperSize=\"9\" fitToHeight=\"0\" orientation=\"landscape\"/>")?;
        if let Some(last) = last {
            // Ids of digits are meant to be text; no green corner has to say so.
            write!(out, "<ignoredErrors><ignoredError sqref=\"A1:{last}{rows}\" numberStoredAsText=\"1\"/></ignoredErrors>")?;
        }
        write!(out, "</worksheet>")?;
        Ok((filter.map(|last| format!("$A$1:${last}${rows}")), cut))
    }
}

/// The letters of a column, counted from 0: `A`, `Z`, `AA`.
fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        // A remainder of 26 fits.
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        let named = [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")];
        for (column, expected) in named {
            assert_eq!(letters(column), expected);
        }
    }

    #[test]
    fn a_sheet_that_is_full_counts_what_it_leaves_out() {
        let mut out = io::sink();
        let mut sheet = Sheet::open(&mut out, Head::Columns, &[Column::new("id", 10)], Shown::First).unwrap();
        sheet.rows = ROWS - 1;
        for _ in 0..3 {
            sheet.row(&[Cell::text("a")]).unwrap();
        }
        let (filter, cut) = sheet.close().unwrap();
        assert_eq!(filter.as_deref(), Some("$A$1:$A$1048576"));
        assert_eq!(cut, Cut { rows: 2, cells: 0 });
    }
}
