//! The files of a run: written at once, or beside their places until the state is safe.

use super::exit::{Exit, Failure};
use super::interrupt::{self, Unfinished};
use super::output;
use super::written_beside::WrittenBeside;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use twicelog::state::Output;

/// Where files go.
pub enum Files {
    /// Each takes its place as soon as it is whole.
    AtOnce,
    /// Each waits beside its place. Devices and pipes have no such place, and are written at once.
    Staged { outputs: Vec<Output>, unfinished: Vec<Unfinished> },
}

impl Files {
    /// Files that wait, for these targets. No two runs stage under one name.
    pub fn staged(targets: &[PathBuf], run_id: &str) -> Self {
        let plain = targets.iter().filter(|target| !output::is_special(target));
        let absolute = plain.map(|target| std::path::absolute(target).unwrap_or_else(|_| target.clone()));
        let outputs: Vec<Output> = absolute.map(|target| Output::begun(target, run_id)).collect();
        let unfinished = outputs.iter().map(|output| Unfinished::at(output.staged.clone())).collect();
        Self::Staged { outputs, unfinished }
    }

    /// From now on a state tells what becomes of what waits, whoever interrupts the program.
    pub fn hand_over(&mut self) {
        if let Self::Staged { unfinished, .. } = self {
            unfinished.clear();
        }
    }

    /// Writes one of the files, for its owner alone.
    pub fn write(&mut self, path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send) -> Result<(), Failure> {
        self.write_each(vec![Job { path: path.to_owned(), write: Box::new(write) }])
    }

    /// Writes these files side by side, each for its owner alone; pipes and devices come last, because who reads them may keep them waiting.
    /// All are tried; the failure of the first that failed is told.
    pub fn write_each(&mut self, jobs: Vec<Job<'_>>) -> Result<(), Failure> {
        let mut waiting: Vec<&mut Output> = match self {
            Self::AtOnce => Vec::new(),
            Self::Staged { outputs, .. } => outputs.iter_mut().collect(),
        };
        let mut placed = Vec::with_capacity(jobs.len());
        for job in jobs {
            let absolute = std::path::absolute(&job.path).unwrap_or_else(|_| job.path.clone());
            let at = waiting.iter().position(|output| output.target == absolute);
            placed.push((job, at.map(|at| waiting.swap_remove(at))));
        }
        let (special, files): (Vec<_>, Vec<_>) = placed.into_iter().partition(|(job, _)| output::is_special(&job.path));
        let mut done: Vec<Result<(), Failure>> = files.into_par_iter().map(|(job, output)| job.done(output)).collect();
        done.extend(special.into_iter().map(|(job, output)| job.done(output)));
        done.into_iter().collect()
    }

    /// What waits.
    pub fn outputs(&self) -> &[Output] {
        match self {
            Self::AtOnce => &[],
            Self::Staged { outputs, .. } => outputs,
        }
    }

    /// Removes what waits. That some of it cannot be removed is left to the next run.
    pub fn withdraw(&self) {
        self.outputs().iter().for_each(|output| drop(output.withdraw()));
    }
}

/// Writes what belongs into a file.
type Content<'j> = dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'j;

/// A file, and what writes it.
pub struct Job<'j> {
    pub path: PathBuf,
    pub write: Box<Content<'j>>,
}

impl Job<'_> {
    /// Writes the file, or what waits in its place.
    fn done(self, waiting: Option<&mut Output>) -> Result<(), Failure> {
        let Self { path, write } = self;
        let Some(output) = waiting else { return output::to_file(&path, write) };
        output.sha256 = stage(&output.staged, write)
            .map_err(|error| Failure::new(Exit::NotWritten, format!("{}: cannot be written: {error}", path.display())))?;
        Ok(())
    }
}

/// Writes a file and makes it safe, with its folder: its name must be there when the state says so. The digest in lower-case hex.
fn stage(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = Digested { out: WrittenBeside::new(interrupt::make(|| options.open(path))?), digest: Sha256::new() };
    write(&mut out)?;
    out.out.finish()?;
    std::fs::File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(out.digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Takes the digest of what goes through.
struct Digested {
    out: WrittenBeside,
    digest: Sha256,
}

impl Write for Digested {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
