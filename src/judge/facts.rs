//! The facts of one group, gathered once: what every question, cause detector and piece of evidence looks at.

use super::attempt::{Attempt, attempts};
use super::doubt::{Doubts, doubts};
use super::effect::{Effect, effects};
use super::key;
use super::reversal::reversals;
use crate::domain::{Event, Group, KeyRelation, Outcome};
use crate::rules::{Rule, Rules};

pub(super) struct Facts<'a> {
    pub group: &'a Group,
    pub rule: &'a Rule,
    pub rules: &'a Rules,
    /// In the order in which their outcomes were written.
    pub attempts: Vec<Attempt<'a>>,
    /// In the order in which they were first told.
    pub effects: Vec<Effect<'a>>,
    pub key_relation: KeyRelation,
    pub doubts: Doubts<'a>,
    /// Another source tells what effects some of the attempts had.
    asks_proof: bool,
}

impl<'a> Facts<'a> {
    pub fn of(group: &'a Group, rules: &'a Rules) -> Self {
        // The index was made from these very rules.
        let rule = &rules.rules[group.rule];
        let attempts = attempts(group, rule);
        let effects = effects(group, &attempts, &reversals(group, rule));
        Self {
            group,
            rule,
            rules,
            key_relation: key::relation(&attempts, rule),
            doubts: doubts(&attempts, &effects),
            asks_proof: attempts.iter().any(|attempt| !attempt.speaks_for_itself()),
            attempts,
            effects,
        }
    }

    /// Effects that are certainly different from each other.
    pub fn proven(&self) -> impl Iterator<Item = &Effect<'a>> {
        self.effects.iter().filter(|effect| effect.is_proven())
    }

    pub fn distinct(&self) -> u64 {
        self.proven().count() as u64
    }

    /// Proven effects that nothing undid.
    pub fn standing(&self) -> u64 {
        self.proven().filter(|effect| !effect.undone).count() as u64
    }

    /// Effects beyond `allow` that may exist without proof, next to at least one that does.
    pub fn possible(&self) -> u64 {
        if self.effects.is_empty() {
            return 0;
        }
        let nameless = self.effects.iter().any(|effect| !effect.is_proven() && !effect.undone);
        let known = self.standing().max(u64::from(nameless));
        self.doubts.count().min((known + self.doubts.count()).saturating_sub(self.rule.allow))
    }

    /// True when the group is a repeat of any kind, so that there is something to judge.
    pub fn is_repeat(&self) -> bool {
        !self.attempts.is_empty() && (self.attempts.len() >= 2 || self.distinct() > self.rule.allow)
    }

    /// Position in `attempts` of the first that took effect or returned a known result.
    pub fn first_success(&self) -> Option<usize> {
        self.attempts.iter().position(|attempt| attempt.event.took_effect() || attempt.event.outcome == Outcome::Replayed)
    }

    /// The attempts that acted or may have acted, by the time they were asked for: what has a gap worth looking at. Later
    /// records of a known effect are left out. Where fewer than two acted, all attempts.
    pub fn acts(&self) -> Vec<Attempt<'a>> {
        let mut acts: Vec<Attempt<'a>> = self
            .attempts
            .iter()
            .filter(|attempt| match attempt.event.outcome {
                Outcome::Unknown | Outcome::Started => true,
                _ => attempt.event.took_effect() && self.is_told_first_by(attempt.event),
            })
            .copied()
            .collect();
        if acts.len() < 2 {
            acts = self.attempts.clone();
        }
        acts.sort_by(|a, b| a.begin().cmp(&b.begin()).then(a.place.cmp(&b.place)));
        acts
    }

    /// True when no earlier record tells of the effect of this one. Effects that a proof source tells are first told there.
    fn is_told_first_by(&self, event: &Event) -> bool {
        self.asks_proof || self.effects.binary_search_by(|effect| effect.first.order(event)).is_ok()
    }
}
