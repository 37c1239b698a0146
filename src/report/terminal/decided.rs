//! Findings that people have decided about: a line each.

use super::page::{Line, Page, Paint};
use crate::domain::findings::Findings;
use crate::report::mask::Masker;
use std::io;

/// Findings told; the others are counted, and stand in the JSON result.
const TOP: usize = 20;

/// Tells the findings from the place `open` on.
pub(super) fn write(findings: &Findings, open: usize, masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    let all = findings.len();
    if open >= all {
        return Ok(());
    }
    page.heading(page.texts().words().decided)?;
    for finding in findings.within(open..all.min(open + TOP)) {
        let finding = masker.finding(&finding);
        let decision = finding.decision.as_ref().map(|decision| page.texts().decision(decision)).unwrap_or_default();
        let told = format!("{}; {decision}", page.texts().stakes(&finding));
        page.hang(Line::new().plain(&format!("  {}  ", finding.id)), Paint::Plain, &told)?;
    }
    match (all - open).saturating_sub(TOP) {
        0 => Ok(()),
        left => page.paragraph(2, Paint::Faint, &page.texts().further_decided(left)),
    }
}
