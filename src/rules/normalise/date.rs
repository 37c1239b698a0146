//! `date`: the date of a time.

use super::Plain;
use chrono::{Datelike, NaiveDate};
use std::fmt::Write;

/// The date as it is written: no zone is applied. Orders other than year-month-day and day.month.year stay as they are, because
/// `03/04/2026` does not tell its month.
pub const DATE: Plain = Plain {
    name: "date",
    meaning: "the date part of 2026-03-01T10:00:00Z or 01.03.2026 10:00, as 2026-03-01; anything else stays",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    match parse(value.trim()) {
        // Writing to a String cannot fail.
        Some(date) => drop(write!(out, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())),
        None => out.push_str(value),
    }
}

fn parse(value: &str) -> Option<NaiveDate> {
    let end = value.find(|c: char| c.is_whitespace() || c == 'T').unwrap_or(value.len());
    let date = value.get(..end)?;
    if let Some([year, month, day]) = parts(date, '-') {
        return from_parts(year, month, day);
    }
    let [day, month, year] = parts(date, '.')?;
    from_parts(year, month, day)
}

fn parts(date: &str, separator: char) -> Option<[&str; 3]> {
    let mut parts = date.split(separator);
    let found = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(found)
}

/// Four digits of year, one or two of month and day.
fn from_parts(year: &str, month: &str, day: &str) -> Option<NaiveDate> {
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    if year.len() != 4 || month.len() > 2 || day.len() > 2 {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(number(year)?).ok()?, number(month)?, number(day)?)
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn takes_the_date_part() {
        for spelling in ["2026-03-01", "2026-03-01T23:59:59+03:00", "01.03.2026 10:00", "1.3.2026"] {
            assert_eq!(applied("date", spelling), "2026-03-01");
        }
    }

    #[test]
    fn anything_else_stays() {
        for value in ["03/04/2026", "31.02.2026", "1 марта 2026", "01.03.26", "+2026-03-01", ""] {
            assert_eq!(applied("date", value), value);
        }
    }
}
