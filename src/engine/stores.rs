//! The stores of keyed rows that one scan fills.

use super::partitions::{Budget, Partitions};
use super::row::{RecordRow, Row};

/// The rows of all nets.
pub struct Stores<'b> {
    /// Fingerprints, request keys, idempotent and accompanying records.
    pub groups: Partitions<'b, Row>,
    /// Records by identity, where one source has several inputs or names a record id.
    pub records: Partitions<'b, RecordRow>,
    /// Proofs and reversals, and the attempts they may speak about.
    pub links: Partitions<'b, Row>,
}

impl<'b> Stores<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Self { groups: Partitions::new(budget), records: Partitions::new(budget), links: Partitions::new(budget) }
    }
}
