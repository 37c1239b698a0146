//! Batches: many findings of one rule with one lag between original and repeat, a file or a job run twice.

use super::facts::Facts;
use super::head::Head;
use super::identity::batch_id;
use super::money::{Lag, Tally};
use crate::domain::report::Batch;
use crate::domain::retry::is_usual_step;
use crate::domain::time::SECOND;
use crate::domain::{Precision, Stamp, Verdict};
use crate::rules::Rules;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// Fewer findings than this are never a batch.
const FEWEST: usize = 3;
/// A run over a usual timeout's lag that holds this many findings needs no closer look at their spacing.
const MANY: usize = 10;
const HOUR: i64 = 3_600 * SECOND;
const MILLISECOND: i64 = SECOND / 1_000;
/// How many runs like the one at hand chance may be expected to make in the whole input before it is held for chance.
const BY_CHANCE: f64 = 0.01;

/// A run that was repeated: which findings, after what time.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub rule: usize,
    pub lag: Lag,
    /// Further lags after which enough of its findings were repeated: a run may come again more than once.
    further: Vec<Lag>,
    /// Indices of the judged groups, in the order of their originals.
    pub members: Vec<usize>,
    originals: Vec<Stamp>,
    first_content: u128,
}

/// One original and one later act of a finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    lag: i64,
    tolerance: i64,
    original: Stamp,
    content: u128,
    /// Index of the finding among all that are judged.
    finding: usize,
    /// The finding's acts keep one step, and this lag is a multiple of it.
    skips_steps: bool,
}

/// Finds the runs among the judged groups. `range` are the first and last instant of the input.
pub(super) fn runs(judged: &[Head], rules: &Rules, range: Option<(i64, i64)>) -> Vec<Run> {
    let mut runs = Vec::new();
    for rule in 0..rules.rules.len() {
        let of_rule = judged.iter().enumerate().filter(|(_, head)| head.rule == rule);
        let mut pairs: Vec<Pair> =
            of_rule.flat_map(|(finding, head)| head.pairs.iter().map(move |pair| Pair { finding, ..*pair })).collect();
        pairs.par_sort_by_key(|pair| (pair.lag, pair.original.nanos, pair.content, pair.finding));
        let span = range.map_or(0, |(first, last)| last.saturating_sub(first));
        for cluster in clusters(&pairs) {
            runs.extend(runs_of(rule, cluster, span));
        }
    }
    without_overlap(runs, judged.len())
}

fn can_be_member(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::DuplicateEffect | Verdict::Compensated | Verdict::PossibleDuplicate)
}

/// Pairs of the first act with each later one: linear in the size of the group, and enough to see the lag of a run, because the
/// first act of a repeated group has its own copy exactly one lag later. The number of the finding is not known yet.
pub(super) fn pairs(facts: &Facts<'_>, verdict: Verdict) -> Vec<Pair> {
    if !can_be_member(verdict) {
        return Vec::new();
    }
    let acts: Vec<(Stamp, u128)> = match verdict {
        Verdict::PossibleDuplicate => facts.acts().iter().map(|act| (act.event.time, act.event.content)).collect(),
        _ => facts.proven().map(|effect| (effect.first.time, effect.first.content)).collect(),
    };
    let Some((&(original, content), later)) = acts.split_first() else {
        return Vec::new();
    };
    let pair = |&(time, _): &(Stamp, u128)| {
        let lag = time.nanos.saturating_sub(original.nanos);
        let tolerance = tolerance(lag, original.precision.min(time.precision));
        Pair { lag, tolerance, original, content, finding: 0, skips_steps: false }
    };
    // Dates cannot show a lag, and one instant is no lag.
    let mut pairs: Vec<Pair> =
        later.iter().map(pair).filter(|pair| pair.lag > 0 && original.precision > Precision::Day).collect();
    if keep_one_step(&pairs) {
        pairs.iter_mut().skip(1).for_each(|pair| pair.skips_steps = true);
    }
    pairs
}

/// True when each act follows the one before after the same time, as in a storm of retries.
fn keep_one_step(pairs: &[Pair]) -> bool {
    let Some(step) = pairs.first() else { return false };
    pairs.windows(2).all(|pair| match pair {
        [one, next] => (next.lag - one.lag).abs_diff(step.lag) <= next.tolerance.unsigned_abs(),
        _ => true,
    })
}

/// How far apart two lags of one run may be. Stamps to the second are exact for short lags, and may round apart by one where
/// the lag is so long that nobody would find it twice by chance.
fn tolerance(lag: i64, precision: Precision) -> i64 {
    match precision {
        Precision::Sequence | Precision::Day | Precision::Minute | Precision::Second if lag < 600 * SECOND => 0,
        Precision::Sequence | Precision::Day | Precision::Minute | Precision::Second => SECOND,
        _ => MILLISECOND,
    }
}

/// Stretches of equal lag, each measured from its first: a chain of neighbours could creep.
fn clusters(pairs: &[Pair]) -> Vec<&[Pair]> {
    let mut clusters = Vec::new();
    let mut rest = pairs;
    while let Some(first) = rest.first() {
        let end = rest.partition_point(|pair| pair.lag - first.lag <= first.tolerance);
        let (cluster, after) = rest.split_at(end.max(1));
        if cluster.len() >= FEWEST {
            clusters.push(cluster);
        }
        rest = after;
    }
    clusters
}

/// The runs of one cluster: originals close together, and too many of them for chance.
fn runs_of(rule: usize, cluster: &[Pair], span: i64) -> Vec<Run> {
    let Some(lag) = cluster.first().map(|pair| Lag { nanos: pair.lag, tolerance: pair.tolerance }) else {
        return Vec::new();
    };
    let mut pairs = cluster.to_vec();
    pairs.sort_by_key(|pair| (pair.original.nanos, pair.content, pair.finding));
    let usual = is_usual_step(lag.nanos);
    let limit = if usual || lag.nanos < 600 * SECOND { lag.nanos } else { lag.nanos.max(HOUR) };
    let mut runs = Vec::new();
    for stretch in stretches(&pairs, limit) {
        // Retries after a usual timeout share their lag without being one run; a run of few must then stand in close succession.
        let parts = if usual && stretch.len() < MANY { stretches(stretch, lag.nanos.min(2 * SECOND)) } else { vec![stretch] };
        runs.extend(parts.into_iter().filter_map(|part| run(rule, lag, part, pairs.len(), span)));
    }
    runs
}

/// Cuts where two consecutive originals are further apart than `limit`.
fn stretches(pairs: &[Pair], limit: i64) -> Vec<&[Pair]> {
    pairs.chunk_by(|one, next| next.original.nanos.saturating_sub(one.original.nanos) <= limit).collect()
}

/// The run of a stretch, unless it holds too few findings or chance would make one like it.
fn run(rule: usize, lag: Lag, stretch: &[Pair], cluster: usize, span: i64) -> Option<Run> {
    let mut seen = HashSet::new();
    let members: Vec<usize> = stretch.iter().map(|pair| pair.finding).filter(|finding| seen.insert(*finding)).collect();
    if members.len() < FEWEST {
        return None;
    }
    // A crowd of storms is no run: held against a multiple of its step, half of each storm would count as wanted.
    if stretch.iter().filter(|pair| pair.skips_steps).count() * 2 > stretch.len() {
        return None;
    }
    let widest = stretch.windows(2).filter_map(|pair| match pair {
        [one, next] => Some(next.original.nanos.saturating_sub(one.original.nanos)),
        _ => None,
    });
    let others = cluster - stretch.len();
    if expected_by_chance(cluster, others, stretch.len(), widest.max().unwrap_or(0), span) > BY_CHANCE {
        return None;
    }
    Some(Run {
        rule,
        lag,
        further: Vec::new(),
        members,
        originals: stretch.iter().map(|pair| pair.original).collect(),
        first_content: stretch.first()?.content,
    })
}

/// How many runs of this length and spacing the other pairs of the same lag would make if they were scattered over the input at
/// random: pairs times the chance that each next original follows within `widest`.
fn expected_by_chance(cluster: usize, others: usize, length: usize, widest: i64, span: i64) -> f64 {
    if others == 0 || span <= 0 {
        return 0.0;
    }
    let follows = (others as f64 * widest as f64 / span as f64).min(1.0);
    // More steps than this make the chance vanish anyway, and keep the power within an i32.
    cluster as f64 * follows.powi(i32::try_from(length - 1).unwrap_or(i32::MAX))
}

/// Each finding belongs to one run at most: the longest, then the shortest lag, then the earliest. That run learns of the lags of those that
/// it takes the findings from.
fn without_overlap(mut runs: Vec<Run>, count: usize) -> Vec<Run> {
    runs.sort_by_key(|run| {
        (Reverse(run.members.len()), run.lag.nanos, run.originals.first().map(|stamp| stamp.nanos), run.rule, run.first_content)
    });
    let mut kept: Vec<Run> = Vec::new();
    let mut taken: Vec<Option<usize>> = vec![None; count];
    for mut run in runs {
        let taker = |member: &usize| taken.get(*member).copied().flatten();
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        run.members.iter().filter_map(taker).for_each(|by| *shared.entry(by).or_default() += 1);
        for (by, _) in shared.into_iter().filter(|(_, members)| *members >= FEWEST) {
            kept[by].further.push(run.lag);
        }
        run.members.retain(|member| taker(member).is_none());
        if run.members.len() >= FEWEST {
            run.members.iter().for_each(|member| taken[*member] = Some(kept.len()));
            kept.push(run);
        }
    }
    kept
}

impl Run {
    /// The lags after which the run came again. Where one of them is the sum of two, copies cannot be told from what was wanted at that
    /// distance (two gifts an hour apart, in each of two runs), and only the first lag speaks.
    pub fn lags(&self) -> Vec<Lag> {
        let all: Vec<Lag> = std::iter::once(self.lag).chain(self.further.iter().copied()).collect();
        let is_sum = |lag: &Lag| {
            let parts = |one: &Lag| all.iter().any(|other| lag.fits(one.nanos.saturating_add(other.nanos)));
            all.iter().any(parts)
        };
        if all.iter().any(is_sum) { vec![self.lag] } else { all }
    }

    pub fn id(&self, rules: &Rules) -> String {
        batch_id(&rules.rules[self.rule], self.lag.nanos, self.first_content)
    }

    /// The batch as the report shows it.
    pub fn batch(&self, rules: &Rules, extra_effects: u64, tally: &Tally) -> Batch {
        let text = |stamp: Option<&Stamp>, after: i64| {
            let moved = stamp.map(|stamp| Stamp {
                nanos: stamp.nanos.saturating_add(after),
                local_nanos: stamp.local_nanos.saturating_add(after),
                ..*stamp
            });
            moved.map_or_else(String::new, |stamp| stamp.to_text())
        };
        let ends = |after| [text(self.originals.first(), after), text(self.originals.last(), after)];
        Batch {
            id: self.id(rules),
            rule: rules.rules[self.rule].id.clone(),
            lag_seconds: self.lag.nanos as f64 / SECOND as f64,
            findings: self.members.len() as u64,
            extra_effects,
            exposure: tally.exposure(),
            originals: ends(0),
            repeats: ends(self.lag.nanos),
        }
    }
}
