//! What the values of an outcome column mean.

use super::pick::Pick;
use crate::domain::Outcome;
use std::collections::HashMap;

/// What one value of an outcome column says of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Outcome(Outcome),
    /// The record only accompanies an attempt: counted, not used.
    Ignore,
}

#[derive(Debug)]
pub struct OutcomeMap {
    pub from: Pick,
    values: HashMap<String, Meaning>,
}

impl OutcomeMap {
    pub fn new(from: Pick, values: HashMap<String, Meaning>) -> Self {
        Self { from, values }
    }

    /// The meaning of a value, blanks around it dropped; None for a value in no list.
    pub fn meaning(&self, value: &str) -> Option<Meaning> {
        self.values.get(value.trim()).copied()
    }

    /// Every value that has a meaning, sorted by value.
    pub fn values(&self) -> Vec<(&str, Meaning)> {
        let mut values: Vec<(&str, Meaning)> = self
            .values
            .iter()
            .map(|(value, meaning)| (value.as_str(), *meaning))
            .collect();
        values.sort_unstable_by_key(|(value, _)| *value);
        values
    }
}
