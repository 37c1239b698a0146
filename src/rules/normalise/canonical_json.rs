//! `canonical_json`: one spelling for a JSON value.

use super::Plain;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

pub const CANONICAL_JSON: Plain = Plain {
    name: "canonical_json",
    meaning: "members sorted, insignificant space gone, 2 and 2.0 alike, JSON inside a string parsed; what is no JSON stays",
    apply,
    keeps: super::never,
};

/// Arrays and objects inside one another, strings that hold JSON included; deeper text is not read as JSON.
const MAX_DEPTH: usize = 128;

fn apply(value: &str, out: &mut String) {
    match canonical_json(value) {
        Some(json) => out.push_str(&json),
        None => out.push_str(value),
    }
}

/// The canonical spelling of a JSON text: members sorted by name (the last of equal names counts), no space, numbers by their
/// exact decimal value, strings that hold an object or array replaced by it. None when the text is no JSON (RFC 8259), names half
/// a surrogate pair, or nests deeper than 128.
pub fn canonical_json(text: &str) -> Option<String> {
    let value = parse(text, 0)?;
    let mut out = String::with_capacity(text.len());
    write_value(&value, &mut out);
    Some(out)
}

enum Value<'a> {
    /// `null`, `true` or `false`.
    Word(&'static str),
    /// In its one spelling.
    Number(String),
    Text(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(BTreeMap<Cow<'a, str>, Value<'a>>),
    /// JSON that stood in a string, in its one spelling.
    Embedded(String),
}

fn parse(text: &str, depth: usize) -> Option<Value<'_>> {
    let mut parser = Parser { text, at: 0, depth };
    let value = parser.value()?;
    parser.skip_space();
    (parser.at == text.len()).then_some(value)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past `byte` when it stands here.
    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<Value<'a>> {
        self.skip_space();
        match self.peek()? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(|text| self.text_or_embedded(text)),
            b'-' | b'0'..=b'9' => self.number().map(Value::Number),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Value<'a>>) -> Option<Value<'a>> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value<'a>> {
        let mut members = BTreeMap::new();
        self.skip_space();
        if self.take(b'}').is_some() {
            return Some(Value::Object(members));
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.skip_space();
            self.take(b':')?;
            let value = self.value()?;
            members.insert(name, value);
            self.skip_space();
            if self.take(b',').is_none() {
                self.take(b'}')?;
                return Some(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Option<Value<'a>> {
        let mut items = Vec::new();
        self.skip_space();
        if self.take(b']').is_some() {
            return Some(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.skip_space();
            if self.take(b',').is_none() {
                self.take(b']')?;
                return Some(Value::Array(items));
            }
        }
    }

    fn word(&mut self) -> Option<Value<'a>> {
        let rest = self.text.get(self.at..)?;
        let word = ["null", "true", "false"].into_iter().find(|word| rest.starts_with(word))?;
        self.at += word.len();
        Some(Value::Word(word))
    }

    /// The text of a string; the parser stands at its opening quote. Only strings with escapes are copied.
    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.take(b'"')?;
        let from = self.at;
        loop {
            match self.peek()? {
                b'"' => {
                    let text = self.text.get(from..self.at)?;
                    self.at += 1;
                    return Some(Cow::Borrowed(text));
                }
                b'\\' => return self.escaped(from).map(Cow::Owned),
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
    }

    /// The rest of a string whose first escape stands here.
    fn escaped(&mut self, from: usize) -> Option<String> {
        let mut out = self.text.get(from..self.at)?.to_owned();
        loop {
            let plain = self.at;
            while !matches!(self.peek()?, b'"' | b'\\' | 0..0x20) {
                self.at += 1;
            }
            out.push_str(self.text.get(plain..self.at)?);
            let end = self.peek()?;
            self.at += 1;
            match end {
                b'"' => return Some(out),
                b'\\' => out.push(self.escape()?),
                _ => return None,
            }
        }
    }

    /// The character that an escape stands for; the parser stands after the backslash.
    fn escape(&mut self) -> Option<char> {
        let kind = self.peek()?;
        self.at += 1;
        Some(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => match self.four_hex()? {
                high @ 0xD800..0xDC00 => {
                    self.take(b'\\')?;
                    self.take(b'u')?;
                    let low = self.four_hex()?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                    char::from_u32(0x10000 + ((high - 0xD800) << 10) + low)?
                }
                unit => char::from_u32(unit)?,
            },
            _ => return None,
        })
    }

    fn four_hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn digits(&mut self) -> &'a str {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn number(&mut self) -> Option<String> {
        let from = self.at;
        let negative = self.take(b'-').is_some();
        let whole = self.digits();
        if whole.is_empty() || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let fraction = match self.take(b'.') {
            Some(()) => Some(self.digits()).filter(|digits| !digits.is_empty())?,
            None => "",
        };
        let mut exponent = Some(0);
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            let down = self.take(b'-').is_some();
            if !down {
                let _ = self.take(b'+');
            }
            let digits = Some(self.digits()).filter(|digits| !digits.is_empty())?;
            exponent = digits.parse::<i32>().ok().map(|value| if down { -i64::from(value) } else { i64::from(value) });
        }
        let written = self.text.get(from..self.at)?;
        Some(match exponent {
            Some(exponent) => decimal_text(negative, whole, fraction, exponent),
            // An exponent of ten digits and more: no value anyone computes with; as it is written.
            None => written.to_ascii_lowercase(),
        })
    }

    /// A string, or the object or array that it holds.
    fn text_or_embedded(&self, text: Cow<'a, str>) -> Value<'a> {
        if text.trim_start().starts_with(['{', '['])
            && let Some(value) = parse(&text, self.depth)
        {
            let mut json = String::with_capacity(text.len());
            write_value(&value, &mut json);
            return Value::Embedded(json);
        }
        Value::Text(text)
    }
}

/// The one spelling of whole.fraction × 10^exponent: no needless zeros, no exponent up to 40 digits on either side of the point.
fn decimal_text(negative: bool, whole: &str, fraction: &str, exponent: i64) -> String {
    let all = format!("{whole}{fraction}");
    let without_end = all.trim_end_matches('0');
    let digits = without_end.trim_start_matches('0');
    if digits.is_empty() {
        return "0".into();
    }
    let exponent = exponent - fraction.len() as i64 + (all.len() - without_end.len()) as i64;
    // Where the point stands, counted from the first digit.
    let point = digits.len() as i64 + exponent;
    let sign = if negative { "-" } else { "" };
    match (exponent, point) {
        (0.., ..=40) => format!("{sign}{digits}{}", "0".repeat(exponent as usize)),
        (-40..0, 1..) => {
            let (before, after) = digits.split_at(point as usize);
            format!("{sign}{before}.{after}")
        }
        (-40..0, _) => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        _ => format!("{sign}{digits}e{exponent}"),
    }
}

fn write_value(value: &Value<'_>, out: &mut String) {
    match value {
        Value::Word(word) => out.push_str(word),
        Value::Number(number) => out.push_str(number),
        Value::Embedded(json) => out.push_str(json),
        Value::Text(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (place, (name, member)) in members.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write_value(member, out);
            }
            out.push('}');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a String cannot fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        canonical_json(text).unwrap()
    }

    #[test]
    fn members_are_sorted_and_space_is_gone() {
        assert_eq!(json(" { \"б\" : [ 1 , null ] , \"a\" : true } "), r#"{"a":true,"б":[1,null]}"#);
        assert_eq!(json(r#"{"a":1,"a":2}"#), r#"{"a":2}"#);
        assert_eq!(json("[]"), "[]");
    }

    #[test]
    fn numbers_are_equal_by_value_and_only_then() {
        for two in ["2", "2.0", "2e0", "0.2E+1", "20e-1", "2.000"] {
            assert_eq!(json(two), "2");
        }
        assert_eq!(json("-0.0"), "0");
        assert_eq!(json("1200"), "1200");
        assert_eq!(json("12.50e-3"), "0.0125");
        assert_eq!(json("-1.05"), "-1.05");
        assert_ne!(json("9007199254740993"), json("9007199254740992"), "beyond the whole numbers of a float");
        assert_ne!(json("0.1"), json("0.1000000000000000055511151231257827"), "one float, two decimals");
        assert_eq!(json("1e1000000000"), "1e1000000000", "not a gigabyte of zeros");
        assert_eq!(json("1E99999999999"), "1e99999999999");
    }

    #[test]
    fn escapes_do_not_matter() {
        assert_eq!(json(r#""\u0441чёт \ud83d\ude00\/""#), "\"счёт 😀/\"");
        assert_eq!(json("\"\\u001f\\n\\\"\""), "\"\\u001f\\n\\\"\"");
    }

    #[test]
    fn json_in_a_string_is_read() {
        assert_eq!(json(r#"{"args":"{\"b\": 1.0, \"a\": 2}"}"#), r#"{"args":{"a":2,"b":1}}"#);
        assert_eq!(json(r#""2.0""#), r#""2.0""#, "a number in a string is a string");
        assert_eq!(json(r#""[x]""#), r#""[x]""#);
    }

    #[test]
    fn other_text_is_no_json() {
        for text in [
            "",
            "abc",
            "{",
            "[1,]",
            "{\"a\"}",
            "01",
            "1.",
            "+1",
            "nul",
            "\"\u{1}\"",
            r#""\ud800""#,
            r#""\ud800\u0041""#,
            "1 2",
            "'a'",
        ] {
            assert_eq!(canonical_json(text), None, "{text}");
        }
    }

    #[test]
    fn depth_has_an_end() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(canonical_json(&nested(128)).is_some());
        assert_eq!(canonical_json(&nested(129)), None);
        assert_eq!(canonical_json(&"[".repeat(1_000_000)), None);
    }
}
