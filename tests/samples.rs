//! Exports in the formats that people really have, read without any configuration: the duplicate is found, the look-alike is not.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use twicelog::domain::Verdict;
use twicelog::domain::finding::Finding;
use twicelog::engine::{NoProgress, Options};
use twicelog::read;
use twicelog::rules::pick::Pick;
use twicelog::rules::profiles::Library;
use twicelog::rules::{self, EffectIdMap, Overrides, Source};
use twicelog::scan::{self, Guess, Unassigned, infer, recognise, recognise_all, run_examples, scan_files, survey};

const REPORTED: [Verdict; 4] = [Verdict::DuplicateEffect, Verdict::PossibleDuplicate, Verdict::Compensated, Verdict::KeyConflict];

/// What `expected.json` says of one export. Members that explain it to a reader are not looked at.
#[derive(Deserialize)]
struct Expected {
    file: String,
    /// Whether the numbers below are lines or records.
    by: By,
    duplicate: Vec<BTreeSet<u64>>,
    look_alike: Vec<BTreeSet<u64>>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum By {
    Line,
    Record,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/exports")
}

fn expected() -> Vec<Expected> {
    let text = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let all: Vec<Expected> = serde_json::from_str(&text).unwrap();
    assert!(all.len() >= 22);
    all
}

fn library() -> Library {
    Library::built_in().unwrap_or_else(|errors| panic!("{errors}"))
}

fn findings(path: &Path, library: &Library) -> Vec<Finding> {
    let files = vec![Unassigned { profile: None, path: path.to_owned(), name: "export".into() }];
    let overrides = Overrides { profiles: Some(library), ..Overrides::default() };
    let ready = recognise_all(files, &overrides, library, &std::env::temp_dir()).unwrap();
    let scanned = scan_files(&ready.rules, &ready.files, &Options::default(), &NoProgress).unwrap();
    assert!(scanned.faults.is_empty() && scanned.result.ledger.rejected == 0, "{:?}", scanned.result.ledger);
    scanned.result.findings.into_iter().filter(|finding| REPORTED.contains(&finding.verdict)).collect()
}

/// How many of the sets the finding's records touch; of a single set, how many records lie in it, at most 2.
fn touched(finding: &Finding, sets: &[BTreeSet<u64>], by: &By) -> usize {
    let spans: Vec<[u64; 2]> = finding
        .records
        .iter()
        .map(|record| if *by == By::Record { [record.record, record.record] } else { record.lines })
        .collect();
    let hits = |span: &[u64; 2], set: &BTreeSet<u64>| set.range(span[0]..=span[1]).next().is_some();
    match sets {
        [only] => spans.iter().filter(|span| hits(span, only)).count().min(2),
        _ => sets.iter().filter(|set| spans.iter().any(|span| hits(span, set))).count(),
    }
}

#[test]
fn every_export_tells_its_duplicate_and_nothing_else() {
    let library = library();
    for expected in expected() {
        let found = findings(&folder().join(&expected.file), &library);
        let places: Vec<_> = found.iter().map(|finding| (finding.verdict, &finding.records)).collect();
        assert_eq!(found.len(), 1, "{}: {places:?}", expected.file);
        assert_eq!(touched(&found[0], &expected.duplicate, &expected.by), 2, "{}: {places:?}", expected.file);
        let also = touched(&found[0], &expected.look_alike, &expected.by) >= 2 && expected.look_alike.len() > 1;
        let shared = expected.look_alike.iter().any(|set| expected.duplicate.contains(set));
        assert!(!also || shared, "{}: the look-alike is reported: {places:?}", expected.file);
    }
}

#[test]
fn every_profile_does_what_its_examples_say() {
    let library = library();
    let wrong: Vec<String> = library.iter().flat_map(|profile| run_examples(profile, &library)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(library.iter().count() >= 45);
}

#[test]
fn rules_of_profiles_have_ids_of_their_own() {
    let library = library();
    let mut ids = BTreeSet::new();
    for profile in library.iter() {
        for rule in source_rules(&profile.name, &library).1 {
            assert!(ids.insert(rule.clone()), "{}: a second rule {rule}", profile.name);
        }
    }
}

fn source_rules(profile: &str, library: &Library) -> (Source, Vec<String>) {
    let overrides = Overrides { profiles: Some(library), ..Overrides::default() };
    let mut rules = rules::load_with(&scan::zero_config([profile]), "none", Path::new(""), &overrides).unwrap();
    (rules.sources.remove(0), rules.rules.into_iter().map(|rule| rule.id).collect())
}

/// The profiles know which columns are right: `init` without them is right where it names one of those.
#[test]
fn init_without_profiles_names_the_right_columns_of_most_exports() {
    let library = library();
    let (mut right, mut asked, mut wrong) = (0, 0, Vec::new());
    for expected in expected() {
        let path = folder().join(&expected.file);
        let stored = read::store(&path, &expected.file, &std::env::temp_dir()).unwrap();
        let glance = read::glance(&stored).unwrap();
        let profile = recognise(&glance, &library).unwrap().profile;
        // Lines of text have no columns before somebody writes a pattern.
        let Ok(survey) = survey(stored, &glance, &std::env::temp_dir()) else { continue };
        let (source, _) = source_rules(&profile, &library);
        let inferred = infer(&survey);
        let map = &source.map;
        let effect_id = match &map.effect_id {
            Some(EffectIdMap::From(pick)) => Some(pick),
            _ => None,
        };
        let time: Vec<&str> = match &map.time.from {
            rules::pick::TimeFrom::One(slot) => source.columns_of(&Pick::Columns(vec![*slot])),
            rules::pick::TimeFrom::Joined(parts) => parts.iter().flat_map(|part| source.columns_of(part)).collect(),
        };
        let outcome = map.outcome.iter().flat_map(|outcome| &outcome.questions);
        let outcome: Vec<&str> = outcome.flat_map(|question| source.columns_of(&question.from)).collect();
        let of = |pick: Option<&Pick>| pick.map(|pick| source.columns_of(pick)).unwrap_or_default();
        let questions: [(&str, Vec<&str>, Option<&Guess>); 5] = [
            ("time", time, inferred.time.first()),
            ("amount", of(map.amount.as_ref().map(|amount| &amount.from)), inferred.amount.as_ref()),
            ("currency", of(map.currency.as_ref()), inferred.currency.as_ref()),
            ("outcome", outcome, inferred.outcome.as_ref()),
            ("effect_id", of(effect_id), inferred.effect_id.as_ref()),
        ];
        for (field, columns, guess) in questions {
            let is_there = |column: &&str| survey.columns.iter().any(|known| known.name.eq_ignore_ascii_case(column));
            if !columns.iter().any(|column| is_there(&column)) {
                continue;
            }
            asked += 1;
            match guess {
                Some(guess) if columns.iter().any(|column| column.eq_ignore_ascii_case(&guess.column)) => right += 1,
                other => wrong.push(format!("{}: {field} is {columns:?}, init says {other:?}", expected.file)),
            }
        }
    }
    println!("init without profiles: {right} of {asked} right\n{}", wrong.join("\n"));
    assert!(asked > 40 && right * 10 >= asked * 8, "{right} of {asked} right\n{}", wrong.join("\n"));
}
