//! How many records there were when: counts in buckets of time, which widen so that there are never many.

use super::time::{DAY, SECOND};

/// Most buckets that hold something. A log of a year keeps its days apart.
pub const MOST_BUCKETS: usize = 400;

/// Widths of a bucket in nanoseconds; beyond the last each is twice the one before. Each is a multiple of those before it, so that a wider
/// bucket holds narrower ones whole.
const WIDTHS: [i64; 10] = [
    SECOND,
    10 * SECOND,
    60 * SECOND,
    300 * SECOND,
    900 * SECOND,
    3_600 * SECOND,
    10_800 * SECOND,
    21_600 * SECOND,
    DAY,
    7 * DAY,
];

/// From the Monday before 1970 to 1970: buckets of weeks begin on Mondays.
const SINCE_MONDAY: i64 = 3 * DAY;

/// The narrowest width of a bucket.
pub const NARROWEST: i64 = SECOND;

/// The next width after this one.
pub fn wider(width: i64) -> i64 {
    WIDTHS.into_iter().find(|known| *known > width).unwrap_or(width.saturating_mul(2))
}

/// The number of the bucket that holds a time, both widths and times in nanoseconds.
pub fn bucket_of(nanos: i64, width: i64) -> i64 {
    nanos.saturating_add(SINCE_MONDAY).div_euclid(width)
}

/// When a bucket begins. Before the first time that 64 bits can hold nothing begins.
pub fn beginning(bucket: i64, width: i64) -> i64 {
    bucket.saturating_mul(width).saturating_sub(SINCE_MONDAY)
}

/// Records by time, exact. Buckets are as narrow as they can be while at most [`MOST_BUCKETS`] hold something: what comes out depends on the
/// times alone, not on their order or on who counted which, and one wrong date far away costs one bucket.
#[derive(Clone, Debug)]
pub struct Volume {
    width: i64,
    /// Number and count of each bucket that holds something, ascending.
    buckets: Vec<(i64, u64)>,
    /// Place of the bucket that was counted last, and when it begins, from the Monday on. Logs go on in time, so that most records are counted
    /// without a search.
    last: usize,
    last_from: i64,
}

impl Default for Volume {
    fn default() -> Self {
        Self { width: NARROWEST, buckets: Vec::new(), last: 0, last_from: 0 }
    }
}

impl Volume {
    /// Counts a record at a time in nanoseconds since 1970.
    #[inline]
    pub fn add(&mut self, nanos: i64) {
        let at = nanos.saturating_add(SINCE_MONDAY);
        // Where a difference overflows it is still right without its sign.
        if at >= self.last_from
            && (at.wrapping_sub(self.last_from) as u64) < self.width.unsigned_abs()
            && let Some((_, count)) = self.buckets.get_mut(self.last)
        {
            *count += 1;
            return;
        }
        self.count(nanos, 1);
    }

    /// Nanoseconds across a bucket.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// Beginning and count of each bucket that holds something, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (i64, u64)> {
        self.buckets.iter().map(|(bucket, count)| (beginning(*bucket, self.width), *count))
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Self) {
        self.widen_to(other.width);
        for (begins, count) in other.buckets() {
            self.count(begins, count);
        }
    }

    /// Takes out what was counted before. The width stays.
    pub fn subtract(&mut self, other: &Self) {
        for (begins, count) in other.buckets() {
            let bucket = bucket_of(begins, self.width);
            if let Ok(at) = self.place(bucket)
                && let Some((_, ours)) = self.buckets.get_mut(at)
            {
                *ours = ours.saturating_sub(count);
            }
        }
        self.buckets.retain(|(_, count)| *count > 0);
        self.forget_last();
    }

    /// Makes buckets at least so wide.
    pub fn widen_to(&mut self, width: i64) {
        while self.width < width {
            self.widen();
        }
    }

    fn place(&self, bucket: i64) -> Result<usize, usize> {
        self.buckets.binary_search_by_key(&bucket, |(known, _)| *known)
    }

    #[inline(never)]
    fn count(&mut self, nanos: i64, records: u64) {
        let bucket = bucket_of(nanos, self.width);
        let at = match self.place(bucket) {
            Ok(at) => {
                if let Some((_, count)) = self.buckets.get_mut(at) {
                    *count = count.saturating_add(records);
                }
                at
            }
            Err(at) => {
                self.buckets.insert(at, (bucket, records));
                at
            }
        };
        match bucket.checked_mul(self.width) {
            Some(from) => (self.last, self.last_from) = (at, from),
            None => self.forget_last(),
        }
        while self.buckets.len() > MOST_BUCKETS {
            self.widen();
        }
    }

    fn widen(&mut self) {
        let times = wider(self.width) / self.width;
        self.width = wider(self.width);
        self.buckets.iter_mut().for_each(|(bucket, _)| *bucket = bucket.div_euclid(times));
        self.buckets.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 = if same { kept.1.saturating_add(next.1) } else { kept.1 };
            same
        });
        self.forget_last();
    }

    fn forget_last(&mut self) {
        self.last = usize::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counted(times: &[i64]) -> Volume {
        let mut volume = Volume::default();
        times.iter().for_each(|time| volume.add(*time));
        volume
    }

    fn told(volume: &Volume) -> (i64, Vec<(i64, u64)>) {
        (volume.width(), volume.buckets().collect())
    }

    /// The narrowest width that fits, and what is in it, told in the plainest way.
    fn expected(times: &[i64]) -> (i64, Vec<(i64, u64)>) {
        let mut width = NARROWEST;
        loop {
            let mut buckets: BTreeMap<i64, u64> = BTreeMap::new();
            for time in times {
                *buckets.entry(bucket_of(*time, width)).or_default() += 1;
            }
            if buckets.len() <= MOST_BUCKETS {
                return (width, buckets.into_iter().map(|(bucket, count)| (beginning(bucket, width), count)).collect());
            }
            width = wider(width);
        }
    }

    #[test]
    fn widths_hold_each_other() {
        let mut width = NARROWEST;
        while width < i64::MAX / 2 {
            assert_eq!(wider(width) % width, 0, "{width}");
            width = wider(width);
        }
        assert_eq!(wider(DAY), 7 * DAY);
        assert_eq!(beginning(bucket_of(0, 7 * DAY), 7 * DAY), -3 * DAY, "weeks begin on Mondays");
    }

    #[test]
    fn one_wrong_date_costs_one_bucket() {
        let mut times: Vec<i64> = (0..100).map(|at| 1_772_000_000 * SECOND + at * SECOND).collect();
        times.extend([i64::MIN, i64::MAX, 0]);
        let volume = counted(&times);
        assert_eq!((volume.width(), volume.buckets().count()), (SECOND, 103));
        assert_eq!(told(&volume), expected(&times));
    }

    #[test]
    fn what_is_taken_out_leaves_a_hole() {
        let times: Vec<i64> = (0..1_000).map(|at| at * 60 * SECOND).collect();
        let mut volume = counted(&times);
        let (width, before) = told(&volume);
        volume.subtract(&counted(&times[300..310]));
        volume.add(999 * 60 * SECOND);
        let after: u64 = volume.buckets().map(|(_, count)| count).sum();
        assert_eq!((volume.width(), after), (width, 991));
        assert_eq!(volume.buckets().count(), before.len() - 2, "two buckets of five minutes");
    }

    proptest! {
        #[test]
        fn order_and_counters_do_not_matter(
            times in prop::collection::vec(prop_oneof![any::<i64>(), 0..3_000_000 * SECOND, 0..900 * SECOND], 0..1_500),
            cut in any::<prop::sample::Index>(),
        ) {
            let expected = expected(&times);
            prop_assert_eq!(told(&counted(&times)), expected.clone());
            let (one, other) = times.split_at(cut.index(times.len() + 1));
            let (mut first, mut second) = (counted(one), counted(other));
            first.merge(&second);
            second.merge(&counted(one));
            prop_assert_eq!(told(&first), expected.clone());
            prop_assert_eq!(told(&second), expected);
            first.subtract(&counted(one));
            let left: u64 = first.buckets().map(|(_, count)| count).sum();
            prop_assert_eq!(left, other.len() as u64);
        }
    }
}
