//! Personal values inside JSON text: a payload names its own fields.

use serde_json::value::RawValue;

/// The text with each string, and each other scalar, as `mask` wants it: it gets the name of the member that holds the value (for elements
/// of a list that of the list) and the value, and gives None where it may stay. Everything else stays as it is written: numbers are never
/// read as numbers, which would round them. None when the text is no JSON object or list.
pub(super) fn masked(text: &str, mut mask: impl FnMut(&str, &str) -> Option<String>) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str::<&RawValue>(text).ok()?;
    let mut out = String::with_capacity(text.len());
    let (mut name, mut outer) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, first));
        rest = after;
        let shown = match first {
            '{' | '[' => {
                outer.push(name.clone());
                None
            }
            '}' | ']' => {
                name = outer.pop().unwrap_or_default();
                None
            }
            '"' if rest.trim_start().starts_with(':') => {
                name = serde_json::from_str(token).ok()?;
                None
            }
            '"' => mask(&name, &serde_json::from_str::<String>(token).ok()?),
            c if in_scalar(c) && token != "null" => mask(&name, token),
            _ => None,
        };
        match shown {
            Some(masked) => out.push_str(&serde_json::to_string(&masked).ok()?),
            None => out.push_str(token),
        }
    }
    Some(out)
}

/// Bytes of the first token of valid JSON: a string with its quotes, another scalar, or one character.
fn token_length(text: &str, first: char) -> usize {
    if first == '"' {
        let mut escaped = false;
        let end = text.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        return end.map_or(text.len(), |end| end + 2);
    }
    if in_scalar(first) { text.find(|c| !in_scalar(c)).unwrap_or(text.len()) } else { first.len_utf8() }
}

/// Characters of numbers, `true`, `false` and `null`.
fn in_scalar(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')
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
                Some(r#"{"who":"x","n":12345678901234567890.10,"a":[{"who":["x","x"]},null]}"#),
            ),
            (r#"{"who":79161234567}"#, Some(r#"{"who":"x"}"#)),
            (r#"{"who":null,"b":"A \"1\""}"#, Some(r#"{"who":null,"b":"A \"1\""}"#)),
            ("[1, 2]", Some("[1, 2]")),
            (r#"{"who": [{"b": 1}, "c\\"], "d" : "\\\"who"}"#, Some(r#"{"who": [{"b": 1}, "x"], "d" : "\\\"who"}"#)),
            ("plain", None),
            ("{cut", None),
            ("\"text\"", None),
        ];
        for (text, expected) in told {
            assert_eq!(masked(text, hide).as_deref(), expected, "{text}");
        }
    }
}
