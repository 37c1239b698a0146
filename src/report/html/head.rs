//! The page down to the first finding: coverage, headline, charts, filter.

use super::card::Index;
use super::{MOST_ROWS, Shown, Told, short, told};
use crate::domain::finding::Exposure;
use crate::domain::report::{FileSummary, Ledger, Report, ScanResult, SourceSummary};
use crate::report::chart::{self, Chart, Mark, WIDTH};
use crate::report::texts::{ABSENT, Texts, Words, number};
use crate::report::{Mask, Style};
use askama::Template;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = include_str!("page.js");

#[derive(Template)]
#[template(path = "head.html", config = "src/report/html/askama.toml")]
pub(super) struct Head {
    lang: &'static str,
    words: &'static Words,
    style: &'static str,
    style_hash: String,
    script_hash: String,
    masked: &'static str,
    headline: String,
    range: String,
    ledger: String,
    since_last: Option<String>,
    strip: Vec<Strip>,
    troubles: Vec<&'static str>,
    files: Vec<File>,
    further_files: Option<String>,
    figures: Vec<(Told, &'static str, &'static str)>,
    exposure: Vec<([Told; 4], &'static str)>,
    possible: Vec<[Told; 2]>,
    nothing: Option<String>,
    charts: Vec<Chart>,
    chart_width: i64,
    holds: String,
    filters: Vec<(&'static str, &'static str, Vec<String>)>,
    sections: Vec<(&'static str, &'static str)>,
}

/// A part of the coverage strip.
struct Strip {
    paint: &'static str,
    label: &'static str,
    number: Told,
    x: i64,
    width: i64,
}

struct File {
    source: String,
    file: String,
    format: String,
    numbers: Vec<Told>,
    first: String,
    last: String,
    remarks: Vec<String>,
    troubled: &'static str,
}

impl Head {
    pub(super) fn of(report: &Report, index: &Index, shown: &Shown, style: &Style) -> Self {
        let (result, texts) = (&report.result, style.texts());
        let words = texts.words();
        let files: usize = result.sources.iter().map(|source| source.files.len()).sum();
        let choice = |name, label, options: Vec<String>| (name, label, options);
        Self {
            lang: style.language.code(),
            words,
            style: STYLE,
            style_hash: hash(STYLE),
            script_hash: hash(SCRIPT),
            masked: if style.mask == Mask::On { words.masked } else { words.revealed },
            headline: texts.found(&result.totals),
            range: range(&result.sources, texts),
            ledger: texts.ledger(files as u64, result.sources.len() as u64, &result.ledger),
            since_last: report.run.night.as_ref().map(|night| texts.since_last(&night.changes)),
            strip: strip(&result.ledger, words),
            troubles: troubles(result, words),
            files: file_rows(result, texts),
            further_files: (files > MOST_ROWS).then(|| texts.further_rows(files - MOST_ROWS)),
            figures: figures(result, words),
            exposure: exposure(&result.totals.exposure, texts),
            possible: possible(&result.totals.possible_exposure, texts),
            nothing: nothing(result, texts),
            charts: chart::all(&counted(result), style),
            chart_width: WIDTH,
            holds: texts.page_holds(shown.cards, shown.full, result.findings.len() as u64),
            filters: vec![
                choice("v", words.verdict, index.verdicts.iter().map(|verdict| texts.verdict(*verdict).to_owned()).collect()),
                choice("r", words.rule, index.rules.iter().map(|rule| short(rule)).collect()),
                choice("s", words.source, index.sources.iter().map(|source| short(source)).collect()),
                choice(
                    "c",
                    words.cause,
                    index
                        .causes
                        .iter()
                        .map(|code| {
                            style.meaning(code).map_or_else(|| short(&code.replace('_', " ")), |known| known.title.to_owned())
                        })
                        .collect(),
                ),
                choice("m", words.currency, index.currencies.iter().map(|currency| short(currency)).collect()),
            ],
            sections: sections(result, words),
        }
    }
}

/// The hash of an inline style or script, as a content security policy names it (CSP Level 3, 2.3.1).
fn hash(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for sextet in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * sextet)) as usize & 63).copied().unwrap_or(b'=');
            text.push(if sextet > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// Time of the first and last event of all sources. RFC 3339 in UTC sorts as text.
fn range(sources: &[SourceSummary], texts: &dyn Texts) -> String {
    let first = sources.iter().filter_map(|source| source.first.as_deref()).min();
    let last = sources.iter().filter_map(|source| source.last.as_deref()).max();
    match (first, last) {
        (Some(first), Some(last)) => texts.range(&texts.time(first), &texts.time(last)),
        _ => texts.words().no_time.into(),
    }
}

/// Units across the coverage strip, and the least of them that is still seen.
const STRIP: i64 = 1_000;
const SEEN: i64 = 6;

/// The ledger as one bar. One rejected record among a million is seen: the largest part makes room for the others.
fn strip(ledger: &Ledger, words: &'static Words) -> Vec<Strip> {
    let Ledger { used, ignored, repeated, rejected, .. } = *ledger;
    let [_, _, used_label, ignored_label, repeated_label, rejected_label] = words.source_heads;
    let parts = [
        ("good", used_label, "used", used),
        ("quiet", ignored_label, "ignored", ignored),
        ("main", repeated_label, "repeated", repeated),
        ("bad", rejected_label, "rejected", rejected),
    ];
    let widths = widths(parts.map(|(.., count)| count), ledger.read);
    let mut x = 0;
    let strip = |((paint, label, name, count), width)| {
        let part = Strip { paint, label, number: told(format_args!("/result/ledger/{name}"), number(count)), x, width };
        x += width;
        part
    };
    parts.into_iter().zip(widths).map(strip).collect()
}

/// Units for each of these parts of `read`. What is read and in no part stays empty, and is seen too.
fn widths<const N: usize>(parts: [u64; N], read: u64) -> [i64; N] {
    let all: u128 = parts.iter().copied().map(u128::from).sum();
    let whole = all.max(u128::from(read)).max(1);
    let units = |part: u128| match part {
        0 => 0,
        part => i64::try_from(part * STRIP.unsigned_abs() as u128 / whole).unwrap_or(STRIP).max(SEEN),
    };
    let mut widths = parts.map(|part| units(u128::from(part)));
    let rest = STRIP - units(whole - all) - widths.iter().sum::<i64>();
    let largest = (0..N).max_by_key(|at| parts.get(*at)).and_then(|at| widths.get_mut(at));
    if let Some(largest) = largest.filter(|_| all > 0) {
        *largest += rest;
    }
    widths
}

fn troubles(result: &ScanResult, words: &'static Words) -> Vec<&'static str> {
    let faulty = result.sources.iter().flat_map(|source| &source.files).any(|file| file.fault.is_some());
    let unbalanced = (!result.ledger.balances()).then_some(words.unbalanced);
    unbalanced.into_iter().chain(faulty.then_some(words.incomplete)).collect()
}

fn file_rows(result: &ScanResult, texts: &dyn Texts) -> Vec<File> {
    let files = result.sources.iter().enumerate().flat_map(|(source_at, source)| {
        source
            .files
            .iter()
            .enumerate()
            .map(move |(file_at, file)| (source, file, format!("/result/sources/{source_at}/files/{file_at}")))
    });
    let time = |time: &Option<String>| time.as_deref().map_or(ABSENT.to_owned(), |time| texts.time(time));
    let row = |(source, file, at): (&SourceSummary, &FileSummary, String)| {
        let Ledger { read, used, ignored, repeated, rejected } = file.ledger;
        let counts = [("read", read), ("used", used), ("ignored", ignored), ("repeated", repeated), ("rejected", rejected)];
        let rejects = file
            .rejects
            .iter()
            .take(5)
            .map(|reject| texts.reject(reject.records, &short(&reject.reason), &short(&reject.example)));
        let further = file.rejects.len().checked_sub(6).map(|more| texts.further_reasons(more + 1));
        let remarks: Vec<String> = file.fault.as_deref().map(short).into_iter().chain(rejects).chain(further).collect();
        File {
            source: short(&source.name),
            file: short(&file.file),
            format: short(&file.format),
            numbers: counts.map(|(name, count)| told(format_args!("{at}/ledger/{name}"), number(count))).into_iter().collect(),
            first: time(&file.first),
            last: time(&file.last),
            troubled: if file.fault.is_some() || rejected > 0 { "troubled" } else { "" },
            remarks: if remarks.is_empty() { vec![texts.words().complete.to_owned()] } else { remarks },
        }
    };
    files.take(MOST_ROWS).map(row).collect()
}

fn figures(result: &ScanResult, words: &'static Words) -> Vec<(Told, &'static str, &'static str)> {
    let totals = &result.totals;
    let tone = |count: u64, tone| if count > 0 { tone } else { "good" };
    let mut figures = vec![
        (told("/result/totals/findings", number(totals.findings)), words.findings, tone(totals.findings, "main")),
        (
            told("/result/totals/extra_effects", number(totals.extra_effects)),
            words.extra_effects,
            tone(totals.extra_effects, "bad"),
        ),
        (
            told("/result/totals/possible_extra_effects", number(totals.possible_extra_effects)),
            words.possible_effects,
            tone(totals.possible_extra_effects, "doubt"),
        ),
    ];
    if let Some(decided) = &totals.decided {
        figures.push((told("/result/totals/decided/findings", number(decided.findings)), words.decided_findings, "main"));
    }
    figures
}

fn exposure(sums: &[Exposure], texts: &dyn Texts) -> Vec<([Told; 4], &'static str)> {
    let row = |(at, sum): (usize, &Exposure)| {
        let cell = |name: &str, amount: &str| {
            told(format_args!("/result/totals/exposure/{at}/{name}"), short(&texts.money(&sum.currency, amount)))
        };
        let currency = told(format_args!("/result/totals/exposure/{at}/currency"), short(&sum.currency));
        let nothing_open = sum.net.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let cells = [currency, cell("gross", &sum.gross), cell("reversed", &sum.reversed), cell("net", &sum.net)];
        (cells, if nothing_open { "good" } else { "bad" })
    };
    sums.iter().enumerate().take(MOST_ROWS).map(row).collect()
}

fn possible(sums: &[Exposure], texts: &dyn Texts) -> Vec<[Told; 2]> {
    let row = |(at, sum): (usize, &Exposure)| {
        let place = |name: &str| format!("/result/totals/possible_exposure/{at}/{name}");
        [told(place("currency"), short(&sum.currency)), told(place("net"), short(&texts.money(&sum.currency, &sum.net)))]
    };
    sums.iter().enumerate().take(MOST_ROWS).map(row).collect()
}

/// The result without the findings that a decision settles: charts draw what the totals count.
fn counted(result: &ScanResult) -> Cow<'_, ScanResult> {
    if result.totals.decided_findings() == 0 {
        return Cow::Borrowed(result);
    }
    let mut counted = result.clone();
    counted.findings.retain(|finding| !finding.is_decided());
    Cow::Owned(counted)
}

/// A zero that says what it rests on; None where something was found.
fn nothing(result: &ScanResult, texts: &dyn Texts) -> Option<String> {
    let words = texts.words();
    match (result.totals.findings, &result.ledger) {
        (1.., _) => None,
        (_, Ledger { read: 0, .. }) => Some(words.nothing_read.to_owned()),
        (_, Ledger { used: 0, .. }) => Some(words.nothing_used.to_owned()),
        (_, Ledger { used, .. }) => Some(texts.no_findings(*used, result.totals.decided_findings())),
    }
}

fn sections(result: &ScanResult, words: &'static Words) -> Vec<(&'static str, &'static str)> {
    let when = |filled: bool, id, name| filled.then_some((id, name));
    [
        Some(("coverage", words.coverage)),
        Some(("result", words.result)),
        when(!result.findings.is_empty(), "charts", words.charts),
        Some(("findings", words.findings)),
        when(!result.health.is_empty(), "health", words.health),
        when(!result.batches.is_empty(), "batches", words.batches),
        when(!result.incidents.is_empty(), "incidents", words.incidents),
        when(!result.notes.is_empty(), "notes", words.notes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{STRIP, base64, widths};

    #[test]
    fn base64_of_rfc_4648() {
        let told = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, encoded) in told {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }

    #[test]
    fn what_was_lost_is_seen_however_little_it_is() {
        assert_eq!(widths([1_000_000, 1, 0, 1], 1_000_002), [988, 6, 0, 6]);
        assert_eq!(widths([0, 0, 0, 7], 7), [0, 0, 0, 1_000]);
        assert_eq!(widths([0; 4], 0), [0; 4]);
        assert_eq!(widths([98, 0, 0, 0], 100), [980, 0, 0, 0], "two records are in no part");
        assert_eq!(widths([u64::MAX; 4], u64::MAX).iter().sum::<i64>(), STRIP);
    }
}
