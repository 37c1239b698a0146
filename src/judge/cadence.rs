//! Cadence: effects that keep a calendar period are a subscription, a rent, a nightly job; not a repeat.

use super::effect::Effect;
use crate::domain::time::{DAY, SECOND};

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

/// The period that all gaps between the effects keep. Two effects have one gap, and one gap is never a cadence.
pub(super) fn cadence<'e, 'a: 'e>(effects: impl Iterator<Item = &'e Effect<'a>>) -> Option<&'static str> {
    let times: Vec<i64> = effects.map(|effect| effect.first.time.local_nanos).collect();
    if times.len() < 3 {
        return None;
    }
    let gaps: Vec<i64> = times.iter().zip(times.iter().skip(1)).map(|(one, next)| next.saturating_sub(*one)).collect();
    let keeps = |period: &&Period| gaps.iter().all(|gap| (period.from..=period.to).contains(gap));
    PERIODS.iter().find(keeps).map(|period| period.name)
}
