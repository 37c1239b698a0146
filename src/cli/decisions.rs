//! The file of decisions: where it lies, how it is read, and what a scan makes of it.

use super::config::{self, Loaded};
use super::digest;
use super::exit::{Exit, Failure};
use super::nightly_args::{DecisionArgs, PlaceArgs};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use twicelog::domain::report::{Report, ScanResult};
use twicelog::nightly::baseline::{self, Baseline, EMPTY, FILE_NAME, Was};

/// A baseline, with the file that it was read from.
pub struct Decisions {
    pub path: PathBuf,
    pub text: String,
    pub baseline: Baseline,
}

impl Decisions {
    /// Marks a report with the decisions that hold on a day.
    pub fn apply(&self, today: NaiveDate, report: &mut Report) {
        baseline::apply(&self.baseline, today, &was(report), &mut report.result);
        report.run.baseline = Some(digest::of_bytes(self.text.as_bytes(), &self.path.display().to_string()));
    }

    /// Takes what is decided on a day out of the totals of a result without earlier nights.
    pub fn settle(&self, today: NaiveDate, result: &mut ScanResult) {
        baseline::apply(&self.baseline, today, &Was::default(), result);
    }
}

/// The ids under which findings of a report were told of before.
pub fn was(report: &Report) -> Was {
    report.run.night.as_ref().map(|night| night.was.clone()).unwrap_or_default()
}

/// The decisions that a scan heeds; None where there are none.
pub fn of_scan(args: &DecisionArgs, loaded: &Loaded) -> Result<Option<Decisions>, Failure> {
    match &args.baseline {
        Some(path) => read(path)?
            .map(Some)
            .ok_or_else(|| Failure::new(Exit::Usage, format!("{}: is not there; check --baseline", path.display()))),
        None if args.no_baseline => Ok(None),
        None => read(&beside(loaded.path.as_deref())),
    }
}

/// The decisions of a baseline command; an empty baseline where there is no file yet.
pub fn of_place(args: &PlaceArgs) -> Result<Decisions, Failure> {
    let path = args.baseline.clone().unwrap_or_else(|| beside(args.config.clone().or_else(config::nearest).as_deref()));
    Ok(read(&path)?.unwrap_or_else(|| Decisions { path, text: EMPTY.to_owned(), baseline: Baseline::default() }))
}

/// Beside the configuration; in the working folder where profiles stand in for one.
fn beside(config: Option<&Path>) -> PathBuf {
    config.and_then(Path::parent).unwrap_or(Path::new("")).join(FILE_NAME)
}

/// None where there is no such file.
fn read(path: &Path) -> Result<Option<Decisions>, Failure> {
    let name = path.display().to_string();
    let trouble = |what: String| Failure::new(Exit::Usage, format!("{name}: {what}"));
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble(format!("cannot be read: {error}"))),
    };
    let text = String::from_utf8(bytes)
        .map_err(|error| trouble(format!("not UTF-8 from byte {} on; save it as UTF-8", error.utf8_error().valid_up_to())))?;
    let baseline = baseline::load(&text, &name).map_err(|errors| Failure::new(Exit::Usage, errors))?;
    Ok(Some(Decisions { path: path.to_owned(), text, baseline }))
}

/// The day it is in a zone.
#[allow(clippy::disallowed_methods, reason = "a decision holds until a day; --as-of names another than today")]
pub fn today(zone: Tz) -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).with_timezone(&zone).date_naive()
}
