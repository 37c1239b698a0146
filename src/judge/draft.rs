//! A finding as it is put together, with the exact sums that its texts are made from.

use super::alike::alike;
use super::cause::{Scene, cause};
use super::facts::Facts;
use super::head::Head;
use super::identity::finding_id;
use super::likelihood::{Context, likelihood};
use super::money::{Lag, Tally, exposure};
use super::record::records;
use crate::domain::finding::Finding;
use crate::domain::frequency::Frequencies;
use crate::domain::store::Kept;
use crate::domain::{Currency, Group, Severity, Stamp};
use crate::rules::Rules;
use rust_decimal::Decimal;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The batch that a finding is part of.
pub(super) struct Membership<'a> {
    pub id: &'a str,
    pub lag: Lag,
    /// All lags after which the run came again.
    pub lags: &'a [Lag],
    pub findings: u64,
}

/// What the others make of a finding.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    pub batch: Option<&'a Membership<'a>>,
    /// Of each finding that is part of one.
    pub incidents: &'a BTreeMap<&'a str, &'a str>,
    pub rules: &'a Rules,
    pub frequencies: &'a Frequencies,
}

/// What is kept of a draft while its finding lies packed.
pub(super) struct Draft {
    /// Index among the judged groups.
    pub judged: usize,
    pub id: Box<str>,
    pub severity: Severity,
    pub likelihood: f64,
    /// Currency and net of the money that findings are sorted by.
    pub leading: Option<(Currency, Decimal)>,
    /// Where the finding lies.
    pub finding: Kept,
}

/// The finding of a group, and the exact sums behind its texts.
pub(super) fn finding(group: &Group, head: &Head, among: Among<'_>) -> (Finding, Tally) {
    let Among { batch, incidents, rules, frequencies } = among;
    let facts = Facts::of(group, rules);
    let scene = Scene::of(&facts, batch.map(|batch| (batch.lag, batch.findings)));
    let (cause, cause_bits) = cause(&scene);
    let context =
        Context { verdict: head.verdict, cause: &cause.code, cause_bits, batch: batch.map(|batch| batch.findings), frequencies };
    let (evidence, likelihood) = likelihood(&scene, &context);
    let (extra_effects, tally) = exposure(&facts, head.verdict, batch.map_or(&[], |batch| batch.lags));
    let times = facts.attempts.iter().flat_map(|attempt| {
        let began = attempt.began.map(|(_, event)| event);
        [began, Some(attempt.event)].into_iter().flatten().map(|event| event.time)
    });
    let text = |stamp: Option<Stamp>| stamp.map_or_else(String::new, |stamp| stamp.to_text());
    let id = finding_id(facts.rule, group);
    let finding = Finding {
        rule: facts.rule.id.clone(),
        verdict: head.verdict,
        severity: head.severity(rules),
        key_relation: facts.key_relation,
        likelihood,
        evidence,
        fingerprint: group.fingerprint.iter().cloned().collect(),
        alike: alike(&facts),
        first: text(times.clone().min_by_key(|stamp| stamp.nanos)),
        last: text(times.max_by_key(|stamp| stamp.nanos)),
        extra_effects,
        possible_extra_effects: if head.verdict.is_reported() { facts.possible() } else { 0 },
        exposure: tally.exposure(),
        batch: batch.map(|batch| batch.id.to_owned()),
        incident: incidents.get(id.as_str()).map(|incident| (*incident).to_owned()),
        id,
        also: head.also.iter().filter_map(|rule| rules.rules.get(*rule)).map(|rule| rule.id.clone()).collect(),
        decision: None,
        records: records(&facts),
        late_records: 0,
        unread_records: group.unread,
        cause,
    };
    (finding, tally)
}

impl Draft {
    /// Severity, then net exposure, then likelihood, then id, and at last the order of the judged groups. Currencies are not compared by
    /// number with each other: their codes order them, and findings without money come last.
    pub fn order(&self, other: &Self) -> Ordering {
        let money = match (&self.leading, &other.leading) {
            (Some((code, net)), Some((other_code, other_net))) => {
                code.as_str().cmp(other_code.as_str()).then_with(|| other_net.cmp(net))
            }
            (one, two) => two.is_some().cmp(&one.is_some()),
        };
        (other.severity.cmp(&self.severity))
            .then(money)
            .then(other.likelihood.total_cmp(&self.likelihood))
            .then_with(|| self.id.cmp(&other.id))
            .then(self.judged.cmp(&other.judged))
    }
}
