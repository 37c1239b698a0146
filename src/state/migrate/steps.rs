//! The steps from each version of the tables to the next.

use super::Sealer;
use crate::domain::memory::{CarriedPart, SeenDay};
use crate::state::{StateError, digest, parts};
use rusqlite::{Transaction, params};
use serde_json::{Value, json};
use std::path::Path;

/// One step up.
pub(super) struct Step {
    /// The version that it takes; it makes the next one.
    pub from: u32,
    pub apply: fn(&Copy<'_>) -> Result<(), StateError>,
}

/// A step for every version before this one, ascending.
pub(super) const STEPS: [Step; 2] = [Step { from: 1, apply: from_1 }, Step { from: 2, apply: from_2 }];

/// The copy that a step changes.
pub(super) struct Copy<'c> {
    pub tables: Transaction<'c>,
    pub sealer: Sealer,
    pub table_key: [u8; 32],
    pub path: &'c Path,
}

impl Copy<'_> {
    pub fn trouble(&self, error: &rusqlite::Error) -> StateError {
        StateError::of_database(self.path, error)
    }

    fn damaged(&self, part: &str) -> StateError {
        StateError::damaged(self.path, format_args!("its part {part} is damaged"))
    }

    /// Changes what a sealed part holds as JSON.
    fn change_part(&self, name: &str, change: impl FnOnce(&mut Value) -> Option<()>) -> Result<(), StateError> {
        let content = self.part(name)?;
        let mut value: Value = serde_json::from_slice(&content).map_err(|_| self.damaged(name))?;
        change(&mut value).ok_or_else(|| self.damaged(name))?;
        let content = serde_json::to_vec(&value).map_err(|error| StateError::not_written(self.path, error))?;
        self.write_part(name, name, &content)
    }

    /// What a part holds.
    fn part(&self, name: &str) -> Result<Vec<u8>, StateError> {
        let read = self.tables.query_row("SELECT sealed FROM part WHERE name = ?1", [name], |row| row.get::<_, Vec<u8>>(0));
        let sealed = read.map_err(|error| self.trouble(&error))?;
        self.sealer.open(&parts::place(name), &sealed).ok_or_else(|| self.damaged(name))
    }

    /// Puts a part of another name, or of the same one, in the place of a part.
    fn write_part(&self, old: &str, name: &str, content: &[u8]) -> Result<(), StateError> {
        let sealed = self.sealer.seal(&parts::place(name), content, self.path)?;
        let plain = digest::of_plain(&self.table_key, name, content);
        let written = self.tables.execute(
            "UPDATE part SET name = ?2, plain = ?3, sha256 = ?4, sealed = ?5 WHERE name = ?1",
            params![old, name, plain, digest::sha256(&sealed), sealed],
        );
        written.map(drop).map_err(|error| self.trouble(&error))
    }

    /// Names of the parts that begin like this, ascending.
    fn parts_of(&self, kind: &str) -> Result<Vec<String>, StateError> {
        let names = || {
            let mut rows = self.tables.prepare("SELECT name FROM part ORDER BY name")?;
            rows.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
        };
        let names = names().map_err(|error| self.trouble(&error))?;
        Ok(names.into_iter().filter(|name| name.starts_with(kind)).collect())
    }
}

/// Version 2 knows findings by their attempts and not by a short hash of the first one, remembers the ids that they had, says whether their
/// records are carried, and keeps the latest times of a source. Attempts are learned when a finding is found the next time.
fn from_1(copy: &Copy<'_>) -> Result<(), StateError> {
    copy.change_part("memory", |memory| {
        for finding in memory.get_mut("findings")?.as_array_mut()? {
            let finding = finding.as_object_mut()?;
            finding.remove("first_record")?;
            let is_open = finding.get("status")? == "open";
            for (name, value) in [("attempts", json!([])), ("was", json!([])), ("now", Value::Null), ("held", json!(is_open))] {
                finding.insert(name.to_owned(), value);
            }
        }
        for source in memory.get_mut("sources")?.as_object_mut()?.values_mut() {
            let last = source.get("range")?.get(1).cloned();
            source.as_object_mut()?.insert("latest".to_owned(), Value::Array(last.into_iter().collect()));
        }
        Some(())
    })
}

/// Version 3 names parts by what they are for, and not by their number among others: where the first is forgotten, the others stay as they
/// are. Which days there are stands with all that is small, so that theirs need not be opened.
fn from_2(copy: &Copy<'_>) -> Result<(), StateError> {
    let mut days: Vec<Value> = Vec::new();
    let mut renamed: Vec<(String, String, Vec<u8>)> = Vec::new();
    for old in copy.parts_of(parts::SEEN)? {
        let content = copy.part(&old)?;
        let (day, hashes) = parts::split::<SeenDay>(&content).ok_or_else(|| copy.damaged(&old))?;
        renamed.push((old, parts::name_of_day(&copy.table_key, &day.source, day.day), hashes.to_vec()));
        days.push(json!({ "source": day.source, "day": day.day, "hashes": [] }));
    }
    for old in copy.parts_of(parts::CARRIED)? {
        let content = copy.part(&old)?;
        let (part, _) = parts::split::<CarriedPart>(&content).ok_or_else(|| copy.damaged(&old))?;
        renamed.push((old, parts::name_of_input(part.input), content));
    }
    // A number that one part gets may still be that of another.
    for (at, (old, _, _)) in renamed.iter().enumerate() {
        let free = copy.tables.execute("UPDATE part SET name = ?2 WHERE name = ?1", params![old, format!("between/{at}")]);
        free.map_err(|error| copy.trouble(&error))?;
    }
    for (at, (_, name, content)) in renamed.iter().enumerate() {
        copy.write_part(&format!("between/{at}"), name, content)?;
    }
    copy.change_part(parts::REST, |memory| {
        *memory.get_mut("seen")? = Value::Array(days);
        Some(())
    })
}
