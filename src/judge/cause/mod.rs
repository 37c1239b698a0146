//! Causes: why an operation was repeated, told from facts on the records.
//!
//! To add a cause: write one file with a `DETECTOR` here, and put its name into the list of modules and into [`DETECTORS`] at the
//! place where it should win. Each cause has groups that speak and groups that stay silent in `tests/judge/causes.rs`.

mod agent_retry;
mod batch_reimport;
mod client_retry;
mod clock_change;
mod double_submit;
mod race;
mod redelivery;
mod scheduler_rerun;
mod unknown;

use super::alike::alike;
use super::attempt::Attempt;
use super::facts::Facts;
use super::field::{self, value};
use super::money::Lag;
use crate::domain::Event;
use crate::domain::Precision;
use crate::domain::explanation::Explanation;
use crate::domain::finding::Cause;
use crate::rules::FieldRef;

pub(super) use double_submit::SESSIONS;

/// One cause: what it means, and how it is told.
struct Detector {
    explanation: Explanation,
    /// How much the cause says for "one operation, done twice", in bits of likelihood.
    bits: f64,
    /// The facts that speak for the cause; None where they do not.
    detect: fn(&Scene<'_>) -> Option<String>,
}

/// In order of precedence: a name on the records (tool, message id) outranks a pattern over many findings, which outranks the
/// calendar, which outranks a gap alone.
const DETECTORS: [&Detector; 8] = [
    &agent_retry::DETECTOR,
    &redelivery::DETECTOR,
    &batch_reimport::DETECTOR,
    &clock_change::DETECTOR,
    &scheduler_rerun::DETECTOR,
    &double_submit::DETECTOR,
    &race::DETECTOR,
    &client_retry::DETECTOR,
];

/// A group as a detector sees it.
pub(super) struct Scene<'a> {
    pub facts: &'a Facts<'a>,
    /// Attempts that acted or may have acted, by the time they were asked for.
    acts: Vec<Attempt<'a>>,
    /// The lag of the batch that the finding is part of, and how many findings share it.
    batch: Option<(Lag, u64)>,
}

impl<'a> Scene<'a> {
    pub fn of(facts: &'a Facts<'a>, batch: Option<(Lag, u64)>) -> Self {
        Self { facts, acts: facts.acts(), batch }
    }

    /// False for records of a log without times: how far apart they are, nobody knows.
    fn is_timed(&self) -> bool {
        self.events().all(|event| event.time.precision != Precision::Sequence)
    }

    /// Nanoseconds between each act and the one before it; none where there are no times.
    pub fn gaps(&self) -> impl Iterator<Item = i64> {
        let acts = if self.is_timed() { self.acts.as_slice() } else { &[] };
        acts.iter().zip(acts.iter().skip(1)).map(|(one, next)| next.begin().saturating_sub(one.begin()))
    }

    pub fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.acts.iter().map(|act| act.event)
    }

    /// Nanoseconds from the first act to the last; None for a single act, and where there are no times.
    fn span(&self) -> Option<i64> {
        if !self.is_timed() {
            return None;
        }
        match self.acts.as_slice() {
            [first, .., last] => Some(last.begin().saturating_sub(first.begin())),
            _ => None,
        }
    }

    /// The first named field called like one of `words` to which all acts give one value, with that value.
    pub fn shared_field(&self, words: &[&str]) -> Option<(&'a str, &'a str)> {
        let first = self.acts.first()?.event;
        field::all_named(first, self.facts.rules)
            .filter(|(name, _)| field::is_called(name, words))
            .find(|(name, given)| self.events().all(|event| field::named(event, name, self.facts.rules) == Some(given)))
    }

    /// The first named field called like one of `words` to which each act gives a value and not all the same.
    fn differing_field(&self, words: &[&str]) -> Option<&'a str> {
        let first = self.acts.first()?.event;
        field::all_named(first, self.facts.rules)
            .filter(|(name, _)| field::is_called(name, words))
            .find(|(name, given)| {
                let values = || self.events().map(|event| field::named(event, name, self.facts.rules));
                values().all(|value| value.is_some()) && values().any(|value| value != Some(given))
            })
            .map(|(name, _)| name)
    }

    /// The actor of all acts, as the first of them writes it: they write it alike, or the rule's normalisers find it equal.
    pub fn shared_actor(&self) -> Option<String> {
        let actors = || self.events().map(|event| value(event, &FieldRef::Actor, self.facts.rules));
        let is_alike = || alike(self.facts).iter().any(|name| name == FieldRef::Actor.name());
        let actor = field::common(actors()).or_else(|| actors().next().flatten().filter(|_| is_alike()));
        actor.map(|actor| actor.into_owned())
    }

    /// Fingerprint fields that have a value, by name.
    fn fingerprint(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.facts.group.fingerprint.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
    }
}

/// The cause, and its weight as evidence in bits.
pub(super) fn cause(scene: &Scene<'_>) -> (Cause, f64) {
    let told = DETECTORS.iter().find_map(|detector| Some((detector, (detector.detect)(scene)?)));
    match told {
        Some((detector, why)) => (Cause { code: detector.explanation.code.to_owned(), why }, detector.bits),
        None => (Cause { code: unknown::EXPLANATION.code.to_owned(), why: unknown::why(scene) }, 0.0),
    }
}

/// The texts of all causes, in order of precedence.
pub(super) fn explanations() -> impl Iterator<Item = Explanation> {
    DETECTORS.iter().map(|detector| detector.explanation).chain([unknown::EXPLANATION])
}
