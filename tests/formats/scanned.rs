//! Hostile text on its whole way: as the name of a file, in heads and cells of a log, as names of a configuration, into every format.

use crate::servers::elements;
use crate::{formats_of_text, hostile, style, written};
use std::path::Path;
use twicelog::domain::report::{Report, Run, SCHEMA};
use twicelog::engine::{NoProgress, Options};
use twicelog::read::Location;
use twicelog::report::safe::is_hidden;
use twicelog::report::{Mask, OutputFormat};
use twicelog::scan::{Assigned, scan_files};

/// A configuration whose source, rule and further field are called so.
fn config(name: &str) -> String {
    let quoted = |text: &str| toml::Value::String(text.into()).to_string();
    let name = quoted(name);
    format!(
        r#"
        version = 1
        [[source]]
        name = {name}
        files = ["log.csv"]
        format = "csv"
        read = {{ delimiter = ",", encoding = "utf-8" }}
        [source.map]
        time = {{ from = "at", format = "iso" }}
        operation = {{ const = "charge" }}
        actor = "customer"
        amount = "amount"
        currency = {{ const = "EUR" }}
        effect_id = "id"
        [source.map.fields]
        {name} = {name}
        [[rule]]
        id = {name}
        fingerprint = ["actor", "amount"]
        window = "10m"
        "#
    )
}

/// A log in which one customer was charged twice; its last head, its customer and its notes are this text.
fn log(text: &str) -> Vec<u8> {
    let mut log = csv::Writer::from_writer(Vec::new());
    log.write_record(["id", "at", "customer", "amount", text]).unwrap();
    for (id, time) in [("ch_1", "2026-03-02T10:00:00Z"), ("ch_2", "2026-03-02T10:00:40Z")] {
        let id = format!("{text}{id}");
        log.write_record([id.as_str(), time, &format!("{text}c"), "59.00", text]).unwrap();
    }
    log.into_inner().unwrap()
}

/// The text as the name of a file, where a system takes it.
fn file_name(text: &str) -> &str {
    let fits = !text.is_empty() && text.len() < 200 && !text.contains(['/', '\0']) && !matches!(text, "." | "..");
    if fits { text } else { "log.csv" }
}

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
