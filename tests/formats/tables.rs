//! CSV for each of its readers: the same columns and totals, and nothing that Excel would make something else of.

use crate::{bytes, hostile, reports, style, sum};
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use twicelog::domain::Language;
use twicelog::domain::report::Report;
use twicelog::report::{CsvFor, Mask, OutputFormat, Style, table};

fn csv_for(reader: CsvFor, report: &Report) -> String {
    let style = Style { csv: reader, language: Language::Russian, ..style(80, Mask::Off) };
    String::from_utf8(bytes(OutputFormat::Csv, report, &style)).expect("UTF-8")
}

fn rows(reader: CsvFor, csv: &str) -> Vec<BTreeMap<String, String>> {
    let csv = csv.strip_prefix('\u{feff}').unwrap_or(csv);
    let delimiter = if reader == CsvFor::ExcelRu { b';' } else { b',' };
    let mut rows = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(csv.as_bytes());
    rows.deserialize().map(|row| row.expect("every row has all columns")).collect()
}

#[test]
fn readers_have_their_names() {
    for reader in CsvFor::ALL {
        assert_eq!(CsvFor::parse(reader.name()), Some(reader));
    }
    assert_eq!(CsvFor::parse("lotus"), None);
}

#[test]
fn excel_gets_its_marks_and_its_decimal_sign() {
    let report = reports::sample();
    for reader in [CsvFor::Excel, CsvFor::ExcelRu] {
        let csv = csv_for(reader, &report);
        assert!(csv.starts_with("\u{feff}finding"), "{csv}");
        assert_eq!(csv.matches('\n').count(), csv.matches("\r\n").count());
        let rows = rows(reader, &csv);
        let decimal = |text: &str| if reader == CsvFor::ExcelRu { text.replace('.', ",") } else { text.to_owned() };
        assert_eq!(rows[0]["net_EUR"], decimal("59.00"));
        assert_eq!(rows[2]["amount"], decimal("-12.50"));
        assert_eq!(rows[0]["likelihood"], decimal("0.97"));
        assert_eq!(rows[0]["time"], "2026-03-02T10:40:12.123Z");
    }
}

#[test]
fn every_reader_sums_to_the_same_totals() {
    let report = reports::sample();
    let plain = rows(CsvFor::Programs, &csv_for(CsvFor::Programs, &report));
    for reader in CsvFor::ALL {
        let mut rows = rows(reader, &csv_for(reader, &report));
        assert_eq!(rows[0].keys().collect::<Vec<_>>(), plain[0].keys().collect::<Vec<_>>());
        rows.iter_mut().for_each(|row| row.values_mut().for_each(|cell| *cell = cell.replace(',', ".")));
        assert_eq!(sum(&rows, "net_EUR"), "59.00".parse().unwrap());
        assert_eq!(sum(&rows, "net_USD"), "12.50".parse().unwrap());
        assert_eq!(sum(&rows, "extra_effects"), Decimal::ONE);
    }
}

#[test]
fn no_cell_is_a_formula_for_any_reader() {
    for text in hostile::strings() {
        for reader in CsvFor::ALL {
            let report = reports::full_of(&text);
            for (column, cell) in rows(reader, &csv_for(reader, &report)).iter().flatten() {
                let number = cell.replace(',', ".").parse::<Decimal>().is_ok();
                let start = cell.trim_start_matches([' ', '\u{a0}', '"']);
                let formula = start.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
                assert!(number || !formula, "{column}: {cell:?}");
            }
        }
    }
}

#[test]
fn rejected_records_suit_the_same_reader() {
    let rows = || [vec!["0042".to_owned(), "a;b".to_owned()]].into_iter();
    let told = [
        (CsvFor::Programs, "id,why\n0042,a;b\n"),
        (CsvFor::Excel, "\u{feff}id,why\r\n'0042,a;b\r\n"),
        (CsvFor::ExcelRu, "\u{feff}id;why\r\n'0042;\"a;b\"\r\n"),
    ];
    for (reader, expected) in told {
        let mut out = Vec::new();
        table(&["id", "why"], rows(), reader, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
