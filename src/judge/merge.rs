//! Merging: one finding for each set of connected records, not one for each rule that sees them.

use super::judged::Judged;
use crate::domain::group::Proven;
use crate::domain::{Event, Group, Origin};
use crate::rules::Rules;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Joins reported groups that share a record, and drops quiet groups that lie wholly inside a reported finding of another rule.
/// `judged` is in total order; so is the result.
pub(super) fn merge(judged: Vec<Judged>, rules: &Rules) -> Vec<Judged> {
    if rules.rules.len() < 2 {
        return judged;
    }
    let (reported, quiet): (Vec<Judged>, Vec<Judged>) = judged.into_iter().partition(|judged| judged.verdict.is_reported());
    let mut merged: Vec<Judged> = connected(&reported, reported.len())
        .into_iter()
        .zip(reported)
        .fold(BTreeMap::<usize, Vec<Judged>>::new(), |mut sets, (set, judged)| {
            sets.entry(set).or_default().push(judged);
            sets
        })
        .into_values()
        .filter_map(|set| join(set, rules))
        .collect();
    let quiet = not_inside(quiet, &merged);
    merged.extend(quiet);
    merged.sort_by(Judged::order);
    merged
}

/// For each finding the least index of the findings that it is connected with by shared records.
fn connected(reported: &[Judged], count: usize) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..count).collect();
    let mut seen: HashMap<&Origin, usize> = HashMap::new();
    for (index, judged) in reported.iter().enumerate() {
        for event in &judged.group.events {
            let other = *seen.entry(&event.origin).or_insert(index);
            let (one, two) = (root(&mut parents, index), root(&mut parents, other));
            parents[one.max(two)] = one.min(two);
        }
    }
    (0..count).map(|index| root(&mut parents, index)).collect()
}

fn root(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}

/// One finding of a connected set. The primary has the highest severity, then the earliest question, then the earliest rule.
fn join(mut set: Vec<Judged>, rules: &Rules) -> Option<Judged> {
    if set.len() < 2 {
        return set.pop();
    }
    set.sort_by(|a, b| {
        let rank = |judged: &Judged| (Reverse(judged.severity(rules)), judged.verdict, judged.group.rule);
        rank(a).cmp(&rank(b)).then_with(|| a.order(b))
    });
    let mut others = set.split_off(1);
    let mut primary = set.pop()?;
    others.sort_by_key(|judged| judged.group.rule);
    let mut also: Vec<usize> = others.iter().map(|judged| judged.group.rule).filter(|rule| *rule != primary.group.rule).collect();
    also.dedup();

    let known: HashSet<&Origin> = primary.group.events.iter().map(|event| &event.origin).collect();
    let grows = others.iter().any(|judged| judged.group.events.iter().any(|event| !known.contains(&event.origin)));
    if grows {
        // A wider look that explains everything away must not silence the rule that saw a repeat in its own records.
        let whole = Judged::of(union(&primary.group, &others), rules).filter(|whole| whole.verdict.is_reported());
        primary = whole.unwrap_or(primary);
    }
    primary.also = also.into_iter().filter_map(|rule| rules.rules.get(rule)).map(|rule| rule.id.clone()).collect();
    Some(primary)
}

/// All records of the set, each once, under the primary's rule and fingerprint.
fn union(primary: &Group, others: &[Judged]) -> Group {
    let mut events: Vec<(&Event, Proven)> = Vec::new();
    let mut links = primary.links.clone();
    let mut unread = primary.unread;
    for group in std::iter::once(primary).chain(others.iter().map(|judged| &judged.group)) {
        let proven = group.proven.iter().copied().chain(std::iter::repeat(Proven::Unasked));
        events.extend(group.events.iter().zip(proven));
        links.extend(group.links.iter().cloned());
        unread = unread.max(group.unread);
    }
    // Of two copies of a record the one that was proven comes first and stays.
    events.sort_by(|(a, a_proven), (b, b_proven)| {
        a.order(b).then((*a_proven == Proven::Unasked).cmp(&(*b_proven == Proven::Unasked)))
    });
    events.dedup_by(|(a, _), (b, _)| a.origin == b.origin);
    links.sort_by(|a, b| a.event.order(&b.event));
    links.dedup_by(|a, b| a.event.origin == b.event.origin && a.kind == b.kind);
    Group {
        rule: primary.rule,
        fingerprint: primary.fingerprint.clone(),
        proven: events.iter().map(|(_, proven)| *proven).collect(),
        events: events.into_iter().map(|(event, _)| event.clone()).collect(),
        links,
        unread,
    }
}

/// The quiet groups that are not part of one reported finding of another rule.
fn not_inside(quiet: Vec<Judged>, reported: &[Judged]) -> Vec<Judged> {
    let mut finding_of: HashMap<&Origin, usize> = HashMap::new();
    for (index, judged) in reported.iter().enumerate() {
        finding_of.extend(judged.group.events.iter().map(|event| (&event.origin, index)));
    }
    let inside = |judged: &Judged| {
        let mut findings = judged.group.events.iter().map(|event| finding_of.get(&event.origin).copied());
        let Some(Some(first)) = findings.next() else { return false };
        let other_rule = reported.get(first).is_some_and(|finding| finding.group.rule != judged.group.rule);
        other_rule && findings.all(|finding| finding == Some(first))
    };
    quiet.into_iter().filter(|judged| !inside(judged)).collect()
}
