//! What each source held and what was found in it, column by column of one time axis.

use super::Scene;
use super::time_axis::TimeAxis;
use crate::domain::Verdict;
use crate::domain::report::OverTime;
use crate::domain::time::SECOND;
use crate::domain::volume::NARROWEST;
use crate::report::overview::nanos;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Records that stand so far from all others that an axis with them would show nothing else: at most this part of all.
const FAR_PART: u64 = 200;

/// One source.
#[derive(Clone)]
pub(super) struct Lane {
    pub(super) name: String,
    /// Proven duplicates and other findings.
    pub(super) found: Vec<[u64; 2]>,
    /// Records read; None where the result does not tell.
    pub(super) records: Option<Vec<u64>>,
}

impl Lane {
    pub(super) fn findings(&self) -> u64 {
        self.found.iter().flatten().fold(0, |sum, count| sum.saturating_add(*count))
    }

    pub(super) fn read(&self) -> Option<u64> {
        Some(self.records.as_ref()?.iter().fold(0, |sum, count| sum.saturating_add(*count)))
    }

    /// Columns without a record, as runs of neighbours; none where records are not known.
    pub(super) fn gaps(&self) -> Vec<(usize, usize)> {
        let mut gaps: Vec<(usize, usize)> = Vec::new();
        for (at, _) in self.records.iter().flatten().enumerate().filter(|(_, count)| **count == 0) {
            match gaps.last_mut() {
                Some((_, end)) if *end == at => *end += 1,
                _ => gaps.push((at, at + 1)),
            }
        }
        gaps
    }

    fn add(&mut self, other: &Self) {
        for (ours, theirs) in self.found.iter_mut().zip(&other.found) {
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours = ours.saturating_add(*theirs));
        }
        match (&mut self.records, &other.records) {
            (Some(ours), Some(theirs)) => {
                ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours = ours.saturating_add(*theirs))
            }
            // Part of a volume would look like all of it.
            (ours, _) => *ours = None,
        }
    }
}

/// Sources on their axis: those with most findings first, then in the order of the result.
pub(super) struct Lanes {
    pub(super) axis: TimeAxis,
    pub(super) lanes: Vec<Lane>,
    /// Records that stand too far off to be drawn.
    pub(super) far: u64,
}

/// Buckets of all sources: beginning and records.
type Buckets<'r> = Vec<(&'r str, i64, Vec<(i64, u64)>)>;

/// None where neither a record nor a finding has a time.
pub(super) fn lanes(scene: &Scene<'_>) -> Option<Lanes> {
    let told: Buckets<'_> = scene
        .result
        .sources
        .iter()
        .filter_map(|source| Some((source.name.as_str(), source.over_time.as_ref()?)))
        .map(buckets)
        .collect();
    let found = scene.overview.span.as_ref().map(|[(first, _), (last, _)]| (*first, *last));
    let (first, last) = near(&told, found)?;
    let widest = told.iter().map(|(_, width, _)| *width).max().unwrap_or(NARROWEST);
    let axis = TimeAxis::with_columns_of(widest, first, last);
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lanes: Vec<Lane> = Vec::new();
    let empty = |name: &str| Lane { name: name.to_owned(), found: vec![[0; 2]; axis.bins()], records: None };
    let mut far = 0_u64;
    for (name, _, buckets) in told {
        by_name.insert(name, lanes.len());
        let mut records = vec![0; axis.bins()];
        for (begins, count) in buckets {
            match axis.bin(begins).and_then(|bin| records.get_mut(bin)) {
                Some(column) => *column = u64::saturating_add(*column, count),
                None => far = far.saturating_add(count),
            }
        }
        lanes.push(Lane { records: Some(records), ..empty(name) });
    }
    for finding in scene.findings {
        let Some(bin) = finding.first.and_then(|at| axis.bin(at)) else { continue };
        let name = finding.source.map_or("", |name| scene.overview.name(name));
        let at = *by_name.entry(name).or_insert_with(|| {
            lanes.push(empty(name));
            lanes.len() - 1
        });
        if let Some([proven, other]) = lanes.get_mut(at).and_then(|lane| lane.found.get_mut(bin)) {
            *(if finding.verdict == Verdict::DuplicateEffect { proven } else { other }) += 1;
        }
    }
    lanes.sort_by_key(|lane| Reverse(lane.findings()));
    Some(Lanes { axis, lanes, far })
}

/// The lanes that there is room for, the last of them for all others.
pub(super) fn fitting(lanes: &[Lane], most: usize, rest: &str) -> Vec<Lane> {
    if lanes.len() <= most {
        return lanes.to_vec();
    }
    let (shown, others) = lanes.split_at(most.saturating_sub(1));
    let mut all = shown.to_vec();
    if let Some((first, more)) = others.split_first() {
        let mut sum = Lane { name: rest.to_owned(), ..first.clone() };
        more.iter().for_each(|lane| sum.add(lane));
        all.push(sum);
    }
    all
}

fn buckets<'r>((name, told): (&'r str, &OverTime)) -> (&'r str, i64, Vec<(i64, u64)>) {
    let width = i64::try_from(told.bucket_seconds).unwrap_or(i64::MAX).saturating_mul(SECOND).max(NARROWEST);
    let buckets = told.buckets.iter().filter_map(|bucket| Some((nanos(&bucket.from)?, bucket.records)));
    (name, width, buckets.collect())
}

/// First and last time to be drawn. A few records with a date of another century would press all others into one column: as long as what lies
/// beyond the widest hole is next to nothing, and the hole is most of the axis, it is left off. Findings are never.
fn near(told: &Buckets<'_>, found: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let mut times: BTreeMap<i64, u64> = BTreeMap::new();
    for (begins, count) in told.iter().flat_map(|(_, _, buckets)| buckets) {
        let sum = times.entry(*begins).or_default();
        *sum = sum.saturating_add(*count);
    }
    let all = times.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let mut times: Vec<(i64, u64)> = times.into_iter().collect();
    let within = |times: &[(i64, u64)]| {
        let ends = times.first().zip(times.last()).map(|((first, _), (last, _))| (*first, *last));
        match (ends, found) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, None) => one,
            (None, other) => other,
        }
    };
    let mut left_off = 0_u64;
    while let Some((first, last)) = within(&times) {
        let span = i128::from(last) - i128::from(first);
        let holes = times.windows(2).enumerate().filter_map(|(at, pair)| {
            let [(from, _), (to, _)] = pair else { return None };
            Some((i128::from(*to) - i128::from(*from), at + 1))
        });
        let Some((_, at)) = holes.max().filter(|(hole, _)| hole * 2 > span) else { return Some((first, last)) };
        let (before, after) = times.split_at(at);
        let sum = |part: &[(i64, u64)]| part.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        let has_found = |part: &[(i64, u64)]| {
            let ends = part.first().zip(part.last());
            ends.zip(found).is_some_and(|(((from, _), (to, _)), (first, last))| first <= *to && last >= *from)
        };
        let (less, more) = if sum(before) < sum(after) { (before, after) } else { (after, before) };
        let off = left_off.saturating_add(sum(less));
        if has_found(less) || off > all / FAR_PART {
            return Some((first, last));
        }
        left_off = off;
        times = more.to_vec();
    }
    None
}
