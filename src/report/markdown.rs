//! The `markdown` format: a result that can be pasted into a ticket or a chat, and read there as it is meant.
//!
//! Nothing from a log is markup here: what Markdown, HTML or a chat would obey is escaped, links and mentions with it.

use super::in_words;
use super::mask::cards;
use super::safe;
use super::texts::{Texts, number, share};
use super::{Out, Style, Told};
use crate::domain::finding::Finding;
use crate::domain::report::SourceSummary;
use crate::domain::report::{Health, ScanResult};
use std::io::{self, Write};

/// Findings, and lines of every other list; a ticket is no archive.
const TOP: usize = 20;
/// Characters of a line's text.
const LONGEST: usize = 300;

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let (result, findings, texts) = (&told.frame.result, &told.unmasked().result.findings, style.texts());
    let mut masker = told.masker();
    let words = texts.words();
    heading(out, 1, words.title)?;
    headline(result, texts, out)?;
    if let Some(night) = &told.frame.run.night {
        writeln!(out, "{}\n", escaped(&texts.since_last(&night.changes)))?;
    }
    heading(out, 2, words.coverage)?;
    coverage(result, texts, out)?;
    // Settled findings come last.
    let open = findings.iter().take_while(|finding| !finding.is_decided()).count();
    if open > 0 {
        heading(out, 2, &texts.shown_of(open.min(TOP), open))?;
    }
    for finding in findings.iter().take(open.min(TOP)) {
        one(&masker.finding(finding), style, out)?;
    }
    let decided = findings.get(open..).unwrap_or_default();
    if !decided.is_empty() {
        heading(out, 2, words.decided)?;
        list(decided, texts, out, |finding| {
            let finding = masker.finding(finding);
            let decision = finding.decision.as_ref().map(|decision| texts.decision(decision)).unwrap_or_default();
            format!("{} {}; {decision}", finding.id, texts.stakes(&finding))
        })?;
    }
    if !result.health.is_empty() {
        heading(out, 2, words.health)?;
        list(&result.health, texts, out, |health| health_line(health, texts))?;
    }
    if !result.incidents.is_empty() {
        heading(out, 2, words.incidents)?;
        list(&result.incidents, texts, out, |incident| {
            format!("{} {}={}: {}", incident.id, incident.field, incident.value, incident.findings.join(", "))
        })?;
    }
    if !result.notes.is_empty() {
        heading(out, 2, words.notes)?;
        list(&result.notes, texts, out, |note| format!("{} ({})", texts.sentence(&note.message), note.code))?;
    }
    Ok(())
}

fn headline(result: &ScanResult, texts: &dyn Texts, out: &mut Out<'_>) -> io::Result<()> {
    let totals = &result.totals;
    if totals.findings == 0 {
        return writeln!(out, "{}\n", escaped(&texts.nothing_found(result)));
    }
    writeln!(out, "**{}**\n", escaped(&texts.found(totals)))?;
    list(&totals.exposure, texts, out, |sum| texts.net_exposure(sum))?;
    list(&totals.possible_exposure, texts, out, |sum| texts.possible_exposure(sum))?;
    list(&result.batches, texts, out, |batch| format!("{} {}", batch.id, texts.batch(batch)))
}

fn coverage(result: &ScanResult, texts: &dyn Texts, out: &mut Out<'_>) -> io::Result<()> {
    let words = texts.words();
    let files = result.sources.iter().map(|source| source.files.len() as u64).sum();
    writeln!(out, "{}\n", escaped(&texts.ledger(files, result.sources.len() as u64, &result.ledger)))?;
    list(&result.sources, texts, out, |source| source_line(source, texts))?;
    writeln!(out, "{}\n", escaped(words.utc))?;
    let faults: Vec<String> = result
        .sources
        .iter()
        .flat_map(|source| &source.files)
        .filter_map(|file| Some(format!("{}: {}", file.file, file.fault.as_deref()?)))
        .collect();
    list(&faults, texts, out, String::clone)?;
    let troubles = [(!result.ledger.balances()).then_some(words.unbalanced), (!faults.is_empty()).then_some(words.incomplete)];
    for trouble in troubles.into_iter().flatten() {
        writeln!(out, "**{}**\n", escaped(trouble))?;
    }
    Ok(())
}

fn source_line(source: &SourceSummary, texts: &dyn Texts) -> String {
    let when = match (&source.first, &source.last) {
        (Some(first), Some(last)) => texts.range(first, last),
        _ => texts.words().no_time.to_owned(),
    };
    let rejected = match source.ledger.rejected {
        0 => String::new(),
        rejected => format!("; {}", texts.rejected(&source.name, rejected)),
    };
    format!("{}: {}, {when}{rejected}", source.name, texts.records(source.ledger.read))
}

fn health_line(health: &Health, texts: &dyn Texts) -> String {
    let [_, attempts, keyed, ..] = texts.words().health_heads;
    let with_key = share(health.with_key, health.attempts);
    format!("{} ({attempts}: {}, {keyed}: {with_key})", texts.health(health), number(health.attempts))
}

/// A finding as a list of what must be known to act on it.
fn one(finding: &Finding, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let texts = style.texts();
    heading(out, 3, &finding.id)?;
    list(&in_words::facts(finding, style), texts, out, String::clone)?;
    list(&finding.records, texts, out, |record| in_words::record(record, texts))?;
    let raw: Vec<(String, &str)> = in_words::raw(finding).collect();
    list(&raw, texts, out, |(place, raw)| format!("{place}: {raw}"))
}

/// A list of at most [`TOP`] lines, and how many more there are.
fn list<T>(items: &[T], texts: &dyn Texts, out: &mut Out<'_>, mut line: impl FnMut(&T) -> String) -> io::Result<()> {
    for item in items.iter().take(TOP) {
        writeln!(out, "* {}", escaped(&line(item)))?;
    }
    if items.len() > TOP {
        writeln!(out, "* {}", escaped(&texts.further_rows(items.len() - TOP)))?;
    }
    if items.is_empty() { Ok(()) } else { writeln!(out) }
}

fn heading(out: &mut Out<'_>, level: usize, text: &str) -> io::Result<()> {
    writeln!(out, "{} {}\n", "#".repeat(level), escaped(text))
}

/// Text that stays text: punctuation that makes markup (CommonMark 0.31, 2.4) behind a backslash; as entities what a chat obeys even
/// so, angle brackets and ampersands, and what is made a link or a mention without any markup: `@`, `://`, `//`, `www.`.
fn escaped(text: &str) -> String {
    let shown = safe::visible(&cards(text)).into_owned();
    let cut = shown.char_indices().nth(LONGEST).map_or(shown.len(), |(at, _)| at);
    let mut out = String::with_capacity(shown.len() + 16);
    let mut rest = shown.get(..cut).unwrap_or_default().trim();
    while let Some(c) = rest.chars().next() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => out.extend(['\\', c]),
            '+' | '-' | '=' if out.is_empty() => out.extend(['\\', c]),
            '.' | ')' if is_number(&out) => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            ':' if rest.starts_with("://") => out.push_str("&#58;"),
            '/' if rest.starts_with("//") && !out.ends_with("&#58;") => out.push_str("&#47;"),
            '.' if out.get(out.len().saturating_sub(3)..).is_some_and(|end| end.eq_ignore_ascii_case("www")) => {
                out.push_str("&#46;");
            }
            c => out.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    if cut < shown.len() {
        out.push('…');
    }
    out
}

/// True where a full stop would make the line an item of a numbered list.
fn is_number(before: &str) -> bool {
    before.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_becomes_markup() {
        let told = [
            ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("<!channel> @here", "&lt;\\!channel&gt; &#64;here"),
            ("see https://example.org or www.example.org", "see https&#58;//example.org or www&#46;example.org"),
            ("//example.org/x and ///y", "&#47;/example.org/x and &#47;&#47;/y"),
            ("- item", "\\- item"),
            ("12. item", "12\\. item"),
            ("**bold** `code` _it_", "\\*\\*bold\\*\\* \\`code\\` \\_it\\_"),
            ("TL-0f3a: EUR 59.00, 2026-03-02", "TL-0f3a: EUR 59.00, 2026-03-02"),
            ("2026-03-02", "2026-03-02"),
        ];
        for (text, expected) in told {
            assert_eq!(escaped(text), expected);
        }
    }
}
