//! A time axis: round columns, enough of them to see when, few enough to see each.

use crate::domain::time::DAY;
use crate::domain::volume::{NARROWEST, beginning, bucket_of, wider};
use crate::report::texts::Texts;
use chrono::DateTime;

/// Most columns of an axis: the days of a quarter.
const COLUMNS: i64 = 92;

/// Columns are as wide as the buckets of [`crate::domain::volume`], so that a bucket lies in one of them.
pub(super) struct TimeAxis {
    width: i64,
    /// Number of the first column.
    start: i64,
    bins: usize,
}

impl TimeAxis {
    /// An axis that holds both times, in nanoseconds since 1970.
    pub(super) fn over(first: i64, last: i64) -> Self {
        Self::with_columns_of(NARROWEST, first, last)
    }

    /// As [`Self::over`], with columns of at least this width.
    pub(super) fn with_columns_of(least: i64, first: i64, last: i64) -> Self {
        let mut width = least;
        let count = |width| bucket_of(last, width) - bucket_of(first, width) + 1;
        while count(width) > COLUMNS {
            width = wider(width);
        }
        Self { width, start: bucket_of(first, width), bins: usize::try_from(count(width)).unwrap_or(1) }
    }

    pub(super) fn bins(&self) -> usize {
        self.bins
    }

    /// The column of a time; None off the axis.
    pub(super) fn bin(&self, at: i64) -> Option<usize> {
        let bin = usize::try_from(bucket_of(at, self.width).checked_sub(self.start)?).ok()?;
        (bin < self.bins).then_some(bin)
    }

    /// The start of a column in the reader's language, as exact as the columns are wide.
    pub(super) fn when(&self, bin: usize, texts: &dyn Texts) -> String {
        let nanos = beginning(self.start.saturating_add(bin as i64), self.width);
        let time = DateTime::from_timestamp_nanos(nanos);
        let format = if self.width >= DAY { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M:%SZ" };
        texts.time(&time.format(format).to_string())
    }

    /// When columns from one to before another were: `2026-03-02` where a column is no longer than what is written of it, else its beginning
    /// and that of the column after it.
    pub(super) fn span(&self, from: usize, to: usize, texts: &dyn Texts) -> String {
        if self.width == DAY {
            let last = to.saturating_sub(1);
            let (from, last) = (self.when(from, texts), self.when(last, texts));
            return if from == last { from } else { format!("{from} – {last}") };
        }
        format!("{} – {}", self.when(from, texts), self.when(to, texts))
    }
}
