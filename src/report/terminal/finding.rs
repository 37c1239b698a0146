//! One finding of the summary: verdict, money, cause and rule in words, then its records.

use super::page::{Line, Page, Paint};
use super::records::{self, Detail};
use crate::domain::finding::{Finding, Severity};
use crate::report::Style;
use crate::report::texts;
use std::io;

pub(super) fn write(place: usize, finding: &Finding, style: &Style, page: &mut Page<'_>) -> io::Result<()> {
    page.line(&Line::new().plain(&format!("{place:>3}. ")).with(Paint::Heading, &finding.id))?;
    facts(finding, style, page)?;
    records::write(finding, Detail::Summary, page)
}

/// What the finding says, without its records.
pub(super) fn facts(finding: &Finding, style: &Style, page: &mut Page<'_>) -> io::Result<()> {
<<<<<<< HEAD
    let verdict =
        format!("{} ({}), severity {}", texts::verdict(finding.verdict), finding.verdict.name(), finding.severity.name());
    page.paragraph(5, paint(finding.severity), &verdict)?;
    page.paragraph(5, Paint::Heading, &stakes(finding))?;
    let cause = &finding.cause;
    let title = style.explanation(&cause.code).map_or_else(|| cause.code.replace('_', " "), |known| known.title.to_owned());
    let why = if cause.why.is_empty() { title } else { format!("{title}: {}", cause.why) };
    page.paragraph(5, Paint::Plain, &format!("cause: {why}"))?;
    let also = if finding.also.is_empty() { String::new() } else { format!(" (also {})", finding.also.join(", ")) };
    let rule = format!(
        "rule {}{also}; likelihood {}; {}",
        finding.rule,
        percent(finding.likelihood),
        texts::key_relation(finding.key_relation)
    );
    page.paragraph(5, Paint::Plain, &rule)?;
    let ties: Vec<String> = [("batch", &finding.batch), ("incident", &finding.incident)]
        .into_iter()
        .filter_map(|(name, id)| Some(format!("part of {name} {}", id.as_deref()?)))
        .collect();
    if !ties.is_empty() {
        page.paragraph(5, Paint::Plain, &ties.join(", "))?;
=======
    page.paragraph(5, paint(finding.severity), &texts::verdict_line(finding))?;
    page.paragraph(5, Paint::Heading, &texts::stakes(finding))?;
    let code = &finding.cause.code;
    let title = style
        .explanation(code)
        .map_or_else(|| code.replace('_', " "), |known| known.title.to_owned());
    page.paragraph(5, Paint::Plain, &texts::cause(&title, &finding.cause.why))?;
    page.paragraph(5, Paint::Plain, &texts::rule(finding))?;
    if let Some(ties) = texts::ties(finding) {
        page.paragraph(5, Paint::Plain, &ties)?;
>>>>>>> report
    }
    if finding.unread_records > 0 {
        page.paragraph(5, Paint::Warning, &texts::unread(finding.unread_records))?;
    }
    Ok(())
}

<<<<<<< HEAD
/// Extra effects and money: `1 extra effect, net EUR 59.00 (gross 70.00, reversed 11.00)`.
fn stakes(finding: &Finding) -> String {
    let effects = texts::effects(finding.extra_effects, finding.possible_extra_effects);
    let money: Vec<String> = finding
        .exposure
        .iter()
        .map(|exposure| {
            let net = money(&exposure.currency, &exposure.net);
            let gross = money(&exposure.currency, &exposure.gross);
            let reversed = money(&exposure.currency, &exposure.reversed);
            if exposure.net == exposure.gross {
                format!("net {net}")
            } else {
                format!("net {net} (gross {gross}, reversed {reversed})")
            }
        })
        .collect();
    if money.is_empty() { format!("{effects}, no amount known") } else { format!("{effects}, {}", money.join(", ")) }
}

=======
>>>>>>> report
fn paint(severity: Severity) -> Paint {
    match severity {
        Severity::Critical | Severity::High => Paint::Alarm,
        Severity::Medium => Paint::Warning,
        Severity::Low | Severity::Info => Paint::Plain,
    }
}
