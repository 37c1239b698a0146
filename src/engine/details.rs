//! Details: the candidates' records, read again whole, become events.

use super::EngineError;
use super::keyer::{Play, RuleKeyer, Viewed, Work};
use super::mapping::Mapped;
use super::options::{LONGEST_RAW, RawText};
use super::row::{Net, Place};
use super::second_visit::{SecondVisit, Visited};
use super::spool::Spool;
use crate::domain::event::{Event, Origin};
use crate::domain::packed::{Names, Pack, Packed, pack_members, unpacked};
use crate::domain::store::{Kept, Parcel, Unpacker};
use crate::rules::EffectIdMap;
use crate::rules::normalise::canonical_json;
use std::collections::BTreeSet;
use std::io;
use xxhash_rust::xxh3::xxh3_128;

/// Normalised fingerprint values; None is "absent".
pub type Values = Vec<Option<String>>;

/// An event with what rules compare of it: each comparison once, however many rules make it.
#[derive(Debug)]
pub struct Detail {
    /// Boxed, because it changes hands several times.
    pub event: Box<Event>,
    compared: Vec<Compared>,
}

/// The values of one comparison.
#[derive(Debug)]
struct Compared {
    /// As [`RuleKeyer::comparison`] tells.
    comparison: usize,
    /// The values are those of an event that undoes something.
    as_reversal: bool,
    values: Folded,
}

/// [`Values`] that stay packed until somebody asks for them: of many comparisons one is asked for at a time.
#[derive(Debug, Default)]
struct Folded(Vec<u8>);

impl Folded {
    fn new(values: &Values) -> Self {
        let mut bytes = Vec::new();
        values.pack(&mut bytes);
        Self(bytes)
    }

    fn unfold(&self) -> io::Result<Values> {
        unpacked(&self.0, &mut Names::default())
    }
}

impl Pack for Folded {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.len().pack(out);
        out.extend_from_slice(&self.0);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        let length = usize::unpack(from)?;
        from.bytes(length).map(|bytes| Self(bytes.to_vec()))
    }
}

pack_members!(Detail { event, compared });
pack_members!(Compared { comparison, as_reversal, values });

impl Detail {
    /// The part that the event plays under a rule, and what the rule compares of it; None where the rule has nothing to do with it.
    ///
    /// # Errors
    /// The packed values are none, or were not kept.
    pub fn under(&self, keyer: &RuleKeyer<'_>) -> Result<Option<(Play, Values)>, EngineError> {
        let play = keyer.play_of(&self.event.operation, self.event.kind, self.event.outcome);
        if play == Play::None {
            return Ok(None);
        }
        let wanted = (keyer.comparison, play == Play::Reversal);
        let compared = self.compared.iter().find(|one| (one.comparison, one.as_reversal) == wanted);
        let compared = compared.ok_or(EngineError::Defect("what a rule compares of a record was not kept"))?;
        Ok(Some((play, compared.values.unfold()?)))
    }
}

/// The records read in detail, packed, by place.
pub struct Details {
    /// Ascending.
    places: Vec<Place>,
    /// One for each of `places`.
    kept: Vec<Kept>,
    spool: Spool,
}

impl Details {
    /// Reads the records at `places` (ascending, without repeats).
    pub fn read(places: Vec<Place>, second: &SecondVisit<'_>, raw: RawText, spool: Spool) -> Result<Self, EngineError> {
        let each = |parcel: &mut Parcel, visited: &Visited<'_, '_>| parcel.add(&detail(visited, raw));
        let pieces = second.visit_and(&places, each, |parcel: Parcel| Ok(parcel.keep(&spool)?))?;
        let mut kept: Vec<Kept> = Vec::with_capacity(places.len());
        pieces.into_iter().for_each(|piece| kept.extend(piece));
        if kept.len() == places.len() {
            Ok(Self { places, kept, spool })
        } else {
            Err(EngineError::Defect("a record of pass one was not found again"))
        }
    }

    /// The record that was read at a place; None where none was.
    pub fn at(&self, place: Place, unpacker: &mut Unpacker) -> Result<Option<Detail>, EngineError> {
        let kept = self.places.binary_search(&place).ok().and_then(|at| self.kept.get(at));
        Ok(kept.map(|kept| unpacker.take(&self.spool, *kept)).transpose()?)
    }
}

fn detail(visited: &Visited<'_, '_>, raw: RawText) -> Detail {
    let viewed = &visited.viewed;
    let mut work = Work::default();
    let (mut compared, mut known) = (Vec::new(), BTreeSet::new());
    for rule in visited.rules {
        let (play, comparison) = (rule.play(viewed.mapped), rule.comparison);
        let as_reversal = play == Play::Reversal;
        if play != Play::None && known.insert((comparison, as_reversal)) {
            let mut values = Vec::new();
            rule.values(viewed, play, &mut work, |value| values.push(value.map(str::to_owned)));
            compared.push(Compared { comparison, as_reversal, values: Folded::new(&values) });
        }
    }
    let mut event = event(visited.origin(), visited.source, viewed);
    if raw == RawText::Kept {
        event.raw = raw_text(visited);
    }
    Detail { event: Box::new(event), compared }
}

/// A record as it stands in its file, or the front of it. None for a record of a translated format, whose text no file holds.
fn raw_text(visited: &Visited<'_, '_>) -> Option<String> {
    if !visited.is_in_file {
        return None;
    }
    let raw = visited.viewed.record.raw();
    match raw.char_indices().nth(LONGEST_RAW) {
        Some((end, _)) => Some(format!("{}…", raw.get(..end).unwrap_or_default())),
        None => Some(raw.to_owned()),
    }
}

/// The event of a mapped record.
pub fn event(origin: Origin, source: usize, viewed: &Viewed<'_, '_>) -> Event {
    let mapped = viewed.mapped;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let fields = (0..viewed.mapper.source.map.fields.len())
        .map(|field| owned(viewed.mapper.field(viewed.record, viewed.derived, field)))
        .collect();
    let mut event = Event {
        origin,
        source,
        time: mapped.time,
        operation: mapped.operation.to_owned(),
        kind: mapped.kind,
        actor: owned(mapped.actor),
        amount: mapped.amount,
        outcome: mapped.outcome,
        outcome_text: owned(mapped.outcome_text),
        effect_id: owned(mapped.effect_id),
        each_row: matches!(viewed.mapper.source.map.effect_id, Some(EffectIdMap::EachRow)),
        request_key: owned(mapped.request_key),
        payload: mapped.payload.map(|text| canonical_json(text).unwrap_or_else(|| text.to_owned())),
        record_id: owned(mapped.record_id),
        reverses: owned(mapped.reverses),
        fields,
        content: 0,
        raw: None,
    };
    event.content = content_of(&event, mapped);
    event
}

/// Hash of everything an event says; equal content, equal hash, whatever the file.
fn content_of(event: &Event, mapped: &Mapped<'_>) -> u128 {
    let amount = event.amount.map(|money| money.amount.normalize().to_string());
    let currency = mapped.currency.map(|currency| currency.as_str().to_owned());
    let time = event.time.to_text();
    let mut buffer = Vec::with_capacity(256);
    let values = [
        Some(event.origin.source.as_ref()),
        Some(time.as_str()),
        Some(event.operation.as_str()),
        event.actor.as_deref(),
        amount.as_deref(),
        currency.as_deref(),
        event.outcome_text.as_deref(),
        event.effect_id.as_deref(),
        event.request_key.as_deref(),
        event.payload.as_deref(),
        event.record_id.as_deref(),
        event.reverses.as_deref(),
    ];
    for value in values.into_iter().chain(event.fields.iter().map(Option::as_deref)) {
        super::hashes::frame(value, &mut buffer);
    }
    xxh3_128(&buffer)
}

/// The nets whose candidates hold attempts.
pub fn holds_attempts(net: Net) -> bool {
    matches!(net, Net::Fingerprint | Net::RequestKey)
}
