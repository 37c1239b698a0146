//! Findings by their rule, rules without findings among them.

use crate::domain::finding::Finding;
use crate::domain::report::{RuleSummary, ScanResult};
use std::collections::BTreeMap;

/// A rule, and what it found.
pub(super) struct Judged<'a> {
    pub(super) id: &'a str,
    /// None where the result was written before it held its rules.
    pub(super) rule: Option<&'a RuleSummary>,
    /// In the order of the report.
    pub(super) findings: Vec<&'a Finding>,
}

/// Every rule in the order of the configuration; then those that only findings name, by their ids.
pub(super) fn by_rule(result: &ScanResult) -> Vec<Judged<'_>> {
    let mut found: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &result.findings {
        found.entry(&finding.rule).or_default().push(finding);
    }
    let mut judged: Vec<Judged<'_>> = Vec::with_capacity(result.rules.len());
    for rule in &result.rules {
        judged.push(Judged { id: &rule.id, rule: Some(rule), findings: found.remove(rule.id.as_str()).unwrap_or_default() });
    }
    judged.extend(found.into_iter().map(|(id, findings)| Judged { id, rule: None, findings }));
    judged
}
