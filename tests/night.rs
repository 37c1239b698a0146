//! Nights: what is new is read, what is open is carried, and whatever is cut at whichever night is found once.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "night/cost.rs"]
mod cost;
#[path = "night/cut.rs"]
mod cut;
#[path = "night/kept.rs"]
mod kept;
#[path = "laws/log.rs"]
mod log;
#[path = "night/matrix.rs"]
mod matrix;
#[path = "night/nights.rs"]
mod nights;
#[cfg(feature = "parquet")]
#[path = "night/parquet.rs"]
mod parquet_files;
#[path = "night/rewritten.rs"]
mod rewritten;
#[path = "night/rotated.rs"]
mod rotated;
#[path = "night/undone.rs"]
mod undone;
#[path = "support/workbook.rs"]
mod workbook;
