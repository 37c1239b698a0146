//! A time axis: round columns, enough of them to see when, few enough to see each.

use crate::domain::time::{DAY, SECOND};
use crate::report::texts::Texts;
use chrono::{DateTime, NaiveDate, NaiveTime};

/// Most columns of an axis.
const COLUMNS: i64 = 48;

/// Widths of a column in nanoseconds, to choose from.
const WIDTHS: [i64; 12] = [
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
    30 * DAY,
    365 * DAY,
];

pub(super) struct TimeAxis {
    start: i64,
    width: i64,
    bins: usize,
}

impl TimeAxis {
    /// An axis that holds both times, in nanoseconds since 1970.
    pub(super) fn over(first: i64, last: i64) -> Self {
        let span = last.saturating_sub(first);
        let width = WIDTHS.into_iter().find(|width| span / width < COLUMNS).unwrap_or(span / COLUMNS + 1);
        let start = first.div_euclid(width).saturating_mul(width);
        let bins = usize::try_from(last.saturating_sub(start) / width + 1).unwrap_or(1);
        Self { start, width, bins }
    }

    pub(super) fn bins(&self) -> usize {
        self.bins
    }

    /// The column of a time on the axis.
    pub(super) fn bin(&self, at: i64) -> usize {
        usize::try_from(at.saturating_sub(self.start) / self.width).unwrap_or_default()
    }

    /// The start of a column in the reader's language, as exact as the columns are wide.
    pub(super) fn when(&self, bin: usize, texts: &dyn Texts) -> String {
        let nanos = self.start.saturating_add(self.width.saturating_mul(bin as i64));
        let time = DateTime::from_timestamp_nanos(nanos);
        let format = if self.width >= DAY { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M:%SZ" };
        texts.time(&time.format(format).to_string())
    }
}

/// Where a time of the result stands on an axis, in nanoseconds since 1970. A date stands at its beginning, which is a place on the axis
/// and no claim about the time of day.
pub(super) fn nanos(time: &str) -> Option<i64> {
    let date = || Some(time.parse::<NaiveDate>().ok()?.and_time(NaiveTime::MIN).and_utc());
    DateTime::parse_from_rfc3339(time).ok().map(|time| time.to_utc()).or_else(date)?.timestamp_nanos_opt()
}
