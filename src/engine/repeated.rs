//! The same record again: overlapping exports and at-least-once streams, told apart from the same operation again.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::keyer::{Filled, Play, Work};
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Part, Place, RecordFacts, Row};
use super::second_visit::SecondVisit;
use super::tally::{OperationTally, SourceTally, Tally};
use crate::domain::frequency::Frequencies;
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
}

/// Finds the records to leave out, moves them from their count in the ledger to `repeated`, and takes them out of the counts of
/// operations.
pub fn find(store: &Partitions<'_>, blocks: &BlockTable, tally: &mut Tally) -> Result<Repeated, EngineError> {
    let mut places = RecordSet::default();
    let mut used = Vec::new();
    let mut differing = 0;
    for partition in 0..PARTITIONS {
        if store.rows_in(partition) == 0 {
            continue;
        }
        let mut rows = store.take(partition)?.concat();
        for row in &mut rows {
            row.place = blocks.ranked(row.place);
        }
        // Of records that are equal in all of it the first in the input stays.
        rows.sort_unstable_by_key(|row| (row.hash, row.time, row.extra, Reverse(row.place)));
        for run in rows.chunk_by_mut(|a, b| a.hash == b.hash).filter(|run| run.len() > 1) {
            let leave_out = match run[0].net {
                Net::RecordId => {
                    differing += run.windows(2).filter(|pair| content(&pair[0]) != content(&pair[1])).count() as u64;
                    // The newest state of the record counts: the last in time; its content breaks ties.
                    &run[..run.len() - 1]
                }
                _ => beyond_the_fullest(run, blocks),
            };
            for row in leave_out {
                places.insert(row.place);
                if row.part == Part::Used {
                    used.push(row.place);
                }
                take_out(row, blocks, tally);
            }
        }
    }
    used.sort_unstable();
    Ok(Repeated { places, used, differing })
}

/// Places that are visited at once; what they add up to is small, but their blocks are in memory meanwhile.
const AT_ONCE: usize = 100_000;

/// Takes repeated events also out of what was counted of their values: how common these are, and the doubts about them. That a record was
/// exported twice must not change a result.
pub fn retract(places: &[Place], second: &SecondVisit<'_>, tally: &mut Tally) -> Result<(), EngineError> {
    for places in places.chunks(AT_ONCE) {
        let counted = second.visit(places, |counted: &mut Counted, visited| {
            let mapped = visited.viewed.mapped;
            counted.frequencies.add(mapped.time.nanos, mapped.operation, mapped.actor, mapped.amount.as_ref());
            let source = counted.sources.entry(visited.source).or_default();
            source.count(mapped);
            source.not_json += u64::from(visited.viewed.derived.is_damaged);
            if mapped.kind.is_idempotent() || visited.rules.iter().any(|rule| rule.play(mapped) == Play::Attempt) {
                source.week.add(&mapped.time);
            }
            for rule in visited.rules.iter().filter(|rule| rule.play(mapped) == Play::Attempt) {
                let keyed = rule.hash(&visited.viewed, Play::Attempt, Net::Fingerprint, &mut counted.work);
                if keyed.is_some_and(|(_, filled)| filled == Filled::InPart) {
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

fn content(row: &Row) -> u64 {
    RecordFacts::unpack(row.extra).content
}

/// Equal records of several inputs: as many are real as the input with most of them holds. The rest is left out; two equal records of
/// one input are two records.
fn beyond_the_fullest<'r>(run: &'r mut [Row], blocks: &BlockTable) -> &'r [Row] {
    let input = |row: &Row| blocks.block(row.place).map_or(0, |block| block.input);
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

fn take_out(row: &Row, blocks: &BlockTable, tally: &mut Tally) {
    let Some(input) = blocks.block(row.place).and_then(|block| tally.inputs.get_mut(&(block.input as usize))) else {
        return;
    };
    let ledger = &mut input.ledger;
    ledger.repeated += 1;
    match row.part {
        Part::Rejected => ledger.rejected -= 1,
        Part::Ignored => ledger.ignored -= 1,
        _ => {
            ledger.used -= 1;
            let facts = RecordFacts::unpack(row.extra);
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
