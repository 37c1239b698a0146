//! Personal data in a finding: in the values of its records, and again in every sentence about them.

use super::field::Kind;
use super::{Mask, Masker, json};
use crate::domain::finding::Finding;
use std::borrow::Cow;

/// Where a finding holds text that may be personal.
#[derive(Clone, Copy)]
enum Spot<'f> {
    /// A record by its place, and the name of the field.
    Value(usize, &'f str),
    EffectId(usize),
    RequestKey(usize),
    File(usize),
    Raw(usize),
    Fingerprint(&'f str),
    Reason,
    By,
    Why,
    Evidence(usize),
}

impl Spot<'_> {
    fn put(self, finding: &mut Finding, text: String) {
        let slot = match self {
            Self::Value(record, field) => finding.records.get_mut(record).and_then(|record| record.values.get_mut(field)),
            Self::EffectId(record) => finding.records.get_mut(record).and_then(|record| record.effect_id.as_mut()),
            Self::RequestKey(record) => finding.records.get_mut(record).and_then(|record| record.request_key.as_mut()),
            Self::File(record) => finding.records.get_mut(record).map(|record| &mut record.file),
            Self::Raw(record) => finding.records.get_mut(record).and_then(|record| record.raw.as_mut()),
            Self::Fingerprint(field) => finding.fingerprint.get_mut(field).and_then(Option::as_mut),
            Self::Reason => finding.decision.as_mut().map(|decision| &mut decision.reason),
            Self::By => finding.decision.as_mut().and_then(|decision| decision.by.as_mut()),
            Self::Why => Some(&mut finding.cause.why),
            Self::Evidence(at) => finding.evidence.get_mut(at).map(|evidence| &mut evidence.text),
        };
        if let Some(slot) = slot {
            *slot = text;
        }
    }
}

impl Masker {
    /// A finding with personal data masked; borrowed where it holds none.
    pub fn finding<'f>(&mut self, finding: &'f Finding) -> Cow<'f, Finding> {
        let mut changes: Vec<(Spot<'f>, String)> = Vec::new();
        self.walk(finding, |spot, masked| changes.push((spot, masked)));
        if changes.is_empty() {
            return Cow::Borrowed(finding);
        }
        let mut masked = finding.clone();
        changes.into_iter().for_each(|(spot, text)| spot.put(&mut masked, text));
        Cow::Owned(masked)
    }

    /// Gives names to what a finding holds.
    pub(super) fn meet(&mut self, finding: &Finding) {
        self.walk(finding, |_, _| {});
    }

    /// Every text that is masked, with what is shown in its place.
    fn walk<'f>(&mut self, finding: &'f Finding, mut found: impl FnMut(Spot<'f>, String)) {
        if self.mask == Mask::Off {
            return;
        }
        let mut tell = |spot, masked: Option<String>| {
            if let Some(masked) = masked {
                found(spot, masked);
            }
        };
        let known = self.known(finding);
        for (at, record) in finding.records.iter().enumerate() {
            for (field, value) in &record.values {
                tell(Spot::Value(at, field), self.hidden(field, value));
            }
            tell(Spot::EffectId(at), record.effect_id.as_deref().and_then(|id| self.hidden_in_text(id)));
            tell(Spot::RequestKey(at), record.request_key.as_deref().and_then(|key| self.hidden_in_text(key)));
            tell(Spot::File(at), self.hidden_in_text(&record.file));
            tell(Spot::Raw(at), record.raw.as_deref().and_then(|raw| self.raw(raw, &known)));
        }
        for (field, value) in &finding.fingerprint {
            tell(Spot::Fingerprint(field), value.as_deref().and_then(|value| self.hidden(field, value)));
        }
        if let Some(decision) = &finding.decision {
            tell(Spot::Reason, self.sentence(&decision.reason, &known));
            tell(Spot::By, decision.by.as_deref().and_then(|by| self.hidden_in_text(by)));
        }
        tell(Spot::Why, self.sentence(&finding.cause.why, &known));
        for (at, evidence) in finding.evidence.iter().enumerate() {
            tell(Spot::Evidence(at), self.sentence(&evidence.text, &known));
        }
    }

    /// The text of a record: members of JSON by their names, elsewhere what the finding knows and what looks personal.
    fn raw(&mut self, raw: &str, known: &[(Kind, &str)]) -> Option<String> {
        match json::masked(raw, |name, value| self.member(name, value)) {
            Some(masked) => (masked != raw).then_some(masked),
            None => self.sentence(raw, known),
        }
    }

    /// A sentence about records: values that are masked there are masked here too.
    fn sentence(&mut self, sentence: &str, known: &[(Kind, &str)]) -> Option<String> {
        if !known.iter().any(|(_, value)| sentence.contains(value)) {
            return self.hidden_in_text(sentence);
        }
        let mut pieces: Vec<(String, Piece)> = vec![(sentence.to_owned(), Piece::Open)];
        for (kind, value) in known {
            let mut next = Vec::with_capacity(pieces.len());
            for (piece, state) in pieces {
                if state == Piece::Masked || !piece.contains(value) {
                    next.push((piece, state));
                    continue;
                }
                for (at, part) in piece.split(value).enumerate() {
                    if at > 0 {
                        next.push((self.named(*kind, value), Piece::Masked));
                    }
                    next.push((part.to_owned(), Piece::Open));
                }
            }
            pieces = next;
        }
        let done = |(piece, state): (String, Piece)| if state == Piece::Masked { piece } else { self.text(&piece) };
        Some(pieces.into_iter().map(done).collect())
    }

    /// Personal values of a finding, the longest first, so that a value inside another does not cut it. Values of one or two
    /// characters would tear words apart and are left out.
    fn known<'f>(&mut self, finding: &'f Finding) -> Vec<(Kind, &'f str)> {
        let of_records = finding.records.iter().flat_map(|record| &record.values).map(|(field, value)| (field, value.as_str()));
        let of_fingerprint = finding.fingerprint.iter().filter_map(|(field, value)| Some((field, value.as_deref()?)));
        let mut known: Vec<(Kind, &str)> = of_records
            .chain(of_fingerprint)
            .filter_map(|(field, value)| Some((self.kind_of(field)?, value)))
            .filter(|(_, value)| value.chars().count() > 2)
            .collect();
        known.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        known
    }
}

/// Whether a part of a sentence still has to be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Open,
    Masked,
}
