//! The evidence card of one finding: all its records, the evidence as a waterfall, and what to check next.

use super::finding;
use super::page::{Line, Page, Paint, shown};
use super::records::{self, Detail};
use crate::domain::explanation::Meaning;
use crate::domain::finding::{Evidence, Finding};
use crate::report::Style;
use crate::report::texts::ABSENT;
use crate::report::{in_words, safe};
use std::io::{self, Write};

/// Longest bar of evidence.
const BAR: usize = 24;

/// Writes everything that is known about a finding, as it may be shown. Errors are those of `out`.
pub(in crate::report) fn finding_card(finding: &Finding, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    card(finding, style, &mut Page::new(style, &mut out))?;
    out.flush()
}

fn card(finding: &Finding, style: &Style, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    let words = texts.words();
    page.line(&Line::new().with(Paint::Heading, &finding.id))?;
    finding::facts(finding, style, page)?;
    page.heading(words.fingerprint)?;
    for (field, value) in &finding.fingerprint {
        let (paint, value) = value.as_deref().map_or((Paint::Faint, ABSENT), |value| (Paint::Plain, value));
        page.hang(Line::new().with(Paint::Faint, &format!("  {}  ", texts.field(field))), paint, value)?;
    }
    page.heading(words.records)?;
    page.paragraph(2, Paint::Plain, &texts.range(&finding.first, &finding.last))?;
    records::write(finding, Detail::Full, page)?;
    if in_words::raw(finding).next().is_some() {
        page.heading(words.raw)?;
    }
    for (place, raw) in in_words::raw(finding) {
        page.hang(Line::new().with(Paint::Faint, &format!("  {}  ", shown(&place))), Paint::Plain, &shown(raw))?;
    }
    page.heading(words.evidence)?;
    waterfall(finding, page)?;
    let known: Vec<&Meaning> =
        [finding.verdict.name(), finding.cause.code.as_str()].into_iter().filter_map(|code| style.meaning(code)).collect();
    if known.is_empty() {
        return Ok(());
    }
    page.heading(words.check)?;
    for meaning in known {
        page.paragraph(2, Paint::Heading, meaning.title)?;
        page.paragraph(4, Paint::Plain, &one_line(meaning.what_to_do))?;
        let alike = one_line(meaning.looks_alike);
        if !alike.is_empty() {
            page.hang(Line::new().with(Paint::Faint, &format!("    {}: ", words.looks_alike)), Paint::Plain, &alike)?;
        }
    }
    Ok(())
}

/// One bar for each piece of evidence, to the right for and `░` against, then the sum as a likelihood.
fn waterfall(finding: &Finding, page: &mut Page<'_>) -> io::Result<()> {
    let bar = BAR.min(page.width() / 4);
    let most = finding.evidence.iter().map(|evidence| evidence.bits.abs()).fold(0.0, f64::max);
    let name = finding
        .evidence
        .iter()
        .map(|evidence| safe::width(&shown(&page.texts().evidence(&evidence.code))))
        .max()
        .unwrap_or_default();
    let name = name.min(page.width() / 3);
    for Evidence { code, bits, text } in &finding.evidence {
        // A float only sets the length of a bar here.
        let length = if most > 0.0 { (bits.abs() / most * bar as f64).round() as usize } else { 0 };
        let (paint, block) = if *bits < 0.0 { (Paint::Good, "░") } else { (Paint::Alarm, "█") };
        let line = Line::new()
            .plain("  ")
            .plain(&safe::pad(&shown(&page.texts().evidence(code)), name))
            .plain(&format!(" {bits:>+6.1} "));
        page.line(&line.with(paint, &block.repeat(length.min(bar))))?;
        page.paragraph(4, Paint::Faint, &page.texts().sentence(text))?;
    }
    page.paragraph(2, Paint::Heading, &page.texts().sum(finding))
}

/// Texts of the catalogue are broken for the reader of the source; the page breaks them anew.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
