//! The examples of a profile, run: do its records become the events and findings that it promises.

use super::{Assigned, preview, recognise, scan_files};
use crate::domain::event::Event;
use crate::domain::money::amount_text;
use crate::engine::{NoProgress, Options, PreviewLimits};
use crate::read::{self, Location};
use crate::rules::Rules;
use crate::rules::profiles::{Example, ExpectedFinding, Library, Profile};

/// Records of an example that are looked at.
const LIMITS: PreviewLimits = PreviewLimits { records: 1_000, kept: 1_000 };

/// Runs every example of a profile, as a file without a configuration. Returns what is not as it says, in words; empty when all is.
pub fn run_examples(profile: &Profile, library: &Library) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in &profile.examples {
        let outcome = run(profile, example, library).unwrap_or_else(|trouble| vec![trouble]);
        wrong.extend(outcome.into_iter().map(|what| format!("profile {}: example \"{}\": {what}", profile.name, example.about)));
    }
    wrong
}

fn run(profile: &Profile, example: &Example, library: &Library) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let path = folder.path().join("example");
    std::fs::write(&path, encoded(example)?).map_err(|error| format!("cannot be written: {error}"))?;
    let stored = read::store(&path, "example", folder.path()).map_err(|error| error.to_string())?;
    let glance = read::glance(&stored).map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    match recognise(&glance, library) {
        Some(recognised) if recognised.profile == profile.name => {}
        Some(other) => wrong.push(format!("is recognised as {} ({})", other.profile, other.why)),
        None => wrong.push(format!("is not recognised; it is {}", glance.description())),
    }
    let rules = super::rules_of_profile(&profile.name, library).map_err(|errors| errors.to_string())?;
    let files = [Assigned { location: Location::File(path), name: "example".into(), source: 0 }];
    if let Some(expected) = &example.events {
        let preview = preview(&rules, &files, LIMITS).map_err(|error| error.to_string())?;
        wrong.extend(preview.faults);
        for file in &preview.files {
            let rejects = file.previewed.rejects.iter();
            wrong.extend(rejects.map(|(record, line, reason)| format!("record {record}, line {line} is rejected: {reason}")));
            let events: Vec<&Event> = file.previewed.events.iter().map(|previewed| &previewed.event).collect();
            compare_events(&events, expected, &rules, &mut wrong);
        }
    }
    let scanned = scan_files(&rules, &files, &Options::default(), &NoProgress).map_err(|error| error.to_string())?;
    if scanned.result.ledger.rejected > 0 {
        wrong.push(format!("{} records are rejected", scanned.result.ledger.rejected));
    }
    let mut findings: Vec<ExpectedFinding> = scanned
        .result
        .findings
        .iter()
        .map(|finding| {
            let mut records: Vec<u64> = finding.records.iter().map(|record| record.record).collect();
            records.sort_unstable();
            records.dedup();
            ExpectedFinding { verdict: finding.verdict.name().to_owned(), records }
        })
        .collect();
    findings.sort();
    if findings != example.findings {
        wrong.push(format!("findings are [{}], expected [{}]", told(&findings), told(&example.findings)));
    }
    Ok(wrong)
}

fn encoded(example: &Example) -> Result<Vec<u8>, String> {
    let Some(label) = &example.encoding else { return Ok(example.text.clone().into_bytes()) };
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).ok_or(format!("unknown encoding \"{label}\""))?;
    let (bytes, _, has_gaps) = encoding.encode(&example.text);
    if has_gaps { Err(format!("its text cannot be written in {label}")) } else { Ok(bytes.into_owned()) }
}

fn told(findings: &[ExpectedFinding]) -> String {
    findings.iter().map(|finding| format!("{} {:?}", finding.verdict, finding.records)).collect::<Vec<_>>().join(", ")
}

fn compare_events(events: &[&Event], expected: &[Vec<(String, String)>], rules: &Rules, wrong: &mut Vec<String>) {
    if events.len() != expected.len() {
        wrong.push(format!("has {} events, expected {}", events.len(), expected.len()));
    }
    for (event, fields) in events.iter().zip(expected) {
        for (name, value) in fields {
            let is = field(event, name, rules).unwrap_or_default();
            if is != *value {
                wrong.push(format!("record {}: {name} is {is:?}, expected {value:?}", event.origin.record));
            }
        }
    }
}

/// A field of an event as examples write it; amounts with their currency, an absent field as "".
fn field(event: &Event, name: &str, rules: &Rules) -> Option<String> {
    match name {
        "record" => Some(event.origin.record.to_string()),
        "time" => Some(event.time.to_text()),
        "operation" => Some(event.operation.clone()),
        "actor" => event.actor.clone(),
        "amount" => event.amount.map(|money| format!("{} {}", amount_text(money.amount, money.currency), money.currency)),
        "outcome" => Some(event.outcome.name().to_owned()),
        "effect_id" => event.effect_id.clone(),
        "request_key" => event.request_key.clone(),
        "record_id" => event.record_id.clone(),
        "reverses" => event.reverses.clone(),
        named => event.fields.get(rules.sources.get(event.source)?.field(named)?)?.clone(),
    }
}
