//! The findings of a result: a list that lies packed in a store until somebody wants all of it at once.

use super::finding::Finding;
use super::store::{Kept, Store, Unpacker};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

/// Findings in their order.
///
/// As a slice they are all unpacked, and stay so: convenient, and as much memory as they take. [`Self::each`] gives one after the other.
/// Should packed findings not come back from their store, either ends early, and [`Self::check`] says why: whoever tells others of findings
/// asks it before the telling counts.
#[derive(Default)]
pub struct Findings {
    all: OnceLock<Vec<Finding>>,
    /// None for findings that were never packed, or have been changed since.
    packed: Option<Packed>,
    /// Why some did not come back, from these or from a copy of them.
    failure: Arc<OnceLock<String>>,
}

#[derive(Clone)]
struct Packed {
    store: Arc<dyn Store>,
    kept: Vec<Kept>,
}

impl Findings {
    /// Findings that lie in a store, in the order of `kept`.
    pub fn packed(store: Arc<dyn Store>, kept: Vec<Kept>) -> Self {
        Self { packed: Some(Packed { store, kept }), ..Self::default() }
    }

    pub fn len(&self) -> usize {
        match &self.packed {
            Some(packed) => packed.kept.len(),
            None => self.deref().len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One after the other; no more than one of them is unpacked at a time.
    pub fn each(&self) -> impl Iterator<Item = Cow<'_, Finding>> {
        self.within(0..self.len())
    }

    /// As [`Self::each`], those at these places.
    pub fn within(&self, places: Range<usize>) -> impl Iterator<Item = Cow<'_, Finding>> {
        let mut unpacker = Unpacker::default();
        // Who has them all at hand needs no second copy.
        let one = move |at: usize| match (&self.packed, self.all.get()) {
            (Some(Packed { store, kept }), None) => self.taken(unpacker.take(&**store, *kept.get(at)?)).map(Cow::Owned),
            _ => self.deref().get(at).map(Cow::Borrowed),
        };
        places.map_while(one)
    }

    /// How many come before the first that a decision settles; settled ones stand last.
    pub fn open(&self) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            match self.within(middle..middle + 1).next() {
                Some(finding) if !finding.is_decided() => from = middle + 1,
                _ => to = middle,
            }
        }
        from
    }

    /// # Errors
    /// Some findings did not come back from their store, whoever asked for them.
    pub fn check(&self) -> io::Result<()> {
        self.failure.get().map_or(Ok(()), |reason| Err(io::Error::other(reason.clone())))
    }

    fn taken<T>(&self, taken: io::Result<T>) -> Option<T> {
        // Later failures have nothing to add to the first.
        taken.inspect_err(|error| _ = self.failure.set(error.to_string())).ok()
    }

    fn unpack(&self) -> Vec<Finding> {
        let Some(Packed { store, kept }) = &self.packed else { return Vec::new() };
        let mut unpacker = Unpacker::default();
        kept.iter().map_while(|kept| self.taken(unpacker.take(&**store, *kept))).collect()
    }

    /// The list itself, which is always there; what was packed is dropped.
    fn list(&mut self) -> Option<&mut Vec<Finding>> {
        if self.all.get().is_none() {
            self.all = OnceLock::from(self.unpack());
        }
        self.packed = None;
        self.all.get_mut()
    }

    /// Drops the findings that are not wanted.
    pub fn retain(&mut self, wanted: impl FnMut(&Finding) -> bool) {
        if let Some(list) = self.list() {
            list.retain(wanted);
        }
    }
}

impl Deref for Findings {
    type Target = [Finding];

    fn deref(&self) -> &[Finding] {
        self.all.get_or_init(|| self.unpack())
    }
}

impl DerefMut for Findings {
    fn deref_mut(&mut self) -> &mut [Finding] {
        self.list().map(Vec::as_mut_slice).unwrap_or_default()
    }
}

impl From<Vec<Finding>> for Findings {
    fn from(findings: Vec<Finding>) -> Self {
        Self { all: OnceLock::from(findings), ..Self::default() }
    }
}

impl FromIterator<Finding> for Findings {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        Self::from(findings.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Findings {
    type Item = &'a mut Finding;
    type IntoIter = std::slice::IterMut<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl Clone for Findings {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), packed: self.packed.clone(), failure: Arc::clone(&self.failure) }
    }
}

impl PartialEq for Findings {
    fn eq(&self, other: &Self) -> bool {
        self.deref() == other.deref()
    }
}

impl fmt::Debug for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Findings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        self.each().try_for_each(|finding| list.serialize_element(&*finding))?;
        self.check().map_err(S::Error::custom)?;
        list.end()
    }
}

impl<'de> Deserialize<'de> for Findings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::super::decision::{Decision, Judgement, Standing};
    use super::super::finding::{Cause, KeyRelation, Severity, Verdict};
    use super::super::store::{InMemory, Parcel};
    use super::*;

    fn finding(number: u64) -> Finding {
        Finding {
            id: format!("TL-{number:012x}"),
            rule: "one".into(),
            verdict: Verdict::ALL[number as usize % Verdict::ALL.len()],
            severity: Severity::High,
            key_relation: KeyRelation::None,
            cause: Cause { code: "unknown".into(), why: "ё\u{0}\n".into() },
            likelihood: 0.1 + number as f64,
            evidence: Vec::new(),
            fingerprint: [("absent".to_owned(), None), ("there".to_owned(), Some(String::new()))].into(),
            alike: vec!["there".into()],
            first: String::new(),
            last: "x".repeat(number as usize * 100),
            extra_effects: number,
            possible_extra_effects: u64::MAX - number,
            exposure: Vec::new(),
            batch: None,
            incident: Some("TI-1".into()),
            also: Vec::new(),
            records: Vec::new(),
            late_records: 0,
            unread_records: 3,
            decision: None,
        }
    }

    fn settled(number: u64) -> Finding {
        let standing = Standing::Live;
        let decision = Decision { judgement: Judgement::Accepted, reason: "r".into(), by: None, until: None, standing };
        Finding { decision: Some(decision), ..finding(number) }
    }

    fn packed(findings: &[Finding]) -> Findings {
        let store = Arc::new(InMemory::default());
        let mut parcel = Parcel::default();
        findings.iter().for_each(|finding| parcel.add(finding));
        let kept = parcel.keep(&*store).unwrap();
        Findings::packed(store, kept)
    }

    #[test]
    fn packed_findings_are_the_same_findings() {
        let plain: Vec<Finding> = (0..40).map(finding).chain((40..50).map(settled)).collect();
        let (listed, packed) = (Findings::from(plain.clone()), packed(&plain));
        for findings in [&listed, &packed] {
            assert_eq!((findings.len(), findings.open()), (50, 40));
            assert!(findings.each().map(Cow::into_owned).eq(plain.iter().cloned()));
            assert!(findings.within(7..9).map(Cow::into_owned).eq(plain[7..9].iter().cloned()));
            assert_eq!(findings.within(49..99).count(), 1);
        }
        assert!(packed.all.get().is_none(), "nobody asked for all");
        assert_eq!(serde_json::to_string(&listed).unwrap(), serde_json::to_string(&packed).unwrap());
        assert_eq!(packed[3].extra_effects, 3);
        assert_eq!(listed, packed);
        packed.check().unwrap();
    }

    #[test]
    fn packed_findings_can_be_changed() {
        let mut findings = packed(&[finding(0), finding(1), finding(2)]);
        findings.iter_mut().for_each(|finding| finding.late_records += 1);
        findings.retain(|finding| finding.extra_effects != 1);
        let told: Vec<(u64, u64)> = findings.each().map(|finding| (finding.extra_effects, finding.late_records)).collect();
        assert_eq!((told, findings.len()), (vec![(0, 1), (2, 1)], 2));
    }

    #[test]
    fn findings_that_do_not_come_back_are_told() {
        let store = Arc::new(InMemory::default());
        let mut parcel = Parcel::default();
        parcel.add(&finding(1));
        parcel.add(&7_u64);
        let kept = parcel.keep(&*store).unwrap();
        let findings = Findings::packed(store, kept);
        assert_eq!(findings.within(0..1).count(), 1);
        findings.check().unwrap();
        let copy = findings.clone();
        assert_eq!(copy.each().count(), 1);
        assert!(copy.check().is_err() && findings.check().is_err(), "a report is told from a masked copy");
        assert!(serde_json::to_string(&findings).is_err());
    }
}
