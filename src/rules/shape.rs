//! The shape of `twicelog.toml`: every key once, with its type and meaning. It feeds the check of keys and types, and the JSON Schema.

use super::problem::{Problems, did_you_mean, nearest, quoted};
use chrono::NaiveDate;
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One key of a table.
pub(crate) struct Key {
    pub name: &'static str,
    pub need: Need,
    pub shape: Shape,
    pub meaning: &'static str,
    /// How it is written; offered when a value has the wrong type.
    pub example: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Required,
    Optional,
}

/// What a value may be.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number within these bounds.
    Integer(i64, i64),
    /// A number within these bounds; never money.
    Number(f64, f64),
    Boolean,
    /// A day without a time.
    Date,
    List(&'static Shape),
    /// A table with these keys and no others.
    Table(&'static [Key]),
    /// A table whose keys the user names.
    Map(&'static Shape),
    /// One of several; no two have the same TOML type.
    Either(&'static [Shape]),
}

impl Shape {
    fn kind(&self) -> String {
        match self {
            Self::Text | Self::Word(_) => "text".into(),
            Self::Integer(..) => "a whole number".into(),
            Self::Number(..) => "a number".into(),
            Self::Boolean => "true or false".into(),
            Self::Date => "a date".into(),
            Self::List(_) => "a list".into(),
            Self::Table(_) | Self::Map(_) => "a table".into(),
            Self::Either(shapes) => shapes.iter().map(Shape::kind).collect::<Vec<_>>().join(" or "),
        }
    }

    fn fits(&self, value: &DeValue<'_>) -> bool {
        match self {
            Self::Text | Self::Word(_) => value.is_str(),
            Self::Integer(..) => value.is_integer(),
            Self::Number(..) => value.is_integer() || value.is_float(),
            Self::Boolean => value.is_bool(),
            Self::Date => date(value).is_some(),
            Self::List(_) => value.is_array(),
            Self::Table(_) | Self::Map(_) => value.is_table(),
            Self::Either(shapes) => shapes.iter().any(|shape| shape.fits(value)),
        }
    }
}

/// Notes every unknown or missing key, and every value of the wrong type.
pub(crate) fn verify_table(table: &DeTable<'_>, span: Range<usize>, keys: &[Key], problems: &mut Problems<'_>) {
    let mut meant = Vec::new();
    for (name, value) in table {
        match keys.iter().find(|key| key.name == name.get_ref()) {
            Some(key) => verify(value, &key.shape, key, problems),
            None => {
                let message = format!("unknown key {}", quoted(name.get_ref()));
                let known = keys.iter().map(|key| key.name);
                meant.extend(nearest(name.get_ref(), known.clone()));
                problems.add(name.span(), message, did_you_mean(name.get_ref(), known));
            }
        }
    }
    // A mistyped key is one mistake, not two.
    let is_missing = |key: &&Key| key.need == Need::Required && !table.contains_key(key.name) && !meant.contains(&key.name);
    for key in keys.iter().filter(is_missing) {
        problems.add(span.clone(), format!("\"{}\" is missing", key.name), format!("write {}", key.example));
    }
}

fn verify(value: &Spanned<DeValue<'_>>, shape: &Shape, key: &Key, problems: &mut Problems<'_>) {
    if !shape.fits(value.get_ref()) {
        let is = type_name(value.get_ref());
        let message = format!("\"{}\" holds {is} where {} is wanted", key.name, shape.kind());
        problems.add(value.span(), message, format!("write {}", key.example));
        return;
    }
    match (shape, value.get_ref()) {
        (Shape::Word(words), DeValue::String(word)) if !words.contains(&word.as_ref()) => {
            let message = format!("\"{}\" does not know {}", key.name, quoted(word));
            problems.add(value.span(), message, did_you_mean(word, words.iter().copied()));
        }
        (Shape::Integer(least, most), _) if !integer(value.get_ref()).is_some_and(|n| (*least..=*most).contains(&n)) => {
            out_of_bounds(value, key, least, most, problems);
        }
        (Shape::Number(least, most), _) if !number(value.get_ref()).is_some_and(|n| (*least..=*most).contains(&n)) => {
            out_of_bounds(value, key, least, most, problems);
        }
        (Shape::List(of), DeValue::Array(items)) => items.iter().for_each(|item| verify(item, of, key, problems)),
        (Shape::Table(keys), DeValue::Table(table)) => verify_table(table, value.span(), keys, problems),
        (Shape::Map(of), DeValue::Table(table)) => table.values().for_each(|value| verify(value, of, key, problems)),
        (Shape::Either(shapes), inner) => {
            if let Some(fitting) = shapes.iter().find(|shape| shape.fits(inner)) {
                verify(value, fitting, key, problems);
            }
        }
        _ => {}
    }
}

fn out_of_bounds<T: Display + PartialEq>(
    value: &Spanned<DeValue<'_>>,
    key: &Key,
    least: T,
    most: T,
    problems: &mut Problems<'_>,
) {
    let written = match value.get_ref() {
        DeValue::Integer(number) => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => "",
    };
    let message = format!("\"{}\" cannot be {written}", key.name);
    let help = if least == most { format!("write {}", key.example) } else { format!("write {least} to {most}") };
    problems.add(value.span(), message, help);
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A TOML date without a time.
pub(crate) fn date(value: &DeValue<'_>) -> Option<NaiveDate> {
    let DeValue::Datetime(written) = value else { return None };
    let date = written.date.filter(|_| written.time.is_none())?;
    NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into())
}

pub(crate) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => integer(value).map(|n| n as f64),
    }
}
