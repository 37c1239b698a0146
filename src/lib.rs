//! twicelog: what took effect twice, told from the logs people already have.
//!
//! The floor plan: [`domain`] is the ground, [`rules`] the first floor; [`read`], [`engine`], [`judge`], [`report`], [`nightly`] and [`state`]
//! are rooms side by side that never use each other; [`scan`] is where they meet. The command line is the roof, in the program.

pub mod domain;
pub mod engine;
pub mod judge;
pub mod nightly;
pub mod read;
pub mod report;
pub mod rules;
pub mod scan;
pub mod state;
pub mod synth;

pub use scan::scan;
