//! The sheet of records: one row for each record of each finding, every field in a column of its own.

use super::book::Book;
use super::cell::Cell;
use super::sheet::{Column, Cut, Head};
use crate::domain::Findings;
use crate::domain::finding::{Finding, FindingRecord};
use crate::report::texts::Texts;
use crate::report::{Style, Told};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

/// Widths of the columns that every sheet has; their heads are in the catalogue.
const FIXED: [usize; 15] = [17, 12, 16, 28, 9, 9, 9, 28, 22, 24, 24, 20, 24, 14, 9];
/// Values of a record that stand in one of these.
const OWN_COLUMN: [&str; 4] = ["operation", "actor", "amount", "currency"];
const FIELD: usize = 20;
/// Columns of further fields; a sheet of more is no table to look at. Excel itself ends at 16,384.
const MOST_FIELDS: usize = 200;

/// Findings whose fields one thread counts at a time.
const PIECE: usize = 512;

/// What the sheet of records could not hold.
pub(super) struct RecordsCut {
    pub(super) sheet: Cut,
    /// Fields that have no column.
    pub(super) fields: usize,
}

pub(super) fn write(told: &Told<'_>, style: &Style, book: &mut Book<'_, '_>) -> io::Result<RecordsCut> {
    let texts = style.texts();
    let (fields, left_out) = fields(&told.unmasked().result.findings);
    let fixed = texts.words().record_heads.iter().zip(FIXED).map(|(head, width)| Column::new(*head, width));
    let named = fields.iter().map(|field| Column::new(head(field, texts), FIELD));
    let columns: Vec<Column> = fixed.chain(named).collect();
    let sheet = book.sheet(Head::Columns, &columns, |sheet| {
        told.each_finding(|finding| {
            finding.records.iter().try_for_each(|record| sheet.row(&row(finding, record, &fields, texts)))
        })
    })?;
    Ok(RecordsCut { sheet, fields: left_out })
}

/// What stands above a further field. Two columns of one name could not be told apart where a sheet is filtered or summed up.
fn head(field: &str, texts: &dyn Texts) -> String {
    let (head, words) = (texts.field(field), texts.words());
    if words.record_heads.contains(&head) { format!("{head} ({})", words.as_logged) } else { head.to_owned() }
}

/// Names of further fields in their order: where there are too many, those that most records fill; and how many are left out.
fn fields(findings: &Findings) -> (Vec<String>, usize) {
    let all = findings.len();
    let pieces: Vec<usize> = (0..all).step_by(PIECE).collect();
    let parts: Vec<BTreeMap<String, u64>> =
        pieces.par_iter().map(|from| filled(findings.within(*from..all.min(from + PIECE)))).collect();
    let mut filled: BTreeMap<String, u64> = BTreeMap::new();
    for (name, count) in parts.into_iter().flatten() {
        *filled.entry(name).or_default() += count;
    }
    let all = filled.len();
    let mut names: Vec<(String, u64)> = filled.into_iter().collect();
    names.sort_by(|(a, most), (b, more)| more.cmp(most).then_with(|| a.cmp(b)));
    names.truncate(MOST_FIELDS);
    let mut names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    let left_out = all - names.len();
    (names, left_out)
}

/// How many records fill each further field.
fn filled<'f>(findings: impl Iterator<Item = Cow<'f, Finding>>) -> BTreeMap<String, u64> {
    let mut filled: BTreeMap<String, u64> = BTreeMap::new();
    for finding in findings {
        for name in finding.records.iter().flat_map(|record| record.values.keys()) {
            match filled.get_mut(name) {
                Some(count) => *count += 1,
                None if OWN_COLUMN.contains(&name.as_str()) => {}
                None => _ = filled.insert(name.clone(), 1),
            }
        }
    }
    filled
}

fn row<'a>(finding: &'a Finding, record: &'a FindingRecord, fields: &[String], texts: &'static dyn Texts) -> Vec<Cell<'a>> {
    let value = |name: &str| record.values.get(name).map(String::as_str);
    let [line, last_line] = record.lines;
    let mut cells = vec![
        Cell::text(&finding.id),
        Cell::text(texts.role(record.role)),
        Cell::text(&record.source),
        Cell::text(&record.file),
        Cell::Place(record.record),
        Cell::Place(line),
        Cell::Place(last_line),
        Cell::text(&record.time),
        Cell::text(texts.outcome(record.outcome)),
        Cell::optional(record.effect_id.as_deref()),
        Cell::optional(record.request_key.as_deref()),
        Cell::optional(value("operation")),
        Cell::optional(value("actor")),
        value("amount").map_or(Cell::Empty, Cell::Amount),
        Cell::optional(value("currency")),
    ];
    cells.extend(fields.iter().map(|field| Cell::optional(value(field))));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_that_most_records_fill_have_a_column() {
        let record = |names: &[String]| {
            let values: serde_json::Map<String, serde_json::Value> =
                names.iter().map(|name| (name.clone(), "x".into())).collect();
            serde_json::json!({ "source": "", "file": "", "record": 1, "lines": [1, 1], "time": "", "outcome": "failed",
                "effect_id": null, "request_key": null, "role": "retry", "values": values })
        };
        let many: Vec<String> = (0..MOST_FIELDS + 5).map(|at| format!("f{at:03}")).chain(["actor".into()]).collect();
        let finding: Finding = serde_json::from_value(serde_json::json!({
            "id": "", "rule": "", "verdict": "retried_failure", "severity": "info", "key_relation": "none",
            "cause": { "code": "", "why": "" }, "likelihood": 0.0, "evidence": [], "fingerprint": {}, "first": "", "last": "",
            "extra_effects": 0, "possible_extra_effects": 0, "exposure": [], "batch": null, "incident": null, "also": [],
            "records": [record(&many), record(&["f204".into()])], "unread_records": 0
        }))
        .unwrap();
        let (names, left_out) = fields(&vec![finding].into());
        assert_eq!((names.len(), left_out), (MOST_FIELDS, 5));
        assert_eq!(names.last().map(String::as_str), Some("f204"));
        assert!(names.iter().all(|name| name != "actor" && name != "f203"));
    }
}
