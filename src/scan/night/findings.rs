//! What became of findings since the night before: which are new, grown, resolved, closed, and which go on under another id.

use super::steps::Steps;
use crate::domain::Verdict;
use crate::domain::finding::{Finding, Role};
use crate::domain::memory::{Changes, FindingStatus, KnownFinding};
use crate::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// The last record of a finding whose records have no times: they are not held, and found again when their file is read again.
pub const TIMELESS: i64 = i64::MAX;
/// Attempts by which a finding is known again, whatever its id.
const MOST_ATTEMPTS: usize = 16;

/// Whether rules and sources are what they were the night before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    AsBefore,
    Changed,
}

/// What is compared with the night before.
pub struct Tonight<'t> {
    pub findings: &'t [Finding],
    pub rules: &'t Rules,
    pub setting: Setting,
    pub steps: &'t Steps,
    /// How the night is called.
    pub night: &'t str,
    /// Nanoseconds since 1970: a known finding whose last record is older is not looked for any more.
    pub held_from: i64,
    /// One whose last record is older is forgotten.
    pub forgotten: i64,
}

/// Records that ask for the operation; what undoes or proves it is no growth.
fn attempts(finding: &Finding) -> u64 {
    let asks = |role: Role| !matches!(role, Role::Reversal | Role::Proof);
    finding.records.iter().filter(|record| asks(record.role)).count() as u64 + finding.unread_records
}

/// Findings of tonight held against those that were told of.
pub fn compare(before: &[KnownFinding], tonight: &Tonight<'_>) -> (Vec<KnownFinding>, Changes) {
    let mut all: BTreeMap<&str, KnownFinding> = BTreeMap::new();
    let mut changes = Changes::default();
    let known_before: BTreeMap<&str, &KnownFinding> = before.iter().map(|known| (known.id.as_str(), known)).collect();
    let gone = by_attempts(before, tonight);
    for finding in tonight.findings.iter().filter(|finding| finding.verdict.is_reported()) {
        let own = known_before.get(finding.id.as_str()).copied();
        // On most nights none is gone.
        let contents = (!gone.is_empty()).then(|| tonight.steps.contents(finding)).into_iter().flatten();
        let others: BTreeSet<&str> =
            contents.filter_map(|content| gone.get(&content)).flatten().map(|known| known.id.as_str()).collect();
        let others: Vec<&KnownFinding> = others.iter().filter_map(|id| known_before.get(id).copied()).collect();
        for other in &others {
            changes.renamed.insert(other.id.clone(), finding.id.clone());
        }
        let before = own.or(others.first().copied());
        let now = known(finding, tonight, before, own.into_iter().chain(others));
        kind(before, &now, &mut changes).push(finding.id.clone());
        all.insert(&finding.id, now);
    }
    for known in before.iter().filter(|known| known.last >= tonight.forgotten) {
        if !all.contains_key(known.id.as_str()) {
            all.insert(&known.id, left(known, tonight, &mut changes));
        }
    }
    let lists = [
        &mut changes.new,
        &mut changes.grown,
        &mut changes.unchanged,
        &mut changes.resolved,
        &mut changes.closed,
        &mut changes.dropped,
    ];
    lists.into_iter().for_each(|list| list.sort_unstable());
    (all.into_values().collect(), changes)
}

/// Known findings that are not found under their ids tonight, by what their attempts say. A rule of another meaning finds the same under
/// another id, and that is new.
fn by_attempts<'k>(before: &'k [KnownFinding], tonight: &Tonight<'_>) -> BTreeMap<String, Vec<&'k KnownFinding>> {
    let found: BTreeSet<&str> =
        tonight.findings.iter().filter(|finding| finding.verdict.is_reported()).map(|finding| finding.id.as_str()).collect();
    let is_same_rule =
        |known: &KnownFinding| tonight.rules.rules.iter().any(|rule| rule.id == known.rule && rule.version == known.rule_version);
    let is_sought = |known: &&KnownFinding| {
        let stands = matches!(known.status, FindingStatus::Open | FindingStatus::Resolved);
        stands && !found.contains(known.id.as_str()) && is_same_rule(known)
    };
    let mut gone: BTreeMap<String, Vec<&KnownFinding>> = BTreeMap::new();
    for known in before.iter().filter(is_sought) {
        for attempt in &known.attempts {
            gone.entry(attempt.clone()).or_default().push(known);
        }
    }
    gone
}

/// What is known of a finding after tonight. `before` is the one that it goes on from, `earlier` are all.
fn known<'k>(
    finding: &Finding,
    tonight: &Tonight<'_>,
    before: Option<&KnownFinding>,
    earlier: impl Iterator<Item = &'k KnownFinding>,
) -> KnownFinding {
    let version = tonight.rules.rules.iter().find(|rule| rule.id == finding.rule).map(|rule| rule.version.clone());
    let mut was: BTreeSet<String> = earlier.flat_map(|known| known.was.iter().chain([&known.id])).cloned().collect();
    was.remove(&finding.id);
    KnownFinding {
        id: finding.id.clone(),
        rule: finding.rule.clone(),
        rule_version: version.unwrap_or_default(),
        verdict: finding.verdict,
        severity: finding.severity,
        records: attempts(finding),
        extra_effects: finding.extra_effects,
        possible_extra_effects: finding.possible_extra_effects,
        exposure: finding.exposure.clone(),
        attempts: tonight.steps.contents(finding).take(MOST_ATTEMPTS).collect(),
        was: was.into_iter().collect(),
        now: None,
        last: tonight.steps.last(finding),
        first_seen: before.map_or_else(|| tonight.night.to_owned(), |known| known.first_seen.clone()),
        last_seen: tonight.night.to_owned(),
        status: if finding.verdict == Verdict::Compensated { FindingStatus::Resolved } else { FindingStatus::Open },
        held: tonight.steps.are_held(finding),
    }
}

/// A known finding that is not found tonight, and the list of changes that it belongs to.
fn left(known: &KnownFinding, tonight: &Tonight<'_>, changes: &mut Changes) -> KnownFinding {
    let mut known = known.clone();
    let is_open = known.status == FindingStatus::Open;
    if let Some(now) = changes.renamed.get(&known.id) {
        known.status = FindingStatus::Renamed;
        known.now = Some(now.clone());
    } else if is_open && tonight.setting == Setting::Changed {
        known.status = FindingStatus::Dropped;
        changes.dropped.push(known.id.clone());
    } else if is_open && known.held && known.last >= tonight.held_from && known.last != TIMELESS {
        known.status = FindingStatus::Resolved;
        changes.resolved.push(known.id.clone());
    } else if is_open {
        known.status = FindingStatus::Closed;
        changes.closed.push(known.id.clone());
    }
    known.held = false;
    known
}

/// The list of changes that a finding belongs to.
fn kind<'c>(before: Option<&KnownFinding>, now: &KnownFinding, changes: &'c mut Changes) -> &'c mut Vec<String> {
    let Some(before) = before else { return &mut changes.new };
    let was_undone = before.verdict != Verdict::Compensated && now.verdict == Verdict::Compensated;
    // What people were told to be settled stands open again.
    let is_back = before.status == FindingStatus::Resolved && before.verdict != Verdict::Compensated && !was_undone;
    let is_more = is_back
        || now.records > before.records
        || now.extra_effects > before.extra_effects
        || now.possible_extra_effects > before.possible_extra_effects
        || (now.verdict != before.verdict && !was_undone);
    match (was_undone, is_more) {
        (true, _) => &mut changes.resolved,
        (false, true) => &mut changes.grown,
        (false, false) => &mut changes.unchanged,
    }
}
