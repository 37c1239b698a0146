//! Transcripts of agents: messages with calls of tools and their results. A call is a record.

use super::calls::{Answer, Asked, Calls, History};
use super::json_values::{JsonValue, each_value};
use super::members::{Object, elements, text_of};
use super::original::Original;
use super::rows::Member;
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::domain::report::Note;
use crate::read::OpenError;
use serde_json::value::RawValue;

/// Members that hold messages or parts of them, in the order in which they happened.
const CONTAINERS: [&str; 11] =
    ["request", "messages", "input", "message", "payload", "content", "tool_calls", "response", "output", "choices", "item"];
/// Columns that no message has itself.
pub(super) const OF_CALLS: [&str; 4] = ["arguments", "call_id", "result", "sequence"];
/// The history of the messages of a root array; those of values begin with 1.
const MESSAGES: History = 0;
/// Messages within messages; deeper ones are made to break parsers.
const MOST_DEPTH: u32 = 16;

/// What a message inherits from what it stands in.
#[derive(Clone, Default)]
pub(super) struct Envelope {
    pub(super) timestamp: Option<String>,
    pub(super) session: Option<String>,
    pub(super) uuid: Option<String>,
    pub(super) message_id: Option<String>,
}

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let mut calls = Calls::default();
    let mut unread = Vec::new();
    let is_array = original.sample.text.trim_start().starts_with('[');
    let mut values = 0;
    let fault = each_value(original, &mut |value| {
        values += 1;
        match (&value.trouble, serde_json::from_str::<&RawValue>(value.text)) {
            (None, Ok(raw)) => {
                let history = if is_array && is_message(raw) { MESSAGES } else { values };
                let mut visit = Visit { value, calls: &mut calls, history, is_too_deep: false };
                visit.visit(raw, &Envelope::default(), 0);
                if visit.is_too_deep {
                    let reason =
                        format!("messages lie more than {MOST_DEPTH} deep in each other, calls there were not read; unpack them");
                    unread.push(([value.line, value.last_line()], reason));
                }
            }
            (Some(trouble), _) => unread.push(([value.line, value.last_line()], trouble.clone())),
            (None, Err(error)) => {
                unread.push(([value.line, value.last_line()], format!("not JSON: {error}; repair or remove it")));
            }
        }
        calls.settle();
        Ok(())
    })?;
    calls.finish();
    let mut rows = original.rows();
    let mut number = 0;
    for call in calls.all() {
        number += 1;
        let sequence = number.to_string();
        let texts = [
            ("name", Some(&call.name)),
            ("call_id", call.call_id.as_ref()),
            ("arguments", call.arguments.as_ref()),
            ("result", call.answer.as_ref().map(|answer| &answer.result)),
            ("is_error", call.answer.as_ref().and_then(|answer| answer.is_error.as_ref())),
            ("timestamp", call.envelope.timestamp.as_ref()),
            ("result_timestamp", call.answer.as_ref().and_then(|answer| answer.timestamp.as_ref())),
            ("session", call.envelope.session.as_ref()),
            ("uuid", call.envelope.uuid.as_ref()),
            ("message_id", call.envelope.message_id.as_ref()),
            ("sequence", Some(&sequence)),
        ];
        let last = call.answer.as_ref().map_or(call.line, |answer| answer.line);
        let lines = [call.line.min(last), call.line.max(last)];
        let members = texts.iter().filter_map(|(name, text)| Some((*name, Member::Text(text.as_ref()?))));
        rows.record(Position { number, lines }, members)?;
    }
    for line in calls.copies() {
        rows.ignored(Position { number, lines: [line, line] })?;
    }
    for (lines, reason) in unread {
        number += 1;
        rows.broken(Position { number, lines }, &reason)?;
    }
    Ok(Translation {
        spool: rows.finish()?,
        members: Members::AsAsked,
        columns: Vec::new(),
        missing: Vec::new(),
        numbers: Numbers::OneWay,
        facts: vec!["transcript".to_owned(), original.encoding().to_owned()],
        notes: notes(original.name(), &calls),
        fault,
    })
}

fn notes(file: &str, calls: &Calls) -> Vec<Note> {
    let strays = calls.strays();
    let message = format!("{file}: {strays} results answer no call of this file; they were left out");
    (strays > 0).then(|| Note { code: "result_without_call".to_owned(), message }).into_iter().collect()
}

/// True for a message or item of a conversation by itself: the elements of a root array are one history then. Entries of a session's log
/// have ids of their own, and may be of several.
fn is_message(raw: &RawValue) -> bool {
    let has = |object: &Object<'_>, name: &str| object.get(name).is_some();
    Object::of(raw).is_some_and(|object| (has(&object, "role") || has(&object, "type")) && !has(&object, "uuid"))
}

/// A walk through one value.
struct Visit<'v, 't> {
    value: &'v JsonValue<'t>,
    calls: &'v mut Calls,
    history: History,
    is_too_deep: bool,
}

impl Visit<'_, '_> {
    fn visit(&mut self, raw: &RawValue, envelope: &Envelope, depth: u32) {
        if depth > MOST_DEPTH {
            self.is_too_deep |= raw.get().starts_with(['[', '{']);
            return;
        }
        if raw.get().starts_with('[') {
            for element in elements(raw) {
                self.visit(element, envelope, depth + 1);
            }
            return;
        }
        let Some(object) = Object::of(raw) else { return };
        let mut envelope = envelope.clone();
        envelope.widen(&object);
        if self.call(&object, raw, &envelope) || self.answer(&object, raw, &envelope) {
            return;
        }
        for container in CONTAINERS.iter().filter_map(|name| object.get(name)) {
            if container.get().starts_with(['[', '{']) {
                self.visit(container, &envelope, depth + 1);
            }
        }
    }

    /// Takes an object that asks for a tool.
    fn call(&mut self, object: &Object<'_>, raw: &RawValue, envelope: &Envelope) -> bool {
        let kind = object.text("type").unwrap_or_default();
        let (call_id, name, arguments) = match kind.as_str() {
            "tool_use" | "server_tool_use" | "mcp_tool_use" => (object.text("id"), object.text("name"), object.get("input")),
            "function_call" | "mcp_call" => {
                (object.text("call_id").or_else(|| object.text("id")), object.text("name"), object.get("arguments"))
            }
            "custom_tool_call" => (object.text("call_id"), object.text("name"), object.get("input")),
            "function" | "" => {
                let Some(function) = object.get("function").and_then(Object::of) else { return false };
                (object.text("id"), function.text("name"), function.get("arguments"))
            }
            _ => return false,
        };
        let Some(name) = name else { return false };
        let line = self.value.line_of(raw.get());
        let arguments = arguments.map(text_of);
        let call = Asked { name, call_id: call_id.clone(), arguments, line, envelope: envelope.clone(), answer: None };
        self.calls.ask(call, self.history);
        // A hosted tool's call carries its result.
        if let Some(result) = object.get("output").or_else(|| object.get("error")).filter(|_| kind == "mcp_call") {
            let is_error = object.get("error").filter(|error| error.get() != "null").map(|_| "true".to_owned());
            let result = text_of(result);
            let answer = Answer { result, is_error, timestamp: None, line };
            self.calls.answer(envelope.session.as_deref(), call_id.as_deref(), answer);
        }
        true
    }

    /// Takes an object that brings a tool's result.
    fn answer(&mut self, object: &Object<'_>, raw: &RawValue, envelope: &Envelope) -> bool {
        let kind = object.text("type").unwrap_or_default();
        let (call_id, result) = if kind.ends_with("tool_result") {
            (object.text("tool_use_id"), object.get("content"))
        } else if kind.ends_with("_call_output") {
            (object.text("call_id"), object.get("output"))
        } else if object.text("role").as_deref() == Some("tool") {
            (object.text("tool_call_id"), object.get("content"))
        } else {
            return false;
        };
        let is_error = object.text("is_error").or_else(|| {
            let failed = object.text("status").is_some_and(|status| status == "error");
            failed.then(|| "true".to_owned())
        });
        let answer = Answer {
            result: result.map(result_text).unwrap_or_default(),
            is_error,
            timestamp: envelope.timestamp.clone(),
            line: self.value.line_of(raw.get()),
        };
        self.calls.answer(envelope.session.as_deref(), call_id.as_deref(), answer);
        true
    }
}

/// A result's text: its own, that of its blocks, or the JSON that it is.
fn result_text(raw: &RawValue) -> String {
    let blocks = elements(raw);
    let texts: Vec<String> = blocks.iter().filter_map(|block| Object::of(block)?.text("text")).collect();
    if !texts.is_empty() && texts.len() == blocks.len() { texts.join("\n") } else { text_of(raw) }
}

impl Envelope {
    /// Takes over what an object says of itself and all within it.
    fn widen(&mut self, object: &Object<'_>) {
        let first = |names: &[&str]| names.iter().find_map(|name| object.text(name)).filter(|text| !text.is_empty());
        let update = |kept: &mut Option<String>, names: &[&str]| {
            if let Some(text) = first(names) {
                *kept = Some(text);
            }
        };
        update(&mut self.timestamp, &["timestamp", "created_at", "createdAt", "ts", "created"]);
        update(&mut self.session, &["sessionId", "session_id", "conversation_id", "conversationId", "thread_id", "threadId"]);
        update(&mut self.uuid, &["uuid"]);
        if object.get("role").is_some() {
            update(&mut self.message_id, &["id"]);
        }
    }
}
