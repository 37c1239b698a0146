//! Changing a baseline's text: what people wrote keeps its order and its comments, the program's part is written anew at the end.

use super::{Baseline, Seen, Was};
use crate::domain::Judgement;
use crate::domain::finding::Finding;
use chrono::{Datelike, NaiveDate};
use std::collections::BTreeMap;
use thiserror::Error;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};

/// A baseline without decisions.
pub const EMPTY: &str = "\
# What people decided about findings of twicelog. The entries, their order and all comments here are yours;
# \"twicelog baseline\" adds and removes entries, and writes only the tables [seen.TL-…] at the end by itself.
version = 1
";

const GENERATED: &str =
    "\n# Written by twicelog baseline: what each finding was when it was decided. A finding that is more now counts again.\n";

/// Why a baseline's text cannot be changed. The text was loaded before, so this is a defect or a race.
#[derive(Debug, Error)]
#[error("cannot be edited: {0}")]
pub struct EditError(String);

/// A decision to write down.
#[derive(Clone, Debug)]
pub struct Decided<'a> {
    pub finding: &'a Finding,
    pub judgement: Judgement,
    pub reason: &'a str,
    pub by: Option<&'a str>,
    pub until: Option<NaiveDate>,
}

/// The text with a decision added; an entry that the finding has already is changed in its place.
pub fn add(text: &str, baseline: &mut Baseline, decided: &Decided<'_>) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let entries = entries(&mut document)?;
    let place = entries.iter().position(|entry| entry.get("id").and_then(Item::as_str) == Some(&decided.finding.id));
    let mut fresh = Table::new();
    let entry = match place.and_then(|place| entries.get_mut(place)) {
        Some(entry) => entry,
        None => &mut fresh,
    };
    put(entry, "id", &decided.finding.id);
    put(entry, "decision", decided.judgement.name());
    put(entry, "reason", decided.reason);
    match decided.by {
        Some(by) => put(entry, "by", by),
        // Whoever decided before did not decide this.
        None => drop(entry.remove("by")),
    }
    match decided.until {
        Some(until) => replace(entry, "until", value(toml_date(until))),
        None => drop(entry.remove("until")),
    }
    if place.is_none() {
        fresh.decor_mut().set_prefix("\n");
        entries.push(fresh);
    }
    baseline.seen.insert(decided.finding.id.clone(), Seen::of(decided.finding));
    write_seen(&mut document, &baseline.seen);
    Ok(document.to_string())
}

/// The text with the program's part refreshed from these findings, and what changed, a line each. Entries whose findings are not among
/// them keep what they have; what belongs to no entry goes. Entries of findings that go on under another id get that one.
pub fn update(text: &str, baseline: &mut Baseline, findings: &[Finding], was: &Was) -> Result<(String, Vec<String>), EditError> {
    let mut document = parse(text)?;
    let mut told = rename(&mut document, baseline, findings, was)?;
    let mut seen = BTreeMap::new();
    for entry in &baseline.entries {
        let then = baseline.seen.remove(&entry.id);
        let now = findings.iter().find(|finding| finding.id == entry.id).map(Seen::of);
        match (&then, &now) {
            (None, Some(_)) => told.push(format!("{}: measured for the first time", entry.id)),
            (Some(then), Some(now)) if then != now => {
                let change = then.growth(now).unwrap_or_else(|| "is less than it was".into());
                told.push(format!("{}: {change}", entry.id));
            }
            _ => {}
        }
        seen.extend(now.or(then).map(|seen| (entry.id.clone(), seen)));
    }
    told.extend(baseline.seen.keys().map(|id| format!("{id}: has no entry; its numbers are dropped")));
    baseline.seen = seen;
    write_seen(&mut document, &baseline.seen);
    Ok((document.to_string(), told))
}

/// Gives entries the ids under which their findings go on, with what they were when decided.
fn rename(
    document: &mut DocumentMut,
    baseline: &mut Baseline,
    findings: &[Finding],
    was: &Was,
) -> Result<Vec<String>, EditError> {
    let mut told = Vec::new();
    for finding in findings {
        let Some(old) = baseline.entry_of(&finding.id, was).map(|entry| entry.id.clone()).filter(|old| *old != finding.id) else {
            continue;
        };
        let written = entries(document)?.iter_mut().find(|entry| entry.get("id").and_then(Item::as_str) == Some(&old));
        if let Some(entry) = written {
            put(entry, "id", &finding.id);
        }
        baseline.entries.iter_mut().filter(|entry| entry.id == old).for_each(|entry| entry.id.clone_from(&finding.id));
        if let Some(seen) = baseline.seen.remove(&old) {
            baseline.seen.insert(finding.id.clone(), seen);
        }
        told.push(format!("{old}: goes on as {}", finding.id));
    }
    Ok(told)
}

/// What pruning left, and the ids that it removed.
pub struct Pruned {
    pub text: String,
    pub removed: Vec<String>,
}

/// The text without the entries whose findings are gone. A finding that goes on under another id is there.
pub fn prune(text: &str, baseline: &mut Baseline, findings: &[Finding], was: &Was) -> Result<Pruned, EditError> {
    let mut document = parse(text)?;
    let goes_on = |now: &str, id: &str| was.get(now).is_some_and(|was| was.iter().any(|old| old == id));
    let is_there = |id: &str| findings.iter().any(|finding| finding.id == id || goes_on(&finding.id, id));
    let removed: Vec<String> = baseline.entries.iter().map(|entry| entry.id.clone()).filter(|id| !is_there(id)).collect();
    entries(&mut document)?.retain(|entry| entry.get("id").and_then(Item::as_str).is_some_and(is_there));
    baseline.entries.retain(|entry| is_there(&entry.id));
    baseline.seen.retain(|id, _| baseline.entries.iter().any(|entry| entry.id == *id));
    write_seen(&mut document, &baseline.seen);
    Ok(Pruned { text: document.to_string(), removed })
}

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse().map_err(|error: toml_edit::TomlError| EditError(error.message().to_owned()))
}

fn entries(document: &mut DocumentMut) -> Result<&mut ArrayOfTables, EditError> {
    let item = document.entry("entry").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    item.as_array_of_tables_mut().ok_or_else(|| EditError("\"entry\" is written as a list; write each as [[entry]]".into()))
}

fn put(table: &mut Table, key: &str, text: &str) {
    replace(table, key, value(text));
}

/// Gives a key another value. A comment behind the old one stays.
fn replace(table: &mut Table, key: &str, mut new: Item) {
    let old = table.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
    if let (Some(old), Some(value)) = (old, new.as_value_mut()) {
        *value.decor_mut() = old;
    }
    table.insert(key, new);
}

fn toml_date(day: NaiveDate) -> toml_edit::Datetime {
    let narrow = |number: u32| u8::try_from(number).unwrap_or_default();
    let date = toml_edit::Date {
        year: u16::try_from(day.year()).unwrap_or_default(),
        month: narrow(day.month()),
        day: narrow(day.day()),
    };
    toml_edit::Datetime { date: Some(date), time: None, offset: None }
}

fn write_seen(document: &mut DocumentMut, seen: &BTreeMap<String, Seen>) {
    document.remove("seen");
    if seen.is_empty() {
        return;
    }
    let mut all = Table::new();
    all.set_implicit(true);
    for (place, (id, seen)) in seen.iter().enumerate() {
        let mut table = Table::new();
        table.decor_mut().set_prefix(if place == 0 { GENERATED } else { "\n" });
        put(&mut table, "rule", &seen.rule);
        for (name, count) in [
            ("effects", seen.effects),
            ("extra_effects", seen.extra_effects),
            ("possible_extra_effects", seen.possible_extra_effects),
        ] {
            table.insert(name, value(i64::try_from(count).unwrap_or(i64::MAX)));
        }
        let mut exposure = InlineTable::new();
        for (currency, net) in &seen.exposure {
            exposure.insert(currency, net.to_string().into());
        }
        table.insert("exposure", value(exposure));
        all.insert(id, Item::Table(table));
    }
    document.insert("seen", Item::Table(all));
}
