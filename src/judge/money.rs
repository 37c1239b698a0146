//! Exposure: the money that effects beyond the allowed number moved, per currency.

use super::cadence::cadence;
use super::effect::Effect;
use super::facts::Facts;
use super::verdict::told;
use crate::domain::finding::Exposure;
use crate::domain::money::amount_text;
use crate::domain::{Currency, Money, Verdict};
use crate::rules::FingerprintField;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// Sums per currency, ordered by code; currencies are never added together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally(BTreeMap<String, Sums>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sums {
    currency: Currency,
    gross: Decimal,
    reversed: Decimal,
}

impl Tally {
    /// Counts money that moved, and how much of it came back.
    pub fn add(&mut self, money: Money, reversed: Decimal) {
        self.add_sums(Sums { currency: money.currency, gross: money.amount, reversed });
    }

    pub fn add_all(&mut self, other: &Self) {
        for sums in other.0.values() {
            self.add_sums(*sums);
        }
    }

    fn add_sums(&mut self, more: Sums) {
        let zero = Sums { gross: Decimal::ZERO, reversed: Decimal::ZERO, ..more };
        let sums = self.0.entry(more.currency.to_string()).or_insert(zero);
        // Beyond 28 digits a sum stays at the largest decimal: a figure that nobody takes for a believable one.
        sums.gross = sums.gross.checked_add(more.gross).unwrap_or(Decimal::MAX);
        sums.reversed = sums.reversed.checked_add(more.reversed).unwrap_or(Decimal::MAX);
    }

    pub fn exposure(&self) -> Vec<Exposure> {
        let text = |amount, sums: &Sums| amount_text(amount, sums.currency);
        self.0
            .iter()
            .map(|(code, sums)| Exposure {
                currency: code.clone(),
                gross: text(sums.gross, sums),
                reversed: text(sums.reversed, sums),
                net: text(sums.gross - sums.reversed, sums),
            })
            .collect()
    }

    /// Currency and net of the first code: what findings are sorted by.
    pub fn leading(&self) -> Option<(Currency, Decimal)> {
        self.0.values().next().map(|sums| (sums.currency, sums.gross - sums.reversed))
    }
}

/// The effects beyond the allowed number. The first that stand are the wanted ones; without enough of those, the first that were
/// undone. Where a whole run was repeated after some `lags`, the extra ones are those with a partner exactly one of them
/// earlier: two wanted gifts in each of two runs are two extra effects, not three. Where the effects keep a cadence, each time it comes
/// round has its own wanted ones: a rent paid twice in May is one extra effect, however many months there are. Where a field shows some
/// of the effects to be wanted (two orders, of which one was paid twice), each of its values has its own.
pub(super) fn extras<'f, 'a>(facts: &'f Facts<'a>, lags: &[Lag]) -> Vec<&'f Effect<'a>> {
    if !lags.is_empty() && facts.rule.allow == 1 {
        let paired = repeats_of(facts, lags);
        if paired.iter().any(|effect| !effect.undone) {
            return paired;
        }
    }
    let allow = usize::try_from(facts.rule.allow).unwrap_or(usize::MAX);
    let beyond = |occasion: Vec<&'f Effect<'a>>| {
        let (undone, standing): (Vec<_>, Vec<_>) = occasion.into_iter().partition(|effect| effect.undone);
        standing.into_iter().chain(undone).skip(allow)
    };
    let mut extras: Vec<&Effect<'a>> = occasions(facts).into_iter().flat_map(&beyond).collect();
    if extras.is_empty() {
        extras.extend(beyond(facts.proven().collect()));
    }
    extras.sort_by(|a, b| a.first.order(b.first));
    extras
}

/// The proven effects by the occasion that they were made for; none where nothing shows several.
fn occasions<'f, 'a>(facts: &'f Facts<'a>) -> Vec<Vec<&'f Effect<'a>>> {
    let effects: Vec<&Effect<'a>> = facts.proven().collect();
    if let Some(cadence) = cadence(&effects, facts) {
        let of = |occurrence: Vec<usize>| occurrence.into_iter().filter_map(|at| effects.get(at).copied()).collect();
        return cadence.occurrences.into_iter().map(of).collect();
    }
    let values =
        |part: &FingerprintField| effects.iter().map(|effect| told(effect, part, facts)).collect::<Option<Vec<String>>>();
    let explained =
        facts.rule.explained_by.iter().filter_map(values).find(|values| values.iter().collect::<BTreeSet<_>>().len() > 1);
    let Some(values) = explained else { return Vec::new() };
    let mut by_value: BTreeMap<String, Vec<&Effect<'a>>> = BTreeMap::new();
    for (value, effect) in values.into_iter().zip(effects) {
        by_value.entry(value).or_default().push(effect);
    }
    by_value.into_values().collect()
}

/// The lag between two runs, and how far off it a pair may be, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lag {
    pub nanos: i64,
    pub tolerance: i64,
}

impl Lag {
    pub fn fits(&self, gap: i64) -> bool {
        gap.abs_diff(self.nanos) <= self.tolerance.unsigned_abs()
    }
}

/// Effects whose original stands one of the lags earlier.
fn repeats_of<'f, 'a>(facts: &'f Facts<'a>, lags: &[Lag]) -> Vec<&'f Effect<'a>> {
    let times: Vec<i64> = facts.proven().map(|effect| effect.first.time.nanos).collect();
    let mut is_repeat = vec![false; times.len()];
    lags.iter().for_each(|lag| mark_repeats(&times, *lag, &mut is_repeat));
    facts.proven().zip(is_repeat).filter(|(_, is_repeat)| *is_repeat).map(|(effect, _)| effect).collect()
}

/// Marks the times that have one a lag before them; both are in order, so two fingers suffice. Each original is used once.
fn mark_repeats(times: &[i64], lag: Lag, is_repeat: &mut [bool]) {
    let mut original = 0;
    for (at, mark) in times.iter().zip(is_repeat) {
        while times.get(original).is_some_and(|time| at.saturating_sub(*time) > lag.nanos.saturating_add(lag.tolerance)) {
            original += 1;
        }
        if times.get(original).is_some_and(|time| lag.fits(at.saturating_sub(*time))) {
            *mark = true;
            original += 1;
        }
    }
}

/// How many extra effects stand, and the exposure.
pub(super) fn exposure(facts: &Facts<'_>, verdict: Verdict, lags: &[Lag]) -> (u64, Tally) {
    let mut tally = Tally::default();
    match verdict {
        Verdict::Compensated => {
            let extras = extras(facts, &[]);
            add_effects(&mut tally, &extras);
            (extras.len() as u64, tally)
        }
        Verdict::DuplicateEffect | Verdict::KeyConflict => {
            let extras = extras(facts, if verdict == Verdict::DuplicateEffect { lags } else { &[] });
            add_effects(&mut tally, &extras);
            (extras.iter().filter(|effect| !effect.undone).count() as u64, tally)
        }
        Verdict::PossibleDuplicate => {
            add_stakes(&mut tally, facts);
            (0, tally)
        }
        _ => (0, tally),
    }
}

fn add_effects(tally: &mut Tally, effects: &[&Effect<'_>]) {
    for effect in effects {
        if let Some(money) = effect.amount {
            tally.add(money, effect.returned);
        }
    }
}

/// What is at stake: the amounts of the attempts in doubt; where one names none, that of the proven effect it may repeat.
fn add_stakes(tally: &mut Tally, facts: &Facts<'_>) {
    let known = facts.effects.iter().find_map(|effect| effect.amount);
    let attempts = facts.doubts.unknown.iter().chain(&facts.doubts.unfinished);
    let asked = attempts.map(|attempt| attempt.event.amount);
    let nameless = facts.doubts.anonymous.iter().filter_map(|index| facts.effects.get(*index)).map(|effect| effect.amount);
    let possible = usize::try_from(facts.possible()).unwrap_or(usize::MAX);
    for money in asked.chain(nameless).take(possible).filter_map(|amount| amount.or(known)) {
        tally.add(money.abs(), Decimal::ZERO);
    }
}
