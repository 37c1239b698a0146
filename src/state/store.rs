//! The state of one folder: opened under its lock, and changed in transactions that notice who came first.

use super::folder::{DATABASE, Folder, NEW_DATABASE};
use super::key::{self, Key};
use super::lock::Promise;
use super::nights::{self, Night};
use super::outbox::{self, Letter, Standing};
use super::outputs::{self, Output, Publication};
use super::shelf::{Left, Seen, Shelf, key_path};
use super::{Lock, StateError, folder, parts, tables};
use crate::domain::memory::Memory;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};

/// A state that this process holds the lock of.
pub struct State {
    lock: Lock,
    shelf: Shelf,
    /// Which state it is, and how far it had come when it was read.
    seen: Seen,
    made: Made,
}

/// What of a state was not there before.
enum Made {
    Nothing,
    /// All of it, and this key.
    State {
        key: Option<PathBuf>,
    },
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
            let (of_state, made) = match Key::read(&path)? {
                Some(key) => (key, None),
                None => (Key::create(&path)?, Some(path)),
            };
            Shelf::new(&folder, key, &of_state).make(&folder)?;
            let (state, left) = Self::open(lock, key)?;
            return Ok((Self { made: Made::State { key: made }, ..state }, left));
        }
        Self::open(lock, key)
    }

    /// Takes back a state that was made with this, as long as no night was committed to it: whoever made a mistake finds nothing left of it.
    /// What was there before stays.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn abandon(self) -> Result<(), StateError> {
        let Made::State { key } = &self.made else { return Ok(()) };
        let tables = tables::open(&self.shelf.database)?;
        match self.refuse_overtaken(&tables) {
            Ok(()) if self.seen.generation == 0 => {}
            // Another run has been here, or this one has committed.
            Ok(()) | Err(StateError::Overtaken(_)) => return Ok(()),
            Err(error) => return Err(error),
        }
        // Nobody else knows of the files that this run has begun.
        outputs::read(&tables, &self.shelf.database)?.iter().try_for_each(Output::withdraw)?;
        drop(tables);
        // In this order: whenever it is stopped, what is left is a state, or one that never was.
        self.lock.forget()?;
        folder::remove(&self.shelf.database)?;
        key.as_deref().map_or(Ok(()), folder::remove)?;
        self.lock.remove_made()
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
        key::clear(&key_path(lock.folder(), key))?;
        lock.keep()?;
        Ok((Self { lock, shelf, seen, made: Made::Nothing }, left))
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
        let content = parts::apart(memory, &self.shelf.table_key).map_err(|error| StateError::not_written(database, error))?;
        self.change(|tables| {
            self.shelf.write_parts(tables, &content)?;
            outputs::write(tables, outputs, database)?;
            outbox::forget_old(tables, night.generation, database)?;
            letters.iter().try_for_each(|letter| {
                outbox::add(tables, &self.shelf.sealer, night.generation, &night.run_id, letter, database)
            })?;
            nights::add(tables, night, database)?;
            let generation = outbox::number(night.generation, database)?;
            let written = tables.execute("UPDATE state SET generation = ?1", [generation]);
            written.map(drop).map_err(|error| StateError::of_database(database, &error))
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
