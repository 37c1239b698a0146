//! Where the value of a canonical field comes from.

use chrono_tz::Tz;

/// Index of a column: first those of `Source::columns`, then those that the extracts add.
pub type Slot = usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    Const(String),
    /// The first that is present and not empty.
    Columns(Vec<Slot>),
}

/// Further columns out of one column, by a pattern with named groups.
#[derive(Debug)]
pub struct Extract {
    pub from: Slot,
    pub pattern: regex::Regex,
    /// Number of the capture group, and the slot it fills.
    pub groups: Vec<(usize, Slot)>,
}

#[derive(Debug)]
pub struct TimeMap {
    pub from: TimeFrom,
    pub format: TimeFormat,
    /// For values without a zone.
    pub zone: Tz,
    /// False when neither this table nor the configuration names a zone.
    pub zone_given: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeFrom {
    One(Slot),
    /// Joined by a blank: a date and a time of day.
    Joined(Vec<Slot>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum TimeFormat {
    /// Told by each value: ISO 8601, an epoch, or a date with dots or slashes.
    Detect,
    Iso,
    /// Unit told by size, per value.
    Epoch,
    EpochSeconds,
    EpochMilliseconds,
    EpochMicroseconds,
    EpochNanoseconds,
    /// chrono's format language.
    Pattern(String),
}
