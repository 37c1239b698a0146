//! What the values of the outcome columns mean.

use super::operations::glob_matches;
use super::pick::Pick;
use crate::domain::Outcome;

/// What one value of an outcome column says of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Outcome(Outcome),
    /// The record only accompanies an attempt: counted, not used.
    Ignore,
}

/// The questions that decide an outcome, in their order: the first whose lists know its column's value answers.
#[derive(Debug)]
pub struct OutcomeMap {
    pub questions: Vec<OutcomeQuestion>,
}

/// One column and its lists. They hold a handful of values, so that walking them is the shortest way to look one up.
#[derive(Debug)]
pub struct OutcomeQuestion {
    pub from: Pick,
    /// By value.
    values: Vec<(String, Meaning)>,
    /// Patterns with `*` or `?`, the longer first.
    patterns: Vec<(String, Meaning)>,
    /// Of a record that leaves the column empty; the lists write it `""`.
    absent: Option<Meaning>,
}

impl OutcomeMap {
    /// True when one of the lists says which records undo something, so that naming an effect does not make a record one of them.
    pub fn lists_reversals(&self) -> bool {
        let meanings = self.questions.iter().flat_map(OutcomeQuestion::values);
        meanings.into_iter().any(|(_, meaning)| meaning == Meaning::Outcome(Outcome::Reversal))
    }
}

impl OutcomeQuestion {
    pub fn new(from: Pick, values: impl IntoIterator<Item = (String, Meaning)>) -> Self {
        let (mut patterns, mut values): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(value, _): &(String, Meaning)| value.contains(['*', '?']));
        patterns.sort_unstable_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let absent = values.iter().find(|(value, _)| value.is_empty()).map(|(_, meaning)| *meaning);
        values.retain(|(value, _)| !value.is_empty());
        Self { from, values, patterns, absent }
    }

    /// The meaning of a column's value, blanks around it dropped; None for a value in no list.
    #[inline]
    pub fn meaning(&self, value: Option<&str>) -> Option<Meaning> {
        let Some(value) = value else { return self.absent };
        let find = |value: &str| self.values.iter().find(|(known, _)| known == value).map(|(_, meaning)| *meaning);
        find(value).or_else(|| {
            let trimmed = value.trim();
            let pattern = || self.patterns.iter().find(|(pattern, _)| glob_matches(pattern.as_bytes(), trimmed.as_bytes()));
            find(trimmed).or_else(|| pattern().map(|(_, meaning)| *meaning))
        })
    }

    /// Every value or pattern that has a meaning, and `""` for an absent value.
    pub fn values(&self) -> impl Iterator<Item = (&str, Meaning)> {
        let listed = self.values.iter().chain(&self.patterns).map(|(value, meaning)| (value.as_str(), *meaning));
        listed.chain(self.absent.map(|meaning| ("", meaning)))
    }
}
