//! The version of a rule: a digest of its meaning, so that a changed rule makes new finding ids and a reordered file does not.

use super::hex;
use crate::rules::draft::SourceDraft;
use crate::rules::normalise::Normaliser;
use crate::rules::window::Window;
use crate::rules::{Measure, Rule};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Lower-case hex of the first 16 bytes of SHA-256 over the canonical text. Severity and id are no part of the meaning.
pub(super) fn digest(rule: &Rule, sources: &[SourceDraft]) -> String {
    let digest = Sha256::digest(canonical_text(rule, sources).as_bytes());
    hex(digest.get(..16).unwrap_or_default())
}

/// One line for each part; lists whose order means nothing are sorted. Changing this text changes every finding id.
fn canonical_text(rule: &Rule, sources: &[SourceDraft]) -> String {
    let source_name =
        |index: &usize| sources.get(*index).and_then(|source| source.name.as_ref()).map(|name| name.get_ref().clone());
    let mut lines = Lines("twicelog.rule/1\n".into());
    lines.sorted("source", rule.sources.iter().filter_map(source_name));
    match &rule.operations {
        Some(globs) => lines.sorted("operation", globs.patterns().iter().cloned()),
        None => lines.add("operations", &["default"]),
    }
    let mut fingerprint: Vec<_> = rule.fingerprint.iter().collect();
    fingerprint.sort_by_key(|field| &field.field);
    for field in fingerprint {
        lines.add_steps("fingerprint", vec![field.field.name().into()], &field.normalise);
    }
    let mut similar: Vec<_> =
        rule.similar.iter().map(|similar| (similar.field.name(), measure_text(&similar.measure), &similar.normalise)).collect();
    similar.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    for (field, measure, steps) in similar {
        lines.add_steps("similar", vec![field.into(), measure], steps);
    }
    lines.add("window", &[&window_text(rule.window)]);
    lines.add("by_key", &[if rule.by_key { "yes" } else { "no" }, &rule.key_lifetime.to_string()]);
    lines.add("allow", &[&rule.allow.to_string()]);
    lines.sorted("conflict_on", rule.conflict_on.iter().map(|field| field.name().to_owned()));
    let mut explained_by: Vec<_> = rule.explained_by.iter().collect();
    explained_by.sort_by_key(|part| part.field.name());
    for part in explained_by {
        if part.normalise == Normaliser::of_business_ids() {
            lines.add("explained_by", &[part.field.name()]);
        } else {
            lines.add_steps("explained_by_compared", vec![part.field.name().into()], &part.normalise);
        }
    }
    if let Some(filter) = &rule.filter {
        lines.add("where", &[&filter.sql]);
    }
    lines.0
}

struct Lines(String);

impl Lines {
    /// Each value with its length in bytes before it, so that no two lists of values make one line.
    fn add(&mut self, name: &str, values: &[&str]) {
        self.0.push_str(name);
        for value in values {
            // Writing to a String cannot fail.
            let _ = write!(self.0, " {}:{value}", value.len());
        }
        self.0.push('\n');
    }

    fn sorted(&mut self, name: &str, values: impl Iterator<Item = String>) {
        let mut values: Vec<String> = values.collect();
        values.sort();
        values.dedup();
        for value in values {
            self.add(name, &[&value]);
        }
    }

    fn add_steps(&mut self, name: &str, mut values: Vec<String>, steps: &[Normaliser]) {
        values.extend(steps.iter().map(ToString::to_string));
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        self.add(name, &values);
    }
}

fn window_text(window: Window) -> String {
    match window {
        Window::FromFirst(span) => format!("from_first {span}"),
        Window::Gap { gap, span } => format!("gap {gap} span {span}"),
        Window::Days(days) => format!("days {days}"),
        Window::Unlimited => "unlimited".into(),
    }
}

fn measure_text(measure: &Measure) -> String {
    match measure {
        Measure::Edit { method, at_least } => format!("{} {at_least}", method.name()),
        Measure::Within(distance) => format!("within {}", distance.normalize()),
        Measure::WithinShare(share) => format!("share {}", share.normalize()),
        Measure::WithinDays(days) => format!("days {days}"),
    }
}
