//! Made-up payment logs: what a row says, every format it can be written in, and the scan of it.

use proptest::prelude::*;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;
use twicelog::engine::{Depth, NoProgress, Options};
use twicelog::read::Location;
use twicelog::rules::Rules;
use twicelog::scan::{Assigned, Scanned, scan_files};

/// One row. Rows that say the same still differ in `serial`, which nothing maps: no row is another one read twice.
#[derive(Clone, Debug)]
pub struct Row {
    pub serial: usize,
    /// Since 2026-03-02T00:00:00Z.
    pub second: u32,
    pub customer: String,
    pub cents: i64,
    pub status: &'static str,
    pub payment: Option<String>,
    pub key: Option<String>,
    pub refund_of: Option<String>,
}

pub const COLUMNS: [&str; 8] = ["serial", "at", "customer", "amount", "status", "payment", "key", "refund_of"];

impl Row {
    pub fn new(serial: usize, second: u32, customer: String, cents: i64, status: &'static str) -> Self {
        let payment = (status == "ok").then(|| format!("p-{serial}"));
        Self { serial, second, customer, cents, status, payment, key: None, refund_of: None }
    }

    /// In the order of `COLUMNS`; empty where the row says nothing.
    pub fn cells(&self) -> [String; 8] {
        let (day, second) = (2 + self.second / 86_400, self.second % 86_400);
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        [
            self.serial.to_string(),
            format!("2026-03-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60),
            self.customer.clone(),
            format!("{}.{:02}", self.cents / 100, self.cents % 100),
            self.status.to_owned(),
            or_empty(&self.payment),
            or_empty(&self.key),
            or_empty(&self.refund_of),
        ]
    }
}

/// Two hours of a few customers who pay few different amounts, so that rows meet in every way.
pub fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let status =
        prop_oneof![5 => Just("ok"), 2 => Just("declined"), 1 => Just("timeout"), 1 => Just("known"), 1 => Just("refund")];
    let id = || prop::option::weighted(0.8, 0_u32..40);
    let row = (0_u32..7_200, 0_u8..4, prop::sample::select(vec![1_000_i64, 1_010, 138_427]), status, id(), id(), id());
    prop::collection::vec(row, 1..most).prop_map(|drawn| {
        let row = |(serial, (second, customer, cents, status, payment, key, refund_of))| {
            let name = |prefix: &str, number: Option<u32>| number.map(|number| format!("{prefix}-{number}"));
            Row {
                payment: name("p", payment).filter(|_| status != "declined" && status != "timeout"),
                key: name("k", key),
                refund_of: name("p", refund_of).filter(|_| status == "refund"),
                ..Row::new(serial, second, format!("c-{customer}"), cents, status)
            }
        };
        drawn.into_iter().enumerate().map(row).collect()
    })
}

/// How a table is written down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Csv,
    Ndjson,
    Array,
    Text,
}

impl Shape {
    pub const ALL: [Shape; 4] = [Self::Csv, Self::Ndjson, Self::Array, Self::Text];

    pub fn write(self, rows: &[Row]) -> Vec<u8> {
        let object = |row: &Row| {
            let members = COLUMNS.iter().zip(row.cells()).map(|(name, cell)| ((*name).to_owned(), Value::String(cell)));
            Value::Object(members.filter(|(_, cell)| cell != "").collect()).to_string()
        };
        let lines: Vec<String> = match self {
            Self::Csv => std::iter::once(COLUMNS.join(",")).chain(rows.iter().map(|row| row.cells().join(","))).collect(),
            Self::Ndjson => rows.iter().map(object).collect(),
            Self::Array => vec![format!("[{}]", rows.iter().map(object).collect::<Vec<_>>().join(",\n"))],
            Self::Text => rows.iter().map(|row| row.cells().join("|")).collect(),
        };
        (lines.join("\n") + "\n").into_bytes()
    }

    /// Lines of `[[source]]` that the shape needs.
    fn read(self) -> String {
        match self {
            Self::Text => {
                let groups: Vec<String> = COLUMNS.iter().map(|name| format!("(?P<{name}>[^|]*)")).collect();
                format!("format = \"text\"\nread.pattern = '^{}$'\n", groups.join("[|]"))
            }
            _ => String::new(),
        }
    }
}

/// Two rules that see the same rows: one of equal amounts and keys, one of near amounts.
pub fn rules(shape: Shape) -> Rules {
    load(&text(shape))
}

pub fn load(text: &str) -> Rules {
    twicelog::rules::load(text, "twicelog.toml", std::path::Path::new("")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// As a configuration says it.
pub fn text(shape: Shape) -> String {
    format!(
        r#"
version = 1
[[source]]
name = "pay"
files = ["unused"]
{}
[source.map]
time = {{ from = "at", format = "iso" }}
operation = {{ const = "charge" }}
actor = "customer"
amount = "amount"
currency = {{ const = "EUR" }}
outcome = {{ from = "status", took_effect = ["ok"], failed = ["declined"], unknown = ["timeout"], replayed = ["known"], reversal = ["refund"], ignore = ["draft"] }}
effect_id = "payment"
request_key = "key"
reverses = "refund_of"
[[rule]]
id = "equal"
fingerprint = ["actor", "amount"]
window = "10m"
by_key = true
conflict_on = ["amount"]
[[rule]]
id = "near"
fingerprint = ["actor"]
similar = [{{ field = "amount", within = "2%" }}]
window = {{ gap = "3m", span = "30m" }}
severity = "low"
"#,
        shape.read()
    )
}

/// Files in a folder of their own.
pub struct Files {
    folder: TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    pub fn new(contents: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |(number, bytes): (usize, Vec<u8>)| {
            let path = folder.path().join(format!("{number}.log"));
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let paths = contents.into_iter().enumerate().map(write).collect();
        Self { folder, paths }
    }

    pub fn scan(&self, rules: &Rules, threads: usize, max_memory: usize) -> Scanned {
        let assigned = |path: &PathBuf| Assigned {
            location: Location::File(path.clone()),
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            source: 0,
        };
        let files: Vec<Assigned> = self.paths.iter().map(assigned).collect();
        let temp_dir = self.folder.path().to_owned();
        let options = Options { threads, max_memory, temp_dir, depth: Depth::All, ..Options::default() };
        let scanned = scan_files(rules, &files, &options, &NoProgress).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scanned.faults, Vec::<String>::new());
        assert!(scanned.result.ledger.balances(), "{:?}", scanned.result.ledger);
        scanned
    }
}

/// Bytes for rows that are never reached here.
pub const ENOUGH: usize = 512 << 20;

pub fn scan(rows: &[Row], shape: Shape) -> Scanned {
    Files::new([shape.write(rows)]).scan(&rules(shape), 2, ENOUGH)
}

/// Everything a scan found, but for where the records stood.
pub fn told(scanned: &Scanned) -> Value {
    let result = &scanned.result;
    let mut findings = serde_json::to_value(&result.findings).unwrap();
    for finding in findings.as_array_mut().unwrap() {
        for record in finding["records"].as_array_mut().unwrap() {
            let record = record.as_object_mut().unwrap();
            ["file", "record", "lines"].iter().for_each(|place| assert!(record.remove(*place).is_some()));
        }
    }
    serde_json::json!({
        "findings": findings, "totals": result.totals, "health": result.health, "batches": result.batches, "incidents": result.incidents
    })
}

/// Where two values first differ, and how; None where they do not. Whole results are too long to be compared by eye.
pub fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.filter_map(|(at, (one, other))| Some(format!("/{at}{}", difference(one, other)?))).next()
        }
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().filter_map(|(name, one)| Some(format!("/{name}{}", difference(one, &other[name])?))).next()
        }
        _ => (one != other).then(|| format!(": {one} and {other}")),
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}
