//! The page down to the first finding: coverage, headline, charts, filter.

use super::card::Index;
use super::{MOST_ROWS, Shown, Told, short, told};
use crate::domain::report::{FileSummary, Ledger, ScanResult, SourceSummary};
use crate::report::chart::{self, Chart, Mark, WIDTH};
use crate::report::headline::{Strip, exposure, figures, nothing, possible, range, strip, troubles};
use crate::report::texts::{ABSENT, Texts, Words, number};
use crate::report::{Style, telling};
use askama::Template;
use sha2::{Digest, Sha256};

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
    masked: String,
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
    pub(super) fn of(report: &telling::Told<'_>, index: &Index, shown: &Shown, style: &Style) -> Self {
        let (result, texts) = (&report.frame.result, style.texts());
        let findings = report.unmasked().result.findings.len();
        let words = texts.words();
        let files: usize = result.sources.iter().map(|source| source.files.len()).sum();
        let nothing = nothing(result, texts);
        let mut charts = chart::all(report, style);
        // Where nothing was found, only what has something to show speaks: how much was read when, how repeats behaved.
        charts.retain(|chart| nothing.is_none() || chart.drawing.is_some());
        let choice = |name, label, options: Vec<String>| (name, label, options);
        Self {
            lang: style.language.code(),
            words,
            style: STYLE,
            style_hash: hash(STYLE),
            script_hash: hash(SCRIPT),
            masked: report.privacy(words),
            headline: texts.found(&result.totals),
            range: range(&result.sources, texts),
            ledger: texts.ledger(files as u64, result.sources.len() as u64, &result.ledger),
            since_last: report.frame.run.night.as_ref().map(|night| texts.since_last(&night.changes)),
            strip: strip(&result.ledger, words),
            troubles: troubles(result, words),
            files: file_rows(result, texts),
            further_files: (files > MOST_ROWS).then(|| texts.further_rows(files - MOST_ROWS)),
            figures: figures(result, texts),
            exposure: exposure(&result.totals.exposure, texts),
            possible: possible(&result.totals.possible_exposure, texts),
            sections: sections(result, charts.len(), words),
            nothing,
            charts,
            chart_width: WIDTH,
            holds: texts.page_holds(shown.cards, shown.full, findings as u64),
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

fn sections(result: &ScanResult, charts: usize, words: &'static Words) -> Vec<(&'static str, &'static str)> {
    let when = |filled: bool, id, name| filled.then_some((id, name));
    [
        Some(("coverage", words.coverage)),
        Some(("result", words.result)),
        when(charts > 0, "charts", words.charts),
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
    use super::base64;

    #[test]
    fn base64_of_rfc_4648() {
        let told = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, encoded) in told {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }
}
