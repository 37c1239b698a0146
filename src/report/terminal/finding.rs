//! One finding of the summary: verdict, money, cause and rule in words, then its records.

use super::page::{Line, Page, Paint};
use super::records::{self, Detail};
use crate::domain::finding::{Finding, Severity};
use crate::report::Style;
use std::io;

pub(super) fn write(place: usize, finding: &Finding, style: &Style, page: &mut Page<'_>) -> io::Result<()> {
    page.line(&Line::new().plain(&format!("{place:>3}. ")).with(Paint::Heading, &finding.id))?;
    facts(finding, style, page)?;
    records::write(finding, Detail::Summary, page)
}

/// What the finding says, without its records.
pub(super) fn facts(finding: &Finding, style: &Style, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    page.paragraph(5, paint(finding.severity), &texts.verdict_line(finding))?;
    page.paragraph(5, Paint::Heading, &texts.stakes(finding))?;
    let title = style.cause_title(&finding.cause.code);
    page.paragraph(5, Paint::Plain, &texts.cause(&title, &finding.cause.why))?;
    page.paragraph(5, Paint::Plain, &texts.rule(finding))?;
    if let Some(ties) = texts.ties(finding) {
        page.paragraph(5, Paint::Plain, &ties)?;
    }
    if let Some(decision) = &finding.decision {
        page.paragraph(5, Paint::Warning, &texts.decision(decision))?;
    }
    if finding.unread_records > 0 {
        page.paragraph(5, Paint::Warning, &texts.unread(finding.unread_records))?;
    }
    Ok(())
}

fn paint(severity: Severity) -> Paint {
    match severity {
        Severity::Critical | Severity::High => Paint::Alarm,
        Severity::Medium => Paint::Warning,
        Severity::Low | Severity::Info => Paint::Plain,
    }
}
