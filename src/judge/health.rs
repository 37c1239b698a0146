//! Idempotency health: how the repeats of each operation behaved.

use super::judged::Judged;
use crate::domain::Verdict;
use std::collections::BTreeMap;

/// Groups of one operation by what their repeats did. Attempts, and those with a key, are counted over all events, elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HealthCounts {
    /// Groups with more than one attempt.
    pub repeats: u64,
    /// `safe_replay` and `idempotent_repeat`
    pub answered: u64,
    /// `blocked_repeat`
    pub blocked: u64,
    /// `duplicate_effect` and `compensated`
    pub doubled: u64,
    /// `possible_duplicate`
    pub possibly_doubled: u64,
    /// `key_conflict`
    pub conflicting: u64,
    /// `inconsistent_replay`
    pub answered_differently: u64,
    /// `retried_failure` and `legitimate_repeat`
    pub retried: u64,
}

impl HealthCounts {
    fn add(&mut self, verdict: Verdict) {
        self.repeats += 1;
        let column = match verdict {
            Verdict::SafeReplay | Verdict::IdempotentRepeat => &mut self.answered,
            Verdict::BlockedRepeat => &mut self.blocked,
            Verdict::DuplicateEffect | Verdict::Compensated => &mut self.doubled,
            Verdict::PossibleDuplicate => &mut self.possibly_doubled,
            Verdict::KeyConflict => &mut self.conflicting,
            Verdict::InconsistentReplay => &mut self.answered_differently,
            Verdict::RetriedFailure | Verdict::LegitimateRepeat => &mut self.retried,
        };
        *column += 1;
    }
}

/// Counts by the operation of each group's first record.
pub(super) fn health(judged: &[Judged]) -> BTreeMap<String, HealthCounts> {
    let mut health: BTreeMap<String, HealthCounts> = BTreeMap::new();
    for (first, verdict) in judged.iter().filter_map(|judged| Some((judged.first()?, judged.verdict))) {
        match health.get_mut(&first.operation) {
            Some(counts) => counts.add(verdict),
            None => health.entry(first.operation.clone()).or_default().add(verdict),
        }
    }
    health
}
