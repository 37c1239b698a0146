//! Ids of findings, batches and incidents: digests of content, so that files, order, masking and growth do not change them.

use super::attempt::undoes;
use crate::domain::Group;
use crate::rules::Rule;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// `TL-` and 12 hex digits over rule id, rule version, fingerprint and the content of the first attempt. Which refunds stand before it
/// depends on how far back a log goes.
pub(super) fn finding_id(rule: &Rule, group: &Group) -> String {
    let mut parts = Parts::default();
    parts.text(&rule.id).text(&rule.version);
    for (name, value) in &group.fingerprint {
        parts.text(name);
        match value {
            Some(value) => parts.text(value),
            None => parts.absent(),
        };
    }
    let first = group.events.iter().find(|event| !undoes(event, rule)).or(group.events.first());
    parts.text(&content_text(first.map_or(0, |event| event.content)));
    parts.id("TL")
}

/// `TB-` and 12 hex digits over rule id, lag in nanoseconds and the content of the first original.
pub(super) fn batch_id(rule: &Rule, lag: i64, first_original: u128) -> String {
    let mut parts = Parts::default();
    parts.text(&rule.id).text(&lag.to_string()).text(&content_text(first_original));
    parts.id("TB")
}

/// `TI-` and 12 hex digits over the field and the value that tie its findings.
pub(super) fn incident_id(field: &str, value: &str) -> String {
    let mut parts = Parts::default();
    parts.text(field).text(value);
    parts.id("TI")
}

fn content_text(content: u128) -> String {
    format!("{content:032x}")
}

/// A digest over parts of which each carries its length, so that no two lists of parts run into each other.
#[derive(Default)]
struct Parts(Sha256);

impl Parts {
    fn text(&mut self, text: &str) -> &mut Self {
        self.0.update([1]);
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
        self
    }

    fn absent(&mut self) -> &mut Self {
        self.0.update([0]);
        self
    }

    fn id(self, prefix: &str) -> String {
        let mut id = format!("{prefix}-");
        for byte in self.0.finalize().iter().take(6) {
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
        }
        id
    }
}
