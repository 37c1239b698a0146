//! The command line of what stands between two runs: decisions, proof, schedules.

use super::hooks;
use chrono::{NaiveDate, NaiveTime};
use chrono_tz::Tz;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
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
    /// The day on which decisions must still hold, 2026-12-31; with --state also the day up to which events are past: what is dated later is
    /// read, and makes nothing too old. Default: today in the configuration's zone
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub as_of: Option<NaiveDate>,
}

/// What a scan keeps for the next one.
#[derive(Debug, Default, Args)]
pub struct StateArgs {
    /// Keep in this folder what the next night needs: only what is new is read, each finding is new once, --on-findings is called only for
    /// what is new or has grown
    #[arg(long, value_name = "FOLDER", value_parser = super::args::local_file)]
    pub state: Option<PathBuf>,
    /// The key that seals the state, so that it can be kept elsewhere; default: key, in the state's folder. Made where it is not there
    #[arg(long, value_name = "FILE", requires = "state")]
    pub state_key: Option<PathBuf>,
    /// How long to wait for another run that holds the state, 5m; default: not at all
    #[arg(long, value_name = "TIME", requires = "state", value_parser = duration)]
    pub wait: Option<Duration>,
    /// Leave files for the next night that were written to less than this ago, 10m, or at a time that lies ahead of this machine's clock;
    /// default: none
    #[arg(long, value_name = "TIME", requires = "state", value_parser = duration)]
    pub settle: Option<Duration>,
    /// How late a record may come and still find everything it belongs to, 3d; default: 1d. What comes later is counted, and the run ends
    /// with 3
    #[arg(long, value_name = "TIME", requires = "state", value_parser = duration)]
    pub lateness: Option<Duration>,
    /// For how long records are known again that later exports bring once more, 60d; default: 35d
    #[arg(long, value_name = "TIME", requires = "state", value_parser = duration)]
    pub remember: Option<Duration>,
    /// For how long after its last record a finding is held open, so that a refund resolves it, 180d; default: 90d
    #[arg(long, value_name = "TIME", requires = "state", value_parser = duration)]
    pub hold: Option<Duration>,
    /// Every input is whole: a last line without an end is a record too, and is not held back for the next night
    #[arg(long, requires = "state")]
    pub complete: bool,
    /// List only findings that are new or have grown since the last run; only they count for the exit code
    #[arg(long, requires = "state")]
    pub since_last: bool,
}

/// What a state holds, and how it is cared for.
#[derive(Debug, Args)]
pub struct StateCommandArgs {
    #[command(subcommand)]
    pub command: StateCommand,
}

#[derive(Debug, Subcommand)]
pub enum StateCommand {
    /// Tell what a state holds, in numbers
    Info(StatePlace),
    /// Look whether every byte of a state is as it was written
    Check(StatePlace),
    /// Bring a state of an older version up to this one; the old one is kept
    Migrate(StatePlace),
    /// Give back room that is no longer needed, and forget alerts that were sent
    Prune(StatePlace),
    /// Put a state aside, whatever became of it, so that the next scan begins anew and finds everything new
    Rebuild(StatePlace),
    /// List alerts that were not sent, or may not have been
    Outbox(OutboxArgs),
}

#[derive(Debug, Args)]
pub struct StatePlace {
    /// The folder of the state
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The key that seals the state; default: key, in its folder
    #[arg(long, value_name = "FILE")]
    pub state_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct OutboxArgs {
    #[command(flatten)]
    pub place: StatePlace,
    /// Send this alert once more with the next scan, although it may have been sent
    #[arg(long, value_name = "NUMBER", conflicts_with = "forget")]
    pub retry: Option<i64>,
    /// Take this alert out of the outbox
    #[arg(long, value_name = "NUMBER")]
    pub forget: Option<i64>,
}

/// Who is told how a scan ended.
#[derive(Debug, Args)]
pub struct NightArgs {
    /// Write metrics for Prometheus's textfile collector into this file; readable for all, no record's text in it
    #[arg(long, value_name = "FILE.prom", value_parser = super::args::local_file)]
    pub metrics: Option<PathBuf>,
    /// A command before anything is read: a program, or [\"program\", \"argument\"]; in place of the configuration's. Where it fails nothing is
    /// read, and the run ends with 3
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    pub before: Option<Command>,
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
    if let [program] = words.as_slice()
        && program.contains(char::is_whitespace)
        && !text.trim_start().starts_with('[')
        && !hooks::is_there(program)
    {
        let list: Vec<String> = program.split_whitespace().map(|word| format!("{word:?}")).collect();
        return Err(format!("there is no program of this name; arguments are given in a list: '[{}]'", list.join(", ")));
    }
    match words.first() {
        Some(program) if !program.trim().is_empty() && !words.iter().any(|word| word.contains('\0')) => Ok(Command::new(words)),
        _ => Err(ADVICE.into()),
    }
}

/// A time: `90s`, `10m`, `2h`, `1d`.
fn duration(text: &str) -> Result<Duration, String> {
    const ADVICE: &str = "this is no time; write 90s, 10m, 2h or 1d";
    let at = text.find(|c: char| !c.is_ascii_digit()).ok_or(ADVICE)?;
    let (number, unit) = text.split_at(at);
    let seconds: u64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(ADVICE.into()),
    };
    let number: u64 = number.parse().map_err(|_| ADVICE.to_owned())?;
    // Longer than a century is a slip of the hand, and beyond what clocks can add.
    number.checked_mul(seconds).filter(|all| *all < 3_155_760_000).map(Duration::from_secs).ok_or_else(|| ADVICE.to_owned())
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
