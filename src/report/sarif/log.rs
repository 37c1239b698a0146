//! The objects of a SARIF log that are written, named as in the specification.

use crate::domain::finding::Exposure;
use crate::domain::report;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<'a>; 1],
}

#[derive(Serialize)]
pub(super) struct Run<'a> {
    pub(super) tool: Tool<'a>,
    pub(super) language: &'static str,
    pub(super) invocations: [Invocation<'a>; 1],
    pub(super) artifacts: Vec<Artifact<'a>>,
    pub(super) results: Vec<Outcome<'a>>,
    pub(super) properties: Totals<'a>,
}

/// The totals of the report as its JSON has them.
#[derive(Serialize)]
pub(super) struct Totals<'a> {
    pub(super) ledger: &'a report::Ledger,
    pub(super) totals: &'a report::Totals,
}

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    pub(super) driver: Driver<'a>,
}

#[derive(Serialize)]
pub(super) struct Driver<'a> {
    pub(super) name: &'static str,
    pub(super) version: &'a str,
    pub(super) rules: Vec<Descriptor<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor<'a> {
    pub(super) id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation<'a> {
    pub(super) execution_successful: bool,
    pub(super) start_time_utc: &'a str,
    pub(super) tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
pub(super) struct Notification<'a> {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    descriptor: Option<Reference<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

impl<'a> Notification<'a> {
    pub(super) fn error(what: &str, file: Option<ArtifactLocation>) -> Self {
        let place = |artifact_location| Location::of(PhysicalLocation { artifact_location, region: None });
        Self { level: "error", message: Message::of(what), descriptor: None, locations: file.map(place).into_iter().collect() }
    }

    pub(super) fn note(what: &str, code: &'a str) -> Self {
        Self { level: "note", message: Message::of(what), descriptor: Some(Reference { id: code }), locations: Vec::new() }
    }
}

#[derive(Serialize)]
pub(super) struct Reference<'a> {
    id: &'a str,
}

#[derive(Serialize)]
pub(super) struct Artifact<'a> {
    pub(super) location: ArtifactLocation,
    pub(super) length: u64,
    pub(super) hashes: Hashes<'a>,
}

#[derive(Serialize)]
pub(super) struct Hashes<'a> {
    #[serde(rename = "sha-256")]
    pub(super) sha_256: &'a str,
}

#[derive(Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
}

/// The object called `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome<'a> {
    pub(super) rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) kind: &'static str,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: Vec<Location>,
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, &'a str>,
    /// Decisions that hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suppressions: Vec<Suppression>,
    /// 0 to 100: the likelihood.
    pub(super) rank: f64,
    pub(super) properties: Facts<'a>,
}

#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: String,
}

/// What is known of a finding beyond what SARIF has names for, as the JSON result has it.
#[derive(Serialize)]
pub(super) struct Facts<'a> {
    pub(super) verdict: &'static str,
    pub(super) severity: &'static str,
    pub(super) key_relation: &'static str,
    pub(super) cause: &'a str,
    pub(super) extra_effects: u64,
    pub(super) possible_extra_effects: u64,
    pub(super) exposure: &'a [Exposure],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    /// Tells the related locations of a result apart; they must not be equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

impl Location {
    pub(super) fn of(physical_location: PhysicalLocation) -> Self {
        Self { id: None, physical_location, message: None }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u64,
    pub(super) end_line: u64,
}

#[derive(Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    /// Plain text. In SARIF even that may hold links, `[text](target)` (3.11.6), and placeholders, `{0}` (3.11.5): a backslash and a second
    /// brace keep what a log says from being either.
    pub(super) fn of(text: &str) -> Self {
        let mut escaped = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            match c {
                '[' | ']' | '\\' => escaped.extend(['\\', c]),
                '{' | '}' => escaped.extend([c, c]),
                c => escaped.push(c),
            }
        }
        Self { text: escaped }
    }
}
