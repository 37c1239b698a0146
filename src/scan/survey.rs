//! What the columns of an unknown input hold: how often they are filled, what their values look like, a few of them.

use super::infer::kinds::{Kind, kind_of};
use crate::domain::record::{Input, InputError, Split};
use crate::read::{self, Glance, OpenError, Stored};
use crate::rules::{Format, Read, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Records looked at.
const MOST_RECORDS: u64 = 20_000;
/// Values of a column that are told apart; a column with more is as good as unique.
const MOST_DISTINCT: usize = 5_000;
/// Records whose members are gathered where nothing names the columns.
const MEMBER_RECORDS: u64 = 200;
/// Columns of a JSON input; the rest is not looked at.
const MOST_COLUMNS: usize = 300;
/// How deep members of JSON are looked for.
const DEEPEST: usize = 4;

/// An input, surveyed.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What it was recognised as, in words.
    pub format: String,
    /// How a configuration writes the format.
    pub format_name: &'static str,
    /// Records looked at.
    pub records: u64,
    /// Records that could not be taken apart.
    pub broken: u64,
    /// Why the input could not be read to its end, or to the end of the survey.
    pub fault: Option<String>,
    /// What was taken for the name of a column, and is a value like those below it: the table has no header, and its first record was taken
    /// for one.
    pub value_as_name: Option<String>,
    pub columns: Vec<SurveyedColumn>,
}

/// One column of an input.
#[derive(Clone, Debug, Default)]
pub struct SurveyedColumn {
    pub name: String,
    /// Records that fill it.
    pub filled: u64,
    /// Different values with their counts, as far as they are told apart.
    pub values: BTreeMap<String, u64>,
    /// Values of each kind.
    pub kinds: BTreeMap<Kind, u64>,
    /// Filled values that had come when as many were told apart as are told; None: all are.
    filled_until_full: Option<u64>,
    /// The first values, each once.
    pub samples: Vec<String>,
}

impl SurveyedColumn {
    /// Share of the filled values that are of this kind, 0 to 1.
    pub fn share(&self, kind: Kind) -> f64 {
        if self.filled == 0 { 0.0 } else { *self.kinds.get(&kind).unwrap_or(&0) as f64 / self.filled as f64 }
    }

    /// The kind that most values have.
    pub fn kind(&self) -> Option<Kind> {
        self.kinds.iter().max_by_key(|(kind, count)| (**count, std::cmp::Reverse(**kind))).map(|(kind, _)| *kind)
    }

    /// Different values for each filled one, 0 to 1, over the records until [`MOST_DISTINCT`] were told apart.
    pub fn uniqueness(&self) -> f64 {
        let filled = self.filled_until_full.unwrap_or(self.filled);
        if filled == 0 { 0.0 } else { self.values.len() as f64 / filled as f64 }
    }

    /// Number of different values, as far as they are told apart: `5000+` where there are more.
    pub fn different(&self) -> String {
        let more = if self.filled_until_full.is_some() { "+" } else { "" };
        format!("{}{more}", self.values.len())
    }

    fn add(&mut self, value: &str) {
        self.filled += 1;
        *self.kinds.entry(kind_of(value)).or_default() += 1;
        if let Some(count) = self.values.get_mut(value) {
            *count += 1;
        } else if self.values.len() < MOST_DISTINCT {
            self.values.insert(value.to_owned(), 1);
            if self.samples.len() < 5 {
                self.samples.push(value.to_owned());
            }
        } else {
            self.filled_until_full.get_or_insert(self.filled - 1);
        }
    }
}

/// Surveys an input that was glanced at.
///
/// # Errors
/// It cannot be opened.
pub fn survey(stored: Stored, glance: &Glance, spool_folder: &std::path::Path) -> Result<Survey, OpenError> {
    let format = Format::parse(glance.content().name());
    let header = header(glance);
    let bare = |columns: Vec<String>| Source::of_columns(format, Read::default(), columns);
    let named = match header {
        Some(names) => names,
        None => {
            let input = read::open_stored(stored.clone(), &bare(Vec::new()), spool_folder)?;
            match input.columns() {
                [] => members(input.as_ref()),
                names => names.to_vec(),
            }
        }
    };
    let named: Vec<String> = named.into_iter().filter(|name| !name.is_empty()).collect();
    let input = read::open_stored(stored, &bare(named.clone()), spool_folder)?;
    let mut survey = Survey {
        format: input.description(),
        format_name: glance.content().name(),
        records: 0,
        broken: 0,
        fault: None,
        value_as_name: None,
        columns: named.into_iter().map(|name| SurveyedColumn { name, ..SurveyedColumn::default() }).collect(),
    };
    let fault = each_record(input.as_ref(), MOST_RECORDS, &mut |split| {
        survey.records += 1;
        match split {
            Split::Record(record) => {
                for (place, column) in survey.columns.iter_mut().enumerate() {
                    if let Some(value) = record.cell(place) {
                        column.add(value);
                    }
                }
            }
            Split::Broken(_) => survey.broken += 1,
            _ => {}
        }
    });
    survey.fault = fault.map(|fault| fault.to_string());
    survey.value_as_name = survey.columns.iter().find(|column| is_value(column)).map(|column| column.name.clone());
    survey.columns.retain(|column| column.filled > 0);
    Ok(survey)
}

/// The row of delimited text that names the columns: the first of the most usual width whose cells are all filled and all differ.
fn header(glance: &Glance) -> Option<Vec<String>> {
    let delimiter = glance.delimiter();
    let rows: Vec<_> = glance.headers().iter().filter(|row| row.delimiter == delimiter).collect();
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    for row in &rows {
        *widths.entry(row.names.len()).or_default() += 1;
    }
    let (usual, _) = widths.iter().max_by_key(|(width, count)| (**count, **width))?;
    let names_columns = |names: &[String]| {
        let filled: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
        let distinct: BTreeSet<&&String> = filled.iter().collect();
        let named = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        named + 2 >= *usual && filled.len() * 10 >= named * 9 && distinct.len() == filled.len()
    };
    rows.iter().find(|row| names_columns(&row.names)).map(|row| row.names.clone())
}

/// Whether a column is named like what it holds: `2026-03-02T10:00:00Z` above times. Dates above amounts are months of a plan, and may be names.
fn is_value(column: &SurveyedColumn) -> bool {
    let name = kind_of(&column.name);
    matches!(name, Kind::Time | Kind::Date | Kind::Epoch | Kind::Decimal | Kind::Email)
        && (column.filled == 0 || column.kind() == Some(name))
}

/// JSON pointers to the plain members of the first records.
fn members(input: &dyn Input) -> Vec<String> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    each_record(input, MEMBER_RECORDS, &mut |split| {
        if let Split::Record(record) = split
            && let Ok(value) = serde_json::from_str::<serde_json::Value>(record.raw())
        {
            gather(&value, String::new(), 0, &mut |pointer| {
                if found.len() < MOST_COLUMNS && known.insert(pointer.clone()) {
                    found.push(pointer);
                }
            });
        }
    });
    found
}

fn gather(value: &serde_json::Value, pointer: String, depth: usize, each: &mut dyn FnMut(String)) {
    match value {
        serde_json::Value::Object(object) if depth < DEEPEST => {
            for (name, inner) in object {
                gather(inner, format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), depth + 1, each);
            }
        }
        serde_json::Value::Null => {}
        _ => each(pointer),
    }
}

/// Hands over the first records. Returns what ended the input early.
fn each_record(input: &dyn Input, most: u64, each: &mut dyn FnMut(Split<'_>)) -> Option<InputError> {
    let mut blocks = match input.blocks() {
        Ok(blocks) => blocks,
        Err(fault) => return Some(fault),
    };
    let mut records = 0;
    while records < most {
        let block = match blocks.next_block() {
            Ok(Some(block)) => block,
            Ok(None) => return None,
            Err(fault) => return Some(fault),
        };
        input.splitter().split(&block, 0, &mut |split| {
            if !matches!(split, Split::Blank | Split::Ignored { .. }) {
                records += 1;
                each(split);
            }
            if records < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    None
}
