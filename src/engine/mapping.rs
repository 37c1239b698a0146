//! From a record to the canonical fields of an event, borrowed where it can be.

use super::amount::{AmountReader, DecimalMark, Exponents, MarkEvidence, TOO_LONG};
use super::clock::{OUT_OF_RANGE, OrderEvidence, TimeRead, TimeReader, ZoneOf};
use super::derive::DerivedCells;
use super::nothing::is_word_for_nothing;
use super::zones::NamedZone;
use crate::domain::money::{Currency, Money};
use crate::domain::record::Record;
use crate::domain::{EffectKind, Outcome, Stamp};
use crate::rules::outcome::{Meaning, OutcomeMap};
use crate::rules::pick::{Derived, Pick, Slot, TimeFrom};
use crate::rules::{DateOrder, EffectIdMap, Format, Source, Unit};
use rust_decimal::Decimal;
use std::borrow::Cow;

/// What was settled about the columns of one source by looking at all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    pub mark: DecimalMark,
    pub order: DateOrder,
    pub exponents: Exponents,
}

impl Conventions {
    /// What is tried first; the evidence gathered on the way decides whether it was right.
    pub fn first(source: &Source, exponents: Exponents) -> Self {
        Self { mark: DecimalMark::Dot, order: source.read.date_order.unwrap_or(DateOrder::DayFirst), exponents }
    }
}

/// What the values of a source say about its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnEvidence {
    pub mark: MarkEvidence,
    pub order: OrderEvidence,
}

impl ColumnEvidence {
    /// The best reading of the columns, for a look that decides nothing.
    pub fn conventions(self, source: &Source, first: Conventions) -> Conventions {
        Conventions {
            mark: if self.mark.ambiguous { self.mark.decide_or(source.read.decimal_where_undecided) } else { first.mark },
            order: match (self.order.day_first, self.order.month_first) {
                (true, false) => DateOrder::DayFirst,
                (false, true) => DateOrder::MonthFirst,
                _ => first.order,
            },
            exponents: first.exponents,
        }
    }
}

/// Maps the records of one source.
pub struct Mapper<'r> {
    pub source: &'r Source,
    places: Places<'r>,
    time: TimeReader,
    amount: AmountReader,
    /// The outcome says which records undo something; without that, naming what is undone does.
    lists_reversals: bool,
}

/// Where the values of the canonical fields are, settled before the first record.
struct Places<'r> {
    operation: ValueAt<'r>,
    actor: ValueAt<'r>,
    amount: ValueAt<'r>,
    currency: ValueAt<'r>,
    effect_id: ValueAt<'r>,
    request_key: ValueAt<'r>,
    payload: ValueAt<'r>,
    record_id: ValueAt<'r>,
    reverses: ValueAt<'r>,
    /// In the order of the questions that decide an outcome.
    outcomes: Vec<ValueAt<'r>>,
}

#[derive(Clone, Copy)]
enum ValueAt<'r> {
    /// One column of the input, as it stands there: what nearly every field is.
    Column(Slot),
    Pick(&'r Pick),
    Nowhere,
}

impl<'r> Places<'r> {
    fn of(source: &'r Source) -> Self {
        let at = |pick: Option<&'r Pick>| match pick {
            Some(pick) => source.plain_column(pick).map_or(ValueAt::Pick(pick), ValueAt::Column),
            None => ValueAt::Nowhere,
        };
        let map = &source.map;
        let effect_id = match &map.effect_id {
            Some(EffectIdMap::From(pick)) => Some(pick),
            _ => None,
        };
        Self {
            operation: at(Some(&map.operation)),
            actor: at(map.actor.as_ref()),
            amount: at(map.amount.as_ref().map(|amount| &amount.from)),
            currency: at(map.currency.as_ref()),
            effect_id: at(effect_id),
            request_key: at(map.request_key.as_ref()),
            payload: at(map.payload.as_ref()),
            record_id: at(map.record_id.as_ref()),
            reverses: at(map.reverses.as_ref()),
            outcomes: map
                .outcome
                .iter()
                .flat_map(|outcome| &outcome.questions)
                .map(|question| at(Some(&question.from)))
                .collect(),
        }
    }
}

/// The canonical fields of one record.
#[derive(Debug)]
pub struct Mapped<'a> {
    pub time: Stamp,
    /// Who named the zone of the time.
    pub zone: ZoneOf,
    pub operation: &'a str,
    pub kind: EffectKind,
    pub actor: Option<&'a str>,
    pub amount: Option<Money>,
    pub currency: Option<Currency>,
    pub outcome: Outcome,
    pub outcome_text: Option<&'a str>,
    /// The outcome text stands in no list of the configuration.
    pub unlisted: bool,
    pub effect_id: Option<&'a str>,
    pub request_key: Option<&'a str>,
    pub payload: Option<&'a str>,
    pub record_id: Option<&'a str>,
    pub reverses: Option<&'a str>,
    /// Ids that were set aside because a spreadsheet has rounded them.
    pub damaged: Damaged,
}

/// Which ids of a record look like `8.80731E+15`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damaged {
    pub effect_id: bool,
    pub request_key: bool,
    pub record_id: bool,
}

/// What became of a record.
#[derive(Debug)]
pub enum Mapping<'a> {
    Event(Mapped<'a>),
    /// The outcome is listed under `ignore`, or an extract that names the operation did not match. The fields of a record that
    /// merely accompanies attempts are there when they can be read.
    Ignored(Option<Mapped<'a>>),
    Rejected(Rejection<'a>),
}

/// A record's trouble, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection<'a> {
    NoTime,
    Time { text: Cow<'a, str>, trouble: &'static str },
    Zone { text: Cow<'a, str> },
    Amount { text: Cow<'a, str>, trouble: &'static str },
    Currency { text: Cow<'a, str> },
    MinorWithoutCurrency { text: Cow<'a, str> },
    NoOperation,
    NoFingerprint,
    Broken { reason: Cow<'a, str> },
}

impl Rejection<'_> {
    /// The reason without the value, to count by.
    pub fn kind(&self) -> &str {
        match self {
            Self::NoTime => "no time",
            Self::Time { .. } => "unreadable time",
            Self::Zone { .. } => "unknown zone",
            Self::Amount { .. } => "unreadable amount",
            Self::Currency { .. } => "unreadable currency",
            Self::MinorWithoutCurrency { .. } => "no currency",
            Self::NoOperation => "no operation",
            Self::NoFingerprint => "no fingerprint",
            Self::Broken { .. } => "broken record",
        }
    }

    /// What is wrong, the value, what to do.
    pub fn message(&self) -> String {
        match self {
            Self::NoTime => "no time; check source.map.time".into(),
            Self::Time { text, trouble } => format!("time {} {trouble}", quoted(text)),
            Self::Zone { text } => {
                format!("zone {} is not known; set source.map.time.zone to a name of the tz database", quoted(text))
            }
            Self::Amount { text, trouble } => format!("amount {} {trouble}", quoted(text)),
            Self::Currency { text } => {
                format!("currency {} is not a code of up to 12 letters and digits; check source.map.currency", quoted(text))
            }
            Self::MinorWithoutCurrency { text } => {
                format!("amount {} is in minor units, whose size needs a currency; check source.map.currency", quoted(text))
            }
            Self::NoOperation => "no operation; check source.map.operation".into(),
            Self::NoFingerprint => "no fingerprint: the record fills none of the fields that the rules compare".into(),
            Self::Broken { reason } => reason.to_string(),
        }
    }
}

/// A value in quotes, cut to a length that fits a message; control characters are made visible.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() { format!("{cut:?}…") } else { format!("{cut:?}") }
}

impl<'r> Mapper<'r> {
    pub fn new(source: &'r Source, conventions: Conventions) -> Self {
        let time = &source.map.time;
        let json = matches!(source.format, Some(Format::Json | Format::Ndjson));
        Self {
            source,
            places: Places::of(source),
            lists_reversals: source.map.outcome.as_ref().is_some_and(OutcomeMap::lists_reversals),
            time: TimeReader::new(&time.formats, time.zone, source.read.default_year, conventions.order),
            amount: AmountReader {
                // JSON has one way to write a number.
                decimal: source.read.decimal,
                thousands: source.read.thousands,
                exponents: conventions.exponents,
                mark: if json && conventions.mark == DecimalMark::Undecided { DecimalMark::Dot } else { conventions.mark },
            },
        }
    }

    /// The value at a place.
    #[inline]
    fn value<'a>(&self, record: &Record<'a>, derived: &'a DerivedCells<'_>, at: ValueAt<'a>) -> Option<&'a str> {
        match at {
            ValueAt::Column(slot) => record.cell(slot),
            ValueAt::Pick(pick) => self.pick(record, derived, pick),
            ValueAt::Nowhere => None,
        }
    }

    /// As [`Self::value`], for a value that joins records: the first that says more than a word for nothing.
    #[inline]
    fn naming<'a>(&self, record: &Record<'a>, derived: &'a DerivedCells<'_>, at: ValueAt<'a>) -> Option<&'a str> {
        match at {
            ValueAt::Column(slot) => record.cell(slot).filter(|text| !is_word_for_nothing(text)),
            ValueAt::Pick(pick) => self.pick_naming(record, derived, pick),
            ValueAt::Nowhere => None,
        }
    }

    /// The value of a pick.
    #[inline(never)]
    pub fn pick<'a>(&self, record: &Record<'a>, derived: &'a DerivedCells<'_>, pick: &'a Pick) -> Option<&'a str> {
        match pick {
            Pick::Const(text) => Some(text),
            Pick::Columns(slots) => slots.iter().find_map(|slot| derived.slot(self.source, record, *slot)),
        }
    }

    /// As [`Self::pick`], for a value that joins records: the first column that says more than a word for nothing.
    #[inline(never)]
    fn pick_naming<'a>(&self, record: &Record<'a>, derived: &'a DerivedCells<'_>, pick: &'a Pick) -> Option<&'a str> {
        match pick {
            Pick::Const(text) => Some(text),
            Pick::Columns(slots) => slots.iter().find_map(|slot| derived.naming_slot(self.source, record, *slot)),
        }
    }

    /// The value of a named field.
    #[inline]
    pub fn field<'a>(&'a self, record: &Record<'a>, derived: &'a DerivedCells<'_>, field: usize) -> Option<&'a str> {
        let (_, pick) = self.source.map.fields.get(field)?;
        self.pick_naming(record, derived, pick)
    }

    /// Maps one record; what its values say about their columns goes into `evidence`.
    pub fn map<'a>(&'a self, record: &Record<'a>, derived: &'a DerivedCells<'_>, evidence: &mut ColumnEvidence) -> Mapping<'a> {
        let (meaning, outcome_text) = self.outcome(record, derived);
        let ignored = meaning == Some(Meaning::Ignore);
        match self.fields(record, derived, meaning, outcome_text, evidence) {
            Ok(mapped) if ignored => Mapping::Ignored(Some(mapped)),
            Ok(mapped) => Mapping::Event(mapped),
            Err(_) if ignored => Mapping::Ignored(None),
            Err(rejection) if rejection == Rejection::NoOperation && self.derives_operation() => Mapping::Ignored(None),
            Err(rejection) => Mapping::Rejected(rejection),
        }
    }

    /// What the outcome column means; None for a text in no list, and for an absent one.
    #[inline]
    fn outcome<'a>(&'a self, record: &Record<'a>, derived: &'a DerivedCells<'_>) -> (Option<Meaning>, Option<&'a str>) {
        match &self.source.map.outcome {
            // A source without an outcome column lists what happened.
            None => (Some(Meaning::Outcome(Outcome::TookEffect)), None),
            Some(outcomes) => {
                let mut last = None;
                for (question, from) in outcomes.questions.iter().zip(&self.places.outcomes) {
                    let text = self.value(record, derived, *from);
                    if let Some(meaning) = question.meaning(text) {
                        return (Some(meaning), text);
                    }
                    last = text;
                }
                (None, last)
            }
        }
    }

    /// True when the operation is cut out of a text: one that does not match asks for nothing that the source knows.
    fn derives_operation(&self) -> bool {
        matches!(&self.source.map.operation, Pick::Columns(slots) if slots.iter().any(|slot| self.is_cut_out(*slot)))
    }

    fn is_cut_out(&self, slot: Slot) -> bool {
        match self.source.derived.iter().find(|derived| derived.fills().contains(&slot)) {
            Some(Derived::Extract { .. }) => true,
            Some(Derived::Rename { from, .. } | Derived::Join { from, .. }) => from.iter().any(|slot| self.is_cut_out(*slot)),
            Some(Derived::Inside { .. }) | None => false,
        }
    }

    /// All fields, when its outcome is known.
    #[inline]
    fn fields<'a>(
        &'a self,
        record: &Record<'a>,
        derived: &'a DerivedCells<'_>,
        meaning: Option<Meaning>,
        outcome_text: Option<&'a str>,
        evidence: &mut ColumnEvidence,
    ) -> Result<Mapped<'a>, Rejection<'a>> {
        let places = &self.places;
        let naming = |at: ValueAt<'a>| self.naming(record, derived, at);
        let operation = self.value(record, derived, places.operation).ok_or(Rejection::NoOperation)?;
        let time = self.time(record, derived, &mut evidence.order)?;
        let (amount, currency) = self.money(record, derived, &mut evidence.mark)?;
        let mut damaged = Damaged::default();
        let effect_id = usable_id(naming(places.effect_id), &mut damaged.effect_id);
        let reverses = naming(places.reverses);
        let outcome = match meaning {
            Some(Meaning::Outcome(Outcome::TookEffect)) if reverses.is_some() && !self.lists_reversals => Outcome::Reversal,
            Some(Meaning::Outcome(outcome)) => outcome,
            Some(Meaning::Ignore) | None => Outcome::Unknown,
        };
        Ok(Mapped {
            time: time.stamp,
            zone: time.zone,
            operation,
            kind: self.source.operations.kind_of(operation),
            actor: naming(places.actor),
            amount,
            currency,
            outcome,
            outcome_text,
            unlisted: meaning.is_none(),
            effect_id,
            request_key: usable_id(naming(places.request_key), &mut damaged.request_key),
            payload: naming(places.payload),
            record_id: usable_id(naming(places.record_id), &mut damaged.record_id),
            reverses,
            damaged,
        })
    }

    #[inline]
    fn time<'a>(
        &self,
        record: &Record<'a>,
        derived: &'a DerivedCells<'_>,
        evidence: &mut OrderEvidence,
    ) -> Result<TimeRead, Rejection<'a>> {
        let text: Cow<'a, str> = match &self.source.map.time.from {
            TimeFrom::One(slot) => Cow::Borrowed(derived.slot(self.source, record, *slot).ok_or(Rejection::NoTime)?),
            TimeFrom::Joined(parts) => {
                let parts: Vec<&str> = parts.iter().filter_map(|part| self.pick(record, derived, part)).collect();
                if parts.is_empty() {
                    return Err(Rejection::NoTime);
                }
                Cow::Owned(parts.join(" "))
            }
        };
        let read = match self.time.read(&text, evidence) {
            Ok(read) => read,
            Err(trouble) => return Err(Rejection::Time { text, trouble }),
        };
        match &self.source.map.time.zone_from {
            Some(pick) if read.zone == ZoneOf::Source => self.in_named_zone(read, self.pick(record, derived, pick), text),
            _ => Ok(read),
        }
    }

    /// A wall clock time in the zone that its record names.
    fn in_named_zone<'a>(&self, read: TimeRead, name: Option<&str>, text: Cow<'a, str>) -> Result<TimeRead, Rejection<'a>> {
        let Some(name) = name else { return Ok(read) };
        let zone = NamedZone::parse(name).ok_or_else(|| Rejection::Zone { text: Cow::Owned(name.to_owned()) })?;
        let stamp = zone.instant(read.stamp).ok_or(Rejection::Time { text, trouble: OUT_OF_RANGE })?;
        Ok(TimeRead { stamp, zone: ZoneOf::named(name) })
    }

    /// Amount and currency; a currency may stand alone.
    #[inline]
    fn money<'a>(
        &'a self,
        record: &Record<'a>,
        derived: &'a DerivedCells<'_>,
        evidence: &mut MarkEvidence,
    ) -> Result<(Option<Money>, Option<Currency>), Rejection<'a>> {
        let currency = match self.value(record, derived, self.places.currency) {
            None => None,
            Some(text) => Some(Currency::parse(text).ok_or(Rejection::Currency { text: Cow::Borrowed(text) })?),
        };
        let Some(text) = self.value(record, derived, self.places.amount) else {
            return Ok((None, currency));
        };
        let unit = self.source.map.amount.as_ref().map_or(Unit::Major, |amount| amount.unit);
        let value =
            self.amount.read(text, evidence).map_err(|trouble| Rejection::Amount { text: Cow::Borrowed(text), trouble })?;
        let money = match (unit, currency) {
            (Unit::Hundredths, currency) => Money::from_major(
                value
                    .checked_mul(Decimal::new(1, 2))
                    .ok_or(Rejection::Amount { text: Cow::Borrowed(text), trouble: TOO_LONG })?,
                currency.unwrap_or(Currency::NONE),
            ),
            (Unit::Major, currency) => Money::from_major(value, currency.unwrap_or(Currency::NONE)),
            (Unit::Minor, None) => return Err(Rejection::MinorWithoutCurrency { text: Cow::Borrowed(text) }),
            (Unit::Minor, Some(currency)) => {
                Money::from_minor(value, currency).ok_or(Rejection::Amount { text: Cow::Borrowed(text), trouble: TOO_LONG })?
            }
        };
        Ok((Some(money), currency))
    }
}

/// An id that can serve as identity: not one that a spreadsheet has rounded (`8.80731E+15`).
#[inline]
fn usable_id<'a>(text: Option<&'a str>, damaged: &mut bool) -> Option<&'a str> {
    let text = text?;
    *damaged = is_rounded_id(text);
    (!*damaged).then_some(text)
}

/// Digit, optional fraction, `E+`, two digits or more: how spreadsheets write long numbers.
#[inline]
pub fn is_rounded_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Nearly every id is told by its first two bytes.
    if bytes.len() < 4 || !bytes[0].is_ascii_digit() || !matches!(bytes[1], b'.' | b',' | b'E' | b'e') {
        return false;
    }
    let Some(at) = memchr::memchr2(b'E', b'e', bytes) else {
        return false;
    };
    let (head, tail) = (&bytes[1..at], &bytes[at + 1..]);
    let fraction =
        head.is_empty() || (matches!(head[0], b'.' | b',') && head.len() > 1 && head[1..].iter().all(u8::is_ascii_digit));
    fraction && tail.len() >= 3 && tail[0] == b'+' && tail[1..].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::is_rounded_id;

    #[test]
    fn rounded_ids() {
        for text in ["8.80731E+15", "5,31207E+17", "1E+20", "1.2e+16"] {
            assert!(is_rounded_id(text), "{text}");
        }
        for text in ["880731", "1E5", "2E10", "E+15", "8.E+15", "12.5E+15", "order-1E+15", "8.80731E+1", "", "deadbeef"] {
            assert!(!is_rounded_id(text), "{text}");
        }
    }
}
