//! Candidates of one rule that share a record are one: what a fingerprint and a request key each caught, together.

use super::grouping::Candidate;
use super::row::{Net, Place};

/// Joins connected candidates of attempts; other candidates stay as they are. Those that do not stand alone vanish unless something
/// joined them.
pub fn join(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_attempt = |candidate: &Candidate| matches!(candidate.net, Net::Fingerprint | Net::RequestKey);
    let mut attempts = candidates;
    let mut joined: Vec<Candidate> = attempts.extract_if(.., |candidate| !is_attempt(candidate)).collect();
    let records = attempts.iter().map(|candidate| candidate.places.len()).sum();
    let mut members: Vec<(usize, Place, usize)> = Vec::with_capacity(records);
    for (number, candidate) in attempts.iter().enumerate() {
        members.extend(candidate.places.iter().map(|place| (candidate.rule, *place, number)));
    }
    members.sort_unstable();
    let mut sets = DisjointSets::new(attempts.len());
    for pair in members.windows(2) {
        let ((rule, place, one), (other_rule, other_place, other)) = (pair[0], pair[1]);
        if rule == other_rule && place == other_place {
            sets.unite(one, other);
        }
    }
    let mut united: Vec<Option<Candidate>> = vec![None; attempts.len()];
    for (number, candidate) in attempts.into_iter().enumerate() {
        match &mut united[sets.find(number)] {
            Some(whole) => {
                whole.places.extend(candidate.places);
                whole.stands_alone |= candidate.stands_alone;
                whole.unread += candidate.unread;
            }
            none => *none = Some(candidate),
        }
    }
    joined.reserve_exact(united.len());
    for mut whole in united.into_iter().flatten().filter(|whole| whole.stands_alone) {
        whole.places.sort_unstable();
        whole.places.dedup();
        joined.push(whole);
    }
    joined
}

/// Disjoint sets of numbers; the smallest member stands for each set.
pub struct DisjointSets(Vec<usize>);

impl DisjointSets {
    pub fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The number that stands for the set, without shortening the way to it.
    pub fn root(&self, number: usize) -> usize {
        let mut root = number;
        while self.0[root] != root {
            root = self.0[root];
        }
        root
    }

    pub fn find(&mut self, number: usize) -> usize {
        let root = self.root(number);
        let mut at = number;
        while self.0[at] != root {
            at = std::mem::replace(&mut self.0[at], root);
        }
        root
    }

    pub fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(rule: usize, net: Net, rows: &[u32], stands_alone: bool) -> Candidate {
        let places = rows.iter().map(|row| Place::new(0, *row, 0)).collect();
        Candidate { rule, net, places, stands_alone, unread: 0 }
    }

    #[test]
    fn connected_candidates_become_one() {
        let joined = join(vec![
            candidate(0, Net::Fingerprint, &[1, 2], true),
            candidate(0, Net::RequestKey, &[2, 9], true),
            candidate(0, Net::Fingerprint, &[9, 10], false),
            candidate(0, Net::Fingerprint, &[20, 21], false),
            candidate(1, Net::Fingerprint, &[2, 9], true),
            candidate(0, Net::Idempotent, &[1, 2], true),
        ]);
        let rows: Vec<(usize, Vec<u32>)> =
            joined.iter().map(|one| (one.rule, one.places.iter().map(|place| place.row()).collect())).collect();
        assert_eq!(rows, [(0, vec![1, 2]), (0, vec![1, 2, 9, 10]), (1, vec![2, 9])]);
    }
}
