//! The head of a judged group: what tells it from the others and places it among them, while its records lie packed in a store.

use super::batch::{Pair, pairs};
use super::facts::Facts;
use super::money::exposure;
use super::verdict::verdict;
use crate::domain::store::Kept;
use crate::domain::{Event, Group, KeyRelation, Origin, Outcome, Precision, Severity, Verdict};
use crate::rules::Rules;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

#[derive(Clone, Debug)]
pub(super) struct Head {
    /// Index into `Rules::rules`.
    pub rule: usize,
    pub verdict: Verdict,
    pub key_relation: KeyRelation,
    /// Nanoseconds from the first act to the next; None where there is no next, or no time of day.
    pub gap: Option<i64>,
    /// As in the group.
    pub unread: u64,
    /// Of the first record.
    pub operation: Arc<str>,
    /// Effects beyond the allowed number, proven and possible; only counted where several rules may claim the same records.
    pub claims: (u64, u64),
    /// Indices of other rules that hold records of this group to be one operation.
    pub also: Vec<usize>,
    /// One for each of the group's events.
    pub steps: Box<[Step]>,
    /// Digest of the fingerprint.
    pub fingerprint: u64,
    /// What a repeated run would show in; empty where the verdict makes it no member of one.
    pub pairs: Box<[Pair]>,
    /// Where the group lies packed; None for one that nobody asks for again.
    pub group: Option<Kept>,
}

/// What decides about the order of an event, and where it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    content: u128,
    nanos: i64,
    pub at: At,
    outcome: Outcome,
}

/// The origin of an event, its names as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct At {
    lines: [u64; 2],
    record: u64,
    file: u32,
}

/// A source and one of its files.
type SourceFile = (Arc<str>, Arc<str>);

/// Numbers for the files of events, and one copy of each operation's name.
#[derive(Default)]
pub(super) struct Known(Mutex<Names>);

#[derive(Default)]
struct Names {
    numbers: BTreeMap<SourceFile, u32>,
    operations: BTreeMap<Arc<str>, ()>,
}

/// Names out of a [`Known`] that were asked for last, for one thread.
pub(super) struct Recent<'k> {
    known: &'k Known,
    file: Option<(SourceFile, u32)>,
    operation: Option<Arc<str>>,
}

impl Known {
    pub fn recent(&self) -> Recent<'_> {
        Recent { known: self, file: None, operation: None }
    }

    /// All files in the order of their names, each number at its place: how files are compared by number.
    pub fn ranks(&self) -> Vec<u32> {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ranks = vec![0; names.numbers.len()];
        for (rank, number) in (0..).zip(names.numbers.values()) {
            if let Some(slot) = ranks.get_mut(*number as usize) {
                *slot = rank;
            }
        }
        ranks
    }
}

impl Recent<'_> {
    fn at(&mut self, origin: &Origin) -> At {
        let is_it = |names: &SourceFile| names.0 == origin.source && names.1 == origin.file;
        let file = match &self.file {
            Some((names, number)) if is_it(names) => *number,
            _ => {
                let names: SourceFile = (Arc::clone(&origin.source), Arc::clone(&origin.file));
                let mut known = self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
                let next = known.numbers.len() as u32;
                let number = *known.numbers.entry(names.clone()).or_insert(next);
                self.file = Some((names, number));
                number
            }
        };
        At { file, record: origin.record, lines: origin.lines }
    }

    fn operation(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.operation.as_ref().filter(|known| ***known == *name) {
            return Arc::clone(known);
        }
        let mut known = self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = known.operations.get_key_value(name).map(|(kept, ())| Arc::clone(kept));
        let kept = kept.unwrap_or_else(|| {
            let kept: Arc<str> = name.into();
            known.operations.insert(Arc::clone(&kept), ());
            kept
        });
        self.operation = Some(Arc::clone(&kept));
        kept
    }
}

impl Head {
    /// None for a group that holds no repeat: fewer than two attempts and no more effects than allowed.
    pub fn of(group: &Group, rules: &Rules, recent: &mut Recent<'_>) -> Option<Self> {
        let facts = Facts::of(group, rules);
        let verdict = facts.is_repeat().then(|| verdict(&facts))?;
        let step = |event: &Event| Step {
            content: event.content,
            nanos: event.time.nanos,
            at: recent.at(&event.origin),
            outcome: event.outcome,
        };
        let steps = group.events.iter().map(step).collect();
        Some(Self {
            rule: group.rule,
            verdict,
            key_relation: facts.key_relation,
            gap: first_gap(&facts),
            unread: group.unread,
            operation: recent.operation(group.events.first().map_or("", |event| &event.operation)),
            claims: if rules.rules.len() > 1 { (exposure(&facts, verdict, &[]).0, facts.possible()) } else { (0, 0) },
            also: Vec::new(),
            steps,
            fingerprint: digest(&group.fingerprint),
            pairs: pairs(&facts, verdict).into_boxed_slice(),
            group: None,
        })
    }

    /// The rule's severity; `low` where nothing was lost, `info` for what is not reported.
    pub fn severity(&self, rules: &Rules) -> Severity {
        let rule = rules.rules[self.rule].severity;
        match self.verdict {
            Verdict::InconsistentReplay | Verdict::Compensated => rule.min(Severity::Low),
            verdict if verdict.is_reported() => rule,
            _ => Severity::Info,
        }
    }

    /// A total order that does not ask in which order the groups came: rule, records one by one, fingerprint. `ranks` are those of
    /// [`Known::ranks`].
    pub fn order(&self, other: &Self, ranks: &[u32]) -> Ordering {
        let rules = self.rule.cmp(&other.rule);
        rules.then_with(|| self.happened(other, ranks)).then_with(|| self.fingerprint.cmp(&other.fingerprint))
    }

    /// Which records happened first, compared one by one.
    pub fn happened(&self, other: &Self, ranks: &[u32]) -> Ordering {
        let mut pairs = self.steps.iter().zip(&other.steps);
        let differs = pairs.find_map(|(one, two)| Some(one.order(two, ranks)).filter(|order| order.is_ne()));
        differs.unwrap_or_else(|| self.steps.len().cmp(&other.steps.len()))
    }
}

impl Step {
    /// As [`Event::order`].
    fn order(&self, other: &Self, ranks: &[u32]) -> Ordering {
        let rank = |step: &Self| ranks.get(step.at.file as usize).copied();
        self.nanos
            .cmp(&other.nanos)
            .then(self.outcome.cmp(&other.outcome))
            .then(self.content.cmp(&other.content))
            .then_with(|| rank(self).cmp(&rank(other)))
            .then_with(|| (self.at.record, self.at.lines).cmp(&(other.at.record, other.at.lines)))
    }
}

/// Tells fingerprints of the same records apart.
fn digest(fingerprint: &[(String, Option<String>)]) -> u64 {
    let mut digest = Xxh3::new();
    for (name, value) in fingerprint {
        for text in [Some(name), value.as_ref()] {
            digest.update(&text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
            digest.update(text.map_or(&[], |text| text.as_bytes()));
        }
    }
    digest.digest()
}

fn first_gap(facts: &Facts<'_>) -> Option<i64> {
    let acts = facts.acts();
    let [first, next, ..] = acts.as_slice() else { return None };
    let is_timed = [first, next].iter().all(|act| act.event.time.precision >= Precision::Minute);
    is_timed.then(|| next.begin().saturating_sub(first.begin()))
}
