//! From keyed rows to candidates: runs of one hash cut into windows, and only those worth reading in detail.

use super::EngineError;
use super::blocks::RecordSet;
use super::keying::Keyed;
use super::options::Depth;
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Place, Row};
use super::similar::MOST_NEAR;
use super::windows::{belongs, cut};
use crate::rules::window::{Reach, Window};
use crate::rules::{Rule, Rules};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Attempts of one group that are read in detail. A hot fingerprint must not eat the memory; what is beyond is counted and said.
pub const MOST_MEMBERS: usize = 100_000;

/// Rows of one net that may be one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub rule: usize,
    pub net: Net,
    /// Ascending.
    pub places: Vec<Place>,
    /// False for one that matters only together with another: a single attempt and its reversal.
    pub stands_alone: bool,
    /// Attempts beyond [`MOST_MEMBERS`], or beyond [`MOST_NEAR`] where a block of them has yet to be compared.
    pub unread: u64,
}

/// What the grouping of all partitions found.
#[derive(Debug, Default)]
pub struct Grouped {
    pub candidates: Vec<Candidate>,
    /// Groups of naturally idempotent operations that are only counted, by number of the operation.
    pub counted_idempotent: BTreeMap<u16, u64>,
}

/// What becomes of the rows that are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Nobody asks for them again.
    Taken,
    Kept,
}

/// Groups all partitions, on all threads of the current pool, in windows of this reach.
pub fn group_all(
    store: &Partitions<'_, Row>,
    keyed: &Keyed,
    dropped: &RecordSet,
    rules: &Rules,
    depth: Depth,
    reach: Reach,
    kept: Rows,
) -> Result<Grouped, EngineError> {
    let parts: Result<Vec<Grouped>, EngineError> = (0..PARTITIONS)
        .into_par_iter()
        .map_init(Vec::new, |rows, partition| {
            match kept {
                Rows::Taken => keep_shared(&store.take(partition)?, rows),
                Rows::Kept => keep_shared(&[store.load(partition)?], rows),
            }
            for row in rows.iter_mut() {
                row.place = keyed.blocks.ranked(row.place);
            }
            if !dropped.is_empty() {
                rows.retain(|row| !dropped.contains(row.place));
            }
            Ok(Grouping { rules, sets: &keyed.rule_sets, depth, reach, grouped: Grouped::default() }.group(rows))
        })
        .collect();
    let parts = parts?;
    let mut grouped = Grouped::default();
    grouped.candidates.reserve_exact(parts.iter().map(|part| part.candidates.len()).sum());
    for part in parts {
        grouped.candidates.extend(part.candidates);
        for (operation, groups) in part.counted_idempotent {
            *grouped.counted_idempotent.entry(operation).or_default() += groups;
        }
    }
    // Partitions follow the hash, which says nothing to a reader.
    grouped.candidates.sort_unstable_by(|a, b| (a.rule, a.net as u8, &a.places).cmp(&(b.rule, b.net as u8, &b.places)));
    Ok(grouped)
}

/// Puts in place of what `rows` held the rows of a partition, without nearly all of those whose hash no other row has. They are in no group,
/// and most rows of most logs are so: what is left is soon sorted.
fn keep_shared(chunks: &[Vec<Row>], rows: &mut Vec<Row>) {
    /// Bits for each row; more would only find the last few.
    const BITS_A_ROW: usize = 8;
    let count: usize = chunks.iter().map(Vec::len).sum();
    let width = (count * BITS_A_ROW).next_power_of_two().max(64);
    let slot = |row: &Row| row.slot() & (width - 1);
    let (mut once, mut again) = (vec![0u64; width / 64], vec![0u64; width / 64]);
    for row in chunks.iter().flatten() {
        let (word, bit) = (slot(row) / 64, 1 << (slot(row) % 64));
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let is_shared = |row: &&Row| again[slot(row) / 64] >> (slot(row) % 64) & 1 == 1;
    rows.clear();
    rows.extend(chunks.iter().flatten().filter(is_shared));
}

/// One partition on its way to groups.
struct Grouping<'g> {
    rules: &'g Rules,
    /// The rules that rows are for.
    sets: &'g [Arc<[usize]>],
    depth: Depth,
    reach: Reach,
    grouped: Grouped,
}

impl<'g> Grouping<'g> {
    fn group(mut self, rows: &mut [Row]) -> Grouped {
        rows.sort_unstable_by_key(|row| (row.key(), row.time, row.place));
        for run in rows.chunk_by(|a, b| a.key() == b.key()).filter(|run| run.len() > 1) {
            if run.iter().all(|row| row.index() == run[0].index()) {
                self.rules_of(&run[0]).iter().for_each(|rule| self.run(*rule, run));
                continue;
            }
            let rules: BTreeSet<usize> = run.iter().flat_map(|row| self.rules_of(row)).copied().collect();
            for rule in rules {
                let of_rule = |row: &&Row| self.rules_of(row).contains(&rule);
                let rows: Vec<Row> = run.iter().filter(of_rule).copied().collect();
                self.run(rule, &rows);
            }
        }
        self.grouped
    }

    /// The rules that a row is for.
    fn rules_of(&self, row: &Row) -> &'g [usize] {
        self.sets.get(row.index()).map(|set| &**set).unwrap_or_default()
    }

    /// Groups the rows that one rule has in a run.
    fn run(&mut self, index: usize, run: &[Row]) {
        let Some(rule) = self.rules.rules.get(index).filter(|_| run.len() > 1) else {
            return;
        };
        let window = self.reach.of(rule.window);
        let Grouped { candidates, counted_idempotent } = &mut self.grouped;
        match run[0].net() {
            Net::Fingerprint => fingerprint_run(run, index, rule, window, candidates),
            Net::RequestKey => whole_windows(run, index, Window::FromFirst(rule.key_lifetime), candidates),
            Net::Idempotent if self.depth == Depth::Findings => {
                for window in cut(&times(run), window).into_iter().filter(|window| window.len() > 1) {
                    let operation = run[window.start].kin() as u16;
                    *counted_idempotent.entry(operation).or_default() += 1;
                }
            }
            _ => whole_windows(run, index, window, candidates),
        }
    }
}

fn times(run: &[Row]) -> Vec<i64> {
    run.iter().map(|row| row.time).collect()
}

/// Every window with at least two rows is a candidate.
fn whole_windows(run: &[Row], rule: usize, window: Window, candidates: &mut Vec<Candidate>) {
    for range in cut(&times(run), window).into_iter().filter(|range| range.len() > 1) {
        candidates.push(candidate(&run[range], rule, Vec::new(), Standing::Alone, MOST_MEMBERS));
    }
}

enum Standing {
    Alone,
    WithAnother,
}

fn candidate(attempts: &[Row], rule: usize, reversals: Vec<Place>, standing: Standing, most: usize) -> Candidate {
    let unread = attempts.len().saturating_sub(most);
    let mut places: Vec<Place> = attempts.iter().take(most).map(|row| row.place).chain(reversals).collect();
    places.sort_unstable();
    Candidate { rule, net: attempts[0].net(), places, stands_alone: matches!(standing, Standing::Alone), unread: unread as u64 }
}

/// Attempts of one fingerprint and operation, in windows.
struct Kin<'r> {
    attempts: &'r [Row],
    times: Vec<i64>,
    windows: Vec<Range<usize>>,
    /// Those that hold more than one attempt, ascending.
    repeats: Vec<usize>,
    /// For each window.
    reversals: Vec<Vec<Place>>,
}

impl<'r> Kin<'r> {
    fn new(attempts: &'r [Row], rule: &Rule, window: Window) -> Self {
        let times = times(attempts);
        // Near values are compared in detail later; here only what no window could join is cut apart.
        let windows = if rule.similar.is_empty() { cut(&times, window) } else { cut_loosely(&times, window) };
        let repeats = (0..windows.len()).filter(|at| windows[*at].len() > 1).collect();
        let reversals = vec![Vec::new(); windows.len()];
        Self { attempts, times, windows, repeats, reversals }
    }
}

/// Attempts are cut into windows; each reversal joins one of them.
fn fingerprint_run(run: &[Row], index: usize, rule: &Rule, window: Window, candidates: &mut Vec<Candidate>) {
    let mut attempts: Vec<Row> = run.iter().filter(|row| row.part().is_attempt()).copied().collect();
    // The sort is stable: attempts of one operation stay in the order of time.
    attempts.sort_by_key(Row::kin);
    let mut kins: Vec<Kin<'_>> = attempts.chunk_by(|a, b| a.kin() == b.kin()).map(|kin| Kin::new(kin, rule, window)).collect();
    for row in run.iter().filter(|row| !row.part().is_attempt()) {
        let fits = kins.iter().enumerate().map(|(at, kin)| (Fit::of(row.time, kin, window), at));
        if let Some((fit, at)) = fits.min() {
            kins[at].reversals[fit.window].push(row.place);
        }
    }
    let most = if rule.similar.is_empty() { MOST_MEMBERS } else { MOST_NEAR };
    for kin in kins {
        for (range, reversals) in kin.windows.into_iter().zip(kin.reversals) {
            if range.len() > 1 {
                candidates.push(candidate(&kin.attempts[range], index, reversals, Standing::Alone, most));
            } else if rule.by_key && !reversals.is_empty() {
                candidates.push(candidate(&kin.attempts[range], index, reversals, Standing::WithAnother, most));
            }
        }
    }
}

/// Cuts only where an attempt is beyond the window of the one right before it.
fn cut_loosely(times: &[i64], window: Window) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut first = 0;
    for at in 1..=times.len() {
        if at == times.len() || !belongs(window, times[at - 1], times[at - 1], times[at]) {
            groups.push(first..at);
            first = at;
        }
    }
    groups
}

/// How well a window and a reversal go together; the least fits best. The link knows no bound: after the window that the reversal
/// falls into comes the last one before it, and one that holds a repeat comes before one that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    rank: Rank,
    /// Nanoseconds from the first attempt of the window.
    distance: u64,
    window: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    WithinRepeat,
    AfterRepeat,
    WithinSingle,
    AfterSingle,
    /// The reversal is older than every attempt.
    Before,
}

impl Fit {
    fn of(time: i64, kin: &Kin<'_>, window: Window) -> Self {
        let Kin { times, windows, repeats, .. } = kin;
        let fit = |rank, at: usize| Self { rank, distance: times[windows[at].start].abs_diff(time), window: at };
        let before = windows.partition_point(|range| times[range.start] <= time);
        let Some(last) = before.checked_sub(1) else {
            return fit(Rank::Before, 0);
        };
        let range = &windows[last];
        if belongs(window, times[range.start], times[range.end - 1].min(time), time) {
            return fit(if range.len() > 1 { Rank::WithinRepeat } else { Rank::WithinSingle }, last);
        }
        match repeats.partition_point(|at| *at < before).checked_sub(1).and_then(|at| repeats.get(at)) {
            Some(repeat) => fit(Rank::AfterRepeat, *repeat),
            None => fit(Rank::AfterSingle, last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::row::{Part, Tag};

    #[test]
    fn rows_that_share_a_hash_are_never_dropped() {
        let tag = Tag { net: Net::Fingerprint, index: 0, part: Part::Attempt, kin: 0 };
        let row = |hash: u128, time: i64| Row::new(hash, tag, time, Place::new(0, 0, 0));
        let shared = |number: u128| number.is_multiple_of(50);
        let spread = |number: u128| number.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let mut rows: Vec<Row> = (0..5_000).map(|number| row(spread(number), 0)).collect();
        rows.extend((0..5_000).filter(|number| shared(*number)).map(|number| row(spread(number), 1)));
        let chunks: Vec<Vec<Row>> = rows.chunks(700).map(<[Row]>::to_vec).collect();
        keep_shared(&chunks, &mut rows);
        for number in (0..5_000).filter(|number| shared(*number)) {
            assert_eq!(rows.iter().filter(|other| other.key() == row(spread(number), 0).key()).count(), 2, "{number}");
        }
        assert!(rows.len() < 1_500, "{} rows are left", rows.len());
        keep_shared(&[], &mut rows);
        assert_eq!(rows, []);
    }

    /// Rows shared by rules give the candidates that rows of their own give.
    #[test]
    fn shared_rows_serve_each_of_their_rules() {
        let rule = |id: usize, window: &str| format!("[[rule]]\nid = \"{id}\"\nfingerprint = [\"actor\"]\nwindow = {window}\n");
        let source = "version = 1\n[[source]]\nname = \"s\"\nfiles = [\"s.csv\"]\n[source.map]\ntime = \"t\"\noperation = \"o\"\nactor = \"a\"\n";
        let rules = [rule(0, "\"10s\""), rule(1, "\"40s\""), rule(2, "{ gap = \"10s\", span = \"60s\" }")].concat();
        let rules = crate::rules::load(&format!("{source}{rules}"), "twicelog.toml", std::path::Path::new("")).unwrap();
        let sets: Vec<Arc<[usize]>> =
            [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]].map(Arc::from).into();
        let candidates = |rows: &[Row]| {
            let grouping =
                Grouping { rules: &rules, sets: &sets, depth: Depth::All, reach: Reach::CONFIGURED, grouped: Grouped::default() };
            let mut found = grouping.group(&mut rows.to_vec()).candidates;
            found.sort_by(|a, b| (a.rule, &a.places).cmp(&(b.rule, &b.places)));
            found
        };
        let mut found = 0;
        let mut seed = 7_u64;
        let mut draw = |upto: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % upto
        };
        for _ in 0..2_000 {
            let (mut shared, mut own) = (Vec::new(), Vec::new());
            for number in 0..draw(12) {
                let set = draw(sets.len() as u64) as usize;
                let part = [Part::Attempt, Part::Attempt, Part::Ineffective, Part::Reversal][draw(4) as usize];
                let (hash, time) = (u128::from(draw(3)) << 100, draw(100) as i64 * 1_000_000_000);
                let row = |index| {
                    let tag = Tag { net: Net::Fingerprint, index, part, kin: 0 };
                    Row::new(hash, tag, time, Place::new(0, number as u32, 0))
                };
                shared.push(row(set));
                own.extend(sets[set].iter().map(|rule| row(*rule)));
            }
            assert_eq!(candidates(&shared), candidates(&own));
            found += candidates(&shared).len();
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn a_reversal_finds_its_window() {
        let text = "version = 1\n[[source]]\nname = \"s\"\nfiles = [\"s.csv\"]\n[source.map]\ntime = \"t\"\noperation = \"o\"\nactor = \"a\"\n[[rule]]\nid = \"r\"\nfingerprint = [\"actor\"]\nwindow = \"1s\"\n";
        let rules = crate::rules::load(text, "twicelog.toml", std::path::Path::new("")).unwrap();
        let window = Window::FromFirst(10);
        let tag = Tag { net: Net::Fingerprint, index: 0, part: Part::Attempt, kin: 0 };
        let of = |times: &[i64], time: i64| {
            let attempts: Vec<Row> = times.iter().map(|time| Row::new(0, tag, *time, Place::new(0, 0, 0))).collect();
            Fit::of(time, &Kin::new(&attempts, &rules.rules[0], window), window).window
        };
        let find = |time| of(&[0, 5, 100, 200], time);
        assert_eq!(find(7), 0, "within the window of the repeat");
        assert_eq!(find(105), 1, "within the window of a single attempt");
        assert_eq!(find(150), 0, "beyond all windows: the last that holds a repeat");
        assert_eq!(find(-3), 0, "before everything");
        assert_eq!(of(&[100, 200], 900), 1, "no repeat anywhere");
    }

    #[test]
    fn loose_cuts_keep_chains_together() {
        assert_eq!(cut_loosely(&[0, 8, 16, 40], Window::FromFirst(10)), vec![0..3, 3..4]);
        assert_eq!(cut_loosely(&[0, 8, 16, 40], Window::Unlimited), vec![0..4]);
        assert_eq!(cut_loosely(&[], Window::Unlimited), Vec::<Range<usize>>::new());
    }
}
