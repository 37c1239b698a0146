//! What the values of an outcome column mean.

use super::pick::Pick;
use crate::domain::Outcome;

/// What one value of an outcome column says of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Outcome(Outcome),
    /// The record only accompanies an attempt: counted, not used.
    Ignore,
}

/// The lists of an outcome column. Outcome columns hold a handful of values, so a sorted list is the shortest way to look one up.
#[derive(Debug)]
pub struct OutcomeMap {
    pub from: Pick,
    /// By value.
    values: Vec<(String, Meaning)>,
}

impl OutcomeMap {
    pub fn new(from: Pick, values: impl IntoIterator<Item = (String, Meaning)>) -> Self {
        let mut values: Vec<(String, Meaning)> = values.into_iter().collect();
        values.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Self { from, values }
    }

    /// The meaning of a value, blanks around it dropped; None for a value in no list.
    pub fn meaning(&self, value: &str) -> Option<Meaning> {
        let value = value.trim();
        let at = self.values.binary_search_by(|(known, _)| known.as_str().cmp(value)).ok()?;
        self.values.get(at).map(|(_, meaning)| *meaning)
    }

    /// Every value that has a meaning, sorted by value.
    pub fn values(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.values.iter().map(|(value, meaning)| (value.as_str(), *meaning))
    }
}
