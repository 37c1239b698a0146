//! A finding as it is put together, with the exact sums that its texts are made from.

use super::alike::alike;
use super::cause::{Scene, cause};
use super::facts::Facts;
use super::identity::finding_id;
use super::judged::Judged;
use super::likelihood::{Context, likelihood};
use super::money::{Lag, Tally, exposure};
use super::record::records;
use crate::domain::Stamp;
use crate::domain::finding::Finding;
use crate::domain::frequency::Frequencies;
use crate::rules::Rules;
use std::cmp::Ordering;

/// The batch that a finding is part of.
pub(super) struct Membership<'a> {
    pub id: &'a str,
    pub lag: Lag,
    pub findings: u64,
}

pub(super) struct Draft<'a> {
    pub judged: &'a Judged,
    pub finding: Finding,
    pub tally: Tally,
}

impl<'a> Draft<'a> {
    pub fn of(judged: &'a Judged, batch: Option<&Membership<'_>>, rules: &Rules, frequencies: &Frequencies) -> Self {
        let facts = Facts::of(&judged.group, rules);
        let scene = Scene::of(&facts, batch.map(|batch| (batch.lag, batch.findings)));
        let (cause, cause_bits) = cause(&scene);
        let context = Context {
            verdict: judged.verdict,
            cause: &cause.code,
            cause_bits,
            batch: batch.map(|batch| batch.findings),
            frequencies,
        };
        let (evidence, likelihood) = likelihood(&scene, &context);
        let (extra_effects, tally) = exposure(&facts, judged.verdict, batch.map(|batch| batch.lag));
        let times = facts.attempts.iter().flat_map(|attempt| {
            let began = attempt.began.map(|(_, event)| event);
            [began, Some(attempt.event)].into_iter().flatten().map(|event| event.time)
        });
        let text = |stamp: Option<Stamp>| stamp.map_or_else(String::new, |stamp| stamp.to_text());
        let finding = Finding {
            id: finding_id(facts.rule, &judged.group),
            rule: facts.rule.id.clone(),
            verdict: judged.verdict,
            severity: judged.severity(rules),
            key_relation: facts.key_relation,
            likelihood,
            evidence,
            fingerprint: judged.group.fingerprint.iter().cloned().collect(),
            alike: alike(&facts),
            first: text(times.clone().min_by_key(|stamp| stamp.nanos)),
            last: text(times.max_by_key(|stamp| stamp.nanos)),
            extra_effects,
            possible_extra_effects: if judged.verdict.is_reported() { facts.possible() } else { 0 },
            exposure: tally.exposure(),
            batch: batch.map(|batch| batch.id.to_owned()),
            incident: None,
            also: judged.also.clone(),
            decision: None,
            records: records(&facts),
            late_records: 0,
            unread_records: judged.group.unread,
            cause,
        };
        Self { judged, finding, tally }
    }

    /// Severity, then net exposure, then likelihood, then id. Currencies are not compared by number with each other: their codes
    /// order them, and findings without money come last.
    pub fn order(&self, other: &Self) -> Ordering {
        let (one, two) = (&self.finding, &other.finding);
        let money = match (self.tally.leading(), other.tally.leading()) {
            (Some((code, net)), Some((other_code, other_net))) => code.cmp(other_code).then(other_net.cmp(&net)),
            (one, two) => two.is_some().cmp(&one.is_some()),
        };
        two.severity
            .cmp(&one.severity)
            .then(money)
            .then(two.likelihood.total_cmp(&one.likelihood))
            .then_with(|| one.id.cmp(&two.id))
            .then_with(|| self.judged.order(other.judged))
    }
}
