//! The end of the summary: idempotency health, notes, and what to do next.

use super::page::{Line, Page, Paint};
use super::table::Table;
use crate::domain::report::{Health, ScanResult};
use crate::report::mask::Masker;
use crate::report::texts::{self, number, share};
use std::io;

/// Operations and notes told; the others are counted, and stand in the JSON result.
const OPERATIONS: usize = 20;
const NOTES: usize = 20;

pub(super) fn write(result: &ScanResult, masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    health(&result.health, masker, page)?;
    if !result.notes.is_empty() {
        page.heading(page.texts().words().notes)?;
    }
    for note in result.notes.iter().take(NOTES) {
        page.hang(
            Line::new().plain("  - "),
            Paint::Plain,
            &format!("{} ({})", page.texts().sentence(&masker.text(&note.message)), note.code),
        )?;
    }
    if result.notes.len() > NOTES {
        page.paragraph(2, Paint::Faint, &page.texts().further_notes(result.notes.len() - NOTES))?;
    }
    next_steps(result, page)
}

fn health(health: &[Health], masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    if health.is_empty() {
        return Ok(());
    }
    let words = page.texts().words();
    page.heading(words.health)?;
    let mut table = Table::new(&words.health_heads);
    let bad = |count: u64, paint: Paint| (if count > 0 { paint } else { Paint::Plain }, number(count));
    for operation in health.iter().take(OPERATIONS) {
        table.row(vec![
            (Paint::Plain, masker.value("operation", &operation.operation)),
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
    page.paragraph(2, Paint::Faint, words.health_legend)?;
    match health.len().saturating_sub(OPERATIONS) {
        0 => Ok(()),
        left => page.paragraph(2, Paint::Faint, &page.texts().further_operations(left)),
    }
}

fn next_steps(result: &ScanResult, page: &mut Page<'_>) -> io::Result<()> {
    let words = page.texts().words();
    let mut steps = Vec::new();
    if let Some(first) = result.findings.within(0..1).next() {
        steps.push((texts::explain_hint(&first.id), words.why_explain));
        steps.push((texts::HOW_CSV.to_owned(), words.why_csv));
    }
    if result.ledger.rejected > 0 {
        steps.push((texts::HOW_REJECTS.to_owned(), words.why_rejects));
    }
    if result.ledger.used == 0 {
        steps.push((texts::HOW_CHECK.to_owned(), words.why_check));
    } else if result.findings.is_empty() {
        steps.push((texts::HOW_ALL.to_owned(), words.why_all));
    }
    page.heading(words.next)?;
    for (command, purpose) in steps {
        page.hang(Line::new().plain("  "), Paint::Heading, &command)?;
        page.paragraph(4, Paint::Faint, purpose)?;
    }
    Ok(())
}
