//! The result of a scan, summed up: ledgers, totals, health, notes.

use super::{RejectedRecord, Scanned, Unopened, rejected_record};
use crate::domain::control::ControlTotal;
use crate::domain::frequency::Frequencies;
use crate::domain::record::Rejected;
use crate::domain::report::{
    ActorVolume, Bucket, FileSummary, Health, Ledger, Note, OverTime, RejectCount, RuleSummary, RunInput, ScanResult,
    SourceSummary,
};
use crate::domain::time::{DAY, SECOND};
use crate::domain::volume::Volume;
use crate::domain::week::Week;
use crate::engine::{GatheredInput, OpenInput, OperationTally};
use crate::judge::{Conclusion, HealthCounts};
use crate::rules::{Rule, Rules, describe_rule};
use chrono::{DateTime, NaiveTime, SecondsFormat, Utc};
use chrono_tz::Tz;
use std::collections::BTreeMap;

/// What the engine counted beside groups.
pub struct Counts {
    pub operations: BTreeMap<String, OperationTally>,
    pub idempotent_groups: BTreeMap<String, u64>,
    pub controls: Vec<Vec<ControlTotal>>,
    pub notes: Vec<Note>,
    /// Attempts by hour of the week, for each source.
    pub weeks: Vec<Week>,
    /// Events by time, for each source that has times.
    pub volumes: Vec<Option<Volume>>,
    pub frequencies: Frequencies,
}

/// Puts the result together. Panics in debug builds when a ledger does not balance; in release builds that is a fault of the result.
pub fn sum_up(
    rules: &Rules,
    opened: &[OpenInput],
    inputs: Vec<GatheredInput>,
    unopened: &[Unopened],
    rejects: Vec<Rejected>,
    counts: Counts,
    conclusion: Conclusion,
) -> Scanned {
    let rejects: Vec<RejectedRecord> = rejects.into_iter().map(|reject| rejected_record(reject, rules, opened)).collect();
    let mut faults: Vec<String> = unopened.iter().map(|unopened| unopened.reason.clone()).collect();
    faults.extend(inputs.iter().filter_map(|input| input.fault.as_ref().map(ToString::to_string)));
    let sources: Vec<SourceSummary> = rules
        .sources
        .iter()
        .enumerate()
        .map(|(index, source)| {
            let volume = counts.weeks.get(index).map(Week::to_vec).unwrap_or_default();
            // No attempt has a time of day.
            let dates_in = volume.is_empty().then_some(source.map.time.zone);
            let over_time = counts.volumes.get(index).and_then(Option::as_ref).map(over_time);
            SourceSummary { volume, over_time, ..source_summary(index, &source.name, opened, &inputs, unopened, dates_in) }
        })
        .collect();
    let mut ledger = Ledger::default();
    for source in &sources {
        ledger.add(&source.ledger);
    }
    if !ledger.balances() {
        debug_assert!(ledger.balances(), "the ledger does not balance: {ledger:?}");
        faults.push(format!("a defect of twicelog: the ledger does not balance ({ledger:?}); please report it"));
    }
    let run_inputs = opened
        .iter()
        .zip(&inputs)
        .filter(|(open, _)| open.input.is_there())
        .map(|(open, input)| RunInput {
            file: open.input.name().to_owned(),
            bytes: input.facts.bytes,
            sha256: input.facts.sha256.clone(),
        })
        .collect();
    let health = health(&counts, conclusion.health);
    let mut notes = counts.notes;
    notes.extend(conclusion.notes);
    notes.extend(inputs.iter().flat_map(|input| input.facts.notes.iter().cloned()));
    notes.sort();
    notes.dedup();
    let result = ScanResult {
        ledger,
        nightly: None,
        totals: conclusion.totals,
        sources,
        rules: rules.rules.iter().map(|rule| rule_summary(rule, rules)).collect(),
        health,
        batches: conclusion.batches,
        incidents: conclusion.incidents,
        notes,
        actors: actors(conclusion.actors, &counts.frequencies),
        findings: conclusion.findings,
    };
    Scanned { result, inputs: run_inputs, controls: counts.controls, rejects, faults, windows: Vec::new() }
}

/// Actors whose events are told.
const MOST_ACTORS: usize = 20;

/// The actors with most findings, those with more first.
fn actors(findings: BTreeMap<String, u64>, frequencies: &Frequencies) -> Vec<ActorVolume> {
    let mut counts: Vec<(String, u64)> = findings.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let volume = |(actor, _): (String, u64)| ActorVolume { events_at_most: frequencies.actor_events(&actor), actor };
    counts.into_iter().take(MOST_ACTORS).map(volume).collect()
}

fn rule_summary(rule: &Rule, rules: &Rules) -> RuleSummary {
    // The first line says what stands in members of its own.
    let meaning = describe_rule(rule, rules).lines().skip(1).map(|line| line.trim().to_owned()).collect();
    RuleSummary { id: rule.id.clone(), severity: rule.severity, version: rule.version.clone(), meaning }
}

fn source_summary(
    index: usize,
    name: &str,
    opened: &[OpenInput],
    inputs: &[GatheredInput],
    unopened: &[Unopened],
    dates_in: Option<Tz>,
) -> SourceSummary {
    let mut ledger = Ledger::default();
    let mut range: Option<(i64, i64)> = None;
    let mut files = Vec::new();
    for (open, input) in opened.iter().zip(inputs).filter(|(open, _)| open.source == index) {
        ledger.add(&input.tally.ledger);
        range = match (range, input.tally.range) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, None) => one,
            (None, other) => other,
        };
        if open.input.is_there() {
            files.push(file_summary(open, input, dates_in));
        }
    }
    for unopened in unopened.iter().filter(|unopened| unopened.source == index) {
        files.push(FileSummary {
            file: unopened.name.clone(),
            format: String::new(),
            ledger: Ledger::default(),
            first: None,
            last: None,
            fault: Some(unopened.reason.clone()),
            rejects: Vec::new(),
        });
    }
    let [first, last] = told(range, dates_in);
    SourceSummary { name: name.to_owned(), ledger, first, last, files, volume: Vec::new(), over_time: None }
}

fn file_summary(open: &OpenInput, input: &GatheredInput, dates_in: Option<Tz>) -> FileSummary {
    let name = open.input.name();
    let mut rejects: Vec<RejectCount> = input
        .tally
        .rejects
        .iter()
        .map(|(reason, first)| {
            let (record, line) = input.reject_places.get(reason).copied().unwrap_or_default();
            let place = if line == 0 { format!("{name}, record {record}") } else { format!("{name}:{line}") };
            RejectCount { reason: reason.clone(), records: first.count, example: format!("{place}: {}", first.message) }
        })
        .collect();
    rejects.sort_by(|a, b| b.records.cmp(&a.records).then_with(|| a.reason.cmp(&b.reason)));
    let [first, last] = told(input.tally.range, dates_in);
    FileSummary {
        file: name.to_owned(),
        format: open.input.description(),
        ledger: input.tally.ledger,
        first,
        last,
        fault: input.fault.as_ref().map(ToString::to_string),
        rejects,
    }
}

/// The first and last time of a source. One of dates alone, in a zone, holds days and not the instants at which they begin there.
fn told(range: Option<(i64, i64)>, dates_in: Option<Tz>) -> [Option<String>; 2] {
    let Some((first, last)) = range else { return [None, None] };
    let date = |nanos: i64, zone: Tz| {
        let local = DateTime::<Utc>::from_timestamp_nanos(nanos).with_timezone(&zone);
        (local.time() == NaiveTime::MIN).then(|| local.date_naive().to_string())
    };
    match dates_in.and_then(|zone| Some([date(first, zone)?, date(last, zone)?])) {
        Some(dates) => dates.map(Some),
        None => [first, last].map(|nanos| Some(instant(nanos))),
    }
}

fn over_time(volume: &Volume) -> OverTime {
    let from = |nanos: i64| {
        if volume.width() >= DAY { DateTime::<Utc>::from_timestamp_nanos(nanos).date_naive().to_string() } else { instant(nanos) }
    };
    OverTime {
        bucket_seconds: (volume.width() / SECOND).unsigned_abs(),
        buckets: volume.buckets().map(|(begins, records)| Bucket { from: from(begins), records }).collect(),
    }
}

fn instant(nanos: i64) -> String {
    DateTime::<Utc>::from_timestamp_nanos(nanos).to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// One row for each operation that was attempted; operations whose groups were only counted are there too.
fn health(counts: &Counts, judged: BTreeMap<String, HealthCounts>) -> Vec<Health> {
    let mut names: Vec<&String> = counts.operations.keys().chain(counts.idempotent_groups.keys()).chain(judged.keys()).collect();
    names.sort();
    names.dedup();
    let row = |name: &String| {
        let attempts = counts.operations.get(name).copied().unwrap_or_default();
        let groups = judged.get(name).copied().unwrap_or_default();
        let idempotent = counts.idempotent_groups.get(name).copied().unwrap_or_default();
        Health {
            operation: name.clone(),
            attempts: attempts.attempts,
            with_key: attempts.with_key,
            repeats: groups.repeats + idempotent,
            answered: groups.answered + idempotent,
            blocked: groups.blocked,
            doubled: groups.doubled,
            possibly_doubled: groups.possibly_doubled,
            conflicting: groups.conflicting,
            answered_differently: groups.answered_differently,
            retried: groups.retried,
            keyed_repeats: groups.keyed_repeats,
            keys_changed: groups.keys_changed,
            // A length of time to read, not to compare.
            median_gap_seconds: groups.median_gap.map(|gap| gap as f64 / SECOND as f64),
        }
    };
    names.into_iter().map(row).collect()
}
