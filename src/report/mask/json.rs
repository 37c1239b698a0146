//! Personal values inside JSON text: a payload names its own fields.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The text with each string, and each other scalar, as `mask` wants it: it gets the name of the member that holds the value (for elements
/// of a list that of the list) and the value, and gives None where it may stay. Members come back sorted by name. None when the text is
/// no JSON object or list.
pub(super) fn masked(text: &str, mut mask: impl FnMut(&str, &str) -> Option<String>) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let value: &RawValue = serde_json::from_str(text).ok()?;
    let mut out = String::with_capacity(text.len());
    write("", value.get(), &mut mask, &mut out).ok()?;
    Some(out)
}

/// Numbers are never read as numbers: they would come back rounded.
fn write(
    name: &str,
    value: &str,
    mask: &mut impl FnMut(&str, &str) -> Option<String>,
    out: &mut String,
) -> Result<(), serde_json::Error> {
    match value.as_bytes().first() {
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(value)?;
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&serde_json::to_string(name)?);
                out.push(':');
                write(name, value.get(), mask, out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(value)?;
            out.push('[');
            for (at, value) in elements.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(name, value.get(), mask, out)?;
            }
            out.push(']');
        }
        Some(b'"') => {
            let text: String = serde_json::from_str(value)?;
            match mask(name, &text) {
                Some(masked) => out.push_str(&serde_json::to_string(&masked)?),
                None => out.push_str(value),
            }
        }
        _ => match mask(name, value) {
            Some(masked) if value != "null" => out.push_str(&serde_json::to_string(&masked)?),
            _ => out.push_str(value),
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn members_are_told_with_their_names_and_numbers_stay() {
        let hide = |name: &str, _: &str| (name == "who").then(|| "x".to_owned());
        let told = [
            (
                r#"{"who":"anna","n":12345678901234567890.10,"a":[{"who":["b","c"]},null]}"#,
                Some(r#"{"a":[{"who":["x","x"]},null],"n":12345678901234567890.10,"who":"x"}"#),
            ),
            (r#"{"who":79161234567}"#, Some(r#"{"who":"x"}"#)),
            (r#"{"who":null,"b":"A \"1\""}"#, Some(r#"{"b":"A \"1\"","who":null}"#)),
            ("[1, 2]", Some("[1,2]")),
            ("plain", None),
            ("{cut", None),
            ("\"text\"", None),
        ];
        for (text, expected) in told {
            assert_eq!(masked(text, hide).as_deref(), expected, "{text}");
        }
    }
}
