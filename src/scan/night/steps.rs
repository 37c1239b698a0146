//! The records of groups, looked up by where they stand.

use super::findings::TIMELESS;
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::engine::{Held, Step, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// By its number in its file.
type Records = BTreeMap<u64, Known>;

/// What is known of the records of groups, by source and file.
pub struct Steps {
    steps: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Records>>,
}

#[derive(Clone, Copy)]
struct Known {
    nanos: i64,
    content: u128,
    is_late: bool,
    is_held: bool,
    /// It belongs to a finding that is reported.
    is_told: bool,
}

impl Steps {
    pub fn new(trace: &Trace) -> Self {
        let mut steps: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Records>> = BTreeMap::new();
        for step in trace.steps() {
            let has_times = trace.horizons.get(step.source).is_some_and(Option::is_some);
            let nanos = if has_times { step.nanos } else { TIMELESS };
            let known = Known { nanos, content: step.content, is_late: step.is_late, is_held: false, is_told: false };
            let files = steps.entry(Arc::clone(&step.source_name)).or_default();
            files.entry(Arc::clone(&step.file)).or_default().insert(step.record, known);
        }
        Self { steps }
    }

    fn known(&self, source: &str, file: &str, record: u64) -> Option<&Known> {
        self.steps.get(source)?.get(file)?.get(&record)
    }

    fn known_mut(&mut self, source: &str, file: &str, record: u64) -> Option<&mut Known> {
        self.steps.get_mut(source)?.get_mut(file)?.get_mut(&record)
    }

    /// Notes what is carried to the next night.
    pub fn note_held(&mut self, trace: &Trace, held: &Held) {
        for step in trace.steps().filter(|step| held.has(step)) {
            let has_times = trace.horizons.get(step.source).is_some_and(Option::is_some);
            if let Some(known) = self.known_mut(&step.source_name, &step.file, step.record) {
                // Of a source without times nothing is carried.
                known.is_held = has_times;
            }
        }
    }

    /// Notes which records belong to reported findings.
    pub fn note_told(&mut self, findings: &[Finding]) {
        let reported = findings.iter().filter(|finding| finding.verdict.is_reported());
        for record in reported.flat_map(|finding| &finding.records) {
            if let Some(known) = self.known_mut(&record.source, &record.file, record.record) {
                known.is_told = true;
            }
        }
    }

    /// Whether a record belongs to a reported finding.
    pub fn is_told(&self, step: &Step) -> bool {
        self.known(&step.source_name, &step.file, step.record).is_some_and(|known| known.is_told)
    }

    fn of(&self, record: &FindingRecord) -> Option<Known> {
        self.known(&record.source, &record.file, record.record).copied()
    }

    fn records<'f>(&'f self, finding: &'f Finding) -> impl Iterator<Item = Known> + 'f {
        finding.records.iter().filter_map(|record| self.of(record))
    }

    /// What the attempts of a finding say, each as 32 hex digits.
    pub fn contents<'f>(&'f self, finding: &'f Finding) -> impl Iterator<Item = String> + 'f {
        let attempts = finding.records.iter().filter(|record| !matches!(record.role, Role::Reversal | Role::Proof));
        attempts.filter_map(|record| self.of(record)).map(|known| format!("{:032x}", known.content))
    }

    /// Whether all records of a finding are carried to the next night.
    pub fn are_held(&self, finding: &Finding) -> bool {
        self.records(finding).all(|record| record.is_held)
    }

    /// How many records of a finding came late.
    pub fn late(&self, finding: &Finding) -> u64 {
        self.records(finding).filter(|record| record.is_late).count() as u64
    }

    /// Nanoseconds since 1970 of the last record of a finding.
    pub fn last(&self, finding: &Finding) -> i64 {
        self.records(finding).map(|record| record.nanos).max().unwrap_or(i64::MIN)
    }
}
