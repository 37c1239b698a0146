//! The files of a run: written beside their places first, named in the state, and put in place once the state is safe.

use super::StateError;
use super::folder::{self, sync_folder};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How far a file came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    /// It is being written under its staged name; its run has not committed.
    Begun,
    /// Its run has committed: it is what must stand in its place.
    Committed,
    /// It stands in its place.
    Published,
}

impl Publication {
    const ALL: [Self; 3] = [Self::Begun, Self::Committed, Self::Published];

    fn name(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Committed => "committed",
            Self::Published => "published",
        }
    }
}

/// A file of a run. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub target: PathBuf,
    /// Where it is written, in the same folder.
    pub staged: PathBuf,
    /// Lower-case hex; empty before it is written.
    pub sha256: String,
    pub publication: Publication,
}

impl Output {
    /// A file that is still to be written, by this run.
    pub fn begun(target: PathBuf, run_id: &str) -> Self {
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let staged = target.with_file_name(format!(".{name}.{run_id}.new"));
        Self { target, staged, sha256: String::new(), publication: Publication::Begun }
    }

    /// Puts it in its place; that it stands there already is fine.
    ///
    /// # Errors
    /// It cannot be put there, or is neither staged nor in its place.
    pub fn publish(&self) -> Result<(), StateError> {
        let trouble = |error: io::Error| StateError::not_written(&self.target, error);
        if digest(&self.staged).map_err(trouble)?.as_ref() == Some(&self.sha256) {
            return std::fs::rename(&self.staged, &self.target).map_err(trouble);
        }
        if digest(&self.target).map_err(trouble)?.as_ref() == Some(&self.sha256) {
            return folder::remove(&self.staged);
        }
        Err(StateError::not_written(&self.target, "what was written for it is gone; the next run writes it anew"))
    }

    /// Removes what was written of it, where it was not put in place.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn withdraw(&self) -> Result<(), StateError> {
        folder::remove(&self.staged)
    }
}

/// Makes the folders of outputs safe, each once.
pub(super) fn sync_folders(outputs: &[Output]) -> Result<(), StateError> {
    let folders: BTreeSet<&Path> = outputs.iter().filter_map(|output| output.target.parent()).collect();
    folders.into_iter().filter(|folder| folder.is_dir()).try_for_each(sync_folder)
}

/// SHA-256 of a plain file in lower-case hex; None where there is none.
fn digest(path: &Path) -> io::Result<Option<String>> {
    use sha2::{Digest, Sha256};
    if !std::fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file()) {
        return Ok(None);
    }
    let (mut file, mut hash, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())),
            length => hash.update(buffer.get(..length).unwrap_or_default()),
        }
    }
}

pub(super) fn read(database: &Connection, path: &Path) -> Result<Vec<Output>, StateError> {
    let rows = || {
        let mut rows = database.prepare("SELECT target, staged, sha256, publication FROM output ORDER BY id")?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        rows.collect::<rusqlite::Result<Vec<(String, String, String, String)>>>()
    };
    let rows = rows().map_err(|error| StateError::of_database(path, &error))?;
    let output = |(target, staged, sha256, publication): (String, String, String, String)| {
        let publication = Publication::ALL.into_iter().find(|known| known.name() == publication)?;
        Some(Output { target: target.into(), staged: staged.into(), sha256, publication })
    };
    rows.into_iter().map(output).collect::<Option<_>>().ok_or_else(|| StateError::damaged(path, "its outputs are damaged"))
}

/// Replaces the list of outputs.
pub(super) fn write(database: &Connection, outputs: &[Output], path: &Path) -> Result<(), StateError> {
    let trouble = |error: rusqlite::Error| StateError::of_database(path, &error);
    database.execute("DELETE FROM output", []).map_err(trouble)?;
    for Output { target, staged, sha256, publication } in outputs {
        let text = |path: &Path| {
            let text = path.to_str().map(str::to_owned);
            text.ok_or_else(|| StateError::refused(path, "is not Unicode, and a state cannot name it; write elsewhere"))
        };
        database
            .execute(
                "INSERT INTO output (target, staged, sha256, publication) VALUES (?1, ?2, ?3, ?4)",
                params![text(target)?, text(staged)?, sha256, publication.name()],
            )
            .map_err(trouble)?;
    }
    Ok(())
}
