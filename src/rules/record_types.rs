//! Tables whose rows are no records yet: rows of several types, and records of several rows.

/// Rows say in their first cell what they are; those that are named nowhere are left out and counted.
#[derive(Debug)]
pub struct RecordTypes {
    /// Rows that name the columns of the data below them; without any, the columns are called 1, 2, 3 …
    pub header: Vec<String>,
    /// Rows that are records.
    pub data: Vec<String>,
    /// Rows whose second cell tells how many rows of data stand before them, since the last of their type.
    pub counts: Vec<String>,
}

/// A record is a row and those after it that lack the columns of a first row.
#[derive(Debug)]
pub struct Continues {
    /// Columns that are the same, or blank, in all rows of a record.
    pub key: Vec<String>,
    /// Columns that only the first row of a record fills; one of them is enough.
    pub filled: Vec<String>,
    /// Columns whose values of all rows are kept, joined by line ends.
    pub items: Vec<glob::Pattern>,
}
