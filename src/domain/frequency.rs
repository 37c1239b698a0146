//! How common a value is in the whole input: fixed-size counters that only ever overestimate.

use super::money::{Money, normal};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Counters in one sketch. 64 Ki of 5 bytes keep the whole structure within 960 KiB, whatever the input.
const WIDTH: usize = 1 << 16;

/// Values that wait to be counted together.
const MOST_WAITING: usize = 1 << 10;

/// A one-row counting sketch: the count of a value is at most too high, by the values that share its cell.
#[derive(Clone)]
struct Sketch {
    /// The lower byte of each count. Nearly always it is all that changes, and all of them stay in a processor's cache.
    low: Vec<u8>,
    /// What is above.
    high: Vec<u32>,
    /// Cells of values that were added and not counted yet. A counter that is fetched from afar for each record by itself would hold up
    /// the record; a thousand at once are fetched beside each other.
    waiting: Vec<u16>,
}

impl Sketch {
    fn new() -> Self {
        Self { low: vec![0; WIDTH], high: vec![0; WIDTH], waiting: Vec::with_capacity(MOST_WAITING) }
    }

    fn add(&mut self, hash: u64) {
        self.waiting.push(cell_of(hash));
        if self.waiting.len() == MOST_WAITING {
            self.settle();
        }
    }

    fn settle(&mut self) {
        for cell in &self.waiting {
            let low = &mut self.low[usize::from(*cell)];
            *low = low.wrapping_add(1);
            if *low == 0 {
                let high = &mut self.high[usize::from(*cell)];
                *high = high.saturating_add(1);
            }
        }
        self.waiting.clear();
    }

    /// The count of a cell without what waits.
    fn settled(&self, cell: usize) -> u32 {
        let settled = u64::from(self.high[cell]) << 8 | u64::from(self.low[cell]);
        u32::try_from(settled).unwrap_or(u32::MAX)
    }

    fn count(&self, hash: u64) -> u32 {
        let cell = cell_of(hash);
        let waiting = self.waiting.iter().filter(|other| **other == cell).count();
        self.settled(usize::from(cell)).saturating_add(waiting as u32)
    }

    fn subtract(&mut self, other: &Self) {
        self.settle();
        self.combine(other, u32::saturating_sub);
    }

    fn merge(&mut self, other: &Self) {
        self.settle();
        self.combine(other, u32::saturating_add);
    }

    fn combine(&mut self, other: &Self, change: fn(u32, u32) -> u32) {
        for cell in 0..WIDTH {
            self.set(cell, change(self.settled(cell), other.settled(cell)));
        }
        for cell in other.waiting.iter().map(|cell| usize::from(*cell)) {
            self.set(cell, change(self.settled(cell), 1));
        }
    }

    fn set(&mut self, cell: usize, count: u32) {
        (self.low[cell], self.high[cell]) = (count as u8, count >> 8);
    }
}

/// Always below [`WIDTH`].
fn cell_of(hash: u64) -> u16 {
    (hash as usize % WIDTH) as u16
}

/// Counts of amounts, actors and (actor, operation) pairs over all events, and the time they span.
#[derive(Clone)]
pub struct Frequencies {
    amounts: Sketch,
    actors: Sketch,
    pairs: Sketch,
    pub events: u64,
    pub with_amount: u64,
    pub with_actor: u64,
    /// Nanoseconds since 1970 of the first and last event; None before the first.
    pub range: Option<(i64, i64)>,
}

impl Default for Frequencies {
    fn default() -> Self {
        Self {
            amounts: Sketch::new(),
            actors: Sketch::new(),
            pairs: Sketch::new(),
            events: 0,
            with_amount: 0,
            with_actor: 0,
            range: None,
        }
    }
}

fn amount_hash(money: &Money) -> u64 {
    let mut bytes = [0; 28];
    bytes[..16].copy_from_slice(&normal(money.amount).serialize());
    bytes[16..].copy_from_slice(money.currency.padded());
    xxh3_64_with_seed(&bytes, 1)
}

fn actor_hash(actor: &str) -> u64 {
    xxh3_64_with_seed(actor.as_bytes(), 2)
}

fn pair_hash(actor_hash: u64, operation: &str) -> u64 {
    xxh3_64_with_seed(operation.as_bytes(), actor_hash)
}

impl Frequencies {
    /// Counts one event.
    pub fn add(&mut self, nanos: i64, operation: &str, actor: Option<&str>, amount: Option<&Money>) {
        self.events += 1;
        self.range = Some(self.range.map_or((nanos, nanos), |(first, last)| (first.min(nanos), last.max(nanos))));
        if let Some(actor) = actor {
            self.with_actor += 1;
            let actor = actor_hash(actor);
            self.actors.add(actor);
            self.pairs.add(pair_hash(actor, operation));
        }
        if let Some(amount) = amount {
            self.with_amount += 1;
            self.amounts.add(amount_hash(amount));
        }
    }

    /// Adds another part of the same input. The order of merges does not matter.
    pub fn merge(&mut self, other: &Self) {
        self.amounts.merge(&other.amounts);
        self.actors.merge(&other.actors);
        self.pairs.merge(&other.pairs);
        self.events += other.events;
        self.with_amount += other.with_amount;
        self.with_actor += other.with_actor;
        self.range = match (self.range, other.range) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, None) => one,
            (None, other) => other,
        };
    }

    /// All of it as bytes, for another night. Cells that count nothing are left out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(48 + 3 * (4 + 6 * WIDTH));
        let (first, last) = self.range.unwrap_or_default();
        let head = [self.events, self.with_amount, self.with_actor, u64::from(self.range.is_some())];
        head.into_iter().for_each(|count| bytes.extend_from_slice(&count.to_le_bytes()));
        [first, last].into_iter().for_each(|nanos| bytes.extend_from_slice(&nanos.to_le_bytes()));
        for sketch in [&self.amounts, &self.actors, &self.pairs] {
            let mut settled = Cow::Borrowed(sketch);
            if !sketch.waiting.is_empty() {
                settled.to_mut().settle();
            }
            let length_at = bytes.len();
            bytes.extend_from_slice(&[0; 4]);
            let mut cells = 0_u32;
            for cell in 0..=u16::MAX {
                let count = settled.settled(usize::from(cell));
                if count > 0 {
                    bytes.extend_from_slice(&cell.to_le_bytes());
                    bytes.extend_from_slice(&count.to_le_bytes());
                    cells += 1;
                }
            }
            bytes[length_at..length_at + 4].copy_from_slice(&cells.to_le_bytes());
        }
        bytes
    }

    /// What [`Frequencies::to_bytes`] wrote; None where the bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, mut rest) = bytes.split_at_checked(48)?;
        let word = |at: usize| Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
        let mut sketch = || {
            let (count, more) = rest.split_first_chunk::<4>()?;
            let (cells, more) = more.split_at_checked(usize::try_from(u32::from_le_bytes(*count)).ok()?.checked_mul(6)?)?;
            rest = more;
            let mut sketch = Sketch::new();
            for cell in cells.chunks_exact(6) {
                let (at, count) = cell.split_at_checked(2)?;
                let at = usize::from(u16::from_le_bytes(at.try_into().ok()?));
                sketch.set(at, u32::from_le_bytes(count.try_into().ok()?));
            }
            Some(sketch)
        };
        let (amounts, actors, pairs) = (sketch()?, sketch()?, sketch()?);
        if !rest.is_empty() {
            return None;
        }
        Some(Self {
            amounts,
            actors,
            pairs,
            events: word(0)?,
            with_amount: word(8)?,
            with_actor: word(16)?,
            range: match word(24)? {
                0 => None,
                _ => Some((word(32)? as i64, word(40)? as i64)),
            },
        })
    }

    /// Takes events out that were added before. The range stays.
    pub fn subtract(&mut self, other: &Self) {
        self.amounts.subtract(&other.amounts);
        self.actors.subtract(&other.actors);
        self.pairs.subtract(&other.pairs);
        self.events = self.events.saturating_sub(other.events);
        self.with_amount = self.with_amount.saturating_sub(other.with_amount);
        self.with_actor = self.with_actor.saturating_sub(other.with_actor);
    }

    /// Share of the amounts that equal this one, from 0 (never seen) to 1; None when no event has an amount.
    pub fn amount_share(&self, money: &Money) -> Option<f64> {
        (self.with_amount > 0).then(|| f64::from(self.amounts.count(amount_hash(money))) / self.with_amount as f64)
    }

    /// Share of the events by this actor; None when no event names an actor.
    pub fn actor_share(&self, actor: &str) -> Option<f64> {
        (self.with_actor > 0).then(|| f64::from(self.actors.count(actor_hash(actor))) / self.with_actor as f64)
    }

    /// Events of this actor: at most so many.
    pub fn actor_events(&self, actor: &str) -> u64 {
        u64::from(self.actors.count(actor_hash(actor)))
    }

    /// Mean time in nanoseconds between two events of this actor and operation, if spread evenly over the input's time range.
    pub fn usual_gap(&self, actor: &str, operation: &str) -> Option<i64> {
        let (first, last) = self.range?;
        match i64::from(self.pairs.count(pair_hash(actor_hash(actor), operation))) {
            0 => None,
            count => Some((last - first) / count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_survive_a_night() {
        let mut counted = Frequencies::default();
        for day in 0..2_000 {
            counted.add(day, "pay", Some(if day % 3 == 0 { "a" } else { "b" }), None);
        }
        let back = Frequencies::from_bytes(&counted.to_bytes()).expect("whole");
        assert_eq!((back.events, back.with_actor, back.with_amount, back.range), (2_000, 2_000, 0, Some((0, 1_999))));
        assert_eq!(back.actor_share("a"), counted.actor_share("a"));
        assert_eq!(back.usual_gap("b", "pay"), counted.usual_gap("b", "pay"));
        assert!(Frequencies::from_bytes(&counted.to_bytes()[1..]).is_none());
    }

    /// Counts must not hang on when the waiting values are counted.
    #[test]
    fn waiting_values_count() {
        let hash = |value: usize| (value % 7) as u64;
        for len in [0, 1, MOST_WAITING - 1, MOST_WAITING, MOST_WAITING + 3, 20 * MOST_WAITING] {
            let mut sketch = Sketch::new();
            (0..len).for_each(|value| sketch.add(hash(value)));
            let expected: Vec<u32> = (0..7).map(|rest| (0..len).filter(|value| value % 7 == rest).count() as u32).collect();
            let counts = |sketch: &Sketch| (0..7).map(|value| sketch.count(value)).collect::<Vec<u32>>();
            assert_eq!(counts(&sketch), expected);
            let mut twice = sketch.clone();
            twice.merge(&sketch);
            assert_eq!(counts(&twice), expected.iter().map(|count| count * 2).collect::<Vec<u32>>());
            twice.subtract(&sketch);
            assert_eq!(counts(&twice), expected);
        }
    }
}
