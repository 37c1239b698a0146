//! What became of findings since the night before: which are new, grown, resolved, closed.

use crate::domain::Verdict;
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::domain::memory::{Changes, FindingStatus, KnownFinding};
use crate::rules::Rules;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The last record of a finding whose records have no times: they are not held, and found again when their file is read again.
pub const TIMELESS: i64 = i64::MAX;

/// What is compared of a finding from night to night: how it looks is not.
fn digest(finding: &Finding) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(finding.verdict.name());
    for count in [attempts(finding), finding.extra_effects, finding.possible_extra_effects] {
        add(&count.to_string());
    }
    for exposure in &finding.exposure {
        [&exposure.currency, &exposure.gross, &exposure.reversed, &exposure.net].into_iter().for_each(|text| add(text));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Records that ask for the operation; what undoes or proves it is no growth.
fn attempts(finding: &Finding) -> u64 {
    let asks = |role: Role| !matches!(role, Role::Reversal | Role::Proof);
    finding.records.iter().filter(|record| asks(record.role)).count() as u64 + finding.unread_records
}

/// A record by what it says of itself.
fn mark(record: &FindingRecord) -> u64 {
    let texts = [Some(&record.source), Some(&record.time), record.effect_id.as_ref(), record.request_key.as_ref()];
    let texts = texts.map(|text| text.map_or("-".to_owned(), |text| format!("+{text}")));
    xxhash_rust::xxh3::xxh3_64(format!("{texts:?}{}", record.outcome.name()).as_bytes())
}

/// What is known of a finding after tonight.
fn known(finding: &Finding, rules: &Rules, last: i64, night: &str, first_seen: String) -> KnownFinding {
    let version = rules.rules.iter().find(|rule| rule.id == finding.rule).map(|rule| rule.version.clone());
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
        digest: digest(finding),
        first_record: finding.records.first().map(mark).unwrap_or_default(),
        last,
        first_seen,
        last_seen: night.to_owned(),
        status: if finding.verdict == Verdict::Compensated { FindingStatus::Resolved } else { FindingStatus::Open },
    }
}

/// Findings of tonight held against those that were told of. `last_of` gives the time of a finding's last record; a known one whose last
/// record is older than `held_from` is not looked for any more, and one older than `forgotten` is forgotten.
pub fn compare(
    tonight: &[Finding],
    before: &[KnownFinding],
    rules: &Rules,
    night: &str,
    last_of: &dyn Fn(&Finding) -> i64,
    held_from: i64,
    forgotten: i64,
) -> (Vec<KnownFinding>, Changes) {
    let mut all: BTreeMap<&str, KnownFinding> = BTreeMap::new();
    let mut changes = Changes::default();
    let known_before: BTreeMap<&str, &KnownFinding> = before.iter().map(|known| (known.id.as_str(), known)).collect();
    // A rule of another meaning finds the same under another id, and that is new.
    let is_same_rule =
        |known: &KnownFinding| rules.rules.iter().any(|rule| rule.id == known.rule && rule.version == known.rule_version);
    let found: BTreeSet<&str> = tonight.iter().map(|finding| finding.id.as_str()).collect();
    let gone = before.iter().filter(|known| known.status == FindingStatus::Open && !found.contains(known.id.as_str()));
    let gone: BTreeMap<u64, &KnownFinding> =
        gone.filter(|known| is_same_rule(known)).map(|known| (known.first_record, known)).collect();
    let mut renamed: BTreeSet<&str> = BTreeSet::new();
    for finding in tonight.iter().filter(|finding| finding.verdict.is_reported()) {
        let others = || finding.records.iter().filter_map(|record| gone.get(&mark(record)).copied());
        let before = known_before.get(finding.id.as_str()).copied().or_else(|| others().next());
        renamed.extend(others().map(|known| known.id.as_str()));
        let first_seen = before.map_or_else(|| night.to_owned(), |known| known.first_seen.clone());
        let now = known(finding, rules, last_of(finding), night, first_seen);
        kind(before, &now, &mut changes).push(finding.id.clone());
        all.insert(&finding.id, now);
    }
    for known in before {
        if all.contains_key(known.id.as_str()) || known.last < forgotten {
            continue;
        }
        let mut known = known.clone();
        if known.status == FindingStatus::Open {
            let is_looked_for = is_same_rule(&known) && known.last >= held_from && known.last != TIMELESS;
            known.status = if is_looked_for { FindingStatus::Resolved } else { FindingStatus::Closed };
            let list = if is_looked_for { &mut changes.resolved } else { &mut changes.closed };
            if renamed.contains(known.id.as_str()) {
                known.status = FindingStatus::Resolved;
            } else {
                list.push(known.id.clone());
            }
        }
        if let Some(before) = known_before.get(known.id.as_str()) {
            all.insert(&before.id, known);
        }
    }
    for list in [&mut changes.new, &mut changes.grown, &mut changes.unchanged, &mut changes.resolved, &mut changes.closed] {
        list.sort_unstable();
    }
    (all.into_values().collect(), changes)
}

/// The list of changes that a finding belongs to.
fn kind<'c>(before: Option<&KnownFinding>, now: &KnownFinding, changes: &'c mut Changes) -> &'c mut Vec<String> {
    let Some(before) = before else { return &mut changes.new };
    let was_undone = before.verdict != Verdict::Compensated && now.verdict == Verdict::Compensated;
    let is_more = now.records > before.records
        || now.extra_effects > before.extra_effects
        || now.possible_extra_effects > before.possible_extra_effects
        || (now.verdict != before.verdict && !was_undone);
    match (was_undone, is_more) {
        (true, _) => &mut changes.resolved,
        (false, true) => &mut changes.grown,
        (false, false) => &mut changes.unchanged,
    }
}
