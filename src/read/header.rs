//! Finds the header of a table, its delimiter, and which columns serve what was asked for.

use super::OpenError;
use super::broken::excerpt;
use super::csv::{Shape, Wanted};
use super::rows::Rows;
use super::sample::Sample;
use crate::domain::report::Note;
use crate::rules::Source;
use std::collections::{HashMap, HashSet};

/// Rows that may stand before the header: exports begin with titles, filters and dates.
const ROWS_LOOKED_AT: usize = 50;
/// In the order of preference among equals.
pub(super) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Values of a column looked at for damage.
const DAMAGE_SAMPLE: usize = 1_000;

/// A table whose header was found.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// As [`names`] calls them.
    pub(super) columns: Vec<String>,
    /// As many of them without those at the end that have no name.
    pub(super) least: usize,
    pub(super) wanted: Vec<Wanted>,
    /// The column whose sum the footer tells.
    pub(super) sum: Option<usize>,
    pub(super) missing: Vec<String>,
    /// Where the header starts.
    pub(super) header: usize,
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
    header: usize,
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
    let mut rows = Rows::new(sample, shape, 0);
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
        let columns = names(&columns);
        let found = source.columns.iter().filter(|name| position(&columns, name).is_some()).count();
        if best.as_ref().is_none_or(|best| found > best.found) {
            best = Some(Candidate { shape, columns, header: rows.given, start: rows.start, lines: rows.lines, found });
        }
        if found == source.columns.len() {
            break;
        }
    }
    best
}

fn table(candidate: Candidate, sample: &str, source: &Source) -> Table {
    let Candidate { shape, columns, header, start, lines, .. } = candidate;
    let mut wanted = Vec::new();
    let mut missing = Vec::new();
    for (slot, name) in source.columns.iter().enumerate() {
        match position(&columns, name) {
            Some(column) => wanted.push(Wanted { column, slot }),
            None => missing.push(name.clone()),
        }
    }
    wanted.sort_unstable();
    let summed = source.read.footer.as_ref().and_then(|footer| footer.sum_column.as_ref());
    let sum = summed.and_then(|name| position(&columns, name));
    missing.extend(summed.filter(|name| sum.is_none() && !missing.contains(name)).cloned());
    let least = least(&columns);
    let all: HashSet<&str> = columns.iter().map(String::as_str).collect();
    let second = columns.iter().filter_map(|name| name.strip_suffix("[2]"));
    let repeated = second.filter(|name| all.contains(name)).map(str::to_owned).collect();
    let damaged = damaged(sample, shape, start, &columns);
    Table { shape, columns, least, wanted, sum, missing, header, start, lines, repeated, damaged }
}

/// As many columns as a header has without those at its end that have no name.
pub(super) fn least(columns: &[String]) -> usize {
    columns.iter().rposition(|name| !name.is_empty()).map_or(columns.len(), |last| last + 1)
}

/// What the columns of a header are called: blanks around names dropped, the second of one name `name[2]`, the third `name[3]`.
pub(super) fn names(cells: &[String]) -> Vec<String> {
    let mut seen: HashMap<&str, u32> = HashMap::with_capacity(cells.len());
    let mut names = Vec::with_capacity(cells.len());
    for name in cells.iter().map(|cell| cell.trim()) {
        let times = seen.entry(name).or_default();
        *times += 1;
        let is_first = *times == 1 || name.is_empty();
        names.push(if is_first { name.to_owned() } else { format!("{name}[{times}]") });
    }
    names
}

/// The column of this name: exactly so, else without regard to case and blanks around it. In a name, `*` stands for any text, unless the
/// header has it; nothing else does, so that `data[*]` finds `data[shop]`. Of several columns the first.
pub(super) fn position(columns: &[String], name: &str) -> Option<usize> {
    fitting(columns, name).first().copied()
}

/// All columns that are what a name describes, as [`position`] has it: those that fit worse only where none fits better.
fn fitting(columns: &[String], name: &str) -> Vec<usize> {
    if let Some(exactly) = columns.iter().position(|column| column == name) {
        return vec![exactly];
    }
    let all = |fits: &dyn Fn(&str) -> bool| (0..).zip(columns).filter(|(_, column)| fits(column)).map(|(at, _)| at).collect();
    let by_glob: Vec<usize> = if name.contains('*') { all(&|column| fits(name, column)) } else { Vec::new() };
    if !by_glob.is_empty() {
        return by_glob;
    }
    let name = name.trim().to_lowercase();
    all(&|column| fits(&name, &column.to_lowercase()))
}

/// Names that describe several columns of a header.
pub(super) fn ambiguous(file: &str, columns: &[String], source: &Source) -> Vec<Note> {
    let note = |name: &String| {
        let fitting = fitting(columns, name);
        let names: Vec<String> = fitting.iter().filter_map(|at| columns.get(*at)).map(|name| excerpt(name)).collect();
        let first = names.first().filter(|_| names.len() > 1)?;
        let message = format!(
            "{file}: the columns \"{}\" fit the name {name:?}; {first:?} was used, write the name of the column that is meant",
            names.join("\", \"")
        );
        Some(Note { code: "ambiguous_column".to_owned(), message })
    };
    source.columns.iter().filter_map(note).collect()
}

/// True when a name is what a glob describes.
fn fits(glob: &str, name: &str) -> bool {
    let Some((front, rest)) = glob.split_once('*') else { return glob == name };
    let (middle, back) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = name.strip_prefix(front).and_then(|name| name.strip_suffix(back));
    // Each part as early as it comes leaves the most room for those after it.
    let mut parts = middle.split('*');
    inner.is_some_and(|inner| parts.try_fold(inner, |left, part| left.split_once(part).map(|(_, left)| left)).is_some())
}

fn damaged(sample: &str, shape: Shape, start: usize, columns: &[String]) -> Vec<String> {
    let mut hit = vec![false; columns.len()];
    for cells in Rows::new(sample, shape, start).take(DAMAGE_SAMPLE) {
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

pub(super) fn no_columns(file: &str, columns: &[String], source: &Source) -> OpenError {
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
