//! The end of the summary: idempotency health, notes, and what to do next.

use super::page::{Line, Page, Paint};
use super::table::Table;
use crate::domain::report::{Health, ScanResult};
use crate::report::mask::Masker;
use crate::report::texts::{self, number, plural, share};
use std::io;

/// Operations and notes told; the others are counted, and stand in the JSON result.
const OPERATIONS: usize = 20;
const NOTES: usize = 20;

pub(super) fn write(result: &ScanResult, masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    health(&result.health, page)?;
    if !result.notes.is_empty() {
        page.heading("Notes")?;
    }
    for note in result.notes.iter().take(NOTES) {
        page.hang(
            Line::new().plain("  - "),
            Paint::Plain,
            &format!("{} ({})", masker.text(&note.message), note.code),
        )?;
    }
    more(result.notes.len(), NOTES, "further note", "further notes", page)?;
    next_steps(result, page)
}

fn health(health: &[Health], page: &mut Page<'_>) -> io::Result<()> {
    if health.is_empty() {
        return Ok(());
    }
    page.heading("Idempotency health")?;
    let mut table = Table::new(&texts::HEALTH_HEADS);
    let bad = |count: u64, paint: Paint| (if count > 0 { paint } else { Paint::Plain }, number(count));
    for operation in health.iter().take(OPERATIONS) {
        table.row(vec![
            (Paint::Plain, operation.operation.clone()),
            (Paint::Plain, number(operation.attempts)),
            (Paint::Plain, share(operation.with_key, operation.attempts)),
            (Paint::Plain, number(operation.repeats)),
            (Paint::Plain, number(operation.answered)),
            (Paint::Plain, number(operation.blocked)),
            bad(operation.doubled, Paint::Alarm),
            bad(operation.possibly_doubled, Paint::Warning),
            bad(operation.conflicting, Paint::Alarm),
            bad(operation.answered_differently, Paint::Warning),
        ]);
    }
    table.write(page)?;
    page.paragraph(2, Paint::Faint, texts::HEALTH_LEGEND)?;
    more(health.len(), OPERATIONS, "further operation", "further operations", page)
}

fn more(all: usize, shown: usize, one: &str, many: &str, page: &mut Page<'_>) -> io::Result<()> {
    match all.checked_sub(shown) {
        None | Some(0) => Ok(()),
        Some(left) => page.paragraph(
            2,
            Paint::Faint,
            &format!("{} with --format json", plural(left as u64, one, many)),
        ),
    }
}

fn next_steps(result: &ScanResult, page: &mut Page<'_>) -> io::Result<()> {
    let mut steps = Vec::new();
    if let Some(first) = result.findings.first() {
        steps.push((
            texts::explain_hint(&first.id),
            "the evidence for the first finding, and what to check",
        ));
        steps.push((
            "twicelog scan … --output csv=findings.csv".to_owned(),
            "every finding with its records, for a spreadsheet",
        ));
    }
    if result.ledger.rejected > 0 {
        steps.push((
            "twicelog scan … --rejects rejects.csv".to_owned(),
            "every rejected record with its place and reason",
        ));
    }
    if result.ledger.used == 0 {
        steps.push((
            "twicelog inspect FILE".to_owned(),
            "what a file is taken for: format, columns, times",
        ));
    } else if result.findings.is_empty() {
        steps.push(("twicelog scan … --all".to_owned(), "the repeats that did no harm"));
    }
    page.heading("Next")?;
    for (command, purpose) in steps {
        page.hang(Line::new().plain("  "), Paint::Heading, &command)?;
        page.paragraph(4, Paint::Faint, purpose)?;
    }
    Ok(())
}
