//! What a file is, told by its front: the marks of files that are no text, and the shapes of texts.

use super::csv::Shape;
use super::format::{is_json, of_objects};
use super::front::{holds_calls, holds_spans};
use super::header::DELIMITERS;
use super::logfmt::is_logfmt;
use super::rows::Rows;
use super::sample::Sample;
use crate::rules::Format;

/// What a file is. A file that is read as one format may be more than that: a transcript is NDJSON too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Delimited text.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// A JSON document, or objects one after the other.
    Json,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines of any other kind.
    Text,
    /// XLSX, XLS or ODS.
    Workbook,
    /// A ZIP archive that is no workbook.
    Zip,
    /// A page that holds a table; spreadsheets open it, so it is often called .xls.
    Html,
    /// `1CClientBankExchange`: account statements and payment orders of Russian banks.
    BankExchange,
    /// Traces of OpenTelemetry in JSON.
    Otlp,
    /// Messages with calls of tools and their results.
    Transcript,
    Parquet,
    /// Apache Arrow's file format.
    Ipc,
    /// A file that no reader can make sense of: what it is, and what to do about it.
    Foreign {
        what: &'static str,
        advice: &'static str,
    },
}

impl Content {
    /// As `source.format` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Json => "json",
            Self::Logfmt => "logfmt",
            Self::Text => "text",
            Self::Workbook => "xlsx",
            Self::Zip => "zip",
            Self::Html => "html",
            Self::BankExchange => "1c",
            Self::Otlp => "otlp",
            Self::Transcript => "transcript",
            Self::Parquet => "parquet",
            Self::Ipc => "ipc",
            Self::Foreign { what, .. } => what,
        }
    }

    /// For what is not opened as it is: what it is, and what to do about it.
    pub(super) fn unread(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Foreign { what, advice } => Some((what, advice)),
            Self::Zip => Some(("a ZIP archive", "unpack it first")),
            _ => None,
        }
    }

    /// True for files whose bytes are text.
    pub(super) fn is_text(self) -> bool {
        !matches!(self, Self::Workbook | Self::Zip | Self::Parquet | Self::Ipc | Self::Foreign { .. })
    }
}

/// A file that is no text, by its first bytes.
pub(super) fn of_bytes(first: &[u8]) -> Option<Content> {
    let foreign = |what, advice| Content::Foreign { what, advice };
    let known = [
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), Content::Workbook),
        (b"PAR1", Content::Parquet),
        (b"ARROW1", Content::Ipc),
        // A stream of it: the mark before each message.
        (b"\xFF\xFF\xFF\xFF", Content::Ipc),
        (b"BZh", foreign("bzip2", "unpack it first")),
        (b"\xFD7zXZ\0", foreign("xz", "unpack it first")),
        (b"7z\xBC\xAF\x27\x1C", foreign("a 7z archive", "unpack it first")),
        (b"SQLite format 3\0", foreign("an SQLite database", "export its table as CSV")),
        (b"%PDF-", foreign("PDF", "export the data as CSV")),
    ];
    match known.iter().find(|(magic, _)| first.starts_with(magic)) {
        Some((_, content)) => Some(*content),
        None => first.starts_with(ZIP_ENTRY).then(|| of_archive(first)),
    }
}

/// What begins each file of a ZIP archive; its name stands `ZIP_NAME` bytes later.
const ZIP_ENTRY: &[u8] = b"PK\x03\x04";
const ZIP_NAME: usize = 30;

/// A workbook by the names of the files in it, another archive otherwise.
fn of_archive(bytes: &[u8]) -> Content {
    const OPEN_DOCUMENT: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet";
    let mut names = memchr::memmem::find_iter(bytes, ZIP_ENTRY).filter_map(|at| bytes.get(at + ZIP_NAME..));
    if names.any(|name| name.starts_with(b"xl/") || name.starts_with(OPEN_DOCUMENT)) { Content::Workbook } else { Content::Zip }
}

/// What a text is.
pub(super) fn of_text(sample: &Sample) -> Content {
    let text = sample.text.as_str();
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..).unwrap_or_default();
    if is_bank_exchange(rest) {
        return Content::BankExchange;
    }
    if is_page(rest) {
        return Content::Html;
    }
    if is_json(rest) {
        return of_json(sample, start);
    }
    if is_logfmt(rest) {
        return Content::Logfmt;
    }
    if delimiter(sample).is_some() { Content::Csv } else { Content::Text }
}

/// What the messages of a log are.
pub(super) fn of_messages(messages: &Sample) -> Content {
    match of_text(messages) {
        // Of one message as of many.
        Content::Json => Content::Ndjson,
        Content::Csv => Content::Text,
        other => other,
    }
}

pub(super) fn is_bank_exchange(text: &str) -> bool {
    text.starts_with("1CClientBankExchange")
}

/// True for a page that holds a table.
pub(super) fn is_page(text: &str) -> bool {
    const TABLE: &[u8] = b"<table";
    text.starts_with('<') && text.as_bytes().windows(TABLE.len()).any(|bytes| bytes.eq_ignore_ascii_case(TABLE))
}

fn of_json(sample: &Sample, start: usize) -> Content {
    match () {
        () if holds_spans(&sample.text) => Content::Otlp,
        () if holds_calls(&sample.text) => Content::Transcript,
        () if of_objects(sample, start) == Format::Ndjson => Content::Ndjson,
        () => Content::Json,
    }
}

/// Rows that a guess at the delimiter looks at.
const ROWS_COMPARED: usize = 40;

/// The delimiter that splits most rows alike, among them one that may be a header; None where the text is no table.
pub(super) fn delimiter(sample: &Sample) -> Option<u8> {
    let score = |delimiter: &u8| {
        let shape = Shape { delimiter: *delimiter, line_end: sample.line_end };
        let rows: Vec<Vec<String>> = Rows::new(&sample.text, shape, 0).take(ROWS_COMPARED).collect();
        let header = rows.iter().filter(|row| is_header(row)).max_by_key(|row| row.len())?;
        let alike = rows.iter().filter(|row| row.len() == header.len()).count();
        (alike * 2 >= rows.len()).then_some((alike, header.len()))
    };
    let scored = DELIMITERS.iter().filter_map(|delimiter| Some((score(delimiter)?, *delimiter)));
    // Of equals the first.
    scored.rev().max_by_key(|(score, _)| *score).map(|(_, delimiter)| delimiter)
}

/// Names of columns begin with letters; times, addresses and numbers at the front of a log's lines do not.
fn is_header(row: &[String]) -> bool {
    let named = row.iter().filter(|cell| cell.trim().starts_with(char::is_alphabetic)).count();
    row.len() > 1 && named * 4 >= row.len() * 3
}
