//! What a picture or page says first: what was read and lost, what was found, and the money; each number with its place in the JSON.

use super::chart::MOST_ROWS;
use super::texts::{Counted, Texts, Words, number};
use crate::domain::finding::Exposure;
use crate::domain::report::{Ledger, ScanResult, SourceSummary};
use std::fmt::Display;

/// Characters of one value; a payload of a megabyte is nothing to read on a page.
const LONGEST: usize = 400;

/// A number of the result as the page tells it: where it stands in the JSON, and how it reads.
pub(super) struct Told {
    /// RFC 6901 pointer into the JSON result.
    pub(super) at: String,
    pub(super) text: String,
}

pub(super) fn told(at: impl Display, text: String) -> Told {
    Told { at: at.to_string(), text }
}

/// Text of at most [`LONGEST`] characters, with `…` where something is missing.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A part of the coverage strip.
pub(super) struct Strip {
    pub(super) paint: &'static str,
    pub(super) label: &'static str,
    pub(super) number: Told,
    pub(super) x: i64,
    pub(super) width: i64,
}

/// Time of the first and last event of all sources. RFC 3339 in UTC sorts as text.
pub(super) fn range(sources: &[SourceSummary], texts: &dyn Texts) -> String {
    let first = sources.iter().filter_map(|source| source.first.as_deref()).min();
    let last = sources.iter().filter_map(|source| source.last.as_deref()).max();
    match (first, last) {
        (Some(first), Some(last)) => texts.range(&texts.time(first), &texts.time(last)),
        _ => texts.words().no_time.into(),
    }
}

/// Units across the coverage strip, and the least of them that is still seen.
pub(super) const STRIP: i64 = 1_000;
const SEEN: i64 = 6;

/// The ledger as one bar. One rejected record among a million is seen: the largest part makes room for the others.
pub(super) fn strip(ledger: &Ledger, words: &'static Words) -> Vec<Strip> {
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

pub(super) fn troubles(result: &ScanResult, words: &'static Words) -> Vec<&'static str> {
    let faulty = result.sources.iter().flat_map(|source| &source.files).any(|file| file.fault.is_some());
    let unbalanced = (!result.ledger.balances()).then_some(words.unbalanced);
    unbalanced.into_iter().chain(faulty.then_some(words.incomplete)).collect()
}

pub(super) fn figures(result: &ScanResult, texts: &dyn Texts) -> Vec<(Told, &'static str, &'static str)> {
    let totals = &result.totals;
    let tone = |count: u64, tone| if count > 0 { tone } else { "good" };
    let figure = |name: &str, what, count, color| {
        (told(format_args!("/result/totals/{name}"), number(count)), texts.counted(what, count), tone(count, color))
    };
    let mut figures = vec![
        figure("findings", Counted::Findings, totals.findings, "main"),
        figure("extra_effects", Counted::ExtraEffects, totals.extra_effects, "bad"),
        figure("possible_extra_effects", Counted::PossibleEffects, totals.possible_extra_effects, "doubt"),
    ];
    if let Some(decided) = &totals.decided {
        let count = decided.findings;
        figures.push((told("/result/totals/decided/findings", number(count)), texts.counted(Counted::Decided, count), "main"));
    }
    figures
}

pub(super) fn exposure(sums: &[Exposure], texts: &dyn Texts) -> Vec<([Told; 4], &'static str)> {
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

pub(super) fn possible(sums: &[Exposure], texts: &dyn Texts) -> Vec<[Told; 2]> {
    let row = |(at, sum): (usize, &Exposure)| {
        let place = |name: &str| format!("/result/totals/possible_exposure/{at}/{name}");
        [told(place("currency"), short(&sum.currency)), told(place("net"), short(&texts.money(&sum.currency, &sum.net)))]
    };
    sums.iter().enumerate().take(MOST_ROWS).map(row).collect()
}

/// A zero that says what it rests on; None where something was found.
pub(super) fn nothing(result: &ScanResult, texts: &dyn Texts) -> Option<String> {
    (result.totals.findings == 0).then(|| texts.nothing_found(result))
}

#[cfg(test)]
mod tests {
    use super::{STRIP, widths};

    #[test]
    fn what_was_lost_is_seen_however_little_it_is() {
        assert_eq!(widths([1_000_000, 1, 0, 1], 1_000_002), [988, 6, 0, 6]);
        assert_eq!(widths([0, 0, 0, 7], 7), [0, 0, 0, 1_000]);
        assert_eq!(widths([0; 4], 0), [0; 4]);
        assert_eq!(widths([98, 0, 0, 0], 100), [980, 0, 0, 0], "two records are in no part");
        assert_eq!(widths([u64::MAX; 4], u64::MAX).iter().sum::<i64>(), STRIP);
    }
}
