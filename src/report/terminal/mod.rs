//! The `text` format: what a controller must know in ten seconds, then the findings, then what to do next.

mod card;
mod closing;
mod coverage;
mod decided;
mod finding;
mod headline;
mod page;
mod records;
mod table;

pub(super) use card::finding_card;

use super::mask::Masker;
use super::{Out, Style};
use crate::domain::report::Report;
use page::Page;
use std::io;

/// Findings told in full; the others are counted, and stand in every other format.
const TOP: usize = 10;

pub(super) fn write(report: &Report, mut masker: Masker, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let result = &report.result;
    let mut page = Page::new(style, out);
    coverage::write(result, &mut masker, &mut page)?;
    headline::write(result, report.run.night.as_ref(), &mut page)?;
    // Settled findings come last.
    let open = result.findings.open();
    if open > 0 {
        page.heading(&page.texts().shown_of(open.min(TOP), open))?;
    }
    for (at, finding) in result.findings.within(0..open.min(TOP)).enumerate() {
        finding::write(at + 1, &masker.finding(&finding), style, &mut page)?;
        page.blank()?;
    }
    decided::write(&result.findings, open, &mut masker, &mut page)?;
    closing::write(result, &mut masker, &mut page)
}
