//! One suite for all report formats: same totals, nothing hostile gets through, no card number, no line too wide.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "support/hostile.rs"]
mod hostile;
#[path = "support/reports.rs"]
mod reports;

use proptest::prelude::*;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use twicelog::domain::Language;
use twicelog::domain::explanation::{Explanation, Meaning};
use twicelog::domain::finding::{Role, Verdict};
use twicelog::domain::report::{Ledger, Report};
use twicelog::report::safe::is_hidden;
use twicelog::report::{Color, Mask, OutputFormat, Style, finding_card, schema, write};
use unicode_width::UnicodeWidthStr;

fn style(width: usize, mask: Mask) -> Style {
    let explanation = |code, title| {
        let english = Meaning {
            title,
            looks_for: "two effects",
            needs: "effect ids",
            looks_alike: "an intended repeat",
            what_to_do: "refund the second one",
        };
        Explanation { code, english, russian: english }
    };
    Style {
        width,
        color: Color::Off,
        mask,
        language: Language::English,
        explanations: vec![explanation("duplicate_effect", "Took effect twice"), explanation("client_retry", "Client retry")],
    }
}

fn written(format: OutputFormat, report: &Report, style: &Style) -> String {
    let mut bytes = Vec::new();
    write(format, report, style, &mut bytes).expect("a Vec takes everything");
    String::from_utf8(bytes).expect("reports are UTF-8")
}

fn text(report: &Report, width: usize) -> String {
    written(OutputFormat::Terminal, report, &style(width, Mask::Off))
}

fn card(report: &Report, style: &Style) -> String {
    let mut bytes = Vec::new();
    for finding in &report.result.findings {
        finding_card(finding, style, &mut bytes).expect("a Vec takes everything");
    }
    String::from_utf8(bytes).expect("cards are UTF-8")
}

fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(|row| row.expect("every row has all columns")).collect()
}

fn sum(rows: &[BTreeMap<String, String>], column: &str) -> Decimal {
    rows.iter()
        .map(|row| row[column].as_str())
        .filter(|cell| !cell.is_empty())
        .map(|cell| cell.parse::<Decimal>().expect("a number"))
        .sum()
}

#[test]
fn every_format_has_its_name() {
    for format in OutputFormat::ALL {
        assert_eq!(OutputFormat::parse(format.name()), Some(format));
    }
    assert_eq!(OutputFormat::parse("yaml"), None);
}

#[test]
fn totals_are_the_same_everywhere() {
    let report = reports::sample();
    let style = style(80, Mask::Off);
    let json: Report = serde_json::from_str(&written(OutputFormat::Json, &report, &style)).expect("a report");
    assert_eq!(json, report);

    let lines = written(OutputFormat::Ndjson, &report, &style);
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["type"], "summary");
    assert_eq!(lines[0]["totals"], serde_json::to_value(&report.result.totals).expect("JSON"));
    assert_eq!(lines[0]["ledger"]["read"], 12_349);
    assert_eq!(lines.len(), 3);
    for (line, finding) in lines.iter().skip(1).zip(&report.result.findings) {
        let mut expected = serde_json::to_value(finding).expect("JSON");
        expected["type"] = "finding".into();
        assert_eq!(*line, expected);
    }

    let rows = rows(&written(OutputFormat::Csv, &report, &style));
    assert_eq!(rows.len(), 5);
    assert_eq!(sum(&rows, "extra_effects"), Decimal::from(1));
    assert_eq!(sum(&rows, "possible_extra_effects"), Decimal::from(1));
    assert_eq!(sum(&rows, "net_EUR").to_string(), "59.00");
    assert_eq!(sum(&rows, "net_USD").to_string(), "12.50");

    let text = text(&report, 120).replace('\u{a0}', " ");
    for expected in [
        "1 file of 1 source, 12 349 records read: 12 345 used, 1 ignored, 1 repeated, 2 rejected",
        "2 findings: 1 extra effect, 1 possible one",
        "net exposure EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)",
        "USD 12.50 more at stake, not proven",
        "2 × unreadable time",
        "+3 min 2 s",
        "1 incident (several findings about one business id)",
        "+2 d",
        "≠ effect id",
        "twicelog explain TL-0f3a00000001",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
}

#[test]
fn nothing_is_said_of_what_is_unknown() {
    let report = reports::sample();
    let style = style(100, Mask::Off);
    let json: serde_json::Value = serde_json::from_str(&written(OutputFormat::Json, &report, &style)).expect("JSON");
    assert!(json["result"]["findings"][0]["records"][0]["request_key"].is_null());
    assert!(json["result"]["findings"][0]["fingerprint"]["order"].is_null());
    let rows = rows(&written(OutputFormat::Csv, &report, &style));
    assert_eq!(rows[0]["request_key"], "");
    assert_eq!(rows[0]["net_USD"], "");
    assert_eq!(rows[3]["effect_id"], "");
}

#[test]
fn an_empty_report_has_headers_and_explains_its_zero() {
    let report = reports::empty();
    let style = style(80, Mask::Off);
    let csv = written(OutputFormat::Csv, &report, &style);
    assert!(csv.starts_with("finding,rule,verdict,"), "{csv}");
    assert_eq!(csv.lines().count(), 1);
    assert_eq!(written(OutputFormat::Ndjson, &report, &style).lines().count(), 1);
    assert!(text(&report, 80).contains("No record was read"));

    let mut rejected = report.clone();
    rejected.result.ledger = Ledger { read: 7, rejected: 7, ..Ledger::default() };
    assert!(text(&rejected, 80).contains("No record could be used"));
    assert!(text(&rejected, 120).contains("7 records read: 0 used, 0 ignored, 0 repeated, 7 rejected"));

    let mut quiet = report;
    quiet.result.ledger = Ledger { read: 7, used: 7, ..Ledger::default() };
    assert!(text(&quiet, 80).contains("among 7 used records"));
}

#[test]
fn a_report_fits_its_schema() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let json = written(OutputFormat::Json, &reports::sample(), &style(80, Mask::On));
    let mut json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(validator.is_valid(&json));
    json["result"]["findings"][0]["verdict"] = "guess".into();
    assert!(!validator.is_valid(&json));
}

#[test]
fn hostile_strings_stay_text() {
    let strings = hostile::strings();
    assert!(strings.len() >= 100);
    for hostile in &strings {
        let report = reports::full_of(hostile);
        for format in OutputFormat::ALL {
            for mask in [Mask::On, Mask::Off] {
                let style = style(60, mask);
                let output = written(format, &report, &style);
                let line_ends = |c: char| c == '\n' || (format == OutputFormat::Csv && matches!(c, '\r' | '\t'));
                let hidden = output.chars().find(|c| is_hidden(*c) && !line_ends(*c));
                assert_eq!(hidden, None, "{} of {hostile:?}", format.name());
            }
        }
        let output = card(&report, &style(60, Mask::Off));
        assert!(!output.chars().any(|c| is_hidden(c) && c != '\n'), "card of {hostile:?}");

        let json: Report = serde_json::from_str(&written(OutputFormat::Json, &report, &style(60, Mask::Off))).expect("a report");
        assert_eq!(json, report, "JSON of {hostile:?} reads back");
        let rows = rows(&written(OutputFormat::Csv, &report, &style(60, Mask::Off)));
        assert_eq!(rows.len(), 5);
        for (column, cell) in rows.iter().flatten().filter(|(_, cell)| cell.parse::<Decimal>().is_err()) {
            let start = cell.trim_start_matches([' ', '\u{a0}', '"']);
            assert!(!start.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']), "{column}: {cell:?}");
        }
    }
}

#[test]
fn amounts_stay_numbers_in_csv() {
    let csv = written(OutputFormat::Csv, &reports::sample(), &style(80, Mask::Off));
    assert!(csv.contains(",-12.50,USD,"), "{csv}");
}

#[test]
fn no_card_number_in_any_format() {
    let brands = [
        "4000056655665556",
        "5200828282828210",
        "2223003122003222",
        "378282246310005",
        "6011111111111117",
        "3056930009020004",
        "30569309025904",
        "3566002020360505",
        "6200000000000005",
        "6759649826438453",
        "2201382000000013",
    ];
    for number in brands {
        for separator in ["", " ", "-", ".", "/", "\u{a0}", "\u{2009}", "\t", "\n", "\u{200b}"] {
            let groups: Vec<&str> = match number.len() {
                15 => vec![&number[..4], &number[4..10], &number[10..]],
                14 => vec![&number[..4], &number[4..10], &number[10..]],
                _ => vec![&number[..4], &number[4..8], &number[8..12], &number[12..]],
            };
            let report = reports::full_of(&format!("pays with {} now", groups.join(separator)));
            for mask in [Mask::On, Mask::Off] {
                for width in [20, 80] {
                    let style = style(width, mask);
                    let outputs = OutputFormat::ALL.map(|format| (format, written(format, &report, &style)));
                    for (format, output) in outputs.into_iter().chain([(OutputFormat::Terminal, card(&report, &style))]) {
                        // Cells side by side are not one number.
                        let output = output.replace("  ", "|");
                        let output = if format == OutputFormat::Csv { output.replace('\n', "") } else { output };
                        // Escapes of separators hold digits of their own.
                        let escapes = ["\\u{200b}", "\\u200b", "\\u{9}", "\\u{a}", "\\t", "\\n"];
                        let output = escapes.into_iter().fold(output, |output, escape| output.replace(escape, ""));
                        let digits: String =
                            output.chars().filter(|c| *c == '\n' || !c.is_whitespace() && !"-./".contains(*c)).collect();
                        assert!(!digits.contains(number), "{number} with {separator:?}");
                        assert!(!digits.contains(&number[..7]), "{number} with {separator:?}: more than the first six");
                        assert!(
                            !digits.contains(&number[number.len() - 5..]),
                            "{number} with {separator:?}: more than the last four"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn people_are_masked_and_stay_apart() {
    let mut report = reports::sample();
    report.result.findings[0].records[1].values.insert("actor".into(), "alex@example.org".into());
    report.result.findings[0].cause.why = "anna@example.org and alex@example.org".into();
    for format in OutputFormat::ALL {
        let output = written(format, &report, &style(160, Mask::On));
        assert!(!output.contains("anna@") && !output.contains("alex@"), "{output}");
        assert!(output.contains("a…@e….org #1") && output.contains("a…@e….org #2"), "{output}");
        assert!(output.contains("A-1042") && output.contains("ord_2"), "{output}");
    }
    assert!(text(&report, 160).contains("anna@example.org"));
}

#[test]
fn colour_only_when_asked_and_never_from_data() {
    let report = reports::sample();
    let colored = Style { color: Color::On, ..style(80, Mask::Off) };
    let output = written(OutputFormat::Terminal, &report, &colored);
    assert!(output.contains("\u{1b}[1m"));
    let mut plain = output.clone();
    for sgr in ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[1;31m"] {
        plain = plain.replace(sgr, "");
    }
    assert_eq!(plain, text(&report, 80));
}

#[test]
fn a_long_list_says_how_much_is_shown() {
    let one = reports::sample().result.findings.remove(0);
    let mut report = reports::report(vec![one.clone(); 214]);
    report.result.totals.exposure.truncate(1);
    assert!(text(&report, 80).contains("Findings (10 of 214 shown)"));

    let mut crowded = one;
    let repeat = reports::record(Role::Repeat, "2026-03-02T10:50:00Z", Some("ord_9"), &[]);
    crowded.records.extend(std::iter::repeat_n(repeat, 20));
    crowded.verdict = Verdict::DuplicateEffect;
    let report = reports::report(vec![crowded]);
    assert!(text(&report, 80).contains("18 further records: twicelog explain TL-0f3a00000001"));
    assert!(card(&report, &style(80, Mask::Off)).contains("22 repeat"));
}

/// What proptest puts together: any characters, and those that break layouts more often than chance would bring them.
fn any_text() -> impl Strategy<Value = String> {
    let nasty = prop::sample::select(hostile::strings().into_iter().filter(|text| text.len() < 200).collect::<Vec<_>>());
    let pieces = prop_oneof![any::<String>(), "[а-яёЁ 漢字👍🏽🇩e\u{301}لا\u{1100}\u{1161}\u{11a8}]{0,60}", nasty];
    prop::collection::vec(pieces, 0..4).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_too_wide(width in 0_usize..=210, text in any_text()) {
        let report = reports::full_of(&text);
        let style = style(width, Mask::Off);
        for output in [written(OutputFormat::Terminal, &report, &style), card(&report, &style)] {
            for line in output.lines() {
                prop_assert!(UnicodeWidthStr::width(line) <= width.clamp(20, 200), "{line:?}");
                prop_assert!(!line.chars().any(is_hidden), "{line:?}");
            }
        }
    }
}
