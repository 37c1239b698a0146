//! A glance at the front of an input, before anything is known of it: what it is, and what its columns may be called.

use super::content::{self, Content};
use super::csv::Shape;
use super::document::arrays;
use super::header::{DELIMITERS, names};
use super::lines::line_at;
use super::rows::Rows;
use super::sample::{self, Sample};
use super::stored::Stored;
use super::{OpenError, front, logs, translate, wrapper};
use crate::rules::Wrapper;

/// Bytes looked at.
const GLANCE_BYTES: usize = 256 << 10;
/// Bytes looked at where a transcript may have begun with a message longer than that.
const LONG_GLANCE_BYTES: usize = 4 << 20;
/// Rows that may be the header.
const MOST_ROWS: usize = 40;

/// What the front of an input shows. Nothing here is certain: the front may be all that looks like this.
#[derive(Debug)]
pub struct Glance {
    content: Content,
    encoding: &'static str,
    compression: Option<&'static str>,
    sample: Sample,
    wrapper: Option<Wrapper>,
    /// The sample as if its lines were never wrapped, where they are.
    messages: Option<Sample>,
    headers: Vec<HeaderRow>,
}

/// A row that may be the header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderRow {
    /// What would stand between the columns; None where cells lie apart already, in a sheet or page.
    pub delimiter: Option<u8>,
    /// 1-based number of the physical line on which the row ends; 0 where the format itself names the columns.
    pub line: u64,
    /// Its cells, as columns would be called: blanks around them dropped, the second of one name as `name[2]`.
    pub names: Vec<String>,
}

/// Reads the front of an input.
///
/// # Errors
/// It cannot be read, is damaged where its columns would be, or is of a kind that no reader makes sense of.
pub(super) fn glance(stored: &Stored) -> Result<Glance, OpenError> {
    let glance = glance_at(stored, GLANCE_BYTES)?;
    let is_object_cut = |sample: &Sample| !sample.is_whole && !front::ends_first(&sample.text);
    if glance.content == Content::Json && glance.wrapper.is_none() && is_object_cut(&glance.sample) {
        let longer = glance_at(stored, LONG_GLANCE_BYTES)?;
        if longer.content == Content::Transcript {
            return Ok(longer);
        }
    }
    Ok(glance)
}

fn glance_at(stored: &Stored, most: usize) -> Result<Glance, OpenError> {
    let front = sample::front(stored, most)?;
    let (sample, coding, _) = sample::take(stored, &front, None, most)?;
    let wrapper = wrapper::detect(&sample.text);
    let messages = wrapper.map(|wrapper| logs::messages(&sample, wrapper));
    let content = match (sample.not_text, &messages) {
        (Some(content), _) => content,
        (None, Some(messages)) => content::of_messages(messages),
        (None, None) => content::of_text(&sample),
    };
    if let Content::Foreign { what, advice } = content {
        return Err(OpenError::Foreign { file: stored.name().to_owned(), what, advice });
    }
    let headers = match content {
        Content::Csv | Content::Text if wrapper.is_none() => header_rows(&sample),
        Content::Workbook | Content::Html | Content::Ipc | Content::Parquet => {
            let rows = translate::headers(stored, coding.compression, &sample)?;
            rows.into_iter().map(|(line, names)| HeaderRow { delimiter: None, line, names }).collect()
        }
        _ => Vec::new(),
    };
    let (encoding, compression) = (coding.recognised.encoding.name(), coding.compression.name());
    Ok(Glance { content, encoding, compression, sample, wrapper, messages, headers })
}

impl Glance {
    /// What the input is.
    pub fn content(&self) -> Content {
        self.content
    }

    /// In words, as [`crate::domain::record::Input::description`]: `csv, ";", windows-1251, gzip`.
    pub fn description(&self) -> String {
        let delimiter = self.delimiter().map(delimiter_name);
        let encoding = self.encoding().map(str::to_owned);
        let wrapped = self.wrapper.map(|wrapper| format!("wrapped by {}", wrapper.name()));
        let facts = [Some(self.content.name().to_owned()), delimiter, wrapped, encoding, self.compression.map(str::to_owned)];
        facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// What stands before each message of a log.
    pub fn wrapper(&self) -> Option<Wrapper> {
        self.wrapper
    }

    /// The encoding of a text, by its WHATWG name.
    pub fn encoding(&self) -> Option<&str> {
        self.content.is_text().then_some(self.encoding)
    }

    /// What seems to stand between the columns of delimited text.
    pub fn delimiter(&self) -> Option<u8> {
        (self.content == Content::Csv).then(|| content::delimiter(&self.sample)).flatten()
    }

    /// Rows of the front that may be the header, in the order of lines for each delimiter that splits them at all.
    pub fn headers(&self) -> &[HeaderRow] {
        &self.headers
    }

    /// The lines of the front that it holds wholly, as they stand.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        whole_lines(&self.sample)
    }

    /// As [`Glance::lines`], without what stands before each message of a log.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        whole_lines(self.unwrapped())
    }

    fn unwrapped(&self) -> &Sample {
        self.messages.as_ref().unwrap_or(&self.sample)
    }

    /// Pointers to the arrays of a JSON document that may be its records: of objects, and up to a few objects deep.
    pub fn records_at(&self) -> Vec<String> {
        match self.content {
            Content::Csv | Content::Logfmt | Content::Text => Vec::new(),
            _ => arrays(self.unwrapped().text.as_bytes()).pointers,
        }
    }

    /// The values of `pointers` (or names of members) in the first records that the front holds: of the array at `records`, else of the
    /// objects that stand one after the other. Objects and arrays are given as they are written. Of a log it is the messages that are
    /// read.
    pub fn values(&self, records: Option<&str>, pointers: &[String]) -> Vec<Vec<Option<String>>> {
        front::values(&self.unwrapped().text, records, pointers)
    }
}

/// As messages show it.
pub(super) fn delimiter_name(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "tab".to_owned(),
        other => format!("\"{}\"", char::from(other)),
    }
}

fn whole_lines(sample: &Sample) -> impl Iterator<Item = &str> {
    let Sample { text, line_end, is_whole, .. } = sample;
    let mut start = 0;
    std::iter::from_fn(move || {
        let line = line_at(text.as_bytes(), start, *line_end);
        let ends = start < text.len() && (*is_whole || line.next > line.end);
        let content = text.get(start..line.end).filter(|_| ends);
        start = line.next;
        content
    })
}

fn header_rows(sample: &Sample) -> Vec<HeaderRow> {
    let mut found = Vec::new();
    for delimiter in DELIMITERS {
        let mut rows = Rows::new(&sample.text, Shape { delimiter, line_end: sample.line_end }, 0);
        for _ in 0..MOST_ROWS {
            let Some(cells) = rows.next() else { break };
            let is_cut = rows.start == sample.text.len() && !sample.is_whole;
            if cells.len() > 1 && !is_cut {
                found.push(HeaderRow { delimiter: Some(delimiter), line: rows.lines, names: names(&cells) });
            }
        }
    }
    found
}
