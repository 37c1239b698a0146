//! The records of groups, looked up by where they stand.

use super::findings::TIMELESS;
use crate::domain::finding::Finding;
use crate::engine::{Step, Trace};
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
    is_late: bool,
}

impl Steps {
    pub fn of(trace: &Trace) -> Self {
        let known = |step: &Step| {
            let has_times = trace.horizons.get(step.source).is_some_and(Option::is_some);
            Known { nanos: if has_times { step.nanos } else { TIMELESS }, is_late: step.is_late }
        };
        Self { steps: trace.steps().map(|step| (place_of(step), known(step))).collect() }
    }

    fn records<'f>(&'f self, finding: &'f Finding) -> impl Iterator<Item = Known> + 'f {
        let place = |record: &crate::domain::finding::FindingRecord| (record.source.clone(), record.file.clone(), record.record);
        finding.records.iter().filter_map(move |record| self.steps.get(&place(record)).copied())
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
