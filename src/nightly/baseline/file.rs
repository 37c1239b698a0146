//! Reading a baseline: every mistake is told at once, with line, column and an excerpt, as in a configuration.

use super::{Baseline, Entry, Seen};
use crate::domain::Judgement;
use crate::rules::ConfigErrors;
use crate::rules::problem::{Problems, parse_toml, quoted};
use crate::rules::shape::{self, Key, Need, Shape};
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const fn key(name: &'static str, need: Need, shape: Shape, meaning: &'static str, example: &'static str) -> Key {
    Key { name, need, shape, meaning, example }
}

const JUDGEMENTS: &[&str] =
    &[Judgement::FalseAlarm.name(), Judgement::Intended.name(), Judgement::Accepted.name(), Judgement::BeingHandled.name()];
const COUNT: Shape = Shape::Integer(0, i64::MAX);

const ROOT: &[Key] = &[
    key("version", Need::Required, Shape::Integer(1, 1), "version of the baseline's format", "version = 1"),
    key("entry", Need::Optional, Shape::List(&Shape::Table(ENTRY)), "a decision, written by people", "[[entry]]"),
    key("seen", Need::Optional, Shape::Map(&Shape::Table(SEEN)), "written by twicelog baseline", "[seen.TL-0f3a12345678]"),
];

const ENTRY: &[Key] = &[
    key("id", Need::Required, Shape::Text, "the finding", "id = \"TL-0f3a12345678\""),
    key("decision", Need::Required, Shape::Word(JUDGEMENTS), "what it is", "decision = \"accepted\""),
    key("reason", Need::Required, Shape::Text, "why", "reason = \"two parcels, one each\""),
    key("by", Need::Optional, Shape::Text, "who decided", "by = \"anna\""),
    key("until", Need::Optional, Shape::Date, "the last day on which it holds", "until = 2026-12-31"),
];

const SEEN: &[Key] = &[
    key("rule", Need::Required, Shape::Text, "the rule that found it", "rule = \"double-order\""),
    key("effects", Need::Required, COUNT, "effects among its records", "effects = 2"),
    key("extra_effects", Need::Required, COUNT, "effects beyond the allowed number", "extra_effects = 1"),
    key("possible_extra_effects", Need::Required, COUNT, "further ones that are not proven", "possible_extra_effects = 0"),
    key("exposure", Need::Required, Shape::Map(&Shape::Text), "net by currency", "exposure = { EUR = \"59.00\" }"),
];

/// Reads and checks a baseline; `name` is what messages call it.
///
/// # Errors
/// Every mistake of the file, or the first one against the TOML syntax.
pub fn load(text: &str, name: &str) -> Result<Baseline, ConfigErrors> {
    let (root, mut problems) = parse_toml(text, name)?;
    shape::verify_table(root.get_ref(), 0..0, ROOT, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_errors(name));
    }
    let mut baseline = Baseline::default();
    for written in list(root.get_ref(), "entry") {
        read_entry(written, &mut baseline.entries, &mut problems);
    }
    for (id, seen) in root.get_ref().get("seen").and_then(|seen| seen.get_ref().as_table()).into_iter().flatten() {
        if let Some(table) = seen.get_ref().as_table() {
            check_id(id.get_ref(), id.span(), &mut problems);
            baseline.seen.insert(id.get_ref().to_string(), read_seen(table, &mut problems));
        }
    }
    if problems.is_empty() { Ok(baseline) } else { Err(problems.into_errors(name)) }
}

fn list<'t>(table: &'t DeTable<'t>, key: &str) -> impl Iterator<Item = &'t DeTable<'t>> {
    let items = table.get(key).and_then(|value| value.get_ref().as_array());
    items.into_iter().flat_map(|items| items.iter()).filter_map(|item| item.get_ref().as_table())
}

fn text<'t>(table: &'t DeTable<'_>, key: &str) -> Option<(&'t str, Range<usize>)> {
    let value = table.get(key)?;
    Some((value.get_ref().as_str()?, value.span()))
}

/// Keys and types were checked; what is left are the values.
fn read_entry(table: &DeTable<'_>, entries: &mut Vec<Entry>, problems: &mut Problems<'_>) {
    let (Some((id, at)), Some((judgement, _)), Some((reason, reason_at))) =
        (text(table, "id"), text(table, "decision"), text(table, "reason"))
    else {
        return;
    };
    check_id(id, at.clone(), problems);
    if entries.iter().any(|entry| entry.id == id) {
        problems.add(at, format!("{} has two entries", quoted(id)), "keep one");
    }
    if reason.trim().is_empty() {
        problems.add(reason_at, "\"reason\" is empty", "say why, for whoever reads this next year");
    }
    let Some(judgement) = Judgement::parse(judgement) else { return };
    entries.push(Entry {
        id: id.to_owned(),
        judgement,
        reason: reason.to_owned(),
        by: text(table, "by").map(|(by, _)| by.to_owned()),
        until: table.get("until").and_then(|until| shape::date(until.get_ref())),
    });
}

fn check_id(id: &str, at: Range<usize>, problems: &mut Problems<'_>) {
    let digits = id.strip_prefix("TL-").unwrap_or_default();
    let fits = digits.len() == 12 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !fits {
        problems.add(at, format!("{} is no id of a finding", quoted(id)), "copy it whole from a report: TL- and 12 digits");
    }
}

fn read_seen(table: &DeTable<'_>, problems: &mut Problems<'_>) -> Seen {
    let count = |key: &str| {
        let number = table.get(key).and_then(|value| shape::integer(value.get_ref()));
        number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
    };
    let mut exposure = BTreeMap::new();
    for (currency, net) in table.get("exposure").and_then(|sums| sums.get_ref().as_table()).into_iter().flatten() {
        exposure.extend(decimal(net, problems).map(|net| (currency.get_ref().to_string(), net)));
    }
    Seen {
        rule: text(table, "rule").map(|(rule, _)| rule.to_owned()).unwrap_or_default(),
        effects: count("effects"),
        extra_effects: count("extra_effects"),
        possible_extra_effects: count("possible_extra_effects"),
        exposure,
    }
}

fn decimal(value: &Spanned<DeValue<'_>>, problems: &mut Problems<'_>) -> Option<Decimal> {
    let written = value.get_ref().as_str().unwrap_or_default();
    let amount = Decimal::from_str_exact(written).ok();
    if amount.is_none() {
        problems.add(value.span(), format!("{} is no amount", quoted(written)), "run twicelog baseline update to write it anew");
    }
    amount
}
