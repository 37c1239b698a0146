//! Columns that are made of others: parts of a text, values inside JSON, joined columns, other names.

use crate::domain::record::Record;
use crate::rules::Source;
use crate::rules::pick::{Derived, JOINT, Slot};
use std::borrow::Cow;

/// The derived columns of one record, by their slot less the number of input columns; empty for a source that derives none.
#[derive(Debug, Default)]
pub struct DerivedCells<'a>(Vec<Option<Cow<'a, str>>>);

impl<'a> DerivedCells<'a> {
    /// Derives all, each from the columns of the input and those before it.
    pub fn of(source: &'a Source, record: &Record<'a>) -> Self {
        let mut cells = Self(vec![None; source.derived_slots]);
        for derived in &source.derived {
            match derived {
                Derived::Inside { from, pointer, into } => {
                    let value = cells.copy(source, record, *from).and_then(|text| inside(&text, pointer));
                    cells.put(source, *into, value.map(Cow::Owned));
                }
                Derived::Extract { from, pattern, groups } => {
                    let Some(text) = cells.copy(source, record, *from) else { continue };
                    cells.extract(source, text, pattern, groups);
                }
                Derived::Join { from, into } => {
                    let parts: Vec<_> = from.iter().map(|slot| cells.slot(source, record, *slot)).collect();
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
        if let Some(place) = slot.checked_sub(source.columns.len()).and_then(|at| self.0.get_mut(at)) {
            *place = value.filter(|text| !text.is_empty());
        }
    }

    /// The value of one slot; None where it is absent, empty, or one of the source's words for nothing.
    #[inline]
    pub fn slot<'s>(&'s self, source: &Source, record: &Record<'s>, slot: Slot) -> Option<&'s str> {
        let value = match slot.checked_sub(source.columns.len()) {
            None => record.cell(slot),
            Some(at) => self.0.get(at).and_then(|cell| cell.as_deref()),
        }?;
        (!is_null(source, value)).then_some(value)
    }

    /// As [`Self::slot`], free of these cells.
    fn copy(&self, source: &Source, record: &Record<'a>, slot: Slot) -> Option<Cow<'a, str>> {
        let value = match slot.checked_sub(source.columns.len()) {
            None => record.cell(slot).map(Cow::Borrowed),
            Some(at) => self.0.get(at).cloned().flatten(),
        }?;
        (!is_null(source, &value)).then_some(value)
    }
}

#[inline]
fn is_null(source: &Source, value: &str) -> bool {
    !source.read.null.is_empty() && source.read.null.iter().any(|null| null == value.trim())
}

/// The value at a JSON pointer inside a text: the text of a string, otherwise the JSON as it is written. None where the text is no
/// JSON, or the value is absent or null.
fn inside(text: &str, pointer: &str) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(text).ok()?;
    match document.pointer(pointer)? {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
