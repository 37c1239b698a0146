//! The judge, from outside: groups in, findings out.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

mod batches;
mod causes;
mod groups;
mod laws;
mod merging;
mod verdicts;
