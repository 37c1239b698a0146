//! Calls of tools and their results: which answers which, and which were written down twice.

use super::transcript::Envelope;
use std::collections::{BTreeMap, BTreeSet};

/// One call.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) call_id: Option<String>,
    pub(super) arguments: Option<String>,
    pub(super) line: u64,
    pub(super) envelope: Envelope,
    pub(super) answer: Option<Answer>,
}

/// What came back.
pub(super) struct Answer {
    pub(super) result: String,
    /// `true` or `false`, where it says.
    pub(super) is_error: Option<String>,
    pub(super) timestamp: Option<String>,
    pub(super) line: u64,
}

/// The calls of one transcript in the order of the text.
#[derive(Default)]
pub(super) struct Calls {
    asked: Vec<Asked>,
    /// The last call of each id.
    by_id: BTreeMap<String, usize>,
    /// Entries of the log with a call id: a session that is resumed begins with copies of them.
    by_entry: BTreeSet<(String, String)>,
    by_content: BTreeSet<(Option<String>, String, String, Option<String>)>,
    copies: Vec<u64>,
    strays: u64,
}

impl Calls {
    pub(super) fn ask(&mut self, call: Asked) {
        if let Some(id) = &call.call_id {
            let entry = call.envelope.uuid.clone().map(|uuid| (uuid, id.clone()));
            let is_known_entry = entry.is_some_and(|entry| !self.by_entry.insert(entry));
            let content = (call.envelope.session.clone(), id.clone(), call.name.clone(), call.arguments.clone());
            if !self.by_content.insert(content) || is_known_entry {
                self.copies.push(call.line);
                return;
            }
            self.by_id.insert(id.clone(), self.asked.len());
        }
        self.asked.push(call);
    }

    /// The first answer of a call counts; another is a copy of it.
    pub(super) fn answer(&mut self, call_id: Option<&str>, answer: Answer) {
        let call = call_id.and_then(|id| self.by_id.get(id)).and_then(|at| self.asked.get_mut(*at));
        match call {
            Some(call) if call.answer.is_none() => call.answer = Some(answer),
            Some(_) => {}
            None => self.strays += 1,
        }
    }

    pub(super) fn all(&self) -> &[Asked] {
        &self.asked
    }

    /// Lines of calls that were written down before.
    pub(super) fn copies(&self) -> &[u64] {
        &self.copies
    }

    /// Results without a call.
    pub(super) fn strays(&self) -> u64 {
        self.strays
    }
}
