//! What decisions teach: how often a rule was wrong, and which field or window would have kept its false alarms apart.

use super::{Baseline, Was};
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::domain::time::span_text;
use chrono::DateTime;
use std::collections::{BTreeMap, BTreeSet};

/// How the findings of one rule were judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    pub rule: String,
    /// Findings with a decision, whether or not it still holds.
    pub decided: u64,
    /// Those of them in which nothing took effect twice by mistake: `false_alarm` and `intended`.
    pub false_alarms: u64,
    pub proposals: Vec<Proposal>,
}

/// A change of a rule that would leave out every false alarm that is at hand, and no true finding that is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A further field for the fingerprint: its values differ within each false alarm, and within no true finding.
    Field { name: String, false_alarms: u64, true_findings: u64 },
    /// A shorter window, as a configuration writes it.
    Window { window: String, false_alarms: u64, true_findings: u64, longest_true: String, shortest_false: String },
}

/// Values that tell attempts apart, but not operations.
const NO_FIELD: [&str; 1] = ["outcome"];

/// Windows that people write, in seconds.
const USUAL: [(i64, &str); 19] = [
    (1, "1s"),
    (2, "2s"),
    (5, "5s"),
    (10, "10s"),
    (30, "30s"),
    (60, "1m"),
    (120, "2m"),
    (300, "5m"),
    (600, "10m"),
    (900, "15m"),
    (1_800, "30m"),
    (3_600, "1h"),
    (7_200, "2h"),
    (21_600, "6h"),
    (43_200, "12h"),
    (86_400, "1d"),
    (172_800, "2d"),
    (259_200, "3d"),
    (604_800, "7d"),
];

/// One rate for each rule with decisions, in the order of their names. Proposals need at least one false alarm and one true finding
/// among `findings`, the result that the decisions are about.
pub fn rates(baseline: &Baseline, findings: &[Finding], was: &Was) -> Vec<Rate> {
    let mut by_id: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in findings {
        let earlier = was.get(&finding.id).into_iter().flatten().map(String::as_str);
        by_id.extend(earlier.chain([finding.id.as_str()]).map(|id| (id, finding)));
    }
    let mut rules: BTreeMap<&str, Cases<'_>> = BTreeMap::new();
    for entry in &baseline.entries {
        let finding = by_id.get(entry.id.as_str()).copied();
        let seen = baseline.seen.get(&entry.id).map(|seen| seen.rule.as_str());
        let Some(rule) = finding.map(|finding| finding.rule.as_str()).or(seen) else { continue };
        let cases = rules.entry(rule).or_default();
        cases.decided += 1;
        if entry.judgement.is_no_duplicate() {
            cases.false_alarms += 1;
            cases.wrong.extend(finding);
        } else {
            cases.right.extend(finding);
        }
    }
    let rate = |(rule, cases): (&str, Cases<'_>)| Rate {
        rule: rule.to_owned(),
        decided: cases.decided,
        false_alarms: cases.false_alarms,
        proposals: cases.fields().into_iter().chain(cases.window()).collect(),
    };
    rules.into_iter().map(rate).collect()
}

#[derive(Default)]
struct Cases<'f> {
    decided: u64,
    false_alarms: u64,
    /// Findings at hand in which nothing took effect twice by mistake.
    wrong: Vec<&'f Finding>,
    /// Findings at hand in which it did.
    right: Vec<&'f Finding>,
}

impl Cases<'_> {
    fn can_compare(&self) -> bool {
        !self.wrong.is_empty() && !self.right.is_empty()
    }

    fn fields(&self) -> Vec<Proposal> {
        if !self.can_compare() {
            return Vec::new();
        }
        let first = self.wrong.iter().take(1).flat_map(|finding| effects(finding)).flat_map(|record| record.values.keys());
        let names: BTreeSet<&String> = first.collect();
        let separates = |name: &&String| {
            !NO_FIELD.contains(&name.as_str())
                && self
                    .wrong
                    .iter()
                    .all(|finding| !finding.fingerprint.contains_key(name.as_str()) && always_differs(finding, name))
                && !self.right.iter().any(|finding| ever_differs(finding, name))
        };
        let proposal = |name: &String| Proposal::Field {
            name: name.clone(),
            false_alarms: self.wrong.len() as u64,
            true_findings: self.right.len() as u64,
        };
        names.into_iter().filter(separates).map(proposal).collect()
    }

    /// The round number between the longest true finding and the shortest gap of a false one.
    fn window(&self) -> Option<Proposal> {
        if !self.can_compare() {
            return None;
        }
        let true_spans: Option<Vec<i64>> = self.right.iter().map(|finding| gaps(finding).map(|gaps| gaps.iter().sum())).collect();
        let false_gaps: Option<Vec<i64>> = self.wrong.iter().map(|finding| gaps(finding)?.into_iter().min()).collect();
        let (longest, shortest) = (true_spans?.into_iter().max()?, false_gaps?.into_iter().min()?);
        let (_, window) = USUAL.into_iter().rfind(|(seconds, _)| {
            let nanos = seconds * 1_000_000_000;
            longest <= nanos && nanos < shortest
        })?;
        Some(Proposal::Window {
            window: window.to_owned(),
            false_alarms: self.wrong.len() as u64,
            true_findings: self.right.len() as u64,
            longest_true: span_text(longest),
            shortest_false: span_text(shortest),
        })
    }
}

/// The records whose effects were taken for one operation's.
fn effects(finding: &Finding) -> impl Iterator<Item = &FindingRecord> {
    finding.records.iter().filter(|record| matches!(record.role, Role::Original | Role::Repeat))
}

/// True where each effect has a value of its own: then no two of them would have stayed in one group.
fn always_differs(finding: &Finding, name: &str) -> bool {
    let values: Option<Vec<&String>> = effects(finding).map(|record| record.values.get(name)).collect();
    let Some(values) = values else { return false };
    values.len() > 1 && values.iter().collect::<BTreeSet<_>>().len() == values.len()
}

fn ever_differs(finding: &Finding, name: &str) -> bool {
    effects(finding).map(|record| record.values.get(name)).collect::<BTreeSet<_>>().len() > 1
}

/// Nanoseconds between each effect and the next; None where a time is only a date, or there is but one effect.
fn gaps(finding: &Finding) -> Option<Vec<i64>> {
    let time = |record: &FindingRecord| DateTime::parse_from_rfc3339(&record.time).ok()?.timestamp_nanos_opt();
    let mut times = effects(finding).map(time).collect::<Option<Vec<i64>>>()?;
    times.sort_unstable();
    let gaps: Vec<i64> = times.iter().zip(times.iter().skip(1)).map(|(one, next)| next - one).collect();
    (!gaps.is_empty()).then_some(gaps)
}
