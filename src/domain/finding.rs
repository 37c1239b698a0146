//! A finding: what a group means, and everything needed to explain it.

use super::decision::{Decision, Standing};
use super::event::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a group means. The order is the order of the questions; the first that answers decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// One request key, different requests.
    KeyConflict,
    /// The operation is naturally idempotent, or nothing changed.
    IdempotentRepeat,
    /// It took effect more than once and every extra effect was undone.
    Compensated,
    /// More effects than allowed, but a cadence or a differing business id explains them.
    LegitimateRepeat,
    /// It took effect more often than allowed.
    DuplicateEffect,
    /// It may have taken effect more than once; the log cannot tell.
    PossibleDuplicate,
    /// One effect, but the repeats answered differently.
    InconsistentReplay,
    /// The repeat returned the known result.
    SafeReplay,
    /// The repeat was refused.
    BlockedRepeat,
    /// Attempts failed, then at most one took effect.
    RetriedFailure,
}

impl Verdict {
    pub const ALL: [Verdict; 10] = [
        Self::KeyConflict,
        Self::IdempotentRepeat,
        Self::Compensated,
        Self::LegitimateRepeat,
        Self::DuplicateEffect,
        Self::PossibleDuplicate,
        Self::InconsistentReplay,
        Self::SafeReplay,
        Self::BlockedRepeat,
        Self::RetriedFailure,
    ];

    /// The name in configuration, JSON and `explain`.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeyConflict => "key_conflict",
            Self::IdempotentRepeat => "idempotent_repeat",
            Self::Compensated => "compensated",
            Self::LegitimateRepeat => "legitimate_repeat",
            Self::DuplicateEffect => "duplicate_effect",
            Self::PossibleDuplicate => "possible_duplicate",
            Self::InconsistentReplay => "inconsistent_replay",
            Self::SafeReplay => "safe_replay",
            Self::BlockedRepeat => "blocked_repeat",
            Self::RetriedFailure => "retried_failure",
        }
    }

    /// True for verdicts that are findings; the others are counted, and listed with `--all`.
    pub fn is_reported(self) -> bool {
        matches!(
            self,
            Self::KeyConflict | Self::Compensated | Self::DuplicateEffect | Self::PossibleDuplicate | Self::InconsistentReplay
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub const ALL: [Severity; 5] = [Self::Info, Self::Low, Self::Medium, Self::High, Self::Critical];

    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// How the request keys of a group's attempts relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyRelation {
    /// Every attempt carries the same key.
    Same,
    /// Every attempt that carries a key carries a fresh one.
    Changed,
    /// Some attempts share a key, others have another or none.
    Partly,
    /// No attempt carries a key.
    None,
    /// The same key, but used again after its lifetime.
    Expired,
}

impl KeyRelation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Partly => "partly",
            Self::None => "none",
            Self::Expired => "expired",
        }
    }
}

/// The part a record plays in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The first successful attempt; where none succeeded, the first attempt.
    Original,
    /// A later attempt that made another effect.
    Repeat,
    /// An attempt that failed or whose outcome is unknown.
    Retry,
    /// An attempt that returned an effect already known.
    Replay,
    /// A record that undoes an effect.
    Reversal,
    /// A record of another source that proves an effect.
    Proof,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Repeat => "repeat",
            Self::Retry => "retry",
            Self::Replay => "replay",
            Self::Reversal => "reversal",
            Self::Proof => "proof",
        }
    }
}

/// Why the operation was repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// `double_submit`, `client_retry`, `redelivery`, `batch_reimport`, `scheduler_rerun`, `clock_change`, `agent_retry`, `race` or
    /// `unknown`.
    pub code: String,
    /// The facts of these records that say so.
    pub why: String,
}

/// One named piece of evidence for "the same operation took effect twice".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub code: String,
    /// Weight in bits (log2 of the odds it adds); negative speaks against.
    pub bits: f64,
    pub text: String,
}

/// Money moved by effects beyond the allowed number, in one currency. Decimal text in major units; currencies are never added together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exposure {
    /// ISO 4217 code; `XXX` where the records name no currency.
    pub currency: String,
    /// Sum of the amounts of the extra effects.
    pub gross: String,
    /// What refunds, voids and credits took back of it.
    pub reversed: String,
    /// `gross` less `reversed`; for a possible duplicate what is at stake.
    pub net: String,
}

/// One record of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingRecord {
    pub source: String,
    pub file: String,
    /// 1-based: data records of a CSV or sheet, elements of a JSON array, lines of NDJSON and text.
    pub record: u64,
    /// First and last physical line of the decompressed text.
    pub lines: [u64; 2],
    /// RFC 3339 in UTC; a date where the log gives no time of day.
    pub time: String,
    pub outcome: Outcome,
    pub effect_id: Option<String>,
    pub request_key: Option<String>,
    pub role: Role,
    /// Every other mapped field that the record fills: `operation`, `actor`, `amount`, `currency`, `outcome`, and the named fields.
    pub values: BTreeMap<String, String>,
    /// The record as it stands in its file, at most its first 2,000 characters, then `…`; only there where the scan was asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// What a group means, with its records, its money and the evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// `TL-` and 12 hex digits of SHA-256 over rule id, rule version, fingerprint and the first record's content. Survives renamed
    /// files, other order, masking, and growth of the group.
    pub id: String,
    pub rule: String,
    pub verdict: Verdict,
    pub severity: Severity,
    pub key_relation: KeyRelation,
    pub cause: Cause,
    /// 0 to 1: the logistic sum of `evidence`.
    pub likelihood: f64,
    pub evidence: Vec<Evidence>,
    /// Normalised fingerprint; null is the explicit mark "absent".
    pub fingerprint: BTreeMap<String, Option<String>>,
    /// Fields of the fingerprint that every attempt fills, and whose values are equal after the rule's normalisers, however they are
    /// written. Records that were joined by their request key may differ in the others.
    #[serde(default)]
    pub alike: Vec<String>,
    /// Time of the first and last attempt.
    pub first: String,
    pub last: String,
    /// Effects beyond the allowed number that are proven.
    pub extra_effects: u64,
    /// Further effects that the log can neither prove nor rule out.
    pub possible_extra_effects: u64,
    pub exposure: Vec<Exposure>,
    /// Id of the batch this finding is part of.
    pub batch: Option<String>,
    /// Id of the incident this finding is part of.
    pub incident: Option<String>,
    /// Other rules that hold the same records to be one operation.
    pub also: Vec<String>,
    pub records: Vec<FindingRecord>,
    /// Records that came tonight for a time that an earlier night had passed; absent where there are none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub late_records: u64,
    /// Attempts beyond those listed, counted but not read in detail because the group is too large; 0 as a rule.
    pub unread_records: u64,
    /// What people decided about it; absent where the baseline has no entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Finding {
    /// True while a decision holds: the finding is listed, but not counted.
    pub fn is_decided(&self) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.standing == Standing::Live)
    }
}
