//! The workbook as a ZIP archive of XML parts, written from front to back.

use super::parts;
use super::sheet::{Column, Cut, Head, Sheet, Shown};
use crate::report::Out;
use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// Sheets of the workbook.
pub(super) const SHEETS: usize = 3;
/// Of 1 to 9; further ones take twice the time for a tenth less.
const LEVEL: i64 = 4;

pub(super) struct Book<'o, 'w> {
    archive: ZipWriter<StreamWriter<FirstError<'o, 'w>>>,
    names: [&'static str; SHEETS],
    /// Of each sheet that is written, the cells that can be filtered.
    filters: Vec<Option<String>>,
}

impl<'o, 'w> Book<'o, 'w> {
    /// A workbook of these sheets, which are then written in this order.
    pub(super) fn new(out: &'o mut Out<'w>, names: [&'static str; SHEETS]) -> io::Result<Self> {
        let archive = ZipWriter::new_stream(FirstError { out, error: None });
        let mut book = Self { archive, names, filters: Vec::with_capacity(SHEETS) };
        book.part("[Content_Types].xml", &parts::content_types(SHEETS))?;
        book.part("_rels/.rels", &parts::relations())?;
        book.part("xl/_rels/workbook.xml.rels", &parts::workbook_relations(SHEETS))?;
        book.part("xl/styles.xml", &parts::styles())?;
        Ok(book)
    }

    /// The next sheet: `fill` writes its rows below the head. Tells what the sheet could not hold.
    pub(super) fn sheet(
        &mut self,
        head: Head,
        columns: &[Column],
        fill: impl FnOnce(&mut Sheet<'_>) -> io::Result<()>,
    ) -> io::Result<Cut> {
        let number = self.filters.len() + 1;
        self.start(&format!("xl/worksheets/sheet{number}.xml"))?;
        let shown = if number == 1 { Shown::First } else { Shown::Later };
        let mut sheet = Sheet::open(&mut self.archive, head, columns, shown)?;
        fill(&mut sheet)?;
        let (filter, cut) = sheet.close()?;
        self.filters.push(filter);
        Ok(cut)
    }

    /// Writes what is left. Errors are the first that the output had.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.part("xl/workbook.xml", &parts::workbook(&self.names, &self.filters))?;
        let stream = self.archive.finish().map_err(io::Error::other)?;
        let FirstError { out, error } = stream.into_inner();
        match error {
            Some(error) => Err(error),
            None => out.flush(),
        }
    }

    fn part(&mut self, name: &str, content: &str) -> io::Result<()> {
        self.start(name)?;
        self.archive.write_all(content.as_bytes())
    }

    fn start(&mut self, name: &str) -> io::Result<()> {
        // Neither the clock nor the system must change the bytes. 1980 is the first year that ZIP knows.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
            .last_modified_time(DateTime::DEFAULT)
            .system(System::Unix);
        self.archive.start_file(name, options).map_err(io::Error::other)
    }
}

/// An output that keeps its first error and takes no more after it. The archive must not see an error: it would try to end itself when
/// it is dropped, fail again, and say so on standard error.
struct FirstError<'o, 'w> {
    out: &'o mut Out<'w>,
    error: Option<io::Error>,
}

impl Write for FirstError<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
