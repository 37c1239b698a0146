//! Merging: one finding for each set of connected records, not one for each rule that sees them.

use super::bench::Bench;
use super::head::{At, Head};
use crate::domain::group::Proven;
use crate::domain::{Event, Group};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

/// Joins reported groups that share a record, and drops quiet groups that lie wholly inside a reported finding of another rule.
/// `judged` is in total order; so is the result.
///
/// # Errors
/// A group cannot be taken out of the store, or a joined one not put into it.
pub(super) fn merge(judged: Vec<Head>, bench: &Bench<'_>, ranks: &[u32]) -> io::Result<Vec<Head>> {
    if bench.rules.rules.len() < 2 {
        return Ok(judged);
    }
    let (reported, quiet): (Vec<Head>, Vec<Head>) = judged.into_iter().partition(|judged| judged.verdict.is_reported());
    let sets = connected(&reported, reported.len()).into_iter().zip(reported).fold(
        BTreeMap::<usize, Vec<Head>>::new(),
        |mut sets, (set, judged)| {
            sets.entry(set).or_default().push(judged);
            sets
        },
    );
    let mut merged = Vec::with_capacity(sets.len());
    for set in sets.into_values() {
        merged.extend(join(set, bench, ranks)?);
    }
    let quiet = not_inside(quiet, &merged);
    merged.extend(quiet);
    merged.sort_by(|a, b| a.order(b, ranks));
    Ok(merged)
}

/// For each finding the least index of the findings that it is connected with by shared records.
fn connected(reported: &[Head], count: usize) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..count).collect();
    let mut seen: HashMap<At, usize> = HashMap::new();
    for (index, judged) in reported.iter().enumerate() {
        for step in &judged.steps {
            let other = *seen.entry(step.at).or_insert(index);
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
fn join(mut set: Vec<Head>, bench: &Bench<'_>, ranks: &[u32]) -> io::Result<Option<Head>> {
    if set.len() < 2 {
        return Ok(set.pop());
    }
    set.sort_by(|a, b| {
        let rank = |judged: &Head| (Reverse(judged.severity(bench.rules)), judged.verdict, judged.rule);
        rank(a).cmp(&rank(b)).then_with(|| a.order(b, ranks))
    });
    let mut others = set.split_off(1);
    let Some(mut primary) = set.pop() else { return Ok(None) };
    others.sort_by_key(|judged| judged.rule);
    let mut also: Vec<usize> = others.iter().map(|judged| judged.rule).filter(|rule| *rule != primary.rule).collect();
    also.dedup();

    let known: HashSet<At> = primary.steps.iter().map(|step| step.at).collect();
    let grows = others.iter().any(|judged| judged.steps.iter().any(|step| !known.contains(&step.at)));
    if grows {
        let groups: io::Result<Vec<Group>> = others.iter().map(|judged| bench.group(judged)).collect();
        let whole = union(&bench.group(&primary)?, &groups?);
        // A wider look that explains everything away must not silence the rule that saw a repeat in its own records.
        primary = bench.judged(&whole, |whole| whole.verdict.is_reported())?.unwrap_or(primary);
    }
    primary.also = also;
    Ok(Some(primary))
}

/// All records of the set, each once, under the primary's rule and fingerprint.
fn union(primary: &Group, others: &[Group]) -> Group {
    let mut events: Vec<(&Event, Proven)> = Vec::new();
    let mut links = primary.links.clone();
    let mut unread = primary.unread;
    for group in std::iter::once(primary).chain(others) {
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
fn not_inside(quiet: Vec<Head>, reported: &[Head]) -> Vec<Head> {
    let mut finding_of: HashMap<At, usize> = HashMap::new();
    for (index, judged) in reported.iter().enumerate() {
        finding_of.extend(judged.steps.iter().map(|step| (step.at, index)));
    }
    let inside = |judged: &Head| {
        let mut findings = judged.steps.iter().map(|step| finding_of.get(&step.at).copied());
        let Some(Some(first)) = findings.next() else { return false };
        let other_rule = reported.get(first).is_some_and(|finding| finding.rule != judged.rule);
        other_rule && findings.all(|finding| finding == Some(first))
    };
    quiet.into_iter().filter(|judged| !inside(judged)).collect()
}
