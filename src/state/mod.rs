//! What a nightly run leaves on the disk for the next one: whole at every moment, sealed, and never believed when it is damaged.
//!
//! A state is a folder. [`Lock`] keeps it for one run; [`State`] holds what the run before left, and takes what this one leaves in one
//! transaction. Times come from outside: nothing here reads a clock.

mod aside;
mod digest;
mod error;
mod folder;
mod header;
mod key;
mod lock;
mod migrate;
mod nights;
mod outbox;
mod outputs;
mod parts;
mod seal;
mod shelf;
mod store;
mod tables;

pub use aside::{Aside, set_aside};
pub use error::StateError;
pub use folder::{Folder, KEY};
pub use lock::Lock;
pub use migrate::{Migrated, migrate};
pub use nights::{Facts, Night, NightTotals};
pub use outbox::{Letter, Standing};
pub use outputs::{Output, Publication};
pub use shelf::Left;
pub use store::State;
