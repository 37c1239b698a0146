//! The JSON Schema of `twicelog.toml`, made from the same keys that check it.

use super::keys::ROOT;
use super::normalise::Normaliser;
use super::shape::{Key, Need, Shape};
use serde_json::{Map, Value, json};

/// JSON Schema (draft 2020-12) for editors and for `twicelog schema config`.
pub fn schema() -> Value {
    let mut schema = table(ROOT);
    if let Value::Object(members) = &mut schema {
        members.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
        members.insert("title".into(), json!("twicelog.toml"));
    }
    schema
}

fn table(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn property(key: &Key) -> Value {
    let mut schema = shape(&key.shape);
    if let Value::Object(members) = &mut schema {
        members.insert("description".into(), json!(description(key)));
    }
    schema
}

fn description(key: &Key) -> String {
    if key.name != "normalise" {
        return key.meaning.to_owned();
    }
    let steps: Vec<String> = Normaliser::list().into_iter().map(|(name, meaning)| format!("{name}: {meaning}")).collect();
    format!("{}. {}", key.meaning, steps.join(". "))
}

fn shape(shape_of: &Shape) -> Value {
    match shape_of {
        Shape::Text => json!({ "type": "string" }),
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::Integer(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::Number(least, most) => json!({ "type": "number", "minimum": least, "maximum": most }),
        Shape::Date => json!({ "type": "string", "format": "date" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::List(of) => json!({ "type": "array", "items": shape(of) }),
        Shape::Table(keys) => table(keys),
        Shape::Map(of) => json!({ "type": "object", "additionalProperties": shape(of) }),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(shape).collect::<Vec<_>>() }),
    }
}
