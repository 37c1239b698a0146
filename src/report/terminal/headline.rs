//! The headline: how many findings, how many extra effects, how much money.

use super::page::{Line, Page, Paint};
use crate::domain::report::{NightRun, ScanResult};
use std::io;

/// Batches told; the others are counted, and stand in the JSON result.
const BATCHES: usize = 5;

pub(super) fn write(result: &ScanResult, night: Option<&NightRun>, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    page.heading(texts.words().result)?;
    if let Some(night) = night {
        page.paragraph(2, Paint::Plain, &texts.since_last(&night.changes))?;
    }
    let totals = &result.totals;
    if totals.findings == 0 {
        return nothing_found(result, page);
    }

    let paint = if totals.extra_effects > 0 { Paint::Alarm } else { Paint::Warning };
    page.paragraph(2, paint, &texts.found(totals))?;
    for exposure in &totals.exposure {
        page.paragraph(2, Paint::Heading, &texts.net_exposure(exposure))?;
    }
    for exposure in &totals.possible_exposure {
        page.paragraph(2, Paint::Plain, &texts.possible_exposure(exposure))?;
    }
    if totals.exposure.is_empty() && totals.possible_exposure.is_empty() {
        page.paragraph(2, Paint::Plain, texts.words().no_amount)?;
    }

    if !result.batches.is_empty() {
        page.paragraph(2, Paint::Plain, &texts.batches(result.batches.len()))?;
    }
    if !result.incidents.is_empty() {
        page.paragraph(2, Paint::Plain, &texts.incidents(result.incidents.len()))?;
    }
    for batch in result.batches.iter().take(BATCHES) {
        page.hang(Line::new().plain(&format!("  {} ", batch.id)), Paint::Plain, &texts.batch(batch))?;
    }
    Ok(())
}

/// A zero that says what it rests on.
fn nothing_found(result: &ScanResult, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    let is_sound = result.is_quiet_night() || (result.ledger.used > 0 && !result.has_unlisted_outcomes());
    page.paragraph(2, if is_sound { Paint::Good } else { Paint::Warning }, &texts.nothing_found(result))
}
