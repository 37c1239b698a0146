//! Where a state lies: its database under its keys, looked at to the last byte before anything of it is believed.

use super::folder::{DATABASE, Folder, JOURNAL, KEY, NEW_DATABASE};
use super::header::{self, Journal};
use super::key::{self, Key};
use super::nights::{self, Night};
use super::outbox::{self, Letter};
use super::outputs::{self, Output};
use super::parts::{self, Content, SealedPart};
use super::seal::Sealer;
use super::{StateError, digest, folder, tables};
use crate::domain::memory::Memory;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the keys are for that seal parts, and that go over all tables. They are those of every version.
pub(super) const SEALING: &str = "twicelog state: sealing, 1";
pub(super) const TABLES: &str = "twicelog state: tables, 1";

/// What the runs before left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Left {
    /// Nights that committed; 0 before the first.
    pub generation: u64,
    pub memory: Memory,
    /// The last ones, ascending.
    pub nights: Vec<Night>,
    pub outputs: Vec<Output>,
    pub letters: Vec<Letter>,
}

/// A state that was made anew in the place of another has another identity.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Seen {
    identity: Vec<u8>,
    pub generation: u64,
}

/// Where a state lies, and its keys.
pub(super) struct Shelf {
    pub database: PathBuf,
    journal: PathBuf,
    key_path: PathBuf,
    pub sealer: Arc<Sealer>,
    pub table_key: [u8; 32],
    pub hash_key: [u8; 32],
    key_check: Vec<u8>,
}

impl Shelf {
    pub fn new(folder: &Folder, path: Option<&Path>, key: &Key) -> Self {
        Self {
            database: folder.file(DATABASE),
            journal: folder.file(JOURNAL),
            key_path: key_path(folder, path),
            sealer: Arc::new(Sealer::new(key.derived(SEALING))),
            table_key: key.derived(TABLES),
            hash_key: key.derived("twicelog state: identities, 1"),
            key_check: key.derived("twicelog state: which key, 1").to_vec(),
        }
    }

    pub fn with_key(folder: &Folder, key: Option<&Path>) -> Result<Self, StateError> {
        let path = key_path(folder, key);
        let shelf = |found: &Key| Self::new(folder, key, found);
        // Of a file that is no state this is told, and not that it has no key.
        let database = folder.file(DATABASE);
        header::check(&database, journal(&folder.file(JOURNAL)))?;
        let found = Key::read(&path).map_err(|error| match error {
            StateError::Damaged { what, .. } => StateError::damaged_in(
                folder.path(),
                &path,
                format_args!("{what}; name the one that the state was made with: --state-key FILE"),
            ),
            other => other,
        })?;
        found.as_ref().map(shelf).ok_or_else(|| {
            let what = format_args!(
                "is not there, and nothing of {} can be read without it; if the key lies elsewhere, name it with --state-key FILE; if it is lost, \
                 so is the state",
                database.display()
            );
            StateError::damaged_in(folder.path(), &path, what)
        })
    }

    pub fn check_header(&self) -> Result<(), StateError> {
        header::check(&self.database, journal(&self.journal))
    }

    /// A database with nothing in it, made beside its place.
    pub fn make(&self, folder: &Folder) -> Result<(), StateError> {
        let path = folder.file(NEW_DATABASE);
        folder::write_new(&path, &[])?;
        let identity: [u8; 16] = key::random(&path)?;
        let trouble = |error: rusqlite::Error| StateError::of_database(&path, &error);
        let mut database = tables::open(&path)?;
        tables::make(&database).map_err(trouble)?;
        let made = database.transaction().map_err(trouble)?;
        made.execute(
            "INSERT INTO state (id, identity, key_check, generation, whole) VALUES (1, ?1, ?2, 0, x'')",
            params![identity, self.key_check],
        )
        .map_err(trouble)?;
        let nothing = parts::apart(Memory::default(), &self.table_key);
        self.write_parts(&made, &nothing.map_err(|error| StateError::not_written(&path, error))?)?;
        self.seal_whole(&made)?;
        made.commit().map_err(trouble)?;
        drop(database);
        std::fs::rename(&path, &self.database).map_err(|error| StateError::not_written(&self.database, error))?;
        folder.sync()
    }

    /// Which state it is, and how far it has come, once the tables are as this key sealed them.
    pub fn sealed(&self, tables: &Connection) -> Result<Seen, StateError> {
        let row = tables
            .query_row("SELECT key_check, identity, generation, whole FROM state", [], |row| {
                let (identity, generation): (Vec<u8>, i64) = (row.get(1)?, row.get(2)?);
                Ok((row.get::<_, Vec<u8>>(0)?, identity, generation, row.get::<_, Vec<u8>>(3)?))
            })
            .optional()
            .map_err(|error| StateError::of_database(&self.database, &error))?;
        let damaged = |what: &str| StateError::damaged(&self.database, what);
        let (key_check, identity, generation, whole) = row.ok_or_else(|| damaged("its table of states is empty"))?;
        if whole != self.whole(tables)? {
            let of_another_key = format!(
                "is not of the key in {}, or damaged; if it was made with another key, name that one with --state-key FILE",
                self.key_path.display()
            );
            let what = if key_check == self.key_check { "is not as it was written" } else { of_another_key.as_str() };
            return Err(damaged(what));
        }
        let generation = u64::try_from(generation).map_err(|_| damaged("its generation is below 0"))?;
        Ok(Seen { identity, generation })
    }

    fn whole(&self, tables: &Connection) -> Result<[u8; 32], StateError> {
        digest::of_tables(tables, &self.table_key).map_err(|error| StateError::of_database(&self.database, &error))
    }

    pub fn seal_whole(&self, tables: &Connection) -> Result<(), StateError> {
        let whole = self.whole(tables)?;
        let written = tables.execute("UPDATE state SET whole = ?1", [whole]);
        written.map(drop).map_err(|error| StateError::of_database(&self.database, &error))
    }

    /// Everything, after a look at everything.
    pub fn read(&self) -> Result<(Seen, Left), StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut database = tables::open(&self.database)?;
        let tables = database.transaction().map_err(trouble)?;
        if !tables::are_sound(&tables).map_err(trouble)? {
            return Err(StateError::damaged(&self.database, "is damaged within"));
        }
        // What a transaction that was cut off had written is taken back by now.
        self.check_header()?;
        let seen = self.sealed(&tables)?;
        let memory = parts::together(self.read_parts(&tables)?, &self.table_key)
            .ok_or_else(|| StateError::damaged(&self.database, "its parts do not make a memory"))?;
        let left = Left {
            generation: seen.generation,
            memory,
            nights: nights::read(&tables, &self.database)?,
            outputs: outputs::read(&tables, &self.database)?,
            letters: outbox::read(&tables, &self.sealer, &self.database)?,
        };
        Ok((seen, left))
    }

    fn read_parts(&self, tables: &Connection) -> Result<BTreeMap<String, SealedPart>, StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut parts = BTreeMap::new();
        let mut rows = tables.prepare("SELECT name, plain, sha256, sealed FROM part").map_err(trouble)?;
        let mut rows = rows.query([]).map_err(trouble)?;
        while let Some(row) = rows.next().map_err(trouble)? {
            let columns = || Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?, row.get::<_, Vec<u8>>(3)?));
            let (name, plain, sha256, sealed) = columns().map_err(trouble)?;
            if digest::sha256(&sealed) != sha256 {
                return Err(StateError::damaged(&self.database, format_args!("its part {name} is damaged")));
            }
            let sealer = Arc::clone(&self.sealer);
            parts.insert(name.clone(), SealedPart { name, plain, sealed, sealer });
        }
        Ok(parts)
    }

    /// Writes those parts that are not there as they are to be, and removes those that are not wanted.
    pub fn write_parts(&self, tables: &Connection, content: &BTreeMap<String, Content>) -> Result<(), StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut there = {
            let mut rows = tables.prepare("SELECT name, id, plain FROM part").map_err(trouble)?;
            let rows = rows.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))).map_err(trouble)?;
            rows.collect::<rusqlite::Result<BTreeMap<String, (i64, Vec<u8>)>>>().map_err(trouble)?
        };
        for (name, content) in content {
            let lost = || StateError::damaged(&self.database, format_args!("its part {name} is damaged"));
            let plain = content.digest(&self.table_key, name).ok_or_else(lost)?;
            let id = match there.remove(name) {
                Some((_, before)) if before == plain => continue,
                before => before.map(|(id, _)| id),
            };
            let sealed = self.sealer.seal(&parts::place(name), &content.bytes().ok_or_else(lost)?, &self.database)?;
            tables
                .execute(
                    "INSERT OR REPLACE INTO part (id, name, plain, sha256, sealed) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![id, name, plain, digest::sha256(&sealed), sealed],
                )
                .map_err(trouble)?;
        }
        for (id, _) in there.into_values() {
            tables.execute("DELETE FROM part WHERE id = ?1", [id]).map_err(trouble)?;
        }
        Ok(())
    }
}

pub(super) fn key_path(folder: &Folder, key: Option<&Path>) -> PathBuf {
    key.map_or_else(|| folder.file(KEY), Path::to_owned)
}

fn journal(path: &Path) -> Journal {
    if path.exists() { Journal::Left } else { Journal::None }
}
