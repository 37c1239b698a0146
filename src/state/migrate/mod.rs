//! Bringing an older state up to this version: on a copy, which takes its place only when it is whole; the old one is kept.

mod steps;

use super::folder::{self, DATABASE, JOURNAL, KEY, NEW_DATABASE};
use super::header::{self, Journal, VERSION};
use super::key::Key;
use super::seal::Sealer;
use super::{Lock, StateError, digest, shelf, tables};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use steps::{Copy, STEPS, Step};

/// What became of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Migrated {
    /// It is of this version already.
    Current(u32),
    /// It was brought up; the old one is kept.
    From { version: u32, kept: PathBuf },
}

/// Brings the state up to this version.
///
/// # Errors
/// It is damaged or newer, or cannot be written; then it is as it was.
pub fn migrate(lock: &Lock, key: Option<&Path>) -> Result<Migrated, StateError> {
    by_steps(lock, key, &STEPS, VERSION)
}

fn by_steps(lock: &Lock, key: Option<&Path>, steps: &[Step], to: u32) -> Result<Migrated, StateError> {
    let folder = lock.folder();
    let (database, new) = (folder.file(DATABASE), folder.file(NEW_DATABASE));
    let journal = if folder.file(JOURNAL).exists() { Journal::Left } else { Journal::None };
    let version = header::version(&database, journal)?;
    if version == to {
        return Ok(Migrated::Current(version));
    }
    if version > to {
        return Err(StateError::Newer { place: database.display().to_string(), version });
    }
    let key_path = key.map_or_else(|| folder.file(KEY), Path::to_owned);
    let key = Key::read(&key_path)?.ok_or_else(|| {
        StateError::damaged_in(folder.path(), &key_path, "is not there; if the key lies elsewhere, name it with --state-key FILE")
    })?;
    let table_key = key.derived(shelf::TABLES);
    // Opened once, so that a cut-off transaction is taken back before the copy.
    let old = tables::open(&database)?;
    check(&old, &database, &table_key)?;
    drop(old);
    folder::remove(&new)?;
    let content = std::fs::read(&database).map_err(|error| StateError::unread(&database, &error))?;
    folder::write_new(&new, &content)?;
    let stepped = step_up(&new, steps, version, to, &key);
    if stepped.is_err() {
        folder::remove(&new)?;
    }
    stepped?;
    let kept = folder.file(&format!("{DATABASE}.version-{version}"));
    folder::remove(&kept)?;
    // A second name for the old one before its name is given to the new one: at no moment is there none.
    let swapped = std::fs::hard_link(&database, &kept).and_then(|()| std::fs::rename(&new, &database));
    swapped.map_err(|error| StateError::not_written(&database, error))?;
    folder.sync()?;
    Ok(Migrated::From { version, kept })
}

/// Looks at every byte that a step will carry over: what is sealed is not in the digest of the tables, but its own digest is.
fn check(old: &Connection, path: &Path, table_key: &[u8; 32]) -> Result<(), StateError> {
    let trouble = |error: rusqlite::Error| StateError::of_database(path, &error);
    if whole(old).map_err(trouble)? != digest::of_tables(old, table_key).map_err(trouble)? {
        return Err(StateError::damaged(path, "is not as it was written"));
    }
    let mut sealed =
        old.prepare("SELECT sha256, sealed FROM part UNION ALL SELECT sha256, sealed FROM outbox").map_err(trouble)?;
    let mut sealed = sealed.query([]).map_err(trouble)?;
    while let Some(row) = sealed.next().map_err(trouble)? {
        let (sha256, sealed) = (row.get::<_, Vec<u8>>(0).map_err(trouble)?, row.get::<_, Vec<u8>>(1).map_err(trouble)?);
        if digest::sha256(&sealed) != sha256 {
            return Err(StateError::damaged(path, "one of its sealed parts is damaged"));
        }
    }
    Ok(())
}

fn whole(database: &Connection) -> rusqlite::Result<Vec<u8>> {
    database.query_row("SELECT whole FROM state", [], |row| row.get(0))
}

fn step_up(path: &Path, steps: &[Step], from: u32, to: u32, key: &Key) -> Result<(), StateError> {
    let trouble = |error: rusqlite::Error| StateError::of_database(path, &error);
    let mut database = tables::open(path)?;
    let tables = database.transaction().map_err(trouble)?;
    let sealer = Sealer::new(key.derived(shelf::SEALING));
    let copy = Copy { tables, sealer, table_key: key.derived(shelf::TABLES), path };
    for version in from..to {
        let step = steps.iter().find(|step| step.from == version);
        let step =
            step.ok_or_else(|| StateError::damaged(path, format_args!("its version is {version}, which there never was")))?;
        (step.apply)(&copy)?;
    }
    let Copy { tables, table_key, .. } = copy;
    tables.pragma_update(None, "user_version", to).map_err(trouble)?;
    let whole = digest::of_tables(&tables, &table_key).map_err(trouble)?;
    tables.execute("UPDATE state SET whole = ?1", [whole]).map_err(trouble)?;
    tables.commit().map_err(trouble)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Folder, State};

    const NEXT: u32 = VERSION + 1;

    fn batch(copy: &Copy<'_>, sql: &str) -> Result<(), StateError> {
        copy.tables.execute_batch(sql).map_err(|error| copy.trouble(&error))
    }

    const UP: [Step; 1] =
        [Step { from: VERSION, apply: |copy| batch(copy, "ALTER TABLE night ADD COLUMN host TEXT NOT NULL DEFAULT ''") }];
    const FAILS: [Step; 1] = [Step { from: VERSION, apply: |copy| batch(copy, "DROP TABLE part; DROP TABLE gone") }];

    fn state(folder: &Path) -> Lock {
        let lock = || Lock::try_take(&Folder::make(folder).unwrap()).unwrap().unwrap();
        drop(State::open_or_make(lock(), None).unwrap());
        lock()
    }

    #[test]
    fn a_step_is_made_on_a_copy_and_the_old_state_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("state");
        let lock = state(&folder);
        assert_eq!(migrate(&lock, None).unwrap(), Migrated::Current(VERSION));
        let before = std::fs::read(folder.join(DATABASE)).unwrap();
        let Migrated::From { version: VERSION, kept } = by_steps(&lock, None, &UP, NEXT).unwrap() else { panic!("it was older") };
        assert!(std::fs::read(kept).unwrap() == before);
        assert_eq!(header::version(&folder.join(DATABASE), Journal::None).unwrap(), NEXT);
        assert!(matches!(State::open(lock, None), Err(StateError::Newer { version: NEXT, .. })), "this version leaves it alone");
    }

    #[test]
    fn a_step_that_fails_leaves_everything_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("state");
        let lock = state(&folder);
        let before = std::fs::read(folder.join(DATABASE)).unwrap();
        assert!(by_steps(&lock, None, &FAILS, NEXT).is_err());
        assert!(by_steps(&lock, None, &[], NEXT).is_err(), "a version without a step");
        assert!(std::fs::read(folder.join(DATABASE)).unwrap() == before);
        assert!(!folder.join(NEW_DATABASE).exists());
        State::open(lock, None).unwrap();
    }
}
