//! The command line of what stands between two runs: decisions, proof, schedules.

use chrono::{NaiveDate, NaiveTime};
use chrono_tz::Tz;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use twicelog::domain::Judgement;
use twicelog::nightly::schedule::Scheduler;

/// Which decisions a scan heeds.
#[derive(Debug, Default, Args)]
pub struct DecisionArgs {
    /// Decisions about findings; default: twicelog.baseline.toml beside the configuration, where there is one
    #[arg(long, value_name = "FILE", conflicts_with = "no_baseline")]
    pub baseline: Option<PathBuf>,
    /// Heed no decisions: every finding counts
    #[arg(long)]
    pub no_baseline: bool,
    /// The day on which decisions must still hold, 2026-12-31; default: today in the configuration's zone
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub as_of: Option<NaiveDate>,
}

/// Who is told how a scan ended.
#[derive(Debug, Args)]
pub struct NightArgs {
    /// Write metrics for Prometheus's textfile collector into this file; readable for all, no record's text in it
    #[arg(long, value_name = "FILE.prom", value_parser = super::args::local_file)]
    pub metrics: Option<PathBuf>,
    /// A command when there are findings: a program, or [\"program\", \"argument\"]; in place of the configuration's
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    pub on_findings: Option<Command>,
    /// A command when the scan failed or is incomplete
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    pub on_failure: Option<Command>,
    /// A command after every scan
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    pub finally: Option<Command>,
}

/// A program and its arguments.
pub type Command = std::sync::Arc<Vec<String>>;

/// What a scan leaves as proof of what it read.
#[derive(Debug, Args)]
pub struct ProofArgs {
    /// Write a manifest: digests of every input, counts, control totals, rules; into a folder, each run adds one to the chain there
    #[arg(long, value_name = "FILE|FOLDER", value_parser = super::args::local_file)]
    pub manifest: Option<PathBuf>,
    /// The manifest of the run before; default: the newest of the folder that --manifest names
    #[arg(long, value_name = "MANIFEST")]
    pub previous: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A manifest; or a folder of them, to see that no night is missing
    #[arg(value_name = "MANIFEST|FOLDER")]
    pub manifest: PathBuf,
    /// The JSON result of that run; default: the one that the manifest names
    #[arg(long, value_name = "RESULT.json")]
    pub result: Option<PathBuf>,
    /// Where the inputs lie now; default: where they lay
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BaselineArgs {
    #[command(subcommand)]
    pub command: BaselineCommand,
}

#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    /// Write down a decision about findings
    Add(AddArgs),
    /// Measure the decided findings anew, so that what they have grown to is settled too
    Update(FromArgs),
    /// Remove the entries whose findings are gone, and say which
    Prune(FromArgs),
    /// List decisions and how they stand
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// Ids of findings, or their first digits
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// false_alarm, intended, accepted or being_handled
    #[arg(long, value_name = "DECISION", value_parser = judgement)]
    pub decision: Judgement,
    /// Why, for whoever reads this next year
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    pub reason: String,
    /// Who decided
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// The last day on which the decision holds, 2026-12-31; default: for good
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub until: Option<NaiveDate>,
    #[command(flatten)]
    pub from: FromArgs,
}

#[derive(Debug, Args)]
pub struct FromArgs {
    /// The result that holds the findings, written with --output json
    #[arg(long, value_name = "RESULT.json")]
    pub from: PathBuf,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Where the baseline lies.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// The baseline; default: twicelog.baseline.toml beside the configuration
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// The configuration; default: the nearest twicelog.toml upward from here
    #[arg(long, value_name = "FILE", env = "TWICELOG_CONFIG")]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// A result, to tell which entries have grown, and which have no finding any more
    #[arg(long, value_name = "RESULT.json")]
    pub from: Option<PathBuf>,
    /// How often each rule was wrong, and which field or window would leave its false alarms out
    #[arg(long, requires = "from")]
    pub rates: bool,
    /// The day on which decisions must still hold, 2026-12-31; default: today in UTC
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub as_of: Option<NaiveDate>,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// A scan as a job for systemd, cron or Kubernetes.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("scheduler").required(true).args(["systemd", "cron", "k8s"]))]
pub struct ScheduleArgs {
    /// A service and its timer
    #[arg(long)]
    pub systemd: bool,
    /// A line for a crontab, with a lock, and mail when there is something to say
    #[arg(long)]
    pub cron: bool,
    /// A CronJob
    #[arg(long)]
    pub k8s: bool,
    /// When it starts, each day
    #[arg(long, value_name = "HH:MM", default_value = "02:30", value_parser = time)]
    pub at: NaiveTime,
    /// Zone of that time; default: the machine's
    #[arg(long, value_name = "ZONE", value_parser = super::args::zone)]
    pub zone: Option<Tz>,
    /// Names the units or objects
    #[arg(long, value_name = "NAME", default_value = "twicelog", value_parser = name)]
    pub name: String,
    /// Where relative paths of the scan start; default: here, in a container /data
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// The program; default: this one, in a container twicelog
    #[arg(long, value_name = "PATH")]
    pub program: Option<String>,
    /// The account that the service runs under
    #[arg(long, value_name = "NAME", default_value = "twicelog", value_parser = name)]
    pub user: String,
    /// Who gets mail from cron
    #[arg(long, value_name = "ADDRESS")]
    pub mail: Option<String>,
    /// The container's image; default: twicelog with this version
    #[arg(long, value_name = "IMAGE")]
    pub image: Option<String>,
    /// Write the files into this folder in place of printing them
    #[arg(long, value_name = "FOLDER")]
    pub into: Option<PathBuf>,
    /// Arguments of twicelog scan, after --
    #[arg(value_name = "SCAN ARGUMENTS", last = true)]
    pub scan: Vec<String>,
}

impl ScheduleArgs {
    pub fn scheduler(&self) -> Scheduler {
        match (self.systemd, self.cron) {
            (true, _) => Scheduler::Systemd,
            (_, true) => Scheduler::Cron,
            _ => Scheduler::Kubernetes,
        }
    }
}

/// A program alone, or a JSON list of a program and its arguments: nothing is split at blanks, and no shell reads it.
fn command(text: &str) -> Result<Command, String> {
    const ADVICE: &str = "write a program, or a list like [\"/usr/local/bin/tell-chat\", \"ops\"]";
    let words: Vec<String> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text).map_err(|_| ADVICE.to_owned())?,
        false => vec![text.to_owned()],
    };
    match words.first() {
        Some(program) if !program.trim().is_empty() && !words.iter().any(|word| word.contains('\0')) => Ok(Command::new(words)),
        _ => Err(ADVICE.into()),
    }
}

fn time(text: &str) -> Result<NaiveTime, String> {
    NaiveTime::parse_from_str(text, "%H:%M").map_err(|_| "this is no time of day; write 02:30".to_owned())
}

/// What systemd and Kubernetes both take as a name.
fn name(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if plain && (1..=50).contains(&text.len()) && !text.starts_with('-') && !text.ends_with('-') {
        Ok(text.to_owned())
    } else {
        Err("write small letters, digits and dashes, at most 50".into())
    }
}

fn date(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| "this is no date; write 2026-12-31".to_owned())
}

fn judgement(text: &str) -> Result<Judgement, String> {
    Judgement::parse(text).ok_or_else(|| format!("write one of {}", Judgement::ALL.map(Judgement::name).join(", ")))
}

fn reason(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("say why".into()) } else { Ok(text.to_owned()) }
}
