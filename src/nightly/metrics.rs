//! Metrics of a run for Prometheus, as a textfile: the text exposition format, version 0.0.4, without timestamps.

use crate::domain::Verdict;
use crate::domain::finding::Exposure;
use crate::domain::report::{Ledger, Report};
use crate::rules::Rules;
use chrono::DateTime;
use std::collections::BTreeMap;
use std::fmt::Write;

const LAST_SUCCESS: &str = "twicelog_last_success_timestamp_seconds";

/// How a run ended. Times are seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    pub exit_code: u8,
    pub started: i64,
    pub ended: i64,
    pub duration_ms: u64,
    pub success: Success,
}

/// Whether the whole input was read, with or without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    Yes,
    No,
}

/// Metrics of a result.
pub fn of_result(report: &Report, rules: &Rules) -> String {
    let result = &report.result;
    let mut page = Page::default();
    page.metric("twicelog_findings", "Findings that count, by rule and verdict.");
    for ((rule, verdict), count) in by_rule_and_verdict(report, rules) {
        page.sample(&[("rule", &rule), ("verdict", verdict.name())], count);
    }
    page.metric("twicelog_decided_findings", "Findings that a decision of the baseline settles.");
    page.sample(&[], result.totals.decided_findings());
    page.metric("twicelog_extra_effects", "Proven effects beyond the allowed number.");
    page.sample(&[], result.totals.extra_effects);
    page.metric("twicelog_possible_extra_effects", "Further effects that are neither proven nor ruled out.");
    page.sample(&[], result.totals.possible_extra_effects);
    page.metric("twicelog_exposure_net", "Money moved by extra effects and not reversed, in major units.");
    page.money(&result.totals.exposure, |sum| &sum.net);
    page.metric("twicelog_exposure_gross", "Money moved by extra effects, in major units.");
    page.money(&result.totals.exposure, |sum| &sum.gross);
    page.metric("twicelog_possible_exposure_net", "Money at stake in possible duplicates, in major units.");
    page.money(&result.totals.possible_exposure, |sum| &sum.net);
    if let Some(night) = &report.run.night {
        page.metric("twicelog_findings_new", "Findings that the last run told of for the first time.");
        page.sample(&[], night.changes.new.len());
        page.metric("twicelog_findings_grown", "Findings that have grown since the run before.");
        page.sample(&[], night.changes.grown.len());
        page.metric("twicelog_findings_resolved", "Findings that are found no more, because they were undone.");
        page.sample(&[], night.changes.resolved.len());
        page.metric("twicelog_state_generation", "Runs that the state has kept.");
        page.sample(&[], night.generation);
    }
    coverage(report, &mut page);
    page.text
}

fn coverage(report: &Report, page: &mut Page) {
    let sources = &report.result.sources;
    page.metric("twicelog_records", "Records by source and by what became of them.");
    for source in sources {
        let Ledger { used, ignored, repeated, rejected, .. } = source.ledger;
        for (state, count) in [("used", used), ("ignored", ignored), ("repeated", repeated), ("rejected", rejected)] {
            page.sample(&[("source", &source.name), ("state", state)], count);
        }
    }
    page.metric("twicelog_files", "Files by source.");
    for source in sources {
        page.sample(&[("source", &source.name)], source.files.len());
    }
    page.metric("twicelog_incomplete_files", "Files that could not be read to their end, by source.");
    for source in sources {
        page.sample(&[("source", &source.name)], source.files.iter().filter(|file| file.fault.is_some()).count());
    }
    page.metric("twicelog_newest_event_timestamp_seconds", "Time of the newest event of a source.");
    for source in sources {
        // A source without a readable time has no sample: 0 would be 1970.
        let newest = source.last.as_deref().and_then(|last| DateTime::parse_from_rfc3339(last).ok());
        if let Some(newest) = newest {
            page.sample(&[("source", &source.name)], newest.timestamp());
        }
    }
}

/// Every rule with every verdict that is reported: a zero can be told from a rule that is gone.
fn by_rule_and_verdict(report: &Report, rules: &Rules) -> BTreeMap<(String, Verdict), u64> {
    let reported = || Verdict::ALL.into_iter().filter(|verdict| verdict.is_reported());
    let mut counts: BTreeMap<(String, Verdict), u64> =
        rules.rules.iter().flat_map(|rule| reported().map(|verdict| ((rule.id.clone(), verdict), 0))).collect();
    for finding in report.result.findings.each().filter(|finding| finding.verdict.is_reported() && !finding.is_decided()) {
        *counts.entry((finding.rule.clone(), finding.verdict)).or_default() += 1;
    }
    counts
}

/// Metrics of the run itself. A run that failed keeps the last success that `before`, the file it replaces, tells of.
pub fn of_run(ending: &Ending, version: &str, before: &str) -> String {
    let mut page = Page::default();
    page.metric("twicelog_info", "Version of twicelog.");
    page.sample(&[("version", version)], 1);
    page.metric("twicelog_exit_code", "Exit code of the last run: 0 nothing to report, 1 findings, 2 and more are failures.");
    page.sample(&[], ending.exit_code);
    page.metric("twicelog_last_run_timestamp_seconds", "Start of the last run.");
    page.sample(&[], ending.started);
    page.metric("twicelog_duration_seconds", "How long the last run took.");
    page.sample(&[], format_args!("{}.{:03}", ending.duration_ms / 1000, ending.duration_ms % 1000));
    let last_success = match ending.success {
        Success::Yes => Some(ending.ended.to_string()),
        Success::No => last_success(before).map(str::to_owned),
    };
    if let Some(last_success) = last_success {
        page.metric(LAST_SUCCESS, "End of the last run that read its whole input.");
        page.sample(&[], last_success);
    }
    page.text
}

/// Whether a text is metrics of twicelog, or nothing: what may be written anew.
pub fn is_own(text: &str) -> bool {
    let is_sample = |line: &str| line.starts_with("twicelog_");
    let mut lines = text.lines().filter(|line| !line.starts_with("# ") && !line.trim().is_empty()).peekable();
    text.trim().is_empty() || (lines.peek().is_some() && lines.all(is_sample))
}

fn last_success(before: &str) -> Option<&str> {
    let value = before.lines().find_map(|line| line.strip_prefix(LAST_SUCCESS)?.strip_prefix(' '))?;
    // What is no number would make the whole file unreadable.
    value.parse::<i64>().is_ok().then_some(value)
}

#[derive(Default)]
struct Page {
    text: String,
    name: &'static str,
}

// Writing to a String does not fail, so what `write!` returns is dropped.
impl Page {
    fn metric(&mut self, name: &'static str, help: &str) {
        self.name = name;
        let _ = write!(self.text, "# HELP {name} {help}\n# TYPE {name} gauge\n");
    }

    fn sample(&mut self, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "{}{labels} {value}", self.name);
    }

    fn money(&mut self, sums: &[Exposure], amount: impl Fn(&Exposure) -> &String) {
        for sum in sums {
            self.sample(&[("currency", &sum.currency)], amount(sum));
        }
    }
}

/// A label's value: backslash, double quote and line feed are what the format escapes; a lone carriage return ends lines for some readers.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\\\r"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: Ending = Ending { exit_code: 3, started: 200, ended: 201, duration_ms: 1_042, success: Success::No };

    #[test]
    fn a_failure_keeps_the_last_success() {
        let fine = of_run(&Ending { exit_code: 1, success: Success::Yes, started: 100, ended: 102, ..FAILED }, "0.1.0", "");
        assert!(fine.contains("\ntwicelog_last_success_timestamp_seconds 102\n"), "{fine}");
        let failed = of_run(&FAILED, "0.1.0", &fine);
        assert!(failed.contains("\ntwicelog_last_success_timestamp_seconds 102\n"), "{failed}");
        assert!(failed.contains("twicelog_exit_code 3\n") && failed.contains("twicelog_duration_seconds 1.042\n"), "{failed}");
        assert!(!of_run(&FAILED, "0.1.0", "").contains(LAST_SUCCESS), "no success is no success in 1970");
        assert!(!of_run(&FAILED, "0.1.0", "twicelog_last_success_timestamp_seconds x\n").contains(LAST_SUCCESS));
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escaped("a\"b\\c\nd\re"), "a\\\"b\\\\c\\nd\\\\re");
    }
}
