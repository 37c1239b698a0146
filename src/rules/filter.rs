//! `where`: an SQL expression that a rule's events must satisfy. The only file that knows Polars.

use super::FieldRef;
use thiserror::Error;

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Filter {
    sql: String,
    fields: Vec<FieldRef>,
    expression: sql::Expression,
}

/// Why an expression cannot be used, or failed on a batch.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}; {help}")]
pub struct FilterError {
    pub message: String,
    pub help: String,
}

impl Filter {
    /// Checks an expression over the fields of these names.
    ///
    /// Errors: no SQL, a field that is not known, an expression that is not true or false for each record by itself; in a build
    /// without the feature `columnar`, always.
    pub fn parse(sql: &str, known: &[&str]) -> Result<Self, FilterError> {
        let (expression, fields) = sql::parse(sql, known)?;
        Ok(Self { sql: sql.to_owned(), fields, expression })
    }

    /// The expression as it is written.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The fields that it reads, in the order in which [`Filter::keep`] wants their columns.
    pub fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// For each record of a batch, whether it satisfies the expression; where the answer is NULL it does not. `columns` holds the
    /// values of [`Filter::fields`]: `amount` as decimal text in major units, which is compared exactly; `time` as RFC 3339 text in
    /// UTC, compared as text; everything else as text. Without fields there are no columns to tell how many records there are, so an
    /// expression always has one.
    ///
    /// Errors: columns of different lengths, an amount that is no decimal or has more than 38 digits, a value that a CAST refuses.
    pub fn keep(&self, columns: &[Vec<Option<String>>]) -> Result<Vec<bool>, FilterError> {
        sql::keep(&self.expression, &self.fields, columns)
    }
}

#[cfg(not(feature = "columnar"))]
mod sql {
    use super::{FieldRef, FilterError};

    /// There is none in this build.
    #[derive(Clone, Debug)]
    pub(super) enum Expression {}

    pub(super) fn parse(_: &str, _: &[&str]) -> Result<(Expression, Vec<FieldRef>), FilterError> {
        Err(FilterError {
            message: "this build cannot evaluate \"where\"".into(),
            help: "use a build with the feature columnar, or leave it out".into(),
        })
    }

    pub(super) fn keep(
        expression: &Expression,
        _: &[FieldRef],
        _: &[Vec<Option<String>>],
    ) -> Result<Vec<bool>, FilterError> {
        match *expression {}
    }
}
