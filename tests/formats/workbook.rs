//! The workbook: the same totals, text that stays text, numbers that stay numbers, and what it cannot hold is said.

use crate::{bytes, hostile, reports, style};
use calamine::{Data, Reader, Xlsx};
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use twicelog::domain::Language;
use twicelog::domain::report::Report;
use twicelog::report::{Mask, OutputFormat, Style, safe};

/// Every part of the workbook by its name.
pub fn parts(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let names: Vec<String> = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    let part = |name: String| {
        let mut text = String::new();
        archive.by_name(&name).expect("a part").read_to_string(&mut text).expect("UTF-8");
        (name, text)
    };
    names.into_iter().map(part).collect()
}

fn workbook(report: &Report, style: &Style) -> Vec<u8> {
    bytes(OutputFormat::Xlsx, report, style)
}

/// Names of the sheets and their cells, as another program reads them.
fn sheets(bytes: &[u8]) -> Vec<(String, Vec<Vec<Data>>)> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).expect("a workbook");
    let sheets = book.worksheets();
    sheets.into_iter().map(|(name, range)| (name, range.rows().map(<[Data]>::to_vec).collect())).collect()
}

/// Cells below a head.
fn column<'a>(rows: &'a [Vec<Data>], head: &str) -> Vec<&'a Data> {
    let at = rows[0].iter().position(|cell| *cell == Data::String(head.into()));
    let at = at.unwrap_or_else(|| panic!("no column {head:?} in {:?}", rows[0]));
    rows[1..].iter().map(|row| &row[at]).collect()
}

fn sum(cells: &[&Data]) -> Decimal {
    let number = |cell: &&Data| match cell {
        Data::Float(number) => number.to_string().parse::<Decimal>().expect("a number"),
        Data::Int(number) => Decimal::from(*number),
        Data::Empty => Decimal::ZERO,
        other => panic!("{other:?} is no number"),
    };
    cells.iter().map(number).sum()
}

/// The row that begins with this text.
fn row<'a>(rows: &'a [Vec<Data>], start: &str) -> &'a [Data] {
    rows.iter().find(|row| row[0] == Data::String(start.into())).unwrap_or_else(|| panic!("no row {start:?} in {rows:#?}"))
}

#[test]
fn totals_are_those_of_the_report_in_every_language() {
    let report = reports::sample();
    let names = [
        (Language::English, ["Findings", "Records", "Totals"], ["net EUR", "net USD", "extra effects", "possible extra effects"]),
        (
            Language::Russian,
            ["Находки", "Записи", "Итоги"],
            ["к возврату EUR", "к возврату USD", "лишних эффектов", "возможных лишних эффектов"],
        ),
    ];
    for (language, sheet_names, [eur, usd, extra, possible]) in names {
        let sheets = sheets(&workbook(&report, &Style { language, ..style(80, Mask::Off) }));
        assert_eq!(sheets.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), sheet_names);
        let [(_, findings), (_, records), (_, totals)] = sheets.as_slice() else { panic!("three sheets") };
        assert_eq!((findings.len(), records.len()), (1 + 2, 1 + 5));
        assert_eq!(sum(&column(findings, eur)), "59".parse().unwrap());
        assert_eq!(sum(&column(findings, usd)), "12.5".parse().unwrap());
        assert_eq!(sum(&column(findings, extra)), Decimal::ONE);
        assert_eq!(sum(&column(findings, possible)), Decimal::ONE);
        assert_eq!(row(totals, sheet_names[0])[1], Data::Float(2.0));
        assert_eq!(row(totals, extra)[1], Data::Float(1.0));
        assert_eq!(row(totals, "EUR")[1..4], [Data::Float(70.0), Data::Float(11.0), Data::Float(59.0)]);
        assert_eq!(row(totals, "USD")[3], Data::Float(12.5));
        assert_eq!(row(totals, "shop")[3..8], [12_349.0, 12_345.0, 1.0, 1.0, 2.0].map(Data::Float));
        assert_eq!(row(totals, "create_order")[1], Data::Float(12_000.0));
    }
}

#[test]
fn ids_are_text_and_amounts_are_numbers() {
    let mut report = reports::sample();
    let record = &mut report.result.findings[0].records[0];
    record.effect_id = Some("12345678901234567890".into());
    record.request_key = Some("0042".into());
    record.values.insert("amount".into(), "123456789012345.67".into());
    record.values.insert("order".into(), "3/4".into());
    let sheets = sheets(&workbook(&report, &style(80, Mask::Off)));
    let (_, records) = &sheets[1];
    assert_eq!(column(records, "effect id")[0], &Data::String("12345678901234567890".into()));
    assert_eq!(column(records, "request key")[0], &Data::String("0042".into()));
    assert_eq!(column(records, "order")[0], &Data::String("3/4".into()));
    let amounts = column(records, "amount");
    assert_eq!(amounts[0], &Data::String("123456789012345.67".into()), "a spreadsheet would round it");
    assert_eq!(amounts[2], &Data::Float(-12.5));
    assert_eq!(column(records, "time (UTC)")[0], &Data::String("2026-03-02T10:40:12.123Z".into()));
    assert_eq!(column(records, "request key")[1], &Data::Empty, "unknown stays empty");
}

#[test]
fn it_holds_no_formula_and_no_link_and_can_be_filtered() {
    let parts = parts(&workbook(&reports::full_of("=1+1 https://attacker.example"), &style(80, Mask::Off)));
    for (name, part) in &parts {
        assert!(!part.contains("<f>") && !part.contains("<f ") && !part.contains("<hyperlink"), "{name}");
    }
    for sheet in 1..=2 {
        let part = &parts[&format!("xl/worksheets/sheet{sheet}.xml")];
        assert!(part.contains("<autoFilter ref=\"A1:") && part.contains("state=\"frozen\""), "sheet {sheet}");
    }
    assert!(parts["xl/workbook.xml"].contains("'Findings'!$A$1:$U$3"), "{}", parts["xl/workbook.xml"]);
}

#[test]
fn equal_results_give_equal_bytes() {
    let report = reports::sample();
    let mut later = report.clone();
    later.run.started = "2027-01-01T00:00:00Z".into();
    later.run.duration_ms = 99;
    assert!(workbook(&report, &style(80, Mask::On)) == workbook(&later, &style(80, Mask::On)));
}

#[test]
fn what_it_cannot_hold_is_said() {
    let mut report = reports::sample();
    report.result.findings[0].records[0].values.insert("note".into(), "я".repeat(40_000));
    let told = [(Language::English, "1 text is longer than a cell holds"), (Language::Russian, "1 текст не поместился в ячейку")];
    for (language, said) in told {
        let sheets = sheets(&workbook(&report, &Style { language, ..style(80, Mask::Off) }));
        let Data::String(note) = column(&sheets[1].1, "note")[0] else { panic!("a text") };
        assert!(note.ends_with('…') && note.encode_utf16().count() == 32_767);
        let first: Vec<String> = sheets[2].1.iter().map(|row| row[0].to_string()).collect();
        assert!(first.iter().any(|text| text.starts_with(said)), "{first:?}");
    }
}

#[test]
fn an_empty_one_has_heads_and_explains_its_zero() {
    let sheets = sheets(&workbook(&reports::empty(), &style(80, Mask::Off)));
    assert_eq!(sheets[0].1.len(), 1);
    assert_eq!(sheets[1].1[0][0], Data::String("finding".into()));
    assert!(sheets[2].1.iter().any(|row| row[0].to_string().starts_with("No record was read")));
}

#[test]
fn hostile_strings_are_read_back_as_they_can_be_seen() {
    for text in hostile::strings().iter().filter(|text| !text.is_empty()) {
        let sheets = sheets(&workbook(&reports::full_of(text), &style(80, Mask::Off)));
        let shown: Vec<String> = text.split('\n').map(|line| safe::visible(line).into_owned()).collect();
        // Which characters end a line is the reader's matter.
        let expected = Data::String(shown.join("\n"));
        for (sheet, head) in [(1, "file"), (1, "effect id"), (1, "request key"), (1, "card"), (0, "rule"), (0, "batch")] {
            for cell in column(&sheets[sheet].1, head).into_iter().filter(|cell| **cell != Data::Empty) {
                assert_eq!(*cell, expected, "{head} of {text:?}");
            }
        }
    }
}
