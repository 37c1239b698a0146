//! What a hook is told on its standard input: `twicelog.hook/1`. Counts, money and ids; nothing that a log says.

use crate::domain::finding::{Exposure, Finding};
use crate::domain::memory::Changes;
use crate::domain::report::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Name and version of the format.
pub const SCHEMA: &str = "twicelog.hook/1";
/// Ids told; the others are counted.
const MOST_IDS: usize = 50;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// Nothing was read yet. `exit_code` is 0.
    Before,
    /// There are findings that count.
    Findings,
    /// The run failed, or its result is incomplete.
    Failure,
    /// The run is over, however it ended.
    Finally,
}

impl Occasion {
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Findings => "findings",
            Self::Failure => "failure",
            Self::Finally => "finally",
        }
    }
}

/// The result in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub findings: u64,
    pub decided: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    pub exposure: Vec<Exposure>,
    pub possible_exposure: Vec<Exposure>,
    /// Of findings that count, the gravest first, at most 50. With a state: only of those that are new or have grown.
    pub ids: Vec<String>,
    /// With a state: findings that count and were not told of before, those that count again among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<u64>,
    /// With a state: findings that count and have grown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grown: Option<u64>,
}

/// Findings that an alert is about; of everything else people have been told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fresh {
    pub new: Vec<String>,
    pub grown: Vec<String>,
}

impl Fresh {
    /// What is worth an alert: findings that count and are new, have grown, or count again, because the decision that settled them in the
    /// run before (`decided`) holds no more.
    pub fn of(report: &Report, changes: &Changes, decided: &[String]) -> Self {
        let counting: BTreeSet<String> = counting(report).map(|finding| finding.id.clone()).collect();
        let counts = |id: &&String| counting.contains(id.as_str());
        let grown: Vec<String> = changes.grown.iter().filter(counts).cloned().collect();
        let again = decided.iter().filter(|id| !grown.contains(id));
        let new: BTreeSet<&String> = changes.new.iter().chain(again).filter(counts).collect();
        Self { new: new.into_iter().cloned().collect(), grown }
    }

    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.grown.is_empty()
    }

    fn has(&self, id: &str) -> bool {
        self.new.iter().chain(&self.grown).any(|fresh| fresh == id)
    }
}

fn counting(report: &Report) -> impl Iterator<Item = Cow<'_, Finding>> {
    report.result.findings.each().filter(|finding| finding.verdict.is_reported() && !finding.is_decided())
}

impl Summary {
    pub fn of(report: &Report) -> Self {
        let totals = &report.result.totals;
        Self {
            findings: totals.findings,
            decided: totals.decided_findings(),
            extra_effects: totals.extra_effects,
            possible_extra_effects: totals.possible_extra_effects,
            exposure: totals.exposure.clone(),
            possible_exposure: totals.possible_exposure.clone(),
            ids: counting(report).take(MOST_IDS).map(|finding| finding.id.clone()).collect(),
            new: None,
            grown: None,
        }
    }

    /// As [`Summary::of`], for people who know of everything else.
    pub fn of_fresh(report: &Report, fresh: &Fresh) -> Self {
        let ids = counting(report).filter(|finding| fresh.has(&finding.id)).take(MOST_IDS);
        Self {
            ids: ids.map(|finding| finding.id.clone()).collect(),
            new: Some(fresh.new.len() as u64),
            grown: Some(fresh.grown.len() as u64),
            ..Self::of(report)
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alert {
    /// `twicelog.hook/1`
    pub schema: String,
    pub event: Occasion,
    pub run_id: String,
    pub exit_code: u8,
    pub version: String,
    /// RFC 3339, UTC.
    pub started: String,
    /// One line for people, without any text of a log.
    pub text: String,
    /// Null where the run failed before there was a result.
    pub result: Option<Summary>,
}

/// JSON Schema of an alert.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Alert);
    schema.insert("$id".into(), "urn:twicelog:hook:1".into());
    schema.insert("title".into(), SCHEMA.into());
    schema.to_value()
}

/// One line for people. Currencies are codes of letters and digits, and amounts are decimals, so that no chat finds markup in it.
pub fn text(exit_code: u8, result: Option<&Summary>) -> String {
    let ended = match exit_code {
        0 | 1 => String::new(),
        2 => "failed: the usage or the configuration is wrong".to_owned(),
        3 => "incomplete: not everything could be read".to_owned(),
        4 => "failed: an output was not written".to_owned(),
        5 => "failed: another run holds the state".to_owned(),
        6 => "failed: the state is damaged, or of another version".to_owned(),
        code => format!("failed with exit code {code}"),
    };
    let found = result.map(|result| {
        let nets = result.exposure.iter().map(|sum| format!("{} {}", sum.currency, sum.net));
        let nets: Vec<String> = nets.collect();
        let money = if nets.is_empty() { String::new() } else { format!(", net {}", nets.join(", ")) };
        let noun = if result.findings == 1 { "finding" } else { "findings" };
        let fresh = match (result.new, result.grown) {
            (Some(new), Some(grown)) => format!("{new} new, {grown} grown; "),
            _ => String::new(),
        };
        format!("{fresh}{} {noun}, extra effects: {}{money}", result.findings, result.extra_effects)
    });
    let parts: Vec<String> = [Some(ended).filter(|ended| !ended.is_empty()), found].into_iter().flatten().collect();
    format!("twicelog: {}", parts.join("; "))
}
