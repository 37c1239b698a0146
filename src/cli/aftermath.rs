//! After a scan, however it ended: hooks are called, metrics are written.

use super::args::ScanArgs;
use super::exit::{Exit, Failure};
use super::hooks::{self, Told};
use super::night::{Night, Owed, Recipient};
use super::nightly_args::{Command, NightArgs};
use super::output;
use super::scan;
use chrono::{DateTime, SecondsFormat, Utc};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use twicelog::domain::report::Report;
use twicelog::nightly::alert::{self, Alert, Occasion, Summary};
use twicelog::nightly::metrics::{self, Ending, Success};
use twicelog::rules::{Hooks, Rules};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a scan leaves for whoever must be told, as far as it came.
pub struct Aftermath {
    /// One run's name: its start and its process.
    pub run_id: String,
    /// RFC 3339, UTC.
    pub started: String,
    /// The state that the run holds.
    pub night: Option<Night>,
    hooks: Hooks,
    /// Numbers of the result, and their metrics.
    result: Option<(Summary, String)>,
}

impl Aftermath {
    fn new(started: DateTime<Utc>) -> Self {
        Self {
            run_id: format!("{}-{}", started.format("%Y%m%dT%H%M%S%3fZ"), std::process::id()),
            started: started.to_rfc3339_opts(SecondsFormat::Millis, true),
            night: None,
            hooks: Hooks::default(),
            result: None,
        }
    }

    /// Hooks that the arguments name.
    fn asked(&mut self, args: &ScanArgs) {
        let NightArgs { before, on_findings, on_failure, finally, .. } = &args.night;
        let own = |argument: &Option<Command>| argument.as_deref().cloned();
        let Hooks { timeout, .. } = self.hooks;
        self.hooks =
            Hooks { before: own(before), findings: own(on_findings), failure: own(on_failure), finally: own(finally), timeout };
    }

    /// The configuration was read; the arguments come before it. A hook without its program is told of before it is needed.
    pub fn configured(&mut self, rules: &Rules) {
        let asked = std::mem::take(&mut self.hooks);
        let own = rules.hooks.clone();
        self.hooks = Hooks {
            before: asked.before.or(own.before),
            findings: asked.findings.or(own.findings),
            failure: asked.failure.or(own.failure),
            finally: asked.finally.or(own.finally),
            timeout: own.timeout,
        };
        for missing in hooks::missing(&self.hooks) {
            output::talk(&format!("twicelog: {missing}\n"));
        }
    }

    /// Calls the hook that comes before everything else.
    pub fn before(&self) -> Result<(), Failure> {
        let Some(command) = &self.hooks.before else { return Ok(()) };
        match hooks::call(command, &self.alert(Occasion::Before, Exit::Clean, None), self.limit()) {
            Told::Yes => Ok(()),
            Told::No | Told::NotStarted => {
                Err(Failure::new(Exit::Incomplete, "hook before: failed, so that nothing was read; see what it said"))
            }
        }
    }

    /// Whom alerts about findings go to, and for how long that may take.
    pub fn recipient(&self) -> Option<Recipient> {
        Some(Recipient { command: self.hooks.findings.clone()?, limit: self.limit() })
    }

    fn limit(&self) -> Duration {
        Duration::from_nanos(u64::try_from(self.hooks.timeout).unwrap_or_default())
    }

    /// There is a result.
    pub fn found(&mut self, args: &ScanArgs, report: &Report, rules: &Rules) {
        // To count findings takes a look at each.
        let metrics = args.night.metrics.as_ref().map(|_| metrics::of_result(report, rules)).unwrap_or_default();
        self.result = Some((Summary::of(report), metrics));
    }

    /// The alert that a run with a state owes for what is new; None where nobody asked for one.
    pub fn owed(&self, exit: Exit, summary: Summary) -> Option<Owed> {
        let command = self.hooks.findings.clone()?;
        let alert = self.alert(Occasion::Findings, exit, Some(summary));
        Some(Owed { command, limit: u64::try_from(self.hooks.timeout).unwrap_or_default(), alert })
    }

    fn alert(&self, event: Occasion, exit: Exit, result: Option<Summary>) -> Alert {
        let exit_code = exit as u8;
        Alert {
            schema: alert::SCHEMA.into(),
            event,
            run_id: self.run_id.clone(),
            exit_code,
            version: VERSION.into(),
            started: self.started.clone(),
            text: alert::text(exit_code, result.as_ref()),
            result,
        }
    }
}

/// Scans, and tells those who asked to be told.
#[allow(clippy::disallowed_methods, reason = "metrics say when a run was and how long it took")]
pub fn run(args: &ScanArgs) -> Result<Exit, Failure> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut aftermath = Aftermath::new(started.into());
    // Also where the configuration cannot be read somebody is told.
    aftermath.asked(args);
    let outcome = scan::run(args, &mut aftermath);
    let exit = outcome.as_ref().map_or_else(|failure| failure.exit, |exit| *exit);
    let exit = send(&aftermath, exit);
    let exit = tell(args, &aftermath, exit);
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
            Err(unwritten) if outcome.is_err() => say(&unwritten),
            written => written?,
        }
    }
    // Where the reports came to nobody, the next run tells of everything once more.
    if let (Some(night), Ok(_) | Err(Failure { exit: Exit::Clean, .. })) = (&aftermath.night, &outcome) {
        night.end()?;
    }
    if let (Some(night), Err(_)) = (aftermath.night.take(), &outcome) {
        night.abandon();
    }
    outcome.map(|_| exit)
}

fn say(failure: &Failure) {
    failure.message().iter().for_each(|message| output::talk(message));
}

/// Sends what a run with a state owes.
fn send(aftermath: &Aftermath, exit: Exit) -> Exit {
    let Some(night) = &aftermath.night else { return exit };
    let sent = night.send().unwrap_or_else(|failure| {
        say(&failure);
        false
    });
    if (!sent || night.troubled) && matches!(exit, Exit::Clean | Exit::Findings) { Exit::NotWritten } else { exit }
}

fn write_metrics(path: &Path, aftermath: &Aftermath, ending: &Ending) -> Result<(), Failure> {
    let refused =
        |what: &str| Failure::new(Exit::NotWritten, format!("{}: {what}; name another file for --metrics", path.display()));
    let before = match std::fs::read_to_string(path) {
        _ if output::is_special(path) => String::new(),
        Ok(before) if metrics::is_own(&before) => before,
        // Metrics are written even where nothing else is understood, and must not take the place of what the run was given to read.
        Ok(_) => return Err(refused("holds something other than metrics of twicelog")),
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(refused(&format!("cannot be read: {error}"))),
    };
    let result = aftermath.result.as_ref().map_or("", |(_, text)| text);
    let text = format!("{result}{}", metrics::of_run(ending, VERSION, &before));
    output::to_public_file(path, |out| out.write_all(text.as_bytes()))
}

/// Calls the hooks. A run whose findings nobody was told of did not write one of its outputs.
fn tell(args: &ScanArgs, aftermath: &Aftermath, exit: Exit) -> Exit {
    let hooks = &aftermath.hooks;
    let result = aftermath.result.as_ref().map(|(summary, _)| summary);
    // Findings are told of whatever --exit-zero or a reader that has gone make of the exit code. With a state its outbox tells of them.
    let has_findings = args.state.state.is_none() && result.is_some_and(|result| result.findings > 0);
    let has_failed = !matches!(exit, Exit::Clean | Exit::Findings);
    let calls = [
        (Occasion::Findings, &hooks.findings, has_findings),
        (Occasion::Failure, &hooks.failure, has_failed),
        (Occasion::Finally, &hooks.finally, true),
    ];
    let mut exit = exit;
    for (event, command, is_due) in calls {
        let Some(command) = command.as_ref().filter(|_| is_due) else { continue };
        let told = hooks::call(command, &aftermath.alert(event, exit, result.cloned()), aftermath.limit());
        if told != Told::Yes && matches!(exit, Exit::Clean | Exit::Findings) {
            exit = Exit::NotWritten;
        }
    }
    exit
}
