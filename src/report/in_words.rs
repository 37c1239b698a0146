//! A finding and its records as plain sentences, for formats that have no tables.

use super::Style;
use super::side_by_side::place;
use super::texts::{ABSENT, Texts};
use crate::domain::finding::{Finding, FindingRecord};

/// What must be known to act on a finding: verdict, stakes, cause, rule, fingerprint, and what it belongs to.
pub(super) fn facts(finding: &Finding, style: &Style) -> Vec<String> {
    let texts = style.texts();
    let cause = texts.cause(&style.cause_title(&finding.cause.code), &finding.cause.why);
    let mut facts = vec![texts.verdict_line(finding), texts.stakes(finding), cause, texts.rule(finding)];
    if !finding.fingerprint.is_empty() {
        facts.push(format!("{}: {}", texts.words().field_fingerprint, fingerprint(finding, texts)));
    }
    facts.extend(texts.ties(finding));
    facts.extend(finding.decision.as_ref().map(|decision| texts.decision(decision)));
    if finding.unread_records > 0 {
        facts.push(texts.unread(finding.unread_records));
    }
    facts
}

/// `actor=anna; order=—`
pub(super) fn fingerprint(finding: &Finding, texts: &dyn Texts) -> String {
    let fields = finding.fingerprint.iter();
    let fields = fields.map(|(field, value)| format!("{}={}", texts.field(field), value.as_deref().unwrap_or(ABSENT)));
    fields.collect::<Vec<_>>().join("; ")
}

/// When a record happened, its part and outcome, its ids, and where it stands.
pub(super) fn record(record: &FindingRecord, texts: &dyn Texts) -> String {
    format!("{}: {}; {}", texts.time(&record.time), part(record, texts), place(record))
}

/// The part a record plays, how it ended, and its ids.
pub(super) fn part(record: &FindingRecord, texts: &dyn Texts) -> String {
    let ids = [&record.effect_id, &record.request_key].into_iter().flatten().map(String::as_str);
    let facts = [texts.role(record.role), texts.outcome(record.outcome)].into_iter().chain(ids);
    facts.collect::<Vec<_>>().join(", ")
}

/// Records as they stand in their files, with their places; those whose text was kept.
pub(super) fn raw(finding: &Finding) -> impl Iterator<Item = (String, &str)> {
    finding.records.iter().filter_map(|record| Some((place(record), record.raw.as_deref()?)))
}
