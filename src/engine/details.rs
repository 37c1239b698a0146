//! Pass two: the candidates' records are read again, whole, and become events.

use super::blocks::BlockTable;
use super::keyer::{Play, RuleKeyer, Viewed, Work};
use super::mapping::{Conventions, Mapped, Mapper, Mapping};
use super::row::{Net, Place};
use super::{EngineError, OpenInput};
use crate::domain::event::{Event, Origin};
use crate::domain::record::{Block, Record, Split};
use crate::rules::normalise::canonical_json;
use crate::rules::{EffectIdMap, Rules};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// Normalised fingerprint values; None is "absent".
pub type Values = Vec<Option<String>>;

/// An event with what each rule compares of it.
#[derive(Clone, Debug)]
pub struct Detail {
    pub event: Event,
    /// Index of the rule, the part the event plays under it, its fingerprint.
    pub plays: Vec<(usize, Play, Values)>,
}

/// Reads the records at `places` (ascending, without repeats). One detail for each, in the same order.
pub fn read(
    places: &[Place],
    blocks: &BlockTable,
    inputs: &[OpenInput],
    rules: &Rules,
    conventions: &[Conventions],
) -> Result<Vec<Detail>, EngineError> {
    let readers: Vec<SourceReader<'_>> = rules
        .sources
        .iter()
        .enumerate()
        .map(|(index, source)| SourceReader {
            mapper: Mapper::new(source, &rules.operations, conventions.get(index).copied().unwrap_or_default()),
            rules: RuleKeyer::of_source(rules, index),
        })
        .collect();
    let pieces = share_of_work(places, blocks, inputs);
    let read: Result<Vec<Vec<Detail>>, EngineError> = pieces
        .into_par_iter()
        .map(|piece| {
            let Some(input) = piece.first().and_then(|place| blocks.block(*place)).map(|block| block.input as usize) else {
                return Ok(Vec::new());
            };
            let open = &inputs[input];
            Piece { open, reader: &readers[open.source], blocks, file: Arc::from(open.input.name()) }.read(piece)
        })
        .collect();
    let details: Vec<Detail> = read?.into_iter().flatten().collect();
    if details.len() == places.len() { Ok(details) } else { Err(EngineError::Defect("a record of pass one was not found again")) }
}

/// Cuts the places into pieces that can be read at once: an input each, and large inputs in several parts where they can be sought.
fn share_of_work<'p>(places: &'p [Place], blocks: &BlockTable, inputs: &[OpenInput]) -> Vec<&'p [Place]> {
    const LEAST: usize = 2_000;
    let input = |place: &Place| blocks.block(*place).map_or(u32::MAX, |block| block.input);
    let mut pieces = Vec::new();
    for mut rest in places.chunk_by(|a, b| input(a) == input(b)) {
        let seekable = inputs.get(input(&rest[0]) as usize).is_some_and(|open| open.input.is_seekable());
        while seekable && rest.len() > LEAST {
            let block = rest[LEAST].block();
            let at = rest.partition_point(|place| place.block() <= block);
            let (piece, more) = rest.split_at(at);
            pieces.push(piece);
            rest = more;
        }
        if !rest.is_empty() {
            pieces.push(rest);
        }
    }
    pieces
}

struct SourceReader<'r> {
    mapper: Mapper<'r>,
    rules: Vec<RuleKeyer<'r>>,
}

/// Some places of one input.
struct Piece<'p> {
    open: &'p OpenInput,
    reader: &'p SourceReader<'p>,
    blocks: &'p BlockTable,
    file: Arc<str>,
}

impl Piece<'_> {
    fn read(&self, places: &[Place]) -> Result<Vec<Detail>, EngineError> {
        let by_block: Vec<&[Place]> = places.chunk_by(|a, b| a.block() == b.block()).collect();
        let wanted: Vec<(u64, usize)> = by_block
            .iter()
            .filter_map(|places| self.blocks.block(places[0]).map(|block| (block.offset, block.length as usize)))
            .collect();
        let mut details = Vec::with_capacity(places.len());
        let mut work = Work::default();
        self.open.input.reread(&wanted, &mut |index, block| {
            for places in by_block.get(index).into_iter() {
                self.block(block, places, &mut details, &mut work);
            }
        })?;
        Ok(details)
    }

    fn block(&self, block: &Block, places: &[Place], details: &mut Vec<Detail>, work: &mut Work) {
        let mut lines = LineCount::new(&block.text);
        for place in places {
            let first_line = self.open.input.first_line() + self.blocks.lines_before(place.block()) + lines.before(place.start());
            self.open.input.splitter().split(block, place.start(), &mut |split| {
                if let Split::Record(record) = split {
                    let cut = self.reader.mapper.extract(&record);
                    let lines =
                        [first_line + u64::from(record.line), first_line + u64::from(record.line + record.lines.max(1)) - 1];
                    details.extend(self.detail(&record, &cut, *place, lines, work));
                }
                ControlFlow::Break(())
            });
        }
    }

    fn detail<'a>(
        &'a self,
        record: &Record<'a>,
        cut: &[Option<&'a str>],
        place: Place,
        lines: [u64; 2],
        work: &mut Work,
    ) -> Option<Detail> {
        let (Mapping::Event(mapped) | Mapping::Ignored(Some(mapped))) =
            self.reader.mapper.map(record, cut, &mut Default::default())
        else {
            return None;
        };
        let viewed = Viewed { mapper: &self.reader.mapper, record, cut, mapped: &mapped };
        let mut plays = Vec::new();
        for rule in &self.reader.rules {
            let play = rule.play(&mapped);
            if play != Play::None {
                let mut values = Vec::new();
                rule.values(&viewed, play, work, |value| values.push(value.map(str::to_owned)));
                plays.push((rule.index, play, values));
            }
        }
        let origin = Origin {
            source: self.reader.mapper.source.name.clone(),
            file: self.file.clone(),
            record: self.blocks.record_number(place),
            lines,
        };
        Some(Detail { event: event(origin, self.open.source, &viewed), plays })
    }
}

/// Lines before a byte of a block, asked for ascending bytes.
struct LineCount<'b> {
    text: &'b [u8],
    /// Files of old Macs end lines with CR alone.
    end: u8,
    at: usize,
    lines: u64,
}

impl<'b> LineCount<'b> {
    fn new(text: &'b str) -> Self {
        let text = text.as_bytes();
        let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
        Self { text, end, at: 0, lines: 0 }
    }

    fn before(&mut self, byte: usize) -> u64 {
        let upto = byte.min(self.text.len());
        if let Some(part) = self.text.get(self.at..upto) {
            self.lines += memchr::memchr_iter(self.end, part).count() as u64;
            self.at = upto;
        }
        self.lines
    }
}

/// The event of a mapped record.
pub fn event(origin: Origin, source: usize, viewed: &Viewed<'_, '_>) -> Event {
    let mapped = viewed.mapped;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let fields = (0..viewed.mapper.source.map.fields.len())
        .map(|field| owned(viewed.mapper.field(viewed.record, viewed.cut, field)))
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
        super::keyer::frame(value, &mut buffer);
    }
    xxh3_128(&buffer)
}

/// The nets whose candidates hold attempts.
pub fn holds_attempts(net: Net) -> bool {
    matches!(net, Net::Fingerprint | Net::RequestKey)
}
