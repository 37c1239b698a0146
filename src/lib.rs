//! twicelog: what took effect twice, told from the logs people already have.

pub mod domain;
pub mod read;
pub mod rules;
