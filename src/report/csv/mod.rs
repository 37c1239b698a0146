//! The `csv` format: one row for each record of each finding, safe to open in a spreadsheet, and right to sum there.
//!
//! Numbers of a finding (extra effects, money) stand in the row of its first record only, so that the sum of a column is the total of the
//! report; findings with a decision that holds (`decision`) are not part of that total, and can be filtered out. There is a column
//! `net_EUR` for each currency, because currencies are never added together. Unknown stays empty.
//! [`CsvFor`] says how cells and lines look to their reader; columns and their order are the same for all.

mod cells;

pub use cells::CsvFor;

use super::json;
use super::{Out, Style, Told};
use crate::domain::Standing;
use crate::domain::finding::{Finding, FindingRecord};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Columns before and after the money; [`finding_cells`] and [`record_cells`] fill them in this order.
const FINDING: [&str; 12] = [
    "finding",
    "rule",
    "verdict",
    "severity",
    "key_relation",
    "cause",
    "batch",
    "incident",
    "decision",
    "likelihood",
    "extra_effects",
    "possible_extra_effects",
];
/// The last of them are counts.
const COUNTS: usize = 2;
const RECORD: [&str; 14] = [
    "source",
    "file",
    "record",
    "line",
    "last_line",
    "time",
    "role",
    "outcome",
    "effect_id",
    "request_key",
    "operation",
    "actor",
    "amount",
    "currency",
];
/// Every other value of the record, as a JSON object.
const FIELDS: &str = "fields";
/// Values of a record that have a column of their own.
const OWN_COLUMN: [&str; 4] = ["operation", "actor", "amount", "currency"];

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let reader = style.csv;
    let currencies = currencies(told);
    let mut rows = rows(reader, out)?;
    let money = currencies.iter().map(|currency| reader.text(&format!("net_{currency}")).into_owned());
    let header = FINDING.map(String::from).into_iter().chain(money).chain(RECORD.map(String::from)).chain([FIELDS.to_owned()]);
    let columns = FINDING.len() + currencies.len() + RECORD.len() + 1;
    rows.write_record(header).map_err(io_error)?;
    told.each_finding(|finding| {
        let mut cells = finding_cells(finding, &currencies, reader);
        for record in &finding.records {
            cells.extend(record_cells(record, reader)?);
            rows.write_record(&cells).map_err(io_error)?;
            cells.truncate(FINDING.len() + currencies.len());
            // From the second record on, numbers of the finding would be summed again.
            cells.iter_mut().skip(FINDING.len() - COUNTS).for_each(String::clear);
        }
        if finding.records.is_empty() {
            cells.resize(columns, String::new());
            rows.write_record(&cells).map_err(io_error)?;
        }
        Ok(())
    })?;
    rows.flush()
}

/// A table of text, made safe for spreadsheets and without card numbers.
pub(super) fn table(
    header: &[&str],
    lines: impl Iterator<Item = Vec<String>>,
    reader: CsvFor,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rows = rows(reader, out)?;
    rows.write_record(header).map_err(io_error)?;
    for line in lines {
        rows.write_record(line.iter().map(|cell| reader.text(cell).into_owned())).map_err(io_error)?;
    }
    rows.flush()
}

/// A writer of rows as this reader wants them.
fn rows<W: Write>(reader: CsvFor, mut out: W) -> io::Result<::csv::Writer<W>> {
    out.write_all(reader.mark().as_bytes())?;
    Ok(::csv::WriterBuilder::new().delimiter(reader.delimiter()).terminator(reader.line_end()).from_writer(out))
}

/// The error of the output itself: whoever called must see that a reader has gone, and csv's own conversion hides the kind.
fn io_error(error: ::csv::Error) -> io::Error {
    let said = error.to_string();
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(said),
    }
}

/// Every currency of the totals and of the findings (which hold more with `--all`), in the order of their codes.
pub(super) fn currencies(told: &Told<'_>) -> BTreeSet<String> {
    let of_totals = told.frame.result.totals.exposure.iter().map(|exposure| exposure.currency.clone());
    of_totals.chain(told.overview().currencies.iter().cloned()).collect()
}

fn finding_cells(finding: &Finding, currencies: &BTreeSet<String>, reader: CsvFor) -> Vec<String> {
    let text = |value: &str| reader.text(value).into_owned();
    let number = |value: &str| reader.number(value).into_owned();
    let optional = |value: &Option<String>| value.as_deref().map(text).unwrap_or_default();
    let mut cells = vec![
        text(&finding.id),
        text(&finding.rule),
        finding.verdict.name().into(),
        finding.severity.name().into(),
        finding.key_relation.name().into(),
        text(&finding.cause.code),
        optional(&finding.batch),
        optional(&finding.incident),
        decision(finding),
        number(&finding.likelihood.to_string()),
        finding.extra_effects.to_string(),
        finding.possible_extra_effects.to_string(),
    ];
    cells.extend(currencies.iter().map(|currency| {
        let here = finding.exposure.iter().find(|exposure| exposure.currency == *currency);
        here.map(|exposure| number(&exposure.net)).unwrap_or_default()
    }));
    cells
}

/// The name of a decision, with how it stands where it no longer holds: `accepted (expired)`.
pub(super) fn decision(finding: &Finding) -> String {
    finding.decision.as_ref().map_or_else(String::new, |decision| match decision.standing {
        Standing::Live => decision.judgement.name().to_owned(),
        no_longer => format!("{} ({})", decision.judgement.name(), no_longer.name()),
    })
}

fn record_cells(record: &FindingRecord, reader: CsvFor) -> io::Result<Vec<String>> {
    let text = |value: &str| reader.text(value).into_owned();
    let value = |name: &str| record.values.get(name).map(String::as_str).unwrap_or_default();
    let fields: BTreeMap<&String, &String> =
        record.values.iter().filter(|(name, _)| !OWN_COLUMN.contains(&name.as_str())).collect();
    let fields = json::text(&fields)?;
    let [line, last_line] = record.lines;
    Ok(vec![
        text(&record.source),
        text(&record.file),
        record.record.to_string(),
        line.to_string(),
        last_line.to_string(),
        text(&record.time),
        record.role.name().into(),
        record.outcome.name().into(),
        text(record.effect_id.as_deref().unwrap_or_default()),
        text(record.request_key.as_deref().unwrap_or_default()),
        text(value("operation")),
        text(value("actor")),
        reader.number(value("amount")).into_owned(),
        text(value("currency")),
        text(&fields),
    ])
}
