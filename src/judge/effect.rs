//! Effects: the distinct lasting results of a group's attempts, and which of them were undone.

use super::attempt::Attempt;
use super::reversal::undo;
use crate::domain::group::LinkKind;
use crate::domain::{Event, Group, Money, Outcome};
use rust_decimal::Decimal;
use std::collections::HashMap;

/// One lasting result, however often it was written down.
#[derive(Clone, Debug)]
pub(super) struct Effect<'a> {
    pub naming: Naming<'a>,
    /// The record that first tells of it.
    pub first: &'a Event,
    /// Further records of the same effect, in order.
    pub later: Vec<&'a Event>,
    pub amount: Option<Money>,
    /// What reversals took back of `amount`, in its currency.
    pub returned: Decimal,
    pub undone: bool,
}

/// How an effect is told from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming<'a> {
    Id(&'a str),
    /// The source declares each successful record an effect of its own.
    Record,
    /// A success without an effect id: it may be an effect of its own or the same one again.
    Anonymous,
}

impl<'a> Effect<'a> {
    fn new(naming: Naming<'a>, first: &'a Event) -> Self {
        Self { naming, first, later: Vec::new(), amount: None, returned: Decimal::ZERO, undone: false }
    }

    /// True when it is certainly another effect than every other one of the group.
    pub fn is_proven(&self) -> bool {
        self.naming != Naming::Anonymous
    }

    pub fn records(&self) -> impl Iterator<Item = &'a Event> {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }
}

/// The effects of the attempts, in the order in which they were first told. Attempts whose effects another source proves have
/// those of the proof instead of their own.
pub(super) fn effects<'a>(group: &'a Group, attempts: &[Attempt<'a>], undoing: &[&'a Event]) -> Vec<Effect<'a>> {
    let mut found = Found::default();
    for attempt in attempts.iter().filter(|attempt| attempt.speaks_for_itself() && attempt.event.took_effect()) {
        found.add(attempt.event);
    }
    if attempts.iter().any(|attempt| !attempt.speaks_for_itself()) {
        for link in group.links.iter().filter(|link| link.kind == LinkKind::Proof && link.event.took_effect()) {
            found.add(&link.event);
        }
    }
    let mut effects = found.effects;
    effects.sort_by(|a, b| a.first.order(b.first));
    // A proof source may leave the amount to the attempts: all of one fingerprint ask for the same.
    let asked = attempts.iter().find_map(|attempt| attempt.event.amount);
    for effect in &mut effects {
        let told = effect.records().find_map(|event| event.amount);
        effect.amount = told.or(asked).map(|money| money.abs());
        if effect.records().any(|event| event.outcome == Outcome::Reversed) {
            effect.undone = true;
            effect.returned = effect.amount.map_or(Decimal::ZERO, |money| money.amount);
        }
    }
    undo(&mut effects, undoing);
    effects
}

#[derive(Default)]
struct Found<'a> {
    effects: Vec<Effect<'a>>,
    by_id: HashMap<&'a str, usize>,
}

impl<'a> Found<'a> {
    fn add(&mut self, event: &'a Event) {
        let naming = match event.effect_id.as_deref() {
            _ if event.each_row => Naming::Record,
            Some(id) => Naming::Id(id),
            None => Naming::Anonymous,
        };
        let Naming::Id(id) = naming else {
            self.effects.push(Effect::new(naming, event));
            return;
        };
        let next = self.effects.len();
        // Records of one group that name one id speak of one effect, whichever source they stand in.
        let index = *self.by_id.entry(id).or_insert(next);
        match self.effects.get_mut(index) {
            Some(effect) => effect.later.push(event),
            None => self.effects.push(Effect::new(naming, event)),
        }
    }
}
