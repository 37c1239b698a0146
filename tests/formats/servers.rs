//! What servers show: SARIF and JUnit hold the same findings, say when a run was not complete, and are never broken by a log.

use crate::{hostile, reports, style, written};
use quick_xml::events::Event;
use serde_json::Value;
use twicelog::domain::Language;
use twicelog::domain::finding::{Severity, Verdict};
use twicelog::domain::report::Report;
use twicelog::report::{Mask, OutputFormat, Style};

fn sarif(report: &Report) -> Value {
    serde_json::from_str(&written(OutputFormat::Sarif, report, &style(80, Mask::Off))).expect("JSON")
}

/// Names of the elements of a document in their order, with their attributes. Fails where it is not well formed, or holds what XML
/// forbids.
pub fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
    assert_eq!(xml.chars().find(|c| !allowed(*c)), None, "XML 1.0 forbids it");
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut elements = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}:\n{xml}")) {
            Event::Eof => return elements,
            Event::Start(element) | Event::Empty(element) => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.expect("an attribute");
                    let value = quick_xml::escape::unescape(&attribute.value).expect("known entities").into_owned();
                    (attribute.key.as_ref().to_owned(), value)
                });
                elements.push((element.name().as_ref().to_owned(), attributes.collect()));
            }
            _ => {}
        }
    }
}

fn junit(report: &Report) -> Vec<(String, Vec<(String, String)>)> {
    elements(&written(OutputFormat::Junit, report, &style(80, Mask::Off)))
}

fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> &'a str {
    attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// The schema written for these tests, and the one of OASIS where `SARIF_SCHEMA` says that it lies there, as `.ci/run` does.
#[allow(clippy::disallowed_methods, reason = "CI says where the schema lies")]
fn schemas_of_sarif() -> Vec<jsonschema::Validator> {
    let official = std::env::var_os("SARIF_SCHEMA");
    assert!(official.is_some() || std::env::var_os("CI").is_none(), "in CI the schema of OASIS must be at hand");
    let official = official.map(|path| std::fs::read_to_string(path).expect("the schema of OASIS"));
    // As published, the pattern of a language closes a bracket that it has not opened, which is no regular expression of ECMA 262.
    let official = official.map(|schema| schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$"));
    [include_str!("../support/sarif.json").to_owned()]
        .into_iter()
        .chain(official)
        .map(|schema| {
            let schema: Value = serde_json::from_str(&schema).expect("JSON");
            jsonschema::validator_for(&schema).expect("a schema")
        })
        .collect()
}

#[test]
fn a_sarif_log_fits_the_specification() {
    let validators = schemas_of_sarif();
    let mut faulty = reports::sample();
    faulty.result.sources[0].files[0].fault = Some("shop-1.csv: ends in the middle of a record".into());
    let mut unread = reports::sample();
    unread.result.findings[0].records[0].lines = [0, 0];
    for report in [reports::sample(), reports::empty(), faulty, unread] {
        let log = sarif(&report);
        for validator in &validators {
            let errors: Vec<String> =
                validator.iter_errors(&log).map(|error| format!("{error} at {}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
    }
    let mut broken = sarif(&reports::sample());
    broken["runs"][0]["results"][0]["level"] = "loud".into();
    assert!(validators.iter().all(|validator| !validator.is_valid(&broken)), "a schema that takes everything shows nothing");
    for text in hostile::strings() {
        let mut report = reports::full_of(&text);
        // A configuration has no two rules of one id.
        report.result.rules.truncate(1);
        let log = sarif(&report);
        assert!(validators.iter().all(|validator| validator.is_valid(&log)), "{text:?}: {log:#}");
    }
}

#[test]
fn a_sarif_log_holds_the_findings() {
    let report = reports::sample();
    let log = sarif(&report);
    let run = &log["runs"][0];
    let rules: Vec<&str> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(rules, ["double-order", "never-broken"]);
    assert_eq!(run["properties"]["totals"], serde_json::to_value(&report.result.totals).unwrap());
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), report.result.findings.len());
    for (result, finding) in results.iter().zip(&report.result.findings) {
        assert_eq!(result["partialFingerprints"]["twicelogFinding/v1"], finding.id);
        assert_eq!(result["ruleIndex"], 0);
        assert_eq!((&result["kind"], &result["level"]), (&"fail".into(), &"error".into()));
        assert_eq!(result["relatedLocations"].as_array().unwrap().len(), finding.records.len());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"shop-1.csv".into(), &4.into()));
    }
    assert!(results[0]["message"]["text"].as_str().unwrap().contains("net EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)"));
}

#[test]
fn severity_is_a_level_and_what_is_no_finding_passed() {
    let mut report = reports::sample();
    let levels = [
        (Severity::Critical, "error"),
        (Severity::High, "error"),
        (Severity::Medium, "warning"),
        (Severity::Low, "note"),
        (Severity::Info, "note"),
    ];
    for (severity, level) in levels {
        report.result.findings[0].severity = severity;
        assert_eq!(sarif(&report)["runs"][0]["results"][0]["level"], level);
    }
    report.result.findings[0].verdict = Verdict::SafeReplay;
    let result = &sarif(&report)["runs"][0]["results"][0];
    assert_eq!((&result["kind"], &result["level"]), (&"pass".into(), &"none".into()));
    assert_eq!(attribute(&junit(&report)[0].1, "failures"), "1");
}

#[test]
fn links_and_placeholders_of_a_log_are_text_in_sarif() {
    let text = "[x](javascript:alert(1)) {0} \\";
    let log = sarif(&reports::full_of(text));
    let message = log["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
    assert!(message.contains(r"\[x\](javascript:alert(1)) {{0}} \\") && !message.contains(text), "{message}");
}

#[test]
fn a_junit_document_counts_as_the_report_does() {
    let elements = junit(&reports::sample());
    let of =
        |wanted: &str| elements.iter().filter(|(name, _)| name == wanted).map(|(_, attributes)| attributes).collect::<Vec<_>>();
    let all = of("testsuites")[0];
    assert_eq!([attribute(all, "tests"), attribute(all, "failures"), attribute(all, "errors")], ["5", "2", "0"]);
    let suites: Vec<(&str, &str, &str)> = of("testsuite")
        .iter()
        .map(|suite| (attribute(suite, "name"), attribute(suite, "tests"), attribute(suite, "failures")))
        .collect();
    assert_eq!(suites, [("twicelog.inputs", "2", "0"), ("double-order", "2", "2"), ("never-broken", "1", "0")]);
    assert_eq!((of("testcase").len(), of("failure").len(), of("error").len()), (5, 2, 0));
    assert!(attribute(of("failure")[0], "message").contains("net EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)"));
    let case = of("testcase")[2];
    assert_eq!(attribute(case, "name"), "TL-0f3a00000001 duplicate_effect");
    assert_eq!((attribute(case, "file"), attribute(case, "line")), ("shop-1.csv", "4"));
}

#[test]
fn a_run_that_was_not_complete_is_no_success() {
    let mut report = reports::empty();
    assert_eq!(attribute(&junit(&report)[0].1, "errors"), "0");
    report.result.ledger.read = 1;
    assert_eq!(attribute(&junit(&report)[0].1, "errors"), "1");
    assert_eq!(sarif(&report)["runs"][0]["invocations"][0]["executionSuccessful"], false);

    let mut report = reports::sample();
    report.result.sources[0].files[0].fault = Some("shop-1.csv: ends in the middle of a record".into());
    assert_eq!(attribute(&junit(&report)[0].1, "errors"), "1");
    let invocation = &sarif(&report)["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
}

#[test]
fn servers_speak_the_readers_language() {
    let russian = Style { language: Language::Russian, ..style(80, Mask::Off) };
    for (format, said) in [(OutputFormat::Sarif, "\"language\": \"ru\""), (OutputFormat::Junit, "12 349 записей прочитано")]
    {
        let output = written(format, &reports::sample(), &russian).replace('\u{a0}', " ");
        assert!(output.contains(said) && output.contains("59,00 EUR"), "{output}");
    }
}

#[test]
fn a_result_without_its_rules_is_told_by_those_of_its_findings() {
    let mut json = serde_json::to_value(reports::sample()).expect("JSON");
    json["result"].as_object_mut().unwrap().remove("rules");
    let report: Report = serde_json::from_value(json).expect("an older result");
    let rules = sarif(&report)["runs"][0]["tool"]["driver"]["rules"].clone();
    assert_eq!(rules, serde_json::json!([{ "id": "double-order" }]));
    assert_eq!(attribute(&junit(&report)[0].1, "tests"), "4");
}

#[test]
fn no_xml_breaks_and_no_text_becomes_an_element() {
    let names = |report: &Report, format| {
        let output = written(format, report, &style(80, Mask::Off));
        let parts: Vec<String> = match format {
            OutputFormat::Xlsx => output.split("<?xml").skip(1).map(|part| format!("<?xml{part}")).collect(),
            _ => vec![output],
        };
        let mut names: Vec<String> = parts.iter().flat_map(|part| elements(part)).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        names
    };
    for format in [OutputFormat::Junit, OutputFormat::Xlsx] {
        let plain = names(&reports::full_of("plain"), format);
        for text in hostile::strings() {
            assert_eq!(names(&reports::full_of(&text), format), plain, "{} of {text:?}", format.name());
        }
    }
}
