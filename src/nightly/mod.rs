//! What stands between two runs: the decisions of people, the proof of what was read, the job that runs each night.

pub mod alert;
pub mod baseline;
pub mod metrics;
pub mod proof;
pub mod schedule;
