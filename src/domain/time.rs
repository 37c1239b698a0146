//! Instants with a precision, and the local times they were read from.

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// Nanoseconds in a second.
pub const SECOND: i64 = 1_000_000_000;
/// Nanoseconds in a civil day of 24 hours.
pub const DAY: i64 = 86_400 * SECOND;

/// The finest unit that a time was written with. A date is not midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// No time at all: the place of a record in a log whose order is its only clock.
    Sequence,
    Day,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
}

impl Precision {
    /// The precision of a fraction of a second written with `digits` digits.
    pub fn of_fraction(digits: usize) -> Self {
        match digits {
            0 => Self::Second,
            1..=3 => Self::Millisecond,
            4..=6 => Self::Microsecond,
            _ => Self::Nanosecond,
        }
    }
}

/// How a local time met the clock change of its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The local time names one instant.
    None,
    /// The hour at the end of summer time: the local time happened twice; the earlier instant was taken.
    Repeated,
    /// The hour at the start of summer time: the local time never happened; it was read with the offset before the change.
    Skipped,
}

/// A point in time as a record gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    pub nanos: i64,
    /// Wall clock at that instant in the zone the record speaks in, as nanoseconds since 1970-01-01T00:00:00 local.
    pub local_nanos: i64,
    pub precision: Precision,
    pub fold: Fold,
}

impl Stamp {
    /// From an instant, told in `zone`. None outside the years 1678 to 2261, which 64 bits of nanoseconds can hold.
    pub fn from_instant(at: DateTime<Utc>, precision: Precision, zone: Tz) -> Option<Self> {
        let local = at.with_timezone(&zone).naive_local();
        Some(Self {
            nanos: at.timestamp_nanos_opt()?,
            local_nanos: local.and_utc().timestamp_nanos_opt()?,
            precision,
            fold: Fold::None,
        })
    }

    /// From a wall clock time in `zone`. A repeated hour takes the earlier instant and says so in `fold`.
    pub fn from_local(local: NaiveDateTime, precision: Precision, zone: Tz) -> Option<Self> {
        let (at, fold) = match zone.from_local_datetime(&local) {
            chrono::LocalResult::Single(at) => (at, Fold::None),
            chrono::LocalResult::Ambiguous(first, _) => (first, Fold::Repeated),
            chrono::LocalResult::None => {
                // The offset before the change is that of three hours before; where a zone moved to the other side of the date line
                // (Samoa, 30 December 2011) and a whole day never happened, that of the day before.
                let offset_before = |back| Some(zone.from_local_datetime(&local.checked_sub_signed(back)?).earliest()? + back);
                let at = offset_before(TimeDelta::hours(3)).or_else(|| offset_before(TimeDelta::hours(27)))?;
                (at, Fold::Skipped)
            }
        };
        Some(Self {
            nanos: at.timestamp_nanos_opt()?,
            local_nanos: local.and_utc().timestamp_nanos_opt()?,
            precision,
            // A date has no hour that could be repeated or skipped.
            fold: if precision == Precision::Day { Fold::None } else { fold },
        })
    }

    /// The `number`-th record of a log without times. Neighbours are a second apart, so that their order is kept.
    pub fn from_sequence(number: u32) -> Self {
        let nanos = i64::from(number) * SECOND;
        Self { nanos, local_nanos: nanos, precision: Precision::Sequence, fold: Fold::None }
    }

    /// Days since 1970-01-01 of the local date.
    pub fn local_day(&self) -> i64 {
        self.local_nanos.div_euclid(DAY)
    }

    /// RFC 3339 in UTC with as many digits as were read; a date alone stays a date, and a place in a log is `#7`.
    pub fn to_text(&self) -> String {
        let at = DateTime::<Utc>::from_timestamp_nanos(self.nanos);
        match self.precision {
            Precision::Sequence => format!("#{}", self.nanos / SECOND),
            Precision::Day => local_date(self.local_nanos).format("%Y-%m-%d").to_string(),
            Precision::Minute | Precision::Second => at.to_rfc3339_opts(SecondsFormat::Secs, true),
            Precision::Millisecond => at.to_rfc3339_opts(SecondsFormat::Millis, true),
            Precision::Microsecond => at.to_rfc3339_opts(SecondsFormat::Micros, true),
            Precision::Nanosecond => at.to_rfc3339_opts(SecondsFormat::Nanos, true),
        }
    }
}

/// The civil date of a local time in nanoseconds.
pub fn local_date(local_nanos: i64) -> NaiveDate {
    DateTime::<Utc>::from_timestamp_nanos(local_nanos).date_naive()
}

/// A span of time in words a reader scans fast: `350 ms`, `42 s`, `12 min 5 s`, `3 h 3 min`, `42 d`.
pub fn span_text(nanos: i64) -> String {
    let nanos = nanos.unsigned_abs();
    let seconds = nanos / SECOND as u64;
    let two = |big: u64, big_name: &str, small: u64, small_name: &str| {
        if small == 0 { format!("{big} {big_name}") } else { format!("{big} {big_name} {small} {small_name}") }
    };
    match seconds {
        0 if nanos == 0 => "0 s".into(),
        0 => match nanos / 1_000_000 {
            0 => format!("{} µs", nanos / 1_000),
            ms => format!("{ms} ms"),
        },
        1..60 => match nanos / 100_000_000 % 10 {
            0 => format!("{seconds} s"),
            tenth => format!("{seconds}.{tenth} s"),
        },
        60..3_600 => two(seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => two(seconds / 3_600, "h", seconds % 3_600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_never_happened_is_read_with_the_offset_before_it() {
        // Samoa went from UTC-10 to UTC+14 at the end of 29 December 2011.
        let noon = NaiveDate::from_ymd_opt(2011, 12, 30).unwrap().and_hms_opt(12, 0, 0).unwrap();
        let stamp = Stamp::from_local(noon, Precision::Second, chrono_tz::Pacific::Apia).unwrap();
        assert_eq!((stamp.to_text().as_str(), stamp.fold), ("2011-12-30T22:00:00Z", Fold::Skipped));
    }
}
