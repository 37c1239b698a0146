//! Keys: what a rule, a proof or a link compares, as normalised text and as a hash.

use super::derive::DerivedCells;
use super::mapping::{Mapped, Mapper};
use super::nothing::is_word_for_nothing;
use super::row::{KnownBy, Net};
use crate::domain::money::{Currency, write_normal};
use crate::domain::record::Record;
use crate::domain::{EffectKind, Outcome};
use crate::rules::normalise::{self, Normaliser, Scratch};
use crate::rules::pick::Slot;
use crate::rules::window::Window;
use crate::rules::{FieldRef, Rule, Rules, Source};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128, xxh3_128_with_seed};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    fields: Vec<(Found, &'r [Normaliser])>,
    /// Where the operation stands among `fields`, when the configuration knows reversals: a refund has another operation than what it
    /// undoes, so the operation is kept beside the hash, in [`RuleKeyer::kin`].
    operation: Option<usize>,
    amount: Option<usize>,
}

impl<'r> RuleKeyer<'r> {
    /// Keyers of all rules that judge this source.
    pub fn of_source(rules: &'r Rules, source: usize) -> Vec<Self> {
        let judged = rules.rules.iter().enumerate().filter(|(_, rule)| rule.sources.contains(&source));
        judged.map(|(index, rule)| Self::new(index, rule, &rules.sources[source], rules)).collect()
    }

    fn new(index: usize, rule: &'r Rule, source: &Source, rules: &Rules) -> Self {
        // All sources of a rule must hash alike.
        let mut judged = rule.sources.iter().filter_map(|source| rules.sources.get(*source));
        let knows_reversals = judged.any(|source| source.operations.names_reversals());
        let fields: Vec<_> =
            rule.fingerprint.iter().map(|part| (Found::in_source(&part.field, source), part.normalise.as_slice())).collect();
        let place = |wanted: Found| fields.iter().position(|(found, _)| *found == wanted);
        Self { index, rule, operation: place(Found::Operation).filter(|_| knows_reversals), amount: place(Found::Amount), fields }
    }

    /// The part that an event plays.
    #[inline]
    pub fn play(&self, mapped: &Mapped<'_>) -> Play {
        let reverses =
            mapped.outcome == Outcome::Reversal || (mapped.kind == EffectKind::Reversal && mapped.outcome == Outcome::TookEffect);
        match &self.rule.operations {
            Some(globs) if globs.matches(mapped.operation) => {
                // A rule that names a reversal asks whether the reversal itself was done twice.
                let named = globs.patterns().iter().any(|pattern| pattern != "*");
                if reverses && !(named && mapped.kind == EffectKind::Reversal) { Play::Reversal } else { Play::Attempt }
            }
            _ if mapped.kind.is_idempotent() => Play::Idempotent,
            _ if reverses => Play::Reversal,
            None if mapped.kind != EffectKind::Reversal => Play::Attempt,
            _ => Play::None,
        }
    }

    /// The time that the rule's window measures.
    pub fn time(&self, mapped: &Mapped<'_>) -> i64 {
        match self.rule.window {
            Window::Days(_) => mapped.time.local_nanos,
            _ => mapped.time.nanos,
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

    /// Tells apart what shares a hash but not the operation; 0 where the operation is part of the hash, and for reversals, which may
    /// undo any operation.
    pub fn kin(&self, viewed: &Viewed<'_, '_>, play: Play, work: &mut Work) -> u32 {
        let Some((_, normalisers)) = self.operation.filter(|_| play != Play::Reversal).and_then(|at| self.fields.get(at)) else {
            return 0;
        };
        xxh3_64(normalise::apply_all(normalisers, viewed.mapped.operation, &mut work.scratch).as_bytes()) as u32
    }

    /// The hash of the fingerprint under this rule, and whether the record fills every field; None when it fills none.
    ///
    /// A rule of `similar` fields alone compares everything with everything: its fingerprint is empty, not absent.
    #[inline]
    pub fn hash(&self, viewed: &Viewed<'_, '_>, play: Play, net: Net, work: &mut Work) -> Option<(u128, Filled)> {
        let mut chain = Chain::new(net, self.index);
        let mut at = 0;
        let present = self.values(viewed, play, work, |value| {
            if net != Net::Fingerprint || self.operation != Some(at) {
                chain.add(value);
            }
            at += 1;
        });
        let filled = if present == self.fields.len() { Filled::Whole } else { Filled::InPart };
        (present > 0 || self.fields.is_empty()).then_some((chain.hash(), filled))
    }
}

/// The hash of a list of values in one net, value by value as they come, so that none need be copied. It lives as long as a scan.
///
/// Each value is hashed by itself, seeded with what came before it: neither order nor borders between values can be mistaken.
pub struct Chain(u128);

/// An odd number without a pattern: 2^128 divided by the golden ratio, rounded up.
const ODD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

impl Chain {
    #[inline]
    pub fn new(net: Net, index: usize) -> Self {
        Self(((net as u128) << 16 | index as u128).wrapping_mul(ODD))
    }

    /// The hash of one value.
    #[inline]
    pub fn of(net: Net, index: usize, value: &str) -> u128 {
        let mut chain = Self::new(net, index);
        chain.add(Some(value));
        chain.hash()
    }

    /// Adds a value, or the mark of an absent one.
    #[inline]
    pub fn add(&mut self, value: Option<&str>) {
        let of_value = value.map_or(ODD, |text| xxh3_128_with_seed(text.as_bytes(), self.0 as u64));
        self.0 = self.0.rotate_left(67).wrapping_add(of_value).wrapping_mul(ODD);
    }

    pub fn hash(self) -> u128 {
        self.0
    }
}

/// The hash by which a record is known again, of the name of its source and what tells it from others. A state remembers it, so it must
/// stay what it is.
pub fn identity(known_by: KnownBy, source: &str, value: &str, work: &mut Work) -> u128 {
    let buffer = &mut work.buffer;
    buffer.clear();
    buffer.extend_from_slice(&[known_by as u8, 0, 0]);
    frame(Some(source), buffer);
    frame(Some(value), buffer);
    xxh3_128(buffer)
}

/// Whether a record fills every field of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    Whole,
    InPart,
}

/// Length and bytes of a value, or the mark of an absent one: no two lists of values have the same frames.
#[inline]
pub fn frame(value: Option<&str>, buffer: &mut Vec<u8>) {
    match value {
        None => buffer.extend_from_slice(&u32::MAX.to_le_bytes()),
        Some(text) => {
            buffer.extend_from_slice(&(text.len() as u32).to_le_bytes());
            buffer.extend_from_slice(text.as_bytes());
        }
    }
}

/// Room to work in, one for each thread.
#[derive(Default)]
pub struct Work {
    pub text: String,
    pub scratch: Scratch,
    pub buffer: Vec<u8>,
}
