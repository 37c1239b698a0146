//! Laws: a log cut into files and nights anywhere tells what it tells at once.

use crate::log::{Row, Shape, difference, gzip, rows, rules, scan, told};
use crate::nights::{Nights, essences};
use proptest::prelude::*;
use twicelog::engine::Depth;
use twicelog::scan::Scanned;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default() }
}

fn parts<'r>(rows: &'r [Row], cuts: &[usize]) -> Vec<&'r [Row]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (rows.len() + 1)).chain([0, rows.len()]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| &rows[pair[0]..pair[1]]).collect()
}

const MOST_FILES: usize = 50;

/// The same rows an hour around midnight, those of either day together in the order in which they were, and a cut between the days.
fn around_midnight(mut rows: Vec<Row>, mut cuts: Vec<usize>) -> (Vec<Row>, Vec<usize>) {
    rows.iter_mut().for_each(|row| row.second += 82_800);
    rows.sort_by_key(|row| row.second / 86_400);
    cuts.push(rows.partition_point(|row| row.second < 86_400));
    (rows, cuts)
}

proptest! {
    #![proptest_config(cases(12))]

    /// Within the horizon nothing is forgotten: the last night tells the same as one scan, to the last bit of evidence. Rows come in any
    /// order and so do files, whatever they are called; a fifth of the rows comes again in another file, files are packed or not, and one
    /// of the cuts may be a midnight.
    #[test]
    fn files_and_nights(
        rows in rows(90),
        cuts in prop::collection::vec(any::<usize>(), 0..49),
        of_night in prop::collection::vec(any::<usize>(), MOST_FILES),
        called in Just((0..MOST_FILES).collect::<Vec<usize>>()).prop_shuffle(),
        listed in Just((0..MOST_FILES).collect::<Vec<usize>>()).prop_shuffle(),
        cut_at_midnight in any::<bool>(),
        nights_in_all in 1_usize..=10,
        shape in prop::sample::select(Shape::ALL.to_vec()),
    ) {
        let mut nights = Nights::new(rules(shape));
        nights.options.scan.depth = Depth::All;
        let (rows, cuts) = if cut_at_midnight { around_midnight(rows, cuts) } else { (rows, cuts) };
        let mut parts: Vec<Vec<Row>> = parts(&rows, &cuts).into_iter().map(<[Row]>::to_vec).collect();
        let count = parts.len();
        prop_assert!(count <= MOST_FILES);
        for number in 0..count {
            let again: Vec<Row> = parts[number].iter().filter(|row| row.serial % 5 == 0).cloned().collect();
            for row in again {
                let other = (number + 1 + row.serial) % count;
                if !parts[other].iter().any(|known| known.serial == row.serial) {
                    parts[other].push(row);
                }
            }
        }
        let files: Vec<(String, Vec<u8>)> = parts
            .iter()
            .enumerate()
            .map(|(number, part)| {
                let bytes = shape.write(part);
                (format!("{}.log", called[number]), if number % 3 == 1 { gzip(&bytes) } else { bytes })
            })
            .collect();
        let mut last = None;
        for night in 0..nights_in_all {
            let of_tonight = listed.iter().filter(|number| **number < count && of_night[**number] % nights_in_all == night);
            let tonight: Vec<(&str, &[u8])> =
                of_tonight.map(|number| (files[*number].0.as_str(), files[*number].1.as_slice())).collect();
            last = Some(nights.run(&tonight));
        }
        let all: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let mut once = told(&nights.at_once(&all));
        let mut night = told(&last.unwrap().scanned);
        // Which attempts were late is what nights are there for.
        for findings in [&mut once, &mut night] {
            for finding in findings["findings"].as_array_mut().unwrap() {
                finding.as_object_mut().unwrap().remove("late_records");
            }
        }
        prop_assert_eq!(difference(&night, &once), None);
        prop_assert!(nights.new.values().all(|count| *count == 1), "{:?}", nights.new);
        for known in nights.memory.findings.iter().filter(|known| known.last_seen == nights.options.night) {
            let told = known.was.iter().chain([&known.id]).filter(|id| nights.new.contains_key(*id)).count();
            prop_assert!(told > 0, "nobody was told of {known:?}");
        }
    }

    /// A file that is written to, and read at any byte, every night.
    #[test]
    fn a_growing_file(
        rows in rows(60),
        cuts in prop::collection::vec(any::<usize>(), 1..8),
        shape in prop::sample::select(vec![Shape::Csv, Shape::Ndjson, Shape::Text]),
    ) {
        let mut nights = Nights::new(rules(shape));
        let whole = shape.write(&rows);
        let front = if shape == Shape::Csv { whole.iter().position(|byte| *byte == b'\n').unwrap() + 1 } else { 0 };
        let mut lengths: Vec<usize> = cuts.iter().map(|cut| front + cut % (whole.len() - front)).collect();
        lengths.sort_unstable();
        lengths.push(whole.len());
        let mut used = 0;
        let mut last = None;
        for length in lengths {
            let night = nights.run(&[("pay.log", &whole[..length])]);
            used += night.scanned.result.ledger.read;
            prop_assert_eq!(night.scanned.result.ledger.repeated, 0);
            let ends = length == 0 || whole[length - 1] == b'\n';
            prop_assert_eq!(night.scanned.result.nightly.unwrap().held == 0, ends);
            last = Some(night);
        }
        prop_assert_eq!(used, rows.len() as u64);
        let once = scan(&rows, shape);
        let last = last.unwrap().scanned;
        let places = |scanned: &Scanned| -> Vec<String> {
            let reported = scanned.result.findings.iter().filter(|finding| finding.verdict.is_reported());
            reported.flat_map(|finding| &finding.records).map(|record| format!("{} {:?}", record.record, record.lines)).collect()
        };
        prop_assert_eq!(essences(&last), essences(&once));
        prop_assert_eq!(places(&last), places(&once));
    }
}

/// Rows of some weeks, in the order of time, without refunds.
fn weeks() -> impl Strategy<Value = Vec<Row>> {
    let minutes = prop::collection::vec((0_u32..28, 0_u32..240), 2..120);
    (minutes, rows(120)).prop_map(|(minutes, rows)| {
        let mut rows: Vec<Row> = rows
            .into_iter()
            .filter(|row| row.status != "refund")
            .zip(minutes)
            .map(|(row, (day, minute))| Row { second: day * 86_400 + 85_000 + minute * 17 - 2_000, ..row })
            .collect();
        rows.sort_by_key(|row| row.second);
        rows
    })
}

proptest! {
    #![proptest_config(cases(6))]

    /// A night for each day, also where groups cross midnight: what was told over all nights is what one scan tells.
    #[test]
    fn weeks_night_by_night(rows in weeks(), shape in prop::sample::select(vec![Shape::Csv, Shape::Ndjson]), shift in 0_u32..86_400) {
        let mut nights = Nights::new(rules(shape));
        for day in 0..31 {
            let of_day: Vec<Row> = rows.iter().filter(|row| (row.second + shift) / 86_400 == day).cloned().collect();
            let bytes = shape.write(&of_day);
            let name = format!("{day}.log");
            if of_day.is_empty() {
                nights.run(&[]);
            } else {
                nights.run(&[(&name, &bytes)]);
            }
        }
        prop_assert_eq!(nights.standing(), essences(&scan(&rows, shape)));
        prop_assert!(nights.new.values().all(|count| *count == 1), "{:?}", nights.new);
    }

    /// Every export repeats the three days before it, and some nights are left out.
    #[test]
    fn exports_that_overlap(rows in weeks(), shape in prop::sample::select(vec![Shape::Csv, Shape::Ndjson]), skipped in prop::collection::btree_set(0_u32..31, 0..8)) {
        let mut nights = Nights::new(rules(shape));
        let mut read = 0;
        let mut repeated = 0;
        for day in (0..31).filter(|day| *day == 30 || !skipped.contains(day) || skipped.contains(&(day + 1))) {
            let days = day.saturating_sub(3)..=day;
            let export: Vec<Row> = rows.iter().filter(|row| days.contains(&(row.second / 86_400))).cloned().collect();
            let bytes = shape.write(&export);
            let night = if export.is_empty() { nights.run(&[]) } else { nights.run(&[("export.log", &bytes)]) };
            read += night.scanned.result.ledger.read;
            repeated += night.scanned.result.ledger.repeated;
        }
        prop_assert_eq!(read - repeated, rows.len() as u64);
        prop_assert_eq!(nights.standing(), essences(&scan(&rows, shape)));
    }
}
