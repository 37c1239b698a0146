//! The `csv` format: one row for each record of each finding, safe to open in a spreadsheet, and right to sum there.
//!
//! Numbers of a finding (extra effects, money) stand in the row of its first record only, so that the sum of a column is the total of the
//! report; findings with a decision that holds (`decision`) are not part of that total, and can be filtered out. There is a column
//! `net_EUR` for each currency, because currencies are never added together. Unknown stays empty.

use super::json;
use super::mask::{Masker, cards};
use super::safe::is_hidden;
use super::{Out, Style};
use crate::domain::Standing;
use crate::domain::finding::{Finding, FindingRecord};
use crate::domain::report::Report;
use std::borrow::Cow;
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

pub(super) fn write(report: &Report, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let findings = &report.result.findings;
    let currencies = currencies(report);
    let mut masker = Masker::new(style.mask);
    let mut rows = ::csv::Writer::from_writer(out);
    let money = currencies.iter().map(|currency| text(&format!("net_{currency}")).into_owned());
    let header = FINDING.map(String::from).into_iter().chain(money).chain(RECORD.map(String::from)).chain([FIELDS.to_owned()]);
    let columns = FINDING.len() + currencies.len() + RECORD.len() + 1;
    rows.write_record(header).map_err(io_error)?;
    for finding in findings {
        let finding = masker.finding(finding);
        let mut cells = finding_cells(&finding, &currencies);
        for record in &finding.records {
            cells.extend(record_cells(record)?);
            rows.write_record(&cells).map_err(io_error)?;
            cells.truncate(FINDING.len() + currencies.len());
            // From the second record on, numbers of the finding would be summed again.
            cells.iter_mut().skip(FINDING.len() - COUNTS).for_each(String::clear);
        }
        if finding.records.is_empty() {
            cells.resize(columns, String::new());
            rows.write_record(&cells).map_err(io_error)?;
        }
    }
    rows.flush()
}

/// A table of text, made safe for spreadsheets and without card numbers.
pub(super) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = ::csv::Writer::from_writer(out);
    table.write_record(header).map_err(io_error)?;
    for row in rows {
        table.write_record(row.iter().map(|cell| text(cell).into_owned())).map_err(io_error)?;
    }
    table.flush()
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
fn currencies(report: &Report) -> BTreeSet<&str> {
    let of_findings = report.result.findings.iter().flat_map(|finding| &finding.exposure);
    report.result.totals.exposure.iter().chain(of_findings).map(|exposure| exposure.currency.as_str()).collect()
}

fn finding_cells(finding: &Finding, currencies: &BTreeSet<&str>) -> Vec<String> {
    let optional = |value: &Option<String>| value.as_deref().map(|value| text(value).into_owned()).unwrap_or_default();
    let mut cells = vec![
        text(&finding.id).into_owned(),
        text(&finding.rule).into_owned(),
        finding.verdict.name().into(),
        finding.severity.name().into(),
        finding.key_relation.name().into(),
        text(&finding.cause.code).into_owned(),
        optional(&finding.batch),
        optional(&finding.incident),
        decision(finding),
        finding.likelihood.to_string(),
        finding.extra_effects.to_string(),
        finding.possible_extra_effects.to_string(),
    ];
    cells.extend(currencies.iter().map(|currency| {
        let here = finding.exposure.iter().find(|exposure| exposure.currency == *currency);
        here.map(|exposure| number(&exposure.net).into_owned()).unwrap_or_default()
    }));
    cells
}

fn record_cells(record: &FindingRecord) -> io::Result<Vec<String>> {
    let value = |name: &str| record.values.get(name).map(String::as_str).unwrap_or_default();
    let fields: BTreeMap<&String, &String> =
        record.values.iter().filter(|(name, _)| !OWN_COLUMN.contains(&name.as_str())).collect();
    let fields = json::text(&fields)?;
    let [line, last_line] = record.lines;
    Ok(vec![
        text(&record.source).into_owned(),
        text(&record.file).into_owned(),
        record.record.to_string(),
        line.to_string(),
        last_line.to_string(),
        text(&record.time).into_owned(),
        record.role.name().into(),
        record.outcome.name().into(),
        text(record.effect_id.as_deref().unwrap_or_default()).into_owned(),
        text(record.request_key.as_deref().unwrap_or_default()).into_owned(),
        text(value("operation")).into_owned(),
        text(value("actor")).into_owned(),
        number(value("amount")).into_owned(),
        text(value("currency")).into_owned(),
        text(&fields).into_owned(),
    ])
}

/// The name of a decision, with how it stands where it no longer holds: `accepted (expired)`.
fn decision(finding: &Finding) -> String {
    finding.decision.as_ref().map_or_else(String::new, |decision| match decision.standing {
        Standing::Live => decision.judgement.name().to_owned(),
        no_longer => format!("{} ({})", decision.judgement.name(), no_longer.name()),
    })
}

/// A cell of a column of numbers: decimal text stays a number, `-12.50`; anything else is text.
fn number(value: &str) -> Cow<'_, str> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if plain(whole) && plain(fraction) { Cow::Borrowed(value) } else { text(value) }
}

/// A cell of text: no card number, no character that a terminal would obey, and a leading apostrophe where a spreadsheet would
/// calculate (CWE-1236; ASVS 5.0, 1.2.10; CVE-2026-9673 for what leading blanks and full-width forms let through).
fn text(value: &str) -> Cow<'_, str> {
    let masked = cards(value);
    let formula = is_formula(&masked);
    if !formula && !masked.contains(is_escaped) {
        return masked;
    }
    let mut cell = String::with_capacity(masked.len() + 8);
    if formula {
        cell.push('\'');
    }
    for c in masked.chars() {
        if is_escaped(c) {
            cell.push_str(&format!("\\u{{{:x}}}", c as u32));
        } else {
            cell.push(c);
        }
    }
    Cow::Owned(cell)
}

/// Line ends and tabs are what a quoted cell is for; other hidden characters are written out.
fn is_escaped(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\t' | '\n' | '\r')
}

/// True when a spreadsheet could read the cell as a formula.
fn is_formula(value: &str) -> bool {
    if value.starts_with(['\t', '\r', '\n', '\0']) {
        return true;
    }
    let start = value
        .trim_start_matches(|c: char| c.is_whitespace() || c == '\0' || matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’'));
    start.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text() {
        for formula in
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "  =1", "\"=1", " '=1", "＝1", "＋1", "－1", "＠a"]
        {
            assert!(text(formula).starts_with('\''), "{formula:?}");
        }
        assert_eq!(text("plain = text"), "plain = text");
    }

    #[test]
    fn numbers_stay_numbers() {
        for plain in ["-12.50", "0", "1042", "5.000"] {
            assert_eq!(number(plain), plain);
        }
        assert_eq!(number("-12.50+1"), "'-12.50+1");
        assert_eq!(number("-"), "'-");
        assert_eq!(number(""), "");
    }
}
