//! The sheet of findings: one row each, its money in a column for each currency.

use super::book::Book;
use super::cell::Cell;
use super::sheet::{Column, Cut, Head};
use crate::domain::finding::Finding;
use crate::report::csv::currencies;
use crate::report::texts::Texts;
use crate::report::{Style, Told, in_words};
use std::collections::BTreeSet;
use std::io;

/// Widths of the columns before the money, and of those after it; their heads are in the catalogue.
const BEFORE: [usize; 9] = [17, 12, 30, 24, 26, 50, 11, 10, 10];
const AFTER: [usize; 10] = [26, 26, 10, 10, 22, 17, 17, 50, 20, 30];
const MONEY: usize = 16;

pub(super) fn write(told: &Told<'_>, style: &Style, book: &mut Book<'_, '_>) -> io::Result<Cut> {
    let (texts, currencies) = (style.texts(), currencies(told));
    let words = texts.words();
    let before = words.finding_heads.iter().zip(BEFORE).map(|(head, width)| Column::new(*head, width));
    let money = currencies.iter().map(|currency| Column::new(format!("{} {}", words.net, texts.currency(currency)), MONEY));
    let after = words.finding_tail_heads.iter().zip(AFTER).map(|(head, width)| Column::new(*head, width));
    let columns: Vec<Column> = before.chain(money).chain(after).collect();
    book.sheet(Head::Columns, &columns, |sheet| told.each_finding(|finding| sheet.row(&row(finding, &currencies, style, texts))))
}

fn row<'a>(finding: &'a Finding, currencies: &BTreeSet<String>, style: &Style, texts: &'static dyn Texts) -> Vec<Cell<'a>> {
    let mut cells = vec![
        Cell::text(&finding.id),
        Cell::text(texts.severity(finding.severity)),
        Cell::text(texts.verdict(finding.verdict)),
        Cell::text(&finding.rule),
        Cell::text(style.cause_title(&finding.cause.code)),
        Cell::text(texts.sentence(&finding.cause.why)),
        if finding.verdict.is_reported() { Cell::Share(finding.likelihood) } else { Cell::Empty },
        Cell::Count(finding.extra_effects),
        Cell::Count(finding.possible_extra_effects),
    ];
    cells.extend(currencies.iter().map(|currency| {
        let here = finding.exposure.iter().find(|exposure| exposure.currency == *currency);
        here.map_or(Cell::Empty, |exposure| Cell::Amount(&exposure.net))
    }));
    cells.extend([
        Cell::text(&finding.first),
        Cell::text(&finding.last),
        Cell::Count(finding.records.len() as u64),
        Cell::Count(finding.unread_records),
        Cell::text(texts.key_relation(finding.key_relation)),
        Cell::optional(finding.batch.as_deref()),
        Cell::optional(finding.incident.as_deref()),
        Cell::text(in_words::fingerprint(finding, texts)),
        Cell::text(finding.also.join(", ")),
        finding.decision.as_ref().map_or(Cell::Empty, |decision| Cell::text(texts.decision(decision))),
    ]);
    cells
}
