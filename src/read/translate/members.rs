//! JSON read by a member at a time, with every number digit for digit.

use crate::rules::normalise::canonical_json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The members of one object; of two with one name the last counts.
pub(super) struct Object<'a>(BTreeMap<Cow<'a, str>, &'a RawValue>);

impl<'a> Object<'a> {
    /// None for anything but an object.
    pub(super) fn of(raw: &'a RawValue) -> Option<Self> {
        if !raw.get().starts_with('{') {
            return None;
        }
        serde_json::from_str(raw.get()).ok().map(Self)
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.get(name).copied().filter(|raw| raw.get() != "null")
    }

    /// A member that is a text, a number or a word, as text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let raw = self.get(name)?.get();
        match raw.bytes().next()? {
            b'"' => serde_json::from_str(raw).ok(),
            b'{' | b'[' => None,
            _ => Some(raw.to_owned()),
        }
    }
}

/// The elements of an array; none for anything else.
pub(super) fn elements(raw: &RawValue) -> Vec<&RawValue> {
    if raw.get().starts_with('[') { serde_json::from_str(raw.get()).unwrap_or_default() } else { Vec::new() }
}

/// A text for itself; an object or array, be it written out or within a text, in its canonical spelling, so that order and blanks do not
/// matter.
pub(super) fn text_of(raw: &RawValue) -> String {
    let text = serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
    let is_structure = text.trim_start().starts_with(['{', '[']);
    canonical_json(&text).filter(|_| is_structure).unwrap_or(text)
}
