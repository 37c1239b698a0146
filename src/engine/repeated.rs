//! The same record again: overlapping exports and at-least-once streams, told apart from the same operation again.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::horizon::Horizon;
use super::keyer::{Filled, Play, Work};
use super::partitions::{PARTITIONS, Partitions};
use super::recall::Recall;
use super::row::{Fate, KnownBy, Place, RecordFacts, RecordRow};
use super::second_visit::SecondVisit;
use super::tally::{OperationTally, SourceTally, Tally};
use crate::domain::frequency::Frequencies;
use crate::domain::report::Ledger;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Records that were read before.
#[derive(Debug, Default)]
pub struct Repeated {
    /// Ranked.
    pub places: RecordSet,
    /// Those that had become events; ascending.
    pub used: Vec<Place>,
    /// Those that came again under the same id with another text.
    pub differing: u64,
    /// What only a night asks for.
    pub night: NightOfRecords,
}

/// Finds the records to leave out, moves them from their count in the ledger to `repeated`, and takes them out of the counts of
/// operations.
///
/// With a `view` of earlier nights, records that they saw are repeated, too.
pub fn find(
    store: &Partitions<'_, RecordRow>,
    blocks: &BlockTable,
    tally: &mut Tally,
    view: Option<&View<'_>>,
) -> Result<Repeated, EngineError> {
    let mut places = RecordSet::default();
    let mut used = Vec::new();
    let mut differing = 0;
    let mut night = NightOfRecords::default();
    for partition in 0..PARTITIONS {
        if store.rows_in(partition) == 0 {
            continue;
        }
        let mut rows = store.take(partition)?.concat();
        for row in &mut rows {
            row.place = blocks.ranked(row.place);
        }
        // Of records that are equal in all of it the first in the input stays.
        rows.sort_unstable_by_key(|row| (row.hash, row.time, row.facts, Reverse(row.place)));
        if let Some(view) = view {
            for run in rows.chunk_by_mut(|a, b| a.hash == b.hash) {
                let found = night_run(run, blocks, view, &mut night);
                differing += found.differing;
                found.left_out.into_iter().for_each(|place| places.insert(place));
                for row in found.counted_out {
                    if row.fate == Fate::Used {
                        used.push(row.place);
                    }
                    take_out(&row, blocks, tally);
                }
            }
            continue;
        }
        for run in rows.chunk_by_mut(|a, b| a.hash == b.hash).filter(|run| run.len() > 1) {
            let leave_out = match run[0].known_by {
                KnownBy::Id => {
                    differing += run.windows(2).filter(|pair| content(&pair[0]) != content(&pair[1])).count() as u64;
                    // The newest state of the record counts: the last in time; its content breaks ties.
                    &run[..run.len() - 1]
                }
                KnownBy::Text => beyond_the_fullest(run, blocks),
            };
            for row in leave_out {
                places.insert(row.place);
                if row.fate == Fate::Used {
                    used.push(row.place);
                }
                take_out(row, blocks, tally);
            }
        }
    }
    used.sort_unstable();
    Ok(Repeated { places, used, differing, night })
}

/// Places that are visited at once; what they add up to is small, but their blocks are in memory meanwhile.
const AT_ONCE: usize = 100_000;

/// Takes repeated events also out of what was counted of their values: how common these are, and the doubts about them. That a record was
/// exported twice must not change a result.
pub fn retract(places: &[Place], second: &SecondVisit<'_>, tally: &mut Tally) -> Result<(), EngineError> {
    for places in places.chunks(AT_ONCE) {
        let counted = second.visit(places, |counted: &mut Counted, visited| {
            let mapped = visited.viewed.mapped;
            if visited.is_carried {
                // Of these only the hours were counted.
                if mapped.kind.is_idempotent() || visited.rules.iter().any(|rule| rule.play(mapped) == Play::Attempt) {
                    counted.sources.entry(visited.source).or_default().week.add(&mapped.time);
                }
                return;
            }
            counted.frequencies.add(mapped.time.nanos, mapped.operation, mapped.actor, mapped.amount.as_ref());
            let source = counted.sources.entry(visited.source).or_default();
            source.count(mapped);
            source.not_json += u64::from(visited.viewed.derived.is_damaged);
            if mapped.kind.is_idempotent() || visited.rules.iter().any(|rule| rule.play(mapped) == Play::Attempt) {
                source.week.add(&mapped.time);
            }
            for rule in visited.rules.iter().filter(|rule| rule.play(mapped) == Play::Attempt) {
                if rule.filled(&visited.viewed, Play::Attempt, &mut counted.work) == Some(Filled::InPart) {
                    *source.partial.entry(rule.index).or_default() += 1;
                }
            }
        })?;
        for Counted { frequencies, sources, .. } in counted {
            tally.frequencies.subtract(&frequencies);
            for (source, part) in sources {
                if let Some(whole) = tally.sources.get_mut(&source) {
                    whole.subtract(&part);
                }
            }
        }
    }
    Ok(())
}

/// What some records added to the tally.
#[derive(Default)]
struct Counted {
    frequencies: Frequencies,
    sources: BTreeMap<usize, SourceTally>,
    work: Work,
}

fn content(row: &RecordRow) -> u64 {
    RecordFacts::unpack(row.facts).content
}

/// Equal records of several inputs: as many are real as the input with most of them holds. The rest is left out; two equal records of
/// one input are two records.
fn beyond_the_fullest<'r>(run: &'r mut [RecordRow], blocks: &BlockTable) -> &'r [RecordRow] {
    let input = |row: &RecordRow| blocks.block(row.place).map_or(0, |block| block.input);
    run.sort_unstable_by_key(|row| row.place);
    let mut fullest = 0..0;
    let mut from = 0;
    for part in run.chunk_by(|a, b| input(a) == input(b)) {
        if part.len() > fullest.len() {
            fullest = from..from + part.len();
        }
        from += part.len();
    }
    run[..fullest.end].rotate_left(fullest.start);
    &run[fullest.len()..]
}

fn take_out(row: &RecordRow, blocks: &BlockTable, tally: &mut Tally) {
    let Some(input) = blocks.block(row.place).and_then(|block| tally.inputs.get_mut(&(block.input as usize))) else {
        return;
    };
    let mut of_carried = Ledger { read: 1, used: 1, ignored: 1, rejected: 1, repeated: 0 };
    // Records of earlier nights are in no ledger of tonight.
    let ledger = if blocks.is_carried(row.place) { &mut of_carried } else { &mut input.ledger };
    ledger.repeated += 1;
    match row.fate {
        Fate::Rejected => ledger.rejected -= 1,
        Fate::Ignored => ledger.ignored -= 1,
        _ => {
            ledger.used -= 1;
            let facts = RecordFacts::unpack(row.facts);
            if !facts.is_attempt {
                return;
            }
            if let Some(operation) = tally.operations.get_mut(usize::from(facts.operation)) {
                let with_key = operation.with_key.saturating_sub(u64::from(facts.has_key));
                *operation = OperationTally { attempts: operation.attempts.saturating_sub(1), with_key };
            }
        }
    }
}

/// What earlier nights say of records.
pub struct View<'v> {
    pub recall: &'v Recall<'v>,
    /// By source, as they were before tonight; None where there was no earlier night.
    pub told_from: Vec<Option<i64>>,
    /// By source, as they are tonight.
    pub horizons: &'v [Option<Horizon>],
}

/// A record by which others are known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Index of the source.
    pub source: usize,
    /// Nanoseconds since 1970.
    pub nanos: i64,
    pub hash: u128,
    /// How often one input holds it.
    pub count: u64,
}

/// What a night learns of records.
#[derive(Debug, Default)]
pub struct NightOfRecords {
    /// Repeated records that no later night has to know of.
    pub unneeded: RecordSet,
    pub identities: Vec<Identity>,
    /// New records by source that came later than anything could wait for.
    pub late: BTreeMap<usize, u64>,
}

/// What becomes of the records of one identity.
#[derive(Default)]
struct NightRun {
    /// Not looked at further.
    left_out: Vec<Place>,
    /// Taken out of what tonight counted.
    counted_out: Vec<RecordRow>,
    differing: u64,
}

/// As on one night, but carried records were counted before, and so were records that were seen: all of them are repeated that are not
/// more than there were.
fn night_run(run: &mut [RecordRow], blocks: &BlockTable, view: &View<'_>, night: &mut NightOfRecords) -> NightRun {
    let Some(first) = run.first().copied() else { return NightRun::default() };
    let by_id = first.known_by == KnownBy::Id;
    let source = usize::from(first.source);
    let is_carried = |row: &RecordRow| blocks.is_carried(row.place);
    let mut found = NightRun::default();
    if by_id {
        found.differing = run.windows(2).filter(|pair| content(&pair[0]) != content(&pair[1])).count() as u64;
    }
    let fullest_carried = if by_id { usize::from(run.iter().any(is_carried)) } else { fullest_of_carried(run, blocks) };
    // The newest state of a record with an id counts; of equal texts as many as one input holds.
    let newest = [run[run.len() - 1]];
    let (left_out, kept): (Vec<RecordRow>, Vec<RecordRow>) = if by_id {
        (run[..run.len() - 1].to_vec(), newest.to_vec())
    } else {
        let left_out = beyond_the_fullest(run, blocks).to_vec();
        let kept = run[..run.len() - left_out.len()].to_vec();
        (left_out, kept)
    };
    let timed = view.horizons.get(source).copied().flatten().is_some() && run.iter().any(|row| row.fate == Fate::Used);
    let was_seen = |row: &RecordRow| usize::try_from((view.recall.seen)(source, row.time, row.hash)).unwrap_or(usize::MAX);
    let (before, new) = if fullest_carried > 0 || !timed {
        (fullest_carried, kept.len().saturating_sub(fullest_carried))
    } else {
        let seen = run.iter().map(was_seen).max().unwrap_or(0);
        let before = if by_id { seen.min(1) } else { seen };
        (before, kept.len().saturating_sub(before))
    };
    // An earlier night has noted those that are carried.
    if timed && !kept.iter().all(is_carried) {
        night.identities.push(Identity { source, nanos: kept[0].time, hash: first.hash, count: kept.len() as u64 });
    }
    found.left_out = left_out.iter().map(|row| row.place).collect();
    let mut surplus: Vec<RecordRow> = Vec::new();
    if fullest_carried == 0 {
        // Those of earlier nights are not here: fewer of tonight's are left.
        surplus = kept.iter().take(kept.len() - new).copied().collect();
        found.left_out.extend(surplus.iter().map(|row| row.place));
        found.counted_out.extend(left_out.iter().chain(&surplus));
    } else {
        let (carried_out, new_out): (Vec<RecordRow>, Vec<RecordRow>) = left_out.iter().partition(|row| is_carried(row));
        let kept_carried = kept.iter().filter(|row| is_carried(row)).count();
        // Where tonight's stand in for carried ones, those were counted already and these are repeated.
        let stand_in = fullest_carried.saturating_sub(kept_carried);
        found.counted_out.extend(new_out);
        found.counted_out.extend(kept.iter().filter(|row| !is_carried(row)).take(stand_in));
        found.counted_out.extend(carried_out.iter().skip(stand_in));
    }
    if by_id || (timed && before > 0 && fullest_carried == 0) {
        left_out.iter().chain(&surplus).for_each(|row| night.unneeded.insert(row.place));
    }
    let is_late = |row: &&RecordRow| {
        row.fate == Fate::Used && view.told_from.get(source).copied().flatten().is_some_and(|from| row.time < from)
    };
    let late =
        kept.iter().filter(|row| !is_carried(row)).skip(kept.iter().filter(|row| !is_carried(row)).count() - new.min(kept.len()));
    *night.late.entry(source).or_default() += if timed { late.filter(is_late).count() as u64 } else { 0 };
    found
}

/// Carried records of one text: as many as the input with most of them holds.
fn fullest_of_carried(run: &mut [RecordRow], blocks: &BlockTable) -> usize {
    let input = |row: &RecordRow| blocks.block(row.place).map_or(0, |block| block.input);
    run.sort_unstable_by_key(|row| row.place);
    let parts = run.chunk_by(|a, b| input(a) == input(b));
    parts.map(|part| part.iter().filter(|row| blocks.is_carried(row.place)).count()).max().unwrap_or(0)
}
