//! The records of a finding side by side: one row for each field, and whether the records agree on it.

use super::texts::{Texts, number};
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::domain::time::DAY;
use chrono::{DateTime, NaiveDate};
use std::collections::BTreeSet;

/// Whether the attempts give a field one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    Equal,
    /// As written they differ, as the rule compares them they do not.
    Normalised,
    Different,
    /// Times and places differ on any two records.
    NotCompared,
}

impl Agreement {
    /// A sign that can be told without colour.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Normalised => "≈",
            Self::Different => "≠",
            Self::NotCompared => "",
        }
    }
}

/// A field of all records.
pub(super) struct Row {
    /// In the reader's language.
    pub(super) label: String,
    pub(super) agreement: Agreement,
    /// One for each record, in their order.
    pub(super) cells: Vec<Cell>,
    /// The source, which says something only where it differs.
    pub(super) is_source: bool,
}

pub(super) struct Cell {
    /// None where the record does not say.
    pub(super) text: Option<String>,
    /// An attempt that differs here from the original.
    pub(super) stands_out: bool,
}

/// `1 original`
pub(super) fn title(at: usize, record: &FindingRecord, texts: &dyn Texts) -> String {
    format!("{} {}", number(at as u64 + 1), texts.role(record.role))
}

/// The first successful attempt; where none succeeded, the first record.
pub(super) fn original(finding: &Finding) -> Option<&FindingRecord> {
    finding.records.iter().find(|record| record.role == Role::Original).or(finding.records.first())
}

/// `file:line`, `file:first-last`.
pub(super) fn place(record: &FindingRecord) -> String {
    match record.lines {
        [first, last] if first == last => format!("{}:{first}", record.file),
        [first, last] => format!("{}:{first}-{last}", record.file),
    }
}

/// Rows of every field that a record fills, in the order in which they are read.
pub(super) fn rows(finding: &Finding, texts: &dyn Texts) -> Vec<Row> {
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
    fields.filter_map(|field| row(field, finding, original, texts)).collect()
}

fn row(field: Field<'_>, finding: &Finding, original: Option<&FindingRecord>, texts: &dyn Texts) -> Option<Row> {
    let values: Vec<Option<String>> = finding.records.iter().map(|record| field.value(record, original, texts)).collect();
    // Whether there is an effect id is part of the answer; other fields that no record fills say nothing.
    if values.iter().all(Option::is_none) && field != Field::EffectId {
        return None;
    }
    // What proves or undoes an attempt is no attempt: that it differs says nothing.
    let is_attempt = |record: &FindingRecord| !matches!(record.role, Role::Proof | Role::Reversal);
    let attempts: Vec<&Option<String>> =
        finding.records.iter().zip(&values).filter(|(record, _)| is_attempt(record)).map(|(_, value)| value).collect();
    let differs = attempts.iter().any(|value| Some(value) != attempts.first());
    let agreement = match (field, differs) {
        (Field::Time | Field::Gap | Field::Place, _) => Agreement::NotCompared,
        (_, false) => Agreement::Equal,
        (_, true) if is_alike(field, finding, &is_attempt) => Agreement::Normalised,
        (_, true) => Agreement::Different,
    };
    let first = original.and_then(|original| field.value(original, Some(original), texts));
    let cell = |(record, text): (&FindingRecord, Option<String>)| Cell {
        stands_out: agreement == Agreement::Different && is_attempt(record) && text.is_some() && text != first,
        text,
    };
    let cells = finding.records.iter().zip(values).map(cell).collect();
    Some(Row { label: field.label(texts).to_owned(), agreement, cells, is_source: field == Field::Source })
}

/// True where every attempt gives the field one value as the rule compares it. An amount is told with its currency: both must agree.
fn is_alike(field: Field<'_>, finding: &Finding, is_attempt: &dyn Fn(&FindingRecord) -> bool) -> bool {
    let known = |name: &str| finding.alike.iter().any(|alike| alike == name);
    let one_currency = || {
        let mut currencies =
            finding.records.iter().filter(|record| is_attempt(record)).map(|record| record.values.get("currency"));
        let first = currencies.next();
        currencies.all(|other| Some(other) == first)
    };
    match field {
        Field::Amount => known("amount") && (known("currency") || one_currency()),
        other => other.name().is_some_and(known),
    }
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
    /// The name in a fingerprint; None for what no fingerprint holds, or not under one name.
    fn name(self) -> Option<&'a str> {
        match self {
            Self::Value(name) => Some(name),
            Self::RequestKey => Some("request_key"),
            Self::EffectId => Some("effect_id"),
            Self::Time | Self::Gap | Self::Amount | Self::Outcome | Self::Source | Self::Place => None,
        }
    }

    fn label(self, texts: &dyn Texts) -> &'a str {
        let words = texts.words();
        match self {
            Self::Time => words.time,
            Self::Gap => words.gap,
            Self::Value(name) => texts.field(name),
            Self::Amount => words.amount,
            Self::EffectId => words.effect_id,
            Self::RequestKey => words.request_key,
            Self::Outcome => words.outcome,
            Self::Source => words.source,
            Self::Place => words.place,
        }
    }

    fn value(self, record: &FindingRecord, original: Option<&FindingRecord>, texts: &dyn Texts) -> Option<String> {
        let value = |name: &str| record.values.get(name).map(String::as_str);
        match self {
            Self::Time => Some(texts.time(&record.time)),
            Self::Gap => original.filter(|original| !std::ptr::eq(*original, record)).and_then(|original| {
                let nanos = nanos_between(&original.time, &record.time)?;
                Some(format!("{}{}", if nanos < 0 { '-' } else { '+' }, texts.span(nanos)))
            }),
            Self::Value(name) => value(name).map(str::to_owned),
            Self::Amount => match (value("amount"), value("currency")) {
                (Some(amount), Some(currency)) => Some(texts.money(currency, amount)),
                (amount, currency) => amount.or(currency).map(str::to_owned),
            },
            Self::EffectId => record.effect_id.clone(),
            Self::RequestKey => record.request_key.clone(),
            Self::Outcome => Some(match value("outcome") {
                Some(said) if said != texts.outcome(record.outcome) => format!("{} ({said})", texts.outcome(record.outcome)),
                _ => texts.outcome(record.outcome).to_owned(),
            }),
            Self::Source => Some(record.source.clone()),
            Self::Place => Some(place(record)),
        }
    }
}

/// Nanoseconds from one record's time to another's. None where one has no time of day and the other has.
pub(super) fn nanos_between(from: &str, to: &str) -> Option<i64> {
    let instant = |text: &str| DateTime::parse_from_rfc3339(text).ok()?.timestamp_nanos_opt();
    let date = |text: &str| text.parse::<NaiveDate>().ok();
    match (instant(from), instant(to)) {
        (Some(from), Some(to)) => to.checked_sub(from),
        _ => (date(to)? - date(from)?).num_days().checked_mul(DAY),
    }
}
