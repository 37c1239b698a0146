//! What a night says of findings over time.

use std::collections::{BTreeMap, BTreeSet};
use twicelog::domain::memory::{Changes, Memory};
use twicelog::domain::report::{ChangeCounts, Note, Report};
use twicelog::nightly::alert::Fresh;
use twicelog::state::NightTotals;

/// What a night comes to.
pub fn totals(report: &Report, rules_sha256: &str) -> NightTotals {
    let (result, changes) = (&report.result, report.run.night.as_ref().map(|night| &night.changes));
    let counted = result.findings.iter().filter(|finding| finding.verdict.is_reported() && !finding.is_decided());
    let ids = counted.map(|finding| finding.id.as_str());
    NightTotals {
        findings: result.totals.findings,
        decided: result.totals.decided_findings(),
        changes: changes.map(|changes| ChangeCounts::of(changes, ids, result.totals.findings)).unwrap_or_default(),
        exposure: result.totals.exposure.clone(),
        rules_sha256: rules_sha256.to_owned(),
    }
}

/// The ids under which findings of a report were told of before.
pub fn earlier_ids(report: &Report, memory: &Memory) -> BTreeMap<String, Vec<String>> {
    let told: BTreeSet<&str> = report.result.findings.iter().map(|finding| finding.id.as_str()).collect();
    let renamed = memory.findings.iter().filter(|known| !known.was.is_empty() && told.contains(known.id.as_str()));
    renamed.map(|known| (known.id.clone(), known.was.clone())).collect()
}

/// What an earlier night found that nobody could read is new tonight as well.
pub fn with_untold(changes: &Changes, untold: &Changes) -> Changes {
    let mut all = changes.clone();
    // What went on under another id tonight was told under the old one.
    let now = |ids: &[String]| -> Vec<String> { ids.iter().map(|id| changes.renamed.get(id).unwrap_or(id).clone()).collect() };
    let untold = &Changes { new: now(&untold.new), grown: now(&untold.grown), ..untold.clone() };
    for (was, id) in &untold.renamed {
        all.renamed.insert(was.clone(), changes.renamed.get(id).unwrap_or(id).clone());
    }
    let mut known: BTreeSet<String> = all.unchanged.drain(..).collect();
    let mut grown: BTreeSet<String> = all.grown.drain(..).collect();
    let mut new: BTreeSet<String> = all.new.drain(..).collect();
    for id in &untold.new {
        if known.remove(id) | grown.remove(id) {
            new.insert(id.clone());
        }
    }
    grown.extend(untold.grown.iter().filter(|id| known.remove(*id)).cloned());
    let told: BTreeSet<String> = [&all.resolved, &all.closed].into_iter().flatten().cloned().collect();
    let is_open = |id: &String| known.contains(id) || grown.contains(id) || new.contains(id);
    let mut resolved: BTreeSet<String> = all.resolved.drain(..).collect();
    resolved.extend(untold.resolved.iter().filter(|id| !is_open(id) && !told.contains(*id)).cloned());
    Changes {
        new: new.into_iter().collect(),
        grown: grown.into_iter().collect(),
        unchanged: known.into_iter().collect(),
        resolved: resolved.into_iter().collect(),
        closed: all.closed,
        dropped: all.dropped,
        renamed: all.renamed,
    }
}

/// Leaves only what is new or has grown in a report, and says how much was left out. Totals stay those of all.
pub fn only_fresh(report: &mut Report, told_of: &Fresh) {
    let Some(night) = &report.run.night else { return };
    // Those that a decision settled are new, too, though nobody is told of them; those whose decision has ended count again.
    let changed = night.changes.new.iter().chain(&night.changes.grown);
    let fresh: BTreeSet<&str> = changed.chain(&told_of.new).chain(&told_of.grown).map(String::as_str).collect();
    let before = report.result.findings.len();
    report.result.findings.retain(|finding| fresh.contains(finding.id.as_str()));
    let left = before - report.result.findings.len();
    if left > 0 {
        let findings = if left == 1 { "1 finding that was".to_owned() } else { format!("{left} findings that were") };
        let message = format!("{findings} told of before, and not listed with --since-last; totals count all");
        report.result.notes.push(Note { code: "since_last".to_owned(), message });
        report.result.notes.sort();
    }
}
