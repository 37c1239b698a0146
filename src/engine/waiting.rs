//! Events that wait for the filter of their rule, which is asked about a whole block at once.

use super::keyer::{Found, Play, Viewed, Work};
use super::row::Row;
use crate::rules::filter::Filter;

/// Events of one block and one rule with a filter.
#[derive(Default)]
pub struct Waiting {
    /// What the filter looks at.
    pub columns: Vec<Vec<Option<String>>>,
    pub events: Vec<(Caught, Play)>,
}

/// The rows of one event under one rule; none where it fills none of the rule's fields.
#[derive(Clone, Copy)]
pub struct Caught {
    pub by_fingerprint: Option<Row>,
    pub by_key: Option<Row>,
}

impl Caught {
    pub fn is_any(&self) -> bool {
        self.by_fingerprint.is_some() || self.by_key.is_some()
    }
}

impl Waiting {
    pub fn put(&mut self, filter: &Filter, viewed: &Viewed<'_, '_>, rows: Caught, play: Play, work: &mut Work) {
        let fields = &filter.fields;
        self.columns.resize(fields.len(), Vec::new());
        for (column, field) in self.columns.iter_mut().zip(fields) {
            let found = Found::in_source(field, viewed.mapper.source);
            column.push(viewed.text_of(found, &mut work.text).map(str::to_owned));
        }
        self.events.push((rows, play));
    }
}
