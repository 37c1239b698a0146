//! Idempotency health: how the repeats of each operation behaved.

use super::head::Head;
use crate::domain::{KeyRelation, Verdict};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    fn add(&mut self, judged: &Head) {
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
#[derive(Default)]
pub(super) struct Health(BTreeMap<Arc<str>, (HealthCounts, Vec<i64>)>);

impl Health {
    pub fn add(&mut self, judged: &Head) {
        let (counts, gaps) = match self.0.get_mut(&judged.operation) {
            Some(known) => known,
            None => self.0.entry(Arc::clone(&judged.operation)).or_default(),
        };
        counts.add(judged);
        gaps.extend(judged.gap);
    }

    pub fn told(self) -> BTreeMap<String, HealthCounts> {
        let told = |(operation, (counts, mut gaps)): (Arc<str>, (HealthCounts, Vec<i64>))| {
            let middle = gaps.len() / 2;
            let median_gap = (!gaps.is_empty()).then(|| *gaps.select_nth_unstable(middle).1);
            (operation.as_ref().to_owned(), HealthCounts { median_gap, ..counts })
        };
        self.0.into_iter().map(told).collect()
    }
}
