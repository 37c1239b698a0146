//! Masking by kind of value: who a record is about stays hidden, two different people stay different.
//!
//! A masked value keeps its first letter and gets a name, `a…@e….org #3`. Without a key that is a number: it stands for one value, however
//! it is written, in all outputs of one report and is given in order of appearance, so it says nothing outside of them and cannot be searched for, as a hash
//! without a key could. With a [`PseudonymKey`] it is a pseudonym, the same in every report that is made with the same key. A value that
//! was masked before is told as it is, so that a masked result can be told again. Effect ids, request keys and business ids stay, because
//! they are what must be looked up; e-mail addresses, international phone numbers and IBANs in them do not. Card numbers never stay, whatever [`Mask`] says: see [`cards`].

mod card;
mod field;
mod finding;
mod json;
mod names;
mod text;

pub use card::{FEWEST_DIGITS, cards};
pub use names::{PseudonymKey, WeakKey};

use crate::domain::report::{Report, ScanResult};
use field::Kind;
use names::{Met, Names};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Findings whose values one thread lists at a time.
const PIECE: usize = 512;

/// Whether personal data is shown. Card numbers are masked either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    On,
    Off,
}

/// Who goes by which name in all outputs of one report.
pub struct Masking(Names);

impl Masking {
    pub fn of(report: &Report, key: Option<&PseudonymKey>) -> Self {
        if let Some(key) = key {
            return Self(Names::Pseudonyms(key.clone()));
        }
        let findings = &report.result.findings;
        let all = findings.len();
        let pieces: Vec<usize> = (0..all).step_by(PIECE).collect();
        let list = |from: &usize| {
            let mut masker = Masker::new(Mask::On);
            findings.within(*from..all.min(from + PIECE)).for_each(|finding| masker.meet(&finding));
            masker.names.met()
        };
        let mut met: Vec<Met> = pieces.par_iter().map(list).collect();
        let mut beside = Masker::new(Mask::On);
        beside.frame(report);
        met.push(beside.names.met());
        Self(Names::in_order(met))
    }

    pub fn masker(&self, mask: Mask) -> Masker {
        Masker { mask, names: self.0.clone(), kinds: BTreeMap::new() }
    }
}

/// Masks values of one output, and remembers which name stands for which value.
pub struct Masker {
    mask: Mask,
    names: Names,
    /// Of fields that were met: telling it by the name takes longer than looking it up.
    kinds: BTreeMap<String, Option<Kind>>,
}

impl Masker {
    /// Numbers in the order of what it is asked for.
    pub fn new(mask: Mask) -> Self {
        Self { mask, names: Names::none_yet(), kinds: BTreeMap::new() }
    }

    /// A report without its findings, personal data masked.
    pub fn frame(&mut self, report: &Report) -> Report {
        // Named one by one: a clone of the whole would clone every finding.
        let ScanResult { ledger, nightly, totals, sources, rules, health, batches, incidents, notes, actors, findings: _ } =
            &report.result;
        let mut result = ScanResult {
            ledger: *ledger,
            nightly: *nightly,
            totals: totals.clone(),
            sources: sources.clone(),
            rules: rules.clone(),
            health: health.clone(),
            batches: batches.clone(),
            incidents: incidents.clone(),
            notes: notes.clone(),
            actors: actors.clone(),
            findings: Default::default(),
        };
        if self.mask == Mask::On {
            self.mask_beside_findings(&mut result);
        }
        let Report { schema, result: _, windows, nights, run } = report;
        let mut run = run.clone();
        if self.mask == Mask::On {
            for input in &mut run.inputs {
                input.file = self.text(&input.file);
            }
        }
        Report { schema: schema.clone(), result, windows: windows.clone(), nights: nights.clone(), run }
    }

    fn mask_beside_findings(&mut self, result: &mut ScanResult) {
        for volume in &mut result.actors {
            volume.actor = self.value("actor", &volume.actor);
        }
        for incident in &mut result.incidents {
            incident.value = self.value(&incident.field, &incident.value);
        }
        for note in &mut result.notes {
            note.message = self.text(&note.message);
        }
        for file in result.sources.iter_mut().flat_map(|source| &mut source.files) {
            file.file = self.text(&file.file);
            file.fault = file.fault.as_deref().map(|fault| self.text(fault));
            for rejects in &mut file.rejects {
                rejects.reason = self.text(&rejects.reason);
                rejects.example = self.text(&rejects.example);
            }
        }
        for health in &mut result.health {
            health.operation = self.value("operation", &health.operation);
        }
    }

    /// The value of a named field, masked by the kind of the field, else by what the value looks like. Members of JSON are fields
    /// themselves.
    pub fn value(&mut self, field: &str, value: &str) -> String {
        self.hidden(field, value).unwrap_or_else(|| value.to_owned())
    }

    /// Free text with the e-mail addresses, phone and account numbers, tokens and secrets in it masked.
    pub fn text(&mut self, text: &str) -> String {
        self.hidden_in_text(text).unwrap_or_else(|| text.to_owned())
    }

    /// As [`Masker::value`]; None where it stays as it is.
    fn hidden(&mut self, field: &str, value: &str) -> Option<String> {
        let masked = match (self.mask, self.kind_of(field)) {
            (Mask::Off, _) => None,
            (Mask::On, Some(kind)) => Some(self.named(kind, value)),
            (Mask::On, None) => match json::masked(value, |name, value| self.member(name, value)) {
                Some(masked) => (masked != value).then_some(masked),
                None => self.personal_in_text(value),
            },
        };
        without_cards(masked, value)
    }

    /// As [`Masker::text`]; None where it stays as it is.
    fn hidden_in_text(&mut self, text: &str) -> Option<String> {
        without_cards(self.personal_in_text(text), text)
    }

    fn personal_in_text(&mut self, text: &str) -> Option<String> {
        if self.mask == Mask::Off || !text::may_hold(text) {
            return None;
        }
        let masked = text::masked(text, |kind, found| self.named(kind, found));
        (masked != text).then_some(masked)
    }

    /// A value inside JSON; None where it may be shown.
    fn member(&mut self, name: &str, value: &str) -> Option<String> {
        match self.kind_of(name) {
            Some(kind) => Some(self.named(kind, value)),
            None => self.hidden_in_text(value),
        }
    }

    fn kind_of(&mut self, field: &str) -> Option<Kind> {
        if let Some(known) = self.kinds.get(field) {
            return *known;
        }
        let kind = field::kind(field);
        // Members of JSON may have any number of names.
        if self.kinds.len() < MOST_FIELDS {
            self.kinds.insert(field.to_owned(), kind);
        }
        kind
    }

    fn named(&mut self, kind: Kind, value: &str) -> String {
        if let Some(name) = field::name_borne(kind, value) {
            self.names.bear(name);
            return value.to_owned();
        }
        field::shape(kind, value, self.names.of(kind, value))
    }
}

/// Names of fields that a masker keeps in mind.
const MOST_FIELDS: usize = 10_000;

/// A text, masked or as it was, without card numbers; None where it stays as it was.
fn without_cards(masked: Option<String>, text: &str) -> Option<String> {
    match cards(masked.as_deref().unwrap_or(text)) {
        Cow::Owned(hidden) => Some(hidden),
        Cow::Borrowed(_) => masked,
    }
}

#[cfg(test)]
mod tests;
