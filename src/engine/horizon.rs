//! How far back records of a source can still meet new ones.

use super::recall::Recall;
use crate::domain::time::DAY;
use crate::rules::Rules;
use crate::rules::window::Window;

/// Times that are counted one by one: fewer do not carry a source away from all its others.
const FEW: usize = 3;
/// Nanoseconds after all others from which on a few times are taken for slips of the hand.
const ALONE: i64 = 7 * DAY;

/// The latest distinct times of a source, descending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest([Option<i64>; FEW]);

impl Latest {
    /// The times, in any order.
    pub fn of(times: &[i64]) -> Self {
        let mut latest = Self::default();
        times.iter().for_each(|time| latest.add(*time));
        latest
    }

    #[inline]
    pub fn add(&mut self, nanos: i64) {
        let mut nanos = nanos;
        for slot in &mut self.0 {
            match *slot {
                Some(known) if known == nanos => return,
                Some(known) if known > nanos => {}
                Some(known) => {
                    *slot = Some(nanos);
                    nanos = known;
                }
                None => {
                    *slot = Some(nanos);
                    return;
                }
            }
        }
    }

    pub fn merge(&mut self, other: Self) {
        other.times().for_each(|time| self.add(time));
    }

    pub fn times(&self) -> impl Iterator<Item = i64> + use<> {
        self.0.into_iter().flatten()
    }

    /// How far the source has come: a few times that stand alone, a week or more after all others, do not count.
    pub fn reached(&self) -> Option<i64> {
        let [first, second, third] = self.0;
        let is_alone = |time: Option<i64>, before: Option<i64>| {
            time.zip(before).is_some_and(|(time, before)| time.saturating_sub(before) > ALONE)
        };
        match (is_alone(first, second), is_alone(second, third)) {
            (_, true) => third,
            (true, false) => second,
            (false, false) => first,
        }
    }
}

/// The horizon of one source, in nanoseconds since 1970 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The source is taken to be told of up to here.
    pub reached: i64,
    /// What comes later for a time before this one may not find everything that it belongs to.
    pub told: i64,
    /// Records from here on are held: `told`, less the longest window.
    pub held: i64,
}

/// The horizons of all sources; None for a source that has no times. Sources that share a rule or a proof wait for each other, but no
/// longer than identities are remembered: one that is delivered no more must not hold up the others. No horizon goes back.
pub fn horizons(rules: &Rules, ranges: &[Option<(i64, i64)>], latest: &[Latest], recall: &Recall<'_>) -> Vec<Option<Horizon>> {
    let past = |nanos: i64| recall.as_of.map_or(nanos, |as_of| nanos.min(as_of));
    let reached = |(range, latest): (&Option<(i64, i64)>, &Latest)| {
        // A source of which everything lies ahead has come as far as the day.
        range.map(|(_, last)| past(latest.reached().unwrap_or(last)))
    };
    let latest: Vec<Option<i64>> = ranges.iter().zip(latest).map(reached).collect();
    let families = families(rules);
    let each = latest.iter().enumerate().map(|(source, own)| {
        let family = families.get(source)?;
        own.as_ref()?;
        let times = || latest.iter().zip(&families).filter(|(_, other)| *other == family).filter_map(|(latest, _)| *latest);
        let (first, last) = (times().min()?, times().max()?);
        let reached = first.max(last.saturating_sub(recall.remember));
        let before = recall.sources.get(source).copied().unwrap_or_default();
        let told = reached.saturating_sub(recall.lateness).max(before.told_from.unwrap_or(i64::MIN));
        let longest = rules.rules.iter().filter(|rule| rule.sources.iter().any(|of| families.get(*of) == Some(family)));
        let longest = longest.map(|rule| {
            let by_key = if rule.by_key { rule.key_lifetime } else { 0 };
            length(rule.window, recall.remember).max(by_key)
        });
        let held = told.saturating_sub(longest.max().unwrap_or(0));
        Some(Horizon { reached, told, held })
    });
    each.collect()
}

/// Nanoseconds that an attempt waits for the next of its group; the others of a group that still waits are held with it. Without a bound it
/// is as long as identities are remembered.
fn length(window: Window, remember: i64) -> i64 {
    match window {
        Window::FromFirst(span) => span,
        Window::Gap { gap, .. } => gap,
        // Local dates: the day itself, and one for zones.
        Window::Days(days) => i64::from(days).saturating_add(2).saturating_mul(DAY),
        Window::Unlimited => remember,
    }
}

/// For each source the least number of those that it is tied to by rules and proofs.
fn families(rules: &Rules) -> Vec<usize> {
    let mut families: Vec<usize> = (0..rules.sources.len()).collect();
    let mut unite = |one: usize, other: usize| {
        let (Some(one), Some(other)) = (families.get(one).copied(), families.get(other).copied()) else { return };
        let least = one.min(other);
        families.iter_mut().filter(|family| **family == one || **family == other).for_each(|family| *family = least);
    };
    for rule in &rules.rules {
        for pair in rule.sources.windows(2) {
            if let [one, other] = pair {
                unite(*one, *other);
            }
        }
    }
    for proof in &rules.proofs {
        unite(proof.source, proof.of);
    }
    families
}

/// The range of two.
pub fn both(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, None) => one,
        (None, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_times_that_stand_alone_do_not_count() {
        let reached =
            |days: &[i64]| Latest::of(&days.iter().map(|day| day * DAY).collect::<Vec<_>>()).reached().map(|at| at / DAY);
        assert_eq!(reached(&[]), None);
        assert_eq!(reached(&[3]), Some(3));
        assert_eq!(reached(&[3, 1, 2]), Some(3));
        assert_eq!(reached(&[1, 2, 3, 400]), Some(3), "a year late");
        assert_eq!(reached(&[400, 1, 2, 3, 400, 400]), Some(3), "however often the same record comes");
        assert_eq!(reached(&[1, 2, 3, 400, 401]), Some(3));
        assert_eq!(reached(&[1, 2, 3, 200, 400]), Some(3));
        assert_eq!(reached(&[1, 2, 3, 400, 401, 402]), Some(402), "what several records say is so");
        assert_eq!(reached(&[1, 8, 15]), Some(15), "once a week");
    }
}
