//! Where the value of a canonical field comes from.

use super::names::Names;
use chrono_tz::Tz;

/// Index of a column: first those of `Source::columns`, then those that are derived from them.
pub type Slot = usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    Const(String),
    /// The first that is present and not empty.
    Columns(Vec<Slot>),
}

/// A further column, made of others. Each may use the columns of the input and those derived before it.
#[derive(Debug)]
pub enum Derived {
    /// The value at `pointer` inside the JSON text that a column holds.
    Inside { from: Slot, pointer: String, into: Slot },
    /// Named groups of a pattern over a column: the number of each group, and the slot it fills.
    Extract { from: Slot, pattern: regex::Regex, groups: Vec<(usize, Slot)> },
    /// Several columns with [`JOINT`] between them; an absent one leaves its place empty, and where all are absent so is the whole.
    Join { from: Vec<Slot>, into: Slot },
    /// The first present column, under the name that a table gives its value; `default` where none is present.
    Rename { from: Vec<Slot>, names: Names, default: Option<String>, into: Slot },
}

impl Derived {
    /// The slots that it is made of.
    pub fn uses(&self) -> &[Slot] {
        match self {
            Self::Inside { from, .. } | Self::Extract { from, .. } => std::slice::from_ref(from),
            Self::Join { from, .. } | Self::Rename { from, .. } => from,
        }
    }

    /// The slots that it fills.
    pub fn fills(&self) -> Vec<Slot> {
        match self {
            Self::Inside { into, .. } | Self::Join { into, .. } | Self::Rename { into, .. } => vec![*into],
            Self::Extract { groups, .. } => groups.iter().map(|(_, slot)| *slot).collect(),
        }
    }
}

/// What stands between joined columns.
pub const JOINT: &str = "/";

#[derive(Debug)]
pub struct TimeMap {
    pub from: TimeFrom,
    /// Tried in this order; never empty.
    pub formats: Vec<TimeFormat>,
    /// The column that names the zone of a value without one: `Europe/Berlin`, `PST`, `+03:00`.
    pub zone_from: Option<Pick>,
    /// For values without a zone, where `zone_from` says nothing.
    pub zone: Tz,
    /// False when neither this table nor the configuration names a zone.
    pub zone_given: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeFrom {
    One(Slot),
    /// Joined by a blank: a date and a time of day, each the first of its columns that is present.
    Joined(Vec<Pick>),
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
    /// No time at all: the ordinal of the record in its file, for logs whose order is their only clock.
    Sequence,
    /// chrono's format language.
    Pattern(String),
}
