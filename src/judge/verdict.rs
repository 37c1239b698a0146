//! Verdicts: the ordered questions. The first that answers decides, so every group gets exactly one.

use super::alike::normalised;
use super::attempt::Attempt;
use super::cadence::{Cadence, cadence};
use super::effect::Effect;
use super::facts::Facts;
use super::field::named;
use super::key::conflicts;
use crate::domain::{KeyRelation, Outcome, Verdict};
use crate::rules::FingerprintField;
use std::collections::HashSet;

/// One row of the table.
struct Question {
    verdict: Verdict,
    answers: fn(&Facts<'_>) -> bool,
}

/// The table of DESIGN.md, section 5. What none of these claims is a retried failure.
const QUESTIONS: [Question; 9] = [
    Question { verdict: Verdict::KeyConflict, answers: one_key_for_different_requests },
    Question { verdict: Verdict::IdempotentRepeat, answers: repeat_changes_nothing },
    Question { verdict: Verdict::Compensated, answers: every_extra_effect_was_undone },
    Question { verdict: Verdict::LegitimateRepeat, answers: repeat_is_explained },
    Question { verdict: Verdict::DuplicateEffect, answers: more_effects_than_allowed },
    Question { verdict: Verdict::PossibleDuplicate, answers: another_effect_is_possible },
    Question { verdict: Verdict::InconsistentReplay, answers: replay_answered_differently },
    Question { verdict: Verdict::SafeReplay, answers: known_result_came_back },
    Question { verdict: Verdict::BlockedRepeat, answers: repeat_was_refused },
];

pub(super) fn verdict(facts: &Facts<'_>) -> Verdict {
    let decided = QUESTIONS.iter().find(|question| (question.answers)(facts));
    decided.map_or(Verdict::RetriedFailure, |question| question.verdict)
}

fn one_key_for_different_requests(facts: &Facts<'_>) -> bool {
    !conflicts(&facts.attempts, facts.rule, facts.rules).is_empty()
}

fn repeat_changes_nothing(facts: &Facts<'_>) -> bool {
    if facts.attempts.iter().all(|attempt| attempt.event.kind.is_idempotent()) {
        return true;
    }
    let Some(first) = facts.attempts.iter().position(|attempt| attempt.event.took_effect()) else {
        return false;
    };
    let repeats = facts.attempts.get(first + 1..).unwrap_or_default();
    let unchanged = |event| {
        let before = named(event, "before", facts.rules);
        before.is_some() && before == named(event, "after", facts.rules)
    };
    !repeats.is_empty() && repeats.iter().all(|attempt| unchanged(attempt.event))
}

fn every_extra_effect_was_undone(facts: &Facts<'_>) -> bool {
    facts.distinct() > facts.rule.allow && facts.standing() <= facts.rule.allow
}

fn repeat_is_explained(facts: &Facts<'_>) -> bool {
    let allowed = facts.standing() <= facts.rule.allow;
    let open = allowed && facts.possible() > 0;
    facts.standing() > 1 && !open && explanation_of_repeat(facts).is_some()
}

/// What shows the standing effects to be wanted, in words: the rule's own allowance, a cadence, or a field that differs.
pub(super) fn explanation_of_repeat(facts: &Facts<'_>) -> Option<String> {
    if facts.standing() <= facts.rule.allow {
        return Some(format!("the rule allows {} effects", facts.rule.allow));
    }
    let standing = || facts.proven().filter(|effect| !effect.undone);
    let once_each = |cadence: &Cadence| cadence.occurrences.iter().all(|effects| effects.len() as u64 <= facts.rule.allow);
    let effects: Vec<&Effect<'_>> = standing().collect();
    if let Some(Cadence { period, .. }) = cadence(&effects, facts).filter(once_each) {
        return Some(format!("the effects follow a {period} cadence"));
    }
    let differs = |part: &&FingerprintField| {
        let mut seen = HashSet::new();
        standing().all(|effect| told(effect, part, facts).is_some_and(|value| seen.insert(value)))
    };
    let part = facts.rule.explained_by.iter().find(differs)?;
    Some(format!("each effect has another {}", part.field.name()))
}

/// The first value that a record of the effect gives the field, as the rule compares it.
pub(super) fn told(effect: &Effect<'_>, part: &FingerprintField, facts: &Facts<'_>) -> Option<String> {
    effect.records().find_map(|event| normalised(part, event, facts))
}

fn more_effects_than_allowed(facts: &Facts<'_>) -> bool {
    facts.standing() > facts.rule.allow
}

fn another_effect_is_possible(facts: &Facts<'_>) -> bool {
    facts.possible() > 0
}

fn replay_answered_differently(facts: &Facts<'_>) -> bool {
    let [effect] = facts.effects.as_slice() else { return false };
    let Some(first) = facts.first_success() else { return false };
    if facts.key_relation != KeyRelation::Same || facts.attempts.iter().any(|attempt| attempt.key().is_none()) {
        return false;
    }
    let told = effect.first;
    let differs = |attempt: &Attempt<'_>| {
        let event = attempt.event;
        match event.outcome {
            Outcome::Failed => !is_refusal(event.outcome_text.as_deref()),
            Outcome::TookEffect => {
                event.source == told.source
                    && event.effect_id == told.effect_id
                    && (differ(&event.outcome_text, &told.outcome_text) || differ(&event.amount, &told.amount))
            }
            _ => false,
        }
    };
    facts.attempts.iter().skip(first + 1).any(differs)
}

/// True when both sides say something and not the same.
fn differ<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

fn known_result_came_back(facts: &Facts<'_>) -> bool {
    let with = |outcome| facts.attempts.iter().filter(move |attempt| attempt.event.outcome == outcome);
    if with(Outcome::Replayed).next().is_some() {
        return true;
    }
    let told: Vec<_> = facts.attempts.iter().filter(|attempt| attempt.event.took_effect()).collect();
    let answered: HashSet<&str> = told.iter().filter_map(|attempt| attempt.key()).collect();
    let timeout_answered = || with(Outcome::Unknown).filter_map(Attempt::key).any(|key| answered.contains(key));
    let ids: HashSet<&str> = told.iter().filter_map(|attempt| attempt.event.effect_id.as_deref()).collect();
    let came_to_an_end =
        || with(Outcome::Unknown).filter_map(|attempt| attempt.event.effect_id.as_deref()).any(|id| ids.contains(id));
    let known = facts.proven().count().max(1);
    !facts.effects.is_empty() && (told.len() > known || timeout_answered() || came_to_an_end())
}

fn repeat_was_refused(facts: &Facts<'_>) -> bool {
    let after = facts.first_success().map_or(usize::MAX, |first| first.saturating_add(1));
    facts
        .attempts
        .iter()
        .skip(after)
        .any(|attempt| attempt.event.outcome == Outcome::Failed && is_refusal(attempt.event.outcome_text.as_deref()))
}

/// True when a failure says "I know this request already": 409 Conflict, 422 of the idempotency-key draft, or words to that
/// effect. A bare "rejected" may have any reason and is none.
fn is_refusal(text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    let text = text.to_lowercase();
    let codes = text.split(|letter: char| !letter.is_ascii_digit()).any(|code| matches!(code, "409" | "422"));
    codes || ["duplicate", "already", "conflict", "idempot"].iter().any(|word| text.contains(word))
}
