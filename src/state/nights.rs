//! The nights that committed, each a row in ids and numbers.

use super::{StateError, outbox};
use crate::domain::finding::Exposure;
use crate::domain::memory::Changes;
use crate::domain::report::ChangeCounts;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Nights that stay listed.
const LISTED: u64 = 400;

/// A night that committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    pub generation: u64,
    pub run_id: String,
    /// RFC 3339, UTC.
    pub started: String,
    /// It came to its end: its outputs are in place, whoever had to be told was.
    pub ended: bool,
    pub facts: Facts,
}

/// A night in ids and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// What the reports of the night told as new, grown and so on. Of the last night only: the next one may have to tell of it once more.
    #[serde(default)]
    pub changes: Changes,
    /// Findings that a decision settled that night, ascending. Of the last night only.
    #[serde(default)]
    pub decided: Vec<String>,
    pub exit_code: u8,
    /// None of a night whose version did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<NightTotals>,
}

/// What a night came to, to be compared with the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightTotals {
    pub findings: u64,
    pub decided: u64,
    pub changes: ChangeCounts,
    pub exposure: Vec<Exposure>,
    /// Of the rules that judged.
    pub rules_sha256: String,
}

impl Facts {
    /// What stays of a night when the next one has committed. Ids of all that was told, kept for hundreds of nights, would outgrow
    /// everything else.
    fn of_the_past(self) -> Self {
        Self { changes: Changes::default(), decided: Vec::new(), ..self }
    }
}

/// The nights that are listed, ascending.
pub(super) fn read(tables: &Connection, database: &Path) -> Result<Vec<Night>, StateError> {
    let rows = || {
        let mut rows = tables.prepare("SELECT generation, run_id, started, ended, facts FROM night ORDER BY generation")?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
        rows.collect::<rusqlite::Result<Vec<(i64, String, String, bool, String)>>>()
    };
    let rows = rows().map_err(|error| StateError::of_database(database, &error))?;
    let night = |(generation, run_id, started, ended, facts): (i64, String, String, bool, String)| {
        let generation = u64::try_from(generation).ok()?;
        Some(Night { generation, run_id, started, ended, facts: serde_json::from_str(&facts).ok()? })
    };
    let nights: Option<Vec<Night>> = rows.into_iter().map(night).collect();
    nights.ok_or_else(|| StateError::damaged(database, "its nights are damaged"))
}

/// Adds a night that has not come to its end, and forgets what only the last one needs of those before it.
pub(super) fn add(tables: &Connection, night: &Night, database: &Path) -> Result<(), StateError> {
    let trouble = |error: rusqlite::Error| StateError::of_database(database, &error);
    let generation = outbox::number(night.generation, database)?;
    let forgotten = generation.saturating_sub_unsigned(LISTED);
    tables.execute("DELETE FROM night WHERE generation <= ?1", [forgotten]).map_err(trouble)?;
    let last = tables.query_row("SELECT max(generation) FROM night", [], |row| row.get::<_, Option<i64>>(0)).map_err(trouble)?;
    if let Some(last) = last {
        let of_last = "SELECT facts FROM night WHERE generation = ?1";
        let text: String = tables.query_row(of_last, [last], |row| row.get(0)).map_err(trouble)?;
        let facts: Facts = serde_json::from_str(&text).map_err(|_| StateError::damaged(database, "its nights are damaged"))?;
        let past = text_of(&facts.of_the_past(), database)?;
        tables.execute("UPDATE night SET facts = ?2 WHERE generation = ?1", params![last, past]).map_err(trouble)?;
    }
    let row = params![generation, night.run_id, night.started, text_of(&night.facts, database)?];
    let sql = "INSERT INTO night (generation, run_id, started, ended, facts) VALUES (?1, ?2, ?3, 0, ?4)";
    tables.execute(sql, row).map(drop).map_err(trouble)
}

fn text_of(facts: &Facts, database: &Path) -> Result<String, StateError> {
    serde_json::to_string(facts).map_err(|error| StateError::not_written(database, error))
}
