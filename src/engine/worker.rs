//! One worker of pass one: what becomes of each record of a block.

use super::derive::DerivedCells;
use super::hashes::{Chain, identity, of_value};
use super::keyer::{Filled, Found, Play, RuleKeyer, Viewed, Work};
use super::mapping::{Mapped, Mapping, Rejection};
use super::operation_names::OperationNames;
use super::options::Depth;
use super::partitions::{SpillError, Writer};
use super::plan::{Plan, Plans};
use super::row::{Fate, KnownBy, Net, Part, Place, RecordFacts, RecordRow, Row, Tag};
use super::rule_sets::RuleSets;
use super::shape::HashedValues;
use super::source_keyer::{ProofSide, Repeats, SourceKeyer};
use super::stores::Stores;
use super::tally::{InputTally, OperationTally, Reject, RejectedAt, SourceTally, Tally};
use super::waiting::{Caught, Waiting};
use super::{EngineError, OpenInput};
use crate::domain::record::{Block, Position, Record, Split};
use crate::domain::time::Precision;
use crate::domain::{EffectKind, Outcome};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Operations that a worker finds by walking a list.
const MOST_LISTED: usize = 32;

/// What a block holds for one rule.
#[derive(Default)]
struct OfRule {
    attempts: u64,
    /// Attempts that fill its fingerprint only in part.
    partial: u64,
    waiting: Waiting,
}

/// What a block turned out to hold.
#[derive(Clone, Copy, Debug)]
pub struct Worked {
    /// Numbered records.
    pub records: u32,
    /// Physical lines.
    pub lines: u32,
    /// Nanoseconds since 1970 of the last event that has a time.
    pub latest: Option<i64>,
}

/// The block at hand.
struct Here<'t> {
    input: &'t mut InputTally,
    source: &'t mut SourceTally,
    /// In the order of the source's rules.
    rules: Vec<OfRule>,
    /// What makes the same sequence number in another input another time.
    log: u64,
    is_carried: bool,
    /// As [`SourceKeyer::past`].
    past: Option<i64>,
    latest: Option<i64>,
    /// Where the block starts in its input.
    offset: u64,
    /// Of the record at hand.
    place: Place,
    line: u32,
    position: Option<Position>,
}

/// Keys the records of one thread.
pub struct Worker<'w, 'b> {
    groups: Writer<'w, 'b, Row>,
    records: Writer<'w, 'b, RecordRow>,
    links: Writer<'w, 'b, Row>,
    most_rejects: usize,
    names: &'w OperationNames,
    /// Numbers of operations seen by this thread; logs know few, so a list is searched faster than a table.
    operations: Vec<(String, u16)>,
    /// Number of the operation of the event at hand.
    operation: u16,
    sets: &'w RuleSets,
    plans: Plans,
    hashed: HashedValues,
    tally: Tally,
    work: Work,
}

impl<'w, 'b> Worker<'w, 'b> {
    pub fn new(stores: &'w Stores<'b>, names: &'w OperationNames, sets: &'w RuleSets, most_rejects: usize) -> Self {
        Self {
            groups: stores.groups.writer(),
            records: stores.records.writer(),
            links: stores.links.writer(),
            most_rejects,
            operations: Vec::new(),
            operation: 0,
            names,
            sets,
            plans: Plans::default(),
            hashed: HashedValues::default(),
            tally: Tally::default(),
            work: Work::default(),
        }
    }

    /// Hands over the last rows and the counts.
    pub fn finish(self) -> Result<Tally, EngineError> {
        self.groups.finish()?;
        self.records.finish()?;
        self.links.finish()?;
        Ok(self.tally)
    }

    /// Keys all records of a block. Those of an earlier night are in its ledger, and are counted with the others only where the whole
    /// matters that groups are made of.
    pub fn block(
        &mut self,
        keyer: &SourceKeyer<'_>,
        open: &OpenInput,
        input: usize,
        number: usize,
        block: &Block,
    ) -> Result<Worked, EngineError> {
        // Taken out of the tally, so that they can be held beside the rest of the worker.
        let mut input_tally = self.tally.inputs.remove(&input).unwrap_or_default();
        let mut source_tally = self.tally.sources.remove(&keyer.source).unwrap_or_default();
        let is_carried = block.is_carried();
        let (mut of_carried, mut of_their_source) = (InputTally::default(), SourceTally::default());
        let mut here = Here {
            input: if is_carried { &mut of_carried } else { &mut input_tally },
            source: if is_carried { &mut of_their_source } else { &mut source_tally },
            log: xxhash_rust::xxh3::xxh3_64(open.input.name().as_bytes()),
            is_carried,
            past: keyer.past,
            latest: None,
            rules: keyer.rules.iter().map(|_| OfRule::default()).collect(),
            offset: block.offset,
            place: Place::new(number, 0, 0),
            line: 0,
            position: None,
        };
        let (mut row, mut failure) = (0u32, None);
        let lines = open.input.splitter().split(block, 0, &mut |split| {
            let result = self.split(keyer, &mut here, number, row, split);
            row += 1;
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        let latest = here.latest;
        for (rule, OfRule { attempts, partial, waiting }) in keyer.rules.iter().zip(here.rules) {
            self.count_attempts(rule, attempts);
            if partial > 0 && !is_carried {
                *source_tally.partial.entry(rule.index).or_default() += partial;
            }
            self.release(rule, waiting)?;
        }
        if is_carried {
            input_tally.carried += u64::from(row);
            source_tally.recall(of_their_source);
        }
        self.tally.inputs.insert(input, input_tally);
        self.tally.sources.insert(keyer.source, source_tally);
        Ok(Worked { records: row, lines, latest })
    }

    fn split<'a>(
        &mut self,
        keyer: &'a SourceKeyer<'a>,
        here: &mut Here<'_>,
        number: usize,
        row: u32,
        split: Split<'a>,
    ) -> Result<(), SpillError> {
        match split {
            Split::Blank => Ok(()),
            Split::Ignored { .. } => {
                here.input.ledger.read += 1;
                here.input.ledger.ignored += 1;
                Ok(())
            }
            Split::Broken(broken) => {
                here.input.ledger.read += 1;
                here.stand(Place::new(number, row, broken.start), broken.line, broken.position);
                self.reject(here, &Rejection::Broken { reason: Cow::Owned(broken.reason) });
                Ok(())
            }
            Split::Record(record) => {
                here.input.ledger.read += 1;
                here.stand(Place::new(number, row, record.start), record.line, record.position);
                let derived = DerivedCells::of(keyer.mapper.source, &record);
                self.record(keyer, here, &record, &derived)
            }
        }
    }

    fn reject(&mut self, here: &mut Here<'_>, reason: &Rejection<'_>) {
        let offset = here.offset + here.place.start() as u64;
        let at = RejectedAt { place: here.place, line: here.line, position: here.position };
        here.input.reject(reason.kind(), offset, at, || reason.message());
        if !here.is_carried && self.tally.rejects.len() < self.most_rejects {
            self.tally.rejects.push(Reject { at, message: reason.message() });
        }
    }

    fn record<'a>(
        &mut self,
        keyer: &'a SourceKeyer<'a>,
        here: &mut Here<'_>,
        record: &Record<'a>,
        derived: &'a DerivedCells<'a>,
    ) -> Result<(), SpillError> {
        let mapping = keyer.mapper.map(record, derived, &mut here.source.columns);
        let (fate, event) = match &mapping {
            Mapping::Rejected(reason) => {
                self.reject(here, reason);
                (Fate::Rejected, None)
            }
            Mapping::Ignored(accompanying) => {
                here.input.ledger.ignored += 1;
                if let (Depth::All, Some(mapped)) = (keyer.depth, accompanying) {
                    self.accompanying(keyer, here, &Viewed { mapper: &keyer.mapper, record, derived, mapped })?;
                }
                (Fate::Ignored, None)
            }
            Mapping::Event(mapped) => {
                let viewed = Viewed { mapper: &keyer.mapper, record, derived, mapped };
                if self.event(keyer, here, &viewed)? {
                    here.source.not_json += u64::from(derived.is_damaged);
                    here.input.ledger.used += 1;
                    (Fate::Used, Some(mapped))
                } else {
                    self.reject(here, &Rejection::NoFingerprint);
                    (Fate::Rejected, None)
                }
            }
        };
        self.identity(keyer, here, record, event, fate)
    }

    /// The row by which a record is recognised when it comes again: its id, else its text.
    fn identity(
        &mut self,
        keyer: &SourceKeyer<'_>,
        here: &Here<'_>,
        record: &Record<'_>,
        event: Option<&Mapped<'_>>,
        fate: Fate,
    ) -> Result<(), SpillError> {
        let (known_by, value) = match (keyer.repeats, event.and_then(|mapped| mapped.record_id)) {
            (Repeats::ById | Repeats::ByIdOrText, Some(id)) => (KnownBy::Id, id),
            (Repeats::ByText | Repeats::ByIdOrText, _) => (KnownBy::Text, record.raw()),
            _ => return Ok(()),
        };
        // By name: the same record is known again when the configuration lists its sources in another order.
        let name: &str = &keyer.mapper.source.name;
        let hash = identity(known_by, name, value, &mut self.work.buffer);
        let counted = event.map_or(RecordFacts::default(), |mapped| RecordFacts {
            operation: self.operation,
            is_attempt: keyer.counts_as_attempt(mapped),
            has_key: mapped.request_key.is_some(),
            progress: progress(mapped.outcome),
            content: 0,
        });
        let facts = RecordFacts { content: xxhash_rust::xxh3::xxh3_64(record.raw().as_bytes()), ..counted }.pack();
        let time = event.map_or(0, |mapped| mapped.time.nanos);
        self.records.push(RecordRow { hash, time, place: here.place, facts, source: keyer.source as u16, known_by, fate })
    }

    /// Keys one event for all nets. False when the rules want it but it fills none of their fields.
    fn event<'a>(
        &mut self,
        keyer: &'a SourceKeyer<'a>,
        here: &mut Here<'_>,
        viewed: &Viewed<'_, 'a>,
    ) -> Result<bool, SpillError> {
        self.operation = self.operation_number(viewed.mapped.operation);
        let plan = self.plans.of(keyer, viewed.mapped, self.operation, self.sets);
        self.hashed.begin();
        let keyed = self.rows(keyer, here, viewed, &plan)?;
        if plan.is_wanted && !keyed {
            return Ok(false);
        }
        self.link(keyer, here, viewed)?;
        self.count(here, viewed.mapped, plan.is_wanted || viewed.mapped.kind.is_idempotent());
        Ok(true)
    }

    /// Keys one event under all rules. False when it fills no field of those that take it for an attempt.
    #[inline]
    fn rows(
        &mut self,
        keyer: &SourceKeyer<'_>,
        here: &mut Here<'_>,
        viewed: &Viewed<'_, '_>,
        plan: &Plan,
    ) -> Result<bool, SpillError> {
        let key = viewed.mapped.request_key;
        if let Some(key) = key {
            for set in &plan.by_key {
                self.groups.push(key_row(viewed.mapped, here.place, key, *set))?;
            }
        }
        let mut keyed = false;
        for step in &plan.steps {
            let row = self.by_fingerprint(keyer, here, viewed, step.play, step.shape, step.set);
            if let Some((row, _)) = row {
                self.groups.push(row)?;
            }
            if step.play == Play::Attempt {
                for at in &step.rules {
                    let found = row.is_some() || (key.is_some() && keyer.rules[*at].rule.by_key);
                    here.rules[*at].attempts += u64::from(found);
                    here.rules[*at].partial += u64::from(row.is_some_and(|(_, filled)| filled == Filled::InPart));
                    keyed |= found;
                }
            }
        }
        for (at, play) in &plan.filtered {
            keyed |= self.filtered(keyer, here, viewed, *at, *play) && *play == Play::Attempt;
        }
        Ok(keyed)
    }

    /// Keeps the rows of one event under a rule with a filter until it can be asked. False when there are none.
    #[inline(never)]
    fn filtered(&mut self, keyer: &SourceKeyer<'_>, here: &mut Here<'_>, viewed: &Viewed<'_, '_>, at: usize, play: Play) -> bool {
        let rule = &keyer.rules[at];
        let by_fingerprint = self.by_fingerprint(keyer, here, viewed, play, keyer.shapes.of_rule(at), rule.index);
        let key = viewed.mapped.request_key.filter(|_| rule.rule.by_key && play == Play::Attempt);
        let rows = Caught {
            by_fingerprint: by_fingerprint.map(|(row, _)| row),
            by_key: key.map(|key| key_row(viewed.mapped, here.place, key, rule.index)),
        };
        let in_part = by_fingerprint.is_some_and(|(_, filled)| filled == Filled::InPart) && play == Play::Attempt;
        here.rules[at].partial += u64::from(in_part);
        if let Some(filter) = rule.rule.filter.as_ref().filter(|_| rows.is_any()) {
            here.rules[at].waiting.put(filter, viewed, rows, play, &mut self.work);
        }
        rows.is_any()
    }

    /// The row of an event under a shape, for a set of rules. Always inlined, so that a row is made where it will lie.
    #[inline(always)]
    fn by_fingerprint(
        &mut self,
        keyer: &SourceKeyer<'_>,
        here: &Here<'_>,
        viewed: &Viewed<'_, '_>,
        play: Play,
        shape: usize,
        set: usize,
    ) -> Option<(Row, Filled)> {
        let mapped = viewed.mapped;
        let (net, part) = match play {
            Play::Reversal => (Net::Fingerprint, Part::Reversal),
            Play::Idempotent => (Net::Idempotent, Part::Idempotent),
            _ => (Net::Fingerprint, part_of(mapped.outcome)),
        };
        let shaped = keyer.shapes.key(shape, viewed, play, net, &mut self.hashed, &mut self.work)?;
        let kin = if net == Net::Fingerprint { shaped.kin } else { u32::from(self.operation) };
        let hash = apart(shaped.hash, here.log, mapped);
        Some((Row::new(hash, Tag { net, index: set, part, kin }, keyer.shapes.time(shape, mapped), here.place), shaped.filled))
    }

    fn count_attempts(&mut self, rule: &RuleKeyer<'_>, count: u64) {
        if count > 0 {
            *self.tally.rules.entry(rule.index).or_default() += count;
        }
    }

    /// Asks a rule's filter about the events of a whole block, and puts the rows of those it keeps.
    fn release(&mut self, rule: &RuleKeyer<'_>, waiting: Waiting) -> Result<(), EngineError> {
        let Some(filter) = rule.rule.filter.as_ref().filter(|_| !waiting.events.is_empty()) else {
            return Ok(());
        };
        let kept = filter
            .keep(&waiting.columns)
            .map_err(|error| EngineError::Filter { rule: rule.rule.id.clone(), reason: error.to_string() })?;
        let mut attempts = 0;
        for ((rows, play), _) in waiting.events.into_iter().zip(kept).filter(|(_, kept)| *kept) {
            attempts += u64::from(play == Play::Attempt);
            for row in [rows.by_fingerprint, rows.by_key].into_iter().flatten() {
                self.groups.push(row)?;
            }
        }
        self.count_attempts(rule, attempts);
        Ok(())
    }

    /// Rows for proofs, and for reversals that name the effect they undo.
    fn link<'a>(&mut self, keyer: &'a SourceKeyer<'a>, here: &Here<'_>, viewed: &Viewed<'_, 'a>) -> Result<(), SpillError> {
        let mapped = viewed.mapped;
        let (time, place) = (mapped.time.nanos, here.place);
        for (index, side, fields) in &keyer.proofs {
            // Who looks something up in the provider's export leaves a record there, and no effect.
            if *side == ProofSide::Proving && mapped.kind == EffectKind::Read {
                continue;
            }
            let Some(hash) = match_hash(*index, fields, viewed, &mut self.work) else {
                continue;
            };
            let part = match side {
                ProofSide::Proven => part_of(mapped.outcome),
                ProofSide::Proving if matches!(mapped.outcome, Outcome::TookEffect | Outcome::Reversed) => Part::Proof,
                // A refused payment in the provider's export proves nothing but that it was refused.
                ProofSide::Proving => continue,
            };
            // A refund of the provider proves a refund and no payment, whatever both match by.
            let undoes = mapped.kind == EffectKind::Reversal || mapped.outcome == Outcome::Reversal;
            let tag = Tag { net: Net::Proof, index: *index, part, kin: u32::from(undoes) };
            self.links.push(Row::new(hash, tag, time, place))?;
        }
        let spoken_of = keyer.linked_reversals.then(|| named_effect(mapped)).flatten();
        for (id, part) in spoken_of.into_iter().chain(named_reversal(mapped)) {
            let hash = Chain::of(Net::EffectId, 0, id);
            self.links.push(Row::new(hash, Tag { net: Net::EffectId, index: 0, part, kin: 0 }, time, place))?;
        }
        Ok(())
    }

    /// Rows for records that only accompany attempts, so that `--all` can list them.
    #[inline(never)]
    fn accompanying(&mut self, keyer: &SourceKeyer<'_>, here: &Here<'_>, viewed: &Viewed<'_, '_>) -> Result<(), SpillError> {
        let (net, play) = (Net::Accompanying, Play::Attempt);
        self.hashed.begin();
        for (at, rule) in keyer.rules.iter().enumerate().filter(|(_, rule)| rule.play(viewed.mapped) == play) {
            let shape = keyer.shapes.of_rule(at);
            if let Some(shaped) = keyer.shapes.key(shape, viewed, play, net, &mut self.hashed, &mut self.work) {
                let hash = apart(shaped.hash, here.log, viewed.mapped);
                let tag = Tag { net, index: rule.index, part: Part::Accompanying, kin: 0 };
                self.groups.push(Row::new(hash, tag, keyer.shapes.time(shape, viewed.mapped), here.place))?;
            }
        }
        Ok(())
    }

    fn count(&mut self, here: &mut Here<'_>, mapped: &Mapped<'_>, attempt: bool) {
        // The place in a log is no time: a log that has none covers none.
        if mapped.time.precision != Precision::Sequence {
            here.input.event(mapped.time.nanos);
            here.latest = here.latest.max(Some(mapped.time.nanos));
            if here.past.is_some_and(|past| mapped.time.nanos <= past) {
                here.source.latest.add(mapped.time.nanos);
            }
        }
        here.source.count(mapped);
        // How common things are is recalled as a whole.
        if !here.is_carried {
            self.tally.frequencies.add(mapped.time.nanos, mapped.operation, mapped.actor, mapped.amount.as_ref());
        }
        if attempt {
            here.source.week.add(&mapped.time);
            let with_key = u64::from(mapped.request_key.is_some());
            self.tally.operation(self.operation, OperationTally { attempts: 1, with_key });
        }
    }

    /// The number of an operation.
    fn operation_number(&mut self, name: &str) -> u16 {
        if let Some((_, number)) = self.operations.iter().find(|(known, _)| known == name) {
            return *number;
        }
        let number = self.names.number(name);
        if self.operations.len() < MOST_LISTED {
            self.operations.push((name.to_owned(), number));
        }
        number
    }
}

/// A place in one log says nothing of a place in another: records without times are compared within their input only.
#[inline]
fn apart(hash: u128, log: u64, mapped: &Mapped<'_>) -> u128 {
    if mapped.time.precision == Precision::Sequence { hash ^ xxhash_rust::xxh3::xxh3_128(&log.to_le_bytes()) } else { hash }
}

impl Here<'_> {
    /// Goes on to the next record.
    fn stand(&mut self, place: Place, line: u32, position: Option<Position>) {
        (self.place, self.line, self.position) = (place, line, position);
    }
}

/// The row of an attempt in the net of request keys, for a set of rules.
#[inline]
fn key_row(mapped: &Mapped<'_>, place: Place, key: &str, set: usize) -> Row {
    let tag = Tag { net: Net::RequestKey, index: set, part: part_of(mapped.outcome), kin: 0 };
    Row::new(Chain::of(tag.net, 0, key), tag, mapped.time.nanos, place)
}

/// The effect that a reversal names, or an attempt had.
fn named_effect<'m>(mapped: &Mapped<'m>) -> Option<(&'m str, Part)> {
    match (mapped.outcome, mapped.reverses, mapped.effect_id) {
        (Outcome::Reversal, Some(undone), _) => Some((undone, Part::Reversal)),
        (Outcome::Reversal, None, _) | (_, _, None) => None,
        (outcome, _, Some(id)) => Some((id, part_of(outcome))),
    }
}

/// By what the end of a reversal finds the group that the reversal is in: the effect that both name, else the reversal's own id.
fn named_reversal<'m>(mapped: &Mapped<'m>) -> Option<(&'m str, Part)> {
    let id = mapped.effect_id?;
    match mapped.outcome {
        Outcome::Failed | Outcome::Reversed if mapped.kind == EffectKind::Reversal => {
            Some((mapped.reverses.unwrap_or(id), Part::EndedReversal))
        }
        Outcome::Reversal if mapped.reverses.is_none() => Some((id, Part::NamedReversal)),
        Outcome::TookEffect if mapped.reverses.is_none() && mapped.kind == EffectKind::Reversal => {
            Some((id, Part::NamedReversal))
        }
        _ => None,
    }
}

/// The part of an attempt with this outcome.
fn part_of(outcome: Outcome) -> Part {
    match outcome {
        Outcome::Failed | Outcome::Replayed => Part::Ineffective,
        _ => Part::Attempt,
    }
}

/// The hash of the fields by which a proof matches; None where the record lacks one of them: missing never equals missing.
pub fn match_hash(index: usize, fields: &[Found], viewed: &Viewed<'_, '_>, work: &mut Work) -> Option<u128> {
    let mut chain = Chain::new(Net::Proof, index);
    for field in fields {
        let value = viewed.text_of(*field, &mut work.text).map(str::trim).filter(|value| !value.is_empty())?;
        chain.add(Some(of_value(value)));
    }
    Some(chain.hash())
}

/// How far a record in this state has come. A payment is asked for, may fail, is paid, is given back: a log that holds several states of one
/// record at one time, because it keeps whole seconds or days only, holds the newest of them too.
fn progress(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Started => 1,
        Outcome::Unknown => 2,
        Outcome::Failed => 3,
        Outcome::Replayed => 4,
        Outcome::TookEffect => 5,
        Outcome::Reversal => 6,
        Outcome::Reversed => 7,
    }
}
