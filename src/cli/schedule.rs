//! `twicelog schedule`: a scan as a job for systemd, cron or Kubernetes, printed for whoever installs it.

use super::args::{Cli, Command, ScanArgs};
use super::exit::{Exit, Failure};
use super::nightly_args::ScheduleArgs;
use super::output;
use super::proof;
use super::scan;
use clap::Parser;
use std::path::{Path, PathBuf};
use twicelog::nightly::schedule::{self, Job, Scheduler};

/// Where a container finds the exports.
const IN_CONTAINER: &str = "/data";

pub fn run(args: &ScheduleArgs) -> Result<Exit, Failure> {
    let scan = scan_args(&args.scan)?;
    let scheduler = args.scheduler();
    let folder = folder(args, scheduler)?;
    let job = Job {
        name: args.name.clone(),
        program: program(args, scheduler)?,
        arguments: args.scan.clone(),
        writes: folders(&scan, &folder),
        folder,
        at: args.at,
        zone: args.zone.map(|zone| zone.name().to_owned()),
        user: args.user.clone(),
        mail: args.mail.clone(),
        image: args.image.clone().unwrap_or_else(|| concat!("twicelog:", env!("CARGO_PKG_VERSION")).to_owned()),
    };
    let files = schedule::files(&job, scheduler).map_err(|error| Failure::new(Exit::Usage, error))?;
    match &args.into {
        Some(into) => {
            output::folder(into)?;
            for file in &files {
                output::to_file(&into.join(&file.name), |out| out.write_all(file.text.as_bytes()))?;
            }
            Ok(Exit::Clean)
        }
        None => output::print(&files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n")),
    }
}

/// What the job would scan. A job that cannot start is found out now, and not at night.
fn scan_args(arguments: &[String]) -> Result<ScanArgs, Failure> {
    let line = ["twicelog", "scan"].into_iter().map(String::from).chain(arguments.iter().cloned());
    let parsed = Cli::try_parse_from(line).map_err(|error| {
        let said = error.render().to_string();
        Failure::new(
            Exit::Usage,
            format!("twicelog scan would refuse these arguments: {}", said.trim().trim_start_matches("error: ")),
        )
    })?;
    match parsed.command {
        Command::Scan(scan) => Ok(*scan),
        _ => Err(Failure::new(Exit::Usage, "only a scan can be scheduled; write its arguments after --")),
    }
}

#[allow(clippy::disallowed_methods, reason = "the job starts where the user stands, unless another folder is named")]
fn folder(args: &ScheduleArgs, scheduler: Scheduler) -> Result<PathBuf, Failure> {
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None if scheduler == Scheduler::Kubernetes => PathBuf::from(IN_CONTAINER),
        None => std::env::current_dir().map_err(|error| {
            Failure::new(Exit::Usage, format!("the working folder is not known: {error}; name one with --folder"))
        })?,
    };
    if folder.is_absolute() {
        return Ok(folder);
    }
    Err(Failure::new(Exit::Usage, format!("--folder {}: is not absolute; a job starts nowhere", folder.display())))
}

/// The program that is running; in a container the one of its path.
fn program(args: &ScheduleArgs, scheduler: Scheduler) -> Result<String, Failure> {
    match &args.program {
        Some(program) => Ok(program.clone()),
        None if scheduler == Scheduler::Kubernetes => Ok("twicelog".to_owned()),
        None => std::env::current_exe()
            .ok()
            .and_then(|path| path.into_os_string().into_string().ok())
            .ok_or_else(|| Failure::new(Exit::Usage, "where this program lies is not known; name it with --program")),
    }
}

/// The folders that a scan writes into, each once.
fn folders(scan: &ScanArgs, folder: &Path) -> Vec<PathBuf> {
    let absolute = |path: PathBuf| -> Option<PathBuf> { Some(folder.join(path).parent()?.components().collect()) };
    let mut folders: Vec<PathBuf> = scan::written(scan).into_iter().filter_map(absolute).collect();
    folders.extend(scan.state.state.as_ref().map(|state| folder.join(state).components().collect()));
    folders.extend(proof::folder(scan).map(|manifests| folder.join(manifests).components().collect()));
    folders.sort();
    folders.dedup();
    folders
}
