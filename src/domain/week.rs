//! Counts by hour of the week.

use super::time::{Precision, SECOND, Stamp};

/// Hours of a week.
pub const HOURS: usize = 7 * 24;

const HOUR: i64 = 3_600 * SECOND;

/// A count for each hour of the week, from Monday 00:00 UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Week([u64; HOURS]);

impl Default for Week {
    fn default() -> Self {
        Self([0; HOURS])
    }
}

impl Week {
    /// Counts a time; one without a time of day belongs to no hour.
    pub fn add(&mut self, time: &Stamp) {
        if time.precision >= Precision::Minute
            && let Some(count) = self.0.get_mut(hour_of_week(time.nanos))
        {
            *count += 1;
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.combine(other, u64::saturating_add);
    }

    pub fn subtract(&mut self, other: &Self) {
        self.combine(other, u64::saturating_sub);
    }

    fn combine(&mut self, other: &Self, change: fn(u64, u64) -> u64) {
        for (count, by) in self.0.iter_mut().zip(&other.0) {
            *count = change(*count, *by);
        }
    }

    /// All counts, Monday 00:00 first; empty where nothing was counted.
    pub fn to_vec(&self) -> Vec<u64> {
        if self.0.iter().all(|count| *count == 0) { Vec::new() } else { self.0.to_vec() }
    }
}

/// The hour of the week of an instant in nanoseconds since 1970: 0 is Monday 00:00 UTC, 167 Sunday 23:00.
pub fn hour_of_week(nanos: i64) -> usize {
    // 1970 began on a Thursday.
    let hours = nanos.div_euclid(HOUR) + 3 * 24;
    usize::try_from(hours.rem_euclid(HOURS as i64)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Datelike, Timelike};

    #[test]
    fn hours_are_those_of_the_calendar() {
        for time in ["2026-03-02T00:00:00Z", "2026-03-08T23:59:59Z", "1969-12-31T23:00:00Z", "1700-02-28T12:30:00Z"] {
            let time = DateTime::parse_from_rfc3339(time).unwrap();
            let expected = time.weekday().num_days_from_monday() * 24 + time.hour();
            assert_eq!(hour_of_week(time.timestamp_nanos_opt().unwrap()), expected as usize, "{time}");
        }
    }
}
