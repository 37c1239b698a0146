//! The records of groups, looked up by where they stand.

use super::findings::TIMELESS;
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::engine::{Held, Step, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// Source, file and number of a record.
pub type RecordPlace = (String, String, u64);

pub fn place_of(step: &Step) -> RecordPlace {
    (step.source_name.to_string(), step.file.to_string(), step.record)
}

/// What is known of the records of groups.
pub struct Steps {
    steps: BTreeMap<RecordPlace, Known>,
}

#[derive(Clone, Copy)]
struct Known {
    nanos: i64,
    content: u128,
    is_late: bool,
    is_held: bool,
}

impl Steps {
    pub fn new(trace: &Trace) -> Self {
        let known = |step: &Step| {
            let has_times = trace.horizons.get(step.source).is_some_and(Option::is_some);
            let nanos = if has_times { step.nanos } else { TIMELESS };
            Known { nanos, content: step.content, is_late: step.is_late, is_held: false }
        };
        Self { steps: trace.steps().map(|step| (place_of(step), known(step))).collect() }
    }

    /// Notes what is carried to the next night.
    pub fn note_held(&mut self, trace: &Trace, held: &Held) {
        for step in trace.steps().filter(|step| held.has(step)) {
            let has_times = trace.horizons.get(step.source).is_some_and(Option::is_some);
            if let Some(known) = self.steps.get_mut(&place_of(step)) {
                // Of a source without times nothing is carried.
                known.is_held = has_times;
            }
        }
    }

    fn of(&self, record: &FindingRecord) -> Option<Known> {
        self.steps.get(&(record.source.clone(), record.file.clone(), record.record)).copied()
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

    /// Where the records of reported findings stand.
    pub fn of_findings(&self, findings: &[Finding]) -> BTreeSet<RecordPlace> {
        let reported = findings.iter().filter(|finding| finding.verdict.is_reported());
        let records = reported.flat_map(|finding| &finding.records);
        records.map(|record| (record.source.clone(), record.file.clone(), record.record)).collect()
    }
}
