//! Exports in the formats that people really have, read without any configuration: the duplicate is found, the look-alike is not.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use twicelog::domain::Verdict;
use twicelog::domain::finding::Finding;
use twicelog::engine::{NoProgress, Options};
use twicelog::read::{self, Location};
use twicelog::rules::profiles::Library;
use twicelog::rules::{self, Overrides};
use twicelog::scan::{self, Unassigned, infer, recognise_all, run_examples, scan_files, survey};

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

/// Further exports, of the formats and editions that `samples/exports` does not show.
fn further() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports")
}

fn expected(folder: &Path) -> Vec<Expected> {
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let all: Vec<Expected> = serde_json::from_str(&text).unwrap();
    assert!(all.len() >= 22);
    all
}

fn library() -> Library {
    Library::built_in().unwrap_or_else(|errors| panic!("{errors}"))
}

fn findings(path: &Path, library: &Library) -> Vec<Finding> {
    let files = vec![Unassigned { profile: None, location: Location::File(path.to_owned()), name: "export".into() }];
    let overrides = Overrides { profiles: Some(library), ..Overrides::default() };
    let ready = recognise_all(files, &overrides, library, &std::env::temp_dir()).unwrap();
    let scanned = scan_files(&ready.rules, &ready.files, &Options::default(), &NoProgress).unwrap();
    assert!(scanned.faults.is_empty() && scanned.result.ledger.rejected == 0, "{:?}", scanned.result.ledger);
    scanned.result.findings.iter().filter(|finding| REPORTED.contains(&finding.verdict)).cloned().collect()
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
    let all =
        [folder(), further()].into_iter().flat_map(|folder| expected(&folder).into_iter().map(move |one| (folder.clone(), one)));
    for (folder, expected) in all {
        let found = findings(&folder.join(&expected.file), &library);
        let places: Vec<_> = found.iter().map(|finding| (finding.verdict, &finding.records)).collect();
        assert_eq!(found.len(), 1, "{}: {places:?}", expected.file);
        assert_eq!(touched(&found[0], &expected.duplicate, &expected.by), 2, "{}: {places:?}", expected.file);
        let alike = touched(&found[0], &expected.look_alike, &expected.by) >= 2;
        // Two ids of one duplicate may stand on lines that the look-alike has too.
        let shared = expected.look_alike.iter().any(|set| expected.duplicate.iter().any(|copy| !copy.is_disjoint(set)));
        assert!(!alike || shared, "{}: the look-alike is reported: {places:?}", expected.file);
    }
}

/// What is known of one kind of export must not change how another is read.
#[test]
fn exports_scanned_together_tell_what_each_tells_alone() {
    let library = library();
    let paths: Vec<PathBuf> = expected(&folder()).into_iter().map(|expected| folder().join(expected.file)).collect();
    let mut alone: Vec<String> = paths.iter().flat_map(|path| findings(path, &library)).map(|finding| finding.id).collect();
    let files = paths.iter().map(|path| Unassigned {
        profile: None,
        location: Location::File(path.clone()),
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
    });
    let overrides = Overrides { profiles: Some(&library), ..Overrides::default() };
    let ready = recognise_all(files.collect(), &overrides, &library, &std::env::temp_dir()).unwrap();
    let scanned = scan_files(&ready.rules, &ready.files, &Options::default(), &NoProgress).unwrap();
    let found = scanned.result.findings.iter().filter(|finding| REPORTED.contains(&finding.verdict));
    let mut together: Vec<String> = found.map(|finding| finding.id.clone()).collect();
    alone.sort();
    together.sort();
    assert_eq!(together, alone);
}

#[test]
fn every_profile_does_what_its_examples_say() {
    let library = library();
    let wrong: Vec<String> = library.iter().flat_map(|profile| run_examples(profile, &library)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(library.iter().count() > 90);
}

#[test]
fn rules_of_profiles_have_ids_of_their_own() {
    let library = library();
    let overrides = Overrides { profiles: Some(&library), ..Overrides::default() };
    let mut ids = BTreeSet::new();
    for profile in library.iter() {
        let rules = rules::load_with(&scan::zero_config([profile.name.as_str()]), "none", Path::new(""), &overrides).unwrap();
        for rule in rules.rules {
            assert!(ids.insert(rule.id.clone()), "{}: a second rule {}", profile.name, rule.id);
        }
    }
}

#[test]
fn the_page_of_all_profiles_is_current() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sources.md")).unwrap();
    let now = scan::profile_table(&library()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(page == now, "docs/sources.md is stale: write it anew with twicelog profiles --markdown");
}

/// `columns.json` says which columns hold what, for every export that has columns; `init` looks at them as if no profile knew the file.
#[test]
fn init_without_profiles_names_the_right_columns_of_most_exports() {
    let text = std::fs::read_to_string(folder().join("columns.json")).unwrap();
    let truth: BTreeMap<String, BTreeMap<String, Vec<String>>> = serde_json::from_str(&text).unwrap();
    let (mut right, mut asked, mut wrong) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (file, fields) in &truth {
        let path = folder().join(file);
        let stored = read::store(&path, file, &std::env::temp_dir()).unwrap();
        let glance = read::glance(&stored).unwrap();
        let inferred = infer(&survey(stored, &glance, &std::env::temp_dir()).unwrap());
        for (field, columns) in fields {
            let guess = match field.as_str() {
                "time" => inferred.time.first(),
                "amount" => inferred.amount.as_ref(),
                "currency" => inferred.currency.as_ref(),
                "outcome" => inferred.outcome.as_ref(),
                "effect_id" => inferred.effect_id.as_ref(),
                other => panic!("{other}"),
            };
            *asked.entry(field).or_insert(0) += 1;
            if guess.is_some_and(|guess| columns.contains(&guess.column)) {
                *right.entry(field).or_insert(0) += 1;
            } else {
                wrong.push(format!("{file}: {field} is {columns:?}, init says {guess:?}"));
            }
        }
    }
    println!("init without profiles, right of asked: {right:?} of {asked:?}\n{}", wrong.join("\n"));
    for (field, asked) in asked {
        let right = right.get(field).copied().unwrap_or(0);
        assert!(right * 10 >= asked * 8, "{field}: {right} of {asked} right\n{}", wrong.join("\n"));
    }
}
