//! Every folder of `tests/cases/` gets the answer that its `expected.json` gives, and gets it whichever way it is scanned.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "support/cases.rs"]
mod support;

#[path = "support/notes.rs"]
mod notes;
#[path = "support/workbook.rs"]
mod workbook;

use chrono::DateTime;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use support::{Case, Records, records};
use twicelog::domain::report::{Note, Report, Run, SCHEMA, ScanResult};
use twicelog::domain::week::{HOURS, hour_of_week};
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
        for finding in &case.scan(2, ENOUGH).result.findings {
            let here = records(finding);
            let reported = case.expected.findings.iter().any(|expected| expected.records == here);
            let quiet = case.expected.quiet.iter().any(|quiet| quiet.records == here && quiet.verdict == finding.verdict);
            if reported || quiet {
                missing.remove(&finding.verdict);
            }
        }
    }
    assert!(missing.is_empty(), "no case expects {missing:?}");
}

/// Each finding begins with an attempt, which was counted in its hour; a record that came twice was counted once.
#[test]
fn attempts_are_counted_in_their_hour() {
    let mut told = 0;
    for case in Case::all() {
        let result = case.scan(2, ENOUGH).result;
        let volume = |hour: usize| result.sources.iter().filter_map(|source| source.volume.get(hour)).sum::<u64>();
        let all: u64 = (0..HOURS).map(volume).sum();
        assert!(all <= result.ledger.used, "{}: {all} attempts of {:?}", case.name, result.ledger);
        let reported = result.findings.iter().filter(|finding| finding.verdict.is_reported());
        let firsts = reported.filter_map(|finding| DateTime::parse_from_rfc3339(&finding.first).ok());
        for hour in firsts.map(|first| hour_of_week(first.timestamp_nanos_opt().unwrap())) {
            assert!(volume(hour) > 0, "{}: nothing was attempted in hour {hour}", case.name);
            told += 1;
        }
        if case.name == "63-own-overlapping-exports" {
            assert!(result.ledger.repeated > 0 && all == result.ledger.used, "{all} attempts of {:?}", result.ledger);
        }
    }
    assert!(told > 50, "only {told}");
}

/// Each used record that has a time is counted in its bucket, and nothing else is: the ledger says how many there are.
#[test]
fn records_are_counted_at_their_time() {
    let (mut told, mut dates) = (0, 0);
    for case in Case::all() {
        for source in &case.scan(2, ENOUGH).result.sources {
            let Some(over_time) = &source.over_time else {
                assert_eq!(source.first, None, "{}: {}", case.name, source.name);
                continue;
            };
            let records: u64 = over_time.buckets.iter().map(|bucket| bucket.records).sum();
            assert_eq!(records, source.ledger.used, "{}: {}", case.name, source.name);
            assert!(over_time.buckets.is_sorted_by(|one, next| one.from < next.from), "{}: {over_time:?}", case.name);
            let (first, last) = (over_time.buckets.first().unwrap(), over_time.buckets.last().unwrap());
            // A date stands where it begins in UTC, and is told as the instant at which it begins in its zone.
            let times = [(&first.from, &source.first), (&last.from, &source.last)]
                .map(|(from, told)| (instant(from), told.as_deref().map(instant)));
            let within = 14 * 3_600 + over_time.bucket_seconds as i64;
            assert!(times.iter().all(|(from, told)| (told.unwrap() - from).abs() <= within), "{}: {over_time:?}", case.name);
            dates += u32::from(over_time.bucket_seconds == 86_400 && source.first.as_deref() == Some(&first.from));
            told += 1;
        }
    }
    assert!(told > 50 && dates > 0, "only {told}, {dates} of dates");
}

/// Seconds since 1970 of a time or of the beginning of a date.
fn instant(text: &str) -> i64 {
    let whole = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    DateTime::parse_from_rfc3339(&whole).unwrap().timestamp()
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
        night: None,
        inputs: scanned.inputs,
    };
    Report { schema: SCHEMA.into(), result: scanned.result, run, ..Report::default() }
}

/// Names that are the same in every language: of the configuration, of zones, of formats.
const NAMES: [&str; 22] = [
    "BST",
    "CST",
    "IST",
    "JSON",
    "UTC",
    "XXX",
    "currency",
    "days",
    "fingerprint",
    "footer",
    "inside",
    "map",
    "operations",
    "outcome",
    "read",
    "source",
    "sources",
    "time",
    "where",
    "window",
    "zone",
    "effect_id",
];

/// Results carry sentences in English; a Russian reader gets each of them in Russian, with no word left over but what the input and
/// the configuration say.
#[test]
fn every_sentence_of_a_result_has_its_russian() {
    let mut untold = BTreeSet::new();
    for case in Case::all() {
        let result = case.scan(2, ENOUGH).result;
        let sentences = result.findings.iter().flat_map(|finding| {
            let evidence = finding.evidence.iter().map(|evidence| evidence.text.clone());
            evidence.chain([finding.cause.why.clone()])
        });
        let sentences: BTreeSet<String> = sentences.chain(result.notes.iter().map(|note| note.message.clone())).collect();
        untold.extend(left_in_english(sentences, &words_of(&case, &result), &result));
    }
    let raised = notes::raised();
    let said: BTreeSet<&str> = raised.iter().map(|note| note.code.as_str()).collect();
    let unsaid: Vec<String> = codes_of_notes().into_iter().filter(|code| !said.contains(code.as_str())).collect();
    assert!(unsaid.is_empty(), "tests/support/notes.rs has no input that raises {unsaid:?}: {raised:#?}");
    let result = Case::all().remove(0).scan(2, ENOUGH).result;
    untold.extend(left_in_english(
        raised.into_iter().map(|note| note.message).collect(),
        &words("in twice Europe/Berlin /key read.preamble read.sheet state.lateness settle"),
        &result,
    ));
    assert!(untold.is_empty(), "without a phrase in src/report/texts/phrases: {untold:#?}");
}

/// Those of the sentences that keep a word of English in Russian, each with its Russian.
fn left_in_english(sentences: BTreeSet<String>, input: &BTreeSet<String>, result: &ScanResult) -> Vec<(String, String)> {
    let style = Style {
        width: Style::WIDTH,
        color: Color::Off,
        mask: Mask::Off,
        language: Language::Russian,
        csv: CsvFor::Programs,
        explanations: twicelog::judge::explanations(),
    };
    // The page tells a note as it tells every other sentence.
    let notes = sentences.iter().map(|message| Note { code: "sentence".into(), message: message.clone() });
    let mut page = Vec::new();
    let result = ScanResult { notes: notes.collect(), findings: Vec::new().into(), ..result.clone() };
    let scanned = Scanned { result, inputs: vec![], rejects: vec![], faults: vec![], controls: vec![], windows: vec![] };
    write(OutputFormat::Html, &report(scanned), &style, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let list = page.split_once("<section id=\"notes\"").map_or("", |(_, list)| list.split_once("</section>").unwrap().0);
    let told: Vec<&str> = list.split("<li>").skip(1).map(|item| item.split_once(" <span").unwrap().0).collect();
    assert_eq!(told.len(), sentences.len(), "the page does not hold that many sentences");
    let quoted = Regex::new("&#?\\w+;.*?&#?\\w+;|TL-[0-9a-f]{12}").unwrap();
    let is_english = |text: &str| {
        let left = words(&quoted.replace_all(text, ""));
        left.iter().any(|word| !NAMES.contains(&word.as_str()) && !input.contains(word))
    };
    let told = sentences.into_iter().zip(told.into_iter().map(str::to_owned));
    told.filter(|(_, russian)| is_english(russian)).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    Regex::new("[A-Za-z_]{2,}").unwrap().find_iter(text).map(|word| word.as_str().to_owned()).collect()
}

/// What the configuration and the records say themselves.
fn words_of(case: &Case, result: &ScanResult) -> BTreeSet<String> {
    let mut said: Vec<&str> = case.config().lines().map(|line| line.split('#').next().unwrap()).collect();
    for finding in &result.findings {
        said.extend(finding.fingerprint.values().flatten().map(String::as_str));
        for record in &finding.records {
            said.extend(
                record.values.iter().flat_map(|(name, value)| [name, value]).chain(&record.request_key).map(String::as_str),
            );
        }
    }
    let files = result.sources.iter().flat_map(|source| &source.files).map(|file| file.file.as_str());
    said.extend(files);
    words(&said.join("\n"))
}

/// The code of every note that a scan raises, as the sources write it.
fn codes_of_notes() -> BTreeSet<String> {
    let code = Regex::new(r#"(?:Note \{\s*code: |\bnote\(\s*(?:(?:&mut )?notes,\s*)?)"([a-z_]+)""#).unwrap();
    let mut codes = BTreeSet::new();
    let mut folders: Vec<_> =
        ["read", "engine", "judge"].map(|room| Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room)).into();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                Some(end) if end == "rs" => {
                    let text = std::fs::read_to_string(path).unwrap();
                    codes.extend(code.captures_iter(&text).map(|found| found[1].to_owned()));
                }
                Some(_) => {}
                None => folders.push(path),
            }
        }
    }
    assert!(codes.len() >= 15, "{codes:?}");
    codes
}
