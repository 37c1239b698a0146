//! The same record again: overlapping exports and at-least-once streams, told apart from the same operation again.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Part, RecordFacts, Row};
use super::tally::{OperationTally, Tally};

/// Finds the records to leave out, moves them from their count in the ledger to `repeated`, and takes them out of the other counts.
/// Returns them by ranked place, and how many of them share an id but not the text.
pub fn find(store: &Partitions<'_>, blocks: &BlockTable, tally: &mut Tally) -> Result<(RecordSet, u64), EngineError> {
    let mut dropped = RecordSet::default();
    let mut differing = 0;
    for partition in 0..PARTITIONS {
        if store.rows_in(partition) == 0 {
            continue;
        }
        let mut rows = store.load(partition)?;
        store.release(partition);
        for row in &mut rows {
            row.place = blocks.ranked(row.place);
        }
        rows.sort_unstable_by_key(|row| (row.hash, row.time, row.extra, row.place));
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
                dropped.insert(row.place);
                take_out(row, blocks, tally);
            }
        }
    }
    Ok((dropped, differing))
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
