//! The engine: from opened inputs to groups, in two passes over the data and little memory.
//!
//! Pass one ([`keying`], [`worker`]) turns every record into rows of 32 bytes ([`row`]), one for each net it may be caught in, which
//! lie by hash in [`partitions`]. The same record read twice is left out ([`repeated`]), equal hashes are cut into [`windows`]
//! ([`grouping`]), joined where they share records ([`components`]) and tied to proofs and reversals ([`links`]). Pass two
//! ([`second_visit`], [`details`]) reads only the candidates again; [`assemble`] makes groups of them, [`similar`] where values need only be near.

mod amount;
mod assemble;
mod blocks;
mod clock;
mod components;
mod derive;
mod details;
mod grouping;
mod hashes;
mod horizon;
mod keyer;
mod keying;
mod links;
mod mapping;
mod notes;
mod nothing;
mod operation_names;
mod options;
mod partitions;
mod plan;
mod preview;
mod recall;
mod repeated;
mod row;
mod rule_sets;
mod second_visit;
mod shape;
mod similar;
mod source_keyer;
mod spool;
mod stores;
mod tally;
mod trace;
mod waiting;
pub mod windows;
mod worker;
mod zones;

pub use clock::reads_all;
pub use horizon::{Horizon, Latest, horizons};
pub use options::{Depth, LONGEST_RAW, Options, OtherWindows, RawText};
pub use partitions::Budget;
pub use preview::{PreviewLimits, Previewed, PreviewedEvent, preview};
pub use recall::{Recall, Recalled, Seen};
pub use repeated::Identity;
pub use spool::Spool;
pub use tally::{InputTally, OperationTally};
pub use trace::{Held, Step, Trace};

use crate::domain::control::ControlTotal;
use crate::domain::event::Event;
use crate::domain::frequency::Frequencies;
use crate::domain::group::Group;
use crate::domain::memory::ShownByColumns;
use crate::domain::record::{Input, InputError, InputFacts, Rejected};
use crate::domain::report::Note;
use crate::domain::volume::Volume;
use crate::domain::week::Week;
use crate::rules::window::Reach;
use crate::rules::{DateOrder, Rules};
use amount::DecimalMark;
use amount::Exponents;
use assemble::PlacedGroup;
use blocks::RecordSet;
use details::Details;
use grouping::{Candidate, Rows};
use horizon::both;
use keying::Keyed;
use mapping::Conventions;
use partitions::SpillError;
use repeated::View;
use row::{Place, Row};
use second_visit::SecondVisit;
use std::collections::BTreeMap;
use std::sync::Arc;
use stores::Stores;
use thiserror::Error;
use trace::GroupTrace;

/// An opened input and the source it belongs to.
pub struct OpenInput {
    pub input: Box<dyn Input>,
    /// Index into `Rules::sources`.
    pub source: usize,
}

/// Told how far a scan is; called from several threads.
pub trait Progress: Sync {
    /// A phase begins, in which so many bytes are to be read; 0 where it is not reading that takes its time.
    fn phase(&self, name: &'static str, bytes: u64);
    /// So many more bytes were read, as they are stored.
    fn read(&self, bytes: u64);
    /// So many more records were worked through.
    fn worked(&self, records: u64);
}

/// For callers that do not want to know.
pub struct NoProgress;

impl Progress for NoProgress {
    fn phase(&self, _: &'static str, _: u64) {}
    fn read(&self, _: u64) {}
    fn worked(&self, _: u64) {}
}

/// The run's trouble: nothing can be said about the input.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Spill(#[from] SpillError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(
        "source {source_name:?}: no date decides whether {example}; say it with --date-order day_first or month_first, or set source.read.date_order"
    )]
    DateOrder { source_name: String, example: String },
    #[error(
        "source {source_name:?}: some dates can only be day first, others only month first; set source.map.time.format, or read the files one by one"
    )]
    MixedDateOrder { source_name: String },
    /// Packed records could not be kept, or not be read back.
    #[error(transparent)]
    Store(#[from] std::io::Error),
    #[error("rule {rule:?}: its where expression failed: {reason}")]
    Filter { rule: String, reason: String },
    #[error("the input has more than 16,777,216 blocks of text; scan it in parts")]
    TooLarge,
    #[error("a defect of twicelog: {0}; please report it with the input that shows it")]
    Defect(&'static str),
}

impl EngineError {
    /// True when the configuration must say more.
    pub fn is_configuration(&self) -> bool {
        matches!(self, Self::DateOrder { .. } | Self::MixedDateOrder { .. } | Self::Filter { .. })
    }

    /// True when the temporary file could not be written or read back.
    pub fn is_temporary_file(&self) -> bool {
        matches!(self, Self::Spill(_) | Self::Store(_))
    }
}

/// Everything the engine found beside groups.
pub struct Gathered {
    pub inputs: Vec<GatheredInput>,
    /// Control totals of each source, in the order of the sources.
    pub controls: Vec<Vec<ControlTotal>>,
    pub frequencies: Frequencies,
    /// Attempts by operation.
    pub operations: BTreeMap<String, OperationTally>,
    /// Groups of naturally idempotent operations that were counted but not read, by operation.
    pub idempotent_groups: BTreeMap<String, u64>,
    /// In the order of inputs and records; at most `Options::most_rejects`.
    pub rejects: Vec<Rejected>,
    pub notes: Vec<Note>,
    /// Attempts by hour of the week, for each source.
    pub weeks: Vec<Week>,
    /// Events by time, for each source; one of dates alone has buckets of days. None where no event has a time.
    pub volumes: Vec<Option<Volume>>,
}

/// What became of one input.
pub struct GatheredInput {
    pub facts: InputFacts,
    pub fault: Option<InputError>,
    pub tally: InputTally,
    /// For each reason in `tally.rejects`: `record` and `line` of its first record.
    pub reject_places: BTreeMap<String, (u64, u64)>,
}

/// Does all of a piece of work on so many threads, unless it is on them already: memory that a thread has given back serves it best again.
///
/// # Errors
/// There are no threads to be had.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, EngineError> {
    let threads = threads.max(1);
    if rayon::current_thread_index().is_some() && rayon::current_num_threads() == threads {
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|_| EngineError::Defect("no threads to work with"))?.install(work))
}

/// Gathers the groups of all inputs, and hands some at a time to `each`: first those of the windows that are configured, then, where the
/// options ask for them, those of each other reach. `budget` is for everything that grows with the inputs.
pub fn gather(
    inputs: &[OpenInput],
    rules: &Rules,
    options: &Options,
    budget: &Arc<Budget>,
    progress: &dyn Progress,
    each: EachGroups<'_>,
) -> Result<Gathered, EngineError> {
    gather_with(&Scan { inputs, rules, options, budget, progress, recall: None }, each).map(|(gathered, _)| gathered)
}

/// As [`gather`], given what is recalled of earlier nights; with what the next one needs. Other windows are not tried: what is carried was
/// chosen for those that are configured.
///
/// # Errors
/// As [`gather`].
pub fn gather_night(
    inputs: &[OpenInput],
    rules: &Rules,
    options: &Options,
    budget: &Arc<Budget>,
    recall: &Recall<'_>,
    progress: &dyn Progress,
    each: EachGroups<'_>,
) -> Result<(Gathered, Trace), EngineError> {
    let scan = Scan { inputs, rules, options, budget, progress, recall: Some(recall) };
    let (gathered, trace) = gather_with(&scan, each)?;
    Ok((gathered, trace.ok_or(EngineError::Defect("a night left no trace"))?))
}

fn gather_with(scan: &Scan<'_>, each: EachGroups<'_>) -> Result<(Gathered, Option<Trace>), EngineError> {
    let Scan { inputs, rules, options, budget, progress, recall } = *scan;
    on_threads(options.threads, || {
        let first: Vec<Conventions> = first_conventions(rules, inputs);
        let stores = Stores::new(budget);
        let bytes = inputs.iter().map(|open| open.input.stored_bytes()).sum();
        progress.phase("reading", bytes);
        let mut keyed = keying::key_all(inputs, rules, &first, options, &stores, recall, progress)?;
        recall_columns(&mut keyed, recall);
        let settled = settle(&keyed, rules, inputs)?;
        if settled == first {
            return finish(scan, &stores, keyed, settled, each);
        }
        // The columns are written otherwise than assumed: read them again, now that all of them are known.
        drop(stores);
        let stores = Stores::new(budget);
        progress.phase("reading again", bytes);
        let mut keyed = keying::key_all(inputs, rules, &settled, options, &stores, recall, progress)?;
        recall_columns(&mut keyed, recall);
        finish(scan, &stores, keyed, settled, each)
    })?
}

/// What the columns of a source showed on earlier nights holds for tonight.
fn recall_columns(keyed: &mut Keyed, recall: Option<&Recall<'_>>) {
    let Some(recall) = recall else { return };
    for (source, tally) in &mut keyed.tally.sources {
        let shown = recall.sources.get(*source).map(|recalled| recalled.shown).unwrap_or_default();
        tally.columns.order.day_first |= shown.day_first;
        tally.columns.order.month_first |= shown.month_first;
        tally.columns.mark.dot |= shown.decimal_dot;
        tally.columns.mark.comma |= shown.decimal_comma;
    }
}

fn first_conventions(rules: &Rules, inputs: &[OpenInput]) -> Vec<Conventions> {
    let sources = rules.sources.iter().enumerate();
    sources.map(|(index, source)| Conventions::first(source, Exponents::of(writes_numbers(inputs, index)))).collect()
}

/// True where every input of a source has one way to write a number.
fn writes_numbers(inputs: &[OpenInput], source: usize) -> bool {
    inputs.iter().filter(|open| open.source == source).all(|open| open.input.writes_numbers())
}

/// What the columns of each source turned out to be.
fn settle(keyed: &Keyed, rules: &Rules, inputs: &[OpenInput]) -> Result<Vec<Conventions>, EngineError> {
    let mut settled = first_conventions(rules, inputs);
    for (index, tally) in &keyed.tally.sources {
        let source_name = rules.sources[*index].name.to_string();
        if tally.columns.mark.ambiguous {
            let writes_numbers = writes_numbers(inputs, *index);
            let said = rules.sources[*index].read.decimal_where_undecided;
            settled[*index].mark = match tally.columns.mark.decide_or(said) {
                // JSON has one way to write a number.
                DecimalMark::Undecided if writes_numbers => DecimalMark::Dot,
                mark => mark,
            };
        }
        let order = tally.columns.order;
        settled[*index].order = match (order.day_first, order.month_first) {
            (true, true) => return Err(EngineError::MixedDateOrder { source_name }),
            (false, true) => DateOrder::MonthFirst,
            (true, false) => DateOrder::DayFirst,
            (false, false) => match (rules.sources[*index].read.date_order, order.ambiguous) {
                (None, Some(example)) => return Err(EngineError::DateOrder { source_name, example: example.to_string() }),
                (said, _) => said.unwrap_or(DateOrder::DayFirst),
            },
        };
    }
    Ok(settled)
}

/// Records that other windows may take in: a chart must not cost many times the scan where one fingerprint stands on every row.
const MOST_TRIED: usize = 100_000;

/// Is given groups, some at a time and by several threads at once, with the reach of the windows that they were cut with and how common things
/// are in the whole input. All of one reach come before the first of the next; reaches that take in too many records are left out.
pub type EachGroups<'a> = &'a (dyn Fn(Reach, Vec<Group>, &Frequencies) -> Result<(), EngineError> + Sync);

/// From keyed rows to groups.
fn finish(
    scan: &Scan<'_>,
    stores: &Stores<'_>,
    mut keyed: Keyed,
    conventions: Vec<Conventions>,
    each: EachGroups<'_>,
) -> Result<(Gathered, Option<Trace>), EngineError> {
    let Scan { inputs, rules, options, progress, recall, .. } = *scan;
    progress.phase("grouping", 0);
    let recalled = |source: usize| recall.and_then(|recall| recall.sources.get(source)).copied().unwrap_or_default();
    let ranges: Vec<Option<(i64, i64)>> = (0..rules.sources.len())
        .map(|source| both(recalled(source).range, keyed.tally.sources.get(&source).and_then(|tally| tally.range)))
        .collect();
    let latest: Vec<Latest> = (0..rules.sources.len())
        .map(|source| {
            let mut latest = keyed.tally.sources.get(&source).map(|tally| tally.latest).unwrap_or_default();
            // What a night with a later day took for past may lie ahead of this one.
            let is_past = |time: &i64| recall.and_then(|recall| recall.as_of).is_none_or(|as_of| *time <= as_of);
            recalled(source).latest.times().filter(is_past).for_each(|time| latest.add(time));
            latest
        })
        .collect();
    let horizons = recall.map(|recall| horizons(rules, &ranges, &latest, recall)).unwrap_or_default();
    let view = recall.map(|recall| View {
        recall,
        told_from: recall.sources.iter().map(|recalled| recalled.told_from).collect(),
        horizons: &horizons,
    });
    let repeated = repeated::find(&stores.records, &keyed.blocks, &mut keyed.tally, view.as_ref())?;
    let dropped = repeated.places;
    let second = SecondVisit::new(&keyed.blocks, inputs, rules, &conventions);
    repeated::retract(&repeated.used, &second, &mut keyed.tally)?;
    let stage = Stage { scan, stores, keyed: &keyed, dropped: &dropped, second: &second, ranges: &ranges, horizons: &horizons };
    let tries = options.other_windows == OtherWindows::Tried && recall.is_none();
    let rows = if tries { Rows::Kept } else { Rows::Taken };
    progress.phase("reading candidates", 0);
    let lateness = recall.map_or(0, |recall| recall.lateness);
    let told_up_to = |source: usize| recalled(source).told_from.map(|from| from.saturating_add(lateness));
    let is_late = |place: Place, event: &Event| {
        !keyed.blocks.is_carried(place) && told_up_to(event.source).is_some_and(|upto| event.time.nanos < upto)
    };
    let told = |placed: Vec<PlacedGroup>| {
        let trace = |(group, places): &PlacedGroup| GroupTrace::of(group, places, is_late);
        let traces = if recall.is_some() { placed.iter().map(trace).collect() } else { Vec::new() };
        each(Reach::CONFIGURED, groups_of(placed), &keyed.tally.frequencies)?;
        Ok(traces)
    };
    let Cut { candidates, counted_idempotent, traces, strangers, crowded } = stage
        .cut(Reach::CONFIGURED, rows, options.raw_text, usize::MAX, &told)?
        .ok_or(EngineError::Defect("more records than can be counted"))?;
    if tries {
        progress.phase("trying other windows", 0);
        for reach in Reach::STEPS.into_iter().filter(|reach| *reach != Reach::CONFIGURED) {
            let told = |placed| each(reach, groups_of(placed), &keyed.tally.frequencies).map(|()| Vec::new());
            if stage.cut(reach, rows, RawText::Left, MOST_TRIED, &told)?.is_some() {
                // Even where nothing is found, somebody waits for its sum.
                each(reach, Vec::new(), &keyed.tally.frequencies)?;
            }
        }
    }
    for (open, (facts, _)) in inputs.iter().zip(&keyed.inputs) {
        open.input.check_content(&facts.sha256)?;
    }
    let notes =
        notes::all(rules, inputs, &keyed, &candidates, &notes::Doubts { differing: repeated.differing, strangers, crowded });
    let controls = (0..rules.sources.len()).map(|source| keyed.tally.sources.get(&source).map(|tally| tally.controls.totals()));
    let controls = controls.map(Option::unwrap_or_default).collect();
    let week = |source| keyed.tally.sources.get(&source).map(|tally| tally.week.clone()).unwrap_or_default();
    let volume = |source| keyed.tally.sources.get(&source).and_then(tally::SourceTally::volume);
    let name = |number: usize| keyed.operations.get(number).cloned().unwrap_or_default();
    let mut frequencies = keyed.tally.frequencies.clone();
    if let Some(recall) = recall {
        frequencies.merge(&recall.frequencies);
    }
    let shown = |source: usize| {
        let columns = keyed.tally.sources.get(&source).map(|tally| tally.columns).unwrap_or_default();
        let before = recalled(source).shown;
        ShownByColumns {
            day_first: columns.order.day_first || before.day_first,
            month_first: columns.order.month_first || before.month_first,
            decimal_dot: columns.mark.dot || before.decimal_dot,
            decimal_comma: columns.mark.comma || before.decimal_comma,
        }
    };
    let shown = (0..rules.sources.len()).map(shown).collect();
    let contents = keyed.inputs.iter().map(|(facts, _)| facts.sha256.clone()).collect();
    let late = (0..rules.sources.len()).map(|source| repeated.night.late.get(&source).copied().unwrap_or_default()).collect();
    let gathered = Gathered {
        controls,
        frequencies: frequencies.clone(),
        operations: named(keyed.tally.operations.iter().enumerate().map(|(number, tally)| (name(number), *tally))),
        idempotent_groups: counted_idempotent.iter().map(|(number, groups)| (name(usize::from(*number)), *groups)).collect(),
        weeks: (0..rules.sources.len()).map(week).collect(),
        volumes: (0..rules.sources.len()).map(volume).collect(),
        rejects: rejects(&mut keyed, inputs),
        notes,
        inputs: gathered_inputs(&mut keyed, inputs),
    };
    let trace = recall.map(|_| Trace {
        blocks: keyed.blocks,
        contents,
        conventions,
        depth: options.depth,
        unneeded: repeated.night.unneeded,
        groups: traces,
        horizons,
        identities: repeated.night.identities,
        late,
        ranges,
        latest,
        shown,
        frequencies,
    });
    Ok((gathered, trace))
}

/// An attempt and its proofs, when the horizon runs through them: a proof without its attempt would be taken for that of another.
fn straddling(
    rules: &Rules,
    horizons: &[Option<Horizon>],
    proof: usize,
    run: &[Row],
    attempt: Place,
    proofs: &[Place],
) -> Option<GroupTrace> {
    let proof = rules.proofs.get(proof)?;
    let held = horizons.get(proof.of).copied().flatten()?.held;
    let records: Vec<(Place, usize, i64)> = run
        .iter()
        .filter(|row| row.place == attempt || proofs.contains(&row.place))
        .map(|row| (row.place, if row.place == attempt { proof.of } else { proof.source }, row.time))
        .collect();
    let (first, last) = (records.iter().map(|record| record.2).min()?, records.iter().map(|record| record.2).max()?);
    (first < held && last >= held).then(|| GroupTrace::of_proofs(records.into_iter()))
}

/// What a scan is made of.
#[derive(Clone, Copy)]
struct Scan<'a> {
    inputs: &'a [OpenInput],
    rules: &'a Rules,
    options: &'a Options,
    budget: &'a Arc<Budget>,
    progress: &'a dyn Progress,
    /// Of earlier nights.
    recall: Option<&'a Recall<'a>>,
}

/// A scan after its first pass.
struct Stage<'a> {
    scan: &'a Scan<'a>,
    stores: &'a Stores<'a>,
    keyed: &'a Keyed,
    dropped: &'a RecordSet,
    second: &'a SecondVisit<'a>,
    /// Of all events of each source, on earlier nights, too.
    ranges: &'a [Option<(i64, i64)>],
    /// Of each source, on a night.
    horizons: &'a [Option<Horizon>],
}

/// The attempts in windows of one reach.
struct Cut {
    candidates: Vec<Candidate>,
    counted_idempotent: BTreeMap<u16, u64>,
    /// On a night: attempts and proofs that the horizon runs through, and the groups.
    traces: Vec<GroupTrace>,
    /// Reversals of which the named effect is not among the records; on a night, new ones.
    strangers: u64,
    /// Reversals that were not set against the effect that they name, because too many others are.
    crowded: u64,
}

impl Stage<'_> {
    /// Groups the attempts in windows of one reach, and hands the groups to `each`, which tells what of them a night traces. None where more
    /// than `most` records would have to be read.
    fn cut(
        &self,
        reach: Reach,
        rows: Rows,
        raw_text: RawText,
        most: usize,
        each: &(impl Fn(Vec<PlacedGroup>) -> Result<Vec<GroupTrace>, EngineError> + Sync),
    ) -> Result<Option<Cut>, EngineError> {
        let Self { scan: Scan { rules, options, budget, recall, .. }, stores, keyed, dropped, second, ranges, horizons } = self;
        let grouped = grouping::group_all(&stores.groups, keyed, dropped, rules, options.depth, reach, rows)?;
        let candidates = components::join(grouped.candidates);
        let records = candidates.iter().map(|candidate| candidate.places.len()).sum();
        if records > most {
            return Ok(None);
        }
        let mut known = RecordSet::default();
        let mut places: Vec<Place> = Vec::with_capacity(records);
        candidates.iter().for_each(|candidate| places.extend_from_slice(&candidate.places));
        places.iter().for_each(|place| known.insert(*place));
        let mut traces: Vec<GroupTrace> = Vec::new();
        let ties = links::find(&stores.links, &keyed.blocks, dropped, &known, &mut |proof, run, attempt, proofs| {
            if recall.is_some() {
                traces.extend(straddling(rules, horizons, proof, run, attempt, proofs));
            }
        })?;
        let (strangers, crowded) = (ties.strangers, ties.crowded);
        places.extend(ties.places());
        places.sort_unstable();
        places.dedup();
        let details = Details::read(places, second, raw_text, Spool::new(budget))?;
        let assembly = assemble::Assembly { rules, details: &details, second, ties: &ties, reach, ranges: ranges.to_vec() };
        traces.extend(assembly.groups(&candidates, each)?.into_iter().flatten());
        Ok(Some(Cut { candidates, counted_idempotent: grouped.counted_idempotent, traces, strangers, crowded }))
    }
}

fn groups_of(placed: Vec<PlacedGroup>) -> Vec<Group> {
    placed.into_iter().map(|(group, _)| group).collect()
}

fn named(tallies: impl Iterator<Item = (String, OperationTally)>) -> BTreeMap<String, OperationTally> {
    tallies.filter(|(_, tally)| tally.attempts > 0).collect()
}

/// Rejected records with their final numbers.
fn rejects(keyed: &mut Keyed, inputs: &[OpenInput]) -> Vec<Rejected> {
    let mut rejects = std::mem::take(&mut keyed.tally.rejects);
    for reject in &mut rejects {
        reject.at.place = keyed.blocks.ranked(reject.at.place);
    }
    rejects.sort_unstable_by_key(|reject| reject.at.place);
    let rejected = rejects.into_iter().filter_map(|reject| {
        let input = keyed.blocks.block(reject.at.place)?.input as usize;
        let open = inputs.get(input)?;
        let (record, line) = reject.at.number_and_line(&keyed.blocks, open.input.first_line());
        Some(Rejected { source: open.source, file: input, record, line, reason: reject.message })
    });
    rejected.collect()
}

fn gathered_inputs(keyed: &mut Keyed, inputs: &[OpenInput]) -> Vec<GatheredInput> {
    let mut tallies = std::mem::take(&mut keyed.tally.inputs);
    let blocks = &keyed.blocks;
    let each = std::mem::take(&mut keyed.inputs).into_iter().enumerate().map(|(index, (facts, fault))| {
        let tally = tallies.remove(&index).unwrap_or_default();
        let place_of = |(kind, first): (&String, &tally::FirstReject)| {
            let at = tally::RejectedAt { place: blocks.ranked(first.at.place), ..first.at };
            (kind.clone(), at.number_and_line(blocks, inputs[index].input.first_line()))
        };
        let reject_places = tally.rejects.iter().map(place_of).collect();
        GatheredInput { facts, fault, tally, reject_places }
    });
    each.collect()
}
