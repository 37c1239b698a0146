//! The evidence card of one finding, as its template wants it.

use super::short;
use crate::domain::explanation::Meaning;
use crate::domain::finding::{Finding, FindingRecord, Role, Verdict};
use crate::report::overview::Overview;
use crate::report::side_by_side::{self, Agreement, original, title};
use crate::report::texts::{ABSENT, Texts, Words};
use crate::report::{Style, in_words};
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};

/// Records and evidence that are shown; a group of thousands is told by its first ones.
const MOST_RECORDS: usize = 24;
const MOST_ROWS: usize = 60;
/// Units across the waterfall.
const WIDE: f64 = 200.0;

/// How much of a finding is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Records side by side, evidence, what to check.
    Full,
    /// What it is, and where its records stand.
    Brief,
}

/// Values that can be filtered by. Cards name them by their place here, so that no value of a log is part of the page's logic.
#[derive(Default)]
pub(super) struct Index {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) rules: Vec<String>,
    pub(super) sources: Vec<String>,
    pub(super) causes: Vec<String>,
    pub(super) currencies: Vec<String>,
}

impl Index {
    pub(super) fn of(overview: &Overview) -> Self {
        let all = |values: &BTreeSet<String>| values.iter().cloned().collect();
        Self {
            verdicts: overview.verdicts.iter().copied().collect(),
            rules: all(&overview.rules),
            sources: all(&overview.sources),
            causes: all(&overview.causes),
            currencies: all(&overview.currencies),
        }
    }
}

#[derive(Template)]
#[template(path = "card.html", config = "src/report/html/askama.toml")]
pub(super) struct Card<'a> {
    finding: &'a Finding,
    detail: Detail,
    words: &'static Words,
    /// Places in the index, blank between them.
    verdict_at: String,
    rule_at: String,
    sources_at: String,
    cause_at: String,
    currencies_at: String,
    net: &'a str,
    operation: String,
    verdict: &'static str,
    tone: &'static str,
    severity: &'static str,
    money: String,
    stakes: String,
    first: String,
    cause: String,
    why: String,
    rule: String,
    ties: Option<String>,
    decision: Option<String>,
    unread: Option<String>,
    fingerprint: Vec<(String, Option<String>)>,
    titles: Vec<String>,
    rows: Vec<Row>,
    further: Option<String>,
    evidence: Vec<Step>,
    sum: String,
    look_up: Vec<String>,
    /// What to do about this verdict and this cause, with their codes in the glossary.
    checks: Vec<(&'a str, &'a Meaning)>,
    /// Where the records stand, for a card in short.
    places: Vec<String>,
    /// Records as they stand in their files, with their places.
    raw: Vec<(String, &'a str)>,
}

struct Row {
    mark: &'static str,
    class: &'static str,
    label: String,
    cells: Vec<(String, &'static str)>,
}

/// One step of the waterfall.
struct Step {
    name: String,
    bits: String,
    text: String,
    class: &'static str,
    x: i64,
    width: i64,
}

impl<'a> Card<'a> {
    pub(super) fn of(finding: &'a Finding, detail: Detail, index: &Index, style: &'a Style) -> Self {
        let texts = style.texts();
        let place = |list: &[String], value: &str| list.iter().position(|one| one == value).unwrap_or_default().to_string();
        let places = |list: &[String], values: BTreeSet<&String>| {
            values.into_iter().map(|value| place(list, value)).collect::<Vec<_>>().join(" ")
        };
        let codes = [finding.verdict.name(), finding.cause.code.as_str()];
        let operation = original(finding).and_then(|record| record.values.get("operation")).map(String::as_str);
        let nets = finding.exposure.iter().map(|sum| texts.money(&sum.currency, &sum.net));
        Self {
            finding,
            detail,
            words: texts.words(),
            verdict_at: index.verdicts.iter().position(|one| *one == finding.verdict).unwrap_or_default().to_string(),
            rule_at: place(&index.rules, &finding.rule),
            sources_at: places(&index.sources, finding.records.iter().map(|record| &record.source).collect()),
            cause_at: place(&index.causes, &finding.cause.code),
            currencies_at: places(&index.currencies, finding.exposure.iter().map(|sum| &sum.currency).collect()),
            net: finding.exposure.first().map(|sum| sum.net.as_str()).unwrap_or_default(),
            operation: short(operation.unwrap_or(ABSENT)),
            verdict: texts.verdict(finding.verdict),
            tone: tone(finding.verdict),
            severity: texts.severity(finding.severity),
            money: short(&nets.collect::<Vec<_>>().join(", ")),
            stakes: short(&texts.stakes(finding)),
            first: texts.time(&finding.first),
            cause: style
                .meaning(&finding.cause.code)
                .map_or_else(|| short(&finding.cause.code.replace('_', " ")), |known| known.title.to_owned()),
            why: short(&texts.sentence(&finding.cause.why)),
            rule: short(&texts.rule(finding)),
            ties: texts.ties(finding).map(|ties| short(&ties)),
            decision: finding.decision.as_ref().map(|decision| short(&texts.decision(decision))),
            unread: (finding.unread_records > 0).then(|| texts.unread(finding.unread_records)),
            fingerprint: finding
                .fingerprint
                .iter()
                .take(MOST_ROWS)
                .map(|(field, value)| (short(texts.field(field)), value.as_deref().map(short)))
                .collect(),
            titles: finding.records.iter().take(MOST_RECORDS).enumerate().map(|(at, record)| title(at, record, texts)).collect(),
            rows: side_by_side::rows(finding, texts).into_iter().take(MOST_ROWS).map(row).collect(),
            further: (finding.records.len() > MOST_RECORDS)
                .then(|| texts.further_records(finding.records.len() - MOST_RECORDS, &finding.id)),
            evidence: steps(finding, texts),
            sum: texts.sum(finding),
            look_up: look_up(finding, texts),
            checks: codes.into_iter().filter_map(|code| Some((code, style.meaning(code)?))).collect(),
            places: record_places(finding, texts),
            raw: in_words::raw(finding).take(MOST_RECORDS).map(|(place, raw)| (short(&place), raw)).collect(),
        }
    }
}

/// Time, role and place of each record.
fn record_places(finding: &Finding, texts: &dyn Texts) -> Vec<String> {
    let line = |(at, record): (usize, &FindingRecord)| {
        let id = record.effect_id.as_deref().unwrap_or(ABSENT);
        short(&format!("{}, {}, {id}, {}", title(at, record, texts), texts.time(&record.time), side_by_side::place(record)))
    };
    finding.records.iter().take(MOST_RECORDS).enumerate().map(line).collect()
}

fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::DuplicateEffect | Verdict::KeyConflict => "bad",
        Verdict::PossibleDuplicate | Verdict::InconsistentReplay => "doubt",
        Verdict::Compensated => "good",
        _ => "quiet",
    }
}

fn row(row: side_by_side::Row) -> Row {
    let class = match row.agreement {
        Agreement::Different => "ne",
        Agreement::Normalised => "nq",
        Agreement::Equal | Agreement::NotCompared => "eq",
    };
    let cell = |cell: side_by_side::Cell| match cell.text {
        None => (ABSENT.to_owned(), "no"),
        Some(text) if cell.stands_out => (short(&text), "d"),
        Some(text) => (short(&text), ""),
    };
    let cells = row.cells.into_iter().take(MOST_RECORDS).map(cell).collect();
    Row { mark: row.agreement.mark(), class, label: short(&row.label), cells }
}

/// Each piece of evidence starts where the one before it ended. Floats only place bars here.
fn steps(finding: &Finding, texts: &dyn Texts) -> Vec<Step> {
    let mut ends = vec![0.0];
    for evidence in &finding.evidence {
        ends.push(ends.last().copied().unwrap_or_default() + evidence.bits);
    }
    let least = ends.iter().copied().fold(0.0, f64::min);
    let most = ends.iter().copied().fold(0.0, f64::max);
    let unit = if most > least { WIDE / (most - least) } else { 0.0 };
    let place = |bits: f64| ((bits - least) * unit).round() as i64;
    finding
        .evidence
        .iter()
        .zip(ends.iter().zip(ends.iter().skip(1)))
        .map(|(evidence, (from, to))| Step {
            name: short(&texts.evidence(&evidence.code)),
            bits: texts.signed(evidence.bits),
            text: short(&texts.sentence(&evidence.text)),
            class: if evidence.bits < 0.0 { "con" } else { "pro" },
            x: place(from.min(*to)),
            width: (place(from.max(*to)) - place(from.min(*to))).max(1),
        })
        .collect()
}

/// The effects that somebody has to look up, by source.
fn look_up(finding: &Finding, texts: &dyn Texts) -> Vec<String> {
    let mut ids: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for record in &finding.records {
        if let (Some(id), Role::Original | Role::Repeat | Role::Proof) = (&record.effect_id, record.role) {
            let known = ids.entry(&record.source).or_default();
            if !known.contains(&id.as_str()) && known.len() < MOST_RECORDS {
                known.push(id);
            }
        }
    }
    ids.into_iter().map(|(source, ids)| short(&texts.look_up(source, &ids.join(", ")))).collect()
}
