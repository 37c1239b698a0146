//! Proof of a run: what was read, by which rules, and what came of it, so that anyone can look again later.
//!
//! A manifest names each input with the SHA-256 of its bytes, and the manifest of the run before it, so that manifests form a chain in which
//! nothing can be changed or left out unseen. `manifest` makes one, `verify` looks again, `chain` follows them.

mod chain;
mod manifest;
mod verify;

pub use chain::{Link, Night, nights};
pub use manifest::{FilesFrom, Manifest, Previous, ResultProof, RuleProof, SCHEMA, SourceProof, schema};
pub use verify::{Difference, Found, Kind, Verified, compare};
