//! Every folder of `tests/cases/` gets the answer that its `expected.json` gives, and gets it whichever way it is scanned.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "support/cases.rs"]
mod support;

use std::collections::BTreeSet;
use support::{Case, Records, records};
use twicelog::domain::report::{Report, Run, SCHEMA, ScanResult};
use twicelog::domain::{Language, Verdict};
use twicelog::report::{Color, CsvFor, Mask, OutputFormat, Style, write};
use twicelog::scan::Scanned;

/// Bytes for rows that are never reached by a case.
const ENOUGH: usize = 512 << 20;

/// Quiet expectations of handed cases that cannot hold, each with its reason.
const KNOWN: [(&str, &str, &[u32], &str); 3] = [
    ("04-stripe-key-conflict", "input.ndjson", &[7, 8], "the fingerprint is the request key, and theirs differ"),
    (
        "13-celery-visibility-timeout",
        "input.log",
        &[10, 11],
        "two tasks with ids of their own, and an id is the fingerprint: two groups of one",
    ),
    (
        "37-neg-rabbit-redelivered-flag",
        "input.log",
        &[1, 2, 3, 4],
        "two of the four lines are ignored as mere deliveries, the group is the other two",
    ),
];

fn known(case: &Case) -> Vec<Records> {
    let of_case = KNOWN.iter().filter(|(name, ..)| *name == case.name);
    of_case.map(|(_, file, numbers, _)| numbers.iter().map(|number| format!("{file}:{number}")).collect()).collect()
}

#[test]
fn every_case_gets_its_answer() {
    let cases = Case::all();
    assert!(cases.len() >= 50, "only {} cases were found", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let scanned = case.scan(2, ENOUGH);
        wrong.extend(
            case.differences(&scanned, &known(case)).into_iter().map(|difference| format!("{}: {difference}", case.name)),
        );
        let ledger = &scanned.result.ledger;
        assert!(ledger.balances(), "{}: {ledger:?}", case.name);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// An exception that holds after all, or that no case has, would hide the next mistake.
#[test]
fn every_known_exception_is_one() {
    let cases = Case::all();
    for (name, _, _, reason) in KNOWN {
        let case = cases.iter().find(|case| case.name == name).unwrap_or_else(|| panic!("{name}: there is no such case"));
        let scanned = case.scan(2, ENOUGH);
        for records in known(case) {
            assert!(case.expected.quiet.iter().any(|quiet| quiet.records == records), "{name}: does not expect {records:?}");
        }
        assert!(!case.differences(&scanned, &[]).is_empty(), "{name}: holds although {reason}");
    }
}

#[test]
fn every_verdict_has_a_case() {
    let mut missing: BTreeSet<Verdict> = Verdict::ALL.into();
    for case in Case::all() {
        for finding in case.scan(2, ENOUGH).result.findings {
            let here = records(&finding);
            let reported = case.expected.findings.iter().any(|expected| expected.records == here);
            let quiet = case.expected.quiet.iter().any(|quiet| quiet.records == here && quiet.verdict == finding.verdict);
            if reported || quiet {
                missing.remove(&finding.verdict);
            }
        }
    }
    assert!(missing.is_empty(), "no case expects {missing:?}");
}

fn json(result: &ScanResult) -> String {
    serde_json::to_string_pretty(result).unwrap()
}

#[test]
fn results_depend_on_nothing_but_input_and_configuration() {
    for case in Case::all() {
        let once = json(&case.scan(1, ENOUGH).result);
        for (threads, max_memory) in [(1, ENOUGH), (2, ENOUGH), (8, ENOUGH), (1, 0), (8, 0)] {
            let again = json(&case.scan(threads, max_memory).result);
            assert_eq!(again, once, "{} with {threads} threads and {max_memory} bytes for rows", case.name);
        }
    }
}

#[test]
fn results_fit_the_published_schema() {
    let schema = twicelog::report::schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for case in Case::all() {
        let report = report(case.scan(2, ENOUGH));
        let value = serde_json::to_value(&report).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", case.name);
    }
}

/// The result of a scan as a document, with a run of no importance.
fn report(scanned: Scanned) -> Report {
    let run = Run {
        version: "0.1.0".into(),
        started: "2026-03-02T10:00:00.000Z".into(),
        duration_ms: 1,
        config_sha256: "0".repeat(64),
        baseline: None,
        inputs: scanned.inputs,
    };
    Report { schema: SCHEMA.into(), result: scanned.result, run }
}

/// Results carry sentences in English; a Russian reader gets each of them in Russian.
#[test]
fn every_sentence_of_a_finding_has_its_russian() {
    let mut untold = BTreeSet::new();
    for case in Case::all() {
        let report = report(case.scan(2, ENOUGH));
        let style = Style {
            width: Style::WIDTH,
            color: Color::Off,
            mask: Mask::Off,
            language: Language::Russian,
            csv: CsvFor::Programs,
            explanations: twicelog::judge::explanations(),
        };
        let mut page = Vec::new();
        write(OutputFormat::Html, &report, &style, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        for finding in &report.result.findings {
            let sentences = finding.evidence.iter().map(|evidence| &evidence.text).chain([&finding.cause.why]);
            // What must be escaped is not found as it is written.
            untold.extend(sentences.filter(|text| !text.contains(['<', '>', '&', '"', '\'']) && page.contains(*text)).cloned());
        }
    }
    assert!(untold.is_empty(), "without a phrase in src/report/texts/phrases.rs: {untold:#?}");
}
