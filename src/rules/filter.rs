//! `where`: an SQL expression that a rule's events must satisfy.

/// A checked expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    pub sql: String,
}
