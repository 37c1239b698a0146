//! Cadence: effects that keep a calendar period are a subscription, a rent, a nightly job; not a repeat.

use super::effect::Effect;
use super::facts::Facts;
use super::field::{all_named, is_called};
use crate::domain::time::{DAY, SECOND};
use crate::rules::FieldRef;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

const HOUR: i64 = 3_600 * SECOND;

/// A calendar period and the gaps that keep to it, in nanoseconds, inclusive. Days and weeks may be off by a tenth; months,
/// quarters and years by three days beyond their shortest and longest, for weekends and month ends.
struct Period {
    name: &'static str,
    from: i64,
    to: i64,
}

const DAILY: &str = "daily";

const PERIODS: [Period; 6] = [
    // At least 20 h: an operator's two runs on one day are not a daily job.
    Period { name: DAILY, from: 216 * HOUR / 10, to: 264 * HOUR / 10 },
    Period { name: "weekly", from: 63 * DAY / 10, to: 77 * DAY / 10 },
    Period { name: "two-weekly", from: 126 * DAY / 10, to: 154 * DAY / 10 },
    Period { name: "monthly", from: 25 * DAY, to: 34 * DAY },
    Period { name: "quarterly", from: 87 * DAY, to: 95 * DAY },
    Period { name: "yearly", from: 362 * DAY, to: 369 * DAY },
];

/// Fewer occurrences have no cadence: two have one gap, and one gap proves nothing.
const FEWEST: usize = 3;
/// One gap in so many may have left out an occurrence: a month that was not paid.
const GAPS_FOR_A_MISS: usize = 4;

/// Names of things that are paid or sent once. One of them day after day is a job that is stuck.
const DONE_ONCE: [&str; 5] = ["order", "invoice", "shipment", "parcel", "booking"];

/// Those of them that nobody pays or sends period after period either; a standing order is one order.
const NEVER_AGAIN: [&str; 4] = ["invoice", "shipment", "parcel", "booking"];

/// Effects that keep a period.
pub(super) struct Cadence {
    pub period: &'static str,
    /// The effects of each time the period came round, as indices; more than one where it came round once and took effect twice, or where
    /// a later effect came under the request key of an earlier one.
    pub occurrences: Vec<Vec<usize>>,
}

/// The period that these effects (in time order) of a group keep, where it shows them to be wanted.
pub(super) fn cadence(effects: &[&Effect<'_>], facts: &Facts<'_>) -> Option<Cadence> {
    if is_done_once(facts) {
        return None;
    }
    let times: Vec<i64> = effects.iter().map(|effect| effect.first.time.local_nanos).collect();
    let (period, occurrences) = PERIODS.iter().find_map(|period| Some((period.name, period.kept_by(&times)?)))?;
    if period == DAILY && are_of_one_thing(effects, facts) {
        return None;
    }
    let occurrences = by_request(occurrences, effects);
    (occurrences.len() >= FEWEST).then_some(Cadence { period, occurrences })
}

/// True when the rule compares what is paid or sent once: who puts the invoice into the fingerprint says that it is paid once.
fn is_done_once(facts: &Facts<'_>) -> bool {
    facts.rule.fingerprint.iter().any(|part| matches!(&part.field, FieldRef::Named(name) if is_called(name, &NEVER_AGAIN)))
}

/// The occurrences, with each effect whose request key an earlier occurrence had in that one: a key says that it is the same operation,
/// however regularly it comes again.
fn by_request(occurrences: Vec<Range<usize>>, effects: &[&Effect<'_>]) -> Vec<Vec<usize>> {
    let mut of_key: HashMap<&str, usize> = HashMap::new();
    let mut requests: Vec<Vec<usize>> = vec![Vec::new(); occurrences.len()];
    for (place, occurrence) in occurrences.into_iter().enumerate() {
        for at in occurrence {
            let keys = || {
                effects.get(at).into_iter().flat_map(|effect| effect.records()).filter_map(|event| event.request_key.as_deref())
            };
            let home = keys().find_map(|key| of_key.get(key).copied()).unwrap_or(place);
            for key in keys() {
                of_key.entry(key).or_insert(home);
            }
            if let Some(request) = requests.get_mut(home) {
                request.push(at);
            }
        }
    }
    requests.retain(|request| !request.is_empty());
    requests
}

/// True when all effects name one order, invoice or the like.
fn are_of_one_thing(effects: &[&Effect<'_>], facts: &Facts<'_>) -> bool {
    let things = |effect: &&Effect<'_>| -> BTreeMap<String, String> {
        let named = all_named(effect.first, facts.rules).filter(|(name, _)| is_called(name, &DONE_ONCE));
        named.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let mut all = effects.iter().map(things);
    let Some(first) = all.next().filter(|things| !things.is_empty()) else { return false };
    all.all(|things| things == first)
}

impl Period {
    /// The times as occurrences of this period. Times closer than half of it (for days: than the shortest day) are one occurrence.
    fn kept_by(&self, times: &[i64]) -> Option<Vec<Range<usize>>> {
        let shortest = PERIODS.iter().map(|period| period.from).min()?;
        let apart = shortest.max(self.from / 2);
        let mut occurrences: Vec<Range<usize>> = Vec::new();
        for (at, time) in times.iter().enumerate() {
            match occurrences.last_mut() {
                Some(last) if time.saturating_sub(times[last.start]) < apart => last.end = at + 1,
                _ => occurrences.push(at..at + 1),
            }
        }
        if occurrences.len() < FEWEST {
            return None;
        }
        let mut missed = 0;
        for pair in occurrences.windows(2) {
            let gap = times[pair[1].start].saturating_sub(times[pair[0].start]);
            missed += self.missed_in(gap)?;
        }
        let gaps = occurrences.len() - 1;
        (missed * GAPS_FOR_A_MISS <= gaps).then_some(occurrences)
    }

    /// Occurrences left out in a gap, at most one; None where the gap does not keep the period.
    fn missed_in(&self, gap: i64) -> Option<usize> {
        if (self.from..=self.to).contains(&gap) {
            Some(0)
        } else if (2 * self.from..=2 * self.to).contains(&gap) {
            Some(1)
        } else {
            None
        }
    }
}
