//! The footer of a source's tables.

use super::regexes;
use crate::rules::draft::{ReadDraft, SourceDraft};
use crate::rules::problem::{Problems, did_you_mean, quoted};
use crate::rules::{Footer, Format};

const GROUPS: [&str; 2] = [Footer::COUNT, Footer::SUM];

/// None where the source names none.
pub(super) fn check(draft: &ReadDraft, problems: &mut Problems<'_>) -> Option<Footer> {
    let texts = draft.footer.as_deref().unwrap_or_default();
    let mut patterns = Vec::new();
    for text in texts {
        let Some(pattern) = regexes::plain(text, problems) else { continue };
        if pattern.is_match("") {
            let message = format!("expression {} matches an empty line", quoted(text.get_ref()));
            problems.add(text.span(), message, "write how the footer begins: '^Total'");
        }
        for group in pattern.capture_names().flatten().filter(|group| !GROUPS.contains(group)) {
            problems.add(text.span(), format!("a footer has no group {}", quoted(group)), did_you_mean(group, GROUPS));
        }
        patterns.push(pattern);
    }
    let tells_sum = patterns.iter().any(|pattern| pattern.capture_names().flatten().any(|group| group == Footer::SUM));
    match &draft.sum_column {
        Some(column) if !tells_sum && patterns.len() == texts.len() => {
            problems.add(column.span(), "no footer tells a sum", "name the sum in read.footer: 'Total: (?P<sum>.+)'");
        }
        None if tells_sum => {
            let span = texts.first().map_or(0..0, toml::Spanned::span);
            problems.add(span, "the footer tells a sum of no column", "set sum_column");
        }
        _ => {}
    }
    let sum_column = draft.sum_column.as_ref().map(|column| column.get_ref().clone());
    (!patterns.is_empty()).then_some(Footer { patterns, sum_column })
}

/// Only tables have footers.
pub(super) fn check_format(draft: &SourceDraft, format: Option<Format>, problems: &mut Problems<'_>) {
    if let (Some(footer), Some(Format::Ndjson | Format::Json | Format::Logfmt | Format::Text)) =
        (draft.read.footer.iter().flatten().next(), format)
    {
        problems.add(footer.span(), "\"footer\" is for tables", "remove it, or set format = \"csv\"");
    }
}
