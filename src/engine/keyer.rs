//! What a rule compares of the records of one source, as normalised text; and the part that an event plays under it.

use super::derive::DerivedCells;
use super::mapping::{Mapped, Mapper};
use super::nothing::is_word_for_nothing;
use crate::domain::money::{Currency, write_normal};
use crate::domain::record::Record;
use crate::domain::{EffectKind, Outcome};
use crate::rules::normalise::{self, Normaliser, Scratch};
use crate::rules::pick::Slot;
use crate::rules::{FieldRef, Rule, Rules, Source};

/// A field, found in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Time,
    Operation,
    Actor,
    Amount,
    Currency,
    Outcome,
    EffectId,
    RequestKey,
    Payload,
    RecordId,
    Reverses,
    /// A column of the input, as it stands there: what nearly every named field is.
    Column(Slot),
    /// Position in `Source::map.fields`.
    Named(usize),
    /// The source has no field of that name.
    Absent,
}

impl Found {
    pub fn in_source(field: &FieldRef, source: &Source) -> Self {
        match field {
            FieldRef::Time => Self::Time,
            FieldRef::Operation => Self::Operation,
            FieldRef::Actor => Self::Actor,
            FieldRef::Amount => Self::Amount,
            FieldRef::Currency => Self::Currency,
            FieldRef::Outcome => Self::Outcome,
            FieldRef::EffectId => Self::EffectId,
            FieldRef::RequestKey => Self::RequestKey,
            FieldRef::Payload => Self::Payload,
            FieldRef::RecordId => Self::RecordId,
            FieldRef::Reverses => Self::Reverses,
            FieldRef::Named(name) => source.field(name).map_or(Self::Absent, |field| Self::named(field, source)),
        }
    }

    fn named(field: usize, source: &Source) -> Self {
        let plain = source.map.fields.get(field).and_then(|(_, pick)| source.plain_column(pick));
        plain.map_or(Self::Named(field), Self::Column)
    }
}

/// A mapped record with what is needed to look up its fields.
pub struct Viewed<'v, 'a> {
    pub mapper: &'a Mapper<'a>,
    pub record: &'v Record<'a>,
    pub derived: &'a DerivedCells<'a>,
    pub mapped: &'v Mapped<'a>,
}

impl<'v, 'a> Viewed<'v, 'a> {
    /// The text of a field; None where the record lacks it. What is not text in the record is written into `room`.
    #[inline(always)]
    pub fn text_of<'t>(&self, found: Found, room: &'t mut String) -> Option<&'t str>
    where
        'v: 't,
    {
        // What nearly every field of nearly every fingerprint is.
        if let Found::Column(slot) = found {
            return self.record.cell(slot).filter(|text| !is_word_for_nothing(text));
        }
        self.text_of_canonical(found, room)
    }

    #[inline(never)]
    fn text_of_canonical<'t>(&self, found: Found, room: &'t mut String) -> Option<&'t str>
    where
        'v: 't,
    {
        let mapped = self.mapped;
        match found {
            Found::Operation => Some(mapped.operation),
            Found::Actor => mapped.actor,
            Found::Currency => mapped.currency.as_ref().map(Currency::as_str),
            Found::Outcome => mapped.outcome_text,
            Found::EffectId => mapped.effect_id,
            Found::RequestKey => mapped.request_key,
            Found::Payload => mapped.payload,
            Found::RecordId => mapped.record_id,
            Found::Reverses => mapped.reverses,
            Found::Column(slot) => self.record.cell(slot).filter(|text| !is_word_for_nothing(text)),
            Found::Named(field) => self.mapper.field(self.record, self.derived, field),
            Found::Absent => None,
            Found::Time => {
                room.clear();
                room.push_str(&mapped.time.to_text());
                Some(room)
            }
            Found::Amount => {
                let money = mapped.amount?;
                room.clear();
                write_normal(money.amount, room);
                Some(room)
            }
        }
    }
}

/// The part a record plays under one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Play {
    /// The rule has nothing to do with it.
    None,
    Attempt,
    Reversal,
    /// Naturally idempotent, and the rule does not name it: counted, never an alarm.
    Idempotent,
}

/// What one rule compares of the records of one source.
pub struct RuleKeyer<'r> {
    /// Index into `Rules::rules`.
    pub index: usize,
    pub rule: &'r Rule,
    /// The same number for all rules of the source that compare the same values.
    pub comparison: usize,
    fields: Vec<(Found, &'r [Normaliser])>,
    amount: Option<usize>,
}

impl<'r> RuleKeyer<'r> {
    /// Keyers of all rules that judge this source.
    pub fn of_source(rules: &'r Rules, source: usize) -> Vec<Self> {
        let judged = rules.rules.iter().enumerate().filter(|(_, rule)| rule.sources.contains(&source));
        let mut keyers: Vec<Self> = judged.map(|(index, rule)| Self::new(index, rule, &rules.sources[source])).collect();
        let mut comparisons: Vec<Vec<(Found, &'r [Normaliser])>> = Vec::new();
        for keyer in &mut keyers {
            keyer.comparison = comparisons.iter().position(|known| *known == keyer.fields).unwrap_or_else(|| {
                comparisons.push(keyer.fields.clone());
                comparisons.len() - 1
            });
        }
        keyers
    }

    fn new(index: usize, rule: &'r Rule, source: &Source) -> Self {
        let fields: Vec<_> =
            rule.fingerprint.iter().map(|part| (Found::in_source(&part.field, source), part.normalise.as_slice())).collect();
        let amount = fields.iter().position(|(found, _)| *found == Found::Amount);
        Self { index, rule, comparison: 0, amount, fields }
    }

    /// The part that an event plays.
    #[inline]
    pub fn play(&self, mapped: &Mapped<'_>) -> Play {
        self.play_of(mapped.operation, mapped.kind, mapped.outcome)
    }

    /// The part that an event of this operation, kind and outcome plays.
    #[inline]
    pub fn play_of(&self, operation: &str, kind: EffectKind, outcome: Outcome) -> Play {
        let reverses = outcome == Outcome::Reversal || (kind == EffectKind::Reversal && outcome == Outcome::TookEffect);
        match &self.rule.operations {
            Some(globs) if globs.matches(operation) => {
                // A rule that names a reversal asks whether the reversal itself was done twice.
                let named = globs.patterns().iter().any(|pattern| pattern != "*");
                if reverses && !(named && kind == EffectKind::Reversal) { Play::Reversal } else { Play::Attempt }
            }
            _ if kind.is_idempotent() => Play::Idempotent,
            _ if reverses => Play::Reversal,
            None if kind != EffectKind::Reversal => Play::Attempt,
            _ => Play::None,
        }
    }

    /// Calls `each` with the normalised value of every fingerprint field, in order; None is "absent". Returns how many are present.
    #[inline]
    pub fn values(&self, viewed: &Viewed<'_, '_>, play: Play, work: &mut Work, mut each: impl FnMut(Option<&str>)) -> usize {
        let Work { text, scratch, .. } = work;
        let mut present = 0;
        for (at, (found, normalisers)) in self.fields.iter().enumerate() {
            let mut value = viewed.text_of(*found, text);
            if play == Play::Reversal && self.amount == Some(at) {
                // A credit of -9,950.00 takes back a payment of 9,950.00.
                value = value.map(|amount| amount.trim_start_matches('-'));
            }
            let value = value.map(|value| normalise::apply_all(normalisers, value, scratch)).filter(|value| !value.is_empty());
            present += usize::from(value.is_some());
            each(value);
        }
        present
    }

    /// Whether a record fills the fingerprint; None when it fills none of its fields.
    ///
    /// A rule of `similar` fields alone compares everything with everything: its fingerprint is empty, not absent.
    pub fn filled(&self, viewed: &Viewed<'_, '_>, play: Play, work: &mut Work) -> Option<Filled> {
        Filled::of(self.values(viewed, play, work, |_| ()), self.fields.len())
    }
}

/// Whether a record fills every field of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    Whole,
    InPart,
}

impl Filled {
    /// Of a fingerprint of so many fields.
    #[inline]
    pub fn of(present: usize, fields: usize) -> Option<Self> {
        let filled = if present == fields { Self::Whole } else { Self::InPart };
        (present > 0 || fields == 0).then_some(filled)
    }
}

/// Room to work in, one for each thread.
#[derive(Default)]
pub struct Work {
    pub text: String,
    pub scratch: Scratch,
    pub buffer: Vec<u8>,
}
