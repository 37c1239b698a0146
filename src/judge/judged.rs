//! A judged group: its verdict, and the place it takes among the others.

use super::facts::Facts;
use super::verdict::verdict;
use crate::domain::{Event, Group, KeyRelation, Precision, Severity, Verdict};
use crate::rules::Rules;
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub group: Group,
    pub verdict: Verdict,
    pub key_relation: KeyRelation,
    /// Nanoseconds from the first act to the next; None where there is no next, or no time of day.
    pub gap: Option<i64>,
    /// Ids of other rules that hold records of this group to be one operation.
    pub also: Vec<String>,
}

impl Judged {
    /// None for a group that holds no repeat: fewer than two attempts and no more effects than allowed.
    pub fn of(group: Group, rules: &Rules) -> Option<Self> {
        let facts = Facts::of(&group, rules);
        let verdict = facts.is_repeat().then(|| verdict(&facts))?;
        let (key_relation, gap) = (facts.key_relation, first_gap(&facts));
        Some(Self { group, verdict, key_relation, gap, also: Vec::new() })
    }

    /// The rule's severity; `low` where nothing was lost, `info` for what is not reported.
    pub fn severity(&self, rules: &Rules) -> Severity {
        let rule = rules.rules[self.group.rule].severity;
        match self.verdict {
            Verdict::InconsistentReplay | Verdict::Compensated => rule.min(Severity::Low),
            verdict if verdict.is_reported() => rule,
            _ => Severity::Info,
        }
    }

    pub fn first(&self) -> Option<&Event> {
        self.group.events.first()
    }

    /// A total order that does not ask in which order the groups came: rule, records one by one, fingerprint.
    pub fn order(&self, other: &Self) -> Ordering {
        let rules = self.group.rule.cmp(&other.group.rule);
        rules.then_with(|| self.happened(other)).then_with(|| self.group.fingerprint.cmp(&other.group.fingerprint))
    }

    /// Which records happened first, compared one by one.
    pub fn happened(&self, other: &Self) -> Ordering {
        let (one, two) = (&self.group.events, &other.group.events);
        let differs = one.iter().zip(two).map(|(one, two)| one.order(two)).find(|order| order.is_ne());
        differs.unwrap_or_else(|| one.len().cmp(&two.len()))
    }
}

fn first_gap(facts: &Facts<'_>) -> Option<i64> {
    let acts = facts.acts();
    let [first, next, ..] = acts.as_slice() else { return None };
    let is_timed = [first, next].iter().all(|act| act.event.time.precision >= Precision::Minute);
    is_timed.then(|| next.begin().saturating_sub(first.begin()))
}
