//! `twicelog scan`: reads, judges, prints, writes.

use super::aftermath::Aftermath;
use super::args::{LimitArgs, ScanArgs};
use super::config::{self, Loaded};
use super::decisions::{self, Decisions};
use super::exit::{Exit, Failure, complaint};
use super::mask_key;
use super::night::{self, Night};
use super::output;
use super::outputs;
use super::progress::Line;
use super::proof;
use super::staged::Files;
use chrono::{DateTime, SecondsFormat, Utc};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};
use twicelog::domain::control::ControlTotal;
use twicelog::domain::report::{Report, Run, SCHEMA, ScanResult};
use twicelog::engine::{self, Depth, Options, RawText};
use twicelog::nightly::alert::Summary;
use twicelog::read::Location;
use twicelog::report::{self, CsvFor, PseudonymKey, Telling};
use twicelog::scan::{Assigned, RejectedRecord, ScanError, Scanned, scan_files, scan_night, scan_settled};

/// Rejected records that are written out with `--rejects`; all are counted.
const MOST_REJECTS: usize = 10_000_000;

/// Scans and writes the reports. What is known of the run on the way goes to `aftermath`.
pub fn run(args: &ScanArgs, aftermath: &mut Aftermath) -> Result<Exit, Failure> {
    let threads = options(&args.limits, Depth::Findings, 0).threads;
    engine::on_threads(threads, || scan_and_write(args, aftermath)).map_err(|error| Failure::new(Exit::Incomplete, error))?
}

fn scan_and_write(args: &ScanArgs, aftermath: &mut Aftermath) -> Result<Exit, Failure> {
    outputs::refuse_noise(&args.outputs)?;
    if let Some(folder) = &args.state.state {
        outputs::refuse_within(folder, &written(args))?;
    }
    let named = config::locations(&args.files)?;
    let loaded = config::load(&args.input, &named)?;
    let key = mask_key::named(&args.look)?;
    aftermath.configured(&loaded.rules);
    // What comes before the scan is done under the lock: two runs must not fetch the same.
    let mut night = match &args.state.state {
        None => None,
        Some(folder) => {
            let opened =
                Night::open(folder, &args.state, key.clone(), &aftermath.run_id, &aftermath.started, aftermath.recipient());
            Some(opened?)
        }
    };
    let scanned = scan_by_night(args, &named, &loaded, key, night.as_mut(), aftermath);
    aftermath.night = night;
    let (told, exit) = scanned?;
    // The process is about to end: giving millions of small strings back one by one would only take time.
    std::mem::forget(told);
    Ok(exit)
}

/// As [`scan_and_write`], while the state is held.
fn scan_by_night(
    args: &ScanArgs,
    named: &[Location],
    loaded: &Loaded,
    key: Option<PseudonymKey>,
    night: Option<&mut Night>,
    aftermath: &mut Aftermath,
) -> Result<(Told, Exit), Failure> {
    aftermath.before()?;
    let files = config::files(named, &args.input, loaded)?;
    let decisions = decisions::of_scan(&args.decisions, loaded)?;
    refuse_overwriting(&files, loaded, decisions.as_ref(), args)?;
    let depth = if args.all { Depth::All } else { Depth::Findings };
    let most_rejects = if args.rejects.is_some() { MOST_REJECTS } else { 0 };
    let raw_text = if args.raw { RawText::Kept } else { RawText::Left };
    let other_windows = outputs::draws(&args.outputs);
    let options = Options { raw_text, other_windows, ..options(&args.limits, depth, most_rejects) };
    let today = args.decisions.as_of.unwrap_or_else(|| decisions::today(loaded.rules.zone));
    let decide = |report: &mut Report| {
        if let Some(decisions) = &decisions {
            decisions.apply(today, report);
        }
    };
    let settle = |result: &mut ScanResult| {
        if let Some(decisions) = &decisions {
            decisions.settle(today, result);
        }
    };
    match night {
        None => {
            let mut told = scan_by(loaded, |progress| scan_settled(&loaded.rules, &files, &options, progress, &settle))?;
            decide(&mut told.report);
            told.report.nights = proof::earlier_nights(args, &told.report, &loaded.rules)?;
            aftermath.found(args, &told.report, &loaded.rules);
            let telling = Telling::of(&told.report, key);
            let (exit, undrawn) = write_all(args, loaded, &told, &telling, &mut Files::AtOnce)?;
            outputs::clear(&undrawn);
            outputs::print(&args.outputs, &args.look, &telling)?;
            drop(telling);
            Ok((told, exit))
        }
        Some(night) => {
            if let Some(folder) = &args.state.state {
                night::refuse_reading_state(folder, &files)?;
            }
            let (told, exit) = scan_with_state(args, loaded, files, options, decide, night, aftermath)?;
            outputs::print(&args.outputs, &args.look, &Telling::of(&told.report, Some(night.names.clone())))?;
            Ok((told, exit))
        }
    }
}

/// Writes every file that the arguments name, and says how the run ends, and which pictures it has not drawn.
fn write_all(
    args: &ScanArgs,
    loaded: &Loaded,
    told: &Told,
    telling: &Telling<'_>,
    files: &mut Files,
) -> Result<(Exit, Vec<PathBuf>), Failure> {
    let undrawn = outputs::write_files(&args.outputs, &args.look, telling, files)?;
    if let Some(path) = &args.rejects {
        let masker = telling.masker(outputs::mask(report::OutputFormat::Csv, &args.look));
        files.write(path, |out| write_rejects(&told.rejects, masker, args.outputs.csv_for, out))?;
    }
    for fault in &told.faults {
        output::talk(&complaint(fault));
    }
    let exit = exit_of(args, told);
    proof::write(args, loaded, told, exit, files)?;
    Ok((exit, undrawn))
}

/// Scans what is new since the run before, and keeps what the next one needs: files wait beside their places until the state is safe.
fn scan_with_state(
    args: &ScanArgs,
    loaded: &Loaded,
    files: Vec<Assigned>,
    options: Options,
    decide: impl FnOnce(&mut Report),
    night: &mut Night,
    aftermath: &mut Aftermath,
) -> Result<(Told, Exit), Failure> {
    let (options, files) = night.options(options, &args.state, args.decisions.as_of, loaded.rules.zone, files);
    let mut left = None;
    let mut told = scan_by(loaded, |progress| {
        let found = scan_night(&loaded.rules, &files, &night.memory, &options, progress)?;
        left = Some((found.memory, found.changes));
        Ok(found.scanned)
    })?;
    let (memory, changes) = left.unwrap_or_default();
    night.mark(&mut told.report, &memory, &changes, args.decisions.as_of);
    decide(&mut told.report);
    told.report.nights = night.earlier(&loaded.rules.sha256);
    if told.report.nights.is_empty() {
        told.report.nights = proof::earlier_nights(args, &told.report, &loaded.rules)?;
    }
    aftermath.found(args, &told.report, &loaded.rules);
    let fresh = night.fresh(&told.report, &changes);
    let summary = Summary::of_fresh(&told.report, &fresh);
    let mut facts = night.facts(&told.report, &loaded.rules.sha256)?;
    if args.state.since_last {
        night::only_fresh(&mut told.report, &fresh);
    }
    let mut staged = Files::staged(&staged(args, &told.report.run.started), &aftermath.run_id);
    night.begin(&staged)?;
    let telling = Telling::of(&told.report, Some(night.names.clone()));
    let (exit, undrawn) = write_all(args, loaded, &told, &telling, &mut staged).inspect_err(|_| staged.withdraw())?;
    drop(telling);
    facts.exit_code = exit as u8;
    let owed = if fresh.is_empty() { None } else { aftermath.owed(exit, summary) };
    staged.hand_over();
    night.commit(memory, facts, &staged, owed.as_ref())?;
    outputs::clear(&undrawn);
    Ok((told, exit))
}

/// A report, and what the scan could not use.
pub struct Told {
    pub report: Report,
    /// Control totals of each source, in the order of the report's sources.
    pub controls: Vec<Vec<ControlTotal>>,
    pub rejects: Vec<RejectedRecord>,
    pub faults: Vec<String>,
}

/// Scans, and puts the facts of this run beside the result.
pub fn scan(loaded: &Loaded, files: &[Assigned], options: &Options) -> Result<Told, Failure> {
    scan_by(loaded, |progress| scan_files(&loaded.rules, files, options, progress))
}

/// As [`scan`], by any way to scan.
#[allow(clippy::disallowed_methods, reason = "the run section says when it was made and how long it took")]
pub fn scan_by(loaded: &Loaded, scan: impl FnOnce(&Line) -> Result<Scanned, ScanError>) -> Result<Told, Failure> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let line = Line::new();
    let scanned = scan(&line);
    line.clear();
    let scanned = scanned.map_err(|error| Failure::new(exit_of_error(&error), error))?;
    let run = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        started: DateTime::<Utc>::from(started).to_rfc3339_opts(SecondsFormat::Millis, true),
        duration_ms: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        config_sha256: loaded.rules.sha256.clone(),
        inputs: scanned.inputs,
        baseline: None,
        night: None,
    };
    let report = Report { schema: SCHEMA.into(), result: scanned.result, windows: scanned.windows, nights: Vec::new(), run };
    Ok(Told { report, controls: scanned.controls, rejects: scanned.rejects, faults: scanned.faults })
}

fn exit_of_error(error: &ScanError) -> Exit {
    match error {
        ScanError::Configuration(_) => Exit::Usage,
        ScanError::Engine(error) if error.is_configuration() => Exit::Usage,
        ScanError::Engine(error) if error.is_temporary_file() => Exit::NotWritten,
        ScanError::Memory(_) => Exit::Damaged,
        ScanError::Engine(_) => Exit::Incomplete,
    }
}

/// Limits as the arguments set them.
pub fn options(args: &LimitArgs, depth: Depth, most_rejects: usize) -> Options {
    let default = Options::default();
    Options {
        threads: args.threads.map_or(default.threads, usize::from),
        max_memory: args.max_memory,
        temp_dir: args.temp_dir.clone().unwrap_or(default.temp_dir),
        depth,
        raw_text: default.raw_text,
        other_windows: default.other_windows,
        most_rejects,
    }
}

/// Errors outrank findings.
fn exit_of(args: &ScanArgs, told: &Told) -> Exit {
    let ledger = &told.report.result.ledger;
    if ledger.read > 0 && ledger.rejected as f64 / ledger.read as f64 > args.max_rejected {
        let advice = if args.rejects.is_some() { "" } else { "; --rejects FILE writes them out with their reasons" };
        output::talk(&format!(
            "twicelog: {} of {} records were rejected, more than --max-rejected {}% allows{advice}\n",
            ledger.rejected,
            ledger.read,
            args.max_rejected * 100.0,
        ));
        return Exit::Incomplete;
    }
    let result = &told.report.result;
    let findings = match args.state.since_last {
        true => result.findings.each().filter(|finding| finding.verdict.is_reported() && !finding.is_decided()).count() as u64,
        false => result.totals.findings,
    };
    match findings {
        _ if !told.faults.is_empty() => Exit::Incomplete,
        0 => Exit::Clean,
        _ if args.exit_zero => Exit::Clean,
        _ => Exit::Findings,
    }
}

/// Refuses outputs that would take the place of an input.
fn refuse_overwriting(
    files: &[Assigned],
    loaded: &Loaded,
    decisions: Option<&Decisions>,
    args: &ScanArgs,
) -> Result<(), Failure> {
    let further = loaded.path.as_deref().into_iter().chain(decisions.map(|decisions| decisions.path.as_path()));
    let further = further.chain(args.look.mask_key.as_deref());
    let inputs: Vec<&Path> = files.iter().filter_map(|file| file.location.path()).chain(further).collect();
    let written = written(args);
    outputs::refuse_overwriting(&inputs, &written.iter().map(PathBuf::as_path).collect::<Vec<_>>())
}

/// Files that wait until the state is safe: all but the metrics, which tell of the run however it ends.
fn staged(args: &ScanArgs, started: &str) -> Vec<PathBuf> {
    let reports = outputs::paths(&args.outputs);
    reports.into_iter().chain(args.rejects.clone()).chain(proof::place(args, started)).collect()
}

/// Every file that a scan writes.
pub fn written(args: &ScanArgs) -> Vec<PathBuf> {
    let reports = outputs::paths(&args.outputs);
    reports.into_iter().chain(args.rejects.clone()).chain(proof::file(args)).chain(args.night.metrics.clone()).collect()
}

/// Rejected records as CSV; masked as a report in CSV is.
fn write_rejects(
    rejects: &[RejectedRecord],
    mut masker: report::mask::Masker,
    reader: CsvFor,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = rejects.iter().map(|reject| {
        let (record, line) = (reject.record.to_string(), reject.line.to_string());
        vec![reject.source.clone(), masker.text(&reject.file), record, line, masker.text(&reject.reason)]
    });
    report::table(&["source", "file", "record", "line", "reason"], rows, reader, out)
}
