//! Near values: the events of one block of equal fingerprints, clustered around their first members.

use super::edits::{Text, edit_near};
use super::windows::belongs;
use crate::domain::event::Event;
use crate::domain::time::DAY;
use crate::rules::normalise::{Scratch, apply_all};
use crate::rules::window::Window;
use crate::rules::{FieldRef, Measure, Rule, Source};
use rust_decimal::Decimal;

/// Members of one block up to which every pair is compared without a word; larger blocks are compared all the same, and said.
pub const LARGE_BLOCK: usize = 5_000;

/// The comparable values of one event, one for each `similar` field.
struct Near {
    values: Vec<Value>,
    time: i64,
}

enum Value {
    Absent,
    Text(Text),
    Number(Decimal),
    Day(i64),
}

struct Cluster {
    anchor: usize,
    last: i64,
    members: Vec<usize>,
}

/// Puts each event (in time order) into the first cluster whose first member it is near to and whose window it falls into, or opens
/// another. Members are compared with the first only, so that chains of small differences cannot drift. Reversals join the cluster of
/// the last attempt before them that they are near to.
pub fn cluster(events: &[Event], rule: &Rule, window: Window, sources: &[Source]) -> Vec<Vec<usize>> {
    let near: Vec<Near> = events.iter().map(|event| near(event, rule, sources)).collect();
    let mut clusters: Vec<Cluster> = Vec::new();
    // Clusters before this one are out of reach of every later attempt.
    let mut open_from = 0;
    for (at, event) in events.iter().enumerate() {
        let time = near[at].time;
        while clusters.get(open_from).is_some_and(|old| out_of_reach(window, near[old.anchor].time, time)) {
            open_from += 1;
        }
        let candidates = if event.is_reversal() { 0..clusters.len() } else { open_from..clusters.len() };
        let fits = |cluster: &Cluster| {
            let within = event.is_reversal() || belongs(window, near[cluster.anchor].time, cluster.last, time);
            within
                && rule.similar.iter().enumerate().all(|(field, similar)| {
                    is_near(&near[cluster.anchor].values[field], &near[at].values[field], &similar.measure)
                })
        };
        let found = if event.is_reversal() {
            candidates.into_iter().rev().find(|number| fits(&clusters[*number]))
        } else {
            candidates.into_iter().find(|number| fits(&clusters[*number]))
        };
        match found {
            Some(number) => {
                let cluster = &mut clusters[number];
                cluster.members.push(at);
                if !event.is_reversal() {
                    cluster.last = time;
                }
            }
            None if event.is_reversal() => {}
            None => clusters.push(Cluster { anchor: at, last: time, members: vec![at] }),
        }
    }
    clusters.into_iter().map(|cluster| cluster.members).collect()
}

/// True when no attempt at `time` or later can join a cluster that opened at `first`.
fn out_of_reach(window: Window, first: i64, time: i64) -> bool {
    match window {
        Window::FromFirst(span) | Window::Gap { span, .. } => time.saturating_sub(first) > span,
        Window::Days(days) => time.div_euclid(DAY) - first.div_euclid(DAY) > i64::from(days),
        Window::Unlimited => false,
    }
}

fn near(event: &Event, rule: &Rule, sources: &[Source]) -> Near {
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
            Measure::Within(_) | Measure::WithinShare(_) => Decimal::from_str_exact(text).map_or(Value::Absent, Value::Number),
            Measure::WithinDays(_) => day_of(text).map_or(Value::Absent, Value::Day),
        }
    });
    let time = if matches!(rule.window, Window::Days(_)) { event.time.local_nanos } else { event.time.nanos };
    Near { values: values.collect(), time }
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
    use super::clock::TimeReader;
    use crate::rules::DateOrder;
    let reader = TimeReader::new(&[crate::rules::pick::TimeFormat::Detect], chrono_tz::Tz::UTC, None, DateOrder::DayFirst);
    reader.read(text, &mut Default::default()).ok().map(|read| read.stamp.local_day())
}

/// Missing is near to nothing.
fn is_near(one: &Value, other: &Value, measure: &Measure) -> bool {
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
