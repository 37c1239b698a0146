//! One suite for all report formats: same totals, nothing hostile gets through, no card number, no line too wide.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "formats/charts.rs"]
mod charts;
#[path = "support/hostile.rs"]
mod hostile;
#[path = "support/hostile_log.rs"]
mod hostile_log;
#[path = "formats/pictures.rs"]
mod pictures;
#[path = "formats/pseudonyms.rs"]
mod pseudonyms;
#[path = "support/reports.rs"]
mod reports;
#[path = "formats/scanned.rs"]
mod scanned;
#[path = "formats/servers.rs"]
mod servers;
#[path = "formats/tables.rs"]
mod tables;
#[path = "formats/workbook.rs"]
mod workbook;

use proptest::prelude::*;
use regex::Regex;
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use twicelog::domain::Language;
use twicelog::domain::explanation::{Explanation, Meaning};
use twicelog::domain::finding::{Finding, Role, Verdict};
use twicelog::domain::report::{Ledger, Report};
use twicelog::report::safe::is_hidden;
use twicelog::report::{Color, CsvFor, Mask, OutputFormat, Style, finding_card, schema, write};
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
        csv: CsvFor::Programs,
        explanations: vec![explanation("duplicate_effect", "Took effect twice"), explanation("client_retry", "Client retry")],
    }
}

fn bytes(format: OutputFormat, report: &Report, style: &Style) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(format, report, style, &mut bytes).expect("a Vec takes everything");
    bytes
}

/// The output as text: of a workbook that of all its parts.
fn written(format: OutputFormat, report: &Report, style: &Style) -> String {
    let bytes = bytes(format, report, style);
    match format {
        OutputFormat::Xlsx => workbook::parts(&bytes).into_values().collect::<Vec<_>>().join("\n"),
        _ => String::from_utf8(bytes).expect("reports are UTF-8"),
    }
}

/// The formats that hold text; what a picture says is tested where it is laid out.
fn formats_of_text() -> impl Iterator<Item = OutputFormat> {
    OutputFormat::ALL.into_iter().filter(|format| *format != OutputFormat::Png)
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

/// Every number that the page marks with its place in the JSON, with that place.
fn marked_numbers(page: &str) -> Vec<(String, String)> {
    let mark = Regex::new(r#"data-at="([^"]+)"[^>]*>(?:<b>)?([^<]*)<"#).unwrap();
    mark.captures_iter(page).map(|found| (found[1].to_owned(), found[2].to_owned())).collect()
}

/// A number as the reader's language writes it, as JSON would: no currency, no blanks, a point.
fn plain_number(text: &str) -> String {
    let number: String = text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | ',')).collect();
    number.replace(',', ".")
}

#[test]
fn numbers_of_the_page_are_those_of_the_json_in_every_language() {
    let report = reports::sample();
    let json = serde_json::to_value(&report).expect("JSON");
    for language in Language::ALL {
        let page = written(OutputFormat::Html, &report, &Style { language, ..style(80, Mask::On) });
        let marked = marked_numbers(&page);
        for (at, text) in &marked {
            let value = json.pointer(at).unwrap_or_else(|| panic!("{at} is no place of the result"));
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let same = *text == value || plain_number(text) == value;
            assert!(same, "{}: {at} is {value}, the page says {text:?}", language.code());
        }
        for expected in [
            "/result/ledger/used",
            "/result/totals/findings",
            "/result/totals/extra_effects",
            "/result/totals/possible_extra_effects",
            "/result/totals/exposure/0/net",
            "/result/totals/possible_exposure/0/net",
            "/result/sources/0/files/0/ledger/rejected",
            "/result/health/0/doubled",
        ] {
            assert!(marked.iter().any(|(at, _)| at == expected), "{}: {expected} is not on the page", language.code());
        }
    }
}

#[test]
fn people_read_the_same_totals_in_their_language() {
    let report = reports::sample();
    let russian = Style { language: Language::Russian, ..style(120, Mask::Off) };
    let expected = [
        "1 файл из 1 источника, 12 349 записей прочитано: использовано 12 345, пропущено 1, повторено 1, отвергнуто 2",
        "2 находки: 1 лишний эффект, 1 возможный",
        "59,00 EUR",
        "12,50 USD",
        "02.03.2026 10:40:12,123",
    ];
    for format in [OutputFormat::Terminal, OutputFormat::Html, OutputFormat::Markdown] {
        let output = written(format, &report, &russian).replace('\u{a0}', " ");
        for expected in expected {
            assert!(output.contains(expected), "{}: {expected:?} is missing in\n{output}", format.name());
        }
    }
    for format in [OutputFormat::Json, OutputFormat::Ndjson, OutputFormat::Csv] {
        assert_eq!(written(format, &report, &russian), written(format, &report, &style(120, Mask::Off)), "{}", format.name());
    }
    let markdown = written(OutputFormat::Markdown, &report, &style(80, Mask::Off)).replace('\u{a0}', " ");
    assert!(markdown.contains("**2 findings: 1 extra effect, 1 possible one**"), "{markdown}");
    assert!(markdown.contains("net exposure EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)"), "{markdown}");
}

#[test]
fn a_page_names_no_address_and_allows_nothing() {
    let page = written(OutputFormat::Html, &reports::sample(), &style(80, Mask::On));
    let policy = Regex::new(r#"<meta http-equiv="Content-Security-Policy" content="([^"]+)">"#).unwrap();
    let policy = &policy.captures(&page).expect("a policy")[1];
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
        let inline = Regex::new(&format!("(?s)<{element}>(.*?)</{element}>")).unwrap();
        let inline: Vec<String> = inline.captures_iter(&page).map(|found| found[1].to_owned()).collect();
        assert_eq!(inline.len(), 1, "one {element}");
        let hash: String = Sha256::digest(inline[0].as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let named = Regex::new(&format!("{directive} 'sha256-([^']+)'")).unwrap();
        assert_eq!(hex_of_base64(&named.captures(policy).expect("a hash")[1]), hash, "{element}");
    }
    assert!(!page.contains("://") && !page.contains("src=") && !page.contains("url("), "a page fetches nothing");
    assert!(!Regex::new(r"<[^>]+\son\w+=").unwrap().is_match(&page), "a handler in the markup");
    assert!(!Regex::new(r"<[^>]+\sstyle=").unwrap().is_match(&page), "a style in the markup, which the policy forbids");
}

fn hex_of_base64(text: &str) -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = text.chars().filter_map(|c| letters.find(c)).map(|value| format!("{value:06b}")).collect();
    let bytes = bits.len() / 8;
    (0..bytes).map(|at| format!("{:02x}", u8::from_str_radix(&bits[at * 8..at * 8 + 8], 2).unwrap())).collect()
}

/// Findings of which no two share an id, an actor, an order, an effect, an amount, a time or a source's file.
fn unlike(at: usize) -> Finding {
    let mut finding = reports::sample().result.findings[0].clone();
    finding.id = format!("TL-{at:012x}");
    let minute = |at: usize| format!("2026-03-{:02}T{:02}:{:02}:00Z", 1 + at / 1_440 % 28, at / 60 % 24, at % 60);
    let amount = format!("{}.{:02}", 10 + at * 37 % 90_000, at % 100);
    (finding.first, finding.last) = (minute(at), minute(at + 3));
    finding.exposure = vec![reports::exposure("EUR", &amount, "0.00", &amount)];
    finding.cause.why = format!("asked again after {} s, a usual timeout or back-off step", at % 600);
    for (place, record) in finding.records.iter_mut().enumerate() {
        record.time = minute(at + 3 * place);
        record.effect_id = Some(format!("ord_{at:08}_{place}"));
        record.file = format!("exports/shop-{:04}.csv", at % 977);
        record.lines = [2 * at as u64 + place as u64; 2];
        record.values.insert("actor".into(), format!("customer.{at}@example.org"));
        record.values.insert("amount".into(), amount.clone());
        record.values.insert("operation".into(), format!("create_order_{}", at % 1_500));
        record.values.insert("order".into(), format!("A-{at:08}"));
    }
    let actor = finding.records[0].values["actor"].clone();
    finding.fingerprint = BTreeMap::from([("actor".into(), Some(actor)), ("order".into(), Some(format!("a{at:08}")))]);
    finding
}

#[test]
fn a_page_holds_the_top_of_a_hundred_thousand_and_says_so() {
    let many = |count: usize| {
        let mut report = reports::report((0..count).map(unlike).collect());
        report.result.totals.exposure.truncate(1);
        report.result.incidents.clear();
        report
    };
    let style = style(80, Mask::Off);
    let thousand = written(OutputFormat::Html, &many(1_000), &style);
    assert!(thousand.len() <= 3_000_000, "{} bytes", thousand.len());
    assert!(thousand.contains("All 1\u{a0}000 findings are on this page"));
    let page = written(OutputFormat::Html, &many(100_000), &style);
    assert!(page.len() <= 3_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<details class=\"card\"").count(), 1_000);
    assert!(page.contains("The top 1\u{a0}000 of 100\u{a0}000 findings are on this page"));
    assert!(page.contains("<td>all others: 1\u{a0}300</td>"), "1 500 operations, and the largest 200 of them in the table");
}

/// Two requests under one key: the order is written in two ways that the rule holds to be one, the amounts are two.
#[test]
fn what_conflicts_is_not_told_as_equal() {
    let record = |role, time, id, amount, order| {
        let mut record =
            reports::record(role, time, id, &[("actor", "Anna"), ("amount", amount), ("currency", "EUR"), ("order", order)]);
        record.request_key = Some("key-1".into());
        record
    };
    let mut finding = reports::finding(
        "TL-0f3a00000003",
        Verdict::KeyConflict,
        reports::exposure("EUR", "0.00", "0.00", "0.00"),
        0,
        vec![
            record(Role::Original, "2026-03-02T10:40:12Z", Some("ord_1"), "59.00", "A-1042"),
            record(Role::Retry, "2026-03-02T10:40:14Z", None, "95.00", "a1042"),
        ],
    );
    let fingerprint = [("actor", "anna"), ("amount", "59"), ("order", "a1042")];
    finding.fingerprint = fingerprint.map(|(name, value)| (name.to_owned(), Some(value.to_owned()))).into();
    finding.alike = vec!["actor".into(), "order".into()];
    let report = reports::report(vec![finding]);
    let style = style(120, Mask::Off);
    let marks = |output: &str| -> Vec<(String, char)> {
        let mark = Regex::new(r"([=≈≠])(?:</?[a-z][^>]*>|[|\s])*(actor|amount|order)\b").unwrap();
        let found = mark.captures_iter(output).map(|found| (found[2].to_owned(), found[1].chars().next().unwrap()));
        found.collect::<BTreeSet<_>>().into_iter().collect()
    };
    let expected: Vec<(String, char)> =
        [("actor", '='), ("amount", '≠'), ("order", '≈')].map(|(name, mark)| (name.to_owned(), mark)).into();
    assert_eq!(marks(&written(OutputFormat::Html, &report, &style)), expected);
    // A terminal marks what is not equal.
    for output in [card(&report, &style), written(OutputFormat::Terminal, &report, &style)] {
        assert_eq!(marks(&output), expected[1..], "{output}");
    }
}

#[test]
fn a_result_of_before_alike_reads_back() {
    let mut json: serde_json::Value =
        serde_json::from_str(&written(OutputFormat::Json, &reports::sample(), &style(80, Mask::Off))).expect("JSON");
    json["result"]["findings"][0].as_object_mut().expect("a finding").remove("alike").expect("it is written");
    let report: Report = serde_json::from_value(json).expect("a report");
    assert!(report.result.findings[0].alike.is_empty());
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
    for format in [OutputFormat::Terminal, OutputFormat::Html, OutputFormat::Markdown] {
        assert!(written(format, &report, &style).contains("No record was read"), "{}", format.name());
    }

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

/// Names of the elements of a page, sorted, each once.
fn elements(page: &str) -> BTreeSet<String> {
    // As a browser reads it: a script and a style hold no elements.
    let inert = Regex::new("(?s)<(script|style)>.*?</(?:script|style)>").unwrap();
    let page = inert.replace_all(page, "<$1></$1>");
    page.split('<').skip(1).map(|after| after.split([' ', '>', '\n']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn hostile_strings_stay_text() {
    let strings = hostile::strings();
    assert!(strings.len() >= 300, "only {} different strings", strings.len());
    assert!(hostile::families().iter().all(|family| !family.why.is_empty()));
    let plain = elements(&written(OutputFormat::Html, &reports::full_of("plain"), &style(60, Mask::Off)));
    for (number, hostile) in strings.iter().enumerate() {
        let report = reports::full_of(hostile);
        // Masking only ever takes text away; a few strings show that it adds nothing.
        let masks = if number.is_multiple_of(5) { &[Mask::On, Mask::Off][..] } else { &[Mask::Off] };
        for format in formats_of_text() {
            for mask in masks.iter().copied() {
                let style = style(60, mask);
                let output = written(format, &report, &style);
                let line_ends = |c: char| c == '\n' || (format == OutputFormat::Csv && matches!(c, '\r' | '\t'));
                let hidden = output.chars().find(|c| is_hidden(*c) && !line_ends(*c));
                assert_eq!(hidden, None, "{} of {hostile:?}", format.name());
            }
        }
        let page = written(OutputFormat::Html, &report, &style(60, Mask::Off));
        assert_eq!(elements(&page), plain, "elements of {hostile:?}");
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
                    // Only the terminal has a width.
                    let formats = formats_of_text().filter(|format| width == 80 || *format == OutputFormat::Terminal);
                    let outputs = formats.map(|format| (format, written(format, &report, &style)));
                    for (format, output) in outputs.chain([(OutputFormat::Terminal, card(&report, &style))]) {
                        // Cells side by side are not one number.
                        let output = output.replace("  ", "|");
                        let output = if format == OutputFormat::Csv { output.replace('\n', "") } else { output };
                        // Escapes of separators hold digits of their own.
                        let output = output.replace("%2A", "*");
                        let escapes =
                            ["\\u{200b}", "\\u200b", "\\u{9}", "\\u{a}", "\\t", "\\n", "%20", "%C2%A0", "%E2%80%89", "%E2%80%8B"];
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
    for format in formats_of_text() {
        let output = written(format, &report, &style(160, Mask::On));
        // Markdown writes signs behind a backslash or as entities.
        let output = if format == OutputFormat::Markdown { output.replace("&#64;", "@").replace('\\', "") } else { output };
        assert!(!output.contains("anna@") && !output.contains("alex@"), "{output}");
        assert!(output.contains("a…@e….org #1") && output.contains("a…@e….org #2"), "{output}");
        // What servers show are the facts of a finding, not every value of its records.
        let shows_values = !matches!(format, OutputFormat::Sarif | OutputFormat::Junit);
        assert!(output.contains("ord_2") && (!shows_values || output.contains("A-1042")), "{output}");
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
    let one = reports::sample().result.findings[0].clone();
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
