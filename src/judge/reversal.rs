//! Reversals: refunds, voids and credits, set against the effects they undo.

use super::attempt::undoes;
use super::effect::{Effect, Naming};
use crate::domain::group::LinkKind;
use crate::domain::time::{DAY, SECOND};
use crate::domain::{Currency, Event, Group, Money, Outcome, Precision};
use crate::rules::Rule;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The records of a group and of its links that undo something, each reversal once: a refund noted twice under
/// one id and amount is one refund. One that failed in the end, or was itself undone, gave nothing back.
pub(super) fn reversals<'a>(group: &'a Group, rule: &Rule) -> Vec<&'a Event> {
    let inside = group.events.iter().filter(|event| undoes(event, rule));
    // A linked refund that failed, or never ended, gave nothing back.
    let linked = group
        .links
        .iter()
        .filter(|link| link.kind == LinkKind::Reversal && matches!(link.event.outcome, Outcome::Reversal | Outcome::TookEffect));
    let mut all: Vec<&Event> = inside.chain(linked.map(|link| &link.event)).collect();
    let ended = ended(group, rule, &all);
    all.retain(|event| !names(event).is_some_and(|id| ended.contains(id)));
    all.sort_by(|a, b| a.order(b));
    let mut origins = HashSet::new();
    let mut ids = HashSet::new();
    all.retain(|event| {
        origins.insert(&event.origin)
            && event.effect_id.as_deref().is_none_or(|id| event.each_row || ids.insert((id, event.amount)))
    });
    all
}

/// The id that a reversal has of its own.
fn names(event: &Event) -> Option<&str> {
    event.effect_id.as_deref().filter(|_| !event.each_row)
}

/// Ids of the reversals of which the last that is told is that they failed, or were themselves undone. Of records of one instant the end counts:
/// a refund that succeeded is sent back by a bank, one that failed is asked for anew under another id. An id that attempts of the group had an
/// effect under is no reversal's.
fn ended<'a>(group: &'a Group, rule: &Rule, reversals: &[&'a Event]) -> HashSet<&'a str> {
    let linked = group.links.iter().filter(|link| link.kind == LinkKind::Reversal).map(|link| &link.event);
    let is_end = |event: &&Event| matches!(event.outcome, Outcome::Failed | Outcome::Reversed);
    let mut ends: HashMap<&str, i64> = HashMap::new();
    for (id, event) in group.events.iter().chain(linked).filter(is_end).filter_map(|event| Some((names(event)?, event))) {
        let last = ends.entry(id).or_insert(i64::MIN);
        *last = (*last).max(event.time.nanos);
    }
    if ends.is_empty() {
        return HashSet::new();
    }
    for (id, event) in reversals.iter().filter_map(|event| Some((names(event)?, event))) {
        if ends.get(id).is_some_and(|end| *end < event.time.nanos) {
            ends.remove(id);
        }
    }
    for event in group.events.iter().filter(|event| event.took_effect() && !undoes(event, rule)) {
        names(event).and_then(|id| ends.remove(id));
    }
    ends.into_keys().collect()
}

/// Marks effects as undone. A reversal that names an effect counts for that one alone; the others count by their absolute amount:
/// first for an effect of exactly that amount, then pooled against the latest effects beyond the first.
pub(super) fn undo(effects: &mut [Effect<'_>], reversals: &[&Event]) {
    if reversals.is_empty() {
        return;
    }
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (index, effect) in effects.iter().enumerate() {
        if let Naming::Id(id) = effect.naming {
            by_id.entry(id.to_owned()).or_insert(index);
        }
    }
    let mut unnamed = Vec::new();
    for event in reversals {
        match event.reverses.as_deref() {
            Some(id) => {
                if let Some(effect) = by_id.get(id).and_then(|index| effects.get_mut(*index)) {
                    give_back(effect, event.amount);
                }
            }
            None => unnamed.push(*event),
        }
    }
    let left = undo_equal_amounts(effects, &unnamed);
    undo_from_pool(effects, left);
}

/// One reversal of this very effect. Without amounts to compare, naming it is enough.
fn give_back(effect: &mut Effect<'_>, returned: Option<Money>) {
    let Some(money) = effect.amount else {
        effect.undone = true;
        return;
    };
    match returned.map(|returned| returned.abs()) {
        None => effect.returned = money.amount,
        Some(returned) if returned.currency == money.currency => {
            let sum = effect.returned.checked_add(returned.amount).unwrap_or(money.amount);
            effect.returned = sum.min(money.amount);
        }
        // Another currency proves nothing about how much came back.
        Some(_) => return,
    }
    effect.undone |= effect.returned >= money.amount;
}

/// Pairs each reversal with the latest standing effect before it that has exactly its amount; returns the reversals left over.
fn undo_equal_amounts<'e>(effects: &mut [Effect<'_>], reversals: &[&'e Event]) -> Vec<&'e Event> {
    let mut open: HashMap<(Currency, Decimal), Vec<usize>> = HashMap::new();
    let mut latest = Vec::new();
    let mut next = 0;
    let mut left = Vec::new();
    for event in reversals {
        while let Some(effect) = effects.get(next).filter(|effect| effect.first.time.nanos <= event.time.nanos) {
            if let (false, Some(money)) = (effect.undone, effect.amount) {
                open.entry((money.currency, money.amount)).or_default().push(next);
            }
            latest.push(next);
            next += 1;
        }
        let hit = match event.amount.map(|money| money.abs()) {
            Some(money) => open.get_mut(&(money.currency, money.amount)).and_then(|stack| pop_standing(stack, effects)),
            None => pop_standing(&mut latest, effects),
        };
        match hit.and_then(|index| effects.get_mut(index)) {
            Some(effect) => {
                effect.undone = true;
                effect.returned = effect.amount.map_or(Decimal::ZERO, |money| money.amount);
            }
            None => left.push(*event),
        }
    }
    left
}

fn pop_standing(stack: &mut Vec<usize>, effects: &[Effect<'_>]) -> Option<usize> {
    while let Some(index) = stack.pop() {
        if effects.get(index).is_some_and(|effect| !effect.undone) {
            return Some(index);
        }
    }
    None
}

/// Sets what is left against the latest standing effects; the first standing one keeps its money, it is the one that was wanted. Nothing is
/// given back before it was taken: going back in time, money is there for the effects that are older than its reversal.
fn undo_from_pool(effects: &mut [Effect<'_>], mut left: Vec<&Event>) {
    left.retain(|event| event.amount.is_some());
    if left.is_empty() {
        return;
    }
    left.sort_by_key(|event| latest(event));
    let mut pool: BTreeMap<Currency, Decimal> = BTreeMap::new();
    let first = effects.iter().position(|effect| !effect.undone).unwrap_or(effects.len());
    for effect in effects.iter_mut().skip(first + 1).rev().filter(|effect| !effect.undone) {
        while let Some(event) = left.pop_if(|event| latest(event) >= effect.first.time.nanos) {
            if let Some(money) = event.amount {
                let sum = pool.entry(money.currency).or_default();
                *sum = sum.checked_add(money.amount.abs()).unwrap_or(Decimal::MAX);
            }
        }
        let Some(money) = effect.amount else { continue };
        let Some(sum) = pool.get_mut(&money.currency) else { continue };
        let open = money.amount - effect.returned;
        let taken = open.min(*sum);
        *sum -= taken;
        effect.returned += taken;
        effect.undone = effect.returned >= money.amount && !money.amount.is_zero();
    }
}

/// The last instant at which an event may have happened, as far as its time tells.
fn latest(event: &Event) -> i64 {
    let span = match event.time.precision {
        Precision::Day => DAY,
        Precision::Minute => 60 * SECOND,
        Precision::Second => SECOND,
        _ => 0,
    };
    event.time.nanos.saturating_add(span)
}
