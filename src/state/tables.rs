//! The tables of a state, and how its database is opened.

use super::StateError;
use super::header::{APPLICATION, PAGE, VERSION};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// How long SQLite waits for another process that looks at the state.
const PATIENCE: Duration = Duration::from_secs(10);

/// One statement for each table, exactly as SQLite keeps them. What a column called `sealed` holds is known by `sha256` beside it;
/// `state.whole` is the digest over everything else.
pub(super) const TABLES: [&str; 5] = [
    "CREATE TABLE state (id INTEGER PRIMARY KEY, identity BLOB NOT NULL, key_check BLOB NOT NULL, generation INTEGER NOT NULL, whole BLOB NOT NULL) STRICT",
    "CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT NOT NULL, plain BLOB NOT NULL, sha256 BLOB NOT NULL, sealed BLOB NOT NULL) STRICT",
    "CREATE TABLE night (generation INTEGER PRIMARY KEY, run_id TEXT NOT NULL, started TEXT NOT NULL, ended INTEGER NOT NULL, facts TEXT NOT NULL) STRICT",
    "CREATE TABLE output (id INTEGER PRIMARY KEY, target TEXT NOT NULL, staged TEXT NOT NULL, sha256 TEXT NOT NULL, publication TEXT NOT NULL) STRICT",
    "CREATE TABLE outbox (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, run_id TEXT NOT NULL, standing TEXT NOT NULL, sha256 BLOB NOT NULL, sealed BLOB NOT NULL) STRICT",
];

/// Opens a database that is there, whole or not at all.
pub(super) fn open(path: &Path) -> Result<Connection, StateError> {
    let connection = || -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let database = Connection::open_with_flags(path, flags)?;
        database.busy_timeout(PATIENCE)?;
        // The journal's removal is made safe too: a commit that was told of must outlive a power cut.
        database.pragma_update(None, "synchronous", "EXTRA")?;
        database.pragma_update(None, "temp_store", "MEMORY")?;
        database.pragma_update(None, "cell_size_check", true)?;
        database.pragma_update(None, "trusted_schema", false)?;
        Ok(database)
    };
    connection().map_err(|error| StateError::of_database(path, &error))
}

/// Makes the tables in an empty file.
pub(super) fn make(database: &Connection) -> rusqlite::Result<()> {
    database.pragma_update(None, "page_size", PAGE)?;
    database.pragma_update(None, "application_id", APPLICATION)?;
    database.pragma_update(None, "user_version", VERSION)?;
    TABLES.iter().try_for_each(|table| database.execute_batch(table))
}

/// Whether SQLite finds the file sound, with exactly our tables in it.
pub(super) fn are_sound(database: &Connection) -> rusqlite::Result<bool> {
    let verdict: String = database.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    let mut schema = database.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")?;
    let tables = schema.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(verdict == "ok" && tables == TABLES)
}
