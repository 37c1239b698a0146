//! twicelog: what took effect twice, told from the logs people already have.

pub mod domain;
pub mod engine;
pub mod judge;
pub mod report;
pub mod rules;
