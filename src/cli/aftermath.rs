//! After a scan, however it ended: hooks are called, metrics are written.

use super::args::ScanArgs;
use super::exit::{Exit, Failure};
use super::hooks::{self, Told};
use super::output;
use super::scan;
use chrono::{DateTime, SecondsFormat, Utc};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use twicelog::domain::report::Report;
use twicelog::nightly::alert::{self, Alert, Occasion, Summary};
use twicelog::nightly::metrics::{self, Ending, Success};
use twicelog::rules::{Hooks, Rules};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a scan leaves for whoever must be told, as far as it came.
#[derive(Default)]
pub struct Aftermath {
    hooks: Hooks,
    /// Numbers of the result, and their metrics.
    result: Option<(Summary, String)>,
}

impl Aftermath {
    /// The configuration was read.
    pub fn configured(&mut self, rules: &Rules) {
        self.hooks = rules.hooks.clone();
    }

    /// There is a result.
    pub fn found(&mut self, report: &Report, rules: &Rules) {
        self.result = Some((Summary::of(report), metrics::of_result(report, rules)));
    }
}

/// Scans, and tells those who asked to be told.
#[allow(clippy::disallowed_methods, reason = "metrics say when a run was and how long it took")]
pub fn run(args: &ScanArgs) -> Result<Exit, Failure> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut aftermath = Aftermath::default();
    let outcome = scan::run(args, &mut aftermath);
    let exit = outcome.as_ref().map_or_else(|failure| failure.exit, |exit| *exit);
    let exit = tell(args, &aftermath, started.into(), exit);
    let ended = DateTime::<Utc>::from(SystemTime::now());
    let is_success = matches!(exit, Exit::Clean | Exit::Findings);
    let ending = Ending {
        exit_code: exit as u8,
        started: DateTime::<Utc>::from(started).timestamp(),
        ended: ended.timestamp(),
        duration_ms: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        success: if is_success { Success::Yes } else { Success::No },
    };
    if let Some(path) = &args.night.metrics {
        match write_metrics(path, &aftermath, &ending) {
            // What stopped the scan is what it ends with; that its metrics are old is said beside it.
            Err(unwritten) if outcome.is_err() => unwritten.message().iter().for_each(|message| output::talk(message)),
            written => written?,
        }
    }
    outcome.map(|_| exit)
}

fn write_metrics(path: &Path, aftermath: &Aftermath, ending: &Ending) -> Result<(), Failure> {
    let before = std::fs::read_to_string(path).unwrap_or_default();
    let result = aftermath.result.as_ref().map_or("", |(_, text)| text);
    let text = format!("{result}{}", metrics::of_run(ending, VERSION, &before));
    output::to_public_file(path, |out| out.write_all(text.as_bytes()))
}

/// Calls the hooks. A run whose findings nobody was told of did not write one of its outputs.
fn tell(args: &ScanArgs, aftermath: &Aftermath, started: DateTime<Utc>, exit: Exit) -> Exit {
    let (hooks, night) = (&aftermath.hooks, &args.night);
    let result = aftermath.result.as_ref().map(|(summary, _)| summary);
    // Findings are told of whatever --exit-zero or a reader that has gone make of the exit code.
    let has_findings = result.is_some_and(|result| result.findings > 0);
    let has_failed = !matches!(exit, Exit::Clean | Exit::Findings);
    let calls = [
        (Occasion::Findings, night.on_findings.as_deref().or(hooks.findings.as_ref()), has_findings),
        (Occasion::Failure, night.on_failure.as_deref().or(hooks.failure.as_ref()), has_failed),
        (Occasion::Finally, night.finally.as_deref().or(hooks.finally.as_ref()), true),
    ];
    let mut exit = exit;
    let limit = Duration::from_nanos(u64::try_from(hooks.timeout).unwrap_or_default());
    for (event, command, is_due) in calls {
        let Some(command) = command.filter(|_| is_due) else { continue };
        let exit_code = exit as u8;
        let alert = Alert {
            schema: alert::SCHEMA.into(),
            event,
            run_id: run_id(started),
            exit_code,
            version: VERSION.into(),
            started: started.to_rfc3339_opts(SecondsFormat::Millis, true),
            text: alert::text(exit_code, result),
            result: result.cloned(),
        };
        if hooks::call(command, &alert, limit) == Told::No && matches!(exit, Exit::Clean | Exit::Findings) {
            exit = Exit::NotWritten;
        }
    }
    exit
}

/// One run's name: its start and its process.
fn run_id(started: DateTime<Utc>) -> String {
    format!("{}-{}", started.format("%Y%m%dT%H%M%S%3fZ"), std::process::id())
}
