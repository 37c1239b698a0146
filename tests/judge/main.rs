//! The judge, from outside: groups in, findings out.

mod batches;
mod causes;
mod groups;
mod laws;
mod merging;
mod verdicts;
