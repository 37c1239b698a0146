//! Who goes by which name: one name in all outputs of a report, and with a key in all reports that are made with it.

use crate::{formats_of_text, reports, style, workbook, written};
use regex::Regex;
use std::collections::BTreeSet;
use twicelog::domain::report::Report;
use twicelog::report::{Color, Mask, OutputFormat, PseudonymKey, Telling};

const ANNA: &str = "anna@example.org";

fn key(secret: &str) -> PseudonymKey {
    PseudonymKey::of(secret.as_bytes()).expect("a key")
}

fn told(telling: &Telling<'_>, format: OutputFormat) -> String {
    let mut bytes = Vec::new();
    telling.write(format, &style(200, Mask::On), &mut bytes).expect("a Vec takes everything");
    match format {
        OutputFormat::Xlsx => workbook::parts(&bytes).into_values().collect::<Vec<_>>().join("\n"),
        _ => String::from_utf8(bytes).expect("UTF-8"),
    }
}

/// What stands for the actor of the first finding.
fn name_of_actor(json: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let actor = json["result"]["findings"][0]["records"][0]["values"]["actor"].as_str().expect("an actor");
    actor.rsplit_once('#').expect("a name").1.to_owned()
}

/// The sample with another person, and a rejected record that names anna, before it.
fn later_report() -> Report {
    let mut report = reports::sample();
    let mut other = report.result.findings[0].clone();
    other.id = "TL-0f3a00000009".into();
    for record in &mut other.records {
        record.values.insert("actor".into(), "boris@example.org".into());
    }
    other.fingerprint.insert("actor".into(), Some("boris@example.org".into()));
    report.result.findings = std::iter::once(other).chain(report.result.findings.iter().cloned()).collect();
    report.result.findings[1].fingerprint.insert("actor".into(), Some("Anna@Example.org".into()));
    report
}

#[test]
fn with_a_key_one_person_has_one_pseudonym_in_every_format_and_report() {
    let (first, later) = (reports::sample(), later_report());
    let key = key("0f1e2d3c4b5a69788796a5b4c3d2e1f0");
    let telling = Telling::of(&first, Some(key.clone()));
    let anna = name_of_actor(&told(&telling, OutputFormat::Json));
    assert!(Regex::new("^[0-9a-hjkmnp-tv-z]{10}$").unwrap().is_match(&anna), "{anna}");
    let later = Telling::of(&later, Some(key.clone()));
    for format in formats_of_text() {
        for (which, telling) in [("first", &telling), ("later", &later)] {
            let output = told(telling, format);
            assert!(output.contains(&anna), "{}, {which} report", format.name());
            assert!(!output.contains(ANNA) && !output.contains("boris@"), "{}, {which} report", format.name());
        }
    }
    let page = told(&later, OutputFormat::Html);
    assert!(page.contains(&format!("the same in every report with key {}.", key.id())), "the page says which key");
    assert_ne!(name_of_actor(&told(&later, OutputFormat::Json)), anna, "another person has another one");
}

#[test]
fn another_key_gives_other_names_and_the_same_findings() {
    let report = reports::sample();
    let of = |secret| told(&Telling::of(&report, Some(key(secret))), OutputFormat::Json);
    let (one, other) = (of("0f1e2d3c4b5a69788796a5b4c3d2e1f0"), of("another secret of thirty-two bytes"));
    assert_ne!(name_of_actor(&one), name_of_actor(&other));
    let names = Regex::new("#[0-9a-hjkmnp-tv-z]{10}").unwrap();
    assert_eq!(names.replace_all(&one, "#"), names.replace_all(&other, "#"), "nothing else differs: no id, no count, no sum");
}

#[test]
fn without_a_key_one_person_has_one_number_in_every_format() {
    let mut report = later_report();
    // The terminal tells this first, and every other format last.
    report.result.sources[0].files[0].rejects[0].example = "shop-1.csv:9: unreadable time \"late\" of clara@example.org".into();
    let telling = Telling::of(&report, None);
    let number = name_of_actor(&told(&telling, OutputFormat::Json));
    assert_eq!(number, "1");
    let markdown = told(&telling, OutputFormat::Markdown);
    assert!(markdown.contains("b…&#64;e….org \\#1"), "{markdown}");
    for format in [OutputFormat::Terminal, OutputFormat::Html, OutputFormat::Xlsx, OutputFormat::Junit, OutputFormat::Csv] {
        let output = told(&telling, format);
        assert!(output.contains("b…@e….org #1") && output.contains("a…@e….org #2"), "{}: {output}", format.name());
    }
    for format in [OutputFormat::Terminal, OutputFormat::Html, OutputFormat::Xlsx] {
        assert!(told(&telling, format).contains("c…@e….org #3"), "{}", format.name());
    }
    assert_eq!(
        written(OutputFormat::Html, &report, &style(200, Mask::On)),
        told(&telling, OutputFormat::Html),
        "alone or among others"
    );
}

#[test]
fn a_card_of_a_finding_names_people_as_the_page_does() {
    let report = later_report();
    let telling = Telling::of(&report, None);
    let mut card = Vec::new();
    telling.finding_card(&report.result.findings[1], &style(200, Mask::On), &mut card).expect("a Vec takes everything");
    let card = String::from_utf8(card).expect("UTF-8");
    assert!(card.contains("a…@e….org #2") && !card.contains("#1"), "{card}");
}

#[test]
fn an_operation_that_holds_an_address_is_masked_wherever_it_is_named() {
    let mut report = reports::sample();
    let operation = "POST /people/anna@example.org";
    for finding in &mut report.result.findings {
        finding.records.iter_mut().for_each(|record| drop(record.values.insert("operation".into(), operation.into())));
    }
    report.result.health[0].operation = operation.into();
    for format in formats_of_text() {
        let output = told(&Telling::of(&report, None), format);
        assert!(!output.contains("anna@") && !output.contains("anna&#64;"), "{}", format.name());
    }
    let colored = twicelog::report::Style { color: Color::On, ..style(80, Mask::On) };
    assert!(!written(OutputFormat::Terminal, &report, &colored).contains("anna@"));
}

#[test]
fn many_people_keep_their_numbers_in_order() {
    let findings: Vec<_> = (0..3_000).map(crate::unlike).collect();
    let report = reports::report(findings);
    let json: Report = serde_json::from_str(&told(&Telling::of(&report, None), OutputFormat::Json)).expect("a report");
    let names: Vec<usize> = json
        .result
        .findings
        .iter()
        .map(|finding| finding.records[0].values["actor"].rsplit_once('#').expect("a number").1.parse().expect("a number"))
        .collect();
    assert!(names.is_sorted(), "whichever thread meets them first");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 3_000);
}

/// Ids are what must be looked up; an address, a phone or an account number is masked there as everywhere.
#[test]
fn what_is_personal_in_an_id_or_a_place_is_masked() {
    let mut report = reports::sample();
    let file = "anna@example.org/pay.csv";
    let [id, key] = ["DE89370400440532013000", "+79165557731"];
    for record in report.result.findings.iter_mut().flat_map(|finding| &mut finding.records) {
        record.effect_id = Some(id.into());
        record.request_key = Some(key.into());
        record.file = file.into();
    }
    for summary in report.result.sources.iter_mut().flat_map(|source| &mut source.files) {
        summary.file = file.into();
        summary.fault = Some(format!("{file}: cannot be read"));
    }
    report.run.inputs.iter_mut().for_each(|input| input.file = file.into());
    for format in formats_of_text().chain([OutputFormat::Xlsx]) {
        let output = told(&Telling::of(&report, None), format).replace('\\', "");
        for personal in [id, key, "anna@", "anna&#64;", "anna%40"] {
            assert!(!output.contains(personal), "{}: {personal}", format.name());
        }
    }
    let mut card = Vec::new();
    Telling::of(&report, None).finding_card(&report.result.findings[0], &style(200, Mask::On), &mut card).expect("written");
    let card = String::from_utf8(card).expect("UTF-8");
    assert!(!card.contains(id) && !card.contains(key) && !card.contains("anna@"), "{card}");
    let revealed = written(OutputFormat::Json, &report, &style(200, Mask::Off));
    assert!(revealed.contains(id) && revealed.contains(key) && revealed.contains(file));
}

/// With numbers and with a key: `--mask --output json`, then `report`.
#[test]
fn a_masked_result_is_told_again_as_it_is() {
    let report = later_report();
    let keys = [None, Some(key("0f1e2d3c4b5a69788796a5b4c3d2e1f0"))];
    for first in &keys {
        let masked = told(&Telling::of(&report, first.clone()), OutputFormat::Json);
        let again: Report = serde_json::from_str(&masked).expect("a report");
        for second in &keys {
            assert_eq!(told(&Telling::of(&again, second.clone()), OutputFormat::Json), masked);
        }
    }
}
