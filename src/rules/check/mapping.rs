//! `[source.map]`: where each canonical field comes from.

use super::columns::Columns;
use super::source::Context;
use super::time;
use crate::rules::draft::{AmountDraft, EffectIdDraft, OutcomeDraft, PickDraft, SourceDraft, TimeDraft};
use crate::rules::outcome::{Meaning, OutcomeMap};
use crate::rules::pick::{Pick, TimeFormat, TimeFrom, TimeMap};
use crate::rules::problem::{Problems, quoted};
use crate::rules::{AmountMap, EffectIdMap, FieldRef, Mapping, Unit};
use std::collections::HashMap;

/// None only where a problem was noted.
pub(super) fn check(
    source: &SourceDraft,
    columns: &Columns,
    context: &Context<'_>,
    problems: &mut Problems<'_>,
) -> Option<Mapping> {
    let map = &source.map;
    let plain: Vec<(&str, Option<Pick>)> =
        map.plain.iter().map(|(name, pick)| (*name, check_pick(pick, columns, problems))).collect();
    let plain = |name: &str| plain.iter().find(|(known, _)| *known == name).and_then(|(_, pick)| pick.clone());
    let time = map.time.as_ref().map(|time| check_time(time, source.read.default_year, columns, context, problems));
    let amount = map.amount.as_ref().and_then(|amount| check_amount(amount, columns, problems));
    require_currency(source, problems);
    let outcome = map.outcome.as_ref().and_then(|outcome| check_outcome(outcome, columns, problems));
    let effect_id = map.effect_id.as_ref().and_then(|effect| check_effect_id(effect, columns, problems));
    let mut fields = Vec::new();
    for (name, pick) in &map.fields {
        if !matches!(FieldRef::parse(name.get_ref()), FieldRef::Named(_)) || name.get_ref().trim().is_empty() {
            let message = format!("a named field cannot be called {}", quoted(name.get_ref()));
            problems.add(name.span(), message, "map it in [source.map] itself, or choose another name");
        }
        if let Some(pick) = check_pick(pick, columns, problems) {
            fields.push((name.get_ref().clone(), pick));
        }
    }
    Some(Mapping {
        time: time??,
        operation: plain("operation")?,
        actor: plain("actor"),
        amount,
        currency: plain("currency"),
        outcome,
        effect_id,
        request_key: plain("request_key"),
        payload: plain("payload"),
        record_id: plain("record_id"),
        reverses: plain("reverses"),
        fields,
    })
}

fn check_pick(draft: &PickDraft, columns: &Columns, problems: &mut Problems<'_>) -> Option<Pick> {
    if problems.any_within(&draft.span) {
        return None;
    }
    let (message, help) = match (&draft.from, &draft.constant) {
        (Some(names), None) if !names.is_empty() => {
            return names.iter().map(|name| columns.slot(name.get_ref())).collect::<Option<_>>().map(Pick::Columns);
        }
        (None, Some(value)) if !value.get_ref().trim().is_empty() => return Some(Pick::Const(value.get_ref().clone())),
        (None, Some(_)) => ("\"const\" is empty", "write a value, or leave the field out"),
        (Some(_), Some(_)) => ("both \"from\" and \"const\" are given", "leave one of them"),
        (Some(_), None) => ("the list of columns is empty", "name a column, or leave the field out"),
        (None, None) => ("no column is named", "write from = \"Column\" or const = \"value\""),
    };
    problems.add(draft.span.clone(), message, help);
    None
}

fn check_time(
    draft: &TimeDraft,
    default_year: Option<i32>,
    columns: &Columns,
    context: &Context<'_>,
    problems: &mut Problems<'_>,
) -> Option<TimeMap> {
    let from = check_pick(&draft.from, columns, problems);
    let format = draft.format.as_ref().map(|format| time::format(format, default_year, problems));
    let zone = draft.zone.as_ref().map(|zone| time::zone(zone, problems));
    Some(TimeMap {
        from: match from? {
            Pick::Columns(slots) => match slots.as_slice() {
                [one] => TimeFrom::One(*one),
                _ => TimeFrom::Joined(slots),
            },
            // The shape of `time` has no `const`.
            Pick::Const(_) => return None,
        },
        format: format.unwrap_or(Some(TimeFormat::Detect))?,
        zone: zone.unwrap_or(Some(context.zone))?,
        zone_given: draft.zone.is_some() || context.zone_given,
    })
}

fn check_amount(draft: &AmountDraft, columns: &Columns, problems: &mut Problems<'_>) -> Option<AmountMap> {
    let from = check_pick(&draft.from, columns, problems)?;
    if let Pick::Const(value) = &from
        && rust_decimal::Decimal::from_str_exact(value).is_err()
    {
        let message = format!("{} is no decimal number", quoted(value));
        problems.add(draft.from.span.clone(), message, "write const = \"12.50\" for example");
    }
    let minor = draft.unit.as_ref().is_some_and(|unit| unit.get_ref() == "minor");
    Some(AmountMap { from, unit: if minor { Unit::Minor } else { Unit::Major } })
}

/// Without a currency nobody knows how many smallest units make a whole one.
fn require_currency(source: &SourceDraft, problems: &mut Problems<'_>) {
    let unit = source.map.amount.as_ref().and_then(|amount| amount.unit.as_ref());
    let has_currency = source.map.plain.iter().any(|(name, _)| *name == "currency");
    if let Some(unit) = unit.filter(|unit| unit.get_ref() == "minor" && !has_currency) {
        problems.add(
            unit.span(),
            "amounts in minor units need a currency",
            "map currency as well: currency = { const = \"EUR\" }",
        );
    }
}

fn check_outcome(draft: &OutcomeDraft, columns: &Columns, problems: &mut Problems<'_>) -> Option<OutcomeMap> {
    let from = check_pick(&draft.from, columns, problems);
    let mut values: HashMap<String, (Meaning, &str)> = HashMap::new();
    for (list, meaning, texts) in &draft.lists {
        for text in texts {
            let value = text.get_ref().trim();
            if value.is_empty() {
                problems.add(text.span(), "an empty outcome", "leave it out: a record without an outcome is unknown");
            } else if let Some((_, other)) = values.insert(value.to_owned(), (*meaning, list)).filter(|(_, other)| other != list)
            {
                let message = format!("outcome {} stands in \"{other}\" and in \"{list}\"", quoted(value));
                problems.add(text.span(), message, "leave it in one");
            }
        }
    }
    if values.is_empty() && !problems.any_within(&draft.from.span) {
        problems.add(draft.from.span.clone(), "no value has a meaning", "add took_effect = [\"paid\"] and the other lists");
    }
    let from = from?;
    if let Pick::Const(value) = &from
        && !values.contains_key(value.trim())
        && !values.is_empty()
    {
        let message = format!("the constant outcome {} stands in no list", quoted(value));
        problems.add(draft.from.span.clone(), message, "add it to the list of its meaning");
    }
    Some(OutcomeMap::new(from, values.into_iter().map(|(value, (meaning, _))| (value, meaning))))
}

fn check_effect_id(draft: &EffectIdDraft, columns: &Columns, problems: &mut Problems<'_>) -> Option<EffectIdMap> {
    match draft.each_row {
        Some(true) if draft.from.from.is_none() => Some(EffectIdMap::EachRow),
        Some(true) => {
            problems.add(draft.from.span.clone(), "both \"from\" and \"each_row\" are given", "leave one of them");
            None
        }
        _ => check_pick(&draft.from, columns, problems).map(EffectIdMap::From),
    }
}
