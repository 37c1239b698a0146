//! Marks the findings of a result with what people decided, and takes the settled ones out of its totals.

use super::{Baseline, Entry, Seen, Was, amount};
use crate::domain::Currency;
use crate::domain::decision::{Decision, Standing};
use crate::domain::finding::{Exposure, Finding, Verdict};
use crate::domain::money::amount_text;
use crate::domain::report::{Decided, Note, ScanResult};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// Marks every finding that has an entry. Findings that a decision settles on the day `today` leave the totals, and come after all
/// others; decisions that no longer hold, and entries without a finding, become notes. `was` are ids under which findings were told of
/// before: what was decided about one of these holds on.
pub fn apply(baseline: &Baseline, today: NaiveDate, was: &Was, result: &mut ScanResult) {
    let mut met = BTreeSet::new();
    for finding in &mut result.findings {
        let earlier = was.get(&finding.id).map(Vec::as_slice).unwrap_or_default();
        let Some(entry) = baseline.entry_of(&finding.id, was) else { continue };
        met.insert(entry.id.as_str());
        met.extend(earlier.iter().map(String::as_str));
        if entry.id != finding.id {
            let message = format!(
                "{}: was {} before an earlier record of it came late, and the decision about {} is taken for it; write the new id with twicelog baseline update",
                finding.id, entry.id, entry.id
            );
            result.notes.push(note("baseline_renamed", message));
        }
        let (standing, growth) = standing(entry, baseline.seen.get(&entry.id), finding, today);
        result.notes.extend(reopened(entry, standing, growth.as_deref()));
        if standing == Standing::Live && !baseline.seen.contains_key(&entry.id) {
            result.notes.push(note(
                "baseline_not_measured",
                format!("{}: the baseline does not say what it was when decided, so growth cannot be seen; run twicelog baseline update", entry.id),
            ));
        }
        finding.decision = Some(Decision {
            judgement: entry.judgement,
            reason: entry.reason.clone(),
            by: entry.by.clone(),
            until: entry.until.map(|day| day.to_string()),
            standing,
        });
    }
    let unused = baseline.entries.iter().filter(|entry| !met.contains(entry.id.as_str()));
    result.notes.extend(unused.map(|entry| {
        let message = format!(
            "{}: the baseline has an entry, {}, but no such finding is in this result; twicelog baseline prune removes it",
            entry.id,
            entry.judgement.name()
        );
        note("baseline_unused", message)
    }));
    result.notes.sort();
    result.notes.dedup();
    // A stable sort: within each part the order of findings stays the one order.
    result.findings.sort_by_key(Finding::is_decided);
    recount(result);
}

/// Whether a decision holds for a finding, and in which number the finding has grown.
pub fn standing(entry: &Entry, seen: Option<&Seen>, finding: &Finding, today: NaiveDate) -> (Standing, Option<String>) {
    let growth = seen.and_then(|seen| seen.growth(&Seen::of(finding)));
    let standing = match (&growth, entry.until) {
        (Some(_), _) => Standing::Grown,
        (None, Some(until)) if today > until => Standing::Expired,
        _ => Standing::Live,
    };
    (standing, growth)
}

fn reopened(entry: &Entry, standing: Standing, growth: Option<&str>) -> Option<Note> {
    let (id, judgement) = (&entry.id, entry.judgement.name());
    match (standing, entry.until, growth) {
        (Standing::Grown, _, Some(growth)) => Some(note(
            "baseline_grown",
            format!(
                "{id}: was decided, {judgement}, and has grown since: {growth}; it counts again, decide anew with twicelog baseline add or update"
            ),
        )),
        (Standing::Expired, Some(until), _) => Some(note(
            "baseline_expired",
            format!("{id}: was decided, {judgement}, until {until}, which has passed; it counts again"),
        )),
        _ => None,
    }
}

fn note(code: &str, message: String) -> Note {
    Note { code: code.to_owned(), message }
}

/// Counts open and settled findings apart, in the totals, batches and incidents. Where nothing is settled those of the judgement stand.
fn recount(result: &mut ScanResult) {
    let (settled, open): (Vec<&Finding>, Vec<&Finding>) =
        result.findings.iter().filter(|finding| finding.verdict.is_reported()).partition(|finding| finding.is_decided());
    if settled.is_empty() {
        return;
    }
    let mut of_batch: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &open {
        of_batch.entry(finding.batch.as_deref().unwrap_or_default()).or_default().push(finding);
    }
    for batch in &mut result.batches {
        let open = of_batch.get(batch.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        batch.findings = open.len() as u64;
        batch.extra_effects = open.iter().map(|finding| finding.extra_effects).sum();
        batch.exposure = sum(open.iter());
    }
    result.batches.retain(|batch| batch.findings > 0);
    let is_open: BTreeSet<&str> = open.iter().map(|finding| finding.id.as_str()).collect();
    for incident in &mut result.incidents {
        incident.findings.retain(|id| is_open.contains(id.as_str()));
    }
    result.incidents.retain(|incident| !incident.findings.is_empty());
    let (open, settled) = (count(&open), count(&settled));
    let totals = &mut result.totals;
    totals.findings = open.findings;
    totals.extra_effects = open.extra_effects;
    totals.possible_extra_effects = open.possible_extra_effects;
    totals.exposure = open.exposure;
    totals.possible_exposure = open.possible_exposure;
    totals.decided = Some(settled);
}

fn count(findings: &[&Finding]) -> Decided {
    let is_possible = |finding: &&&Finding| finding.verdict == Verdict::PossibleDuplicate;
    Decided {
        findings: findings.len() as u64,
        extra_effects: findings.iter().map(|finding| finding.extra_effects).sum(),
        possible_extra_effects: findings.iter().map(|finding| finding.possible_extra_effects).sum(),
        exposure: sum(findings.iter().filter(|finding| !is_possible(finding))),
        possible_exposure: sum(findings.iter().filter(is_possible)),
    }
}

/// Sums per currency, ordered by code; currencies are never added together.
fn sum<'f>(findings: impl Iterator<Item = &'f &'f Finding>) -> Vec<Exposure> {
    let mut sums: BTreeMap<&str, [Decimal; 3]> = BTreeMap::new();
    for exposure in findings.flat_map(|finding| &finding.exposure) {
        let parts = [&exposure.gross, &exposure.reversed, &exposure.net].map(|part| amount(part));
        let sum = sums.entry(&exposure.currency).or_default();
        for (sum, part) in sum.iter_mut().zip(parts) {
            // Beyond 28 digits a sum stays at the largest decimal, as in the totals of the judgement.
            *sum = sum.checked_add(part).unwrap_or(Decimal::MAX);
        }
    }
    let told = |(code, sums): (&str, [Decimal; 3])| {
        let [gross, reversed, net] = sums.map(|sum| match Currency::parse(code) {
            Some(currency) => amount_text(sum, currency),
            None => sum.to_string(),
        });
        Exposure { currency: code.to_owned(), gross, reversed, net }
    };
    sums.into_iter().map(told).collect()
}
