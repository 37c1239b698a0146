//! The result of a scan, as JSON gives it: `twicelog.result/1`.

use super::finding::{Exposure, Severity};
use super::findings::Findings;
use super::memory::Changes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name and version of the JSON format.
pub const SCHEMA: &str = "twicelog.result/1";

/// The whole document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// `twicelog.result/1`
    pub schema: String,
    /// A pure function of inputs and configuration, byte for byte.
    pub result: ScanResult,
    /// What the same input would give with shorter and longer windows, ascending, today's among them. Only where a report with charts was
    /// asked for, and without a state. What people decided is left out of them as of the totals: a decision holds for the finding of the same
    /// id, as long as it has not grown. Windows that would take in very many records are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowStep>,
    /// The runs before this one, oldest first: those of a state, else those whose manifests lie in one folder; only of a scan with a state,
    /// or one that adds a manifest to a folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nights: Vec<Night>,
    /// Everything that varies between two runs.
    pub run: Run,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScanResult {
    pub ledger: Ledger,
    /// What stands beside the ledger on a night that goes on from an earlier one; absent without a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nightly: Option<Nightly>,
    pub totals: Totals,
    pub sources: Vec<SourceSummary>,
    /// The rules that judged, in the order of the configuration; those that found nothing too. Results written before there was this
    /// list have none.
    #[serde(default)]
    pub rules: Vec<RuleSummary>,
    pub health: Vec<Health>,
    pub batches: Vec<Batch>,
    pub incidents: Vec<Incident>,
    pub notes: Vec<Note>,
    /// The actors with most findings, and how often they act at all; at most twenty. Results written before there was this list have none.
    #[serde(default)]
    pub actors: Vec<ActorVolume>,
    #[schemars(with = "Vec<super::finding::Finding>")]
    pub findings: Findings,
}

/// Code of the note about outcomes that are in no list.
pub const UNLISTED_OUTCOME: &str = "unlisted_outcome";

impl ScanResult {
    /// True for a night that found all its inputs as the night before had left them.
    pub fn is_quiet_night(&self) -> bool {
        self.ledger.read == 0 && self.nightly.as_ref().is_some_and(|night| night.skipped_inputs > 0)
    }

    /// Whether records ended with a word that no list of the configuration knows: what came of them is a guess.
    pub fn has_unlisted_outcomes(&self) -> bool {
        self.notes.iter().any(|note| note.code == UNLISTED_OUTCOME)
    }
}

/// An actor with findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActorVolume {
    /// As the records name it.
    pub actor: String,
    /// Events of this actor in the whole input: at most so many, because actors are counted in a table of fixed size in which two may share
    /// a cell.
    pub events_at_most: u64,
}

/// What other windows would find.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowStep {
    /// How many times as far as the rules say: `1/4`, `1`, `16`. Windows without a bound, and lifetimes of request keys, stay.
    pub factor: String,
    pub findings: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    /// As in the totals.
    pub exposure: Vec<Exposure>,
    pub possible_exposure: Vec<Exposure>,
}

/// An earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Night {
    /// RFC 3339, UTC.
    pub started: String,
    /// Those that counted, and those that a decision settled.
    pub findings: u64,
    pub decided: u64,
    /// False when other rules judged than today: its numbers are of another kind.
    pub same_rules: bool,
    /// What became of findings that night; only of the nights of a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangeCounts>,
    /// As in the totals; only of the nights of a state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exposure: Vec<Exposure>,
}

/// What became of findings in one night. The first three add up to the findings that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeCounts {
    pub new: u64,
    pub grown: u64,
    pub unchanged: u64,
    pub resolved: u64,
}

impl ChangeCounts {
    /// Counts the findings that count: `ids` are those of all that changed, and perhaps of others; there are `all` of them. The ids in
    /// `changes` are ascending.
    pub fn of<'a>(changes: &Changes, ids: impl Iterator<Item = &'a str>, all: u64) -> Self {
        let is = |ids: &[String], id: &str| ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok();
        let (mut new, mut grown) = (0, 0);
        for id in ids {
            new += u64::from(is(&changes.new, id));
            grown += u64::from(is(&changes.grown, id));
        }
        Self { new, grown, unchanged: all.saturating_sub(new + grown), resolved: changes.resolved.len() as u64 }
    }
}

/// The count that must balance: read = used + ignored + repeated + rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// Records found in the inputs.
    pub read: u64,
    /// Records that became events.
    pub used: u64,
    /// Records that the configuration does not want: text lines off the pattern, outcomes listed under `ignore`.
    pub ignored: u64,
    /// The same record again, from overlapping exports or an at-least-once stream.
    pub repeated: u64,
    /// Records that could not be used; each has a place and a reason.
    pub rejected: u64,
}

/// Counts of a night that go on from earlier ones. None of them is part of the ledger's balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nightly {
    /// Records of earlier nights that new ones were compared with.
    pub carried_in: u64,
    /// Records that the next night will compare with.
    pub carried_out: u64,
    /// Records at the end of files that wait for their line end.
    pub held: u64,
    /// New records that came later than anything could wait for; they were compared with what is still held.
    pub late: u64,
    /// Inputs that were read on an earlier night, all of them.
    pub skipped_inputs: u64,
}

impl Ledger {
    pub fn balances(&self) -> bool {
        let parts = [self.used, self.ignored, self.repeated, self.rejected];
        parts.into_iter().try_fold(0_u64, u64::checked_add) == Some(self.read)
    }

    pub fn add(&mut self, other: &Ledger) {
        self.read += other.read;
        self.used += other.used;
        self.ignored += other.ignored;
        self.repeated += other.repeated;
        self.rejected += other.rejected;
    }
}

/// Totals over the reported findings that no decision of the baseline settles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    pub findings: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    /// Money moved by proven extra effects: one entry for each currency, ordered by code.
    pub exposure: Vec<Exposure>,
    /// Money at stake in possible duplicates, which the log can neither prove nor rule out; not part of `exposure`.
    pub possible_exposure: Vec<Exposure>,
    /// Groups of each verdict, reported or not, in the order of the questions.
    pub verdicts: Vec<VerdictCount>,
    /// The reported findings that a decision settles; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
}

impl Totals {
    /// Findings that are listed, but not counted.
    pub fn decided_findings(&self) -> u64 {
        self.decided.as_ref().map_or(0, |decided| decided.findings)
    }
}

/// What the findings that people have decided about come to; no part of the other totals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    pub findings: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    /// Money moved by proven extra effects, by currency.
    pub exposure: Vec<Exposure>,
    /// Money at stake in possible duplicates.
    pub possible_exposure: Vec<Exposure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCount {
    pub verdict: super::finding::Verdict,
    pub groups: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceSummary {
    pub name: String,
    pub ledger: Ledger,
    /// RFC 3339 of the first and last event; null where the source had none.
    pub first: Option<String>,
    pub last: Option<String>,
    pub files: Vec<FileSummary>,
    /// Attempts in each of the 168 hours of a week, from Monday 00:00 UTC. Those without a time of day are in none; empty where there
    /// is no other.
    #[serde(default)]
    pub volume: Vec<u64>,
    /// The used records that have a time, by time: of a night those that it read, and none that it carried. Null where no used record has a
    /// time, and in results written before there was this count.
    #[serde(default)]
    pub over_time: Option<OverTime>,
}

/// Records by time, in UTC. Where there is no bucket there was no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverTime {
    /// Seconds across a bucket: 1, 10, 60, 300, 900, 3600, 3 hours, 6 hours, a day, 7 days, and twice as much from there on; the least with
    /// which at most 400 buckets hold something. Weeks begin on Mondays.
    pub bucket_seconds: u64,
    /// Those that hold something, in order.
    pub buckets: Vec<Bucket>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bucket {
    /// Beginning of the bucket, RFC 3339; a date where buckets are days or longer.
    pub from: String,
    pub records: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileSummary {
    pub file: String,
    /// What the file was recognised as: format, delimiter, encoding, compression.
    pub format: String,
    pub ledger: Ledger,
    pub first: Option<String>,
    pub last: Option<String>,
    /// Why the file could not be read to its end; null when it was.
    pub fault: Option<String>,
    /// Rejected records by reason, most frequent first.
    pub rejects: Vec<RejectCount>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RejectCount {
    /// The reason without the value.
    pub reason: String,
    pub records: u64,
    /// The first of them: `file:line: what is wrong "value"; what to do`.
    pub example: String,
}

/// A rule as it was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleSummary {
    pub id: String,
    /// Of its findings, unless their verdict lowers it.
    pub severity: Severity,
    /// Digest of what it means, lower-case hex: a changed rule makes new finding ids.
    pub version: String,
    /// What it compares, within which window, in words: a line for each setting.
    pub meaning: Vec<String>,
}

/// Idempotency health of one operation: how its repeats behaved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    pub operation: String,
    pub attempts: u64,
    /// Attempts that carry a request key.
    pub with_key: u64,
    /// Groups with more than one attempt.
    pub repeats: u64,
    /// Groups whose repeats returned the known result (`safe_replay`) or could do no harm (`idempotent_repeat`).
    pub answered: u64,
    /// `blocked_repeat`
    pub blocked: u64,
    /// `duplicate_effect` and `compensated`
    pub doubled: u64,
    /// `possible_duplicate`
    pub possibly_doubled: u64,
    /// `key_conflict`
    pub conflicting: u64,
    /// `inconsistent_replay`
    pub answered_differently: u64,
    /// `retried_failure` and `legitimate_repeat`
    pub retried: u64,
    /// Groups in which an attempt carries a request key.
    #[serde(default)]
    pub keyed_repeats: u64,
    /// Those of them in which a repeat came under another key (`key_relation` `changed` or `partly`): its sender makes a key for each attempt
    /// and not for each operation.
    #[serde(default)]
    pub keys_changed: u64,
    /// The middle of the times from the first act of a group to the next, in seconds; null where no group has times of day.
    #[serde(default)]
    pub median_gap_seconds: Option<f64>,
}

/// Many findings with one constant lag between original and repeat: a file or a job run twice. Its numbers are those of the findings that no
/// decision settles; a batch that is settled altogether is not listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Batch {
    /// `TB-` and 12 hex digits.
    pub id: String,
    pub rule: String,
    pub lag_seconds: f64,
    pub findings: u64,
    pub extra_effects: u64,
    pub exposure: Vec<Exposure>,
    /// Time of the first and last original, and of the first and last repeat.
    pub originals: [String; 2],
    pub repeats: [String; 2],
}

/// Findings of several rules tied by a shared business id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Incident {
    /// `TI-` and 12 hex digits.
    pub id: String,
    /// The field and value that tie the findings.
    pub field: String,
    pub value: String,
    /// Ids of the findings that no decision settles, in the order in which their first records happened; an incident without any is not
    /// listed.
    pub findings: Vec<String>,
}

/// A doubt about the input or the configuration that a reader must know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// Stable name of the kind of doubt: `assumed_zone`, `damaged_id`, `unlisted_outcome`, `rule_matched_nothing` …
    pub code: String,
    pub message: String,
}

impl Note {
    /// Groups of a rule, or blocks of them, that were not read to their end.
    pub fn too_large(rule: &str, groups: u64, records: u64) -> Self {
        let message = format!(
            "rule {rule}: {groups} groups are too large to read in detail, {records} of their records were only counted; \
             their numbers are lower bounds, add fields to the fingerprint or shorten the window"
        );
        Self { code: "group_too_large".to_owned(), message }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    pub version: String,
    /// RFC 3339, UTC.
    pub started: String,
    pub duration_ms: u64,
    pub config_sha256: String,
    pub inputs: Vec<RunInput>,
    /// The decisions that were heeded; absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<RunInput>,
    /// What this run is among the runs of a state; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub night: Option<NightRun>,
}

/// A run that keeps a state from night to night.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NightRun {
    pub run_id: String,
    /// 1 for the first run of a state.
    pub generation: u64,
    /// The day up to which events are taken to be past; null: up to the latest event.
    pub as_of: Option<String>,
    /// What became of findings since the run before.
    pub changes: Changes,
    /// The ids under which findings of this result were told of on earlier nights, by the ids that they have now.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub was: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunInput {
    pub file: String,
    pub bytes: u64,
    pub sha256: String,
}
