//! What the engine is told of earlier nights.

use super::horizon::Latest;
use crate::domain::frequency::Frequencies;
use crate::domain::memory::ShownByColumns;

/// Asked how often a record was seen on earlier nights: index of the source, nanoseconds since 1970 UTC, identity.
pub type Seen<'m> = dyn Fn(usize, i64, u128) -> u64 + Sync + 'm;

/// What is recalled of earlier nights. All times are nanoseconds.
pub struct Recall<'m> {
    /// By source.
    pub sources: Vec<Recalled>,
    pub seen: &'m Seen<'m>,
    /// Over all earlier nights.
    pub frequencies: Frequencies,
    /// No event is later than this, whatever its record says.
    pub as_of: Option<i64>,
    pub lateness: i64,
    pub remember: i64,
}

/// What is recalled of one source.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recalled {
    /// Nanoseconds since 1970 of the first and last event.
    pub range: Option<(i64, i64)>,
    /// What comes for a time before this one is late.
    pub told_from: Option<i64>,
    pub latest: Latest,
    pub shown: ShownByColumns,
}
