//! Masking by kind of value: who a record is about stays hidden, two different people stay different.
//!
//! A masked value keeps its first letter and gets a number, `a…@e….org #3`. One number stands for one exact value within one
//! output and is given in order of appearance, so it says nothing outside that output and cannot be searched for, as a hash without a key
//! could. Effect ids, request keys and business ids stay: they are what must be looked up. Card numbers never stay, whatever
//! [`Mask`] says: see [`cards`].

mod card;
mod field;
mod json;
mod text;

pub use card::{FEWEST_DIGITS, cards};

use crate::domain::finding::{Finding, FindingRecord};
use crate::domain::report::Report;
use field::Kind;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Whether personal data is shown. Card numbers are masked either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    On,
    Off,
}

/// The whole report with personal data masked; borrowed where nothing is to be masked.
pub fn report(report: &Report, mask: Mask) -> Cow<'_, Report> {
    if mask == Mask::Off {
        return Cow::Borrowed(report);
    }
    let mut masker = Masker::new(mask);
    let mut masked = report.clone();
    for finding in &mut masked.result.findings {
        masker.mask(finding);
    }
    for volume in &mut masked.result.actors {
        volume.actor = masker.value("actor", &volume.actor);
    }
    for incident in &mut masked.result.incidents {
        incident.value = masker.value(&incident.field, &incident.value);
    }
    for note in &mut masked.result.notes {
        note.message = masker.text(&note.message);
    }
    for rejects in masked.result.sources.iter_mut().flat_map(|source| &mut source.files).flat_map(|file| &mut file.rejects) {
        rejects.reason = masker.text(&rejects.reason);
        rejects.example = masker.text(&rejects.example);
    }
    Cow::Owned(masked)
}

/// Masks values of one output, and remembers which number stands for which value.
pub struct Masker {
    mask: Mask,
    numbers: BTreeMap<String, usize>,
}

impl Masker {
    pub fn new(mask: Mask) -> Self {
        Self { mask, numbers: BTreeMap::new() }
    }

    /// A finding with personal data masked.
    pub fn finding<'a>(&mut self, finding: &'a Finding) -> Cow<'a, Finding> {
        if self.mask == Mask::Off {
            return Cow::Borrowed(finding);
        }
        let mut masked = finding.clone();
        self.mask(&mut masked);
        Cow::Owned(masked)
    }

    /// The value of a named field, masked by the kind of the field, else by what the value looks like. Members of JSON are fields
    /// themselves.
    pub fn value(&mut self, field: &str, value: &str) -> String {
        let masked = match self.mask {
            Mask::Off => value.to_owned(),
            Mask::On => match field::kind(field) {
                Some(kind) => self.kind(kind, value),
                None => json::masked(value, |name, value| self.member(name, value)).unwrap_or_else(|| self.text(value)),
            },
        };
        without_cards(masked)
    }

    /// A value inside JSON; None where it may be shown.
    fn member(&mut self, name: &str, value: &str) -> Option<String> {
        let masked = match field::kind(name) {
            Some(kind) => self.kind(kind, value),
            None => self.text(value),
        };
        (masked != value).then_some(masked)
    }

    /// Free text with the e-mail addresses, phone and account numbers, tokens and secrets in it masked.
    pub fn text(&mut self, text: &str) -> String {
        without_cards(match self.mask {
            Mask::Off => text.to_owned(),
            Mask::On => text::masked(text, |kind, found| self.kind(kind, found)),
        })
    }

    fn mask(&mut self, finding: &mut Finding) {
        let known = known_values(finding);
        for record in &mut finding.records {
            for (field, value) in &mut record.values {
                *value = self.value(field, value);
            }
            if let Some(raw) = &mut record.raw {
                *raw = self.raw(raw, &known);
            }
        }
        for (field, value) in &mut finding.fingerprint {
            if let Some(value) = value {
                *value = self.value(field, value);
            }
        }
        if let Some(decision) = &mut finding.decision {
            decision.reason = self.sentence(&decision.reason, &known);
            decision.by = decision.by.as_deref().map(|by| self.text(by));
        }
        finding.cause.why = self.sentence(&finding.cause.why, &known);
        for evidence in &mut finding.evidence {
            evidence.text = self.sentence(&evidence.text, &known);
        }
    }

    /// The text of a record: members of JSON by their names, elsewhere what the finding knows and what looks personal.
    fn raw(&mut self, raw: &str, known: &[(Kind, String)]) -> String {
        json::masked(raw, |name, value| self.member(name, value)).unwrap_or_else(|| self.sentence(raw, known))
    }

    /// A sentence about records: values that are masked there are masked here too.
    fn sentence(&mut self, sentence: &str, known: &[(Kind, String)]) -> String {
        let mut pieces: Vec<(String, Piece)> = vec![(sentence.to_owned(), Piece::Open)];
        for (kind, value) in known {
            let mut next = Vec::with_capacity(pieces.len());
            for (piece, state) in pieces {
                if state == Piece::Masked || !piece.contains(value.as_str()) {
                    next.push((piece, state));
                    continue;
                }
                for (at, part) in piece.split(value.as_str()).enumerate() {
                    if at > 0 {
                        next.push((self.kind(*kind, value), Piece::Masked));
                    }
                    next.push((part.to_owned(), Piece::Open));
                }
            }
            pieces = next;
        }
        let done = |(piece, state): (String, Piece)| if state == Piece::Masked { piece } else { self.text(&piece) };
        pieces.into_iter().map(done).collect()
    }

    fn kind(&mut self, kind: Kind, value: &str) -> String {
        let fresh = self.numbers.len() + 1;
        let number = *self.numbers.entry(value.to_owned()).or_insert(fresh);
        field::shape(kind, value, number)
    }
}

fn without_cards(text: String) -> String {
    match cards(&text) {
        Cow::Owned(hidden) => hidden,
        Cow::Borrowed(_) => text,
    }
}

/// Whether a part of a sentence still has to be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Open,
    Masked,
}

/// Personal values of a finding, the longest first, so that a value inside another does not cut it. Values of one or two
/// characters would tear words apart and are left out.
fn known_values(finding: &Finding) -> Vec<(Kind, String)> {
    let of_record =
        |record: &FindingRecord| record.values.iter().map(|(field, value)| (field.clone(), value.clone())).collect::<Vec<_>>();
    let fingerprint = finding.fingerprint.iter().filter_map(|(field, value)| Some((field.clone(), value.clone()?)));
    let mut known: Vec<(Kind, String)> = finding
        .records
        .iter()
        .flat_map(of_record)
        .chain(fingerprint)
        .filter(|(_, value)| value.chars().count() > 2)
        .filter_map(|(field, value)| Some((field::kind(&field)?, value)))
        .collect();
    known.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    known.dedup();
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_people_stay_two() {
        let mut masker = Masker::new(Mask::On);
        assert_eq!(masker.value("actor", "anna@example.org"), "a…@e….org #1");
        assert_eq!(masker.value("email", "alex@example.org"), "a…@e….org #2");
        assert_eq!(masker.value("actor", "anna@example.org"), "a…@e….org #1");
        assert_eq!(masker.value("customer_name", "Анна Иванова"), "А… #3");
        assert_eq!(masker.value("phone", "+7 916 123-45-67"), "+7…67 #4");
        assert_eq!(masker.value("iban", "DE89370400440532013000"), "DE…3000 #5");
        assert_eq!(masker.value("api_key", "sk_live_abcdef"), "secret #6");
    }

    #[test]
    fn what_must_be_looked_up_stays() {
        let mut masker = Masker::new(Mask::On);
        for (field, value) in [("order", "A-1042"), ("invoice_id", "2026/0042"), ("effect_id", "ch_1"), ("amount", "59.00")] {
            assert_eq!(masker.value(field, value), value);
        }
    }

    #[test]
    fn free_text_is_searched() {
        let mut masker = Masker::new(Mask::On);
        assert_eq!(
            masker.text("paid by anna@example.org (+49 151 2345678) from DE89 3704 0044 0532 0130 00, Bearer abcdef123456"),
            "paid by a…@e….org #1 (+4…78 #2) from DE…3000 #3, Bearer secret #4"
        );
        assert_eq!(masker.text("the gap of 3 min 2 s is a usual timeout"), "the gap of 3 min 2 s is a usual timeout");
        assert_eq!(masker.text("account 40702810900000012345: 2 rows"), "account …2345 #5: 2 rows");
        assert_eq!(masker.text("effect 40702999900000012345"), "effect 40702999900000012345");
    }

    /// Whatever is revealed.
    #[test]
    fn cards_never_stay() {
        for mask in [Mask::On, Mask::Off] {
            let mut masker = Masker::new(mask);
            assert_eq!(masker.value("note", "card 4276 3800 1234 5679"), "card 4276 38** **** 5679", "{mask:?}");
            assert_eq!(masker.text("4111111111111111"), "411111******1111", "{mask:?}");
        }
    }

    #[test]
    fn a_payload_names_its_own_fields() {
        let mut masker = Masker::new(Mask::On);
        assert_eq!(masker.value("actor", "cus_20105"), "c… #1");
        assert_eq!(
            masker.value("payload", r#"{"amount":24990,"customer":"cus_20105","order":"A-1","to":["anna@example.org"]}"#),
            r##"{"amount":24990,"customer":"c… #1","order":"A-1","to":["a…@e….org #2"]}"##
        );
    }

    #[test]
    fn off_is_off() {
        assert_eq!(Masker::new(Mask::Off).value("email", "anna@example.org"), "anna@example.org");
    }
}
