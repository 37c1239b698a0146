//! Request keys: how those of a group's attempts relate, and where one key was used for different requests.

use super::attempt::Attempt;
use super::field::value;
use crate::domain::{Event, KeyRelation};
use crate::rules::{FieldRef, Rule, Rules};
use std::collections::{BTreeMap, HashSet};

/// How the request keys relate. Keyless records that only tell of an effect (notifications) are not attempts without a key.
pub(super) fn relation(attempts: &[Attempt<'_>], rule: &Rule) -> KeyRelation {
    let keyed: Vec<(&str, &Attempt<'_>)> =
        attempts.iter().filter_map(|attempt| attempt.key().map(|key| (key, attempt))).collect();
    let (Some((_, first)), Some((_, last))) = (keyed.first(), keyed.last()) else {
        return KeyRelation::None;
    };
    let keys: HashSet<&str> = keyed.iter().map(|(key, _)| *key).collect();
    if keys.len() > 1 {
        return if keys.len() == keyed.len() { KeyRelation::Changed } else { KeyRelation::Partly };
    }
    if attempts.len() > keyed.len() + notifications(attempts) {
        KeyRelation::Partly
    } else if last.begin().saturating_sub(first.begin()) > rule.key_lifetime {
        KeyRelation::Expired
    } else {
        KeyRelation::Same
    }
}

/// Keyless records that repeat the effect of an attempt with a key, or that no attempt with a key looks like.
fn notifications(attempts: &[Attempt<'_>]) -> usize {
    let keyed = || attempts.iter().filter(|attempt| attempt.key().is_some()).map(|attempt| attempt.event);
    let effects: HashSet<(usize, &str)> = keyed().filter_map(|event| Some((event.source, event.effect_id.as_deref()?))).collect();
    let kinds: HashSet<(usize, &str)> = keyed().map(|event| (event.source, event.operation.as_str())).collect();
    let keyless = attempts.iter().filter(|attempt| attempt.key().is_none()).map(|attempt| attempt.event);
    keyless
        .filter(|event| {
            let retells = event.effect_id.as_deref().is_some_and(|id| effects.contains(&(event.source, id)));
            retells || !kinds.contains(&(event.source, event.operation.as_str()))
        })
        .count()
}

/// The fields of `conflict_on` in which requests under one key differ, within the key's lifetime. Where no record has a key, the
/// fingerprint stands for it. A value that one side does not give differs from nothing.
pub(super) fn conflicts<'r>(attempts: &[Attempt<'_>], rule: &'r Rule, rules: &Rules) -> Vec<&'r FieldRef> {
    if rule.conflict_on.is_empty() {
        return Vec::new();
    }
    let mut by_key: BTreeMap<(usize, Option<&str>), Vec<&Attempt<'_>>> = BTreeMap::new();
    let any_key = attempts.iter().any(|attempt| attempt.key().is_some());
    for attempt in attempts.iter().filter(|attempt| attempt.key().is_some() || !any_key) {
        by_key.entry((attempt.event.source, attempt.key())).or_default().push(attempt);
    }
    for uses in by_key.values_mut() {
        uses.sort_by_key(|attempt| attempt.begin());
    }
    let differs = |field: &&FieldRef| by_key.values().any(|uses| differs_within_lifetime(uses, field, rule, rules));
    rule.conflict_on.iter().filter(differs).collect()
}

/// `uses` are the attempts of one key, by time.
fn differs_within_lifetime(uses: &[&Attempt<'_>], field: &FieldRef, rule: &Rule, rules: &Rules) -> bool {
    let mut born: Option<i64> = None;
    let mut first = None;
    for attempt in uses {
        if born.is_none_or(|born| attempt.begin().saturating_sub(born) > rule.key_lifetime) {
            // The key had expired: this use is a new request.
            born = Some(attempt.begin());
            first = None;
        }
        let records: [Option<&Event>; 2] = [Some(attempt.event), attempt.began.map(|(_, event)| event)];
        let Some(given) = records.into_iter().flatten().find_map(|event| value(event, field, rules)) else {
            continue;
        };
        match &first {
            Some(known) if *known != given => return true,
            Some(_) => {}
            None => first = Some(given),
        }
    }
    false
}
