//! The `sarif` format (SARIF 2.1.0, OASIS): findings for code scanning and for viewers of results.
//!
//! One run, one rule for each rule of the configuration, one result for each finding. A result's location is the record to look at
//! first; all its records are its related locations. Its fingerprint is the finding's id, so that an alert stays the same alert.

mod log;
mod uri;

use super::by_rule::{Judged, by_rule};
use super::{Out, Style, Told, in_words, json};
use crate::domain::finding::{Finding, FindingRecord, Role, Severity};
use crate::domain::report::{FileSummary, Report, ScanResult};
use log::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Name and version of the fingerprint; a finding's id that is made in another way will get another.
const FINGERPRINT: &str = "twicelogFinding/v1";
/// Findings that one thread tells at a time.
const PIECE: usize = 64;

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let (report, findings) = (&told.frame, &told.unmasked().result.findings);
    let result = &report.result;
    let rules = by_rule(&told.unmasked().result);
    let places: BTreeMap<&str, usize> = rules.iter().enumerate().rev().map(|(place, rule)| (rule.id, place)).collect();
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "twicelog",
                version: &report.run.version,
                rules: rules.iter().map(|rule| descriptor(rule)).collect(),
            },
        },
        language: style.language.code(),
        invocations: [invocation(report, style)],
        artifacts: artifacts(report),
        results: findings.par_chunks(PIECE).flat_map_iter(|piece| outcomes(piece, told, &places, style)).collect(),
        properties: Totals { ledger: &result.ledger, totals: &result.totals },
    };
    json::document(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, out)
}

fn descriptor<'a>(rule: &Judged<'a>) -> Descriptor<'a> {
    let meaning = rule.rule.map(|rule| Message::of(&rule.meaning.join("; ")));
    let level = rule.rule.map(|rule| Configuration { level: level(rule.severity) });
    Descriptor { id: rule.id, full_description: meaning, default_configuration: level }
}

/// How the run went: what could not be read, and every doubt.
fn invocation<'a>(report: &'a Report, style: &Style) -> Invocation<'a> {
    let (result, texts) = (&report.result, style.texts());
    let unbalanced = (!result.ledger.balances()).then(|| Notification::error(texts.words().unbalanced, None));
    let faults = files(result).filter_map(|file| Some(Notification::error(file.fault.as_deref()?, Some(artifact(&file.file)))));
    let notes = result.notes.iter().map(|note| Notification::note(&texts.sentence(&note.message), &note.code));
    let troubles: Vec<Notification> = unbalanced.into_iter().chain(faults).collect();
    Invocation {
        execution_successful: troubles.is_empty(),
        start_time_utc: &report.run.started,
        tool_execution_notifications: troubles.into_iter().chain(notes).collect(),
    }
}

fn files(result: &ScanResult) -> impl Iterator<Item = &FileSummary> {
    result.sources.iter().flat_map(|source| &source.files)
}

/// The files that were read, each once.
fn artifacts(report: &Report) -> Vec<Artifact<'_>> {
    let mut seen = BTreeSet::new();
    let inputs = report.run.inputs.iter().filter(|input| seen.insert(&input.file));
    inputs
        .map(|input| Artifact { location: artifact(&input.file), length: input.bytes, hashes: Hashes { sha_256: &input.sha256 } })
        .collect()
}

fn artifact(file: &str) -> ArtifactLocation {
    ArtifactLocation { uri: uri::of(file) }
}

fn outcomes<'a>(findings: &'a [Finding], told: &Told<'_>, places: &BTreeMap<&str, usize>, style: &Style) -> Vec<Outcome<'a>> {
    let mut masker = told.masker();
    findings.iter().map(|finding| outcome(finding, &masker.finding(finding), places, style)).collect()
}

/// A finding as a result, told by what may be shown of it. What is no finding (with `--all`) passed.
fn outcome<'a>(finding: &'a Finding, shown: &Finding, places: &BTreeMap<&str, usize>, style: &Style) -> Outcome<'a> {
    let (reported, texts) = (finding.verdict.is_reported(), style.texts());
    let related = shown.records.iter().zip(1..).map(|(record, id)| {
        let message = format!("{}: {}", texts.time(&record.time), in_words::part(record, texts));
        Location { id: Some(id), physical_location: physical(record), message: Some(Message::of(&message)) }
    });
    Outcome {
        rule_id: &finding.rule,
        rule_index: places.get(finding.rule.as_str()).copied(),
        kind: if reported { "fail" } else { "pass" },
        level: if reported { level(finding.severity) } else { "none" },
        message: Message::of(&in_words::facts(shown, style).join("; ")),
        locations: first_to_look_at(shown).map(|record| Location::of(physical(record))).into_iter().collect(),
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, finding.id.as_str())]),
        suppressions: suppression(shown).into_iter().collect(),
        rank: finding.likelihood * 100.0,
        properties: Facts {
            verdict: finding.verdict.name(),
            severity: finding.severity.name(),
            key_relation: finding.key_relation.name(),
            cause: &finding.cause.code,
            extra_effects: finding.extra_effects,
            possible_extra_effects: finding.possible_extra_effects,
            exposure: &finding.exposure,
        },
    }
}

/// A decision stands in a file of its own, the baseline: to SARIF it is external.
fn suppression(finding: &Finding) -> Option<Suppression> {
    let decision = finding.decision.as_ref().filter(|_| finding.is_decided())?;
    Some(Suppression { kind: "external", status: "accepted", justification: decision.reason.clone() })
}

/// The first record that should not be there: a repeat, else what is not known to be harmless, else the original.
fn first_to_look_at(finding: &Finding) -> Option<&FindingRecord> {
    let of = |role| finding.records.iter().find(|record| record.role == role);
    of(Role::Repeat).or_else(|| of(Role::Retry)).or_else(|| finding.records.first())
}

fn physical(record: &FindingRecord) -> PhysicalLocation {
    let [first, last] = record.lines;
    // Lines are counted from 1; what has none, like a record of Parquet, has no region.
    let region = (first > 0).then_some(Region { start_line: first, end_line: last.max(first) });
    PhysicalLocation { artifact_location: artifact(&record.file), region }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}
