//! The first floor: what counts as the same, as validated data. Nothing here is optional in the sense of "not decided yet".

mod check;
mod describe;
mod draft;
pub mod filter;
pub mod hooks;
// A table of keys reads best with one key a line.
#[rustfmt::skip]
mod keys;
pub mod names;
pub mod normalise;
pub mod operations;
pub mod outcome;
pub mod pick;
pub(crate) mod problem;
pub mod profiles;
mod record_types;
mod schema;
pub(crate) mod shape;
mod toml_text;
pub mod window;

pub use check::{BUSINESS_WORDS, MOST_OF_A_KIND, Overrides, load, load_with};
pub use describe::{describe, describe_rule};
pub use hooks::Hooks;
pub use problem::{ConfigErrors, Problem};
pub use record_types::{Continues, RecordTypes};
pub use schema::schema;
pub use toml_text::toml_text;

use crate::domain::finding::Severity;
use chrono_tz::Tz;
use filter::Filter;
use normalise::Normaliser;
use operations::{Globs, Operations};
use outcome::OutcomeMap;
use pick::{Derived, Pick, Slot, TimeMap};
use std::path::PathBuf;
use std::sync::Arc;
use window::Window;

/// A configuration that was checked: every default is filled in, every name is resolved.
#[derive(Debug)]
pub struct Rules {
    /// For times without a zone.
    pub zone: Tz,
    /// False when the configuration names no zone, so that UTC was assumed and must be said.
    pub zone_given: bool,
    pub sources: Vec<Source>,
    pub proofs: Vec<Proof>,
    pub rules: Vec<Rule>,
    pub hooks: Hooks,
    /// SHA-256 of the configuration's bytes in lower-case hex.
    pub sha256: String,
}

/// One kind of export or log, and how its records become events.
#[derive(Debug)]
pub struct Source {
    pub name: Arc<str>,
    /// The profile that it draws on.
    pub profile: Option<String>,
    /// The columns that only the profile names: an export of its kind may well lack them.
    pub of_profile: Vec<String>,
    /// What a repeat of its operations does.
    pub operations: Operations,
    /// Globs, made absolute against the configuration's folder; URLs as they are; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// None: detected from content.
    pub format: Option<Format>,
    pub read: Read,
    /// The columns that a reader must deliver, each once: column names, or JSON pointers.
    pub columns: Vec<String>,
    /// Further columns, made of others; their slots follow those of `columns`.
    pub derived: Vec<Derived>,
    /// Number of slots that `derived` fills.
    pub derived_slots: usize,
    pub map: Mapping,
}

impl Source {
    /// A source that maps nothing, to look at the columns of an input whose meaning is not known yet.
    pub fn of_columns(format: Option<Format>, read: Read, columns: Vec<String>) -> Self {
        Self {
            name: "".into(),
            profile: None,
            of_profile: Vec::new(),
            operations: Operations::default(),
            files: Vec::new(),
            format,
            read,
            columns,
            derived: Vec::new(),
            derived_slots: 0,
            map: Mapping {
                time: TimeMap {
                    from: pick::TimeFrom::One(0),
                    formats: vec![pick::TimeFormat::Detect],
                    zone_from: None,
                    zone: Tz::UTC,
                    zone_given: true,
                },
                operation: Pick::Const(String::new()),
                actor: None,
                amount: None,
                currency: None,
                outcome: None,
                effect_id: None,
                request_key: None,
                payload: None,
                record_id: None,
                reverses: None,
                fields: Vec::new(),
            },
        }
    }

    /// The slot of a pick that is simply one column of the input, as it stands there: what nearly every pick is.
    pub fn plain_column(&self, pick: &Pick) -> Option<Slot> {
        match pick {
            Pick::Columns(slots) if self.read.null.is_empty() => match slots.as_slice() {
                [slot] if *slot < self.columns.len() => Some(*slot),
                _ => None,
            },
            _ => None,
        }
    }

    /// The columns of the input that a pick looks at, also by way of derived ones.
    pub fn columns_of(&self, pick: &Pick) -> Vec<&str> {
        let Pick::Columns(slots) = pick else { return Vec::new() };
        let mut columns = Vec::new();
        let mut waiting: Vec<Slot> = slots.clone();
        // A derived column is made of columns before it, so this ends.
        while let Some(slot) = waiting.pop() {
            match self.columns.get(slot) {
                Some(column) => columns.push(column.as_str()),
                None => {
                    let derived = self.derived.iter().find(|derived| derived.fills().contains(&slot));
                    waiting.extend(derived.into_iter().flat_map(Derived::uses));
                }
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Position of a named field in `Event::fields`.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.map.fields.iter().position(|(field, _)| field == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Delimited text, whatever the delimiter.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// An array, an object that holds one, or objects one after the other.
    Json,
    /// Objects one after the other that each hold an array of records.
    Envelopes,
    /// Lines of `key=value` pairs.
    Logfmt,
    /// Lines that a pattern takes apart.
    Text,
    /// XLSX, XLSB, XLS or ODS.
    Workbook,
    /// A page with a table.
    Html,
    /// `1CClientBankExchange`.
    BankExchange,
    /// Traces of OpenTelemetry in JSON.
    Otlp,
    /// Messages with calls of tools and their results.
    Transcript,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow, as a file (Feather) or a stream.
    Ipc,
}

impl Format {
    pub const ALL: [Self; 13] = [
        Self::Csv,
        Self::Ndjson,
        Self::Json,
        Self::Envelopes,
        Self::Logfmt,
        Self::Text,
        Self::Workbook,
        Self::Html,
        Self::BankExchange,
        Self::Otlp,
        Self::Transcript,
        Self::Parquet,
        Self::Ipc,
    ];

    /// As a configuration writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Json => "json",
            Self::Envelopes => "envelopes",
            Self::Logfmt => "logfmt",
            Self::Text => "text",
            Self::Workbook => "xlsx",
            Self::Html => "html",
            Self::BankExchange => "1c",
            Self::Otlp => "otlp",
            Self::Transcript => "transcript",
            Self::Parquet => "parquet",
            Self::Ipc => "ipc",
        }
    }

    /// The format of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// What stands before each message of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// Lines of JSON, as Docker keeps them.
    Docker,
    /// Time, stream and tag, as Kubernetes' container runtimes keep them.
    Cri,
    /// Time, host and program, by RFC 5424 or RFC 3164.
    Syslog,
    /// Nothing: lines are read as they stand.
    None,
}

impl Wrapper {
    pub const ALL: [Self; 4] = [Self::Docker, Self::Cri, Self::Syslog, Self::None];

    /// True for a column that a wrapper may fill; `@sd.KEY` is a value of syslog's structured data.
    pub fn fills(column: &str) -> bool {
        ["@time", "@host", "@app", "@pid", "@msgid", "@stream"].contains(&column) || column.starts_with("@sd.")
    }

    /// As the configuration writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Cri => "cri",
            Self::Syslog => "syslog",
            Self::None => "none",
        }
    }
}

/// What the user says of a source's bytes; None is "detect it".
#[derive(Debug, Default)]
pub struct Read {
    pub delimiter: Option<u8>,
    pub encoding: Option<&'static encoding_rs::Encoding>,
    pub decimal: Option<char>,
    pub thousands: Option<char>,
    /// Lines before the header.
    pub skip_lines: Option<u64>,
    pub sheet: Option<String>,
    /// JSON pointer to the array of records.
    pub records: Option<String>,
    pub pattern: Option<regex::Regex>,
    pub wrapper: Option<Wrapper>,
    pub record_types: Option<RecordTypes>,
    pub continues: Option<Continues>,
    /// Over the lines above the header of a table in text: named groups become columns of every record.
    pub preamble: Vec<regex::Regex>,
    /// What stands below the rows of a table.
    pub footer: Option<Footer>,
    /// For time formats without a year.
    pub default_year: Option<i32>,
    /// The decimal sign of a column in which nothing decides.
    pub decimal_where_undecided: Option<char>,
    /// Which number of `03/04/2025` is the day in a column in which nothing decides; None: that is asked.
    pub date_order: Option<DateOrder>,
    /// Values that stand for nothing: `--`, `<auto>`.
    pub null: Vec<String>,
}

/// Which number of `03/04/2025` is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

impl DateOrder {
    /// As the configuration and the command line write it.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "day_first" => Some(Self::DayFirst),
            "month_first" => Some(Self::MonthFirst),
            _ => None,
        }
    }
}

/// The lines below the rows of a table. They begin with the first row that a pattern matches, its cells joined by the delimiter.
#[derive(Clone, Debug)]
pub struct Footer {
    /// Their named groups, where they have some, tell what the rows come to.
    pub patterns: Vec<regex::Regex>,
    /// The column that the group `sum` tells the sum of.
    pub sum_column: Option<String>,
}

impl Footer {
    /// The group that tells how many rows there are.
    pub const COUNT: &str = "count";
    /// The group that tells the sum of a column.
    pub const SUM: &str = "sum";
}

/// Canonical field = where its value comes from.
#[derive(Debug)]
pub struct Mapping {
    pub time: TimeMap,
    pub operation: Pick,
    pub actor: Option<Pick>,
    pub amount: Option<AmountMap>,
    pub currency: Option<Pick>,
    /// None: every record took effect.
    pub outcome: Option<OutcomeMap>,
    pub effect_id: Option<EffectIdMap>,
    pub request_key: Option<Pick>,
    pub payload: Option<Pick>,
    pub record_id: Option<Pick>,
    pub reverses: Option<Pick>,
    /// Named fields for fingerprints, proofs and incidents, in the order of `Event::fields`.
    pub fields: Vec<(String, Pick)>,
}

#[derive(Debug)]
pub struct AmountMap {
    pub from: Pick,
    pub unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Euros, roubles, yen.
    Major,
    /// The smallest unit by the ISO 4217 exponent: cents, kopecks, yen.
    Minor,
    /// Hundredths of the major unit, whatever the currency: PayPal's transaction detail report writes 100 yen as 10000.
    Hundredths,
}

#[derive(Debug)]
pub enum EffectIdMap {
    /// Every success is an effect of its own.
    EachRow,
    From(Pick),
}

/// Records of one source prove or refute the effects of another.
#[derive(Debug)]
pub struct Proof {
    /// Index of the source that proves.
    pub source: usize,
    /// Index of the source whose attempts are proven.
    pub of: usize,
    /// Fields of these names in both sources.
    pub fields: Vec<FieldRef>,
}

/// A canonical or named field of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldRef {
    Time,
    Operation,
    Actor,
    Amount,
    Currency,
    Outcome,
    EffectId,
    RequestKey,
    Payload,
    RecordId,
    Reverses,
    /// By name: different sources may keep it at different places.
    Named(String),
}

impl FieldRef {
    /// The canonical field of this name, else the named field.
    pub fn parse(name: &str) -> Self {
        match name {
            "time" => Self::Time,
            "operation" => Self::Operation,
            "actor" => Self::Actor,
            "amount" => Self::Amount,
            "currency" => Self::Currency,
            "outcome" => Self::Outcome,
            "effect_id" => Self::EffectId,
            "request_key" => Self::RequestKey,
            "payload" => Self::Payload,
            "record_id" => Self::RecordId,
            "reverses" => Self::Reverses,
            other => Self::Named(other.to_owned()),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Time => "time",
            Self::Operation => "operation",
            Self::Actor => "actor",
            Self::Amount => "amount",
            Self::Currency => "currency",
            Self::Outcome => "outcome",
            Self::EffectId => "effect_id",
            Self::RequestKey => "request_key",
            Self::Payload => "payload",
            Self::RecordId => "record_id",
            Self::Reverses => "reverses",
            Self::Named(name) => name,
        }
    }
}

/// What counts as the same operation, and how often it may take effect.
#[derive(Debug)]
pub struct Rule {
    pub id: String,
    /// Indices of the sources it judges, ascending.
    pub sources: Vec<usize>,
    /// None: all operations that are not read, set, delete or reversal.
    pub operations: Option<Globs>,
    /// Fields that must be equal after normalising; those of `similar` are not among them.
    pub fingerprint: Vec<FingerprintField>,
    /// Fields that must be near: compared within the block of equal fingerprints.
    pub similar: Vec<Similar>,
    pub window: Window,
    /// Also group records that share a request key within `key_lifetime`.
    pub by_key: bool,
    /// Nanoseconds.
    pub key_lifetime: i64,
    /// Effects that are fine.
    pub allow: u64,
    /// Records of one key (or fingerprint) that differ here are a key conflict; empty: none is judged.
    pub conflict_on: Vec<FieldRef>,
    pub filter: Option<Filter>,
    /// Fields that, where they differ between all effects of a group, show different operations. Default: named fields outside the
    /// fingerprint that are called like a business id or a period. Compared after normalising, without `[rule.normalise]` by
    /// `Normaliser::of_business_ids`.
    pub explained_by: Vec<FingerprintField>,
    pub severity: Severity,
    /// Digest of the rule's meaning (everything above but `severity`), lower-case hex: a changed rule makes new finding ids.
    pub version: String,
}

#[derive(Debug)]
pub struct FingerprintField {
    pub field: FieldRef,
    /// In order.
    pub normalise: Vec<Normaliser>,
}

#[derive(Debug)]
pub struct Similar {
    pub field: FieldRef,
    pub normalise: Vec<Normaliser>,
    pub measure: Measure,
}

/// How near two values must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// 1 - edits / length of the longer, in characters, at least this (0 to 1).
    Edit { method: EditMethod, at_least: f64 },
    /// Decimal amounts at most this apart.
    Within(rust_decimal::Decimal),
    /// Decimal amounts at most this share (0.005 for 0.5 %) of the larger apart.
    WithinShare(rust_decimal::Decimal),
    /// Dates at most this many days apart.
    WithinDays(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditMethod {
    /// Optimal string alignment with adjacent transpositions.
    DamerauLevenshtein,
    Levenshtein,
    JaroWinkler,
}

impl EditMethod {
    pub const ALL: [EditMethod; 3] = [Self::DamerauLevenshtein, Self::Levenshtein, Self::JaroWinkler];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::DamerauLevenshtein => "damerau_levenshtein",
            Self::Levenshtein => "levenshtein",
            Self::JaroWinkler => "jaro_winkler",
        }
    }
}
