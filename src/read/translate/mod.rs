//! Formats that are translated when they are opened: their records become lines of text of one form, which then is read like any input.
//!
//! A line is `number TAB first line TAB last line TAB {object}`, or `!reason` for a broken record, or `-` for one that is left out. It is
//! written by `rows` and read by `split`. Sheets and tables of all kinds come through `tabular`, text through `original`.
//!
//! To add a format: a translator in a file of its own, its name in `translate` below and in [`Format`], and a line in the conformance
//! suite `tests/readers.rs`.

#[cfg(feature = "ipc")]
mod arrow_ipc;
mod bank_exchange;
mod bank_parts;
mod calls;
mod continuation;
mod envelopes;
mod grid;
mod html;
mod html_table;
mod html_text;
mod json_values;
mod members;
mod original;
mod otlp;
mod otlp_value;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_value;
mod rows;
mod span_tree;
mod split;
mod statement;
mod tabular;
mod transcript;
mod typed_rows;
mod whole_file;
mod workbook;
mod workbook_cell;

pub(super) use original::Original;
pub(super) use split::TranslatedLines;

use super::OpenError;
use super::compression::Compression;
use super::content::Content;
use super::sample::Sample;
use super::spool::Spool;
use super::stored::Stored;
use crate::domain::record::InputError;
use crate::domain::report::Note;
use crate::rules::{Format, Source};

/// An input after translation.
pub(super) struct Translation {
    pub(super) spool: Spool,
    /// The member of the written objects that serves each column asked for.
    pub(super) members: Members,
    /// Columns that the input names itself.
    pub(super) columns: Vec<String>,
    /// Columns asked for that are certainly not there.
    pub(super) missing: Vec<String>,
    pub(super) numbers: Numbers,
    /// What was recognised, in words.
    pub(super) facts: Vec<String>,
    pub(super) notes: Vec<Note>,
    /// What ended the input early.
    pub(super) fault: Option<InputError>,
}

/// How columns find their members.
pub(super) enum Members {
    /// By name or JSON pointer, as the columns are written.
    AsAsked,
    /// By name, whatever the names look like.
    ByName,
}

/// What a dot in a number can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Written by a program, in one way: `1.234` is not a thousand.
    OneWay,
    /// Written by people, in the ways of their country.
    AnyWay,
}

/// True when text of this format is translated instead of read as it stands.
pub(super) fn is_for(format: Format, source: &Source) -> bool {
    match format {
        Format::Csv => source.read.record_types.is_some() || source.read.continues.is_some(),
        Format::Ndjson | Format::Json | Format::Logfmt | Format::Text => false,
        Format::BankExchange
        | Format::Envelopes
        | Format::Html
        | Format::Otlp
        | Format::Ipc
        | Format::Parquet
        | Format::Transcript
        | Format::Workbook => true,
    }
}

/// True when a source asks for what only a transcript's calls have.
pub(super) fn asks_for_calls(source: &Source) -> bool {
    source.columns.iter().any(|column| transcript::OF_CALLS.contains(&column.as_str()))
}

/// Rows at the front of sheets and pages that may name the columns, each with its last line; the names that a format has for them stand
/// on line 0.
///
/// # Errors
/// The workbook is damaged or too large.
pub(super) fn headers(stored: &Stored, compression: Compression, sample: &Sample) -> Result<Vec<(u64, Vec<String>)>, OpenError> {
    let tables = match sample.not_text {
        Some(Content::Workbook) => workbook::glance(stored, compression)?,
        #[cfg(feature = "ipc")]
        Some(Content::Ipc) => return Ok(vec![(0, arrow_ipc::columns(stored, compression)?)]),
        #[cfg(feature = "parquet")]
        Some(Content::Parquet) => return Ok(vec![(0, parquet::columns(stored, compression)?)]),
        Some(_) => Vec::new(),
        None => html::glance(sample),
    };
    Ok(tables.iter().flatten().map(|row| (row.lines[1], grid::names(row))).collect())
}

/// Translates a whole input.
///
/// # Errors
/// The input is not of this format, has none of the columns asked for, or the temporary file cannot be written.
pub(super) fn translate(original: &Original<'_>, format: Format) -> Result<Translation, OpenError> {
    match format {
        Format::Csv | Format::Ndjson | Format::Json | Format::Logfmt | Format::Text => typed_rows::translate(original),
        Format::BankExchange => bank_exchange::translate(original),
        Format::Envelopes => envelopes::translate(original),
        Format::Otlp => otlp::translate(original),
        Format::Transcript => transcript::translate(original),
        Format::Html => html::translate(original),
        Format::Workbook => workbook::translate(original),
        #[cfg(feature = "ipc")]
        Format::Ipc => arrow_ipc::translate(original),
        #[cfg(not(feature = "ipc"))]
        Format::Ipc => Err(OpenError::Foreign {
            file: original.name().to_owned(),
            what: "Arrow IPC",
            advice: "build twicelog with the feature \"ipc\", or export it as CSV or NDJSON",
        }),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::translate(original),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(OpenError::Foreign {
            file: original.name().to_owned(),
            what: "Parquet",
            advice: "build twicelog with the feature \"parquet\", or export it as CSV or NDJSON",
        }),
    }
}
