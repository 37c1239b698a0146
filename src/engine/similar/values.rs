//! What is compared of an event where values need only be near.

use super::edits::{Text, edit_near};
use crate::domain::event::Event;
use crate::rules::normalise::{Scratch, apply_all};
use crate::rules::window::Window;
use crate::rules::{FieldRef, Measure, Rule, Source};
use rust_decimal::Decimal;

/// The comparable values of one event.
#[derive(Clone, Debug)]
pub struct Near {
    /// One for each `similar` field.
    values: Vec<Value>,
    /// Nanoseconds: as the window counts.
    pub time: i64,
    pub is_reversal: bool,
}

/// One of them.
#[derive(Clone, Debug)]
pub enum Value {
    Absent,
    Text(Text),
    Number(Decimal),
    Day(i64),
}

impl Near {
    pub fn new(event: &Event, rule: &Rule, sources: &[Source]) -> Self {
        let mut scratch = Scratch::default();
        let values = rule.similar.iter().map(|similar| {
            let days = matches!(similar.measure, Measure::WithinDays(_));
            let Some(text) = text_of(event, &similar.field, sources) else {
                return if days && similar.field == FieldRef::Time { Value::Day(event.time.local_day()) } else { Value::Absent };
            };
            let text = apply_all(&similar.normalise, &text, &mut scratch);
            match similar.measure {
                _ if text.is_empty() => Value::Absent,
                Measure::Edit { .. } => Value::Text(Text::new(text)),
                Measure::Within(_) | Measure::WithinShare(_) => {
                    Decimal::from_str_exact(text).map_or(Value::Absent, Value::Number)
                }
                Measure::WithinDays(_) => day_of(text).map_or(Value::Absent, Value::Day),
            }
        });
        let time = if matches!(rule.window, Window::Days(_)) { event.time.local_nanos } else { event.time.nanos };
        Self { values: values.collect(), time, is_reversal: event.is_reversal() }
    }

    #[cfg(test)]
    pub fn of_values(values: Vec<Value>, time: i64, is_reversal: bool) -> Self {
        Self { values, time, is_reversal }
    }

    pub fn value(&self, field: usize) -> &Value {
        self.values.get(field).unwrap_or(&Value::Absent)
    }

    /// Missing is near to nothing.
    pub fn lacks_any(&self) -> bool {
        self.values.iter().any(|value| matches!(value, Value::Absent))
    }

    /// Near in every field.
    pub fn is_near(&self, other: &Self, rule: &Rule) -> bool {
        let fields = self.values.iter().zip(&other.values).zip(&rule.similar);
        fields.into_iter().all(|((one, other), similar)| is_near(one, other, &similar.measure))
    }
}

/// The text of a field of an event, as fingerprints and proofs compare it; None where the event lacks it, and for times.
pub fn text_of(event: &Event, field: &FieldRef, sources: &[Source]) -> Option<String> {
    match field {
        FieldRef::Time => None,
        FieldRef::Operation => Some(event.operation.clone()),
        FieldRef::Actor => event.actor.clone(),
        FieldRef::Amount => event.amount.map(|money| money.amount.abs().normalize().to_string()),
        FieldRef::Currency => event.amount.map(|money| money.currency.to_string()),
        FieldRef::Outcome => event.outcome_text.clone(),
        FieldRef::EffectId => event.effect_id.clone(),
        FieldRef::RequestKey => event.request_key.clone(),
        FieldRef::Payload => event.payload.clone(),
        FieldRef::RecordId => event.record_id.clone(),
        FieldRef::Reverses => event.reverses.clone(),
        FieldRef::Named(name) => {
            let at = sources.get(event.source)?.field(name)?;
            event.fields.get(at)?.clone()
        }
    }
}

fn day_of(text: &str) -> Option<i64> {
    use crate::engine::clock::TimeReader;
    use crate::rules::DateOrder;
    let reader = TimeReader::new(&[crate::rules::pick::TimeFormat::Detect], chrono_tz::Tz::UTC, None, DateOrder::DayFirst);
    reader.read(text, &mut Default::default()).ok().map(|read| read.stamp.local_day())
}

/// Missing is near to nothing.
pub fn is_near(one: &Value, other: &Value, measure: &Measure) -> bool {
    match (one, other, measure) {
        (Value::Text(one), Value::Text(other), Measure::Edit { method, at_least }) => edit_near(one, other, *method, *at_least),
        (Value::Number(one), Value::Number(other), Measure::Within(most)) => {
            distance(*one, *other).is_some_and(|distance| distance <= *most)
        }
        (Value::Number(one), Value::Number(other), Measure::WithinShare(share)) => {
            let most = one.abs().max(other.abs()).checked_mul(*share);
            distance(*one, *other).zip(most).is_some_and(|(distance, most)| distance <= most)
        }
        (Value::Day(one), Value::Day(other), Measure::WithinDays(days)) => (one - other).abs() <= i64::from(*days),
        _ => false,
    }
}

/// None where the numbers lie further apart than a decimal can say, which is further than any distance a rule can name.
fn distance(one: Decimal, other: Decimal) -> Option<Decimal> {
    one.checked_sub(other).map(|difference| difference.abs())
}
