//! Hooks: commands that are told how a run ended. No shell, a time limit, JSON on their standard input.

use super::output;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use twicelog::nightly::alert::Alert;
use twicelog::report::safe;
use twicelog::rules::Hooks;

/// How often a hook is looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// Whether there is such a program, as far as can be seen without running it.
#[allow(clippy::disallowed_methods, reason = "programs are looked up where the system looks them up")]
pub fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// The hooks whose program is not there, a sentence each.
pub fn missing(hooks: &Hooks) -> Vec<String> {
    let all =
        [("before", &hooks.before), ("findings", &hooks.findings), ("failure", &hooks.failure), ("finally", &hooks.finally)];
    let programs = all.into_iter().filter_map(|(event, hook)| Some((event, hook.as_ref()?.first()?)));
    programs
        .filter(|(_, program)| !is_there(program))
        .map(|(event, program)| {
            safe::visible(&format!("hook {event} {program}: there is no such program; nobody can be told")).into_owned()
        })
        .collect()
}

/// Whether a hook did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Yes,
    No,
    /// It could not even be started: nobody was told.
    NotStarted,
}

/// Runs a command and waits for it. What goes wrong is said on standard error.
pub fn call(command: &[String], alert: &Alert, limit: Duration) -> Told {
    let Some((program, arguments)) = command.split_first() else { return Told::Yes };
    let (told, said) = match run(program, arguments, alert, limit) {
        Ok(Ran::Ended(status)) if status.success() => return Told::Yes,
        Ok(Ran::Ended(status)) => (Told::No, format!("ended with {status}")),
        Ok(Ran::NotStarted(error)) => (Told::NotStarted, format!("cannot be started: {error}")),
        Err(reason) => (Told::No, reason),
    };
    let text = format!("hook {} {program}: {said}; nobody may have been told", alert.event.name());
    output::talk(&format!("twicelog: {}\n", safe::visible(&text)));
    told
}

enum Ran {
    Ended(ExitStatus),
    NotStarted(io::Error),
}

fn run(program: &str, arguments: &[String], alert: &Alert, limit: Duration) -> Result<Ran, String> {
    let told = serde_json::to_vec(alert).map_err(|error| error.to_string())?;
    let started = Command::new(program)
        .args(arguments)
        .env("TWICELOG_RUN_ID", &alert.run_id)
        .env("TWICELOG_EVENT", alert.event.name())
        .env("TWICELOG_EXIT_CODE", alert.exit_code.to_string())
        .stdin(Stdio::piped())
        // Standard output belongs to the report.
        .stdout(Stdio::null())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Ok(Ran::NotStarted(error)),
    };
    if let Some(mut stdin) = child.stdin.take() {
        // In a thread of its own, so that a hook that does not read cannot hold the run up; that it does not is its own affair.
        thread::spawn(move || drop(stdin.write_all(&told)));
    }
    wait(&mut child, limit).map(Ran::Ended)
}

#[allow(clippy::disallowed_methods, reason = "a hook has a time limit")]
fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus, String> {
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => return Ok(status),
            None if start.elapsed() < limit => thread::sleep(GLANCE),
            None => {
                // It may have ended just now; either way it is over.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("took longer than {} s and was stopped", limit.as_secs_f32()));
            }
        }
    }
}
