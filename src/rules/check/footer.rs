//! The footer of a source's tables.

use super::regexes;
use crate::rules::draft::{ReadDraft, SourceDraft, Words};
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

/// Only tables have footers, sheets, rows of several types and rows that continue others.
pub(super) fn check_format(draft: &SourceDraft, format: Option<Format>, problems: &mut Problems<'_>) {
    let Some(format) = format else { return };
    let read = &draft.read;
    let first = |texts: &Option<Vec<Words>>| texts.iter().flatten().next().map(toml::Spanned::span);
    let own = |words: &[Words]| words.first().map_or(draft.span.clone(), toml::Spanned::span);
    let tables = [Format::Csv, Format::Workbook, Format::Html];
    let given = [
        ("footer", first(&read.footer), tables.as_slice()),
        ("preamble", first(&read.preamble), &tables),
        ("continues", read.continues.as_ref().map(|continues| own(&continues.items)), &tables),
        ("record_types", read.record_types.as_ref().map(|types| own(&types.data)), &[Format::Csv]),
        // A workbook is read as one whatever `format` says.
        ("sheet", read.sheet.as_ref().map(toml::Spanned::span), &[Format::Workbook, Format::Csv]),
    ];
    for (key, span, formats) in given {
        if let Some(span) = span.filter(|_| !formats.contains(&format)) {
            let message = format!("{} does nothing with format {}", quoted(key), quoted(format.name()));
            problems.add(span, message, "remove it, or set another format");
        }
    }
}
