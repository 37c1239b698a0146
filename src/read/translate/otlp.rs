//! Traces of OpenTelemetry in JSON. A span is a record.

use super::json_values::{JsonValue, each_value};
use super::original::{Handled, Original};
use super::otlp_value::{AnyValue, KeyValue, Scalar, push_object};
use super::rows::{Member, Rows};
use super::span_tree::{Node, SpanTree};
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What an exporter sends at a time.
#[derive(Deserialize)]
struct Batch<'a> {
    #[serde(borrow, rename = "resourceSpans", default)]
    resources: Vec<ResourceSpans<'a>>,
}

#[derive(Deserialize)]
struct ResourceSpans<'a> {
    #[serde(borrow, default)]
    resource: Option<Resource<'a>>,
    /// Called otherwise before 2022.
    #[serde(borrow, rename = "scopeSpans", alias = "instrumentationLibrarySpans", default)]
    scopes: Vec<ScopeSpans<'a>>,
}

#[derive(Deserialize)]
struct Resource<'a> {
    #[serde(borrow, default)]
    attributes: Vec<KeyValue<'a>>,
}

#[derive(Deserialize)]
struct ScopeSpans<'a> {
    /// Each is read on its own, so that one that is wrong does not take the others with it.
    #[serde(borrow, default)]
    spans: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Span<'a> {
    #[serde(borrow)]
    trace_id: Cow<'a, str>,
    #[serde(borrow)]
    span_id: Cow<'a, str>,
    #[serde(borrow, default)]
    parent_span_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    start_time_unix_nano: Option<&'a RawValue>,
    #[serde(borrow, default)]
    end_time_unix_nano: Option<&'a RawValue>,
    #[serde(borrow, default)]
    status: Option<&'a RawValue>,
    #[serde(borrow, default)]
    attributes: Vec<KeyValue<'a>>,
}

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    // A parent may come after its children: who belongs to which call is known only at the end.
    let mut tree = SpanTree::default();
    each_value(original, &mut |value| {
        each_span(value, &mut |span| {
            if let Ok((span, _)) = span {
                tree.add(&span.trace_id, &span.span_id, span.node());
            }
            Ok(())
        })
    })?;
    let mut rows = original.rows();
    let mut number = 0;
    let fault = each_value(original, &mut |value| {
        each_span(value, &mut |span| {
            number += 1;
            match span {
                Ok((span, found)) => {
                    let root = tree.root_call(&span.trace_id, &span.span_id);
                    span.write(&mut rows, Position { number, lines: found.lines }, found.resource, root.as_deref())
                }
                Err((lines, reason)) => rows.broken(Position { number, lines }, &reason),
            }
        })
    })?;
    Ok(Translation {
        spool: rows.finish()?,
        members: Members::AsAsked,
        columns: Vec::new(),
        missing: Vec::new(),
        numbers: Numbers::OneWay,
        facts: vec!["otlp".to_owned(), original.encoding().to_owned()],
        notes: Vec::new(),
        fault,
    })
}

/// Where a span stands, and what it is part of.
struct FoundAt<'a, 'r> {
    lines: [u64; 2],
    resource: &'r [KeyValue<'a>],
}

type FoundSpan<'a, 'r> = Result<(Span<'a>, FoundAt<'a, 'r>), ([u64; 2], String)>;

/// Hands over the spans of one value; a value that cannot be read counts as one of them.
fn each_span(value: &JsonValue<'_>, each: &mut dyn FnMut(FoundSpan<'_, '_>) -> Handled) -> Handled {
    let lines = [value.line, value.last_line()];
    if let Some(trouble) = &value.trouble {
        return each(Err((lines, trouble.clone())));
    }
    let batch: Batch<'_> = match serde_json::from_str(value.text) {
        Ok(batch) => batch,
        Err(error) => return each(Err((lines, format!("not a batch of spans: {error}; repair or remove it")))),
    };
    for resource in &batch.resources {
        let attributes = resource.resource.as_ref().map(|resource| resource.attributes.as_slice()).unwrap_or_default();
        for raw in resource.scopes.iter().flat_map(|scope| &scope.spans) {
            let raw = raw.get();
            let first = value.line_of(raw);
            let lines = [first, first + raw.bytes().filter(|byte| *byte == b'\n').count() as u64];
            each(match serde_json::from_str::<Span<'_>>(raw) {
                Ok(span) => Ok((span, FoundAt { lines, resource: attributes })),
                Err(error) => Err((lines, format!("not a span: {error}; repair or remove it"))),
            })?;
        }
    }
    Ok(())
}

impl Span<'_> {
    fn attribute(&self, key: &str) -> Option<String> {
        self.attributes.iter().find(|attribute| attribute.key == key).and_then(|attribute| attribute.value.as_ref()?.text())
    }

    fn node(&self) -> Node {
        let operation = self.attribute("gen_ai.operation.name");
        let method = self.attribute("mcp.method.name");
        let name = self.name.as_deref().unwrap_or_default();
        let is_call = operation.as_deref() == Some("execute_tool") || method.as_deref() == Some("tools/call");
        let by_name = || name.strip_prefix("execute_tool ").or(name.strip_prefix("tools/call ")).map(str::to_owned);
        Node {
            parent: self.parent_span_id.as_deref().map(str::to_lowercase).filter(|parent| !parent.is_empty()),
            call: is_call.then(|| self.attribute("gen_ai.tool.name").or_else(by_name).unwrap_or_default()),
            is_agent: operation.as_deref() == Some("invoke_agent"),
        }
    }

    fn write(&self, rows: &mut Rows, position: Position, resource: &[KeyValue<'_>], root: Option<&str>) -> Handled {
        let ids = [&self.trace_id, &self.span_id].map(|id| id.to_lowercase());
        let [trace_id, span_id] = &ids;
        let parent = self.parent_span_id.as_deref().unwrap_or_default().to_lowercase();
        let scalars =
            [self.kind, self.start_time_unix_nano, self.end_time_unix_nano].map(|raw| raw.map(|raw| Scalar(raw).text()));
        let [kind, start, end] = scalars.each_ref().map(|text| text.as_deref().unwrap_or_default());
        let (mut attributes, mut of_resource) = (String::new(), String::new());
        push_object(&self.attributes, &mut attributes);
        push_object(resource, &mut of_resource);
        let texts = [
            ("traceId", trace_id.as_str()),
            ("spanId", span_id),
            ("parentSpanId", &parent),
            ("name", self.name.as_deref().unwrap_or_default()),
            ("kind", kind),
            ("startTimeUnixNano", start),
            ("endTimeUnixNano", end),
            ("@root_call", root.unwrap_or_default()),
        ];
        let status = self.status.map(|status| ("status", Member::Json(status.get())));
        let objects = [("attributes", Member::Json(&attributes)), ("resource", Member::Json(&of_resource))];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, Member::Text(text)));
        rows.record(position, texts.chain(status).chain(objects))
    }
}

impl AnyValue<'_> {
    /// What it says, as text.
    fn text(&self) -> Option<String> {
        match (&self.string, &self.int, self.bool) {
            (Some(text), ..) => Some(text.clone().into_owned()),
            (_, Some(raw), _) => Some(Scalar(raw).text().into_owned()),
            (.., Some(bool)) => Some(bool.to_string()),
            _ => None,
        }
    }
}
