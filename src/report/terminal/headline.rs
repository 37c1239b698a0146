//! The headline: how many findings, how many extra effects, how much money.

use super::page::{Line, Page, Paint};
use crate::domain::finding::{Exposure, Finding, Verdict};
use crate::domain::report::ScanResult;
use crate::report::texts::{self, money, plural};
use rust_decimal::Decimal;
use std::io;

pub(super) fn write(result: &ScanResult, page: &mut Page<'_>) -> io::Result<()> {
    page.heading("Result")?;
    let totals = &result.totals;
    if totals.findings == 0 {
        return nothing_found(result, page);
    }
    let effects = texts::effects(totals.extra_effects, totals.possible_extra_effects);
    let paint = if totals.extra_effects > 0 {
        Paint::Alarm
    } else {
        Paint::Warning
    };
    page.paragraph(
        2,
        paint,
        &format!("{}: {effects}", plural(totals.findings, "finding", "findings")),
    )?;
    for exposure in &totals.exposure {
        let possible = possible_net(&result.findings, &exposure.currency);
        page.paragraph(2, Paint::Heading, &format!("net exposure {}", net_of(exposure, possible)))?;
    }
    if totals.exposure.is_empty() {
        page.paragraph(2, Paint::Plain, "no amount on these records, so no exposure")?;
    }
    let batches = plural(result.batches.len() as u64, "batch", "batches");
    let incidents = plural(result.incidents.len() as u64, "incident", "incidents");
    if !result.batches.is_empty() {
        page.paragraph(2, Paint::Plain, &format!("{batches} (a file or job run twice)"))?;
    }
    if !result.incidents.is_empty() {
        page.paragraph(
            2,
            Paint::Plain,
            &format!("{incidents} (several findings about one business id)"),
        )?;
    }
    for batch in &result.batches {
        let money: Vec<String> = batch
            .exposure
            .iter()
            .map(|exposure| money(&exposure.currency, &exposure.net))
            .collect();
        let [first, last] = &batch.repeats;
        let text = format!(
            "{} of rule {}, repeated after {} s between {first} and {last}; net {}",
            plural(batch.findings, "finding", "findings"),
            batch.rule,
            batch.lag_seconds,
            if money.is_empty() {
                texts::ABSENT.to_owned()
            } else {
                money.join(", ")
            },
        );
        page.hang(Line::new().plain(&format!("  {} ", batch.id)), Paint::Plain, &text)?;
    }
    Ok(())
}

/// A zero that says what it rests on.
fn nothing_found(result: &ScanResult, page: &mut Page<'_>) -> io::Result<()> {
    if result.ledger.read == 0 {
        page.paragraph(2, Paint::Warning, texts::NOTHING_READ)
    } else if result.ledger.used == 0 {
        page.paragraph(2, Paint::Warning, texts::NOTHING_USED)
    } else {
        page.paragraph(2, Paint::Good, &texts::no_findings(result.ledger.used))
    }
}

/// `EUR 59.00 (gross 70.00, reversed 11.00; EUR 10.00 of it only possible)`
fn net_of(exposure: &Exposure, possible: Option<Decimal>) -> String {
    let Exposure {
        currency,
        gross,
        reversed,
        net,
    } = exposure;
    let possible = match possible {
        Some(possible) if possible.is_zero() => String::new(),
        Some(possible) => format!("; {} of it only possible, not proven", texts::money_of(currency, possible)),
        None => "; how much of it is only possible cannot be told".into(),
    };
    format!(
        "{} (gross {}, reversed {}{possible})",
        money(currency, net),
        money(currency, gross),
        money(currency, reversed)
    )
}

/// Net of the possible duplicates in one currency; None when an amount cannot be read.
fn possible_net(findings: &[Finding], currency: &str) -> Option<Decimal> {
    let possible = findings
        .iter()
        .filter(|finding| finding.verdict == Verdict::PossibleDuplicate);
    possible
        .flat_map(|finding| &finding.exposure)
        .filter(|exposure| exposure.currency == currency)
        .try_fold(Decimal::ZERO, |sum, exposure| sum.checked_add(exposure.net.parse().ok()?))
}
