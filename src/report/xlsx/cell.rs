//! Cells of a sheet: text or a number, and how each is written.

use crate::report::decimal::{is_exact, scale};
use crate::report::mask::cards;
use crate::report::{safe, xml};
use std::borrow::Cow;

/// UTF-16 units that a cell holds (Excel specifications and limits).
const LONGEST: usize = 32_767;
/// Digits after the point that have a number format; an amount with more is text.
pub(super) const SCALES: usize = 9;

/// Places in the list of formats in `styles.xml`.
pub(super) mod format {
    /// Text, also when somebody edits the cell: otherwise `=1+1` would be a formula after the next key.
    pub(in super::super) const TEXT: usize = 1;
    pub(in super::super) const HEAD: usize = 2;
    /// A whole number in groups of three.
    pub(in super::super) const COUNT: usize = 3;
    /// A whole number as it is: a line, a record.
    pub(in super::super) const PLACE: usize = 4;
    /// A number as it is.
    pub(in super::super) const NUMBER: usize = 5;
    /// An amount without digits after the point; the formats after it have one digit more each.
    pub(in super::super) const AMOUNT: usize = 6;
}

pub(super) enum Cell<'a> {
    Empty,
    Text(Cow<'a, str>),
    Head(&'a str),
    Count(u64),
    Place(u64),
    /// From 0 to 1.
    Share(f64),
    /// Decimal text. What a spreadsheet would round, and what is no decimal, stays text.
    Amount(&'a str),
}

impl<'a> Cell<'a> {
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Unknown stays empty.
    pub(super) fn optional(text: Option<&'a str>) -> Self {
        text.map_or(Self::Empty, Self::text)
    }
}

/// Whether a cell could hold its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Whole,
    Cut,
}

/// Writes a cell of the row under construction, `place` being its name in the sheet: `B7`.
pub(super) fn write(cell: &Cell<'_>, place: &str, row: &mut String) -> Held {
    match cell {
        Cell::Empty => Held::Whole,
        Cell::Text(text) => write_text(text, format::TEXT, place, row),
        Cell::Head(text) => write_text(text, format::HEAD, place, row),
        Cell::Count(count) => write_whole(*count, format::COUNT, place, row),
        Cell::Place(number) => write_whole(*number, format::PLACE, place, row),
        Cell::Share(share) => write_number(&share.to_string(), format::NUMBER, place, row),
        Cell::Amount(amount) if is_exact(amount) && scale(amount) < SCALES => {
            write_number(amount, format::AMOUNT + scale(amount), place, row)
        }
        Cell::Amount(amount) => write_text(amount, format::TEXT, place, row),
    }
}

fn write_whole(number: u64, format: usize, place: &str, row: &mut String) -> Held {
    let digits = number.to_string();
    if is_exact(&digits) { write_number(&digits, format, place, row) } else { write_text(&digits, format::TEXT, place, row) }
}

fn write_number(number: &str, format: usize, place: &str, row: &mut String) -> Held {
    row.extend(["<c r=\"", place, "\" s=\"", &format.to_string(), "\"><v>", number, "</v></c>"]);
    Held::Whole
}

fn write_text(text: &str, format: usize, place: &str, row: &mut String) -> Held {
    if text.is_empty() {
        return Held::Whole;
    }
    let shown = shown(text);
    let (kept, held) = cut(&shown);
    let kept = xml::entities(unescapable(kept));
    row.extend(["<c r=\"", place, "\" s=\"", &format.to_string(), "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">"]);
    row.extend([kept.as_ref(), "</t></is></c>"]);
    held
}

/// Text without a card number and with hidden characters as escapes. Line ends stay, which a cell has a use for.
fn shown(text: &str) -> Cow<'_, str> {
    let masked = cards(text);
    if !masked.contains('\n') {
        return match masked {
            Cow::Borrowed(plain) => safe::visible(plain),
            Cow::Owned(masked) => Cow::Owned(safe::visible(&masked).into_owned()),
        };
    }
    let lines: Vec<Cow<'_, str>> = masked.split('\n').map(safe::visible).collect();
    Cow::Owned(lines.join("\n"))
}

/// What a cell holds of the text; where something is missing, `…` says so.
fn cut(text: &str) -> (Cow<'_, str>, Held) {
    if text.len() <= LONGEST || text.encode_utf16().count() <= LONGEST {
        return (Cow::Borrowed(text), Held::Whole);
    }
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units >= LONGEST
    });
    let kept = text.get(..end.map_or(text.len(), |(at, _)| at)).unwrap_or_default();
    (Cow::Owned(format!("{kept}…")), Held::Cut)
}

/// Text that a reader of workbooks takes as it is: `_x0041_` would be read as the character of this number (ECMA-376, 22.9.2.19), so
/// its first underscore is written as such a number itself.
fn unescapable(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("_x") {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for (at, c) in text.char_indices() {
        let is_number = c == '_'
            && text.as_bytes().get(at..at + 7).is_some_and(|bytes| match bytes {
                [b'_', b'x', digits @ .., b'_'] => digits.iter().all(u8::is_ascii_hexdigit),
                _ => false,
            });
        escaped.push_str(if is_number { "_x005F_" } else { "" });
        if !is_number {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cell: &Cell<'_>) -> String {
        let mut row = String::new();
        write(cell, "B7", &mut row);
        row
    }

    #[test]
    fn amounts_are_numbers_while_they_are_exact() {
        assert_eq!(written(&Cell::Amount("-12.50")), "<c r=\"B7\" s=\"8\"><v>-12.50</v></c>");
        assert_eq!(written(&Cell::Amount("7200")), "<c r=\"B7\" s=\"6\"><v>7200</v></c>");
        for text in ["12345678901234.56", "0.0000000001", "n/a", "1e5", "=1+1"] {
            assert!(written(&Cell::Amount(text)).contains("t=\"inlineStr\""), "{text}");
        }
        assert!(written(&Cell::Count(u64::MAX)).contains("18446744073709551615</t>"));
        assert_eq!(written(&Cell::Share(0.9974)), "<c r=\"B7\" s=\"5\"><v>0.9974</v></c>");
    }

    #[test]
    fn text_is_read_as_it_is_written() {
        assert!(written(&Cell::text("a _x000D_ b")).contains(">a _x005F_x000D_ b<"));
        assert!(written(&Cell::text("_x0041_x0042_")).contains(">_x005F_x0041_x005F_x0042_<"));
        assert!(written(&Cell::text("_x00_ _xyzzy_")).contains(">_x00_ _xyzzy_<"));
        assert!(written(&Cell::text(" a\nb\r\u{1b}")).contains("> a\nb\\u{d}\\u{1b}<"));
        assert_eq!(written(&Cell::text("")), "");
    }

    #[test]
    fn a_text_too_long_is_cut_where_excel_would_refuse_it() {
        let whole = "я".repeat(LONGEST);
        assert!(cut(&whole) == (Cow::Borrowed(whole.as_str()), Held::Whole));
        for text in ["a".repeat(LONGEST + 1), "👍".repeat(LONGEST / 2 + 1)] {
            let (kept, held) = cut(&text);
            assert!(held == Held::Cut && kept.ends_with('…') && kept.encode_utf16().count() <= LONGEST);
            assert!(kept.encode_utf16().count() >= LONGEST - 1);
        }
    }
}
