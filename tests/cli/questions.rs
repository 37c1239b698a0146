//! The subcommands that only answer: help, check, explain, schema, completions, man.

use crate::place::{CALM, CONFIG, DOUBLED, HEADER, Place, UNREADABLE_ROW};

#[test]
fn alone_it_shows_help_with_examples() {
    let run = Place::empty().expect(0, &[]);
    assert!(run.stdout.contains("Examples:") && run.stdout.contains("twicelog scan") && run.stdout.contains("Exit codes:"));
    assert_eq!(run.stderr, "");
    assert_eq!(Place::empty().expect(0, &["--help"]).stdout, run.stdout);
    assert!(Place::empty().expect(0, &["--version"]).stdout.starts_with("twicelog "));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = Place::empty().expect(0, &["completions", shell]);
        assert!(run.stdout.contains("max-rejected"), "{shell}");
    }
    Place::empty().expect(2, &["completions", "tcsh"]);
}

#[test]
fn manual_pages() {
    let place = Place::empty();
    assert!(place.expect(0, &["man"]).stdout.contains(".TH twicelog"));
    for command in ["scan", "check", "inspect", "init", "explain", "report", "profiles", "test", "schema", "completions", "man"] {
        assert!(place.expect(0, &["man", command]).stdout.contains(".TH"), "{command}");
    }
    place.expect(2, &["man", "frobnicate"]);
}

#[test]
fn schemas() {
    for of in ["result", "config"] {
        let schema = Place::empty().expect(0, &["schema", of]).json();
        jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{of}: {error}"));
    }
    let schema = Place::empty().expect(0, &["schema", "result"]).json();
    let result = Place::with(DOUBLED).expect(1, &["scan", "--format", "json"]).json();
    assert!(jsonschema::is_valid(&schema, &result));
    assert!(!jsonschema::is_valid(&schema, &serde_json::json!({"schema": "twicelog.result/1"})));
}

#[test]
fn check_shows_what_would_be_read() {
    let run = Place::with(DOUBLED).expect(0, &["check"]);
    for expected in ["double-charge", "10 min", "pay.csv", "2 read, 2 used, 0 ignored, 0 rejected", "effect_id = ch_1"] {
        assert!(run.stdout.contains(expected), "{expected:?} is missing in\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("anna"), "actors are masked: {}", run.stdout);
    assert!(Place::with(DOUBLED).expect(0, &["check", "--reveal"]).stdout.contains("actor = anna"));

    let place = Place::with(&(CALM.to_owned() + UNREADABLE_ROW));
    assert!(place.expect(3, &["check"]).stdout.contains("line 4"));
    place.expect(0, &["check", "--rows", "2"]);
    place.write("twicelog.toml", CONFIG.replace("pay.csv", "gone.csv"));
    assert!(place.expect(3, &["check"]).stderr.contains("gone.csv"));
}

#[test]
fn explain_a_finding() {
    let place = Place::with(DOUBLED);
    let json = place.expect(1, &["scan", "--format", "json", "--output", "json=r.json"]).json();
    let id = json["result"]["findings"][0]["id"].as_str().unwrap();
    let whole = place.expect(0, &["explain", id]).stdout;
    assert!(whole.contains(id) && whole.contains("ch_1") && whole.contains("ch_2") && whole.contains("bits"), "{whole}");
    assert_eq!(place.expect(0, &["explain", &id[..8]]).stdout, whole, "the first digits are enough");
    assert_eq!(place.expect(0, &["explain", id, "--result", "r.json"]).stdout, whole, "a stored result will do");
    place.expect(2, &["explain", "TL-000000000000"]);
    place.expect(2, &["explain", id, "--result", "pay.csv"]);

    place.write("pay.csv", HEADER.to_owned() + DOUBLED + &DOUBLED.replace("anna", "boris").replace("ch_", "re_"));
    assert!(place.expect(2, &["explain", "TL-"]).stderr.contains("several"), "two findings begin like this");
}

#[test]
fn explain_rules_verdicts_and_causes() {
    let place = Place::with(CALM);
    assert!(place.expect(0, &["explain", "double-charge"]).stdout.contains("10 min"));
    let nowhere = Place::empty();
    for explanation in twicelog::judge::explanations() {
        let text = nowhere.expect(0, &["explain", explanation.code]).stdout;
        assert!(text.starts_with(&format!("{}: {}\n", explanation.code, explanation.english.title)), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    for place in [&place, &nowhere] {
        let unknown = place.expect(2, &["explain", "frobnicate"]).stderr;
        assert!(
            unknown.contains("frobnicate") && unknown.contains("duplicate_effect") && unknown.contains("client_retry"),
            "{unknown}"
        );
    }
}

/// A scan that cannot find anything does not say that there is nothing.
#[test]
fn a_column_of_outcomes_that_no_file_has_is_a_mistake() {
    let place = Place::with(DOUBLED);
    let map = "effect_id = \"id\"\noutcome = { from = \"statsu\", took_effect = [\"paid\"] }\n";
    place.write("twicelog.toml", CONFIG.replace("effect_id = \"id\"\n", map));
    let run = place.expect(2, &["scan"]);
    assert!(
        run.stderr.contains("pay.csv: nothing tells an outcome: no file of source \"pay\" has the column \"statsu\""),
        "{}",
        run.stderr
    );
}

#[test]
fn a_pattern_that_matches_nothing_is_told() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay.csv\", \"late-*.csv\"]"));
    let run = place.expect(1, &["scan"]);
    assert!(run.stderr.contains("source \"pay\": no file matches \"late-*.csv\""), "{}", run.stderr);
}
