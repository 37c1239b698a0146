//! Normalisers: how values are made comparable.

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Normaliser {
    Trim,
}
