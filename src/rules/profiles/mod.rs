//! Profiles: what is known of the exports and logs that people really have, as data.
//!
//! To add one, write one file here, `VENDOR/KIND.toml`; its path is its name. It says how such a file is recognised, how its records
//! become events, which rules find its duplicates, and shows all of it on example records, which a test runs.

mod library;
mod profile;

pub use library::Library;
pub(super) use profile::padded;
pub use profile::{Detect, Example, ExpectedFinding, Profile};
