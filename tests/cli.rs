//! The program from outside: exit codes, what goes to which stream, files written whole or not at all.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "cli/decisions.rs"]
mod decisions;
#[cfg(target_os = "linux")]
#[path = "cli/full_disk.rs"]
mod full_disk;
#[path = "cli/goes_on.rs"]
mod goes_on;
#[path = "cli/grown.rs"]
mod grown;
#[allow(dead_code, reason = "the reasons are for the suite of formats")]
#[path = "support/hostile.rs"]
mod hostile;
#[path = "support/hostile_log.rs"]
mod hostile_log;
#[cfg(unix)]
#[path = "cli/interrupted.rs"]
mod interrupted;
#[cfg(target_os = "linux")]
#[path = "cli/killed.rs"]
mod killed;
#[path = "cli/made_up.rs"]
mod made_up;
#[cfg(target_os = "linux")]
#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/nights.rs"]
mod nights;
#[path = "cli/outputs.rs"]
mod outputs;
#[path = "cli/place.rs"]
mod place;
#[path = "cli/proofs.rs"]
mod proofs;
#[path = "cli/questions.rs"]
mod questions;
#[cfg(unix)]
#[path = "cli/recipes.rs"]
mod recipes;
#[allow(dead_code, reason = "other suites use the rest")]
#[path = "support/reports.rs"]
mod reports;
#[path = "cli/schedules.rs"]
mod schedules;
#[path = "cli/shown.rs"]
mod shown;
#[path = "cli/states.rs"]
mod states;
#[cfg(target_os = "linux")]
#[path = "cli/stopped.rs"]
mod stopped;
#[cfg(target_os = "linux")]
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/unconfigured.rs"]
mod unconfigured;

use place::{CALM, CONFIG, DOUBLED, HEADER, Place, Run, UNREADABLE_ROW};
use std::io::Write;
use std::process::Stdio;

#[test]
fn nothing_to_report_is_0() {
    let run = Place::with(CALM).expect(0, &["scan"]);
    assert!(run.stdout.contains("2 records read") && run.stdout.contains("2026-03-02"), "never a bare zero: {}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn findings_are_1() {
    let run = Place::with(DOUBLED).expect(1, &["scan"]);
    assert!(run.stdout.contains("59.00") && run.stdout.contains("TL-"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn mistakes_of_usage_are_2() {
    let place = Place::with(CALM);
    for arguments in [
        &["scan", "--frobnicate"][..],
        &["frobnicate"],
        &["scan", "--format", "yaml"],
        &["scan", "--zone", "Mars/Olympus"],
        &["scan", "--threads", "0"],
        &["scan", "--max-rejected", "200%"],
        &["scan", "--max-memory", "lots"],
        &["scan", "--output", "json"],
        &["scan", "--mask", "--reveal"],
        &["scan", "--source", "shop=pay.csv"],
        &["scan", "--config", "gone.toml"],
    ] {
        let run = place.expect(2, arguments);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(run.stderr.lines().count() <= 12, "{arguments:?}: {}", run.stderr);
    }
    assert!(Place::empty().expect(2, &["scan"]).stderr.contains("twicelog.toml"));
}

#[test]
fn every_mistake_of_a_configuration_is_told_with_its_place() {
    let place = Place::with(CALM);
    place
        .write("twicelog.toml", CONFIG.replace("window = \"10m\"", "window = \"10 minutes\"\nwindw = 3").replace("\"iso\"", "7"));
    for arguments in [&["scan"][..], &["check"]] {
        let run = place.expect(2, arguments);
        for mistake in ["twicelog.toml:6:32: ", "twicelog.toml:15:10: ", "twicelog.toml:16:1: "] {
            assert!(run.stderr.contains(mistake), "{mistake:?} is missing in\n{}", run.stderr);
        }
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_3_and_hides_no_finding() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay.csv\", \"gone.csv\"]"));
    let run = place.expect(3, &["scan", "--format", "json"]);
    assert!(run.stderr.contains("gone.csv"), "{}", run.stderr);
    let result = &run.json()["result"];
    assert_eq!(result["findings"][0]["verdict"], "duplicate_effect");
    assert_eq!(result["sources"][0]["files"].as_array().map(Vec::len), Some(2), "{result:#}");
}

#[test]
fn a_cut_off_file_is_3() {
    let place = Place::with("");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packer.write_all((HEADER.to_owned() + DOUBLED + &CALM.repeat(9)).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    place.write("pay.csv", &packed[..packed.len() - 20]);
    let run = place.expect(3, &["scan", "--format", "json"]);
    assert!(run.stderr.contains("pay.csv") && run.stderr.contains("cut off"), "{}", run.stderr);
    assert_eq!(run.json()["result"]["findings"][0]["verdict"], "duplicate_effect");
}

#[test]
fn too_many_rejected_records_are_3() {
    let place = Place::with(&(DOUBLED.to_owned() + UNREADABLE_ROW));
    let run = place.expect(3, &["scan"]);
    assert!(run.stderr.contains("1 of 3 records") && run.stderr.contains("--rejects"), "{}", run.stderr);
    place.expect(1, &["scan", "--max-rejected", "34%"]);
    place.expect(1, &["scan", "--max-rejected", "0.34"]);
    place.expect(3, &["scan", "--max-rejected", "33%"]);
}

#[test]
fn exit_zero_changes_only_1() {
    Place::with(CALM).expect(0, &["scan", "--exit-zero"]);
    let doubled = Place::with(DOUBLED);
    assert!(doubled.expect(0, &["scan", "--exit-zero"]).stdout.contains("TL-"));
    doubled.expect(2, &["scan", "--exit-zero", "--source", "shop=pay.csv"]);
    doubled.expect(4, &["scan", "--exit-zero", "--output", "json=no/such/folder.json"]);
    Place::with(&(DOUBLED.to_owned() + UNREADABLE_ROW)).expect(3, &["scan", "--exit-zero"]);
}

#[test]
fn json_on_stdout_stands_alone() {
    let place = Place::with(&(DOUBLED.to_owned() + UNREADABLE_ROW));
    let run = place.expect(3, &["scan", "--format", "json"]);
    assert_eq!(run.json()["schema"], "twicelog.result/1");
    assert!(run.stderr.starts_with("twicelog: "));
    let lines = place.expect(3, &["scan", "--format", "ndjson"]).stdout;
    assert!(lines.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{lines}");
}

#[test]
fn colour_only_on_a_terminal_or_when_asked() {
    let place = Place::with(DOUBLED);
    place.expect(1, &["scan"]);
    let with = |name: &str, value: &str, arguments: &[&str]| place.command(arguments).env(name, value).output().unwrap();
    let plain = |name, value, arguments: &[&str]| Run::from(with(name, value, arguments)).code;
    assert_eq!(plain("NO_COLOR", "1", &["scan"]), Some(1));
    assert_eq!(plain("TERM", "xterm-256color", &["scan"]), Some(1));
    assert_eq!(plain("TERM", "xterm-256color", &["scan", "--frobnicate"]), Some(2));
    let asked = with("NO_COLOR", "1", &["scan", "--color", "always"]);
    assert!(asked.stdout.contains(&0x1b), "--color always is stronger than NO_COLOR");
}

#[test]
fn lines_are_as_wide_as_the_terminal_says() {
    let place = Place::with(DOUBLED);
    for columns in ["40", "80", "200"] {
        let output = place.command(&["scan"]).env("COLUMNS", columns).output().unwrap();
        let wide = Run::from(output).stdout.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(wide <= columns.parse().unwrap(), "{wide} columns of {columns}");
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let place = Place::with("");
    place.write("stream.toml", CONFIG.replace("pay.csv", "-"));
    for arguments in [&["scan", "-", "--format", "json"][..], &["scan", "--config", "stream.toml", "--format", "json"]] {
        let mut child =
            place.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all((HEADER.to_owned() + DOUBLED).as_bytes()).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert_eq!(run.json()["result"]["findings"][0]["records"][1]["file"], "-");
    }
}

#[test]
fn the_configuration_is_found_upward_and_by_the_environment() {
    let place = Place::with(DOUBLED);
    let deep = place.path("a/b/c");
    std::fs::create_dir_all(&deep).unwrap();
    let run = Run::from(place.command(&["scan"]).current_dir(&deep).output().unwrap());
    assert_eq!(run.code, Some(1), "relative paths are relative to the configuration: {}", run.stderr);

    let elsewhere = Place::empty();
    let named = |config: &str| Run::from(elsewhere.command(&["scan"]).env("TWICELOG_CONFIG", config).output().unwrap());
    assert_eq!(named(place.path("twicelog.toml").to_str().unwrap()).code, Some(1));
    let gone = named("gone.toml");
    assert_eq!(gone.code, Some(2));
    assert!(gone.stderr.contains("gone.toml"), "{}", gone.stderr);

    // The argument is stronger than the environment.
    let mut command = place.command(&["scan", "--config", "twicelog.toml"]);
    assert_eq!(Run::from(command.env("TWICELOG_CONFIG", "gone.toml").output().unwrap()).code, Some(1));
}

#[test]
fn a_zone_for_times_without_one() {
    let place = Place::with(&DOUBLED.replace('Z', ""));
    place.write("twicelog.toml", CONFIG.replace(", zone = \"UTC\"", ""));
    let first = |arguments: &[&str]| place.expect(1, arguments).json()["result"]["findings"][0]["first"].clone();
    assert_eq!(first(&["scan", "--format", "json"]), "2026-03-02T10:00:00Z");
    assert_eq!(first(&["scan", "--format", "json", "--zone", "Europe/Moscow"]), "2026-03-02T07:00:00Z");
    let notes = |arguments: &[&str]| place.expect(1, arguments).json()["result"]["notes"].to_string();
    assert!(notes(&["scan", "--format", "json"]).contains("assumed_zone"), "an assumption is said");
    assert!(!notes(&["scan", "--format", "json", "--zone", "Europe/Moscow"]).contains("assumed_zone"));
}
