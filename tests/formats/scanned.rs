//! Hostile text on its whole way: as the name of a file, in heads and cells of a log, as names of a configuration, into every format.

use crate::hostile_log::{config, file_name, log};
use crate::servers::elements;
use crate::{formats_of_text, hostile, style, written};
use std::path::Path;
use twicelog::domain::report::{Report, Run, SCHEMA};
use twicelog::engine::{NoProgress, Options};
use twicelog::read::Location;
use twicelog::report::safe::is_hidden;
use twicelog::report::{Mask, OutputFormat};
use twicelog::scan::{Assigned, scan_files};

/// None where the configuration is refused: not every text can be a name.
fn scanned(text: &str, folder: &Path) -> Option<Report> {
    let name = file_name(text);
    let path = folder.join(name);
    std::fs::write(&path, log(text)).unwrap();
    let rules = twicelog::rules::load(&config(text), "twicelog.toml", folder).ok()?;
    let file = Assigned { location: Location::File(path), name: name.to_owned(), source: 0 };
    let scanned = scan_files(&rules, &[file], &Options::default(), &NoProgress).ok()?;
    let run = Run {
        version: "0.1.0".into(),
        started: "2026-03-06T02:00:00Z".into(),
        duration_ms: 1,
        config_sha256: "0".repeat(64),
        inputs: scanned.inputs,
        baseline: None,
        night: None,
    };
    Some(Report { schema: SCHEMA.into(), result: scanned.result, run, ..Report::default() })
}

#[test]
fn hostile_inputs_and_names_stay_text_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let strings = hostile::strings();
    let mut found = 0;
    for text in &strings {
        let Some(report) = scanned(text, folder.path()) else { continue };
        found += report.result.findings.len();
        for format in formats_of_text() {
            let output = written(format, &report, &style(60, Mask::Off));
            let line_end = |c: char| c == '\n' || (format == OutputFormat::Csv && matches!(c, '\r' | '\t'));
            let hidden = output.chars().find(|c| is_hidden(*c) && !line_end(*c));
            assert_eq!(hidden, None, "{} of {text:?}", format.name());
            match format {
                OutputFormat::Junit => drop(elements(&output)),
                OutputFormat::Json | OutputFormat::Sarif => drop(serde_json::from_str::<serde_json::Value>(&output).unwrap()),
                _ => {}
            }
        }
    }
    assert!(found > strings.len() * 3 / 4, "only {found} findings of {} logs", strings.len());
}

/// Where the browser and the spreadsheet program find the same strings.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/hostile.json");

fn shared() -> String {
    // One string a line, and nothing in it that cannot be seen, so that a change is seen.
    let line = |text: &String| {
        let mut units = [0; 2];
        serde_json::to_string(text).unwrap().chars().fold(String::new(), |line, c| match c {
            ' '..='~' => line + c.encode_utf8(&mut [0; 4]),
            c => c.encode_utf16(&mut units).iter().fold(line, |line, unit| line + &format!("\\u{unit:04x}")),
        })
    };
    let lines: Vec<String> = hostile::strings().iter().map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

#[test]
fn other_suites_are_given_the_same_strings() {
    let told = std::fs::read_to_string(SHARED).unwrap();
    assert!(told == shared(), "tests/support/hostile.json is stale: cargo test --test formats -- --ignored strings_are_written");
}

#[test]
#[ignore = "writes tests/support/hostile.json anew"]
fn strings_are_written() {
    std::fs::write(SHARED, shared()).unwrap();
}
