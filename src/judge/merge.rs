//! Merging: one finding for each set of connected records, not one for each rule that sees them.

use super::bench::Bench;
use super::head::{At, Head};
use crate::domain::group::Proven;
use crate::domain::{Event, Group};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
    let mut merged = Vec::with_capacity(reported.len());
    join_connected(reported, bench, ranks, 0, &mut merged)?;
    let quiet = not_inside(quiet, &merged);
    merged.extend(quiet);
    merged.sort_by(|a, b| a.order(b, ranks));
    Ok(merged)
}

/// A set is looked at so many times at most, without the finding that came out of it the time before; what is left then stands as it is.
const MOST_LOOKS: usize = 16;

/// Adds the findings of all connected sets.
fn join_connected(reported: Vec<Head>, bench: &Bench<'_>, ranks: &[u32], looks: usize, merged: &mut Vec<Head>) -> io::Result<()> {
    if looks == MOST_LOOKS {
        merged.extend(reported);
        return Ok(());
    }
    let mut sets: BTreeMap<usize, Vec<Head>> = BTreeMap::new();
    for (set, judged) in connected(&reported, reported.len()).into_iter().zip(reported) {
        sets.entry(set).or_default().push(judged);
    }
    for set in sets.into_values() {
        let Some(Joined { finding, left }) = join(set, bench, ranks)? else { continue };
        merged.push(finding);
        join_connected(left, bench, ranks, looks + 1, merged)?;
    }
    Ok(())
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

/// What became of a connected set.
struct Joined {
    finding: Head,
    /// Findings that are none of this one, though they share records with it.
    left: Vec<Head>,
}

/// One finding of a connected set. The primary has the highest severity, then the earliest question, then the most extra effects, then the
/// earliest rule: in which order the configuration names its rules changes no sum.
fn join(mut set: Vec<Head>, bench: &Bench<'_>, ranks: &[u32]) -> io::Result<Option<Joined>> {
    set.sort_by(|a, b| {
        let rank = |judged: &Head| (Reverse(judged.severity(bench.rules)), judged.verdict, Reverse(judged.claims), judged.rule);
        rank(a).cmp(&rank(b)).then_with(|| a.order(b, ranks))
    });
    let others = set.split_off(set.len().min(1));
    let Some(mut finding) = set.pop() else { return Ok(None) };
    let known: HashSet<At> = finding.steps.iter().map(|step| step.at).collect();
    let is_inside = |judged: &Head| judged.steps.iter().all(|step| known.contains(&step.at));
    if !others.iter().all(is_inside) {
        let groups: io::Result<Vec<Group>> = others.iter().map(|judged| bench.group(judged)).collect();
        let whole = union(&bench.group(&finding)?, &groups?);
        if let Some(whole) = bench.judged(&whole, |whole| whole.verdict.is_reported())? {
            finding = Head { also: rules_beside(&whole, &others), ..whole };
            return Ok(Some(Joined { finding, left: Vec::new() }));
        }
    }
    // A wider look that explains everything away must not silence the rules that saw repeats in their own records.
    let (inside, left): (Vec<Head>, Vec<Head>) = others.into_iter().partition(is_inside);
    finding.also = rules_beside(&finding, &inside);
    Ok(Some(Joined { finding, left }))
}

/// The other rules of these findings, ascending.
fn rules_beside(finding: &Head, others: &[Head]) -> Vec<usize> {
    let rules: BTreeSet<usize> = others.iter().map(|judged| judged.rule).filter(|rule| *rule != finding.rule).collect();
    rules.into_iter().collect()
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
