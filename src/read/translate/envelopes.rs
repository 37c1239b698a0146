//! Objects one after the other that each hold an array of records: files of a trail put together, pages of an API, batches of a queue.

use super::json_values::{JsonValue, each_value};
use super::{Members, Numbers, Original, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::format::{self, Keeps};
use crate::read::pointer::{Columns, tokens};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let file = original.name();
    let pointer = match format::envelope(original.sample, original.source) {
        Keeps::Array(pointer) => pointer,
        Keeps::Unclear(arrays) => {
            return Err(OpenError::SeveralArrays { file: file.to_owned(), arrays: arrays.join("\", \"") });
        }
        Keeps::Roots => {
            let reason = "its objects do not hold arrays of records; set read.records".to_owned();
            return Err(OpenError::NotOfFormat { file: file.to_owned(), format: "envelopes", reason });
        }
    };
    let path = tokens(&pointer);
    let columns = Columns::new(&original.source.columns);
    let mut rows = original.rows();
    let mut number = 0;
    let fault = each_value(original, &mut |envelope| {
        let held = match &envelope.trouble {
            Some(reason) => Err(reason.clone()),
            None => held(envelope.text, &path),
        };
        let lines_of_all = [envelope.line, envelope.last_line()];
        match held {
            Ok(Some(records)) => records.into_iter().try_for_each(|record| {
                number += 1;
                rows.object(Position { number, lines: lines(envelope, record.get()) }, record.get())
            }),
            // Records and envelopes in one file.
            Ok(None) if format::present(envelope.text, 0, &columns) > 0 => {
                number += 1;
                rows.object(Position { number, lines: lines_of_all }, envelope.text)
            }
            Ok(None) => rows.ignored(Position { number, lines: lines_of_all }),
            Err(reason) => {
                number += 1;
                rows.broken(Position { number, lines: lines_of_all }, &reason)
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

/// The records of one envelope. None where it holds no such array: the last page of an API may leave it out, and an error has none.
fn held<'t>(text: &'t str, path: &[String]) -> Result<Option<Vec<&'t RawValue>>, String> {
    let unreadable = |error: serde_json::Error| format!("unreadable JSON: {error}; repair the file");
    let mut value: &RawValue = serde_json::from_str(text).map_err(unreadable)?;
    for token in path {
        if value.get() == "null" {
            return Ok(None);
        }
        let members: HashMap<Cow<'t, str>, &'t RawValue> = serde_json::from_str(value.get()).map_err(unreadable)?;
        match members.get(token.as_str()) {
            Some(inner) => value = inner,
            None => return Ok(None),
        }
    }
    if value.get() == "null" { Ok(None) } else { serde_json::from_str(value.get()).map(Some).map_err(unreadable) }
}
