//! The command line: one definition feeds parsing, help, completions and the man page.

use super::nightly_args::{
    BaselineArgs, DecisionArgs, NightArgs, ProofArgs, ScheduleArgs, StateArgs, StateCommandArgs, VerifyArgs,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use twicelog::domain::{Language, RemoteUrl};
use twicelog::report::{CsvFor, OutputFormat};
use twicelog::rules::DateOrder;

const EXAMPLES: &str = "\
Examples:
  twicelog scan                          scan what twicelog.toml names
  twicelog scan export.csv               no configuration: the export is recognised by its profile
  twicelog scan pay.csv --config t.toml  scan one file with this configuration
  twicelog inspect export.csv            what is this file, and what would be made of it
  twicelog init strange.csv              infer a configuration for an export that no profile knows
  twicelog scan --format json > r.json   the whole result, for programs
  twicelog scan --output csv=r.csv       the summary here, a table there
  twicelog scan --report FOLDER          a page for people, with the result and tables beside it
  twicelog scan --output xlsx=r.xlsx     a workbook; --csv-for excel-ru makes CSV files for Excel in Russian
  twicelog report r.json --format html   a result told again
  zcat app.log.gz | twicelog scan -      standard input
  twicelog check                         is the configuration right, and what would it read
  twicelog explain TL-0f3a12345678       one finding with its records and evidence
  twicelog explain duplicate_effect      what a verdict or a cause means
  twicelog baseline add TL-0f3a12345678 --decision intended --reason gift --from r.json
                                         settled: listed from now on, but not counted
  twicelog scan --state nights           each night: only what is new is read and told of

Exit codes:
  0 whole input read, nothing to report   1 findings   2 usage or configuration
  3 incomplete: unreadable or cut-off file, too many rejected records   4 output not written
  5 the state is in use by another run   6 the state is damaged, or of another version";

/// Reads audit logs and exports, and reports what probably took effect twice.
#[derive(Debug, Parser)]
#[command(name = "twicelog", version, after_help = EXAMPLES, after_long_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Scan logs and report what took effect twice
    Scan(Box<ScanArgs>),
    /// Check the configuration, show the resolved rules, and try them on the first records
    Check(CheckArgs),
    /// Tell what a file is: format, profile, columns, times, ids, and what would be made of it
    Inspect(InspectArgs),
    /// Infer a configuration from files that no profile knows, and write it with comments
    Init(InitArgs),
    /// Explain a finding, a rule, a verdict or a cause
    Explain(ExplainArgs),
    /// Tell a JSON result again, in another format or language
    Report(RetellArgs),
    /// Decide about findings: what is settled is listed, but not counted again
    Baseline(BaselineArgs),
    /// Look at, check and care for what scan --state keeps from night to night
    State(StateCommandArgs),
    /// Look again whether everything is as a manifest says, and no night is missing
    Verify(VerifyArgs),
    /// Print a nightly scan as a job for systemd, cron or Kubernetes
    Schedule(Box<ScheduleArgs>),
    /// List the exports and logs that are recognised, or show one of them
    Profiles(ProfilesArgs),
    /// Run the examples that profiles carry
    Test(TestArgs),
    /// Write a made-up log with known duplicates, its configuration, and the answers
    Synth(SynthArgs),
    /// Print a JSON Schema
    Schema(SchemaArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// Where the configuration comes from, and which files are read.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// The configuration; default: the nearest twicelog.toml upward from here
    #[arg(long, value_name = "FILE", env = "TWICELOG_CONFIG")]
    pub config: Option<PathBuf>,
    /// Use no twicelog.toml: recognise each file's profile, and use that profile's rules; outranks --config
    #[arg(long)]
    pub no_config: bool,
    /// Read the files as exports of this kind, without a configuration; twicelog profiles lists them
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// A folder of further profiles; one of a built-in name takes its place
    #[arg(long, value_name = "FOLDER", env = "TWICELOG_PROFILES")]
    pub profiles: Option<PathBuf>,
    /// A file of this source, in place of those that the configuration names
    #[arg(long, value_name = "NAME=FILE", value_parser = source_file)]
    pub source: Vec<(String, PathBuf)>,
    /// Zone for times without one, in place of the configuration's: Europe/Moscow
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub zone: Option<chrono_tz::Tz>,
    /// The decimal sign of amounts, where no value decides
    #[arg(long, value_name = "SIGN", value_parser = decimal)]
    pub decimal: Option<char>,
    /// Which number of 03/04/2026 is the day, where no value decides: day_first or month_first
    #[arg(long, value_name = "ORDER", value_parser = date_order)]
    pub date_order: Option<DateOrder>,
}

#[derive(Debug, Args)]
pub struct ScanArgs {
    /// Files or URLs to read in place of those that the configuration names; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub input: InputArgs,
    /// List groups that need no attention too
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub outputs: OutputArgs,
    /// Keep the text of each record of a finding as it stands in its file (its first 2,000 characters) in the result and on the page; a
    /// mask covers only what it recognises there
    #[arg(long)]
    pub raw: bool,
    /// Write rejected records with file, record, line and reason as CSV
    #[arg(long, value_name = "FILE", value_parser = local_file)]
    pub rejects: Option<PathBuf>,
    /// Rejected records that are still fine, as a share of those read: 0.1% or 0.001
    #[arg(long, value_name = "SHARE", default_value = "0.1%", value_parser = share)]
    pub max_rejected: f64,
    /// Exit with 0 although there are findings; errors keep their codes
    #[arg(long)]
    pub exit_zero: bool,
    #[command(flatten)]
    pub decisions: DecisionArgs,
    #[command(flatten)]
    pub proof: ProofArgs,
    #[command(flatten)]
    pub state: StateArgs,
    #[command(flatten)]
    pub night: NightArgs,
    #[command(flatten)]
    pub look: LookArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Which reports go where.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// What standard output gets: text, json, ndjson, csv, html, markdown, sarif, junit, or png and xlsx where it is no terminal
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub format: OutputFormat,
    /// Write a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = format_file)]
    pub output: Vec<(OutputFormat, PathBuf)>,
    /// Write report.html, report.png, result.json, findings.csv, findings.xlsx, a picture of each chart and, of a scan, manifest.json into
    /// this folder
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// Who will read the CSV files: programs, excel, or excel-ru (semicolons and decimal commas)
    #[arg(long, value_name = "READER", default_value = "programs", value_parser = csv_for)]
    pub csv_for: CsvFor,
}

/// What is shown of names, addresses and numbers, and how. Card numbers are never shown whole.
#[derive(Debug, Args)]
pub struct LookArgs {
    /// Mask e-mail addresses, phones, names of actors and accounts in every output
    #[arg(long, conflicts_with = "reveal")]
    pub mask: bool,
    /// Mask nothing but card numbers, on the terminal neither
    #[arg(long)]
    pub reveal: bool,
    /// Call masked people and accounts by pseudonyms that are the same in every report made with the key in this file: 32 characters or
    /// more, as openssl rand -hex 32 makes them. Default: with --state the state's key; without, numbers that mean nothing elsewhere
    #[arg(long, value_name = "FILE", env = "TWICELOG_MASK_KEY")]
    pub mask_key: Option<PathBuf>,
    /// The language of reports for people: en or ru; JSON, CSV, ids and exit codes have none
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language)]
    pub lang: Language,
    /// Colours on standard output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Threads; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory to keep to; what grows with the input goes to a temporary file beyond half of it
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = size)]
    pub max_memory: usize,
    /// Folder for temporary files; default: the system's
    #[arg(long, value_name = "FOLDER")]
    pub temp_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files to try in place of those that the configuration names
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub input: InputArgs,
    /// Records of each file to try
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rows: u64,
    /// Show actors, addresses and numbers of the sample whole
    #[arg(long)]
    pub reveal: bool,
}

#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Files or URLs to look at; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Look at the columns as if no profile knew the file
    #[arg(long, conflicts_with = "profile")]
    pub no_profile: bool,
    #[command(flatten)]
    pub input: InputArgs,
    /// Show actors, addresses and numbers of the sample whole
    #[arg(long)]
    pub reveal: bool,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Files or URLs to look at
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Where the configuration is written; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "twicelog.toml", value_parser = local_file)]
    pub output: PathBuf,
    /// Write without asking; needed where there is no terminal
    #[arg(long)]
    pub yes: bool,
    /// Infer from the columns although a profile knows the file
    #[arg(long)]
    pub no_profile: bool,
    /// A folder of further profiles; one of a built-in name takes its place
    #[arg(long, value_name = "FOLDER", env = "TWICELOG_PROFILES")]
    pub profiles: Option<PathBuf>,
    /// Zone for times without one: Europe/Moscow
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub zone: Option<chrono_tz::Tz>,
    /// Show actors, addresses and numbers in the examples whole
    #[arg(long)]
    pub reveal: bool,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The id of a finding (or its first digits), the id of a rule, or the name of a verdict or cause
    #[arg(value_name = "FINDING|RULE|VERDICT|CAUSE")]
    pub what: String,
    /// Files to scan for the finding in place of those that the configuration names
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Look for the finding in a result written with --output json, instead of scanning again
    #[arg(long, value_name = "RESULT.json")]
    pub result: Option<PathBuf>,
    /// Look for the finding in what scan --state keeps in this folder: records of earlier nights, and what became of ids that are told no more
    #[arg(long, value_name = "FOLDER", conflicts_with = "result")]
    pub state: Option<PathBuf>,
    /// The key that seals the state; default: key, in its folder
    #[arg(long, value_name = "FILE", requires = "state")]
    pub state_key: Option<PathBuf>,
    /// Show the text of each record as it stands in its file, too; a mask covers only what it recognises there
    #[arg(long)]
    pub raw: bool,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub look: LookArgs,
}

#[derive(Debug, Args)]
pub struct RetellArgs {
    /// A result written with --output json; - for standard input
    #[arg(value_name = "RESULT.json")]
    pub result: PathBuf,
    #[command(flatten)]
    pub outputs: OutputArgs,
    #[command(flatten)]
    pub look: LookArgs,
}

#[derive(Debug, Args)]
pub struct ProfilesArgs {
    /// The profile to show; default: list all
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// A folder of further profiles; one of a built-in name takes its place
    #[arg(long, value_name = "FOLDER", env = "TWICELOG_PROFILES")]
    pub profiles: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// All of them as a page of Markdown
    #[arg(long, conflicts_with_all = ["json", "name"])]
    pub markdown: bool,
}

#[derive(Debug, Args)]
pub struct TestArgs {
    /// Names of the profiles to test; default: all
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// A folder of further profiles; one of a built-in name takes its place
    #[arg(long, value_name = "FOLDER", env = "TWICELOG_PROFILES")]
    pub profiles: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SynthArgs {
    /// The folder for payments.csv, twicelog.toml and answers.json
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Payments; repeats come on top
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub payments: u64,
    /// Planted cases: six kinds of duplicates and four that look like some, in turn
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub cases: u64,
    /// The same seed makes the same log
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct SchemaArgs {
    pub of: SchemaOf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaOf {
    /// The document of --format json
    Result,
    /// twicelog.toml
    Config,
    /// The manifest of scan --manifest
    Manifest,
    /// What a hook gets on standard input
    Hook,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// The page of one subcommand
    pub subcommand: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

pub fn zone(text: &str) -> Result<chrono_tz::Tz, String> {
    text.parse().map_err(|_| "this is no zone; write a name of the tz database, for example Europe/Moscow or UTC".to_owned())
}

fn decimal(text: &str) -> Result<char, String> {
    match text {
        "." => Ok('.'),
        "," => Ok(','),
        _ => Err("write . or ,".into()),
    }
}

fn date_order(text: &str) -> Result<DateOrder, String> {
    DateOrder::parse(text).ok_or_else(|| "write day_first or month_first".to_owned())
}

fn language(text: &str) -> Result<Language, String> {
    Language::parse(text)
        .ok_or_else(|| format!("there is no language {text:?}; known are {}", Language::ALL.map(Language::code).join(", ")))
}

fn csv_for(text: &str) -> Result<CsvFor, String> {
    CsvFor::parse(text)
        .ok_or_else(|| format!("there is no reader {text:?}; known are {}", CsvFor::ALL.map(CsvFor::name).join(", ")))
}

fn format(text: &str) -> Result<OutputFormat, String> {
    OutputFormat::parse(text).ok_or_else(|| {
        let names: Vec<&str> = OutputFormat::ALL.iter().map(|format| format.name()).collect();
        format!("there is no format {text:?}; known are {}", names.join(", "))
    })
}

fn format_file(text: &str) -> Result<(OutputFormat, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !file.is_empty() => Ok((format(name)?, local_file(file)?)),
        _ => Err("write FORMAT=FILE, for example json=result.json".into()),
    }
}

/// Outputs are replaced whole or not at all, and kept from other users: no store promises both.
pub fn local_file(text: &str) -> Result<PathBuf, String> {
    match RemoteUrl::of(Path::new(text)) {
        None => Ok(PathBuf::from(text)),
        Some(_) => Err("outputs are not written to URLs; write a file, and copy it there".into()),
    }
}

fn source_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), PathBuf::from(file))),
        _ => Err("write NAME=FILE, with the name of a source".into()),
    }
}

/// A share from 0 to 1, or a percentage.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().map_err(|_| "this is no share; write 0.1% or 0.001".to_owned())? / unit;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("this is not between 0 and 100%".into()) }
}

/// Bytes: `512MiB`, `2GiB`, `64000000`.
fn size(text: &str) -> Result<usize, String> {
    const ADVICE: &str = "this is no size; write 512MiB or 2GiB";
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit: usize = match unit.trim() {
        "" | "B" => 1,
        "k" | "kB" | "KB" => 1_000,
        "KiB" => 1 << 10,
        "M" | "MB" => 1_000_000,
        "MiB" => 1 << 20,
        "G" | "GB" => 1_000_000_000,
        "GiB" => 1 << 30,
        _ => return Err(ADVICE.into()),
    };
    let number: usize = number.parse().map_err(|_| ADVICE.to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "this is more than a machine can address".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_shares() {
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("64000"), Ok(64_000));
        assert!(size("lots").is_err() && size("-1").is_err() && size("99999999999GiB").is_err());
        assert_eq!(share("0.1%"), Ok(0.001));
        assert_eq!(share("0.5"), Ok(0.5));
        assert!(share("150%").is_err() && share("NaN").is_err() && share("").is_err());
    }
}
