//! A scan: where the rooms meet. Inputs are opened, gathered, judged and summed up; nothing is printed, no clock is read.

mod examples;
mod files;
mod fit;
mod infer;
mod night;
mod preview;
mod profile_table;
mod recognise;
mod summary;
mod survey;
mod trials;

pub use examples::run_examples;
pub use files::{Assigned, FilesError, assign, configured, locations, unmatched};
pub use infer::config::{Inferred, What, config_text};
pub use infer::{Guess, Inference, infer};
pub use night::{Inputs, Moment, Night, NightOptions, Unsettled, scan_night};
pub use preview::{Preview, PreviewedFile, preview};
pub use profile_table::profile_table;
pub use recognise::{
    ByProfile, Recognised, Unassigned, UnassignedError, Unrecognised, profile_of, recognise, recognise_all, rules_of_profile,
    zero_config,
};
pub use survey::{Survey, SurveyedColumn, survey};

use crate::domain::control::ControlTotal;
use crate::domain::frequency::Frequencies;
use crate::domain::record::Rejected;
use crate::domain::report::{RunInput, ScanResult, Totals, WindowStep};
use crate::domain::{Findings, Group};
use crate::engine::{self, Budget, Depth, EngineError, NoProgress, OpenInput, Options, OtherWindows, Progress, Spool};
use crate::judge::{Court, Keep};
use crate::read;
use crate::rules::window::Reach;
use crate::rules::{Rules, Source};
use std::io;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;
use trials::Trials;

/// What a scan found, and how far its input could be read.
pub struct Scanned {
    /// A pure function of inputs and configuration.
    pub result: ScanResult,
    /// Size and hash of every input.
    pub inputs: Vec<RunInput>,
    /// Control totals of each source, in the order of the result's sources.
    pub controls: Vec<Vec<ControlTotal>>,
    /// Records that could not be used, in the order of inputs and records.
    pub rejects: Vec<RejectedRecord>,
    /// Why the result is incomplete; empty when every input was read to its end.
    pub faults: Vec<String>,
    /// What shorter and longer windows find, ascending; empty unless asked for.
    pub windows: Vec<WindowStep>,
}

impl Scanned {
    /// Share of the records read that were rejected, 0 to 1.
    pub fn rejected_share(&self) -> f64 {
        let ledger = &self.result.ledger;
        if ledger.read == 0 { 0.0 } else { ledger.rejected as f64 / ledger.read as f64 }
    }
}

/// A record that could not be used, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedRecord {
    pub source: String,
    pub file: String,
    pub record: u64,
    pub line: u64,
    pub reason: String,
}

/// Why a scan could not be made at all.
#[derive(Debug, Error)]
pub enum ScanError {
    /// Every file of a source lacks what the configuration asks for.
    #[error("{0}")]
    Configuration(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// What earlier nights left cannot be used, or nothing can be left for the next.
    #[error("{0}")]
    Memory(String),
}

/// Scans the files that the rules name, with default limits.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("pay.csv"), "\
/// id,at,card,amount,currency
/// ch_1,2026-03-02T10:00:00Z,c-7,12.50,EUR
/// ch_2,2026-03-02T10:00:02Z,c-7,12.50,EUR
/// ")?;
/// let rules = twicelog::rules::load(r#"
///     version = 1
///     [[source]]
///     name = "payments"
///     files = ["pay.csv"]
///     [source.map]
///     time = { from = "at", format = "iso" }
///     operation = { const = "charge" }
///     actor = "card"
///     amount = "amount"
///     currency = "currency"
///     effect_id = "id"
///     [[rule]]
///     id = "double-charge"
///     fingerprint = ["actor", "amount", "currency"]
///     window = "10m"
/// "#, "twicelog.toml", folder.path())?;
/// let scanned = twicelog::scan(&rules)?;
/// let finding = &scanned.result.findings[0];
/// assert_eq!(finding.verdict, twicelog::domain::Verdict::DuplicateEffect);
/// assert_eq!(finding.exposure[0].net, "12.50");
/// # Ok(())
/// # }
/// ```
pub fn scan(rules: &Rules) -> Result<Scanned, ScanError> {
    let files = configured(rules, Path::new("")).map_err(|error| ScanError::Configuration(error.to_string()))?;
    scan_files(rules, &files, &Options::default(), &NoProgress)
}

/// Takes what people decided out of the totals of a result that holds nothing but findings and their totals.
pub type Settle<'s> = &'s (dyn Fn(&mut ScanResult) + Sync);

/// Scans these files.
pub fn scan_files(rules: &Rules, files: &[Assigned], options: &Options, progress: &dyn Progress) -> Result<Scanned, ScanError> {
    scan_settled(rules, files, options, progress, &|_| {})
}

/// As [`scan_files`]; what other windows would find is counted after `settle`. The result itself is left to the caller to settle: how other
/// windows compare with today's is told only where both were asked the same.
///
/// # Errors
/// As [`scan_files`].
pub fn scan_settled(
    rules: &Rules,
    files: &[Assigned],
    options: &Options,
    progress: &dyn Progress,
    settle: Settle<'_>,
) -> Result<Scanned, ScanError> {
    let (opened, unopened) = open_all(rules, files, &options.temp_dir)?;
    let budget = budget(options);
    let court = court(rules, &budget, options.depth);
    let court_of_trials = || self::court(rules, &budget, Depth::Findings);
    let trials = Trials::new(&court_of_trials, settle);
    let hear = |reach: Reach, groups: Vec<Group>, frequencies: &Frequencies| match reach {
        Reach::CONFIGURED => Ok(court.hear(&groups)?),
        other => trials.hear(other, &groups, frequencies),
    };
    let gathered = engine::gather(&opened, rules, options, &budget, progress, &hear)?;
    progress.phase("judging", 0);
    let mut steps = trials.conclude(&gathered.frequencies)?;
    let scanned = judged(rules, &opened, &unopened, gathered, court)?;
    if options.other_windows == OtherWindows::Tried {
        let ScanResult { totals, findings, .. } = &scanned.result;
        let today = window_step(Reach::CONFIGURED, totals.clone(), findings.clone(), settle).map_err(EngineError::Store)?;
        steps.push((Reach::CONFIGURED, today));
        steps.sort_by_key(|(reach, _)| Reach::STEPS.iter().position(|step| step == reach));
    }
    Ok(Scanned { windows: steps.into_iter().map(|(_, step)| step).collect(), ..scanned })
}

/// The memory that a scan may take for what grows with its inputs. Half is left for all else: the program, text on its way, tables of fixed
/// size, and what the allocator keeps between things.
fn budget(options: &Options) -> Arc<Budget> {
    Arc::new(Budget::new(options.max_memory / 2, options.temp_dir.clone()))
}

/// A court whose groups and findings keep to the budget.
fn court<'r>(rules: &'r Rules, budget: &Arc<Budget>, depth: Depth) -> Court<'r> {
    let keep = match depth {
        Depth::Findings => Keep::Reported,
        Depth::All => Keep::All,
    };
    Court::new(rules, keep, Box::new(Spool::new(budget)), Arc::new(Spool::new(budget)))
}

/// What was gathered, judged and summed up.
fn judged(
    rules: &Rules,
    opened: &[OpenInput],
    unopened: &[Unopened],
    gathered: engine::Gathered,
    court: Court<'_>,
) -> Result<Scanned, ScanError> {
    let engine::Gathered { inputs, controls, frequencies, operations, idempotent_groups, rejects, notes, weeks, volumes } =
        gathered;
    let conclusion = court.conclude(&frequencies).map_err(EngineError::Store)?;
    let counts = summary::Counts { operations, idempotent_groups, controls, notes, weeks, volumes, frequencies };
    Ok(summary::sum_up(rules, opened, inputs, unopened, rejects, counts, conclusion))
}

/// What a reach comes to, without what people decided.
fn window_step(reach: Reach, totals: Totals, findings: Findings, settle: Settle<'_>) -> io::Result<WindowStep> {
    let mut result = ScanResult { totals, findings, ..ScanResult::default() };
    settle(&mut result);
    // A decided finding that did not come back from its store would count as open.
    result.findings.check()?;
    let Totals { findings, extra_effects, possible_extra_effects, exposure, possible_exposure, .. } = result.totals;
    Ok(WindowStep { factor: reach.name(), findings, extra_effects, possible_extra_effects, exposure, possible_exposure })
}

/// A file that could not be opened, with its reason.
pub struct Unopened {
    pub source: usize,
    pub name: String,
    pub reason: String,
}

fn open_all(rules: &Rules, files: &[Assigned], spool_folder: &Path) -> Result<(Vec<OpenInput>, Vec<Unopened>), ScanError> {
    let Opening { opened, unopened, unfit } = open_by(rules, files, &|file, source| {
        let stored = file.location.store(&file.name, spool_folder)?;
        read::open_stored(stored, source, spool_folder)
    });
    let opened: Vec<OpenInput> = opened.into_iter().map(|(input, file)| OpenInput { input, source: file.source }).collect();
    must_fit(rules, unfit, &opened)?;
    Ok((opened, unopened))
}

/// What `open` made of the files of a scan.
struct Opening<'f, T> {
    opened: Vec<(T, &'f Assigned)>,
    unopened: Vec<Unopened>,
    /// Why no file of a source is what the configuration says.
    unfit: Vec<String>,
}

fn open_by<'f, T>(
    rules: &Rules,
    files: &'f [Assigned],
    open: &dyn Fn(&Assigned, &Source) -> Result<T, read::OpenError>,
) -> Opening<'f, T> {
    let mut opened = Vec::new();
    let mut unopened = Vec::new();
    let mut unfit: Vec<(usize, String)> = Vec::new();
    for file in files {
        let Some(source) = rules.sources.get(file.source) else {
            continue;
        };
        match open(file, source) {
            Ok(input) => opened.push((input, file)),
            Err(error) => {
                if error.is_configuration() {
                    unfit.push((file.source, error.to_string()));
                }
                unopened.push(Unopened { source: file.source, name: file.name.clone(), reason: error.to_string() });
            }
        }
    }
    // One strange file among many is that file's trouble; when none of a source fits, the configuration is wrong.
    let of_source = |wanted: usize| files.iter().filter(|file| file.source == wanted).count();
    let all_unfit = |wanted: usize| of_source(wanted) == unfit.iter().filter(|(source, _)| *source == wanted).count();
    let unfit = unfit.iter().filter(|(source, _)| all_unfit(*source)).map(|(_, reason)| reason.clone()).collect();
    Opening { opened, unopened, unfit }
}

/// Fails where the configuration does not fit what was opened.
fn must_fit(rules: &Rules, unfit: Vec<String>, opened: &[OpenInput]) -> Result<(), ScanError> {
    let wrong = [unfit, fit::misfits(rules, opened)].concat();
    if wrong.is_empty() { Ok(()) } else { Err(ScanError::Configuration(wrong.join("\n"))) }
}

/// The place of a rejected record in words.
fn rejected_record(reject: Rejected, rules: &Rules, opened: &[OpenInput]) -> RejectedRecord {
    RejectedRecord {
        source: rules.sources.get(reject.source).map(|source| source.name.to_string()).unwrap_or_default(),
        file: opened.get(reject.file).map(|open| open.input.name().to_owned()).unwrap_or_default(),
        record: reject.record,
        line: reject.line,
        reason: reject.reason,
    }
}
