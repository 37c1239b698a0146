//! Doubts: attempts that may have made an effect of their own, though no record proves it.

use super::attempt::Attempt;
use super::effect::{Effect, Naming};
use crate::domain::Outcome;
use std::collections::HashSet;

/// What the log leaves open.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubts<'a> {
    /// Timeouts and other unknown outcomes under a key that no known result answers.
    pub unknown: Vec<Attempt<'a>>,
    /// Starts that no end followed.
    pub unfinished: Vec<Attempt<'a>>,
    /// Indices of effects without an id that may repeat one already counted.
    pub anonymous: Vec<usize>,
}

impl Doubts<'_> {
    pub fn count(&self) -> u64 {
        (self.unknown.len() + self.unfinished.len() + self.anonymous.len()) as u64
    }
}

/// Collects the doubts of a group. Attempts that a proof source covers leave none: the proof has answered.
pub(super) fn doubts<'a>(attempts: &[Attempt<'a>], effects: &[Effect<'a>]) -> Doubts<'a> {
    let open = || attempts.iter().filter(|attempt| attempt.speaks_for_itself());
    Doubts {
        unknown: unknown(open(), attempts, effects),
        unfinished: open().filter(|attempt| attempt.is_unfinished()).copied().collect(),
        anonymous: anonymous(effects),
    }
}

/// Unknown attempts without an answer. A key that took effect or was replayed is answered: the service knew it. An effect that
/// nothing but a later notification tells of is the answer to one more of them.
fn unknown<'a, 'b>(
    open: impl Iterator<Item = &'b Attempt<'a>>,
    attempts: &[Attempt<'a>],
    effects: &[Effect<'a>],
) -> Vec<Attempt<'a>>
where
    'a: 'b,
{
    let answered: HashSet<&str> = attempts
        .iter()
        .filter(|attempt| attempt.event.took_effect() || attempt.event.outcome == Outcome::Replayed)
        .filter_map(Attempt::key)
        .collect();
    let mut seen = HashSet::new();
    let mut unknown: Vec<Attempt<'a>> = open.filter(|attempt| attempt.event.outcome == Outcome::Unknown).copied().collect();
    // An earlier state of an effect that is known by now, under the same id.
    let known = |id: &str| effects.iter().any(|effect| effect.naming == Naming::Id(id));
    unknown.retain(|attempt| !attempt.event.effect_id.as_deref().is_some_and(known));
    // One key asked several times in vain is one request in doubt.
    unknown.retain(|attempt| attempt.key().is_none_or(|key| !answered.contains(key) && seen.insert(key)));

    let mut unclaimed = effects
        .iter()
        .filter(|effect| effect.is_proven() && effect.records().all(|event| event.request_key.is_none()))
        .peekable();
    unknown.retain(|attempt| {
        if attempt.key().is_none() {
            return true;
        }
        // A record of the attempt's own kind is another attempt, not a notification of this one.
        let answers = |effect: &&Effect<'_>| {
            effect.first.time.nanos >= attempt.begin()
                && (effect.first.source != attempt.event.source || effect.first.operation != attempt.event.operation)
        };
        while unclaimed.next_if(|effect| !answers(effect)).is_some() {}
        unclaimed.next().is_none()
    });
    unknown
}

/// Effects without an id: all but the first where no effect has one; otherwise those that no request key ties to a known effect.
fn anonymous(effects: &[Effect<'_>]) -> Vec<usize> {
    let proven = || effects.iter().filter(|effect| effect.is_proven());
    let keys: HashSet<&str> = proven().flat_map(Effect::records).filter_map(|event| event.request_key.as_deref()).collect();
    let sources: HashSet<usize> = proven().flat_map(Effect::records).map(|event| event.source).collect();
    let nameless = effects.iter().enumerate().filter(|(_, effect)| !effect.is_proven() && !effect.undone);
    if sources.is_empty() {
        return nameless.skip(1).map(|(index, _)| index).collect();
    }
    nameless
        // A source of its own kind that gives no ids (a mail log beside the orders) retells what the other source named.
        .filter(|(_, effect)| sources.contains(&effect.first.source))
        .filter(|(_, effect)| effect.first.request_key.as_deref().is_none_or(|key| !keys.contains(key)))
        .map(|(index, _)| index)
        .collect()
}
