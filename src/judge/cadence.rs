//! Cadence: effects that keep a calendar period are a subscription, a rent, a nightly job; not a repeat.

use super::effect::Effect;
use crate::domain::time::{DAY, SECOND};
use std::ops::Range;

const HOUR: i64 = 3_600 * SECOND;

/// A calendar period and the gaps that keep to it, in nanoseconds, inclusive. Days and weeks may be off by a tenth; months,
/// quarters and years by three days beyond their shortest and longest, for weekends and month ends.
struct Period {
    name: &'static str,
    from: i64,
    to: i64,
}

const PERIODS: [Period; 6] = [
    // At least 20 h: an operator's two runs on one day are not a daily job.
    Period { name: "daily", from: 216 * HOUR / 10, to: 264 * HOUR / 10 },
    Period { name: "weekly", from: 63 * DAY / 10, to: 77 * DAY / 10 },
    Period { name: "two-weekly", from: 126 * DAY / 10, to: 154 * DAY / 10 },
    Period { name: "monthly", from: 25 * DAY, to: 34 * DAY },
    Period { name: "quarterly", from: 87 * DAY, to: 95 * DAY },
    Period { name: "yearly", from: 362 * DAY, to: 369 * DAY },
];

/// Effects that keep a period.
pub(super) struct Cadence {
    pub period: &'static str,
    /// The effects of each time the period came round, as indices; more than one where it came round once and took effect twice.
    pub occurrences: Vec<Range<usize>>,
}

/// The period that the effects (in time order) keep. Those closer than the shortest period are one occurrence, and at least three
/// occurrences must keep the same period: two have one gap, and one gap is never a cadence.
pub(super) fn cadence<'e, 'a: 'e>(effects: impl Iterator<Item = &'e Effect<'a>>) -> Option<Cadence> {
    let times: Vec<i64> = effects.map(|effect| effect.first.time.local_nanos).collect();
    let shortest = PERIODS.iter().map(|period| period.from).min()?;
    let mut occurrences: Vec<Range<usize>> = Vec::new();
    for (at, time) in times.iter().enumerate() {
        match occurrences.last_mut() {
            Some(last) if time.saturating_sub(times[last.start]) < shortest => last.end = at + 1,
            _ => occurrences.push(at..at + 1),
        }
    }
    if occurrences.len() < 3 {
        return None;
    }
    let gap = |pair: &[Range<usize>]| times[pair[1].start].saturating_sub(times[pair[0].start]);
    let keeps = |period: &&Period| occurrences.windows(2).all(|pair| (period.from..=period.to).contains(&gap(pair)));
    let period = PERIODS.iter().find(keeps)?.name;
    Some(Cadence { period, occurrences })
}
