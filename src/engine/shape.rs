//! Shapes of fingerprints: what is hashed of an event, once for all rules that compare the same.

use super::hashes::{Chain, of_value};
use super::keyer::{Filled, Found, Play, RuleKeyer, Viewed, Work};
use super::mapping::Mapped;
use super::row::Net;
use crate::rules::normalise::{self, Normaliser};
use crate::rules::window::Window;
use crate::rules::{Rule, Rules};
use std::collections::BTreeMap;

/// For each rule the number of the shape of its fingerprint, which is the same for all rules that hash the same of every event, and whose
/// windows measure the same time.
pub fn numbers(rules: &Rules) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let mut number = |rule: &Rule| {
        let step = |normaliser: &Normaliser| normaliser.to_string();
        let field = |at: usize| {
            let field = &rule.fingerprint[at];
            (field.field.name().to_owned(), field.normalise.iter().map(step).collect::<Vec<String>>())
        };
        let fields: Vec<_> = in_order(rule).into_iter().map(field).collect();
        let next = known.len();
        *known.entry((fields, knows_reversals(rule, rules), is_of_days(rule))).or_insert(next)
    };
    rules.rules.iter().map(&mut number).collect()
}

/// The places of a rule's fields in the order in which they are hashed, whatever order the rule names them in.
fn in_order(rule: &Rule) -> Vec<usize> {
    let mut places: Vec<usize> = (0..rule.fingerprint.len()).collect();
    places.sort_by_key(|at| rule.fingerprint[*at].field.name());
    places
}

/// True when a source that the rule judges names operations that undo others. A refund has another operation than what it undoes, so the
/// operation is kept beside the hash then. All sources of a rule must hash alike.
fn knows_reversals(rule: &Rule, rules: &Rules) -> bool {
    let mut judged = rule.sources.iter().filter_map(|source| rules.sources.get(*source));
    judged.any(|source| source.operations.names_reversals())
}

fn is_of_days(rule: &Rule) -> bool {
    matches!(rule.window, Window::Days(_))
}

/// The shapes of one source.
pub struct Shapes<'r> {
    /// Every value that some shape is made of.
    values: Vec<Compared<'r>>,
    shapes: Vec<Shape>,
    /// For each rule of the source, in their order, its shape.
    of_rules: Vec<usize>,
}

/// A value that rules compare.
#[derive(Clone, Copy, PartialEq)]
struct Compared<'r> {
    found: Found,
    normalisers: &'r [Normaliser],
    sign: Sign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Kept,
    /// A credit of -9,950.00 takes back a payment of 9,950.00.
    Dropped,
}

struct Shape {
    /// As [`numbers`] tells.
    number: usize,
    /// Positions among the values, as attempts and as reversals fill them.
    of_attempts: Vec<usize>,
    of_reversals: Vec<usize>,
    /// Where the operation stands among these, when it is left out of the hash.
    operation: Option<usize>,
    /// The windows measure days.
    is_of_days: bool,
}

/// What an event is keyed by under one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shaped {
    pub hash: u128,
    /// Tells apart what shares a hash but not the operation; 0 where the operation is part of the hash, and for reversals, which may undo
    /// any operation.
    pub kin: u32,
    pub filled: Filled,
}

impl<'r> Shapes<'r> {
    /// Those of the rules that judge a source; `numbers` are those of all rules.
    pub fn of_source(rules: &'r Rules, source: usize, keyers: &[RuleKeyer<'r>], numbers: &[usize]) -> Self {
        let mut shapes = Self { values: Vec::new(), shapes: Vec::new(), of_rules: Vec::new() };
        for keyer in keyers {
            let number = numbers.get(keyer.index).copied().unwrap_or(keyer.index);
            let at = match shapes.shapes.iter().position(|shape| shape.number == number) {
                Some(at) => at,
                None => {
                    let shape = shapes.shape(keyer.rule, number, source, rules);
                    shapes.shapes.push(shape);
                    shapes.shapes.len() - 1
                }
            };
            shapes.of_rules.push(at);
        }
        shapes
    }

    fn shape(&mut self, rule: &'r Rule, number: usize, source: usize, rules: &'r Rules) -> Shape {
        let fields = in_order(rule).into_iter().map(|at| &rule.fingerprint[at]);
        let found: Vec<(Found, &'r [Normaliser])> =
            fields.map(|field| (Found::in_source(&field.field, &rules.sources[source]), field.normalise.as_slice())).collect();
        let operation = found.iter().position(|(found, _)| *found == Found::Operation).filter(|_| knows_reversals(rule, rules));
        let mut places = |sign: Sign| -> Vec<usize> {
            let place = |(found, normalisers): &(Found, &'r [Normaliser])| {
                let sign = if *found == Found::Amount { sign } else { Sign::Kept };
                self.place_of(Compared { found: *found, normalisers, sign })
            };
            found.iter().map(place).collect()
        };
        let (of_attempts, of_reversals) = (places(Sign::Kept), places(Sign::Dropped));
        Shape { number, of_attempts, of_reversals, operation, is_of_days: is_of_days(rule) }
    }

    fn place_of(&mut self, wanted: Compared<'r>) -> usize {
        self.values.iter().position(|value| *value == wanted).unwrap_or_else(|| {
            self.values.push(wanted);
            self.values.len() - 1
        })
    }

    /// The shape of the rule at this place among those of the source.
    pub fn of_rule(&self, at: usize) -> usize {
        self.of_rules.get(at).copied().unwrap_or_default()
    }

    /// The time that the windows of the shape's rules measure.
    #[inline]
    pub fn time(&self, shape: usize, mapped: &Mapped<'_>) -> i64 {
        match self.shapes.get(shape) {
            Some(Shape { is_of_days: true, .. }) => mapped.time.local_nanos,
            _ => mapped.time.nanos,
        }
    }

    /// Keys an event; None when it fills no field of the shape. `hashed` holds what other shapes needed of it already.
    #[inline(always)]
    pub fn key(
        &self,
        shape: usize,
        viewed: &Viewed<'_, '_>,
        play: Play,
        net: Net,
        hashed: &mut HashedValues,
        work: &mut Work,
    ) -> Option<Shaped> {
        let Shape { number, of_attempts, of_reversals, operation, .. } = self.shapes.get(shape)?;
        let places = if play == Play::Reversal { of_reversals } else { of_attempts };
        let beside = operation.filter(|_| net == Net::Fingerprint);
        let mut chain = Chain::new(net, *number);
        let (mut present, mut kin) = (0, 0);
        for (at, place) in places.iter().enumerate() {
            let mut hash = || self.values.get(*place).and_then(|value| value.hash(viewed, work));
            // Where there is but one shape, no value is asked for twice.
            let value = if self.shapes.len() == 1 { hash() } else { hashed.get(*place, hash) };
            present += usize::from(value.is_some());
            if beside != Some(at) {
                chain.add(value);
            } else if play != Play::Reversal {
                kin = value.unwrap_or_default() as u32;
            }
        }
        Some(Shaped { hash: chain.hash(), kin, filled: Filled::of(present, places.len())? })
    }
}

impl Compared<'_> {
    #[inline]
    fn hash(&self, viewed: &Viewed<'_, '_>, work: &mut Work) -> Option<u128> {
        let Work { text, scratch, .. } = work;
        let mut value = viewed.text_of(self.found, text)?;
        if self.sign == Sign::Dropped {
            value = value.trim_start_matches('-');
        }
        let value = normalise::apply_all(self.normalisers, value, scratch);
        (!value.is_empty()).then(|| of_value(value))
    }
}

/// The hashes of the values of one event, as far as some shape needed them.
#[derive(Default)]
pub struct HashedValues {
    /// Number of the event.
    event: u64,
    /// By place: the event that it is of, and the hash of its value.
    known: Vec<(u64, Option<u128>)>,
}

impl HashedValues {
    /// Goes on to the next event.
    #[inline]
    pub fn begin(&mut self) {
        self.event += 1;
    }

    #[inline]
    fn get(&mut self, place: usize, hash: impl FnOnce() -> Option<u128>) -> Option<u128> {
        if self.known.len() <= place {
            self.known.resize(place + 1, (0, None));
        }
        let known = &mut self.known[place];
        if known.0 != self.event {
            *known = (self.event, hash());
        }
        known.1
    }
}
