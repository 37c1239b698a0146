//! How a result is told: to people on a terminal, a page or a sheet, to programs as JSON or CSV, to servers that show results.
//!
//! To add a format, write its file with `pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()>` and
//! name it below: as a module, in [`OutputFormat::ALL`] and in the two functions after it. Totals come from the report, never from
//! counting again; text of records goes through [`safe`], findings are shown as [`Told`] shows them. `tests/formats.rs` runs every format
//! of the list.

mod by_rule;
mod chart;
mod csv;
mod decimal;
mod headline;
mod html;
mod in_words;
mod indented;
mod json;
mod junit;
mod markdown;
pub mod mask;
mod ndjson;
mod overview;
mod png;
pub mod safe;
mod sarif;
mod side_by_side;
mod telling;
mod terminal;
mod texts;
mod xlsx;
mod xml;

pub use chart::NAMES as CHARTS;
pub use csv::CsvFor;
pub use mask::{Mask, PseudonymKey, WeakKey};
pub use png::{CHART_PICTURE_BEGIN, begins_chart_picture};
pub use telling::Telling;

use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::report::{Report, SCHEMA, ScanResult};
use crate::domain::{Finding, Language};
use mask::Masker;
use std::io::{self, Write};
use telling::Told;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// For people; named `text`.
    Terminal,
    /// The whole result as one document.
    Json,
    /// A summary line, then one finding a line.
    Ndjson,
    /// One row for each record of each finding.
    Csv,
    /// One page for a browser, which needs nothing else.
    Html,
    /// One picture: the headline and every chart.
    Png,
    /// For a ticket or a chat.
    Markdown,
    /// A workbook: findings, records and totals.
    Xlsx,
    /// For code scanning.
    Sarif,
    /// For build servers: findings as tests that failed.
    Junit,
}

impl OutputFormat {
    pub const ALL: [OutputFormat; 10] = [
        Self::Terminal,
        Self::Json,
        Self::Ndjson,
        Self::Csv,
        Self::Html,
        Self::Png,
        Self::Markdown,
        Self::Xlsx,
        Self::Sarif,
        Self::Junit,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminal => "text",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Html => "html",
            Self::Png => "png",
            Self::Markdown => "markdown",
            Self::Xlsx => "xlsx",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
        }
    }

    /// The format of this name; None when there is none.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// True for formats that are no text; a terminal would show noise.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Xlsx | Self::Png)
    }

    /// What is masked when the user does not say: a terminal is looked at by bystanders, a page or a workbook is
    /// passed on, and servers show what they are given to everybody; data is read by whoever asked for it.
    pub fn default_mask(self) -> Mask {
        match self {
            Self::Terminal | Self::Html | Self::Png | Self::Markdown | Self::Xlsx | Self::Sarif | Self::Junit => Mask::On,
            Self::Json | Self::Ndjson | Self::Csv => Mask::Off,
        }
    }
}

/// Whether the output may hold colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    On,
    Off,
}

/// How a report looks. JSON and NDJSON heed only `mask`, CSV `mask` and `csv`.
#[derive(Clone, Debug)]
pub struct Style {
    /// Columns of the terminal; fewer than 20 are taken as 20.
    pub width: usize,
    pub color: Color,
    pub mask: Mask,
    pub language: Language,
    pub csv: CsvFor,
    /// What verdicts and causes mean, from the code that finds them.
    pub explanations: Vec<Explanation>,
}

impl Style {
    /// Columns where the terminal does not say.
    pub const WIDTH: usize = 80;

    fn meaning(&self, code: &str) -> Option<&Meaning> {
        let known = self.explanations.iter().find(|explanation| explanation.code == code);
        known.map(|explanation| explanation.told_in(self.language))
    }

    /// What a cause is called; its code in words where the code that finds it is not known.
    fn cause_title(&self, code: &str) -> String {
        self.meaning(code).map_or_else(|| code.replace('_', " "), |known| known.title.to_owned())
    }

    fn texts(&self) -> &'static dyn texts::Texts {
        texts::of(self.language)
    }
}

/// Where formats write: buffered, and known to the compiler, because JSON is written in very small pieces.
type Out<'a> = io::BufWriter<&'a mut dyn Write>;

/// Writes a report on its own, without a key for pseudonyms. Errors are those of `out`.
pub fn write(format: OutputFormat, report: &Report, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    Telling::of(report, None).write(format, style, out)
}

/// A picture of each chart of a report on its own. Errors are defects.
pub fn chart_pictures(report: &Report, style: &Style) -> io::Result<Vec<(String, Vec<u8>)>> {
    Telling::of(report, None).chart_pictures(style)
}

/// Writes everything that is known about a finding on its own. Errors are those of `out`.
pub fn finding_card(finding: &Finding, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    terminal::finding_card(&Masker::new(style.mask).finding(finding), style, out)
}

/// Writes a table of text as CSV that is safe to open in a spreadsheet. Errors are those of `out`.
pub fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>, reader: CsvFor, out: &mut dyn Write) -> io::Result<()> {
    csv::table(header, rows, reader, out)
}

/// SHA-256 in lower-case hex of a result as the `json` format writes it, without insignificant space. Errors are those of the format.
pub fn result_sha256(result: &ScanResult) -> io::Result<String> {
    json::sha256(result)
}

/// What the four parts of a [`Meaning`] after its title are called, in their order.
pub fn explanation_heads(language: Language) -> [&'static str; 4] {
    let words = texts::of(language).words();
    [words.looks_for, words.needs, words.looks_alike, words.what_to_do]
}

/// JSON Schema of the `json` format.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Report);
    schema.insert("$id".into(), "urn:twicelog:result:1".into());
    schema.insert("title".into(), SCHEMA.into());
    schema.to_value()
}
