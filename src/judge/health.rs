//! Idempotency health: how the repeats of each operation behaved.

use super::judged::Judged;
use crate::domain::{KeyRelation, Verdict};
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
    /// Groups in which an attempt has a request key.
    pub keyed_repeats: u64,
    /// Those of them in which a repeat came under another key.
    pub keys_changed: u64,
    /// The middle of the nanoseconds from the first act to the next; None where no group tells them.
    pub median_gap: Option<i64>,
}

impl HealthCounts {
    fn add(&mut self, judged: &Judged) {
        self.repeats += 1;
        self.keyed_repeats += u64::from(judged.key_relation != KeyRelation::None);
        self.keys_changed += u64::from(matches!(judged.key_relation, KeyRelation::Changed | KeyRelation::Partly));
        let column = match judged.verdict {
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
    let mut health: BTreeMap<&str, (HealthCounts, Vec<i64>)> = BTreeMap::new();
    for (first, judged) in judged.iter().filter_map(|judged| Some((judged.first()?, judged))) {
        let (counts, gaps) = health.entry(&first.operation).or_default();
        counts.add(judged);
        gaps.extend(judged.gap);
    }
    let told = |(operation, (counts, mut gaps)): (&str, (HealthCounts, Vec<i64>))| {
        let middle = gaps.len() / 2;
        let median_gap = (!gaps.is_empty()).then(|| *gaps.select_nth_unstable(middle).1);
        (operation.to_owned(), HealthCounts { median_gap, ..counts })
    };
    health.into_iter().map(told).collect()
}
