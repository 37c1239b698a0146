//! What one night leaves for the next: inputs known by their content, records that are still needed, identities, findings told of.

use super::finding::{Exposure, Severity, Verdict};
use super::hashes::Hashes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a nightly run leaves for the next one. The first night starts from [`Memory::default`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Digest of what decides which findings there are: the rules and their versions, sources and their mappings. A change is told.
    pub rules_sha256: String,
    /// By source: what is known of the times and the ways of writing of its events.
    pub sources: BTreeMap<String, KnownSource>,
    /// Inputs that were read, known by their content; ascending by number.
    pub inputs: Vec<KnownInput>,
    /// Records of the horizon and of open findings, in compact form, by input.
    pub carried: Vec<CarriedPart>,
    /// Identities of records that were read, by source and UTC day; ascending.
    pub seen: Vec<SeenDay>,
    /// Findings that were told of, with how they stood last; ascending by id.
    pub findings: Vec<KnownFinding>,
    /// How common actors and amounts are over all nights, in a form that only the scan reads. Empty before the first night.
    pub frequencies: Vec<u8>,
}

/// What is known of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSource {
    /// Nanoseconds since 1970 UTC of the first and last event; None before the first event with a time.
    pub range: Option<(i64, i64)>,
    /// Events before this one, in nanoseconds since 1970 UTC, are held no more, unless something is open: what comes for an earlier time
    /// cannot be compared with everything of that time.
    pub horizon: Option<i64>,
    /// Its latest distinct times up to the day of the night that read them, at most three, descending: a single date that is a slip of the
    /// hand must not decide how far the source has come.
    pub latest: Vec<i64>,
    /// What its columns showed of the order of day and month, and of the decimal mark.
    pub shown: ShownByColumns,
}

/// What the columns of a source showed so far; what one night decided holds for the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownByColumns {
    pub day_first: bool,
    pub month_first: bool,
    pub decimal_dot: bool,
    pub decimal_comma: bool,
}

/// An input, known by its content: not by its name, nor by where it lies, nor by how it is compressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownInput {
    /// Never used again for another.
    pub number: u64,
    pub source: String,
    /// How it was called last; for people.
    pub name: String,
    /// Bytes as stored, and their SHA-256 in lower-case hex.
    pub stored_bytes: u64,
    pub stored_sha256: String,
    /// None: its records do not lie in its text as they are (sheets, Parquet, arrays), and it is only known as a whole.
    pub text: Option<KnownText>,
    /// Numbered records and physical lines that were gone through, those before the first record included.
    pub records: u64,
    pub lines: u64,
    /// Records at its end that wait for their line end.
    pub held: u64,
    /// Why it could not be read to its end; told again as long as it lies there.
    pub fault: Option<String>,
    /// Nanoseconds since 1970 UTC of its last event.
    pub last: Option<i64>,
    /// The night that read it last.
    pub night: String,
}

/// How much of a text was used. More of it may come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownText {
    /// Bytes of decompressed UTF-8 text, without a byte order mark.
    pub bytes: u64,
    /// SHA-256 of exactly these, in lower-case hex.
    pub sha256: String,
    /// SHA-256 of the first 64 KiB of them, or all where there are fewer.
    pub front_sha256: String,
}

/// Records of one input that are carried to the next night. `bytes` begins with the version of the form; the rest only the scan reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedPart {
    pub source: String,
    /// [`KnownInput::number`]
    pub input: u64,
    pub records: u64,
    /// The columns whose cells are carried, in their order.
    pub columns: Vec<String>,
    pub bytes: Vec<u8>,
}

/// Keyed hashes of the identities of the records of one source and one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenDay {
    pub source: String,
    /// Days since 1970, UTC.
    pub day: i32,
    /// Ascending. A record without an id that one input holds n times stands here n times.
    pub hashes: Hashes,
}

/// A finding that was told of, as it stood last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFinding {
    pub id: String,
    pub rule: String,
    /// A rule whose meaning changed makes new ids.
    pub rule_version: String,
    pub verdict: Verdict,
    pub severity: Severity,
    pub records: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    pub exposure: Vec<Exposure>,
    /// What its first attempts say, each as 32 hex digits: where a record comes late, or another rule speaks for the same ones, the finding
    /// goes on under another id, and is known by them.
    pub attempts: Vec<String>,
    /// Ids under which it was told of before, ascending.
    pub was: Vec<String>,
    /// The id under which it goes on.
    pub now: Option<String>,
    /// Nanoseconds since 1970 UTC of the last record.
    pub last: i64,
    /// The nights that told of it first, and last.
    pub first_seen: String,
    pub last_seen: String,
    pub status: FindingStatus,
    /// Its records are carried to the next night. Of one whose records are not, nothing can be said there.
    pub held: bool,
}

/// How a known finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingStatus {
    /// It is found every night.
    Open,
    /// It was undone.
    Resolved,
    /// It goes on under another id.
    Renamed,
    /// Its records are too old to be held; it stands as it was told.
    Closed,
    /// Rules or sources have changed, and it is not found under them.
    Dropped,
}

/// What a night changes, by ids of findings, ascending. Only `new` and `grown` are worth an alert. A finding that goes on under another id is
/// told of under that one, and is not new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Changes {
    pub new: Vec<String>,
    pub grown: Vec<String>,
    pub unchanged: Vec<String>,
    pub resolved: Vec<String>,
    pub closed: Vec<String>,
    /// Not found any more, and rules or sources have changed: that says nothing of what was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// The ids under which findings go on, by those under which they were told of before.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
}
