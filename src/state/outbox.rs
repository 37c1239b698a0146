//! The outbox: alerts that a run owes. Each is sent at most once, and none is lost without a word.

use super::StateError;
use super::digest::sha256;
use super::seal::Sealer;
use rusqlite::{Connection, params};
use std::path::Path;

/// Nights that an alert which was sent stays listed.
const LISTED: u64 = 30;

/// How an alert stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is still to be sent.
    Waiting,
    /// A run was about to send it. Found by another run, it means that the first was killed: it may have been sent, or not.
    Sending,
    Sent,
    /// Its command ended badly; somebody may have been told, or not.
    Failed,
    /// A run was killed while it sent it, and another run has told of that.
    Doubtful,
}

impl Standing {
    const ALL: [Self; 5] = [Self::Waiting, Self::Sending, Self::Sent, Self::Failed, Self::Doubtful];

    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Doubtful => "doubtful",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.name() == text)
    }
}

/// An alert in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub number: i64,
    /// The night that made it.
    pub generation: u64,
    pub run_id: String,
    pub standing: Standing,
    /// What is to be sent, in the words of whoever sends.
    pub content: Vec<u8>,
}

/// Every alert, in the order in which they were made.
pub(super) fn read(database: &Connection, sealer: &Sealer, path: &Path) -> Result<Vec<Letter>, StateError> {
    let rows = || {
        let mut rows = database.prepare("SELECT id, generation, run_id, standing, sha256, sealed FROM outbox ORDER BY id")?;
        let rows = rows.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?, row.get(4)?, row.get(5)?))
        })?;
        rows.collect::<rusqlite::Result<Vec<(i64, i64, String, String, Vec<u8>, Vec<u8>)>>>()
    };
    let rows = rows().map_err(|error| StateError::of_database(path, &error))?;
    let letter = |(number, generation, run_id, standing, digest, sealed): (i64, i64, String, String, Vec<u8>, Vec<u8>)| {
        let standing = Standing::parse(&standing)?;
        let content = if sha256(&sealed) == digest { sealer.open(&place(&run_id), &sealed)? } else { return None };
        Some(Letter { number, generation: u64::try_from(generation).ok()?, run_id, standing, content })
    };
    rows.into_iter().map(letter).collect::<Option<_>>().ok_or_else(|| StateError::damaged(path, "its outbox is damaged"))
}

/// Adds an alert, and forgets those that were sent long ago.
pub(super) fn add(
    database: &Connection,
    sealer: &Sealer,
    generation: u64,
    run_id: &str,
    content: &[u8],
    path: &Path,
) -> Result<(), StateError> {
    let sealed = sealer.seal(&place(run_id), content, path)?;
    let generation = number(generation, path)?;
    database
        .execute(
            "INSERT INTO outbox (generation, run_id, standing, sha256, sealed) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![generation, run_id, Standing::Waiting.name(), sha256(&sealed), sealed],
        )
        .map_err(|error| StateError::of_database(path, &error))?;
    Ok(())
}

/// Forgets alerts that were sent long before this night.
pub(super) fn forget_old(database: &Connection, generation: u64, path: &Path) -> Result<(), StateError> {
    let oldest = number(generation.saturating_sub(LISTED), path)?;
    database
        .execute("DELETE FROM outbox WHERE standing = ?1 AND generation < ?2", params![Standing::Sent.name(), oldest])
        .map(drop)
        .map_err(|error| StateError::of_database(path, &error))
}

/// What seals a letter to its run: another run's cannot stand in for it.
fn place(run_id: &str) -> String {
    format!("outbox/{run_id}")
}

/// A generation as SQLite holds numbers.
pub(super) fn number(generation: u64, path: &Path) -> Result<i64, StateError> {
    i64::try_from(generation).map_err(|_| StateError::damaged(path, "its generation is beyond counting"))
}
