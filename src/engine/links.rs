//! Which proofs and which named reversals speak about which attempts.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Part, Place, Row};
use crate::domain::group::LinkKind;
use std::collections::BTreeMap;

/// A record that speaks about an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    pub place: Place,
    pub kind: TieKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TieKind {
    /// With the index of the proof.
    Proof(u16),
    Reversal,
}

impl TieKind {
    pub fn link(self) -> LinkKind {
        match self {
            Self::Proof(_) => LinkKind::Proof,
            Self::Reversal => LinkKind::Reversal,
        }
    }
}

/// Ties by the attempt they speak about.
pub type Ties = BTreeMap<Place, Vec<Tie>>;

/// Finds the ties of all attempts that are `known` candidates, and of attempts that become candidates because several proofs speak of
/// one alone.
pub fn find(store: &Partitions<'_>, blocks: &BlockTable, dropped: &RecordSet, known: &RecordSet) -> Result<Ties, EngineError> {
    let mut ties = Ties::new();
    each_run(store, blocks, dropped, Net::Proof, |run| {
        for (attempt, proofs) in share_out(run) {
            if proofs.len() > 1 || known.contains(attempt) {
                let kind = TieKind::Proof(run[0].index);
                ties.entry(attempt).or_default().extend(proofs.into_iter().map(|place| Tie { place, kind }));
            }
        }
    })?;
    // A reversal may name the effect as an attempt or as its proof knows it.
    let mut speaks_of: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (attempt, proofs) in &ties {
        for tie in proofs {
            speaks_of.entry(tie.place).or_default().push(*attempt);
        }
    }
    let mut reversals: Vec<(Place, Tie)> = Vec::new();
    each_run(store, blocks, dropped, Net::EffectId, |run| {
        let undoing = run.iter().filter(|row| row.part == Part::Reversal);
        for undoing in undoing {
            let tie = Tie { place: undoing.place, kind: TieKind::Reversal };
            for row in run.iter().filter(|row| row.part != Part::Reversal) {
                if known.contains(row.place) || ties.contains_key(&row.place) {
                    reversals.push((row.place, tie));
                }
                for attempt in speaks_of.get(&row.place).into_iter().flatten() {
                    reversals.push((*attempt, tie));
                }
            }
        }
    })?;
    for (attempt, tie) in reversals {
        ties.entry(attempt).or_default().push(tie);
    }
    for ties in ties.values_mut() {
        ties.sort_unstable();
        ties.dedup();
    }
    Ok(ties)
}

fn each_run(
    store: &Partitions<'_>,
    blocks: &BlockTable,
    dropped: &RecordSet,
    net: Net,
    mut each: impl FnMut(&[Row]),
) -> Result<(), EngineError> {
    for partition in 0..PARTITIONS {
        if store.rows_in(partition) == 0 {
            continue;
        }
        let mut rows = store.load(partition)?;
        rows.retain(|row| row.net == net);
        for row in &mut rows {
            row.place = blocks.ranked(row.place);
        }
        rows.retain(|row| !dropped.contains(row.place));
        rows.sort_unstable_by_key(|row| (row.hash, row.time, row.place));
        rows.chunk_by(|a, b| a.hash == b.hash).filter(|run| run.len() > 1).for_each(&mut each);
    }
    Ok(())
}

/// Shares the proofs of one run out to its attempts: each to the last attempt not later that still lacks a proof, else to the last not
/// later, else to the first. So payments of two weeks that share a customer stay apart, and two payments of one attempt come together.
fn share_out(run: &[Row]) -> Vec<(Place, Vec<Place>)> {
    let attempts: Vec<&Row> = run.iter().filter(|row| row.part.is_attempt()).collect();
    let mut shares: Vec<Vec<Place>> = vec![Vec::new(); attempts.len()];
    if attempts.is_empty() {
        return Vec::new();
    }
    // Attempts that may have an effect and wait for its proof, up to the time of the proof at hand.
    let mut waiting: Vec<usize> = Vec::new();
    let mut next = 0;
    for proof in run.iter().filter(|row| row.part == Part::Proof) {
        while next < attempts.len() && attempts[next].time <= proof.time {
            if attempts[next].part == Part::Attempt {
                waiting.push(next);
            }
            next += 1;
        }
        let chosen = waiting.pop().or_else(|| last_effective(&attempts[..next])).unwrap_or(0);
        shares[chosen].push(proof.place);
    }
    attempts.iter().map(|row| row.place).zip(shares).filter(|(_, proofs)| !proofs.is_empty()).collect()
}

fn last_effective(attempts: &[&Row]) -> Option<usize> {
    attempts.iter().rposition(|row| row.part == Part::Attempt).or(attempts.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rows: &[(i64, Part)]) -> Vec<Row> {
        let row = |(at, (time, part)): (usize, &(i64, Part))| Row {
            hash: 1,
            time: *time,
            place: Place::new(0, at as u32, 0),
            extra: 0,
            index: 0,
            net: Net::Proof,
            part: *part,
        };
        rows.iter().enumerate().map(row).collect()
    }

    fn shares(rows: &[(i64, Part)]) -> Vec<(u32, Vec<u32>)> {
        let numbers = |places: Vec<Place>| places.into_iter().map(Place::row).collect();
        share_out(&run(rows)).into_iter().map(|(attempt, proofs)| (attempt.row(), numbers(proofs))).collect()
    }

    #[test]
    fn proofs_are_shared_out() {
        use Part::{Attempt, Ineffective, Proof};
        assert_eq!(shares(&[(0, Attempt), (21, Proof), (65, Attempt), (67, Proof)]), [(0, vec![1]), (2, vec![3])]);
        assert_eq!(shares(&[(0, Attempt), (5, Proof), (6, Proof)]), [(0, vec![1, 2])], "one attempt, two payments");
        assert_eq!(
            shares(&[(0, Attempt), (100, Attempt), (300, Proof), (301, Proof)]),
            [(0, vec![3]), (1, vec![2])],
            "settled late"
        );
        assert_eq!(
            shares(&[(0, Ineffective), (100, Attempt), (101, Proof), (102, Proof)]),
            [(1, vec![2, 3])],
            "a failure expects none"
        );
        assert_eq!(shares(&[(0, Proof), (9, Attempt)]), [(1, vec![0])], "the provider's clock is ahead");
        assert_eq!(shares(&[(0, Proof)]), []);
    }
}
