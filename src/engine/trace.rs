//! The trace of a night: what of its records the next one needs.

use super::blocks::{BlockTable, RecordSet};
use super::components::DisjointSets;
use super::derive::DerivedCells;
use super::horizon::{Horizon, Latest};
use super::mapping::{Conventions, Mapper, Mapping};
use super::options::Depth;
use super::repeated::Identity;
use super::row::Place;
use super::second_visit::LineCount;
use super::{EngineError, OpenInput};
use crate::domain::carried::CarriedText;
use crate::domain::event::Event;
use crate::domain::frequency::Frequencies;
use crate::domain::group::Group;
use crate::domain::memory::ShownByColumns;
use crate::domain::record::{Block, Position, Record, Split};
use crate::domain::time::Precision;
use crate::rules::Rules;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What the engine keeps until it is known which findings are open.
pub struct Trace {
    pub(super) blocks: BlockTable,
    /// By input: SHA-256 of what was read of it.
    pub(super) contents: Vec<String>,
    pub(super) conventions: Vec<Conventions>,
    pub(super) depth: Depth,
    /// Repeated records that no later night has to know of.
    pub(super) unneeded: RecordSet,
    pub(super) groups: Vec<GroupTrace>,
    /// By source; None for a source without times.
    pub horizons: Vec<Option<Horizon>>,
    /// Of all records of tonight that have a time.
    pub identities: Vec<Identity>,
    /// By source: new records that came later than anything could wait for.
    pub late: Vec<u64>,
    /// By source: the times of all events so far, and what the columns showed.
    pub ranges: Vec<Option<(i64, i64)>>,
    pub latest: Vec<Latest>,
    pub shown: Vec<ShownByColumns>,
    /// Over all nights.
    pub frequencies: Frequencies,
}

/// The records of a group.
pub(super) struct GroupTrace {
    /// Rule and fingerprint; None where it is no group of attempts.
    pub(super) kind: Option<(usize, Vec<Option<String>>)>,
    pub(super) steps: Vec<Step>,
}

/// One record of a group.
#[derive(Clone, Debug)]
pub struct Step {
    place: Place,
    /// Index of the source.
    pub source: usize,
    pub source_name: Arc<str>,
    pub file: Arc<str>,
    pub record: u64,
    pub nanos: i64,
    /// Hash of everything it says; 0 where it is not known.
    pub content: u128,
    /// It came tonight, for a time that an earlier night had passed.
    pub is_late: bool,
}

impl GroupTrace {
    /// Of a group whose events and links stood at `places`.
    pub(super) fn of(group: &Group, places: &[Place], is_late: impl Fn(Place, &Event) -> bool) -> Self {
        let events = group.events.iter().chain(group.links.iter().map(|link| &link.event));
        let step = |(place, event): (&Place, &Event)| Step {
            place: *place,
            source: event.source,
            source_name: Arc::clone(&event.origin.source),
            file: Arc::clone(&event.origin.file),
            record: event.origin.record,
            nanos: event.time.nanos,
            content: event.content,
            is_late: is_late(*place, event),
        };
        let fingerprint = group.fingerprint.iter().map(|(_, value)| value.clone()).collect();
        Self { kind: Some((group.rule, fingerprint)), steps: places.iter().zip(events).map(step).collect() }
    }

    /// An attempt and its proofs.
    pub(super) fn of_proofs(records: impl Iterator<Item = (Place, usize, i64)>) -> Self {
        let step = |(place, source, nanos)| Step {
            place,
            source,
            source_name: "".into(),
            file: "".into(),
            record: 0,
            nanos,
            content: 0,
            is_late: false,
        };
        Self { kind: None, steps: records.map(step).collect() }
    }

    fn first(&self) -> i64 {
        self.steps.iter().map(|step| step.nanos).min().unwrap_or(i64::MIN)
    }

    fn last(&self) -> i64 {
        self.steps.iter().map(|step| step.nanos).max().unwrap_or(i64::MIN)
    }
}

/// Records that are held for their groups, whatever their time.
pub struct Held(BTreeSet<Place>);

impl Held {
    pub fn has(&self, step: &Step) -> bool {
        self.0.contains(&step.place)
    }
}

impl Trace {
    /// The records of all groups.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.groups.iter().flat_map(|group| &group.steps)
    }

    /// Numbered records and lines of an input, those before its first block included.
    pub fn extent(&self, input: usize, opened: &OpenInput) -> (u64, u64) {
        let (records, lines) = self.blocks.extent(input);
        (opened.input.first_record() - 1 + records, opened.input.first_line() - 1 + lines)
    }

    /// What is carried of each input: records of the horizon, and those that are held.
    ///
    /// # Errors
    /// An input cannot be read again.
    pub fn carry(&self, inputs: &[OpenInput], rules: &Rules, held: &Held) -> Result<Vec<CarriedText>, EngineError> {
        let mappers: Vec<Mapper<'_>> =
            rules.sources.iter().zip(&self.conventions).map(|(source, conventions)| Mapper::new(source, *conventions)).collect();
        (0..inputs.len()).into_par_iter().map(|input| self.of_input(input, inputs, &mappers, &held.0)).collect()
    }

    /// The records of groups that reach into the horizon, or belong to a finding that is held until `findings` nanoseconds after its last
    /// record. Groups that share records are held together: half a group would look like another one.
    pub fn held(&self, findings: i64, is_open: &(dyn Fn(&Step) -> bool + Sync)) -> Held {
        let mut sets = DisjointSets::new(self.groups.len());
        let mut group_of: BTreeMap<Place, usize> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for step in &group.steps {
                let other = *group_of.entry(step.place).or_insert(number);
                sets.unite(number, other);
            }
        }
        let mut last: BTreeMap<usize, i64> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let last = last.entry(sets.find(number)).or_insert(i64::MIN);
            *last = (*last).max(group.last());
        }
        let horizon = |step: &Step| self.horizons.get(step.source).copied().flatten();
        let mut held: BTreeSet<usize> = BTreeSet::new();
        // Since when findings of these kinds are held: a refund that names nothing goes to the last repeat before it, so later ones stay.
        let mut kinds: BTreeMap<&(usize, Vec<Option<String>>), i64> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let set = sets.find(number);
            let last = last.get(&set).copied().unwrap_or(i64::MIN);
            let reaches_in = group.steps.iter().any(|step| horizon(step).is_some_and(|horizon| step.nanos >= horizon.held));
            let is_held = || {
                let within = |step: &Step| horizon(step).is_some_and(|at| last >= at.reached.saturating_sub(findings));
                group.steps.iter().any(|step| within(step) && is_open(step))
            };
            if reaches_in || is_held() {
                held.insert(set);
                if let Some(kind) = &group.kind {
                    let since = kinds.entry(kind).or_insert(i64::MAX);
                    *since = (*since).min(group.first());
                }
            }
        }
        for (number, group) in self.groups.iter().enumerate() {
            let since = group.kind.as_ref().and_then(|kind| kinds.get(kind));
            if since.is_some_and(|since| group.first() > *since) {
                held.insert(sets.find(number));
            }
        }
        let of_held = |number: usize| held.contains(&sets.root(number));
        let numbers: Vec<usize> = (0..self.groups.len()).filter(|number| of_held(*number)).collect();
        let steps = numbers.into_iter().filter_map(|number| self.groups.get(number)).flat_map(|group| &group.steps);
        Held(steps.map(|step| step.place).collect())
    }

    fn of_input(
        &self,
        input: usize,
        inputs: &[OpenInput],
        mappers: &[Mapper<'_>],
        held: &BTreeSet<Place>,
    ) -> Result<CarriedText, EngineError> {
        let mut carried = CarriedText::default();
        let Some((open, mapper)) = inputs.get(input).and_then(|open| Some((open, mappers.get(open.source)?))) else {
            return Ok(carried);
        };
        let Some(horizon) = self.horizons.get(open.source).copied().flatten() else {
            return Ok(carried);
        };
        let has_held = |block: usize| held.range(Place::new(block, 0, 0)..Place::new(block + 1, 0, 0)).next().is_some();
        let blocks: Vec<usize> = self
            .blocks
            .of_input(input)
            .filter(|block| self.blocks.latest(*block).is_some_and(|latest| latest >= horizon.held) || has_held(*block))
            .collect();
        let wanted: Vec<(u64, usize)> = blocks.iter().filter_map(|block| self.blocks.lies(*block)).collect();
        open.input.reread(&wanted, &mut |index, text| {
            let Some(block) = blocks.get(index).copied() else { return };
            let is_recent = self.blocks.latest(block).is_some_and(|latest| latest >= horizon.held);
            let from = Carrying { open, mapper, number: block, block: text, from: horizon.held };
            // What only accompanies attempts is not among the events that a block is dated by.
            if is_recent || self.depth == Depth::All {
                self.recent_and_held(&from, held, &mut carried);
            } else {
                self.held_only(&from, held, &mut carried);
            }
        })?;
        if let Some(sha256) = self.contents.get(input) {
            open.input.check_content(sha256)?;
        }
        Ok(carried)
    }

    /// Adds those records of a block that are recent or held.
    fn recent_and_held(&self, of: &Carrying<'_>, held: &BTreeSet<Place>, carried: &mut CarriedText) {
        let mut row = 0;
        of.open.input.splitter().split(of.block, 0, &mut |split| {
            if let Split::Record(record) = split {
                let place = Place::new(of.number, row, record.start);
                if held.contains(&place) || (!self.unneeded.contains(place) && self.is_recent(of, &record)) {
                    self.add(of, place, 0, &record, carried);
                }
            }
            row += 1;
            ControlFlow::Continue(())
        });
    }

    /// As [`Self::recent_and_held`] of a block in which nothing is recent: its other records are not even looked at.
    fn held_only(&self, of: &Carrying<'_>, held: &BTreeSet<Place>, carried: &mut CarriedText) {
        let mut lines = LineCount::new(&of.block.text);
        for place in held.range(Place::new(of.number, 0, 0)..Place::new(of.number + 1, 0, 0)) {
            let before = if of.block.is_carried() { 0 } else { lines.before(place.start()) };
            of.open.input.splitter().split(of.block, place.start(), &mut |split| {
                if let Split::Record(record) = split {
                    self.add(of, *place, before, &record, carried);
                }
                ControlFlow::Break(())
            });
        }
    }

    fn is_recent(&self, of: &Carrying<'_>, record: &Record<'_>) -> bool {
        let derived = DerivedCells::of(of.mapper.source, record);
        let mapped = match of.mapper.map(record, &derived, &mut Default::default()) {
            Mapping::Event(mapped) => mapped,
            Mapping::Ignored(Some(mapped)) if self.depth == Depth::All => mapped,
            Mapping::Ignored(_) | Mapping::Rejected(_) => return false,
        };
        mapped.time.precision != Precision::Sequence && mapped.time.nanos >= of.from
    }

    /// Adds a record before which `lines` lines of its block were not counted by the splitter.
    fn add(&self, of: &Carrying<'_>, place: Place, lines: u64, record: &Record<'_>, carried: &mut CarriedText) {
        let counted = || {
            let first = of.open.input.first_line() + self.blocks.lines_before(of.number) + lines + u64::from(record.line);
            Position { number: self.blocks.record_number(place), lines: [first, first + u64::from(record.lines.max(1)) - 1] }
        };
        carried.add(record, record.position.unwrap_or_else(counted));
    }
}

/// A block of which records are carried.
struct Carrying<'c> {
    open: &'c OpenInput,
    mapper: &'c Mapper<'c>,
    number: usize,
    block: &'c Block,
    /// Events from here on are recent, in nanoseconds since 1970.
    from: i64,
}
