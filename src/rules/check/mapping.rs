//! `[source.map]`: where each canonical field comes from.

use super::columns::Columns;
use super::source::Context;
use super::time;
use crate::rules::draft::{AmountDraft, EffectIdDraft, OutcomeDraft, PickDraft, SourceDraft, TimeDraft};
use crate::rules::names::Names;
use crate::rules::outcome::{Meaning, OutcomeMap, OutcomeQuestion};
use crate::rules::pick::{Pick, TimeFormat, TimeFrom, TimeMap};
use crate::rules::problem::{Problems, quoted};
use crate::rules::{AmountMap, EffectIdMap, FieldRef, Mapping, Unit};
use std::collections::HashMap;

/// None only where a problem was noted.
pub(super) fn check(
    source: &SourceDraft,
    columns: &mut Columns,
    context: &Context<'_>,
    problems: &mut Problems<'_>,
) -> Option<Mapping> {
    let map = &source.map;
    require(source, problems);
    let plain: Vec<(&str, Option<Pick>)> =
        map.plain.iter().map(|(name, pick)| (*name, check_pick(pick, columns, problems))).collect();
    let plain = |name: &str| plain.iter().find(|(known, _)| *known == name).and_then(|(_, pick)| pick.clone());
    let time = map.time.as_ref().map(|time| check_time(time, source.read.default_year, columns, context, problems));
    let amount = map.amount.as_ref().and_then(|amount| check_amount(amount, columns, problems));
    require_currency(source, problems);
    let outcome = map.outcome.as_ref().and_then(|questions| check_outcome(questions, columns, problems));
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

/// A source without a profile must say itself what a profile would.
fn require(source: &SourceDraft, problems: &mut Problems<'_>) {
    let help = |key: &str, example: &str| (format!("\"{key}\" is missing"), format!("write {example}"));
    let missing = match &source.map_span {
        None if source.profile.is_none() => vec![help("map", "[source.map]")],
        _ => {
            let time = source.map.time.is_none().then(|| help("time", "time = { from = \"Paid at\", format = \"iso\" }"));
            let operation = !source.map.plain.iter().any(|(name, _)| *name == "operation");
            let operation = operation.then(|| help("operation", "operation = { const = \"create_order\" }"));
            [time, operation].into_iter().flatten().collect()
        }
    };
    let span = source.map_span.clone().unwrap_or(source.span.clone());
    // A key that is there and holds the wrong thing was told already.
    if !problems.any_within(&span) {
        for (message, help) in missing {
            problems.add(span.clone(), message, help);
        }
    }
}

fn check_pick(draft: &PickDraft, columns: &mut Columns, problems: &mut Problems<'_>) -> Option<Pick> {
    if problems.any_within(&draft.span) {
        return None;
    }
    let renames = !draft.names.is_empty() || draft.default.is_some();
    let (message, help) = match (&draft.from, &draft.constant) {
        (Some(names), None) if !names.is_empty() => {
            let slots = names.iter().map(|name| columns.slot(name.get_ref())).collect::<Option<Vec<_>>>()?;
            if !renames {
                return Some(Pick::Columns(slots));
            }
            let names = draft.names.iter().map(|(value, name)| (value.get_ref().clone(), name.get_ref().clone()));
            let default = draft.default.as_ref().map(|value| value.get_ref().clone());
            return Some(Pick::Columns(vec![columns.rename(slots, Names::new(names), default)]));
        }
        (None, Some(_)) if renames => ("a constant needs neither \"names\" nor \"default\"", "leave them out"),
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
    columns: &mut Columns,
    context: &Context<'_>,
    problems: &mut Problems<'_>,
) -> Option<TimeMap> {
    if draft.parts.is_empty() && !problems.any_within(&draft.span) {
        problems.add(draft.span.clone(), "no column is named", "write from = \"Column\"");
    }
    let parts: Vec<_> = draft.parts.iter().map(|part| check_pick(part, columns, problems)).collect();
    let formats: Vec<_> = draft.formats.iter().map(|format| time::format(format, default_year, problems)).collect();
    let zone = draft.zone.as_ref().map(|zone| time::zone(zone, problems));
    let zone_from = draft.zone_from.as_ref().map(|pick| check_pick(pick, columns, problems));
    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
    let mut formats = formats.into_iter().collect::<Option<Vec<_>>>()?;
    if formats.is_empty() {
        formats.push(TimeFormat::Detect);
    }
    Some(TimeMap {
        from: match parts.as_slice() {
            [] => return None,
            [Pick::Columns(slots)] if slots.len() == 1 => TimeFrom::One(*slots.first()?),
            _ => TimeFrom::Joined(parts),
        },
        formats,
        zone: zone.unwrap_or(Some(context.zone))?,
        zone_given: draft.zone.is_some() || context.zone_given,
        zone_from: match zone_from {
            None => None,
            Some(pick) => Some(pick?),
        },
    })
}

fn check_amount(draft: &AmountDraft, columns: &mut Columns, problems: &mut Problems<'_>) -> Option<AmountMap> {
    let from = check_pick(&draft.from, columns, problems)?;
    if let Pick::Const(value) = &from
        && rust_decimal::Decimal::from_str_exact(value).is_err()
    {
        let message = format!("{} is no decimal number", quoted(value));
        problems.add(draft.from.span.clone(), message, "write const = \"12.50\" for example");
    }
    let unit = match draft.unit.as_ref().map(|unit| unit.get_ref().as_str()) {
        Some("minor") => Unit::Minor,
        Some("hundredths") => Unit::Hundredths,
        _ => Unit::Major,
    };
    Some(AmountMap { from, unit })
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

fn check_outcome(questions: &[OutcomeDraft], columns: &mut Columns, problems: &mut Problems<'_>) -> Option<OutcomeMap> {
    let questions: Vec<_> = questions.iter().map(|question| check_question(question, columns, problems)).collect();
    let questions = questions.into_iter().collect::<Option<Vec<_>>>()?;
    (!questions.is_empty()).then_some(OutcomeMap { questions })
}

fn check_question(draft: &OutcomeDraft, columns: &mut Columns, problems: &mut Problems<'_>) -> Option<OutcomeQuestion> {
    let from = check_pick(&draft.from, columns, problems);
    let mut values: HashMap<String, (Meaning, &str)> = HashMap::new();
    for (list, meaning, texts) in &draft.lists {
        for text in texts {
            let value = text.get_ref().trim();
            if value.is_empty() && !text.get_ref().is_empty() {
                problems.add(text.span(), "a blank outcome", "write \"\" for records without an outcome, or leave it out");
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
    let question = OutcomeQuestion::new(from?, values.into_iter().map(|(value, (meaning, _))| (value, meaning)));
    if let Pick::Const(value) = &question.from
        && question.meaning(Some(value)).is_none()
        && question.values().next().is_some()
    {
        let message = format!("the constant outcome {} stands in no list", quoted(value));
        problems.add(draft.from.span.clone(), message, "add it to the list of its meaning");
    }
    Some(question)
}

fn check_effect_id(draft: &EffectIdDraft, columns: &mut Columns, problems: &mut Problems<'_>) -> Option<EffectIdMap> {
    match draft.each_row {
        Some(true) if draft.from.from.is_none() => Some(EffectIdMap::EachRow),
        Some(true) => {
            problems.add(draft.from.span.clone(), "both \"from\" and \"each_row\" are given", "leave one of them");
            None
        }
        _ => check_pick(&draft.from, columns, problems).map(EffectIdMap::From),
    }
}
