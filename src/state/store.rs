//! The state of one folder: opened under its lock, checked to the last byte, and changed in transactions that notice who came first.

use super::folder::{DATABASE, Folder, JOURNAL, KEY, NEW_DATABASE};
use super::header::{self, Journal};
use super::key::{self, Key};
use super::lock::Promise;
use super::outbox::{self, Letter, Standing};
use super::outputs::{self, Output, Publication};
use super::seal::Sealer;
use super::{Lock, StateError, digest, folder, parts, tables};
use crate::domain::finding::Exposure;
use crate::domain::memory::{Changes, Memory};
use crate::domain::report::ChangeCounts;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the keys are for that seal parts, and that go over all tables. They are those of every version.
pub(super) const SEALING: &str = "twicelog state: sealing, 1";
pub(super) const TABLES: &str = "twicelog state: tables, 1";

/// Nights that stay listed.
const LISTED: u64 = 400;

/// A state that this process holds the lock of.
pub struct State {
    lock: Lock,
    shelf: Shelf,
    /// Which state it is, and how far it had come when it was read.
    seen: Seen,
}

/// A state that was made anew in the place of another has another identity.
#[derive(Clone, PartialEq, Eq)]
struct Seen {
    identity: Vec<u8>,
    generation: u64,
}

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
    /// What the reports of the night told as new, grown and so on.
    pub changes: Changes,
    /// Findings that a decision settled that night, ascending.
    pub decided: Vec<String>,
    pub exit_code: u8,
    /// SHA-256 of the result, lower-case hex.
    pub result_sha256: String,
    pub bytes_of_memory: u64,
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

/// Where a state lies, and its keys.
struct Shelf {
    database: PathBuf,
    journal: PathBuf,
    key_path: PathBuf,
    sealer: Sealer,
    table_key: [u8; 32],
    hash_key: [u8; 32],
    key_check: Vec<u8>,
}

impl State {
    /// Opens a state, or makes it where there is none.
    ///
    /// # Errors
    /// What is there is damaged, of another version or not ours alone, or the key does not fit; or the state that was there is gone: every
    /// finding would be told of once more.
    pub fn open_or_make(lock: Lock, key: Option<&Path>) -> Result<(Self, Left), StateError> {
        let folder = lock.folder().clone();
        let database = folder.file(DATABASE);
        if folder::plain(&database)?.is_none() {
            if lock.promise() == Promise::Kept {
                return Err(StateError::damaged(&database, "is not there, though a state was kept in this folder"));
            }
            folder::remove(&folder.file(NEW_DATABASE))?;
            let path = key_path(&folder, key);
            let made = match Key::read(&path)? {
                Some(key) => key,
                None => Key::create(&path)?,
            };
            Shelf::new(&folder, key, &made).make(&folder)?;
        }
        Self::open(lock, key)
    }

    /// Looks at a state without holding it, and at what its identities are hashed with.
    ///
    /// # Errors
    /// As [`State::open`].
    pub fn look_with_key(folder: &Folder, key: Option<&Path>) -> Result<(Left, [u8; 32]), StateError> {
        let shelf = Shelf::with_key(folder, key)?;
        Ok((shelf.read()?.1, shelf.hash_key))
    }

    /// Opens a state that is there.
    ///
    /// # Errors
    /// As [`State::open_or_make`], and where there is none.
    pub fn open(mut lock: Lock, key: Option<&Path>) -> Result<(Self, Left), StateError> {
        let shelf = Shelf::with_key(lock.folder(), key)?;
        let (seen, left) = shelf.read()?;
        // A run that was stopped before it changed anything may have left it.
        folder::remove(&lock.folder().file(NEW_DATABASE))?;
        lock.keep()?;
        Ok((Self { lock, shelf, seen }, left))
    }

    /// Looks at a state without holding it.
    ///
    /// # Errors
    /// As [`State::open`].
    pub fn look(folder: &Folder, key: Option<&Path>) -> Result<Left, StateError> {
        Self::look_with_key(folder, key).map(|(left, _)| left)
    }

    /// The number of the night that is under way.
    pub fn night(&self) -> u64 {
        self.seen.generation + 1
    }

    pub fn folder(&self) -> &Folder {
        self.lock.folder()
    }

    /// The key for hashes of identities.
    pub fn hash_key(&self) -> [u8; 32] {
        self.shelf.hash_key
    }

    /// Names the files that this run will write, before it writes one: should it be killed, the next one clears them up.
    ///
    /// # Errors
    /// Another run came first, or the state cannot be written.
    pub fn begin(&self, outputs: &[Output]) -> Result<(), StateError> {
        self.change(|tables| outputs::write(tables, outputs, &self.shelf.database))
    }

    /// The one transaction of a night. `started` is RFC 3339, UTC; `letters` are the alerts that it owes.
    ///
    /// # Errors
    /// Another run came first, or the state cannot be written; then everything is as before.
    pub fn commit(&mut self, memory: Memory, night: &Night, outputs: &[Output], letters: &[Vec<u8>]) -> Result<(), StateError> {
        let database = &self.shelf.database;
        let content = parts::apart(memory).map_err(|error| StateError::not_written(database, error))?;
        let generation = outbox::number(night.generation, database)?;
        let facts = Facts { bytes_of_memory: content.values().map(|part| part.len() as u64).sum(), ..night.facts.clone() };
        let facts = serde_json::to_string(&facts).map_err(|error| StateError::not_written(database, error))?;
        self.change(|tables| {
            self.shelf.write_parts(tables, &content)?;
            outputs::write(tables, outputs, database)?;
            outbox::forget_old(tables, night.generation, database)?;
            letters.iter().try_for_each(|letter| {
                outbox::add(tables, &self.shelf.sealer, night.generation, &night.run_id, letter, database)
            })?;
            let write = || {
                tables.execute("DELETE FROM night WHERE generation <= ?1", [generation.saturating_sub_unsigned(LISTED)])?;
                tables.execute(
                    "INSERT INTO night (generation, run_id, started, ended, facts) VALUES (?1, ?2, ?3, 0, ?4)",
                    params![generation, night.run_id, night.started, facts],
                )?;
                tables.execute("UPDATE state SET generation = ?1", [generation])
            };
            write().map(drop).map_err(|error| StateError::of_database(database, &error))
        })?;
        self.seen.generation = night.generation;
        Ok(())
    }

    /// Puts the files of the last commit in their places.
    ///
    /// # Errors
    /// Another run came first; or one of them cannot be put there, which is told after the others are.
    pub fn publish(&self, outputs: &[Output]) -> Result<(), StateError> {
        // Whoever was overtaken must not put old files over new ones.
        self.shelf.check_header()?;
        self.refuse_overtaken(&tables::open(&self.shelf.database)?)?;
        let published: Vec<Result<(), StateError>> = outputs.iter().map(Output::publish).collect();
        outputs::sync_folders(outputs)?;
        let done = |(output, published): (&Output, &Result<(), StateError>)| {
            let publication = if published.is_ok() { Publication::Published } else { output.publication };
            Output { publication, ..output.clone() }
        };
        let done: Vec<Output> = outputs.iter().zip(&published).map(done).collect();
        self.change(|tables| outputs::write(tables, &done, &self.shelf.database))?;
        published.into_iter().collect()
    }

    /// Notes how an alert stands.
    ///
    /// # Errors
    /// Another run came first, or the state cannot be written.
    pub fn mark(&self, letter: i64, standing: Standing) -> Result<(), StateError> {
        self.update("UPDATE outbox SET standing = ?2 WHERE id = ?1", params![letter, standing.name()])
    }

    /// Takes an alert out of the outbox.
    ///
    /// # Errors
    /// As [`State::mark`].
    pub fn forget(&self, letter: i64) -> Result<(), StateError> {
        self.update("DELETE FROM outbox WHERE id = ?1", params![letter])
    }

    /// Every alert, as it stands now.
    ///
    /// # Errors
    /// The state is damaged, or cannot be read.
    pub fn letters(&self) -> Result<Vec<Letter>, StateError> {
        outbox::read(&tables::open(&self.shelf.database)?, &self.shelf.sealer, &self.shelf.database)
    }

    /// The night has come to its end.
    ///
    /// # Errors
    /// As [`State::mark`].
    pub fn end(&self) -> Result<(), StateError> {
        self.update("UPDATE night SET ended = 1", [])
    }

    /// Gives room back that the database no longer needs, and forgets alerts that were sent and nights but the last.
    ///
    /// # Errors
    /// As [`State::mark`].
    pub fn prune(&self) -> Result<(), StateError> {
        self.update("DELETE FROM outbox WHERE standing = ?1", [Standing::Sent.name()])?;
        self.update("DELETE FROM night WHERE generation < (SELECT generation FROM state)", [])?;
        let database = tables::open(&self.shelf.database)?;
        database.execute_batch("VACUUM").map_err(|error| StateError::of_database(&self.shelf.database, &error))
    }

    fn update(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), StateError> {
        self.change(|tables| {
            tables.execute(sql, values).map(drop).map_err(|error| StateError::of_database(&self.shelf.database, &error))
        })
    }

    /// One transaction on what this process has read. It opens the database by its name: whoever put another there came first.
    fn change(&self, apply: impl FnOnce(&Transaction) -> Result<(), StateError>) -> Result<(), StateError> {
        let path = &self.shelf.database;
        let trouble = |error: rusqlite::Error| StateError::of_database(path, &error);
        self.shelf.check_header()?;
        let mut database = tables::open(path)?;
        let tables = database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(trouble)?;
        self.refuse_overtaken(&tables)?;
        apply(&tables)?;
        self.shelf.seal_whole(&tables)?;
        tables.commit().map_err(trouble)
    }

    fn refuse_overtaken(&self, tables: &Connection) -> Result<(), StateError> {
        let overtaken = self.shelf.sealed(tables)? != self.seen;
        if overtaken { Err(StateError::Overtaken(self.folder().path().display().to_string())) } else { Ok(()) }
    }
}

impl Shelf {
    fn new(folder: &Folder, path: Option<&Path>, key: &Key) -> Self {
        Self {
            database: folder.file(DATABASE),
            journal: folder.file(JOURNAL),
            key_path: key_path(folder, path),
            sealer: Sealer::new(key.derived(SEALING)),
            table_key: key.derived(TABLES),
            hash_key: key.derived("twicelog state: identities, 1"),
            key_check: key.derived("twicelog state: which key, 1").to_vec(),
        }
    }

    fn with_key(folder: &Folder, key: Option<&Path>) -> Result<Self, StateError> {
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

    fn check_header(&self) -> Result<(), StateError> {
        header::check(&self.database, journal(&self.journal))
    }

    /// A database with nothing in it, made beside its place.
    fn make(&self, folder: &Folder) -> Result<(), StateError> {
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
        self.write_parts(&made, &parts::apart(Memory::default()).map_err(|error| StateError::not_written(&path, error))?)?;
        self.seal_whole(&made)?;
        made.commit().map_err(trouble)?;
        drop(database);
        std::fs::rename(&path, &self.database).map_err(|error| StateError::not_written(&self.database, error))?;
        folder.sync()
    }

    /// Which state it is, and how far it has come, once the tables are as this key sealed them.
    fn sealed(&self, tables: &Connection) -> Result<Seen, StateError> {
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

    fn seal_whole(&self, tables: &Connection) -> Result<(), StateError> {
        let whole = self.whole(tables)?;
        let written = tables.execute("UPDATE state SET whole = ?1", [whole]);
        written.map(drop).map_err(|error| StateError::of_database(&self.database, &error))
    }

    /// Everything, after a look at everything.
    fn read(&self) -> Result<(Seen, Left), StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut database = tables::open(&self.database)?;
        let tables = database.transaction().map_err(trouble)?;
        if !tables::are_sound(&tables).map_err(trouble)? {
            return Err(StateError::damaged(&self.database, "is damaged within"));
        }
        // What a transaction that was cut off had written is taken back by now.
        self.check_header()?;
        let seen = self.sealed(&tables)?;
        let memory = parts::together(self.read_parts(&tables)?)
            .ok_or_else(|| StateError::damaged(&self.database, "its parts do not make a memory"))?;
        let left = Left {
            generation: seen.generation,
            memory,
            nights: self.read_nights(&tables)?,
            outputs: outputs::read(&tables, &self.database)?,
            letters: outbox::read(&tables, &self.sealer, &self.database)?,
        };
        Ok((seen, left))
    }

    fn read_parts(&self, tables: &Connection) -> Result<BTreeMap<String, Vec<u8>>, StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut parts = BTreeMap::new();
        let mut rows = tables.prepare("SELECT name, sha256, sealed FROM part").map_err(trouble)?;
        let mut rows = rows.query([]).map_err(trouble)?;
        while let Some(row) = rows.next().map_err(trouble)? {
            let columns = || Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?, row.get_ref(2)?.as_blob()?));
            let (name, sha256, sealed) = columns().map_err(trouble)?;
            let content = if digest::sha256(sealed) == sha256 { self.sealer.open(&place(&name), sealed) } else { None };
            let content =
                content.ok_or_else(|| StateError::damaged(&self.database, format_args!("its part {name} is damaged")))?;
            parts.insert(name, content);
        }
        Ok(parts)
    }

    fn write_parts(&self, tables: &Connection, content: &BTreeMap<String, Vec<u8>>) -> Result<(), StateError> {
        let trouble = |error: rusqlite::Error| StateError::of_database(&self.database, &error);
        let mut there = {
            let mut rows = tables.prepare("SELECT name, id, plain FROM part").map_err(trouble)?;
            let rows = rows.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))).map_err(trouble)?;
            rows.collect::<rusqlite::Result<BTreeMap<String, (i64, Vec<u8>)>>>().map_err(trouble)?
        };
        for (name, content) in content {
            let plain = digest::of_plain(&self.table_key, name, content);
            let id = match there.remove(name) {
                Some((_, before)) if before == plain => continue,
                before => before.map(|(id, _)| id),
            };
            let sealed = self.sealer.seal(&place(name), content, &self.database)?;
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

    fn read_nights(&self, tables: &Connection) -> Result<Vec<Night>, StateError> {
        let rows = || {
            let mut rows = tables.prepare("SELECT generation, run_id, started, ended, facts FROM night ORDER BY generation")?;
            let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
            rows.collect::<rusqlite::Result<Vec<(i64, String, String, bool, String)>>>()
        };
        let rows = rows().map_err(|error| StateError::of_database(&self.database, &error))?;
        let night = |(generation, run_id, started, ended, facts): (i64, String, String, bool, String)| {
            let generation = u64::try_from(generation).ok()?;
            Some(Night { generation, run_id, started, ended, facts: serde_json::from_str(&facts).ok()? })
        };
        let nights: Option<Vec<Night>> = rows.into_iter().map(night).collect();
        nights.ok_or_else(|| StateError::damaged(&self.database, "its nights are damaged"))
    }
}

/// What seals a part to its place.
pub(super) fn place(part: &str) -> String {
    format!("part/{part}")
}

fn key_path(folder: &Folder, key: Option<&Path>) -> PathBuf {
    key.map_or_else(|| folder.file(KEY), Path::to_owned)
}

fn journal(path: &Path) -> Journal {
    if path.exists() { Journal::Left } else { Journal::None }
}

/// What became of a state that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aside {
    /// It is kept under this name.
    Kept(PathBuf),
    /// It was gone already; that there was one is forgotten.
    Gone,
}

/// Puts a state aside, whatever it is, so that the next run begins anew: it is kept under a name of its own, never removed. The name tells
/// `when`.
///
/// # Errors
/// It cannot be renamed.
pub fn set_aside(lock: &Lock, when: &str) -> Result<Aside, StateError> {
    let folder = lock.folder();
    let database = folder.file(DATABASE);
    let aside = folder.file(&format!("{DATABASE}.{when}"));
    if aside.exists() {
        return Err(StateError::not_written(&aside, "is there already"));
    }
    // A cut-off transaction belongs to it.
    let journal = folder.file(JOURNAL);
    if journal.exists() {
        let aside = folder.file(&format!("{DATABASE}.{when}-journal"));
        std::fs::rename(&journal, &aside).map_err(|error| StateError::not_written(&journal, error))?;
    }
    if !database.exists() {
        lock.forget()?;
        return Ok(Aside::Gone);
    }
    std::fs::rename(&database, &aside).map_err(|error| StateError::not_written(&database, error))?;
    folder.sync()?;
    lock.forget()?;
    Ok(Aside::Kept(aside))
}
