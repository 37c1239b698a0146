//! Fields of the fingerprint in which all attempts agree, once they are normalised.

use super::attempt::undoes;
use super::facts::Facts;
use super::field::value;
use super::key::conflicts;
use crate::domain::Event;
use crate::rules::normalise::{Scratch, apply_all};
use crate::rules::{FieldRef, FingerprintField};
use std::borrow::Cow;

/// Their names, in the order of the rule. A group that was joined by its request key, or merged out of several, may differ in any field
/// of its fingerprint, so that each is compared again here. What conflicts is not alike, however it is normalised.
pub(super) fn alike(facts: &Facts<'_>) -> Vec<String> {
    let conflicting = conflicts(&facts.attempts, facts.rule, facts.rules);
    let agreed = facts.rule.fingerprint.iter().filter(|part| !conflicting.contains(&&part.field) && is_alike(part, facts));
    agreed.map(|part| part.field.name().to_owned()).collect()
}

fn is_alike(part: &FingerprintField, facts: &Facts<'_>) -> bool {
    let attempts = facts.group.events.iter().filter(|event| !undoes(event, facts.rule));
    let mut normalised = attempts.map(|event| normalised(part, event, facts));
    let Some(Some(first)) = normalised.next() else { return false };
    normalised.all(|other| other.is_some_and(|other| other == first))
}

/// The value as the rule compares it; None where nothing is left of it.
pub(super) fn normalised(part: &FingerprintField, event: &Event, facts: &Facts<'_>) -> Option<String> {
    let written = match &part.field {
        // A fingerprint holds a time as text, for `date` to cut.
        FieldRef::Time => Cow::Owned(event.time.to_text()),
        field => value(event, field, facts.rules)?,
    };
    let mut scratch = Scratch::default();
    let compared = apply_all(&part.normalise, &written, &mut scratch);
    (!compared.is_empty()).then(|| compared.to_owned())
}
