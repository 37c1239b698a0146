//! The records of a finding: every event of the group and of its links, each with the part it plays.

use super::attempt::undoes;
use super::effect::{Effect, Naming};
use super::facts::Facts;
use super::field::all_named;
use super::money::extras;
use crate::domain::finding::FindingRecord;
use crate::domain::group::LinkKind;
use crate::domain::money::amount_text;
use crate::domain::{Currency, Event, Origin, Outcome, Role};
use crate::rules::Rules;
use std::collections::{BTreeMap, HashSet};

/// A longer payload is left in the file: the record's place tells where.
const LONGEST_PAYLOAD: usize = 200;

/// In the total order of events.
pub(super) fn records(facts: &Facts<'_>) -> Vec<FindingRecord> {
    let own = facts.group.events.iter().zip(roles(facts));
    let inside: HashSet<&Origin> = facts.group.events.iter().map(|event| &event.origin).collect();
    let linked = facts.group.links.iter().filter(|link| !inside.contains(&link.event.origin)).map(|link| match link.kind {
        LinkKind::Proof => (&link.event, Role::Proof),
        LinkKind::Reversal => (&link.event, Role::Reversal),
    });
    let mut all: Vec<(&Event, Role)> = own.chain(linked).collect();
    all.sort_by(|(a, _), (b, _)| a.order(b));
    all.into_iter().map(|(event, role)| record(event, role, facts.rules)).collect()
}

/// The role of each of the group's events.
fn roles(facts: &Facts<'_>) -> Vec<Role> {
    let makes = makers(facts);
    let original = makes.iter().position(|makes| *makes).unwrap_or(0);
    let wanted = wanted(facts);
    let start = |event: &Event| {
        if undoes(event, facts.rule) { Role::Reversal } else { Role::Retry }
    };
    let mut roles: Vec<Role> = facts.group.events.iter().map(start).collect();
    for (index, attempt) in facts.attempts.iter().enumerate() {
        let role = match attempt.event.outcome {
            _ if index == original || wanted.contains(&attempt.event.origin) => Role::Original,
            _ if makes.get(index) == Some(&true) => Role::Repeat,
            Outcome::Replayed | Outcome::TookEffect | Outcome::Reversed => Role::Replay,
            _ => Role::Retry,
        };
        for place in [Some(attempt.place), attempt.began.map(|(place, _)| place)].into_iter().flatten() {
            if let Some(slot) = roles.get_mut(place) {
                *slot = role;
            }
        }
    }
    roles
}

/// Where the effects are told that are no more than was wanted: one for each time that a cadence comes round, for each order that was placed,
/// or as many as the rule allows.
fn wanted<'a>(facts: &Facts<'a>) -> HashSet<&'a Origin> {
    let extras: HashSet<&Origin> = extras(facts, &[]).into_iter().map(|effect| &effect.first.origin).collect();
    let is_first = |effect: &&Effect<'a>| !extras.contains(&effect.first.origin);
    let effects: Vec<&Effect<'a>> = facts.proven().collect();
    // Where the very first was undone, the one that stands repeats it.
    if !effects.first().is_some_and(is_first) {
        return HashSet::new();
    }
    effects.into_iter().filter(is_first).map(|effect| &effect.first.origin).collect()
}

/// For each attempt, whether it made an effect that no attempt before it had made. Effects that a proof source tells are
/// claimed by the attempts that name them; the others by those that succeeded or never learned, in order.
fn makers(facts: &Facts<'_>) -> Vec<bool> {
    let firsts: HashSet<&Origin> = facts.effects.iter().map(|effect| &effect.first.origin).collect();
    let mut makes: Vec<bool> = facts.attempts.iter().map(|attempt| firsts.contains(&attempt.event.origin)).collect();
    let own: HashSet<&Origin> = facts.group.events.iter().map(|event| &event.origin).collect();
    let mut proven: HashSet<&str> = HashSet::new();
    let mut nameless = 0_usize;
    for effect in facts.effects.iter().filter(|effect| !own.contains(&effect.first.origin)) {
        match effect.naming {
            Naming::Id(id) => _ = proven.insert(id),
            Naming::Record | Naming::Anonymous => nameless += 1,
        }
    }
    let asked = |(index, _): &(usize, &mut bool)| facts.attempts.get(*index).is_some_and(|attempt| !attempt.speaks_for_itself());
    let mut named = HashSet::new();
    for (index, makes) in makes.iter_mut().enumerate().filter(asked) {
        let id = facts.attempts.get(index).and_then(|attempt| attempt.event.effect_id.as_deref());
        *makes = id.is_some_and(|id| proven.remove(id));
        named.extend(id.filter(|_| *makes));
    }
    let mut open = proven.len() + nameless;
    for (index, makes) in makes.iter_mut().enumerate().filter(asked).filter(|(_, makes)| !**makes) {
        let Some(event) = facts.attempts.get(index).map(|attempt| attempt.event) else {
            continue;
        };
        let retells = event.effect_id.as_deref().is_some_and(|id| named.contains(id));
        if open > 0 && !retells && (event.took_effect() || event.outcome == Outcome::Unknown) {
            *makes = true;
            open -= 1;
        }
    }
    makes
}

fn record(event: &Event, role: Role, rules: &Rules) -> FindingRecord {
    FindingRecord {
        source: event.origin.source.to_string(),
        file: event.origin.file.to_string(),
        record: event.origin.record,
        lines: event.origin.lines,
        time: event.time.to_text(),
        outcome: event.outcome,
        effect_id: event.effect_id.clone(),
        request_key: event.request_key.clone(),
        role,
        values: values(event, rules),
        raw: event.raw.clone(),
    }
}

/// Every other mapped field that the record fills.
fn values(event: &Event, rules: &Rules) -> BTreeMap<String, String> {
    let mut values = BTreeMap::from([("operation".to_owned(), event.operation.clone())]);
    let amount = event.amount.map(|money| amount_text(money.amount, money.currency));
    let currency = event.amount.map(|money| money.currency).filter(|currency| *currency != Currency::NONE);
    let payload = event.payload.clone().filter(|payload| payload.chars().nth(LONGEST_PAYLOAD).is_none());
    let canonical = [
        ("actor", event.actor.clone()),
        ("amount", amount),
        ("currency", currency.map(|currency| currency.to_string())),
        ("outcome", event.outcome_text.clone()),
        ("payload", payload),
        ("record_id", event.record_id.clone()),
        ("reverses", event.reverses.clone()),
    ];
    values.extend(canonical.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    for (name, value) in all_named(event, rules) {
        values.entry(name.to_owned()).or_insert_with(|| value.to_owned());
    }
    values
}
