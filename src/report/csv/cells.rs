//! Cells of a CSV file, and whom they are for: text stays text and a number a number, also in Excel, which reads cells as it likes.

use crate::report::decimal::{is_decimal, is_exact};
use crate::report::mask::cards;
use crate::report::safe::is_hidden;
use std::borrow::Cow;

/// Who will read a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CsvFor {
    /// Commas, points, UTF-8: RFC 4180, and what every program reads.
    #[default]
    Programs,
    /// Excel where the decimal sign is a point: a byte order mark, without which it would not take the text for UTF-8.
    Excel,
    /// Excel where the decimal sign is a comma, as in Russia: a byte order mark, semicolons, decimal commas.
    ExcelRu,
}

impl CsvFor {
    pub const ALL: [CsvFor; 3] = [Self::Programs, Self::Excel, Self::ExcelRu];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Programs => "programs",
            Self::Excel => "excel",
            Self::ExcelRu => "excel-ru",
        }
    }

    /// The reader of this name; None when there is none.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reader| reader.name() == name)
    }

    /// What stands before the first line.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Programs => "",
            Self::Excel | Self::ExcelRu => "\u{feff}",
        }
    }

    pub(super) fn delimiter(self) -> u8 {
        match self {
            Self::Programs | Self::Excel => b',',
            Self::ExcelRu => b';',
        }
    }

    pub(super) fn line_end(self) -> ::csv::Terminator {
        match self {
            Self::Programs => ::csv::Terminator::Any(b'\n'),
            Self::Excel | Self::ExcelRu => ::csv::Terminator::CRLF,
        }
    }

    /// A cell of a column of numbers: decimal text stays a number, `-12.50`; anything else is text, and so is in Excel what has more
    /// digits than it holds.
    pub(super) fn number(self, value: &str) -> Cow<'_, str> {
        match self {
            Self::Programs if is_decimal(value) => Cow::Borrowed(value),
            Self::Excel if is_exact(value) => Cow::Borrowed(value),
            Self::ExcelRu if is_exact(value) => Cow::Owned(value.replacen('.', ",", 1)),
            _ => self.text(value),
        }
    }

    /// A cell of text: no card number, no character that a terminal would obey, and a leading apostrophe where a spreadsheet would
    /// calculate (CWE-1236; ASVS 5.0, 1.2.10; CVE-2026-9673 for what leading blanks and full-width forms let through), or where Excel would
    /// make another value of it.
    pub(super) fn text(self, value: &str) -> Cow<'_, str> {
        let masked = cards(value);
        let misread = is_formula(&masked) || (self != Self::Programs && is_reread(&masked));
        if !misread && !masked.contains(is_escaped) {
            return masked;
        }
        let mut cell = String::with_capacity(masked.len() + 8);
        if misread {
            cell.push('\'');
        }
        for (at, c) in masked.char_indices() {
            let ends_line = c == '\r' && masked.get(at + 1..).is_some_and(|rest| rest.starts_with('\n'));
            if is_escaped(c) && !ends_line {
                cell.push_str(&format!("\\u{{{:x}}}", c as u32));
            } else {
                cell.push(c);
            }
        }
        Cow::Owned(cell)
    }
}

/// Line ends and tabs are what a quoted cell is for; other hidden characters are written out. A carriage return that ends no line would let
/// one cell write over another on a terminal.
fn is_escaped(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\t' | '\n')
}

/// True when a spreadsheet could read the cell as a formula.
fn is_formula(value: &str) -> bool {
    if value.starts_with(['\t', '\r', '\n', '\0']) {
        return true;
    }
    let start = value
        .trim_start_matches(|c: char| c.is_whitespace() || c == '\0' || matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’'));
    start.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// Months as Excel knows them in English and in Russian; three letters of one are enough for it.
const MONTHS: [&str; 36] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "январь",
    "февраль",
    "март",
    "апрель",
    "май",
    "июнь",
    "июль",
    "август",
    "сентябрь",
    "октябрь",
    "ноябрь",
    "декабрь",
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

/// True when Excel would make a number, a date or a time of the text and show something else: `0042`, `12345678901234567890`, `8E15`,
/// `3.04`, `MAR-7`. Short whole numbers and ISO dates come to no harm.
fn is_reread(value: &str) -> bool {
    let value = value.trim();
    let harmless = (value == "0" || !value.starts_with('0')) && !value.contains('.') && is_exact(value);
    if harmless || is_iso_date(value) {
        return false;
    }
    let letters: String = value.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let is_sign = |c: char| c.is_whitespace() || ".,:/-+%".contains(c);
    value.contains(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || c.is_alphabetic() || is_sign(c))
        && (letters.is_empty() || letters == "e" || is_month(&letters))
}

fn is_month(letters: &str) -> bool {
    letters.chars().count() >= 3 && MONTHS.iter().any(|month| month.starts_with(letters))
}

/// `2026-03-02`
fn is_iso_date(value: &str) -> bool {
    value.len() == 10
        && value.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text() {
        for formula in
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "  =1", "\"=1", " '=1", "＝1", "＋1", "－1", "＠a"]
        {
            for reader in CsvFor::ALL {
                assert!(reader.text(formula).starts_with('\''), "{formula:?}");
            }
        }
        assert_eq!(CsvFor::Programs.text("plain = text"), "plain = text");
    }

    #[test]
    fn numbers_stay_numbers() {
        for plain in ["-12.50", "0", "1042", "5.000"] {
            assert_eq!(CsvFor::Programs.number(plain), plain);
            assert_eq!(CsvFor::Excel.number(plain), plain);
            assert_eq!(CsvFor::ExcelRu.number(plain), plain.replace('.', ","));
        }
        assert_eq!(CsvFor::Programs.number("-12.50+1"), "'-12.50+1");
        assert_eq!(CsvFor::Programs.number("-"), "'-");
        assert_eq!(CsvFor::Programs.number(""), "");
        assert_eq!(CsvFor::ExcelRu.number("12345678901234.56"), "'12345678901234.56");
    }

    #[test]
    fn excel_makes_nothing_else_of_an_id() {
        for id in [
            "0042",
            "1234567890123456",
            "8.80731E+15",
            "12e5",
            "3/4",
            "3.04",
            "1-2",
            "10:30",
            "MAR-7",
            "7 мая",
            "50%",
            "00",
            "1.0",
        ] {
            assert_eq!(CsvFor::Excel.text(id), format!("'{id}"));
            assert_eq!(CsvFor::ExcelRu.text(id), format!("'{id}"));
            assert_eq!(CsvFor::Programs.text(id), id);
        }
        for plain in ["1042", "0", "2026-03-02", "2026-03-02T10:40:12Z", "A-1042", "ch_0042", "market 7a b", "", "e", "shop.csv"]
        {
            assert_eq!(CsvFor::ExcelRu.text(plain), plain);
        }
    }
}
