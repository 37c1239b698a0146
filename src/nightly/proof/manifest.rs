//! The manifest of one run: `twicelog.manifest/1`.

use crate::domain::control::ControlTotal;
use crate::domain::report::{Ledger, Report, RunInput, SourceSummary};
use crate::rules::Rules;
use chrono::{DateTime, FixedOffset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of the format.
pub const SCHEMA: &str = "twicelog.manifest/1";

/// What one run read, by which rules, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// `twicelog.manifest/1`
    pub schema: String,
    /// Version of twicelog.
    pub version: String,
    /// RFC 3339, UTC.
    pub started: String,
    pub duration_ms: u64,
    pub exit_code: u8,
    /// Where relative names of inputs start.
    pub folder: String,
    pub files_from: FilesFrom,
    /// The configuration's file; null where profiles stood in for one.
    pub configuration: Option<RunInput>,
    /// SHA-256 over the configuration and every profile that it draws on.
    pub rules_sha256: String,
    pub rules: Vec<RuleProof>,
    /// The decisions that were heeded; null where there were none.
    pub baseline: Option<RunInput>,
    pub inputs: Vec<RunInput>,
    pub ledger: Ledger,
    /// RFC 3339 of the first and last event; null where there was none.
    pub first: Option<String>,
    pub last: Option<String>,
    pub sources: Vec<SourceProof>,
    /// Findings that count, and those that a decision settles.
    pub findings: u64,
    pub decided: u64,
    pub result: ResultProof,
    /// The manifest of the run before; null for the first.
    pub previous: Option<Previous>,
}

/// Who said which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FilesFrom {
    /// The patterns of the configuration: files that fit them later were added.
    Configuration,
    /// The command line.
    Arguments,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleProof {
    pub id: String,
    /// Digest of the rule's meaning.
    pub version: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceProof {
    pub name: String,
    pub ledger: Ledger,
    pub first: Option<String>,
    pub last: Option<String>,
    /// By currency; currencies are never added together.
    pub controls: Vec<ControlTotal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultProof {
    /// SHA-256 of the member `result` of the JSON, without insignificant space, nothing masked but card numbers.
    pub sha256: String,
    /// The JSON file that holds it, relative to the manifest's folder where it lies below; null where none was written.
    pub file: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Previous {
    /// Relative to the manifest's folder where it lies below.
    pub file: String,
    /// Of its bytes.
    pub sha256: String,
}

/// JSON Schema of a manifest.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Manifest);
    schema.insert("$id".into(), "urn:twicelog:manifest:1".into());
    schema.insert("title".into(), SCHEMA.into());
    schema.to_value()
}

impl Manifest {
    /// The manifest of a run, as far as its report tells; whoever wrote files fills in where they lie.
    pub fn of(report: &Report, rules: &Rules, controls: &[Vec<ControlTotal>], result_sha256: String) -> Self {
        let result = &report.result;
        let none = Vec::new();
        let source = |(at, source): (usize, &SourceSummary)| SourceProof {
            name: source.name.clone(),
            ledger: source.ledger,
            first: source.first.clone(),
            last: source.last.clone(),
            controls: controls.get(at).unwrap_or(&none).clone(),
        };
        Self {
            schema: SCHEMA.into(),
            version: report.run.version.clone(),
            started: report.run.started.clone(),
            duration_ms: report.run.duration_ms,
            exit_code: 0,
            folder: String::new(),
            files_from: FilesFrom::Arguments,
            configuration: None,
            rules_sha256: rules.sha256.clone(),
            rules: rules.rules.iter().map(|rule| RuleProof { id: rule.id.clone(), version: rule.version.clone() }).collect(),
            baseline: report.run.baseline.clone(),
            inputs: report.run.inputs.clone(),
            ledger: result.ledger,
            first: result.sources.iter().filter_map(|source| source.first.clone()).min_by_key(|time| instant(time)),
            last: result.sources.iter().filter_map(|source| source.last.clone()).max_by_key(|time| instant(time)),
            sources: result.sources.iter().enumerate().map(source).collect(),
            findings: result.totals.findings,
            decided: result.totals.decided_findings(),
            result: ResultProof { sha256: result_sha256, file: None },
            previous: None,
        }
    }
}

/// Text with more and with fewer digits of a second does not sort as time.
fn instant(rfc3339: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(rfc3339).ok()
}
