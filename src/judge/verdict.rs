//! Verdicts: the ordered questions. The first that answers decides, so every group gets exactly one.

use super::attempt::Attempt;
use super::cadence::{Cadence, cadence};
use super::effect::Effect;
use super::facts::Facts;
use super::field::{named, value};
use super::key::conflicts;
use crate::domain::explanation::Explanation;
use crate::domain::{KeyRelation, Outcome, Verdict};
use crate::rules::FieldRef;
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
    if let Some(Cadence { period, .. }) = cadence(standing()).filter(once_each) {
        return Some(format!("the effects follow a {period} cadence"));
    }
    let differs = |field: &&FieldRef| {
        let mut seen = HashSet::new();
        standing().all(|effect| told(effect, field, facts).is_some_and(|value| seen.insert(value)))
    };
    let field = facts.rule.explained_by.iter().find(differs)?;
    Some(format!("each effect has another {}", field.name()))
}

/// The first value that a record of the effect gives the field.
fn told(effect: &Effect<'_>, field: &FieldRef, facts: &Facts<'_>) -> Option<String> {
    effect.records().find_map(|event| value(event, field, facts.rules).map(|value| value.into_owned()))
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
    let known = facts.proven().count().max(1);
    !facts.effects.is_empty() && (told.len() > known || timeout_answered())
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

/// What each verdict means, for terminal, HTML and `explain`.
pub(super) fn explanation(verdict: Verdict) -> Explanation {
    match verdict {
        Verdict::KeyConflict => Explanation {
            code: "key_conflict",
            title: "one key, different requests",
            looks_for: "requests under one request key, within its lifetime, that differ in a field of the rule's `conflict_on`",
            needs: "request_key, and the fields of `conflict_on` (payload, operation or amount)",
            looks_alike: "a key that is really an event id or a session id: such keys are not unique, leave \
                          `conflict_on` empty for them",
            what_to_do: "find what the caller derives the key from; the second request was refused or got the answer to the first, \
                         so somebody may be waiting for something that never happened",
        },
        Verdict::IdempotentRepeat => Explanation {
            code: "idempotent_repeat",
            title: "repeat that changes nothing",
            looks_for: "attempts whose operation is of kind `set`, `delete` or `read`, or repeats with equal `before` \
                        and `after` values",
            needs: "the effect kinds under `[operations]`, or named fields `before` and `after`",
            looks_alike: "an operation that adds (\"increase the balance\") listed under `set` by mistake",
            what_to_do: "nothing; many of them may still point to a caller that polls or loops",
        },
        Verdict::Compensated => Explanation {
            code: "compensated",
            title: "took effect twice, undone",
            looks_for: "more effects than allowed, of which every extra one was refunded, voided, credited or cancelled in full",
            needs: "effect_id, and reversals: an outcome under `reversed` or `reversal`, or `reverses` with the effect's id",
            looks_alike: "a customer who cancelled and ordered again on purpose",
            what_to_do: "no money is missing, but the cause is still there: fix it before the next one goes unnoticed",
        },
        Verdict::LegitimateRepeat => Explanation {
            code: "legitimate_repeat",
            title: "intended repeat",
            looks_for: "more effects than allowed that keep a calendar period (at least three of them), or that each carry another value \
                        in a field of the rule's `explained_by`",
            needs: "times over at least three periods, or a business id or period that differs",
            looks_alike: "a job that runs twice every night has two interleaved cadences and is not explained by them",
            what_to_do: "nothing; if these are duplicates after all, put the field into the fingerprint or empty `explained_by`",
        },
        Verdict::DuplicateEffect => Explanation {
            code: "duplicate_effect",
            title: "took effect more than once",
            looks_for: "more distinct effects that stand than the rule allows, inside one window",
            needs: "effect_id (or `{ each_row = true }`), an outcome that tells success from failure, and a fingerprint \
                    that names the operation",
            looks_alike: "two wanted purchases of the same thing: compare order numbers, line items and what the customer says",
            what_to_do: "undo the extra effects (the records with role `repeat`), then give every retry the key of its \
                         first attempt",
        },
        Verdict::PossibleDuplicate => Explanation {
            code: "possible_duplicate",
            title: "may have taken effect twice",
            looks_for: "one known effect beside a timeout under another key or none, a start that never ended, or several successes \
                        without effect ids",
            needs: "an outcome under `unknown` or `started`, or successes from a source that gives no effect ids",
            looks_alike: "a timeout after which the service did nothing",
            what_to_do: "ask the system that holds the truth (the provider's export); a `[[proof]]` source settles such \
                         findings by itself",
        },
        Verdict::InconsistentReplay => Explanation {
            code: "inconsistent_replay",
            title: "replay with another answer",
            looks_for: "one key on all attempts and one effect, but a repeat that failed after the success, or answered \
                        with another status or amount",
            needs: "request_key on every attempt, outcome, effect_id",
            looks_alike: "a status that moves on between two readings of the same effect (authorised, then captured)",
            what_to_do: "nothing was done twice; a caller that sees a failure may try once more under a fresh key, so \
                         make replays return the first answer",
        },
        Verdict::SafeReplay => Explanation {
            code: "safe_replay",
            title: "repeat that returned the known result",
            looks_for: "several attempts and one effect: the same effect id again, or an outcome under `replayed`, or a \
                        timeout answered under the same key",
            needs: "effect_id or request_key",
            looks_alike: "an id of the wrong thing mapped as effect_id (the payment where the order is the effect) makes \
                          duplicates look safe",
            what_to_do: "nothing: this is idempotency at work",
        },
        Verdict::BlockedRepeat => Explanation {
            code: "blocked_repeat",
            title: "repeat that was refused",
            looks_for: "a failure after the effect whose outcome says 409, 422, duplicate, already or conflict",
            needs: "an outcome text that gives the reason",
            looks_alike: "a refusal for another reason (limit, fraud), which counts as a retried failure",
            what_to_do: "nothing was done twice; a caller that treats the refusal as a failure may still confuse its user",
        },
        Verdict::RetriedFailure => Explanation {
            code: "retried_failure",
            title: "failed, then tried again",
            looks_for: "attempts that failed, with at most one effect among them",
            needs: "an outcome that tells failure from success",
            looks_alike: "a webhook answered with 500 after it had taken effect: map the column that tells the effect, \
                          not the delivery",
            what_to_do: "nothing",
        },
    }
}
