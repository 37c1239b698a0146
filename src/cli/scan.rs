//! `twicelog scan`: reads, judges, prints, writes.

use super::args::{LimitArgs, LookArgs, ScanArgs};
use super::config::{self, Loaded};
use super::exit::{Exit, Failure};
use super::output;
use super::progress::Line;
use chrono::{DateTime, SecondsFormat, Utc};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};
use twicelog::domain::report::{Report, Run, SCHEMA};
use twicelog::engine::{Depth, Options};
use twicelog::report::{self, Color, Mask, OutputFormat, Style, safe};
use twicelog::scan::{Assigned, RejectedRecord, ScanError, scan_files};

/// Rejected records that are written out with `--rejects`; all are counted.
const MOST_REJECTS: usize = 10_000_000;

pub fn run(args: &ScanArgs) -> Result<Exit, Failure> {
    let named = config::locations(&args.files)?;
    let loaded = config::load(&args.input, &named)?;
    let files = config::files(&named, &args.input, &loaded)?;
    refuse_overwriting(&files, &loaded, args)?;
    let depth = if args.all { Depth::All } else { Depth::Findings };
    let most_rejects = if args.rejects.is_some() { MOST_REJECTS } else { 0 };
    let told = scan(&loaded, &files, &options(&args.limits, depth, most_rejects))?;
    let style = output::style(&args.look);
    for (format, path) in &args.output {
        let style = Style { mask: mask(*format, &args.look), color: Color::Off, width: FILE_WIDTH, ..style.clone() };
        output::to_file(path, |out| report::write(*format, &told.report, &style, out))?;
    }
    if let Some(path) = &args.rejects {
        output::to_file(path, |out| write_rejects(&told.rejects, out))?;
    }
    for fault in &told.faults {
        output::talk(&format!("twicelog: {}\n", safe::visible(fault)));
    }
    let exit = exit_of(args, &told);
    let style = Style { mask: mask(args.format, &args.look), ..style };
    output::to_stdout(|out| report::write(args.format, &told.report, &style, out))?;
    // The process is about to end: giving millions of small strings back one by one would only take time.
    std::mem::forget(told);
    Ok(exit)
}

/// Columns of a text report that is written to a file.
const FILE_WIDTH: usize = 100;

/// A report, and what the scan could not use.
pub struct Told {
    pub report: Report,
    pub rejects: Vec<RejectedRecord>,
    pub faults: Vec<String>,
}

/// Scans, and puts the facts of this run beside the result.
#[allow(clippy::disallowed_methods, reason = "the run section says when it was made and how long it took")]
pub fn scan(loaded: &Loaded, files: &[Assigned], options: &Options) -> Result<Told, Failure> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let line = Line::new();
    let scanned = scan_files(&loaded.rules, files, options, &line);
    line.clear();
    let scanned = scanned.map_err(|error| Failure::new(exit_of_error(&error), error))?;
    let run = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        started: DateTime::<Utc>::from(started).to_rfc3339_opts(SecondsFormat::Millis, true),
        duration_ms: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        config_sha256: loaded.rules.sha256.clone(),
        inputs: scanned.inputs,
    };
    let report = Report { schema: SCHEMA.into(), result: scanned.result, run };
    Ok(Told { report, rejects: scanned.rejects, faults: scanned.faults })
}

fn exit_of_error(error: &ScanError) -> Exit {
    match error {
        ScanError::Configuration(_) => Exit::Usage,
        ScanError::Engine(error) if error.is_configuration() => Exit::Usage,
        ScanError::Engine(error) if error.is_temporary_file() => Exit::NotWritten,
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
        most_rejects,
    }
}

/// What a format masks, unless the user says otherwise.
pub fn mask(format: OutputFormat, look: &LookArgs) -> Mask {
    match (look.mask, look.reveal) {
        (true, _) => Mask::On,
        (_, true) => Mask::Off,
        _ => format.default_mask(),
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
    match told.report.result.totals.findings {
        _ if !told.faults.is_empty() => Exit::Incomplete,
        0 => Exit::Clean,
        _ if args.exit_zero => Exit::Clean,
        _ => Exit::Findings,
    }
}

/// An output must not take the place of an input, nor two outputs one file.
fn refuse_overwriting(files: &[Assigned], loaded: &Loaded, args: &ScanArgs) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| whereabouts(a) == whereabouts(b);
    let inputs: Vec<&Path> = files.iter().filter_map(|file| file.location.path()).chain(loaded.path.as_deref()).collect();
    let outputs: Vec<&Path> = args.output.iter().map(|(_, path)| path.as_path()).chain(args.rejects.as_deref()).collect();
    for (index, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| same(input, output)) {
            return Err(Failure::new(Exit::Usage, format!("{}: is an input; write the output elsewhere", output.display())));
        }
        if outputs[..index].iter().any(|other| same(other, output)) {
            return Err(Failure::new(
                Exit::Usage,
                format!("{}: named for two outputs; give each a file of its own", output.display()),
            ));
        }
    }
    Ok(())
}

/// Where a path leads. What is not there yet is known by its folder: `a` and `./a` will be one file.
fn whereabouts(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = || Some(std::fs::canonicalize(folder).ok()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Rejected records as CSV.
fn write_rejects(rejects: &[RejectedRecord], out: &mut dyn Write) -> io::Result<()> {
    let rows = rejects.iter().map(|reject| {
        let (record, line) = (reject.record.to_string(), reject.line.to_string());
        vec![reject.source.clone(), reject.file.clone(), record, line, reject.reason.clone()]
    });
    report::table(&["source", "file", "record", "line", "reason"], rows, out)
}
