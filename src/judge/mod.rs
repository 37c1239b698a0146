//! Judging: what each group of attempts means, with its money, its cause and the evidence. Needs nothing but groups and rules.

mod alike;
mod attempt;
mod batch;
mod bench;
mod cadence;
mod cause;
mod doubt;
mod draft;
mod effect;
mod facts;
mod field;
mod head;
mod health;
mod identity;
mod incident;
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
use crate::domain::findings::Findings;
use crate::domain::frequency::Frequencies;
use crate::domain::report::{Batch, Incident, Note, Totals, VerdictCount};
use crate::domain::store::{InMemory, Parcel, Store, Unpacker};
use crate::domain::{Finding, Group, Role, Verdict};
use crate::rules::Rules;
use bench::Bench;
use draft::{Among, Draft, Membership};
use head::Head;
use health::Health;
use money::{Lag, Tally};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

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
    pub findings: Findings,
    /// Over the reported findings.
    pub totals: Totals,
    /// By operation.
    pub health: BTreeMap<String, HealthCounts>,
    /// By id.
    pub batches: Vec<Batch>,
    /// By field and value.
    pub incidents: Vec<Incident>,
    pub notes: Vec<Note>,
    /// Reported findings by the actor of their original.
    pub actors: BTreeMap<String, u64>,
}

/// Judges all groups of a scan, in memory. The result depends neither on the order of `groups` nor on the number of threads.
///
/// # Errors
/// A group is larger than a store takes.
pub fn judge(groups: Vec<Group>, rules: &Rules, frequencies: &Frequencies, keep: Keep) -> io::Result<Conclusion> {
    let court = Court::new(rules, keep, Box::new(InMemory::default()), Arc::new(InMemory::default()));
    court.hear(&groups)?;
    court.conclude(frequencies)
}

/// Findings that one thread makes at a time: few enough that no thread waits long for the last.
const AT_ONCE: usize = 32;

/// A court hears groups as they come, some at a time, from several threads, and concludes when it has heard all: only then it is known which
/// of them are one finding, one batch, one incident. Of quiet groups it keeps no more than it needs for that, of the others the head; their
/// records lie packed in a store.
pub struct Court<'c> {
    keep: Keep,
    bench: Bench<'c>,
    findings: Arc<dyn Store>,
    heard: Mutex<Heard>,
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    heads: Vec<Head>,
    counts: Counts,
}

/// Counts over groups that are told as numbers only.
#[derive(Default)]
struct Counts {
    health: Health,
    verdicts: BTreeMap<Verdict, u64>,
    /// By rule: groups that are too large to read in detail, and their records that were not read.
    unread: BTreeMap<usize, (u64, u64)>,
}

impl Counts {
    fn add(&mut self, head: &Head) {
        self.health.add(head);
        *self.verdicts.entry(head.verdict).or_default() += 1;
        if head.unread > 0 {
            let (groups, records) = self.unread.entry(head.rule).or_default();
            *groups += 1;
            *records += head.unread;
        }
    }
}

impl<'c> Court<'c> {
    /// `groups` is for groups that are heard and `findings` for what is concluded.
    pub fn new(rules: &'c Rules, keep: Keep, groups: Box<dyn Store + 'c>, findings: Arc<dyn Store>) -> Self {
        let bench = Bench::new(rules, groups);
        Self { keep, bench, findings, heard: Mutex::default() }
    }

    /// Judges some groups.
    ///
    /// # Errors
    /// They cannot be kept.
    pub fn hear(&self, groups: &[Group]) -> io::Result<()> {
        let keep = self.keep;
        let heads = self.bench.heads(groups, |head| keep == Keep::All || head.verdict.is_reported())?;
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        for head in heads {
            // With several rules a quiet group may turn out to be part of a finding.
            if head.group.is_some() || self.bench.rules.rules.len() > 1 {
                heard.heads.push(head);
            } else {
                heard.counts.add(&head);
            }
        }
        Ok(())
    }

    /// What all the groups mean together.
    ///
    /// # Errors
    /// What was kept cannot be read back, or findings cannot be kept.
    pub fn conclude(self, frequencies: &Frequencies) -> io::Result<Conclusion> {
        let Self { keep, bench, findings: store, heard } = self;
        let Heard { mut heads, mut counts } = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rules = bench.rules;
        let ranks = bench.known.ranks();
        heads.par_sort_by(|one, other| one.order(other, &ranks));
        let heads = merge::merge(heads, &bench, &ranks)?;
        heads.iter().for_each(|head| counts.add(head));
        let runs = batch::runs(&heads, rules, frequencies.range);
        let named: Vec<(String, Vec<Lag>)> = runs.iter().map(|run| (run.id(rules), run.lags())).collect();
        let memberships = memberships(&runs, &named);
        let incidents = incidents(&heads, &bench, &ranks)?;
        let tied = incidents.iter().flat_map(|incident| incident.findings.iter().map(|id| (id.as_str(), incident.id.as_str())));
        let among = Among { batch: None, incidents: &tied.collect(), rules, frequencies };
        let listed: Vec<usize> = (0..heads.len()).filter(|at| keep == Keep::All || heads[*at].verdict.is_reported()).collect();
        let made: io::Result<Vec<Made>> = listed
            .par_chunks(AT_ONCE)
            .map(|some| {
                let heads = some.iter().filter_map(|at| Some((*at, heads.get(*at)?, memberships.get(at))));
                Made::of(heads, &bench, among, &*store)
            })
            .collect();
        drop(bench);
        let Made { mut drafts, sums, batches: of_batches, actors } = made?.into_iter().fold(Made::default(), Made::and);
        drafts.par_sort_by(Draft::order);
        Ok(Conclusion {
            totals: sums.totals(&counts.verdicts),
            health: counts.health.told(),
            batches: batches(&runs, &named, &of_batches, rules),
            incidents,
            notes: notes(&counts.unread, rules),
            findings: Findings::packed(store, drafts.into_iter().map(|draft| draft.finding).collect()),
            actors,
        })
    }
}

/// `named` are the ids of the runs and the lags after which each came again.
fn memberships<'a>(runs: &[batch::Run], named: &'a [(String, Vec<Lag>)]) -> BTreeMap<usize, Membership<'a>> {
    let members = |(run, (id, lags)): (&batch::Run, &'a (String, Vec<Lag>))| -> Vec<(usize, Membership<'a>)> {
        let findings = run.members.len() as u64;
        run.members.iter().map(|member| (*member, Membership { id, lag: run.lag, lags, findings })).collect()
    };
    runs.iter().zip(named).flat_map(members).collect()
}

/// Findings that were made of some groups, and what they come to.
#[derive(Default)]
struct Made {
    drafts: Vec<Draft>,
    sums: Sums,
    /// By id: extra effects, and their money.
    batches: BTreeMap<String, (u64, Tally)>,
    actors: BTreeMap<String, u64>,
}

impl Made {
    fn of<'h>(
        heads: impl Iterator<Item = (usize, &'h Head, Option<&'h Membership<'h>>)>,
        bench: &Bench<'_>,
        among: Among<'_>,
        store: &dyn Store,
    ) -> io::Result<Self> {
        let (mut made, mut unpacker, mut parcel) = (Self::default(), Unpacker::default(), Parcel::default());
        let mut drafted = Vec::new();
        for (judged, head, batch) in heads {
            let group = bench.take(head, &mut unpacker)?;
            let (finding, tally) = draft::finding(&group, head, Among { batch, ..among });
            made.count(&finding, &tally);
            parcel.add(&finding);
            drafted.push((judged, finding.id.into_boxed_str(), finding.severity, finding.likelihood, tally.leading()));
        }
        let draft =
            |((judged, id, severity, likelihood, leading), finding)| Draft { judged, id, severity, likelihood, leading, finding };
        made.drafts = drafted.into_iter().zip(parcel.keep(store)?).map(draft).collect();
        Ok(made)
    }

    fn count(&mut self, finding: &Finding, tally: &Tally) {
        if let Some(id) = &finding.batch {
            let (extra, sum) = self.batches.entry(id.clone()).or_default();
            *extra += finding.extra_effects;
            sum.add_all(tally);
        }
        if !finding.verdict.is_reported() {
            return;
        }
        self.sums.add(finding, tally);
        let original = finding.records.iter().find(|record| record.role == Role::Original).or(finding.records.first());
        if let Some(actor) = original.and_then(|record| record.values.get("actor")) {
            *self.actors.entry(actor.clone()).or_default() += 1;
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.drafts.extend(other.drafts);
        self.sums.add_all(&other.sums);
        for (id, (extra, tally)) in other.batches {
            let (sum, money) = self.batches.entry(id).or_default();
            *sum += extra;
            money.add_all(&tally);
        }
        for (actor, findings) in other.actors {
            *self.actors.entry(actor).or_default() += findings;
        }
        self
    }
}

/// Sums over reported findings.
#[derive(Default)]
struct Sums {
    findings: u64,
    extra_effects: u64,
    possible_extra_effects: u64,
    proven: Tally,
    possible: Tally,
}

impl Sums {
    fn add(&mut self, finding: &Finding, tally: &Tally) {
        self.findings += 1;
        self.extra_effects += finding.extra_effects;
        self.possible_extra_effects += finding.possible_extra_effects;
        // A doubt is not a loss: money at stake never enters the sum of money moved.
        let sum = if finding.verdict == Verdict::PossibleDuplicate { &mut self.possible } else { &mut self.proven };
        sum.add_all(tally);
    }

    fn add_all(&mut self, other: &Self) {
        self.findings += other.findings;
        self.extra_effects += other.extra_effects;
        self.possible_extra_effects += other.possible_extra_effects;
        self.proven.add_all(&other.proven);
        self.possible.add_all(&other.possible);
    }

    fn totals(&self, verdicts: &BTreeMap<Verdict, u64>) -> Totals {
        let count = |verdict| VerdictCount { verdict, groups: verdicts.get(&verdict).copied().unwrap_or_default() };
        Totals {
            findings: self.findings,
            extra_effects: self.extra_effects,
            possible_extra_effects: self.possible_extra_effects,
            exposure: self.proven.exposure(),
            possible_exposure: self.possible.exposure(),
            verdicts: Verdict::ALL.into_iter().map(count).collect(),
            decided: None,
        }
    }
}

/// The texts of all verdicts, in the order of the questions, and of all causes.
pub fn explanations() -> Vec<Explanation> {
    Verdict::ALL.into_iter().map(meaning::explanation).chain(cause::explanations()).collect()
}

fn batches(
    runs: &[batch::Run],
    named: &[(String, Vec<Lag>)],
    sums: &BTreeMap<String, (u64, Tally)>,
    rules: &Rules,
) -> Vec<Batch> {
    let none = (0, Tally::default());
    let batch = |(run, (id, _)): (&batch::Run, &(String, Vec<Lag>))| {
        let (extra, tally) = sums.get(id).unwrap_or(&none);
        run.batch(rules, *extra, tally)
    };
    let mut batches: Vec<Batch> = runs.iter().zip(named).map(batch).collect();
    batches.sort_by(|a, b| a.id.cmp(&b.id));
    batches
}

/// The incidents among the reported findings.
fn incidents(heads: &[Head], bench: &Bench<'_>, ranks: &[u32]) -> io::Result<Vec<Incident>> {
    // Findings of one rule that name one object are no incident.
    if bench.rules.rules.len() < 2 {
        return Ok(Vec::new());
    }
    let reported: Vec<&Head> = heads.iter().filter(|head| head.verdict.is_reported()).collect();
    let look = |unpacker: &mut Unpacker, head: &&'_ Head| {
        let group = bench.take(head, unpacker)?;
        Ok(identity::finding_id(&bench.rules.rules[group.rule], &group)).map(|id| (id, incident::named(&group, bench.rules)))
    };
    let named: io::Result<Vec<_>> = reported.par_iter().map_init(Unpacker::default, look).collect();
    let findings = reported.iter().zip(named?).map(|(head, (id, named))| (*head, id, named)).collect();
    Ok(incident::incidents(findings, ranks))
}

/// Doubts that only judging can see.
fn notes(unread: &BTreeMap<usize, (u64, u64)>, rules: &Rules) -> Vec<Note> {
    let mut by_id: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (rule, counts) in unread {
        if let Some(rule) = rules.rules.get(*rule) {
            by_id.insert(&rule.id, *counts);
        }
    }
    let note = |(rule, (groups, records)): (&str, (u64, u64))| Note::too_large(rule, groups, records);
    by_id.into_iter().map(note).collect()
}
