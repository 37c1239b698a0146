//! Objects one after the other that each hold an array of records: files of a trail put together, pages of an API, batches of a queue.

use super::json_values::{JsonValue, each_value};
use super::{Members, Numbers, Original, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::format;
use crate::read::pointer::tokens;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let Some(pointer) = format::envelope(original.sample, original.source) else {
        let reason = "its objects do not hold arrays of records; set read.records".to_owned();
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "envelopes", reason });
    };
    let path = tokens(&pointer);
    let mut rows = original.rows();
    let mut number = 0;
    let fault = each_value(original, &mut |envelope| {
        let records = match &envelope.trouble {
            Some(reason) => Err(reason.clone()),
            None => records_of(envelope.text, &path),
        };
        match records {
            Ok(records) => records.into_iter().try_for_each(|record| {
                number += 1;
                rows.object(Position { number, lines: lines(envelope, record.get()) }, record.get())
            }),
            Err(reason) => {
                number += 1;
                rows.broken(Position { number, lines: [envelope.line, envelope.last_line()] }, &reason)
            }
        }
    })?;
    Ok(Translation {
        spool: rows.finish()?,
        members: Members::AsAsked,
        columns: Vec::new(),
        missing: Vec::new(),
        numbers: Numbers::OneWay,
        facts: vec![format!("envelopes, records at {pointer}")],
        notes: Vec::new(),
        fault,
    })
}

fn lines(envelope: &JsonValue<'_>, record: &str) -> [u64; 2] {
    let last = record.len().saturating_sub(1);
    [envelope.line_of(record), envelope.line_of(record.get(last..).unwrap_or(record))]
}

/// The records of one envelope; none where it holds no such array: the last page of an API may leave it out.
fn records_of<'t>(text: &'t str, path: &[String]) -> Result<Vec<&'t RawValue>, String> {
    let unreadable = |error: serde_json::Error| format!("unreadable JSON: {error}; repair the file");
    let mut value: &RawValue = serde_json::from_str(text).map_err(unreadable)?;
    for token in path {
        let members: HashMap<Cow<'t, str>, &'t RawValue> = serde_json::from_str(value.get()).map_err(unreadable)?;
        match members.get(token.as_str()) {
            Some(inner) => value = inner,
            None => return Ok(Vec::new()),
        }
    }
    if value.get() == "null" { Ok(Vec::new()) } else { serde_json::from_str(value.get()).map_err(unreadable) }
}
