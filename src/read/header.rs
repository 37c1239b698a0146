//! Finds the header of a table, its delimiter, and which columns serve what was asked for.

use super::OpenError;
use super::broken::excerpt;
use super::csv::{Quotes, RowWalk, Shape, Wanted};
use super::sample::Sample;
use crate::rules::Source;

/// Rows that may stand before the header: exports begin with titles, filters and dates.
const ROWS_LOOKED_AT: usize = 50;
/// In the order of preference among equals.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Values of a column looked at for damage.
const DAMAGE_SAMPLE: usize = 1_000;

/// A table whose header was found.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// Names as the header has them, blanks around them dropped.
    pub(super) columns: Vec<String>,
    pub(super) wanted: Vec<Wanted>,
    pub(super) missing: Vec<String>,
    /// Where the first row of data starts.
    pub(super) start: usize,
    /// Physical lines before it.
    pub(super) lines: u64,
    /// Names that stand more than once.
    pub(super) repeated: Vec<String>,
    /// Columns with values that a spreadsheet damaged.
    pub(super) damaged: Vec<String>,
}

struct Candidate {
    shape: Shape,
    columns: Vec<String>,
    start: usize,
    lines: u64,
    found: usize,
}

/// The header in `sample`, the front of the text.
///
/// # Errors
/// None of the columns asked for is there, or the header does not end in the sample.
pub(super) fn find(file: &str, sample: &Sample, source: &Source) -> Result<Option<Table>, OpenError> {
    let Sample { text, line_end, .. } = sample;
    let delimiters = source.read.delimiter.map_or(DELIMITERS.to_vec(), |delimiter| vec![delimiter]);
    let mut best: Option<Candidate> = None;
    for delimiter in delimiters {
        let candidate = candidate(text, Shape { delimiter, line_end: *line_end }, source);
        let rank = |candidate: &Candidate| (candidate.found, candidate.columns.len());
        if candidate.as_ref().map(rank) > best.as_ref().map(rank) {
            best = candidate;
        }
    }
    let Some(best) = best else { return Ok(None) };
    if best.found == 0 && !source.columns.is_empty() {
        return Err(no_columns(file, &best.columns, source));
    }
    if best.start == text.len() && !sample.is_whole {
        return Err(OpenError::EndlessHeader { file: file.to_owned(), bytes: text.len() });
    }
    Ok(Some(table(best, text, source)))
}

fn candidate(sample: &str, shape: Shape, source: &Source) -> Option<Candidate> {
    let mut rows = Rows::new(sample, shape);
    let looked_at = match source.read.skip_lines {
        Some(lines) => {
            rows.skip_lines(lines);
            1
        }
        None if source.columns.is_empty() => 1,
        None => ROWS_LOOKED_AT,
    };
    let mut best: Option<Candidate> = None;
    for _ in 0..looked_at {
        let Some(columns) = rows.next() else { break };
        let columns: Vec<String> = columns.iter().map(|name| name.trim().to_owned()).collect();
        let found = source.columns.iter().filter(|name| position(&columns, name).is_some()).count();
        if best.as_ref().is_none_or(|best| found > best.found) {
            best = Some(Candidate { shape, columns, start: rows.start, lines: rows.lines, found });
        }
        if found == source.columns.len() {
            break;
        }
    }
    best
}

fn table(candidate: Candidate, sample: &str, source: &Source) -> Table {
    let Candidate { shape, columns, start, lines, .. } = candidate;
    let mut wanted = Vec::new();
    let mut missing = Vec::new();
    for (slot, name) in source.columns.iter().enumerate() {
        match position(&columns, name) {
            Some(column) => wanted.push(Wanted { column, slot }),
            None => missing.push(name.clone()),
        }
    }
    wanted.sort_unstable();
    let mut repeated: Vec<String> = Vec::new();
    // Telling repeats among a million columns must not take a million times a million steps.
    let mut sorted: Vec<&String> = columns.iter().filter(|name| !name.is_empty()).collect();
    sorted.sort_unstable();
    for pair in sorted.windows(2) {
        if let [first, second] = pair
            && first == second
            && repeated.last() != Some(*first)
        {
            repeated.push((*first).clone());
        }
    }
    let damaged = damaged(sample, shape, start, &columns);
    Table { shape, columns, wanted, missing, start, lines, repeated, damaged }
}

/// The column of this name: exactly so, else without regard to case and blanks around it.
fn position(columns: &[String], name: &str) -> Option<usize> {
    columns.iter().position(|column| column == name).or_else(|| {
        let name = name.trim().to_lowercase();
        columns.iter().position(|column| column.to_lowercase() == name)
    })
}

fn damaged(sample: &str, shape: Shape, start: usize, columns: &[String]) -> Vec<String> {
    let mut rows = Rows::new(sample, shape);
    rows.start = start;
    rows.go_on();
    let mut hit = vec![false; columns.len()];
    for _ in 0..DAMAGE_SAMPLE {
        let Some(cells) = rows.next() else { break };
        for (hit, cell) in hit.iter_mut().zip(&cells) {
            *hit |= is_scientific(cell);
        }
    }
    columns.iter().zip(hit).filter(|(_, hit)| *hit).map(|(name, _)| name.clone()).collect()
}

/// `8.80731E+15`: what a spreadsheet makes of a long id.
pub(super) fn is_scientific(value: &str) -> bool {
    let Some((mantissa, exponent)) = value.trim().split_once(['E', 'e']) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once(['.', ',']).map_or((mantissa, None), |(whole, part)| (whole, Some(part)));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole)
        && fraction.is_none_or(digits)
        && exponent.strip_prefix('+').is_some_and(|power| power.len() >= 2 && digits(power))
}

fn no_columns(file: &str, columns: &[String], source: &Source) -> OpenError {
    let wanted = source.columns.first().cloned().unwrap_or_default();
    let nearest = nearest(&wanted, columns).map(|name| format!(" (the nearest is \"{}\")", excerpt(name))).unwrap_or_default();
    let mut header = columns.iter().take(8).map(|name| excerpt(name)).collect::<Vec<_>>().join(", ");
    if columns.len() > 8 {
        header.push_str(", …");
    }
    OpenError::NoColumns { file: file.to_owned(), wanted: source.columns.join(", "), header, nearest }
}

/// The name that `wanted` may have meant.
pub fn nearest<'a>(wanted: &str, names: &'a [String]) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    // A header of a million columns is an accident; no need to measure all of it.
    let scored = names.iter().take(1_000).map(|name| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name));
    scored.filter(|(score, _)| *score > 0.7).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name.as_str())
}

/// Rows of a sample, all cells. A row that the end of the sample may have cut is given as well.
struct Rows<'a> {
    text: &'a str,
    shape: Shape,
    start: usize,
    lines: u64,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str, shape: Shape) -> Self {
        Self { text, shape, start: 0, lines: 0 }
    }

    fn skip_lines(&mut self, lines: u64) {
        for _ in 0..lines {
            if self.start >= self.text.len() {
                break;
            }
            self.start = super::lines::line_at(self.text.as_bytes(), self.start, self.shape.line_end).next;
            self.lines += 1;
        }
        self.go_on();
    }

    fn go_on(&mut self) {}

    fn next(&mut self) -> Option<Vec<String>> {
        while self.start < self.text.len() {
            let start = self.start;
            let mut cells = Vec::new();
            let row = RowWalk::new(self.text.as_bytes(), start, self.shape).row(start, |_, span| {
                let mut value = String::new();
                span.read(self.text, &mut value);
                cells.push(value);
            });
            self.start = row.next;
            self.lines += u64::from(row.lines);
            if !row.is_blank(start) {
                // A title with a stray quote is no header, but the rows after it may hold one.
                return Some(if row.quotes == Quotes::Closed { cells } else { Vec::new() });
            }
        }
        None
    }
}
