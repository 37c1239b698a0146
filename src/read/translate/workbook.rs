//! XLSX, XLSB, XLS and ODS. A row of a sheet is a record.

use super::Translation;
use super::grid::{Below, Choice, GridRow, ROWS_LOOKED_AT, choose};
use super::original::{Original, all_bytes};
use super::whole_file::{damaged, guarded};
use super::workbook_cell::cell;
use crate::domain::report::Note;
use crate::read::OpenError;
use crate::read::compression::Compression;
use crate::read::content::Content;
use crate::read::stored::Stored;
use crate::rules::Source;
use calamine::{Data, Reader as _, SheetType, Sheets, open_workbook_auto_from_rs};
use std::io::{self, Cursor, Read as _};
use std::sync::Arc;

/// The largest workbook, as stored, and what its parts may unpack to.
const MOST_BYTES: usize = 512 << 20;
const MOST_UNPACKED: u64 = 4 << 30;

const WHAT: &str = "workbook";

type Workbook = Sheets<Cursor<Arc<[u8]>>>;

/// What went wrong in a sheet: with the workbook, or with what the rows were for.
enum Trouble {
    Damaged(String),
    Handling(OpenError),
    /// The rows seen are enough.
    Enough,
}

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    if original.sample.not_text != Some(Content::Workbook) {
        let reason = "its bytes are no workbook".to_owned();
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "xlsx", reason });
    }
    guarded(original.name(), WHAT, || sheets_of(original))
}

fn sheets_of(original: &Original<'_>) -> Result<Translation, OpenError> {
    let file = original.name();
    let mut workbook = open(file, original.bytes(MOST_BYTES, "a workbook")?)?;
    let names = sheets(&workbook, file, original.source)?;
    let first_rows = names.iter().map(|name| first_rows(&mut workbook, name).map_err(|trouble| told(file, trouble)));
    let first_rows = first_rows.collect::<Result<Vec<_>, _>>()?;
    let Choice { read, left_out } = choose(&first_rows, original.source);
    let mut below = Below::new(original);
    let mut sheets = Vec::new();
    for (place, header) in read {
        let Some(name) = names.get(place) else { continue };
        let before = below.records();
        below.table(header)?;
        let read = each_row(&mut workbook, name, &mut |row| below.row(row).map_err(Trouble::Handling));
        read.map_err(|trouble| told(file, trouble))?;
        sheets.push(Sheet { name, records: [before, below.records()] });
    }
    let left_out: Vec<&String> = left_out.iter().filter_map(|(place, _)| names.get(*place)).collect();
    let mut translation = below.finish()?;
    translation.notes.extend([several(file, &sheets), unread(file, &left_out, &sheets)].into_iter().flatten());
    translation.facts = ["xlsx".to_owned()].into_iter().chain(fact(&sheets)).collect();
    Ok(translation)
}

/// A sheet that was read.
struct Sheet<'n> {
    name: &'n str,
    /// Records before it, and up to its end.
    records: [u64; 2],
}

fn fact(sheets: &[Sheet<'_>]) -> Option<String> {
    let names: Vec<String> = sheets.iter().map(|sheet| format!("{:?}", sheet.name)).collect();
    let word = if names.len() > 1 { "sheets" } else { "sheet" };
    (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
}

/// Where the records of several sheets come from: their lines are the rows of their own sheet.
fn several(file: &str, sheets: &[Sheet<'_>]) -> Option<Note> {
    let record = |sheet: &Sheet<'_>| {
        let Sheet { name, records: [before, last] } = sheet;
        if before == last { format!("{name:?} (–)") } else { format!("{name:?} ({}–{last})", before + 1) }
    };
    let listed = sheets.iter().map(record).collect::<Vec<_>>().join(", ");
    let message = format!(
        "{file}: several sheets fit alike and were read one after the other, with these records: {listed}; set read.sheet to read one of them"
    );
    (sheets.len() > 1).then(|| Note { code: "several_sheets".to_owned(), message })
}

fn unread(file: &str, left_out: &[&String], read: &[Sheet<'_>]) -> Option<Note> {
    let names = left_out.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("\", \"");
    let like = read.first()?.name;
    let message = format!(
        "{file}: these sheets hold rows under other columns than sheet {like:?} and were not read: \"{names}\"; set read.sheet to read one of them"
    );
    (!left_out.is_empty()).then(|| Note { code: "unread_tables".to_owned(), message })
}

/// The first rows of every sheet.
pub(super) fn glance(stored: &Stored, compression: Compression) -> Result<Vec<Vec<GridRow>>, OpenError> {
    let file = stored.name();
    guarded(file, WHAT, || {
        let mut workbook = open(file, all_bytes(stored, compression, MOST_BYTES, "a workbook")?)?;
        let names = worksheets(&workbook);
        names.iter().map(|name| first_rows(&mut workbook, name).map_err(|trouble| told(file, trouble))).collect()
    })
}

fn told(file: &str, trouble: Trouble) -> OpenError {
    match trouble {
        Trouble::Damaged(reason) => damaged(file, WHAT, &reason),
        Trouble::Handling(error) => error,
        Trouble::Enough => damaged(file, WHAT, "it ended early"),
    }
}

fn open(file: &str, bytes: Vec<u8>) -> Result<Workbook, OpenError> {
    let bytes: Arc<[u8]> = bytes.into();
    check_unpacked(&bytes).map_err(|reason| damaged(file, WHAT, &reason))?;
    open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| damaged(file, WHAT, &error.to_string()))
}

/// Unpacks all parts once, keeping nothing: what they say of their size need not be true.
fn check_unpacked(bytes: &Arc<[u8]>) -> Result<(), String> {
    if !bytes.starts_with(b"PK") {
        return Ok(());
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(Arc::clone(bytes))).map_err(|error| error.to_string())?;
    let mut left = MOST_UNPACKED;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| error.to_string())?;
        left -= io::copy(&mut part.take(left), &mut io::sink()).map_err(|error| error.to_string())?;
        if left == 0 {
            return Err(format!("it unpacks to more than {} GiB; save the sheet as CSV", MOST_UNPACKED >> 30));
        }
    }
    Ok(())
}

/// Names of the sheets that hold cells.
fn worksheets(workbook: &Workbook) -> Vec<String> {
    let all = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    all.map(|sheet| sheet.name.clone()).collect()
}

/// The sheets that may be meant.
fn sheets(workbook: &Workbook, file: &str, source: &Source) -> Result<Vec<String>, OpenError> {
    let names = worksheets(workbook);
    match &source.read.sheet {
        None => Ok(names),
        Some(wanted) if names.contains(wanted) => Ok(vec![wanted.clone()]),
        Some(wanted) => Err(OpenError::NoSheet { file: file.to_owned(), sheet: wanted.clone(), sheets: names.join("\", \"") }),
    }
}

fn first_rows(workbook: &mut Workbook, sheet: &str) -> Result<Vec<GridRow>, Trouble> {
    let mut rows = Vec::new();
    let read = each_row(workbook, sheet, &mut |row| {
        rows.push(row);
        if rows.len() < ROWS_LOOKED_AT { Ok(()) } else { Err(Trouble::Enough) }
    });
    match read {
        Ok(()) | Err(Trouble::Enough) => Ok(rows),
        Err(trouble) => Err(trouble),
    }
}

type EachRow<'e> = &'e mut dyn FnMut(GridRow) -> Result<(), Trouble>;

/// Hands over the rows that hold something. A sheet that names a cell at its far corner is not laid out in memory.
fn each_row(workbook: &mut Workbook, sheet: &str, each: EachRow<'_>) -> Result<(), Trouble> {
    let wrong = |error: &dyn std::fmt::Display| Trouble::Damaged(format!("sheet {sheet:?}: {error}"));
    let mut gathering = Gathering { row: GridRow::default(), each };
    match workbook {
        Sheets::Xlsx(workbook) => {
            let mut cells = workbook.worksheet_cells_reader(sheet).map_err(|error| wrong(&error))?;
            while let Some(found) = cells.next_cell().map_err(|error| wrong(&error))? {
                gathering.cell(found.get_position(), &Data::from(found.get_value().clone()))?;
            }
        }
        Sheets::Xlsb(workbook) => {
            let mut cells = workbook.worksheet_cells_reader(sheet).map_err(|error| wrong(&error))?;
            while let Some(found) = cells.next_cell().map_err(|error| wrong(&error))? {
                gathering.cell(found.get_position(), &Data::from(found.get_value().clone()))?;
            }
        }
        Sheets::Xls(_) | Sheets::Ods(_) => {
            let range = workbook.worksheet_range(sheet).map_err(|error| wrong(&error))?;
            let (first_row, first_column) = range.start().unwrap_or_default();
            for (row, column, data) in range.used_cells() {
                let position = (row as u32, column as u32);
                gathering.cell((first_row + position.0, first_column + position.1), data)?;
            }
        }
    }
    gathering.flush()
}

/// Cells on their way to be rows.
struct Gathering<'e> {
    row: GridRow,
    each: EachRow<'e>,
}

impl Gathering<'_> {
    fn cell(&mut self, (row, column): (u32, u32), data: &Data) -> Result<(), Trouble> {
        let (line, column) = (u64::from(row) + 1, column as usize);
        let value = cell(data);
        if value == super::tabular::Cell::Empty {
            return Ok(());
        }
        if line < self.row.lines[0] {
            return Err(Trouble::Damaged(format!("row {line} comes after row {}", self.row.lines[0])));
        }
        if line > self.row.lines[0] {
            self.flush()?;
            self.row.lines = [line, line];
        }
        if self.row.cells.len() <= column {
            self.row.cells.resize(column + 1, super::tabular::Cell::Empty);
        }
        if let Some(place) = self.row.cells.get_mut(column) {
            *place = value;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Trouble> {
        let row = GridRow { lines: self.row.lines, ..std::mem::take(&mut self.row) };
        self.row.lines = row.lines;
        if row.cells.is_empty() { Ok(()) } else { (self.each)(row) }
    }
}
