//! Totals that a file tells of its own rows, and whether they agree with what was read.

use crate::domain::report::Note;
use crate::rules::Footer;
use rust_decimal::Decimal;

/// What was read, and what the footer says of it.
#[derive(Debug)]
pub(super) struct Totals {
    rows: u64,
    /// The sum of the amounts, for each sign that may be the decimal one; None once an amount cannot be read so.
    sums: [Option<Decimal>; 2],
    counts_told: Vec<String>,
    sums_told: Vec<String>,
    /// Rows of the footer that look like rows of the table.
    below: u64,
}

/// Which of them a column uses shows only in all its values, and the footer may use the other.
const DECIMAL_SIGNS: [char; 2] = ['.', ','];

impl Default for Totals {
    fn default() -> Self {
        let sums = [Some(Decimal::ZERO); 2];
        Self { rows: 0, sums, counts_told: Vec::new(), sums_told: Vec::new(), below: 0 }
    }
}

impl Totals {
    /// A row with this amount; an empty one, or one without digits (`--`), adds nothing.
    pub(super) fn row(&mut self, amount: &str) {
        self.rows += 1;
        if amount.contains(|char: char| char.is_ascii_digit()) {
            for (sum, sign) in self.sums.iter_mut().zip(DECIMAL_SIGNS) {
                *sum = sum.and_then(|sum| sum.checked_add(amount_of(amount, sign)?));
            }
        }
    }

    /// A row whose amount cannot be known.
    pub(super) fn unreadable_row(&mut self) {
        self.rows += 1;
        self.sums = [None; 2];
    }

    /// A row of the footer, its cells joined by the delimiter.
    pub(super) fn footer_row(&mut self, line: &str, footer: &Footer) {
        for found in footer.patterns.iter().filter_map(|pattern| pattern.captures(line)) {
            let group = |name| found.name(name).map(|told| told.as_str().trim().to_owned());
            self.counts_told.extend(group(Footer::COUNT));
            self.sums_told.extend(group(Footer::SUM));
        }
    }

    /// A row of the footer that could be one of the table.
    pub(super) fn row_below(&mut self) {
        self.below += 1;
    }

    /// What does not agree.
    pub(super) fn notes(&self, file: &str, footer: &Footer) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |code: &str, message: String| notes.push(Note { code: code.to_owned(), message });
        let rows = self.rows;
        for told in self.counts_told.iter().filter(|told| count_of(told) != Some(rows)) {
            let message =
                format!("{file}: the footer counts {told:?} rows, and {rows} were read; the file may be cut off or edited");
            note("footer_count", message);
        }
        let column = footer.sum_column.as_deref().unwrap_or_default();
        let read: Vec<Decimal> = self.sums.into_iter().flatten().collect();
        for told in &self.sums_told {
            match read.first() {
                None => note(
                    "footer_sum",
                    format!(
                        "{file}: the footer's sum {told:?} was not checked: column {column:?} holds values that are no amounts"
                    ),
                ),
                Some(sum)
                    if !DECIMAL_SIGNS.iter().any(|sign| amount_of(told, *sign).is_some_and(|told| read.contains(&told))) =>
                {
                    note(
                        "footer_sum",
                        format!(
                            "{file}: the footer tells a sum of {told:?}, and column {column:?} adds up to {sum}; the file may be cut off or edited"
                        ),
                    )
                }
                Some(_) => {}
            }
        }
        if self.below > 0 {
            let message = format!(
                "{file}: {} rows below the first line of the footer look like records and were not used; narrow read.footer",
                self.below
            );
            note("footer_holds_rows", message);
        }
        notes
    }
}

/// `5,700` and `5 700` are one count.
fn count_of(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let others = text.chars().any(|char| !char.is_ascii_digit() && !char.is_whitespace() && !"',.".contains(char));
    digits.parse().ok().filter(|_| !others)
}

/// An amount with this decimal sign: currency signs around it, groups of three digits, minus signs before or after it and accountants'
/// parentheses are understood. None where it cannot be one.
fn amount_of(text: &str, decimal: char) -> Option<Decimal> {
    let is_minus = |char: char| matches!(char, '-' | '−');
    let outside = |char: char| !char.is_ascii_digit();
    let number = text.trim_matches(outside);
    let (before, after) = text.split_once(number)?;
    let is_negative = before.contains(is_minus) || after.contains(is_minus) || (before.contains('(') && after.contains(')'));
    let (whole, fraction) = number.split_once(decimal).unwrap_or((number, ""));
    let digits = ungrouped(whole, decimal)?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let sign = if is_negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    Decimal::from_str_exact(&format!("{sign}{digits}{point}{fraction}")).ok()
}

/// The digits of a whole number, its groups joined.
fn ungrouped(whole: &str, decimal: char) -> Option<String> {
    let parts_groups =
        |char: char| char.is_whitespace() || matches!(char, '\'' | '’' | '_') || (matches!(char, '.' | ',') && char != decimal);
    let groups: Vec<&str> = whole.split(parts_groups).collect();
    let is_sound = groups.iter().enumerate().all(|(place, group)| {
        let length = if place == 0 { 1..=if groups.len() > 1 { 3 } else { usize::MAX } } else { 3..=3 };
        length.contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_sound.then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_as_exports_write_them() {
        let read = |text: &str, sign| amount_of(text, sign).map(|amount| amount.to_string());
        for (text, sign, amount) in [
            ("23890.50 RUB", '.', Some("23890.50")),
            ("23890.50", ',', None),
            ("1.234,50", ',', Some("1234.50")),
            ("1.234", ',', Some("1234")),
            ("1.234", '.', Some("1.234")),
            ("-$1,234.00", '.', Some("-1234.00")),
            ("($25.99)", '.', Some("-25.99")),
            ("5,00-", ',', Some("-5.00")),
            ("−1\u{a0}234,5 ₽", ',', Some("-1234.5")),
            ("12.34.56", '.', None),
            ("1,23,456", '.', None),
            ("1e3", '.', None),
            ("RUB", '.', None),
        ] {
            assert_eq!(read(text, sign).as_deref(), amount, "{text} {sign}");
        }
        assert_eq!((count_of("5,700"), count_of("8 rows"), count_of("")), (Some(5700), None, None));
    }
}
