//! The ground floor: what the whole tool speaks about. No input, no output, no clock.

pub mod carried;
pub mod control;
pub mod decision;
pub mod event;
pub mod explanation;
pub mod finding;
pub mod findings;
pub mod frequency;
pub mod group;
pub mod hashes;
pub mod language;
pub mod memory;
pub mod money;
pub mod packed;
pub mod record;
pub mod remote_url;
pub mod report;
pub mod retry;
pub mod store;
pub mod time;
pub mod volume;
pub mod week;
pub mod zstd_frame;

pub use decision::{Decision, Judgement, Standing};
pub use event::{EffectKind, Event, Origin, Outcome};
pub use finding::{Finding, KeyRelation, Role, Severity, Verdict};
pub use findings::Findings;
pub use group::Group;
pub use language::Language;
pub use memory::{Changes, Memory};
pub use money::{Currency, Money};
pub use remote_url::{RemoteUrl, Scheme, UrlError};
pub use time::{Precision, Stamp};
