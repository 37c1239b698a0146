//! Values of OpenTelemetry's JSON: attributes that carry their type, made plain JSON.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One attribute.
#[derive(Deserialize)]
pub(super) struct KeyValue<'a> {
    #[serde(borrow)]
    pub(super) key: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) value: Option<AnyValue<'a>>,
}

/// A value with its type; at most one of the members is there.
#[derive(Deserialize)]
pub(super) struct AnyValue<'a> {
    #[serde(borrow, rename = "stringValue", default)]
    pub(super) string: Option<Cow<'a, str>>,
    #[serde(rename = "boolValue", default)]
    pub(super) bool: Option<bool>,
    /// 64 bits, as text or as a number.
    #[serde(borrow, rename = "intValue", default)]
    pub(super) int: Option<&'a RawValue>,
    #[serde(borrow, rename = "doubleValue", default)]
    double: Option<&'a RawValue>,
    #[serde(borrow, rename = "arrayValue", default)]
    array: Option<ArrayValue<'a>>,
    #[serde(borrow, rename = "kvlistValue", default)]
    list: Option<ListValue<'a>>,
    /// In Base64.
    #[serde(borrow, rename = "bytesValue", default)]
    bytes: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct ArrayValue<'a> {
    #[serde(borrow, default)]
    values: Vec<AnyValue<'a>>,
}

#[derive(Deserialize)]
struct ListValue<'a> {
    #[serde(borrow, default)]
    values: Vec<KeyValue<'a>>,
}

/// A number, or the text of one.
pub(super) struct Scalar<'a>(pub(super) &'a RawValue);

impl<'a> Scalar<'a> {
    /// Without quotes, digit for digit.
    pub(super) fn text(&self) -> Cow<'a, str> {
        match serde_json::from_str::<Cow<'a, str>>(self.0.get()) {
            Ok(text) => text,
            Err(_) if self.0.get() == "null" => Cow::Borrowed(""),
            Err(_) => Cow::Borrowed(self.0.get()),
        }
    }
}

/// Adds the attributes as one object.
pub(super) fn push_object(attributes: &[KeyValue<'_>], out: &mut String) {
    out.push('{');
    let mut separator = "";
    for KeyValue { key, value } in attributes {
        let Some(value) = value else { continue };
        out.push_str(separator);
        push_text(key, out);
        out.push(':');
        push_value(value, out);
        separator = ",";
    }
    out.push('}');
}

fn push_value(value: &AnyValue<'_>, out: &mut String) {
    if let Some(text) = value.string.as_ref().or(value.bytes.as_ref()) {
        push_text(text, out);
    } else if let Some(bool) = value.bool {
        out.push_str(if bool { "true" } else { "false" });
    } else if let Some(raw) = value.int {
        let text = Scalar(raw).text();
        // A number where it is one; what else an exporter wrote stays as it is.
        if text.parse::<i64>().is_ok() { out.push_str(&text) } else { push_text(&text, out) }
    } else if let Some(raw) = value.double {
        out.push_str(raw.get());
    } else if let Some(array) = &value.array {
        out.push('[');
        for (index, value) in array.values.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            push_value(value, out);
        }
        out.push(']');
    } else if let Some(list) = &value.list {
        push_object(&list.values, out);
    } else {
        out.push_str("null");
    }
}

fn push_text(text: &str, out: &mut String) {
    let mut bytes = std::mem::take(out).into_bytes();
    super::rows::push_string(&mut bytes, text);
    // Made of two texts and ASCII.
    *out = String::from_utf8(bytes).unwrap_or_default();
}
