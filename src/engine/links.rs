//! Which proofs and which named reversals speak about which attempts.

use super::EngineError;
use super::blocks::{BlockTable, RecordSet};
use super::partitions::{PARTITIONS, Partitions};
use super::row::{Net, Part, Place, Row};
use std::collections::{BTreeMap, BTreeSet};

/// A record that proves an effect of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProofTie {
    attempt: Place,
    pub place: Place,
    /// Index of the proof.
    pub proof: usize,
}

/// Reversals that one effect may have in each of many groups. An effect that more reversals name, and more attempts had, has a name that
/// says nothing ("0"): to set each of them against each of the others would take forever.
const MOST_SHARED: usize = 16;

/// Which records speak about which attempts.
#[derive(Debug, Default)]
pub struct Ties {
    /// Ascending.
    proofs: Vec<ProofTie>,
    /// Reversals by the effect that they name. Attempts share these lists: where thousands of refunds name one effect that thousands of
    /// attempts returned, a list for each attempt would be millions of ties.
    undoing: Lists,
    /// Attempts with the lists of `undoing` that speak about them, ascending.
    undone: Vec<(Place, u32)>,
    /// Reversals that name an effect which no record is known to have had; of carried ones an earlier night has told.
    pub strangers: u64,
    /// Reversals that are beyond what is set against an effect of that name.
    pub crowded: u64,
}

/// Lists of places, one behind the other.
#[derive(Debug, Default)]
struct Lists {
    places: Vec<Place>,
    ends: Vec<usize>,
}

impl Lists {
    /// Adds a list, and gives its number.
    fn push(&mut self, list: &[Place]) -> usize {
        self.places.extend(list);
        self.ends.push(self.places.len());
        self.ends.len() - 1
    }

    fn list(&self, number: usize) -> &[Place] {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[begin..self.ends[number]]
    }
}

/// The part of a sorted list whose keys are this one.
fn of_key<T, K: Ord>(sorted: &[T], key: impl Fn(&T) -> K, wanted: K) -> &[T] {
    let from = sorted.partition_point(|one| key(one) < wanted);
    let count = sorted[from..].iter().take_while(|one| key(one) == wanted).count();
    &sorted[from..from + count]
}

impl Ties {
    /// True when no record speaks about another.
    pub fn is_empty(&self) -> bool {
        self.proofs.is_empty() && self.undone.is_empty()
    }

    /// Notes that these reversals speak about these attempts.
    fn tie(&mut self, attempts: Vec<Place>, undoing: &[Place]) {
        let list = self.undoing.push(undoing) as u32;
        self.undone.extend(attempts.into_iter().map(|attempt| (attempt, list)));
    }

    /// Attempts that have proofs, in the order of places.
    pub fn proven(&self) -> impl Iterator<Item = (Place, &[ProofTie])> {
        self.proofs.chunk_by(|one, other| one.attempt == other.attempt).map(|ties| (ties[0].attempt, ties))
    }

    pub fn proofs_of(&self, attempt: Place) -> &[ProofTie] {
        of_key(&self.proofs, |tie| tie.attempt, attempt)
    }

    /// The reversals that speak about any of these attempts, each once for each effect that it names.
    pub fn reversals_of(&self, attempts: impl Iterator<Item = Place>) -> impl Iterator<Item = Place> {
        let ties = attempts.flat_map(|attempt| of_key(&self.undone, |tie| tie.0, attempt));
        let lists: BTreeSet<u32> = ties.map(|(_, list)| *list).collect();
        lists.into_iter().flat_map(|list| self.undoing.list(list as usize)).copied()
    }

    /// Every record that is spoken about or speaks; some may come several times.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let proofs = self.proofs.iter().flat_map(|tie| [tie.attempt, tie.place]);
        proofs.chain(self.undone.iter().map(|(attempt, _)| *attempt)).chain(self.undoing.places.iter().copied())
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
        for (attempt, proofs) in share_out_by_kin(run) {
            each_share(run[0].index(), run, attempt, &proofs);
            if proofs.len() > 1 || known.contains(attempt) {
                let proof = run[0].index();
                ties.proofs.extend(proofs.into_iter().map(|place| ProofTie { attempt, place, proof }));
            }
        }
    })?;
    ties.proofs.sort_unstable();
    ties.proofs.dedup();
    // A reversal may name the effect as an attempt or as its proof knows it.
    let mut speaks_of: Vec<(Place, Place)> = ties.proofs.iter().map(|tie| (tie.place, tie.attempt)).collect();
    speaks_of.sort_unstable();
    each_run(store, blocks, dropped, Net::EffectId, |run| {
        let of_parts = |wanted: &[Part]| -> Vec<Place> {
            run.iter().filter(|row| wanted.contains(&row.part())).map(|row| row.place).collect()
        };
        let ended = of_parts(&[Part::EndedReversal]);
        if !ended.is_empty() {
            let reversals: Vec<Place> =
                of_parts(&[Part::NamedReversal]).into_iter().filter(|place| known.contains(*place)).collect();
            if !reversals.is_empty() {
                ties.tie(reversals, &ended[ended.len().saturating_sub(MOST_SHARED)..]);
            }
        }
        let speaks = [Part::Reversal, Part::EndedReversal];
        let is_spoken_of = |row: &&Row| !speaks.contains(&row.part()) && row.part() != Part::NamedReversal;
        let mut undoing = of_parts(&speaks);
        if !run.iter().any(|row| is_spoken_of(&row)) {
            let strangers = of_parts(&[Part::Reversal]);
            ties.strangers += strangers.iter().filter(|place| !blocks.is_carried(**place)).count() as u64;
            return;
        }
        if undoing.is_empty() {
            return;
        }
        let mut attempts = Vec::new();
        for row in run.iter().filter(is_spoken_of) {
            let is_tied = known.contains(row.place) || !ties.proofs_of(row.place).is_empty();
            attempts.extend(is_tied.then_some(row.place));
            attempts.extend(of_key(&speaks_of, |tie| tie.0, row.place).iter().map(|(_, attempt)| *attempt));
        }
        if attempts.is_empty() {
            return;
        }
        if attempts.len() > MOST_SHARED {
            ties.crowded += undoing.len().saturating_sub(MOST_SHARED) as u64;
            undoing.truncate(MOST_SHARED);
        }
        ties.tie(attempts, &undoing);
    })?;
    ties.undone.sort_unstable();
    ties.undone.dedup();
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

/// As [`share_out`], what undoes something apart from what does it.
fn share_out_by_kin(run: &[Row]) -> Vec<(Place, Vec<Place>)> {
    match run.iter().any(|row| row.kin() != run[0].kin()) {
        false => share_out(run),
        true => {
            let mut parts: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
            run.iter().for_each(|row| parts.entry(row.kin()).or_default().push(*row));
            parts.values().flat_map(|part| share_out(part)).collect()
        }
    }
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
    let mut last_effective = None;
    let mut next = 0;
    for proof in run.iter().filter(|row| row.part() == Part::Proof) {
        while next < attempts.len() && attempts[next].time <= proof.time {
            if attempts[next].part() == Part::Attempt {
                waiting.push(next);
                last_effective = Some(next);
            }
            next += 1;
        }
        let chosen = waiting.pop().or(last_effective).or(next.checked_sub(1)).unwrap_or(0);
        shares[chosen].push(proof.place);
    }
    attempts.iter().map(|row| row.place).zip(shares).filter(|(_, proofs)| !proofs.is_empty()).collect()
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

    /// A payment, its refund, and what the provider tells of both and of a second refund.
    #[test]
    fn refunds_prove_refunds_and_no_payments() {
        use Part::{Attempt, Proof};
        let rows = [(0, Attempt, 0), (1, Proof, 0), (5, Attempt, 1), (6, Proof, 1), (7, Proof, 1)];
        let tag = |part, kin| Tag { net: Net::Proof, index: 0, part, kin };
        let row = |(at, (time, part, kin)): (usize, &(i64, Part, u32))| {
            Row::new(1, tag(*part, *kin), *time, Place::new(0, at as u32, 0))
        };
        let run: Vec<Row> = rows.iter().enumerate().map(row).collect();
        let numbers = |run: &[Row]| -> Vec<(u32, Vec<u32>)> {
            let shares = share_out_by_kin(run).into_iter();
            shares.map(|(attempt, proofs)| (attempt.row(), proofs.into_iter().map(Place::row).collect())).collect()
        };
        assert_eq!(numbers(&run), [(0, vec![1]), (2, vec![3, 4])]);
        assert_eq!(numbers(&[&run[..2], &run[3..]].concat()), [(0, vec![1])], "refunds alone tell of no payment");
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
