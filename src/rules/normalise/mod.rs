//! Normalisers: how values are made comparable. One file each, listed here.
//!
//! To add one: write its file with a `Plain` (or a type of its own when it takes an argument), name it as a module and in `PLAIN`.

mod alnum;
mod canonical_json;
mod collapse_spaces;
mod date;
mod digits;
mod email;
mod lower;
mod nfc;
mod nfkc;
mod phone;
mod replace;
mod round;
mod strip;
mod strip_zeros;
mod trim;
mod upper;
mod url;
mod uuid;

pub use canonical_json::canonical_json;
pub use replace::Replace;
pub use round::Round;
pub use strip::Strip;

use std::fmt;

/// A normaliser without an argument.
#[derive(Debug)]
pub struct Plain {
    pub name: &'static str,
    /// What it does, for `twicelog check` and the schema.
    pub meaning: &'static str,
    /// Appends the normalised value.
    apply: fn(&str, &mut String),
    /// True only for values that it leaves as they are, told cheaply.
    keeps: fn(&str) -> bool,
}

/// For steps that cannot tell without doing the work.
fn never(_: &str) -> bool {
    false
}

const PLAIN: [&Plain; 15] = [
    &trim::TRIM,
    &lower::LOWER,
    &upper::UPPER,
    &nfc::NFC,
    &nfkc::NFKC,
    &digits::DIGITS,
    &alnum::ALNUM,
    &strip_zeros::STRIP_ZEROS,
    &collapse_spaces::COLLAPSE_SPACES,
    &email::EMAIL,
    &phone::PHONE,
    &url::URL,
    &uuid::UUID,
    &canonical_json::CANONICAL_JSON,
    &date::DATE,
];

/// One step. It may leave nothing of a value; what is empty afterwards identifies nothing.
#[derive(Clone, Debug)]
pub enum Normaliser {
    Plain(&'static Plain),
    Strip(Strip),
    Round(Round),
    Replace(Replace),
}

/// Two steps are equal when the configuration writes them alike.
impl PartialEq for Normaliser {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Plain(a), Self::Plain(b)) => a.name == b.name,
            (Self::Strip(a), Self::Strip(b)) => a == b,
            (Self::Round(a), Self::Round(b)) => a == b,
            (Self::Replace(a), Self::Replace(b)) => a == b,
            _ => false,
        }
    }
}

/// As the configuration writes it: `upper`, `strip:-/`, `replace:RE=>TEXT`.
impl fmt::Display for Normaliser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => f.write_str(plain.name),
            Self::Strip(strip) => write!(f, "{}:{}", Strip::NAME, strip.argument()),
            Self::Round(round) => write!(f, "{}:{}", Round::NAME, round.argument()),
            Self::Replace(replace) => write!(f, "{}:{}", Replace::NAME, replace.argument()),
        }
    }
}

/// Why a text names no normaliser.
#[derive(Debug, PartialEq, Eq)]
pub enum NotANormaliser {
    /// No normaliser is called so.
    UnknownName(String),
    /// What is wrong with its argument.
    Argument(String),
}

impl Normaliser {
    /// Reads one step as the configuration writes it.
    pub fn parse(text: &str) -> Result<Self, NotANormaliser> {
        if let Some(plain) = PLAIN.iter().find(|plain| plain.name == text) {
            return Ok(Self::Plain(plain));
        }
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        match name {
            Strip::NAME => Strip::parse(argument).map(Self::Strip),
            Round::NAME => Round::parse(argument).map(Self::Round),
            Replace::NAME => Replace::parse(argument).map(Self::Replace),
            _ if PLAIN.iter().any(|plain| plain.name == name) => Err(format!("takes no argument; write {name}")),
            _ => return Err(NotANormaliser::UnknownName(name.to_owned())),
        }
        .map_err(NotANormaliser::Argument)
    }

    /// How business ids are compared that show different operations, unless the rule says otherwise: people write `INV-7`, `inv-7 `.
    pub fn of_business_ids() -> Vec<Self> {
        vec![Self::Plain(&trim::TRIM), Self::Plain(&lower::LOWER)]
    }

    /// Every normaliser as the configuration writes it, and what it does.
    pub fn list() -> Vec<(String, &'static str)> {
        let plain = PLAIN.iter().map(|plain| (plain.name.to_owned(), plain.meaning));
        plain
            .chain([
                (format!("{}:CHARS", Strip::NAME), Strip::MEANING),
                (format!("{}:N", Round::NAME), Round::MEANING),
                (format!("{}:RE=>TEXT", Replace::NAME), Replace::MEANING),
            ])
            .collect()
    }

    /// Puts the normalised value in place of what `out` held.
    pub fn apply(&self, value: &str, out: &mut String) {
        out.clear();
        match self {
            Self::Plain(plain) => (plain.apply)(value, out),
            Self::Strip(strip) => strip.apply(value, out),
            Self::Round(round) => round.apply(value, out),
            Self::Replace(replace) => replace.apply(value, out),
        }
    }
}

/// Room for intermediate values, kept between calls so that the hot path does not allocate.
#[derive(Debug, Default)]
pub struct Scratch {
    value: String,
    next: String,
}

/// The value after all steps, in order.
#[inline]
pub fn apply_all<'a>(steps: &[Normaliser], value: &'a str, scratch: &'a mut Scratch) -> &'a str {
    if steps.is_empty() { value } else { apply_some(steps, value, scratch) }
}

fn apply_some<'a>(steps: &[Normaliser], value: &'a str, scratch: &'a mut Scratch) -> &'a str {
    // Most values are clean already, and need no copy.
    let needed = steps.iter().position(|step| !matches!(step, Normaliser::Plain(plain) if (plain.keeps)(value)));
    let Some((first, rest)) = needed.and_then(|at| steps.get(at..)).and_then(<[Normaliser]>::split_first) else {
        return value;
    };
    first.apply(value, &mut scratch.value);
    for step in rest {
        step.apply(&scratch.value, &mut scratch.next);
        std::mem::swap(&mut scratch.value, &mut scratch.next);
    }
    &scratch.value
}

/// `value` without an ASCII prefix in whatever case.
fn without_prefix<'a>(value: &'a str, prefix: &str) -> &'a str {
    match value.get(..prefix.len()) {
        Some(start) if start.eq_ignore_ascii_case(prefix) => value.get(prefix.len()..).unwrap_or_default(),
        _ => value,
    }
}

/// One step on one value.
#[cfg(test)]
fn applied(step: &str, value: &str) -> String {
    let mut out = "left over".to_owned();
    Normaliser::parse(step).unwrap().apply(value, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(names: &[&str]) -> Vec<Normaliser> {
        names.iter().map(|name| Normaliser::parse(name).unwrap()).collect()
    }

    #[test]
    fn steps_apply_in_order() {
        let mut scratch = Scratch::default();
        let steps = steps(&["upper", "alnum", "strip_zeros"]);
        assert_eq!(apply_all(&steps, "00-сч/17", &mut scratch), "СЧ17");
        assert_eq!(apply_all(&steps, "b", &mut scratch), "B", "nothing is left of the value before");
        assert_eq!(apply_all(&[], " b ", &mut scratch), " b ");
    }

    #[test]
    fn every_step_is_written_as_it_is_read() {
        for text in PLAIN.iter().map(|plain| plain.name).chain(["strip:-/", "round:2", "replace:a+=>b"]) {
            assert_eq!(Normaliser::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn every_plain_step_may_be_repeated_without_another_result() {
        for value in [" СЧ-007 / б ", "8 (495) 123-45-67", "{\"b\":2.0,\"a\":\"[1]\"}", "<A@B.org>", "01.03.2026 10:00", "0"] {
            for plain in PLAIN {
                let once = applied(plain.name, value);
                assert_eq!(applied(plain.name, &once), once, "{} of {value}", plain.name);
            }
        }
    }

    #[test]
    fn unknown_names_and_needless_arguments_are_refused() {
        assert_eq!(Normaliser::parse("uper"), Err(NotANormaliser::UnknownName("uper".into())));
        assert!(matches!(Normaliser::parse("upper:x"), Err(NotANormaliser::Argument(_))));
    }

    /// A step that says it keeps a value must keep it.
    #[test]
    fn kept_values_are_kept() {
        let values = ["", " ", "a", "A", "a b", " a", "a\u{a0}", "Ж", "ж", "straße", "İ", "ΑΣ", "inv-7", "INV-7", "\u{2003}x"];
        let mut kept = 0;
        for plain in PLAIN {
            for value in values.iter().filter(|value| (plain.keeps)(value)) {
                assert_eq!(applied(plain.name, value), *value, "{}", plain.name);
                kept += 1;
            }
        }
        assert!(kept > 10, "{kept}");
    }
}
