//! Coverage: what was read and what became of it. It comes first, because a result is worth as much as its input.

use super::page::{Line, Page, Paint};
use super::table::Table;
use crate::domain::report::{FileSummary, Ledger, ScanResult, SourceSummary};
use crate::report::mask::Masker;
use crate::report::texts::{Texts, number};
use std::io;

/// Files whose faults or rejects are listed, and reasons for each.
const FILES: usize = 10;
const REASONS: usize = 3;

pub(super) fn write(result: &ScanResult, masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    page.line(&Line::new().with(Paint::Heading, texts.words().coverage))?;
    let files = result.sources.iter().map(|source| source.files.len() as u64).sum();
    let sources = result.sources.len() as u64;
    page.paragraph(2, Paint::Plain, &texts.ledger(files, sources, &result.ledger))?;
    let covered = range(&result.sources, texts);
    let has_times = result.sources.iter().any(|source| source.first.is_some());
    let covered = if has_times { format!("{covered}. {}", texts.words().utc) } else { covered };
    page.paragraph(2, Paint::Plain, &covered)?;
    if !result.ledger.balances() {
        page.paragraph(2, Paint::Alarm, texts.words().unbalanced)?;
    }
    if sources > 1 {
        sources_table(&result.sources, page)?;
    }
    troubles(&result.sources, masker, page)
}

/// Time of the first and last event of all sources. RFC 3339 in UTC sorts as text.
fn range(sources: &[SourceSummary], texts: &dyn Texts) -> String {
    let first = sources.iter().filter_map(|source| source.first.as_deref()).min();
    let last = sources.iter().filter_map(|source| source.last.as_deref()).max();
    match (first, last) {
        (Some(first), Some(last)) => texts.range(first, last),
        _ => texts.words().no_time.into(),
    }
}

fn sources_table(sources: &[SourceSummary], page: &mut Page<'_>) -> io::Result<()> {
    let mut table = Table::new(&page.texts().words().source_heads);
    for source in sources {
        let Ledger { read, used, ignored, repeated, rejected } = source.ledger;
        let lost = if rejected > 0 { Paint::Warning } else { Paint::Plain };
        let nothing = if used == 0 { Paint::Warning } else { Paint::Plain };
        table.row(vec![
            (Paint::Plain, source.name.clone()),
            (Paint::Plain, number(read)),
            (nothing, number(used)),
            (Paint::Plain, number(ignored)),
            (Paint::Plain, number(repeated)),
            (lost, number(rejected)),
        ]);
    }
    table.write(page)?;
    for source in sources {
        let range = range(std::slice::from_ref(source), page.texts());
        page.hang(Line::new().with(Paint::Faint, &format!("  {}: ", source.name)), Paint::Faint, &range)?;
    }
    Ok(())
}

/// Files that could not be read to their end, and rejected records by reason.
fn troubles(sources: &[SourceSummary], masker: &mut Masker, page: &mut Page<'_>) -> io::Result<()> {
    let texts = page.texts();
    let troubled = |file: &&FileSummary| file.fault.is_some() || file.ledger.rejected > 0;
    let files: Vec<&FileSummary> = sources.iter().flat_map(|source| &source.files).filter(troubled).collect();
    for file in files.iter().take(FILES) {
        let name = masker.text(&file.file);
        if let Some(fault) = &file.fault {
            // A fault names its file already; the place in front is for those that do not.
            let place = if fault.starts_with(file.file.as_str()) { String::new() } else { format!("{name}: ") };
            page.hang(mark(), Paint::Alarm, &format!("{place}{}", masker.text(fault)))?;
        }
        if file.ledger.rejected > 0 {
            page.hang(mark(), Paint::Warning, &texts.rejected(&name, file.ledger.rejected))?;
        }
        for reason in file.rejects.iter().take(REASONS) {
            let text = texts.reject(reason.records, &masker.text(&reason.reason), &masker.text(&reason.example));
            page.paragraph(6, Paint::Plain, &text)?;
        }
        if file.rejects.len() > REASONS {
            let more = texts.further_reasons(file.rejects.len() - REASONS);
            page.paragraph(6, Paint::Faint, &more)?;
        }
    }
    if files.len() > FILES {
        page.hang(mark(), Paint::Warning, &texts.further_troubled_files(files.len() - FILES))?;
    }
    if files.iter().any(|file| file.fault.is_some()) {
        page.hang(mark(), Paint::Alarm, texts.words().incomplete)?;
    }
    Ok(())
}

fn mark() -> Line {
    Line::new().with(Paint::Warning, "  ! ")
}
