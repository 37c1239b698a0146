//! Columns that are made of others: parts of a text, values inside JSON, joined columns, other names.

use super::nothing::is_word_for_nothing;
use crate::domain::record::{Record, is_blank};
use crate::rules::Source;
use crate::rules::pick::{Derived, JOINT, Slot};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

/// The derived columns of one record, by their slot less the number of input columns; empty for a source that derives none.
#[derive(Debug, Default)]
pub struct DerivedCells<'a> {
    cells: Vec<Option<Cow<'a, str>>>,
    /// A column that should hold JSON holds something else, so that what is inside it is absent.
    pub is_damaged: bool,
}

impl<'a> DerivedCells<'a> {
    /// Derives all, each from the columns of the input and those before it.
    #[inline]
    pub fn of(source: &'a Source, record: &Record<'a>) -> Self {
        if source.derived.is_empty() {
            return Self::default();
        }
        let mut cells = Self { cells: vec![None; source.derived_slots], is_damaged: false };
        for derived in &source.derived {
            match derived {
                Derived::Inside { from, pointer, into } => {
                    let value = cells.copy(source, record, *from).map(|text| inside(&text, pointer));
                    cells.is_damaged |= matches!(value, Some(Err(NotJson)));
                    cells.put(source, *into, value.and_then(Result::ok).flatten().map(Cow::Owned));
                }
                Derived::Extract { from, pattern, groups } => {
                    let Some(text) = cells.copy(source, record, *from) else { continue };
                    cells.extract(source, text, pattern, groups);
                }
                Derived::Join { from, into } => {
                    let parts: Vec<_> = from.iter().map(|slot| cells.naming_slot(source, record, *slot)).collect();
                    let joined = parts
                        .iter()
                        .any(Option::is_some)
                        .then(|| parts.iter().map(|part| part.unwrap_or_default()).collect::<Vec<_>>().join(JOINT));
                    cells.put(source, *into, joined.map(Cow::Owned));
                }
                Derived::Rename { from, names, default, into } => {
                    let found = from.iter().find_map(|slot| cells.copy(source, record, *slot));
                    let named = match found {
                        Some(value) => Some(names.name_of(&value).map_or(value.clone(), Cow::Borrowed)),
                        None => default.as_deref().map(Cow::Borrowed),
                    };
                    cells.put(source, *into, named);
                }
            }
        }
        cells
    }

    fn extract(&mut self, source: &Source, text: Cow<'a, str>, pattern: &regex::Regex, groups: &[(usize, Slot)]) {
        match text {
            Cow::Borrowed(text) => {
                let Some(captures) = pattern.captures(text) else { return };
                for (group, slot) in groups {
                    self.put(source, *slot, captures.get(*group).map(|found| Cow::Borrowed(found.as_str())));
                }
            }
            Cow::Owned(text) => {
                let Some(captures) = pattern.captures(&text) else { return };
                for (group, slot) in groups {
                    self.put(source, *slot, captures.get(*group).map(|found| Cow::Owned(found.as_str().to_owned())));
                }
            }
        }
    }

    fn put(&mut self, source: &Source, slot: Slot, value: Option<Cow<'a, str>>) {
        if let Some(place) = slot.checked_sub(source.columns.len()).and_then(|at| self.cells.get_mut(at)) {
            *place = value.filter(|text| !is_blank(text));
        }
    }

    /// The value of one slot; None where it is absent, blank, or one of the source's words for nothing.
    #[inline]
    pub fn slot<'s>(&'s self, source: &Source, record: &Record<'s>, slot: Slot) -> Option<&'s str> {
        // What nearly every slot of nearly every source is.
        if slot < source.columns.len() && source.read.null.is_empty() {
            return record.cell(slot);
        }
        self.any_slot(source, record, slot)
    }

    /// As [`Self::slot`], for a value that joins records: none of the usual words for nothing either.
    #[inline]
    pub fn naming_slot<'s>(&'s self, source: &Source, record: &Record<'s>, slot: Slot) -> Option<&'s str> {
        self.slot(source, record, slot).filter(|text| !is_word_for_nothing(text))
    }

    #[inline(never)]
    fn any_slot<'s>(&'s self, source: &Source, record: &Record<'s>, slot: Slot) -> Option<&'s str> {
        let value = match slot.checked_sub(source.columns.len()) {
            None => record.cell(slot),
            Some(at) => self.cells.get(at).and_then(|cell| cell.as_deref()),
        }?;
        (!is_null(source, value)).then_some(value)
    }

    /// As [`Self::slot`], free of these cells.
    fn copy(&self, source: &Source, record: &Record<'a>, slot: Slot) -> Option<Cow<'a, str>> {
        let value = match slot.checked_sub(source.columns.len()) {
            None => record.cell(slot).map(Cow::Borrowed),
            Some(at) => self.cells.get(at).cloned().flatten(),
        }?;
        (!is_null(source, &value)).then_some(value)
    }
}

#[inline]
fn is_null(source: &Source, value: &str) -> bool {
    !source.read.null.is_empty() && source.read.null.iter().any(|null| null == value.trim())
}

/// A text that should hold JSON and does not.
struct NotJson;

/// The value at a JSON pointer inside a text: the text of a string, otherwise the JSON as it is written, with every digit. None where it
/// is absent or null.
fn inside(text: &str, pointer: &str) -> Result<Option<String>, NotJson> {
    let mut value: &RawValue = serde_json::from_str(text).map_err(|_| NotJson)?;
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        let inner = match value.get().as_bytes().first() {
            Some(b'{') => {
                let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(value.get()).map_err(|_| NotJson)?;
                members.get(token.as_str()).copied()
            }
            Some(b'[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(value.get()).map_err(|_| NotJson)?;
                token.parse().ok().and_then(|at: usize| elements.get(at).copied())
            }
            _ => None,
        };
        match inner {
            Some(inner) => value = inner,
            None => return Ok(None),
        }
    }
    match value.get() {
        "null" => Ok(None),
        string if string.starts_with('"') => serde_json::from_str(string).map(Some).map_err(|_| NotJson),
        other => Ok(Some(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn what_is_inside_a_text_keeps_its_digits() {
        let text = r#" {"a/b":[{"n":59.00,"id":12345678901234567890123,"s":"\u00e4","o":{"x": 1},"z":null}]}"#;
        let at = |pointer: &str| inside(text, pointer).ok().flatten();
        assert_eq!(at("/a~1b/0/n").as_deref(), Some("59.00"));
        assert_eq!(at("/a~1b/0/id").as_deref(), Some("12345678901234567890123"));
        assert_eq!(at("/a~1b/0/s").as_deref(), Some("ä"));
        assert_eq!(at("/a~1b/0/o").as_deref(), Some(r#"{"x": 1}"#));
        assert_eq!((at("/a~1b/0/z"), at("/a~1b/1/n"), at("/none")), (None, None, None));
        assert!(inside(r#"{"a":1"#, "/a").is_err() && inside("plain words", "/a").is_err());
    }
}
