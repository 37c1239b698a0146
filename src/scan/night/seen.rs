//! Identities of records: which of tonight's an earlier night saw, as keyed hashes by source and day.

use crate::domain::memory::SeenDay;
use crate::engine::Identity;
use crate::rules::Rules;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const DAY: i64 = 86_400_000_000_000;

/// What earlier nights saw.
pub struct SeenBefore<'m> {
    key: &'m [u8; 32],
    /// By index of the source and day.
    days: BTreeMap<(usize, i32), &'m [u64]>,
}

/// The UTC day of an instant.
fn day_of(nanos: i64) -> i32 {
    // 64 bits of nanoseconds are fewer days than 32 bits can count.
    nanos.div_euclid(DAY) as i32
}

/// The keyed hash of an identity. Without the key nobody can try which records were seen.
fn keyed(key: &[u8; 32], identity: u128) -> u64 {
    let digest = Sha256::new().chain_update(key).chain_update(identity.to_le_bytes()).finalize();
    digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

impl<'m> SeenBefore<'m> {
    pub fn new(rules: &Rules, seen: &'m [SeenDay], key: &'m [u8; 32]) -> Self {
        let index = |name: &str| rules.sources.iter().position(|source| source.name.as_ref() == name);
        let days = seen.iter().filter_map(|day| Some(((index(&day.source)?, day.day), day.hashes.as_slice())));
        Self { key, days: days.collect() }
    }

    /// How often a record was seen.
    pub fn count(&self, source: usize, nanos: i64, identity: u128) -> u64 {
        let Some(hashes) = self.days.get(&(source, day_of(nanos))) else { return 0 };
        let hash = keyed(self.key, identity);
        let from = hashes.partition_point(|other| *other < hash);
        hashes.iter().skip(from).take_while(|other| **other == hash).count() as u64
    }
}

/// What has been seen after tonight. `since` are the days, by source, before which nothing is remembered.
pub fn after(
    seen: &[SeenDay],
    tonight: &[Identity],
    rules: &Rules,
    key: &[u8; 32],
    since: &dyn Fn(&str) -> Option<i64>,
) -> Vec<SeenDay> {
    let mut days: BTreeMap<(String, i32), Vec<u64>> =
        seen.iter().map(|day| ((day.source.clone(), day.day), day.hashes.clone())).collect();
    let mut new: BTreeMap<(usize, i32), Vec<u64>> = BTreeMap::new();
    for identity in tonight {
        let hash = keyed(key, identity.hash);
        let count = usize::try_from(identity.count).unwrap_or(usize::MAX);
        new.entry((identity.source, day_of(identity.nanos))).or_default().extend(std::iter::repeat_n(hash, count));
    }
    for ((source, day), mut hashes) in new {
        let Some(source) = rules.sources.get(source) else { continue };
        hashes.sort_unstable();
        let known = days.entry((source.name.to_string(), day)).or_default();
        *known = fuller(known, &hashes);
    }
    let is_remembered = |(source, day): &(String, i32)| since(source).is_none_or(|since| *day >= day_of(since));
    let kept = days.into_iter().filter(|(day, _)| is_remembered(day));
    kept.map(|((source, day), hashes)| SeenDay { source, day, hashes }).collect()
}

/// Each hash as often as the list with more of it has it; both ascend.
fn fuller(one: &[u64], other: &[u64]) -> Vec<u64> {
    let mut all = Vec::with_capacity(one.len().max(other.len()));
    let (mut one, mut other) = (one.iter().copied().peekable(), other.iter().copied().peekable());
    loop {
        match (one.peek().copied(), other.peek().copied()) {
            (Some(a), Some(b)) => {
                let least = a.min(b);
                all.push(least);
                one.next_if_eq(&least);
                other.next_if_eq(&least);
            }
            (Some(a), None) => {
                all.push(a);
                one.next();
            }
            (None, Some(b)) => {
                all.push(b);
                other.next();
            }
            (None, None) => return all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuller_count_stays() {
        assert_eq!(fuller(&[1, 1, 4, 9], &[1, 3, 4, 4]), [1, 1, 3, 4, 4, 9]);
        assert_eq!(fuller(&[], &[2]), [2]);
        assert_ne!(keyed(&[0; 32], 7), keyed(&[1; 32], 7));
    }
}
