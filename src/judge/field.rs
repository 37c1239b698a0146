//! Field values of events, looked up by reference, and the meaning of field and column names.

use crate::domain::Event;
use crate::rules::pick::Pick;
use crate::rules::{FieldRef, Rules};
use std::borrow::Cow;

/// The value of a canonical or named field; None where the record does not say.
pub(super) fn value<'a>(event: &'a Event, field: &FieldRef, rules: &Rules) -> Option<Cow<'a, str>> {
    let text = |value: &'a Option<String>| value.as_deref().map(Cow::Borrowed);
    match field {
        FieldRef::Time => Some(Cow::Owned(event.time.nanos.to_string())),
        FieldRef::Operation => Some(Cow::Borrowed(event.operation.as_str())),
        FieldRef::Actor => text(&event.actor),
        FieldRef::Amount => event.amount.map(|money| Cow::Owned(money.amount.normalize().to_string())),
        FieldRef::Currency => event.amount.map(|money| Cow::Owned(money.currency.to_string())),
        FieldRef::Outcome => text(&event.outcome_text),
        FieldRef::EffectId => text(&event.effect_id),
        FieldRef::RequestKey => text(&event.request_key),
        FieldRef::Payload => text(&event.payload),
        FieldRef::RecordId => text(&event.record_id),
        FieldRef::Reverses => text(&event.reverses),
        FieldRef::Named(name) => named(event, name, rules).map(Cow::Borrowed),
    }
}

/// The value of a named field.
pub(super) fn named<'a>(event: &'a Event, name: &str, rules: &Rules) -> Option<&'a str> {
    let place = rules.sources.get(event.source)?.field(name)?;
    event.fields.get(place)?.as_deref()
}

/// All named fields that a record fills, in the order of its source.
pub(super) fn all_named<'a>(event: &'a Event, rules: &'a Rules) -> impl Iterator<Item = (&'a str, &'a str)> {
    let names = rules.sources.get(event.source).map_or(&[][..], |source| source.map.fields.as_slice());
    names.iter().zip(&event.fields).filter_map(|((name, _), value)| Some((name.as_str(), value.as_deref()?)))
}

/// The names of the columns that a pick reads, as the source writes them.
pub(super) fn columns<'a>(source: usize, pick: Option<&'a Pick>, rules: &'a Rules) -> impl Iterator<Item = &'a str> {
    let slots = match pick {
        Some(Pick::Columns(slots)) => slots.as_slice(),
        Some(Pick::Const(_)) | None => &[],
    };
    let columns = rules.sources.get(source).map_or(&[][..], |source| source.columns.as_slice());
    slots.iter().filter_map(|slot| columns.get(*slot)).map(String::as_str)
}

/// A name without its dress: the last segment of a JSON pointer, letters and digits only, in lower case. `/message/Task-ID` is
/// `taskid`.
fn bare_name(name: &str) -> Cow<'_, str> {
    // What nearly every name is.
    if name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let last = name.rsplit(['/', '.']).next().unwrap_or(name);
    last.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// True when the bare name is one of `words`.
pub(super) fn is_bare(name: &str, words: &[&str]) -> bool {
    words.contains(&bare_name(name).as_ref())
}

/// True when the bare name is one of `words`, or one of them followed by `id`, `no`, `number`, `key` or `ref`.
pub(super) fn is_called(name: &str, words: &[&str]) -> bool {
    let bare = bare_name(name);
    words.iter().any(|word| {
        bare.strip_prefix(word).is_some_and(|rest| matches!(rest, "" | "id" | "no" | "number" | "nr" | "key" | "ref"))
    })
}

/// The one value that all these events give a field; None where one lacks it or two differ.
pub(super) fn common<'a>(mut values: impl Iterator<Item = Option<Cow<'a, str>>>) -> Option<Cow<'a, str>> {
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}
