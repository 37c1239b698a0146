//! What must hold whatever the log: order, files, packing, formats, threads and memory change nothing, and no row is lost.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "laws/log.rs"]
mod log;
#[path = "laws/windows.rs"]
mod windows;

use log::{ENOUGH, Files, Row, Shape, difference, gzip, rows, rules, scan, told};
use proptest::prelude::*;
use std::collections::BTreeSet;
use twicelog::domain::Verdict;
use twicelog::domain::finding::Finding;
use twicelog::domain::report::Ledger;
use twicelog::rules::Rules;
use twicelog::scan::Scanned;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Cuts at these places (as shares of the whole), one part for each cut and one more.
fn cut<'r>(rows: &'r [Row], cuts: &[usize]) -> Vec<&'r [Row]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (rows.len() + 1)).chain([0, rows.len()]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| &rows[pair[0]..pair[1]]).collect()
}

/// Packed in one of three ways, by number.
fn packed(number: usize, bytes: Vec<u8>) -> Vec<u8> {
    match number % 3 {
        0 => bytes,
        1 => gzip(&bytes),
        _ => zstd::encode_all(bytes.as_slice(), 1).unwrap(),
    }
}

/// The rules of the logs, each of them once more under another name.
fn rules_twice() -> Rules {
    let text = log::text(Shape::Csv);
    let (_, rules) = text.split_once("[[rule]]").unwrap();
    log::load(&format!("{text}\n[[rule]]{}", rules.replace("id = \"", "id = \"again-")))
}

fn scan_parts(parts: &[Vec<Row>], shape: Shape) -> Scanned {
    let packed = parts.iter().enumerate().map(|(number, part)| packed(number, shape.write(part)));
    Files::new(packed).scan(&rules(shape), 2, ENOUGH)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn shuffled_rows_give_the_same_findings((rows, shuffled) in rows(80).prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))) {
        prop_assert_eq!(difference(&told(&scan(&shuffled, Shape::Csv)), &told(&scan(&rows, Shape::Csv))), None);
    }

    #[test]
    fn a_log_in_several_files_gives_the_same_findings(rows in rows(80), cuts in prop::collection::vec(any::<usize>(), 0..8)) {
        let parts: Vec<Vec<Row>> = cut(&rows, &cuts).into_iter().map(<[Row]>::to_vec).collect();
        let whole = scan(&rows, Shape::Csv);
        let scanned = scan_parts(&parts, Shape::Csv);
        prop_assert_eq!(difference(&told(&scanned), &told(&whole)), None);
        prop_assert_eq!(scanned.result.ledger, whole.result.ledger);
    }

    #[test]
    fn overlapping_files_give_the_same_findings(rows in rows(80), cuts in prop::collection::vec(any::<usize>(), 1..8), shape in prop::sample::select(vec![Shape::Csv, Shape::Ndjson])) {
        let mut parts: Vec<Vec<Row>> = cut(&rows, &cuts).into_iter().map(<[Row]>::to_vec).collect();
        let last = parts.len() - 1;
        let mut again = 0;
        // Every fifth row stands in another file too.
        for number in 0..=last {
            let twice: Vec<Row> = parts[number].iter().filter(|row| row.serial % 5 == 0 && row.serial / 5 % (last + 1) != number).cloned().collect();
            for row in twice {
                again += 1;
                parts[row.serial / 5 % (last + 1)].push(row);
            }
        }
        let whole = scan(&rows, shape);
        let scanned = scan_parts(&parts, shape);
        prop_assert_eq!(difference(&told(&scanned), &told(&whole)), None);
        let expected = Ledger { read: rows.len() as u64 + again, repeated: again, ..whole.result.ledger };
        prop_assert_eq!(scanned.result.ledger, expected);
    }

    #[test]
    fn every_format_gives_the_same_findings(rows in rows(80)) {
        let csv = told(&scan(&rows, Shape::Csv));
        for shape in Shape::ALL {
            prop_assert_eq!(difference(&told(&scan(&rows, shape)), &csv), None, "{:?}", shape);
        }
    }

    /// Rules that compare the same share what is kept of a record. Quiet groups are told once for each rule.
    #[test]
    fn a_rule_that_stands_twice_finds_the_same(rows in rows(80)) {
        let (mut once, mut twice) = (scan(&rows, Shape::Csv), Files::new([Shape::Csv.write(&rows)]).scan(&rules_twice(), 2, ENOUGH));
        twice.result.findings.retain(|finding| !finding.rule.starts_with("again-"));
        for finding in &mut twice.result.findings {
            prop_assert_eq!(finding.also.contains(&format!("again-{}", finding.rule)), finding.verdict.is_reported());
            finding.also.retain(|rule| !rule.starts_with("again-"));
        }
        for result in [&mut once.result, &mut twice.result] {
            result.totals.verdicts.clear();
            result.health.clear();
        }
        prop_assert_eq!(difference(&told(&twice), &told(&once)), None);
    }

    #[test]
    fn threads_and_memory_change_nothing(rows in rows(200), cuts in prop::collection::vec(any::<usize>(), 0..4)) {
        let files = Files::new(cut(&rows, &cuts).into_iter().map(|part| Shape::Csv.write(part)));
        let rules = rules(Shape::Csv);
        let once = files.scan(&rules, 1, ENOUGH).result;
        for (threads, max_memory) in [(2, ENOUGH), (8, ENOUGH), (1, 0), (8, 0)] {
            prop_assert_eq!(&files.scan(&rules, threads, max_memory).result, &once, "{} threads, {} bytes", threads, max_memory);
        }
    }
}

/// What is put into a log for a customer of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Planted {
    /// Two payments within the window.
    Duplicate,
    /// One payment.
    Single,
    /// Two payments, a second more than the window apart.
    TooFar,
    /// The same payment told again.
    SafeReplay,
    /// Declined, and paid at the second try.
    RetriedFailure,
    /// Two payments of different amounts.
    OtherAmount,
}

const WINDOW: u32 = 600;

impl Planted {
    fn rows(self, number: usize, second: u32, gap: u32) -> Vec<Row> {
        let row = |serial: usize, second, cents, status| Row {
            key: Some(format!("k-{number}-{serial}")),
            ..Row::new(10 * number + serial, second, format!("c-{number}"), cents, status)
        };
        let first = row(0, second, 5_900, if self == Self::RetriedFailure { "declined" } else { "ok" });
        let repeat = row(1, second + gap, 5_900, "ok");
        match self {
            Self::Single => vec![first],
            Self::Duplicate | Self::RetriedFailure => vec![first, repeat],
            Self::TooFar => vec![first, row(1, second + WINDOW + 1, 5_900, "ok")],
            Self::SafeReplay => vec![first.clone(), Row { payment: first.payment, ..repeat }],
            Self::OtherAmount => vec![first, row(1, second + gap, 7_900, "ok")],
        }
    }
}

fn planted() -> impl Strategy<Value = Vec<(Planted, u32, u32)>> {
    let kinds = vec![
        Planted::Duplicate,
        Planted::Single,
        Planted::TooFar,
        Planted::SafeReplay,
        Planted::RetriedFailure,
        Planted::OtherAmount,
    ];
    prop::collection::vec((prop::sample::select(kinds), 0_u32..500_000, 0..=WINDOW), 1..120)
}

fn customer(finding: &Finding) -> String {
    finding.fingerprint["actor"].clone().unwrap_or_default()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn what_was_planted_is_found_and_nothing_else(planted in planted()) {
        let log: Vec<Row> =
            planted.iter().enumerate().flat_map(|(number, (kind, second, gap))| kind.rows(number, *second, *gap)).collect();
        let scanned = scan(&log, Shape::Csv);
        let of_kind = |wanted: Planted| -> BTreeSet<String> {
            planted.iter().enumerate().filter(|(_, (kind, ..))| *kind == wanted).map(|(number, _)| format!("c-{number}")).collect()
        };
        let of_verdict = |wanted: Verdict| -> BTreeSet<String> {
            scanned.result.findings.iter().filter(|finding| finding.verdict == wanted).map(customer).collect()
        };
        prop_assert_eq!(of_verdict(Verdict::DuplicateEffect), of_kind(Planted::Duplicate));
        prop_assert_eq!(of_verdict(Verdict::SafeReplay), of_kind(Planted::SafeReplay));
        prop_assert_eq!(of_verdict(Verdict::RetriedFailure), of_kind(Planted::RetriedFailure));
        let k = of_kind(Planted::Duplicate).len() as u64;
        let totals = &scanned.result.totals;
        prop_assert_eq!((totals.findings, totals.extra_effects, totals.possible_extra_effects), (k, k, 0));
        let net: Vec<(&str, String)> = totals.exposure.iter().map(|exposure| (exposure.currency.as_str(), exposure.net.clone())).collect();
        let expected = if k == 0 { vec![] } else { vec![("EUR", format!("{}.00", 59 * k))] };
        prop_assert_eq!(net, expected);
    }
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Used,
    Ignored,
    BadTime,
    BadAmount,
    NoFingerprint,
    Broken,
    /// Holds nothing and counts as nothing.
    Blank,
}

fn line(serial: usize, fate: Fate) -> String {
    let row =
        Row::new(serial, serial as u32, format!("c-{}", serial % 7), 1_000, if fate == Fate::Ignored { "draft" } else { "ok" });
    let text = String::from_utf8(Shape::Ndjson.write(&[row])).unwrap();
    match fate {
        Fate::Used | Fate::Ignored => text.trim_end().to_owned(),
        Fate::BadTime => text.trim_end().replace("2026-03-02T", "2026-13-02T"),
        Fate::BadAmount => text.trim_end().replace("10.00", "ten"),
        Fate::NoFingerprint => format!(r#"{{"serial": {serial}, "at": "2026-03-02T10:00:00Z", "status": "ok"}}"#),
        Fate::Broken => text.trim_end().trim_end_matches('}').to_owned(),
        Fate::Blank => "  ".into(),
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_ledger_is_what_was_written(
        fates in prop::collection::vec(
            prop_oneof![
                6 => Just(Fate::Used), 1 => Just(Fate::Ignored), 1 => Just(Fate::BadTime), 1 => Just(Fate::BadAmount),
                1 => Just(Fate::NoFingerprint), 1 => Just(Fate::Broken), 1 => Just(Fate::Blank),
            ],
            1..200,
        ),
        files in 1_usize..4,
    ) {
        // The front of each file must show what the file is.
        let mut contents = vec![line(1_000, Fate::Used) + "\n"; 1];
        contents.extend((1..files).map(|file| line(1_000 + file, Fate::Used) + "\n"));
        for (serial, fate) in fates.iter().enumerate() {
            contents[serial % files].push_str(&(line(serial, *fate) + "\n"));
        }
        let scanned = Files::new(contents.into_iter().map(String::into_bytes)).scan(&rules(Shape::Ndjson), 2, ENOUGH);
        let count = |wanted: &[Fate]| fates.iter().filter(|fate| wanted.contains(fate)).count() as u64;
        let ledger = scanned.result.ledger;
        prop_assert_eq!(ledger.used + ledger.repeated, count(&[Fate::Used]) + files as u64);
        prop_assert_eq!(ledger.ignored, count(&[Fate::Ignored]));
        prop_assert_eq!(ledger.repeated, 0);
        prop_assert_eq!(ledger.rejected, count(&[Fate::BadTime, Fate::BadAmount, Fate::NoFingerprint, Fate::Broken]));
        prop_assert_eq!(ledger.read, count(&[Fate::Used, Fate::Ignored, Fate::BadTime, Fate::BadAmount, Fate::NoFingerprint, Fate::Broken]) + files as u64);
        prop_assert_eq!(scanned.rejects.len() as u64, ledger.rejected);
        let reasons: u64 = scanned.result.sources[0].files.iter().flat_map(|file| &file.rejects).map(|reject| reject.records).sum();
        prop_assert_eq!(reasons, ledger.rejected);
    }
}
