//! Identities of records: which of tonight's an earlier night saw, as keyed hashes by source and day.

use super::pack;
use crate::domain::hashes::Hashes;
use crate::domain::memory::SeenDay;
use crate::engine::Identity;
use crate::rules::Rules;
use crate::scan::ScanError;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

const DAY: i64 = 86_400_000_000_000;

/// What earlier nights saw.
pub struct SeenBefore<'m> {
    key: &'m [u8; 32],
    /// By index of the source and day.
    days: BTreeMap<(usize, i32), &'m Hashes>,
    /// Some were asked for and did not come back.
    is_lost: AtomicBool,
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
        let days = seen.iter().filter_map(|day| Some(((index(&day.source)?, day.day), &day.hashes)));
        Self { key, days: days.collect(), is_lost: AtomicBool::new(false) }
    }

    /// How often a record was seen. Only the days that are asked for are fetched from where they are kept.
    pub fn count(&self, source: usize, nanos: i64, identity: u128) -> u64 {
        let Some(hashes) = self.days.get(&(source, day_of(nanos))) else { return 0 };
        let Some(hashes) = hashes.all() else {
            self.is_lost.store(true, Ordering::Relaxed);
            return 0;
        };
        let hash = keyed(self.key, identity);
        let from = hashes.partition_point(|other| *other < hash);
        hashes.iter().skip(from).take_while(|other| **other == hash).count() as u64
    }

    /// # Errors
    /// Hashes were asked for that did not come back: what was counted may be too little.
    pub fn check(&self) -> Result<(), ScanError> {
        if self.is_lost.load(Ordering::Relaxed) { Err(lost()) } else { Ok(()) }
    }
}

fn lost() -> ScanError {
    pack::damaged("the identities")
}

/// What has been seen after tonight. `since` are the days, by source, before which nothing is remembered. Days of which nothing came stay
/// as they are kept.
///
/// # Errors
/// Hashes of a day do not come back from where they are kept.
pub fn after(
    seen: &[SeenDay],
    tonight: &[Identity],
    rules: &Rules,
    key: &[u8; 32],
    since: &dyn Fn(&str) -> Option<i64>,
) -> Result<Vec<SeenDay>, ScanError> {
    let is_remembered = |source: &str, day: i32| since(source).is_none_or(|since| day >= day_of(since));
    let kept = seen.iter().filter(|day| is_remembered(&day.source, day.day));
    let mut days: BTreeMap<(String, i32), Hashes> = kept.map(|day| ((day.source.clone(), day.day), day.hashes.clone())).collect();
    let mut new: BTreeMap<(usize, i32), Vec<u64>> = BTreeMap::new();
    for identity in tonight {
        let hash = keyed(key, identity.hash);
        let count = usize::try_from(identity.count).unwrap_or(usize::MAX);
        new.entry((identity.source, day_of(identity.nanos))).or_default().extend(std::iter::repeat_n(hash, count));
    }
    for ((source, day), mut hashes) in new {
        let Some(source) = rules.sources.get(source).filter(|source| is_remembered(&source.name, day)) else { continue };
        hashes.sort_unstable();
        let known = days.entry((source.name.to_string(), day)).or_default();
        let before = known.all().ok_or_else(lost)?;
        let all = fuller(before, &hashes);
        // One that brings nothing new is not written again.
        if all.len() > before.len() {
            *known = Hashes::from(all);
        }
    }
    Ok(days.into_iter().map(|((source, day), hashes)| SeenDay { source, day, hashes }).collect())
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
