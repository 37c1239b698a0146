//! One digest over everything in the tables: SQLite has no checksums of its own, and would hand out a damaged value.

use super::key;
use hmac::{Hmac, Mac};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

/// Columns that are not gone through: the digest itself, and what has a digest beside it.
const LEFT_OUT: [&str; 2] = ["whole", "sealed"];

/// HMAC-SHA-256 over every table, every row, every value, with their types and lengths: no two contents have one text. Works for the tables
/// of every version.
pub(super) fn of_tables(database: &Connection, key: &[u8; 32]) -> rusqlite::Result<[u8; 32]> {
    let mut mac = key::mac(key);
    let mut tables = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
    let tables = tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    for table in tables {
        let (name, sql) = table?;
        take(&mut mac, b'n', sql.as_bytes());
        rows(database, &name, &mut mac)?;
    }
    Ok(mac.finalize().into_bytes().into())
}

fn rows(database: &Connection, table: &str, mac: &mut Hmac<Sha256>) -> rusqlite::Result<()> {
    let all = database.prepare(&format!("SELECT * FROM \"{table}\""))?;
    let columns: Vec<String> =
        all.column_names().filter(|name| !LEFT_OUT.contains(name)).map(|name| format!("\"{name}\"")).collect();
    let mut wanted = database.prepare(&format!("SELECT {} FROM \"{table}\" ORDER BY rowid", columns.join(", ")))?;
    let mut rows = wanted.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns.len() {
            match row.get_ref(column)? {
                ValueRef::Null => take(mac, b'0', &[]),
                ValueRef::Integer(number) => take(mac, b'i', &number.to_le_bytes()),
                ValueRef::Real(number) => take(mac, b'r', &number.to_bits().to_le_bytes()),
                ValueRef::Text(text) => take(mac, b't', text),
                ValueRef::Blob(bytes) => take(mac, b'b', bytes),
            }
        }
    }
    Ok(())
}

fn take(mac: &mut Hmac<Sha256>, kind: u8, bytes: &[u8]) {
    mac.update(&[kind]);
    mac.update(&(bytes.len() as u64).to_le_bytes());
    mac.update(bytes);
}

/// SHA-256 of bytes, as a column holds it.
pub(super) fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

/// A digest of what a part holds that tells nothing of it: to see, without opening it, that it is the same as the night before.
pub(super) fn of_plain(key: &[u8; 32], name: &str, content: &[u8]) -> Vec<u8> {
    let mut mac = key::mac(key);
    take(&mut mac, b'p', name.as_bytes());
    take(&mut mac, b'c', content);
    mac.finalize().into_bytes().to_vec()
}

/// What tells a day of a source from all others, and tells nothing of it: 32 hex digits.
pub(super) fn of_day(key: &[u8; 32], source: &str, day: i32) -> String {
    let mut mac = key::mac(key);
    take(&mut mac, b's', source.as_bytes());
    take(&mut mac, b'd', &day.to_le_bytes());
    mac.finalize().into_bytes().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
