//! Judging: what each group of attempts means, with its money, its cause and the evidence. Needs nothing but groups and rules.

mod alike;
mod attempt;
mod batch;
mod cadence;
mod cause;
mod doubt;
mod draft;
mod effect;
mod facts;
mod field;
mod health;
mod identity;
mod incident;
mod judged;
mod key;
mod likelihood;
mod meaning;
mod merge;
mod money;
mod record;
mod reversal;
mod verdict;

pub use health::HealthCounts;

use crate::domain::explanation::Explanation;
use crate::domain::frequency::Frequencies;
use crate::domain::report::{Batch, Incident, Note, Totals, VerdictCount};
use crate::domain::{Finding, Group, Verdict};
use crate::rules::Rules;
use draft::{Draft, Membership};
use judged::Judged;
use money::Tally;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Which findings are listed; all are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Those with a verdict that is reported.
    Reported,
    /// The quiet ones too.
    All,
}

/// What the groups of a scan mean.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// By severity, net exposure, likelihood and id: a total order.
    pub findings: Vec<Finding>,
    /// Over the reported findings.
    pub totals: Totals,
    /// By operation.
    pub health: BTreeMap<String, HealthCounts>,
    /// By id.
    pub batches: Vec<Batch>,
    /// By field and value.
    pub incidents: Vec<Incident>,
    pub notes: Vec<Note>,
    /// What was judged. Events are millions of small strings: who ends anyway need not give them back.
    pub groups: Vec<Group>,
}

/// Judges all groups of a scan. The result depends neither on the order of `groups` nor on the number of threads.
pub fn judge(groups: Vec<Group>, rules: &Rules, frequencies: &Frequencies, keep: Keep) -> Conclusion {
    let mut judged: Vec<Judged> = groups.into_par_iter().filter_map(|group| Judged::of(group, rules)).collect();
    judged.par_sort_by(Judged::order);
    let judged = merge::merge(judged, rules);
    let runs = batch::runs(&judged, rules, frequencies.range);
    let ids: Vec<String> = runs.iter().map(|run| run.id(rules)).collect();
    let mut memberships: Vec<Option<Membership<'_>>> = judged.iter().map(|_| None).collect();
    for (run, id) in runs.iter().zip(&ids) {
        for member in &run.members {
            if let Some(slot) = memberships.get_mut(*member) {
                *slot = Some(Membership { id, lag: run.lag, findings: run.members.len() as u64 });
            }
        }
    }
    let mut drafts: Vec<Draft<'_>> = judged
        .par_iter()
        .zip(&memberships)
        .filter(|(judged, _)| keep == Keep::All || judged.verdict.is_reported())
        .map(|(judged, batch)| Draft::of(judged, batch.as_ref(), rules, frequencies))
        .collect();
    let batches = batches(&runs, &ids, &drafts, rules);
    let incidents = tie(&mut drafts, rules);
    drafts.par_sort_by(Draft::order);
    Conclusion {
        totals: totals(&drafts, &judged),
        health: health::health(&judged),
        batches,
        incidents,
        notes: notes(&judged, rules),
        findings: drafts.into_iter().map(|draft| draft.finding).collect(),
        groups: judged.into_iter().map(|judged| judged.group).collect(),
    }
}

/// The texts of all verdicts, in the order of the questions, and of all causes.
pub fn explanations() -> Vec<Explanation> {
    Verdict::ALL.into_iter().map(meaning::explanation).chain(cause::explanations()).collect()
}

fn batches(runs: &[batch::Run], ids: &[String], drafts: &[Draft<'_>], rules: &Rules) -> Vec<Batch> {
    let mut sums: BTreeMap<&str, (u64, Tally)> = BTreeMap::new();
    for draft in drafts {
        let Some(id) = draft.finding.batch.as_deref() else { continue };
        let (extra, tally) = sums.entry(id).or_default();
        *extra += draft.finding.extra_effects;
        tally.add_all(&draft.tally);
    }
    let none = (0, Tally::default());
    let batch = |(run, id): (&batch::Run, &String)| {
        let (extra, tally) = sums.get(id.as_str()).unwrap_or(&none);
        run.batch(rules, *extra, tally)
    };
    let mut batches: Vec<Batch> = runs.iter().zip(ids).map(batch).collect();
    batches.sort_by(|a, b| a.id.cmp(&b.id));
    batches
}

/// Finds the incidents among the reported findings, and marks these with them.
fn tie(drafts: &mut [Draft<'_>], rules: &Rules) -> Vec<Incident> {
    let reported: Vec<(&Judged, &str)> = drafts
        .iter()
        .filter(|draft| draft.judged.verdict.is_reported())
        .map(|draft| (draft.judged, draft.finding.id.as_str()))
        .collect();
    let incidents = incident::incidents(&reported, rules);
    let of: BTreeMap<&str, &str> =
        incidents.iter().flat_map(|incident| incident.findings.iter().map(|id| (id.as_str(), incident.id.as_str()))).collect();
    for draft in drafts {
        draft.finding.incident = of.get(draft.finding.id.as_str()).map(|id| (*id).to_owned());
    }
    incidents
}

fn totals(drafts: &[Draft<'_>], judged: &[Judged]) -> Totals {
    let mut totals = Totals::default();
    let (mut proven, mut possible) = (Tally::default(), Tally::default());
    for draft in drafts.iter().filter(|draft| draft.judged.verdict.is_reported()) {
        totals.findings += 1;
        totals.extra_effects += draft.finding.extra_effects;
        totals.possible_extra_effects += draft.finding.possible_extra_effects;
        // A doubt is not a loss: money at stake never enters the sum of money moved.
        let tally = if draft.judged.verdict == Verdict::PossibleDuplicate { &mut possible } else { &mut proven };
        tally.add_all(&draft.tally);
    }
    totals.exposure = proven.exposure();
    totals.possible_exposure = possible.exposure();
    totals.verdicts = Verdict::ALL
        .into_iter()
        .map(|verdict| VerdictCount { verdict, groups: judged.iter().filter(|judged| judged.verdict == verdict).count() as u64 })
        .collect();
    totals
}

/// Doubts that only judging can see.
fn notes(judged: &[Judged], rules: &Rules) -> Vec<Note> {
    let mut unread: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for judged in judged.iter().filter(|judged| judged.group.unread > 0) {
        let (groups, records) = unread.entry(rules.rules[judged.group.rule].id.as_str()).or_default();
        *groups += 1;
        *records += judged.group.unread;
    }
    let note = |(rule, (groups, records)): (&str, (u64, u64))| Note {
        code: "group_too_large".to_owned(),
        message: format!(
            "rule {rule}: {groups} groups are too large to read in detail, {records} of their records were only counted; \
             their numbers are lower bounds, add fields to the fingerprint or shorten the window"
        ),
    };
    unread.into_iter().map(note).collect()
}
