//! A scan as a job that runs by itself: text for systemd, cron and Kubernetes, to be read, and then installed by whoever runs the machine.
//!
//! Each syntax quotes in its own way, and each expands other characters. An argument that a syntax cannot carry is refused, never bent.

mod cron;
mod kubernetes;
mod quote;
mod systemd;

use chrono::NaiveTime;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Who runs the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    Systemd,
    Cron,
    Kubernetes,
}

/// What is run, when and where.
#[derive(Clone, Debug)]
pub struct Job {
    /// Names files, units and objects: small letters, digits and dashes.
    pub name: String,
    /// The program, as the machine that runs the job finds it.
    pub program: String,
    /// Arguments of `twicelog scan`.
    pub arguments: Vec<String>,
    /// Where relative paths start; absolute.
    pub folder: PathBuf,
    /// Folders that the scan writes into; absolute.
    pub writes: Vec<PathBuf>,
    /// When it starts, each day.
    pub at: NaiveTime,
    /// Zone of `at`; None: the machine's.
    pub zone: Option<String>,
    /// The account that it runs under.
    pub user: String,
    /// Who gets mail from cron.
    pub mail: Option<String>,
    /// The container's image.
    pub image: String,
}

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFile {
    pub name: String,
    pub text: String,
}

/// Why a job cannot be written for a scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JobError {
    #[error("argument {0:?}: holds a control character, which {1} cannot carry; put it into the configuration")]
    Control(String, &'static str),
    #[error("folder {0:?}: {1} cannot name it; use one without quotes, control characters, and blanks or backslashes at its end")]
    Folder(String, &'static str),
    #[error("the line has {0} characters, more than cron takes; put some of the arguments into the configuration")]
    LongLine(usize),
    #[error("{0} takes no zone; leave out --zone, or set the zone of the machine")]
    Zone(&'static str),
}

/// The files of a job, ready to install.
///
/// # Errors
/// An argument or a path cannot be written in the scheduler's syntax.
pub fn files(job: &Job, scheduler: Scheduler) -> Result<Vec<JobFile>, JobError> {
    match scheduler {
        Scheduler::Systemd => systemd::files(job),
        Scheduler::Cron => cron::files(job),
        Scheduler::Kubernetes => kubernetes::files(job),
    }
}

/// A path as text; what is not Unicode would be bent by every syntax here.
fn path_text(path: &Path, syntax: &'static str) -> Result<String, JobError> {
    let refused = || JobError::Folder(path.to_string_lossy().into_owned(), syntax);
    let text = path.to_str().ok_or_else(refused)?;
    if text.chars().any(char::is_control) || text.ends_with([' ', '\\']) { Err(refused()) } else { Ok(text.to_owned()) }
}
