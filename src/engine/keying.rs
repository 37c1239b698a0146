//! Pass one: readers feed blocks to workers, which turn every record into keyed rows and counts.

use super::blocks::{self, BlockFacts, BlockTable};
use super::mapping::Conventions;
use super::operation_names::OperationNames;
use super::options::Options;
use super::recall::Recall;
use super::row::MOST_BLOCKS;
use super::rule_sets::RuleSets;
use super::source_keyer::SourceKeyer;
use super::stores::Stores;
use super::tally::Tally;
use super::worker::{Worked, Worker};
use super::{EngineError, OpenInput, Progress};
use crate::domain::record::{Block, InputError, InputFacts};
use crate::rules::Rules;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks on their way from readers to workers, for each worker: enough to ride out an uneven pace, little memory.
const BLOCKS_IN_FLIGHT: usize = 2;

/// What pass one leaves behind besides rows.
pub struct Keyed {
    pub blocks: BlockTable,
    pub tally: Tally,
    /// For each input: what its reader says at the end, and its fault.
    pub inputs: Vec<(InputFacts, Option<InputError>)>,
    /// Names of the operations, by number.
    pub operations: Vec<String>,
    /// The rules that rows are for, by the number that rows have.
    pub rule_sets: Vec<Arc<[usize]>>,
}

/// Runs pass one.
pub fn key_all(
    inputs: &[OpenInput],
    rules: &Rules,
    conventions: &[Conventions],
    options: &Options,
    stores: &Stores<'_>,
    recall: Option<&Recall<'_>>,
    progress: &dyn Progress,
) -> Result<Keyed, EngineError> {
    let keyers = SourceKeyer::all(rules, conventions, inputs, options.depth, recall);
    let taken: Mutex<Vec<BlockFacts>> = Mutex::default();
    let next_input = AtomicUsize::new(0);
    let (names, sets) = (OperationNames::default(), RuleSets::new(rules.rules.len()));
    let readers = options.threads.min(inputs.len()).max(1);
    let workers = options.threads.max(1);
    let (send, receive) = bounded::<(usize, Block)>(workers * BLOCKS_IN_FLIGHT);
    // The way back, for the memory of blocks that were worked through.
    let (spend, spent) = bounded::<String>(workers * BLOCKS_IN_FLIGHT);
    std::thread::scope(|scope| {
        let mut reading = Vec::new();
        for _ in 0..readers {
            let (send, spent, next_input) = (send.clone(), spent.clone(), &next_input);
            reading.push(scope.spawn(move || read_inputs(inputs, next_input, progress, &send, &spent)));
        }
        drop(send);
        // Workers are the threads of the pool, which will free the rows that they make.
        let done: Mutex<Vec<std::thread::Result<Result<Tally, EngineError>>>> = Mutex::default();
        rayon::scope(|pool| {
            for _ in 0..workers {
                let (receive, spend) = (receive.clone(), spend.clone());
                let (done, keyers, taken, names, sets) = (&done, &keyers, &taken, &names, &sets);
                pool.spawn(move |_| {
                    let work = AssertUnwindSafe(|| {
                        let worker = Worker::new(stores, names, sets, options.most_rejects);
                        key_blocks(worker, keyers, inputs, taken, progress, &receive, &spend)
                    });
                    let part = catch_unwind(work);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(part);
                });
            }
            drop(receive);
        });
        let mut tally = Tally::default();
        let mut trouble = None;
        for part in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match joined(part) {
                Ok(Ok(part)) => tally.merge(part),
                Ok(Err(error)) | Err(error) => trouble = Some(error),
            }
        }
        let mut facts = vec![(InputFacts::default(), None); inputs.len()];
        for thread in reading {
            for (input, fact, fault) in joined(thread.join())? {
                facts[input] = (fact, fault);
            }
        }
        match trouble {
            Some(error) => Err(error),
            None => {
                let taken = std::mem::take(&mut *taken.lock().unwrap_or_else(PoisonError::into_inner));
                let first = inputs.iter().map(|open| open.input.first_record() - 1).collect();
                Ok(Keyed {
                    blocks: BlockTable::new(taken, first),
                    tally,
                    inputs: facts,
                    operations: names.names(),
                    rule_sets: sets.sets(),
                })
            }
        }
    })
}

/// A thread that panicked is a defect of this program; it must not pass as a smaller result.
fn joined<T>(result: std::thread::Result<T>) -> Result<T, EngineError> {
    result.map_err(|_| EngineError::Defect("a worker thread stopped"))
}

/// Reads whole inputs, one after the other, until none is left.
fn read_inputs(
    inputs: &[OpenInput],
    next: &AtomicUsize,
    progress: &dyn Progress,
    send: &Sender<(usize, Block)>,
    spent: &Receiver<String>,
) -> Vec<(usize, InputFacts, Option<InputError>)> {
    let mut done = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(open) = inputs.get(index) else {
            return done;
        };
        let mut blocks = match open.input.blocks() {
            Ok(blocks) => blocks,
            Err(error) => {
                done.push((index, InputFacts::default(), Some(error)));
                continue;
            }
        };
        let mut read = 0;
        let fault = loop {
            spent.try_iter().for_each(|text| blocks.give_back(text));
            let next = blocks.next_block();
            let before = std::mem::replace(&mut read, blocks.stored_read());
            progress.read(read.saturating_sub(before));
            match next {
                Ok(Some(block)) => {
                    // The workers are gone only when one of them failed; its error is the one to tell.
                    if send.send((index, block)).is_err() {
                        return done;
                    }
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        done.push((index, blocks.facts(), fault));
    }
}

/// One worker: takes blocks until the readers are done.
fn key_blocks(
    mut worker: Worker<'_, '_>,
    keyers: &[SourceKeyer<'_>],
    inputs: &[OpenInput],
    taken: &Mutex<Vec<BlockFacts>>,
    progress: &dyn Progress,
    receive: &Receiver<(usize, Block)>,
    spend: &Sender<String>,
) -> Result<Tally, EngineError> {
    let lock = || taken.lock().unwrap_or_else(PoisonError::into_inner);
    for (input, block) in receive {
        let (length, digest) = (block.text.len(), blocks::digest(&block));
        let number = {
            let mut taken = lock();
            taken.push(BlockFacts {
                input: input as u32,
                offset: block.offset,
                length: length as u32,
                records: 0,
                lines: 0,
                latest: None,
                digest,
            });
            taken.len() - 1
        };
        if number >= MOST_BLOCKS {
            return Err(EngineError::TooLarge);
        }
        let open = &inputs[input];
        let Worked { records, lines, latest } = worker.block(&keyers[open.source], open, input, number, &block)?;
        if let Some(facts) = lock().get_mut(number) {
            (facts.records, facts.lines, facts.latest) = (records, lines, latest);
        }
        progress.worked(u64::from(records));
        // Full, or nobody reads any more: then the memory is simply freed.
        let _ = spend.try_send(block.text);
    }
    worker.finish()
}
