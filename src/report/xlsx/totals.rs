//! The sheet of totals: what was found, what was read, doubts, and what the sheets before it do not hold.

use super::book::Book;
use super::cell::Cell;
use super::records::RecordsCut;
use super::sheet::{Column, Cut, Head, Sheet};
use crate::domain::finding::Exposure;
use crate::domain::report::{FileSummary, Health, Ledger, ScanResult, SourceSummary};
use crate::report::texts::{Texts, share};
use crate::report::{Style, Told};
use std::io;

/// Widths; what stands in a column changes from table to table.
const WIDTHS: [usize; 11] = [34, 28, 24, 14, 14, 14, 14, 14, 28, 28, 50];
/// Rows of a list that may be long.
const MOST: usize = 10_000;

pub(super) fn write(
    told: &Told<'_>,
    style: &Style,
    findings: Cut,
    records: &RecordsCut,
    book: &mut Book<'_, '_>,
) -> io::Result<()> {
    let columns = WIDTHS.map(|width| Column::new("", width));
    book.sheet(Head::None, &columns, |sheet| {
        let mut page = Page { sheet, texts: style.texts() };
        page.heads(&[page.texts.words().title])?;
        remarks(told, style, findings, records).iter().try_for_each(|remark| page.row(&[Cell::text(remark)]))?;
        found(&told.frame.result, &mut page)?;
        read(&told.frame.result, &mut page)?;
        health(&told.frame.result.health, &mut page)?;
        ties(&told.frame.result, &mut page)?;
        doubts(&told.frame.result, &mut page)
    })?;
    Ok(())
}

/// A sheet of small tables, one below the other.
struct Page<'p, 's> {
    sheet: &'p mut Sheet<'s>,
    texts: &'static dyn Texts,
}

impl Page<'_, '_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.sheet.row(cells)
    }

    fn heads(&mut self, heads: &[&str]) -> io::Result<()> {
        self.sheet.row(&heads.iter().map(|head| Cell::Head(head)).collect::<Vec<_>>())
    }

    /// A table with its heads, a blank row above it; nothing where it has no rows.
    fn table<'a, T: 'a>(&mut self, heads: &[&str], items: &'a [T], row: impl Fn(&'a T) -> Vec<Cell<'a>>) -> io::Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        self.row(&[])?;
        self.heads(heads)?;
        items.iter().take(MOST).try_for_each(|item| self.row(&row(item)))?;
        if items.len() > MOST {
            self.row(&[Cell::text(self.texts.further_rows(items.len() - MOST))])?;
        }
        Ok(())
    }
}

/// What a reader must know before the numbers.
fn remarks(told: &Told<'_>, style: &Style, findings: Cut, records: &RecordsCut) -> Vec<String> {
    let (result, texts) = (&told.frame.result, style.texts());
    let words = texts.words();
    let faulty = result.sources.iter().flat_map(|source| &source.files).any(|file| file.fault.is_some());
    let mut remarks = vec![words.utc.to_owned(), told.privacy(words)];
    let mut remark = |applies, text: &dyn Fn() -> String| {
        if applies {
            remarks.push(text())
        }
    };
    remark(result.totals.findings == 0, &|| texts.nothing_found(result));
    remark(!result.ledger.balances(), &|| words.unbalanced.to_owned());
    remark(faulty, &|| words.incomplete.to_owned());
    remark(findings.rows > 0, &|| texts.rows_left_out(words.findings, findings.rows));
    remark(records.sheet.rows > 0, &|| texts.rows_left_out(words.records, records.sheet.rows));
    remark(records.fields > 0, &|| texts.fields_left_out(records.fields));
    let cells = findings.cells + records.sheet.cells;
    remark(cells > 0, &|| texts.texts_cut(cells));
    remarks
}

/// Findings, effects, money per currency, and the groups of each verdict.
fn found(result: &ScanResult, page: &mut Page<'_, '_>) -> io::Result<()> {
    let (totals, texts) = (&result.totals, page.texts);
    let words = texts.words();
    let [.., extra, possible] = words.finding_heads;
    page.row(&[])?;
    page.heads(&[words.result])?;
    for (name, count) in
        [(words.findings, totals.findings), (extra, totals.extra_effects), (possible, totals.possible_extra_effects)]
    {
        page.row(&[Cell::text(name), Cell::Count(count)])?;
    }
    for (title, exposure) in [(words.exposure_proven, &totals.exposure), (words.at_stake, &totals.possible_exposure)] {
        page.table(&[title, words.gross, words.reversed, words.net], exposure, |Exposure { currency, gross, reversed, net }| {
            vec![Cell::text(texts.currency(currency)), Cell::Amount(gross), Cell::Amount(reversed), Cell::Amount(net)]
        })?;
    }
    page.table(&[words.verdict, words.groups], &totals.verdicts, |count| {
        vec![Cell::text(texts.verdict(count.verdict)), Cell::Count(count.groups)]
    })
}

/// The ledger of every file, their sum, and why records were rejected.
fn read(result: &ScanResult, page: &mut Page<'_, '_>) -> io::Result<()> {
    let texts = page.texts;
    let words = texts.words();
    let [source, counts @ ..] = words.source_heads;
    let heads: Vec<&str> = [source, words.file, words.format].into_iter().chain(counts).collect();
    let heads = [heads, vec![words.first, words.last, words.remarks]].concat();
    let files: Vec<(&SourceSummary, &FileSummary)> =
        result.sources.iter().flat_map(|source| source.files.iter().map(move |file| (source, file))).collect();
    page.table(&heads, &files, |(source, file)| {
        let mut row = vec![Cell::text(&source.name), Cell::text(&file.file), Cell::text(&file.format)];
        row.extend(counted(&file.ledger));
        row.extend([&file.first, &file.last, &file.fault].map(|text| Cell::optional(text.as_deref())));
        row
    })?;
    let mut sum = vec![Cell::text(words.all), Cell::Empty, Cell::Empty];
    sum.extend(counted(&result.ledger));
    page.row(&sum)?;
    let rejects: Vec<_> = files.iter().flat_map(|(_, file)| &file.rejects).collect();
    page.table(&[counts[4]], &rejects, |reject| vec![Cell::text(texts.reject(reject.records, &reject.reason, &reject.example))])
}

fn counted<'a>(ledger: &Ledger) -> [Cell<'a>; 5] {
    [ledger.read, ledger.used, ledger.ignored, ledger.repeated, ledger.rejected].map(Cell::Count)
}

/// How the repeats of each operation behaved.
fn health(health: &[Health], page: &mut Page<'_, '_>) -> io::Result<()> {
    page.table(&page.texts.words().health_heads, health, |health| {
        let mut row = vec![
            Cell::text(&health.operation),
            Cell::Count(health.attempts),
            Cell::text(share(health.with_key, health.attempts)),
        ];
        let Health { repeats, answered, blocked, doubled, possibly_doubled, conflicting, answered_differently, .. } = *health;
        row.extend([repeats, answered, blocked, doubled, possibly_doubled, conflicting, answered_differently].map(Cell::Count));
        row
    })
}

/// Batches and incidents.
fn ties(result: &ScanResult, page: &mut Page<'_, '_>) -> io::Result<()> {
    let texts = page.texts;
    let words = texts.words();
    page.table(&[words.batches], &result.batches, |batch| vec![Cell::text(&batch.id), Cell::text(texts.batch(batch))])?;
    page.table(&[words.incidents], &result.incidents, |incident| {
        let about = format!("{} = {}", texts.field(&incident.field), incident.value);
        vec![Cell::text(&incident.id), Cell::text(about), Cell::text(incident.findings.join(", "))]
    })
}

fn doubts(result: &ScanResult, page: &mut Page<'_, '_>) -> io::Result<()> {
    let texts = page.texts;
    page.table(&[texts.words().notes], &result.notes, |note| {
        vec![Cell::text(&note.code), Cell::text(texts.sentence(&note.message))]
    })
}
