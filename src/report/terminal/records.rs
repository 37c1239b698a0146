//! The records of a finding side by side, one column each, with what differs marked; below each other where it is narrow.

use super::page::{Line, Page, Paint, TALLEST, shown};
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::domain::time::{DAY, span_text};
use crate::report::safe;
use crate::report::texts::{self, ABSENT, money};
use chrono::{DateTime, NaiveDate};
use std::collections::BTreeSet;
use std::io;

/// Blanks before the records.
const INDENT: usize = 5;
/// Least and greatest width of a record's column, without the two blanks before it.
const COLUMN: std::ops::RangeInclusive<usize> = 18..=44;
/// Greatest width of the labels.
const LABEL: usize = 16;

/// How much of the records is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The first four records, two lines a value.
    Summary,
    /// All records, values as far as a terminal can be read.
    Full,
}

impl Detail {
    fn records(self) -> usize {
        match self {
            Self::Summary => 4,
            Self::Full => usize::MAX,
        }
    }

    fn lines(self) -> usize {
        match self {
            Self::Summary => 2,
            Self::Full => TALLEST,
        }
    }
}

pub(super) fn write(finding: &Finding, detail: Detail, page: &mut Page<'_>) -> io::Result<()> {
    let rows = rows(finding, detail);
    let records: Vec<(usize, &FindingRecord)> = finding.records.iter().enumerate().take(detail.records()).collect();
    let label = rows.iter().map(|row| safe::width(&row.label)).max().unwrap_or_default().min(LABEL);
    let room = page.width().saturating_sub(INDENT + label + 2);
    let fitting = room / (COLUMN.start() + 2);
    let original = original(finding);
    if fitting < 2.min(records.len()) {
        for record in &records {
            stacked(record, original, &rows, page)?;
        }
    } else {
        for band in records.chunks(fitting.max(1)) {
            let width = (room / band.len()).saturating_sub(2).min(*COLUMN.end());
            columns(band, original, &rows, Shape { label, width, lines: detail.lines() }, page)?;
        }
    }
    match finding.records.len() - records.len() {
        0 => Ok(()),
        left => page.paragraph(INDENT, Paint::Faint, &texts::further_records(left, &finding.id)),
    }
}

/// Widths and heights of a band of columns.
struct Shape {
    label: usize,
    width: usize,
    lines: usize,
}

fn columns(
    band: &[(usize, &FindingRecord)],
    original: Option<&FindingRecord>,
    rows: &[Row<'_>],
    shape: Shape,
    page: &mut Page<'_>,
) -> io::Result<()> {
    let mut head = Line::new().plain(&" ".repeat(INDENT + shape.label));
    for (at, record) in band {
        head = head.plain("  ").with(Paint::Faint, &safe::pad(&title(*at, record), shape.width));
    }
    page.line(&head)?;
    for row in rows {
        let cells: Vec<(Paint, Vec<String>)> = band
            .iter()
            .map(|(_, record)| {
                let (paint, text) = row.cell(record, original);
                (paint, clipped(&shown(&text), shape.width, shape.lines))
            })
            .collect();
        let height = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
        for at in 0..height {
            let label = if at == 0 { row.label.as_str() } else { "" };
            let mut line =
                Line::new().plain(&" ".repeat(INDENT - 2)).with(Paint::Warning, if at == 0 { row.mark() } else { "  " });
            line = line.with(Paint::Faint, &safe::pad(label, shape.label));
            for (paint, lines) in &cells {
                let text = lines.get(at).map(String::as_str).unwrap_or_default();
                line = line.plain("  ").with(*paint, text).plain(&" ".repeat(shape.width.saturating_sub(safe::width(text))));
            }
            page.line(&line)?;
        }
    }
    Ok(())
}

fn stacked(
    record: &(usize, &FindingRecord),
    original: Option<&FindingRecord>,
    rows: &[Row<'_>],
    page: &mut Page<'_>,
) -> io::Result<()> {
    let (at, record) = record;
    page.paragraph(2, Paint::Faint, &title(*at, record))?;
    for row in rows {
        let (paint, text) = row.cell(record, original);
        page.hang(Line::new().with(Paint::Warning, row.mark()).with(Paint::Faint, &format!("{} ", row.label)), paint, &text)?;
    }
    Ok(())
}

fn title(at: usize, record: &FindingRecord) -> String {
    format!("{} {}", at + 1, texts::role(record.role))
}

/// Text in at most so many lines, the last one cut.
fn clipped(text: &str, width: usize, lines: usize) -> Vec<String> {
    let mut wrapped = safe::wrap(&safe::cut(text, width * (lines + 1)), width);
    if wrapped.len() > lines {
        let last = wrapped.split_off(lines.saturating_sub(1)).join(" ");
        wrapped.push(safe::cut(&last, width).into_owned());
    }
    wrapped
}

/// A row of the table of records.
struct Row<'a> {
    field: Field<'a>,
    /// As shown.
    label: String,
    /// The records do not agree.
    differs: bool,
}

impl Row<'_> {
    /// `≠` where the records differ, so that it can be seen without colour.
    fn mark(&self) -> &'static str {
        if self.differs { "≠ " } else { "  " }
    }

    fn cell(&self, record: &FindingRecord, original: Option<&FindingRecord>) -> (Paint, String) {
        let value = self.field.value(record, original);
        let as_original = original.is_none_or(|original| self.field.value(original, Some(original)) == value);
        let paint = match value {
            None => Paint::Faint,
            Some(_) if self.differs && !as_original => Paint::Warning,
            Some(_) => Paint::Plain,
        };
        (paint, value.unwrap_or_else(|| ABSENT.to_owned()))
    }
}

fn rows(finding: &Finding, detail: Detail) -> Vec<Row<'_>> {
    let original = original(finding);
    let named: BTreeSet<&str> = finding
        .records
        .iter()
        .flat_map(|record| record.values.keys())
        .map(String::as_str)
        .filter(|name| !["operation", "actor", "amount", "currency", "outcome"].contains(name))
        .collect();
    let first = [Field::Time, Field::Gap, Field::Value("operation"), Field::Value("actor"), Field::Amount, Field::EffectId];
    let then = [Field::RequestKey, Field::Outcome];
    let last = [Field::Source, Field::Place];
    let fields = first.into_iter().chain(then).chain(named.into_iter().map(Field::Value)).chain(last);
    let row = |field: Field<'_>| {
        let mut values = finding.records.iter().map(|record| field.value(record, original));
        let head = values.next()?;
        let (mut any, mut differs) = (head.is_some(), false);
        for value in values {
            any |= value.is_some();
            differs |= value != head;
        }
        // Whether there is an effect id is part of the answer; other fields that no record fills say nothing.
        let told = any || matches!(field, Field::EffectId);
        let told = told && (field != Field::Source || differs || detail == Detail::Full);
        told.then(|| (shown(field.label()), differs && field.is_compared()))
    };
    fields.filter_map(|field| row(field).map(|(label, differs)| Row { field, label, differs })).collect()
}

fn original(finding: &Finding) -> Option<&FindingRecord> {
    finding.records.iter().find(|record| record.role == Role::Original).or(finding.records.first())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field<'a> {
    Time,
    /// How long after the original.
    Gap,
    /// By its name among the record's values.
    Value(&'a str),
    Amount,
    EffectId,
    RequestKey,
    Outcome,
    Source,
    Place,
}

impl<'a> Field<'a> {
    fn label(self) -> &'a str {
        match self {
            Self::Time => texts::TIME,
            Self::Gap => texts::GAP,
            Self::Value(name) => name,
            Self::Amount => texts::AMOUNT,
            Self::EffectId => texts::EFFECT_ID,
            Self::RequestKey => texts::REQUEST_KEY,
            Self::Outcome => texts::OUTCOME,
            Self::Source => texts::SOURCE,
            Self::Place => texts::PLACE,
        }
    }

    /// False for what differs on any two records.
    fn is_compared(self) -> bool {
        !matches!(self, Self::Time | Self::Gap | Self::Place)
    }

    fn value(self, record: &FindingRecord, original: Option<&FindingRecord>) -> Option<String> {
        let value = |name: &str| record.values.get(name).map(String::as_str);
        match self {
            // A blank lets a narrow column break between date and time.
            Self::Time => Some(record.time.replace('T', " ")),
            Self::Gap => original
                .filter(|original| !std::ptr::eq(*original, record))
                .and_then(|original| gap(&original.time, &record.time)),
            Self::Value(name) => value(name).map(str::to_owned),
            Self::Amount => match (value("amount"), value("currency")) {
                (Some(amount), Some(currency)) => Some(money(currency, amount)),
                (amount, currency) => amount.or(currency).map(str::to_owned),
            },
            Self::EffectId => record.effect_id.clone(),
            Self::RequestKey => record.request_key.clone(),
            Self::Outcome => Some(match value("outcome") {
                Some(said) if said != texts::outcome(record.outcome) => format!("{} ({said})", texts::outcome(record.outcome)),
                _ => texts::outcome(record.outcome).to_owned(),
            }),
            Self::Source => Some(record.source.clone()),
            Self::Place => Some(match record.lines {
                [first, last] if first == last => format!("{}:{first}", record.file),
                [first, last] => format!("{}:{first}-{last}", record.file),
            }),
        }
    }
}

/// Time between two records, signed: `+3 min 2 s`. None where one has no time of day and the other has.
fn gap(from: &str, to: &str) -> Option<String> {
    let instant = |text: &str| DateTime::parse_from_rfc3339(text).ok()?.timestamp_nanos_opt();
    let date = |text: &str| text.parse::<NaiveDate>().ok();
    let nanos = match (instant(from), instant(to)) {
        (Some(from), Some(to)) => to.checked_sub(from)?,
        _ => (date(to)? - date(from)?).num_days().checked_mul(DAY)?,
    };
    Some(format!("{}{}", if nanos < 0 { '-' } else { '+' }, span_text(nanos)))
}
