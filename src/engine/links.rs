//! Which proofs and which named reversals speak about which attempts.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Part, Place, Row};
use std::collections::{BTreeMap, BTreeSet};

/// A record that proves an effect of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProofTie {
    pub place: Place,
    /// Index of the proof.
    pub proof: usize,
}

/// Which records speak about which attempts.
#[derive(Debug, Default)]
pub struct Ties {
    proofs: BTreeMap<Place, Vec<ProofTie>>,
    /// Reversals by the effect that they name. Attempts share these lists: where thousands of refunds name one effect that thousands of
    /// attempts returned (an id that is always "0"), a list for each attempt would be millions of ties.
    undoing: Vec<Vec<Place>>,
    /// For each attempt, the lists of `undoing` that speak about it.
    undone: BTreeMap<Place, BTreeSet<usize>>,
    /// Reversals that name an effect which no record is known to have had; of carried ones an earlier night has told.
    pub strangers: u64,
}

impl Ties {
    /// True when no record speaks about another.
    pub fn is_empty(&self) -> bool {
        self.proofs.is_empty() && self.undone.is_empty()
    }

    /// Attempts that have proofs, in the order of places.
    pub fn proven(&self) -> impl Iterator<Item = (Place, &[ProofTie])> {
        self.proofs.iter().map(|(attempt, proofs)| (*attempt, proofs.as_slice()))
    }

    pub fn proofs_of(&self, attempt: Place) -> &[ProofTie] {
        self.proofs.get(&attempt).map(Vec::as_slice).unwrap_or_default()
    }

    /// The reversals that speak about any of these attempts, each once for each effect that it names.
    pub fn reversals_of(&self, attempts: impl Iterator<Item = Place>) -> impl Iterator<Item = Place> {
        let lists: BTreeSet<usize> = attempts.filter_map(|attempt| self.undone.get(&attempt)).flatten().copied().collect();
        lists.into_iter().filter_map(|list| self.undoing.get(list)).flatten().copied()
    }

    /// Every record that is spoken about or speaks; some may come several times.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let spoken_about = self.proofs.keys().chain(self.undone.keys());
        let proofs = self.proofs.values().flatten().map(|tie| &tie.place);
        spoken_about.chain(proofs).chain(self.undoing.iter().flatten()).copied()
    }
}

/// Told of an attempt that has proofs: index of the proof, the run that it stands in, the attempt, its proofs.
pub type EachShare<'e> = &'e mut dyn FnMut(usize, &[Row], Place, &[Place]);

/// Finds the ties of all attempts that are `known` candidates, and of attempts that become candidates because several proofs speak of
/// one alone. `each_share` is told of every attempt that has proofs.
pub fn find(
    store: &Partitions<'_, Row>,
    blocks: &BlockTable,
    dropped: &RecordSet,
    known: &RecordSet,
    each_share: EachShare<'_>,
) -> Result<Ties, EngineError> {
    let mut ties = Ties::default();
    each_run(store, blocks, dropped, Net::Proof, |run| {
        if run.len() < 2 {
            return;
        }
        for (attempt, proofs) in share_out(run) {
            each_share(run[0].index(), run, attempt, &proofs);
            if proofs.len() > 1 || known.contains(attempt) {
                let proof = run[0].index();
                ties.proofs.entry(attempt).or_default().extend(proofs.into_iter().map(|place| ProofTie { place, proof }));
            }
        }
    })?;
    for proofs in ties.proofs.values_mut() {
        proofs.sort_unstable();
        proofs.dedup();
    }
    // A reversal may name the effect as an attempt or as its proof knows it.
    let mut speaks_of: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (attempt, proofs) in &ties.proofs {
        for tie in proofs {
            speaks_of.entry(tie.place).or_default().push(*attempt);
        }
    }
    each_run(store, blocks, dropped, Net::EffectId, |run| {
        let undoing: Vec<Place> = run.iter().filter(|row| row.part() == Part::Reversal).map(|row| row.place).collect();
        if undoing.len() == run.len() {
            ties.strangers += undoing.iter().filter(|place| !blocks.is_carried(**place)).count() as u64;
        }
        if undoing.is_empty() || undoing.len() == run.len() {
            return;
        }
        let list = ties.undoing.len();
        let mut wanted = false;
        for row in run.iter().filter(|row| row.part() != Part::Reversal) {
            let itself = (known.contains(row.place) || ties.proofs.contains_key(&row.place)).then_some(&row.place);
            for attempt in itself.into_iter().chain(speaks_of.get(&row.place).into_iter().flatten()) {
                ties.undone.entry(*attempt).or_default().insert(list);
                wanted = true;
            }
        }
        if wanted {
            ties.undoing.push(undoing);
        }
    })?;
    Ok(ties)
}

fn each_run(
    store: &Partitions<'_, Row>,
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
        rows.retain(|row| row.net() == net);
        for row in &mut rows {
            row.place = blocks.ranked(row.place);
        }
        rows.retain(|row| !dropped.contains(row.place));
        rows.sort_unstable_by_key(|row| (row.key(), row.time, row.place));
        rows.chunk_by(|a, b| a.key() == b.key()).for_each(&mut each);
    }
    Ok(())
}

/// Shares the proofs of one run out to its attempts: each to the last attempt not later that still lacks a proof, else to the last not
/// later, else to the first. So payments of two weeks that share a customer stay apart, and two payments of one attempt come together.
fn share_out(run: &[Row]) -> Vec<(Place, Vec<Place>)> {
    let attempts: Vec<&Row> = run.iter().filter(|row| row.part().is_attempt()).collect();
    let mut shares: Vec<Vec<Place>> = vec![Vec::new(); attempts.len()];
    if attempts.is_empty() {
        return Vec::new();
    }
    // Attempts that may have an effect and wait for its proof, up to the time of the proof at hand.
    let mut waiting: Vec<usize> = Vec::new();
    let mut next = 0;
    for proof in run.iter().filter(|row| row.part() == Part::Proof) {
        while next < attempts.len() && attempts[next].time <= proof.time {
            if attempts[next].part() == Part::Attempt {
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
    attempts.iter().rposition(|row| row.part() == Part::Attempt).or(attempts.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::row::Tag;

    fn run(rows: &[(i64, Part)]) -> Vec<Row> {
        let tag = |part| Tag { net: Net::Proof, index: 0, part, kin: 0 };
        let row = |(at, (time, part)): (usize, &(i64, Part))| Row::new(1, tag(*part), *time, Place::new(0, at as u32, 0));
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
