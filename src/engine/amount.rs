//! Amounts as people and programs write them, read exactly; separators are decided over the whole column.

use super::mapping::is_rounded_id;
use rust_decimal::Decimal;
use std::borrow::Cow;

/// Which character the fraction of a column's amounts stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    Dot,
    Comma,
    /// The column holds nothing that decides (or things that contradict): `1,234` cannot be read.
    Undecided,
}

/// What the amounts seen so far say about their column. A set of flags; merging is a union, so order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkEvidence {
    /// A value that can only have a decimal dot: `12.50`, `1,234.50`, `1,234,567`.
    pub dot: bool,
    /// A value that can only have a decimal comma: `12,50`, `1.234,50`, `1.234.567`.
    pub comma: bool,
    /// A value that can be both: `1.234`, `1,234`.
    pub ambiguous: bool,
}

impl MarkEvidence {
    /// The mark of the column; where nothing in it decides, what the user says.
    pub fn decide_or(self, said: Option<char>) -> DecimalMark {
        match (self.decide(), self.dot || self.comma, said) {
            (DecimalMark::Undecided, false, Some('.')) => DecimalMark::Dot,
            (DecimalMark::Undecided, false, Some(',')) => DecimalMark::Comma,
            (decided, ..) => decided,
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.dot |= other.dot;
        self.comma |= other.comma;
        self.ambiguous |= other.ambiguous;
    }

    /// The mark of the column.
    pub fn decide(self) -> DecimalMark {
        match (self.dot, self.comma) {
            (true, false) => DecimalMark::Dot,
            (false, true) => DecimalMark::Comma,
            _ => DecimalMark::Undecided,
        }
    }
}

/// What is made of `1.5E7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exponents {
    /// Where numbers are written by programs (JSON): what it says, to the digit.
    Exact,
    /// In the texts of spreadsheets, which round before they write one.
    Refused,
}

impl Exponents {
    /// Of inputs that have, or have not, one way to write a number.
    pub fn of(writes_numbers: bool) -> Self {
        if writes_numbers { Self::Exact } else { Self::Refused }
    }
}

/// How the amounts of one source are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmountReader {
    /// As configured; each value decides for itself where it can.
    pub decimal: Option<char>,
    pub thousands: Option<char>,
    pub exponents: Exponents,
    /// For values that do not decide for themselves.
    pub mark: DecimalMark,
}

/// Why an amount cannot be read; the sentence continues after the quoted value.
pub type AmountTrouble = &'static str;

const AMBIGUOUS: AmountTrouble =
    "could have a decimal or a thousands separator; say which with --decimal, or set source.read.decimal";
const NOT_A_NUMBER: AmountTrouble = "is not a number; check source.map.amount, source.read.decimal and source.read.thousands";
const EXPONENT: AmountTrouble = "is written with an exponent, so digits may be lost; export the column as text";
pub const TOO_LONG: AmountTrouble = "has more than 28 digits";

impl AmountReader {
    /// Reads one value and adds what it says about its column to `evidence`.
    #[inline]
    pub fn read(&self, text: &str, evidence: &mut MarkEvidence) -> Result<Decimal, AmountTrouble> {
        if self.decimal.is_none()
            && let Some((units, scale)) = plain(text.as_bytes())
        {
            evidence.dot |= scale > 0;
            return Ok(Decimal::new(units, scale));
        }
        if self.exponents == Exponents::Exact
            && let Some((mantissa, exponent)) = scientific(text)
        {
            evidence.dot |= mantissa.contains('.');
            return shifted(mantissa, exponent);
        }
        let (negative, digits) = strip_dressing(text);
        let plain = match self.decimal {
            Some(decimal) => with_configured_marks(&digits, decimal, self.thousands)?,
            None => self.with_detected_marks(&digits, evidence)?,
        };
        let value = Decimal::from_str_exact(&plain).map_err(|_| TOO_LONG)?;
        Ok(if negative { -value } else { value })
    }

    fn with_detected_marks(&self, digits: &str, evidence: &mut MarkEvidence) -> Result<String, AmountTrouble> {
        let dots = digits.matches('.').count();
        let commas = digits.matches(',').count();
        let (decimal, thousands) = match (dots, commas) {
            (0, 0) => ('.', ','),
            (1, 0) | (0, 1) => {
                let own = if dots == 1 { '.' } else { ',' };
                let other = if dots == 1 { ',' } else { '.' };
                if could_be_thousands(digits, own) {
                    evidence.ambiguous = true;
                    match self.mark {
                        DecimalMark::Dot => ('.', ','),
                        DecimalMark::Comma => (',', '.'),
                        DecimalMark::Undecided => return Err(AMBIGUOUS),
                    }
                } else {
                    decisive(evidence, own);
                    (own, other)
                }
            }
            (_, 0) => {
                decisive(evidence, ',');
                (',', '.')
            }
            (0, _) => {
                decisive(evidence, '.');
                ('.', ',')
            }
            _ => {
                let own = if digits.rfind('.') > digits.rfind(',') { '.' } else { ',' };
                decisive(evidence, own);
                (own, if own == '.' { ',' } else { '.' })
            }
        };
        with_configured_marks(digits, decimal, Some(thousands))
    }
}

fn decisive(evidence: &mut MarkEvidence, decimal: char) {
    if decimal == '.' { evidence.dot = true } else { evidence.comma = true }
}

/// Units and scale of `123`, `123.4`, `-123.45`: what nearly every value of nearly every log looks like. None for any other text, among
/// them a number with more digits than the units hold, one with three digits behind its dot, which may stand for thousands, and -0.
#[inline]
fn plain(text: &[u8]) -> Option<(i64, u32)> {
    const MOST_DIGITS: usize = 18;
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (mut units, mut dot) = (0, None);
    if digits.is_empty() || digits.len() > MOST_DIGITS {
        return None;
    }
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => units = units * 10 + i64::from(byte - b'0'),
            b'.' if dot.is_none() && at > 0 => dot = Some(at),
            _ => return None,
        }
    }
    let scale = match dot.map(|at| digits.len() - at - 1) {
        Some(0 | 3) => return None,
        scale => scale.unwrap_or(0) as u32,
    };
    match digits.len() == text.len() {
        true => Some((units, scale)),
        false => (units != 0).then_some((-units, scale)),
    }
}

/// Mantissa and exponent of a JSON number that has one: `1e3`, `-1.05E7`, `2.5e-3`. None for any other text, among them what a
/// spreadsheet has rounded and a program has put into JSON as it stood: `8.80731E+15`.
fn scientific(text: &str) -> Option<(&str, i32)> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let digits = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = match digits.split_once('.') {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(digits),
    };
    if !is_number || is_rounded_id(text.strip_prefix('-').unwrap_or(text)) {
        return None;
    }
    Some((mantissa, exponent.parse().ok()?))
}

/// A mantissa with its decimal dot moved, exactly.
fn shifted(mantissa: &str, exponent: i32) -> Result<Decimal, AmountTrouble> {
    let value = Decimal::from_str_exact(mantissa).map_err(|_| TOO_LONG)?;
    let power = |tens: u32| 10_i128.checked_pow(tens).and_then(|power| Decimal::try_from_i128_with_scale(power, 0).ok());
    let scale = i64::from(value.scale()) - i64::from(exponent);
    let moved = match u32::try_from(scale) {
        Ok(scale) => Decimal::try_from_i128_with_scale(value.mantissa(), scale).ok(),
        Err(_) => u32::try_from(-scale)
            .ok()
            .and_then(power)
            .zip(Decimal::try_from_i128_with_scale(value.mantissa(), 0).ok())
            .and_then(|(power, whole)| whole.checked_mul(power)),
    };
    moved.ok_or(TOO_LONG)
}

/// `1,234` could be a thousand; `0,234`, `1234,567` and `12,34` could not.
fn could_be_thousands(digits: &str, mark: char) -> bool {
    digits.split_once(mark).is_some_and(|(head, tail)| tail.len() == 3 && (1..=3).contains(&head.len()) && !head.starts_with('0'))
}

/// Takes off what surrounds the digits: blanks (also as thousands separators), apostrophes, one currency sign, a sign in front or
/// behind, the parentheses of accountants. Returns whether the amount is negative, and the rest.
fn strip_dressing(text: &str) -> (bool, Cow<'_, str>) {
    let mut negative = false;
    let mut rest = text.trim();
    if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        negative = true;
        rest = inner.trim();
    }
    loop {
        let before = rest;
        for minus in ['-', '\u{2212}'] {
            if let Some(inner) = rest.strip_prefix(minus).or_else(|| rest.strip_suffix(minus)) {
                // Two signs are no number; the leftover one makes the digits unreadable.
                if !negative {
                    negative = true;
                    rest = inner.trim();
                }
            }
        }
        rest = rest.strip_prefix('+').unwrap_or(rest).trim();
        for sign in ['$', '€', '£', '¥', '₽', '₸', '₴'] {
            rest = rest.strip_prefix(sign).or_else(|| rest.strip_suffix(sign)).unwrap_or(rest).trim();
        }
        if rest == before {
            break;
        }
    }
    let inside = |c: char| c.is_whitespace() || c == '\'' || c == '\u{2019}';
    if rest.contains(inside) {
        (negative, Cow::Owned(rest.chars().filter(|c| !inside(*c)).collect()))
    } else {
        (negative, Cow::Borrowed(rest))
    }
}

/// True for thousands as most of the world parts them (`1,250,000`), and for lakhs and crores as India does (`12,50,000`).
fn is_grouped(groups: &[&str]) -> bool {
    let Some((first, [middle @ .., last])) = groups.split_first() else { return false };
    let parts_by = |digits: usize| (1..=digits).contains(&first.len()) && middle.iter().all(|group| group.len() == digits);
    last.len() == 3 && (parts_by(3) || parts_by(2))
}

/// Digits with thousands separators at whole groups dropped and the decimal mark made a dot.
fn with_configured_marks(digits: &str, decimal: char, thousands: Option<char>) -> Result<String, AmountTrouble> {
    let (whole, fraction) = match digits.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = match thousands.filter(|mark| whole.contains(*mark)) {
        None => vec![whole],
        Some(mark) => {
            let groups: Vec<&str> = whole.split(mark).collect();
            if !is_grouped(&groups) {
                return Err(NOT_A_NUMBER);
            }
            groups
        }
    };
    // `.5` is half; `5.` and `.` are nothing.
    let has_digits = !whole.is_empty() || fraction.is_some();
    if !has_digits || fraction == Some("") || !groups.iter().all(|group| is_digits(group)) || !fraction.is_none_or(is_digits) {
        let exponent =
            digits.contains(['e', 'E']) && digits.bytes().all(|byte| byte.is_ascii_digit() || b"eE+-.,".contains(&byte));
        return Err(if exponent { EXPONENT } else { NOT_A_NUMBER });
    }
    let whole = groups.concat();
    Ok(match (whole.as_str(), fraction) {
        (whole, None) => whole.to_owned(),
        ("", Some(fraction)) => format!("0.{fraction}"),
        (whole, Some(fraction)) => format!("{whole}.{fraction}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, decimal: Option<char>, thousands: Option<char>, mark: DecimalMark) -> Result<String, AmountTrouble> {
        let reader = AmountReader { decimal, thousands, mark, exponents: Exponents::Refused };
        reader.read(text, &mut MarkEvidence::default()).map(|value| value.to_string())
    }

    #[test]
    fn values_that_decide_for_themselves() {
        for (text, value) in [
            ("84.50", "84.50"),
            ("-12", "-12"),
            ("1,840.00", "1840.00"),
            ("1.074,90", "1074.90"),
            ("74,90", "74.90"),
            ("1 234,5", "1234.5"),
            ("1\u{a0}234\u{202f}567,50 ₽", "1234567.50"),
            ("1'234.50", "1234.50"),
            ("(12.50)", "-12.50"),
            ("12.50-", "-12.50"),
            ("\u{2212}5", "-5"),
            ("$-5.25", "-5.25"),
            ("1,234,567", "1234567"),
            ("1,25,000.50", "125000.50"),
            ("12,34,56,789", "123456789"),
            ("1.234.567", "1234567"),
            ("0.125", "0.125"),
            ("1234.567", "1234.567"),
            (".5", "0.5"),
        ] {
            assert_eq!(read(text, None, None, DecimalMark::Undecided).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn values_that_the_column_decides() {
        assert_eq!(read("1,234", None, None, DecimalMark::Dot).as_deref(), Ok("1234"));
        assert_eq!(read("1,234", None, None, DecimalMark::Comma).as_deref(), Ok("1.234"));
        assert_eq!(read("1.234", None, None, DecimalMark::Comma).as_deref(), Ok("1234"));
        assert_eq!(read("1,234", None, None, DecimalMark::Undecided), Err(AMBIGUOUS));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", "-", "abc", "12.5.0,1", "1,23,4.5", "--5", "12 EUR", "٣", "1.2.3,4", "NaN", ".", "1."] {
            assert!(read(text, None, None, DecimalMark::Dot).is_err(), "{text}");
        }
        assert_eq!(read("8.80731E+15", None, None, DecimalMark::Dot), Err(EXPONENT));
        assert_eq!(read("12.50", Some(','), None, DecimalMark::Dot), Err(NOT_A_NUMBER));
        assert_eq!(read("1.23,50", Some(','), Some('.'), DecimalMark::Dot), Err(NOT_A_NUMBER));
    }

    #[test]
    fn exponents_of_programs_are_exact() {
        let reader = AmountReader { decimal: None, thousands: None, mark: DecimalMark::Dot, exponents: Exponents::Exact };
        let read = |text: &str| reader.read(text, &mut MarkEvidence::default()).map(|value| value.normalize().to_string());
        for (text, value) in [
            ("1e3", "1000"),
            ("1.0E7", "10000000"),
            ("-1.2345678E7", "-12345678"),
            ("1.05e1", "10.5"),
            ("2.5e-3", "0.0025"),
            ("1E+5", "100000"),
            ("0e0", "0"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(value), "{text}");
        }
        assert_eq!(read("8.80731E+15"), Err(EXPONENT), "a spreadsheet's");
        assert_eq!(read("1e40"), Err(TOO_LONG));
        assert_eq!(read("1e-40"), Err(TOO_LONG));
        assert_eq!(read("1e99999999999"), Err(EXPONENT));
        for text in ["e3", "1e", "1.e3", "1e3e3", "1_0e3", "1e3.5"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn evidence_is_gathered() {
        let reader = AmountReader { decimal: None, thousands: None, mark: DecimalMark::Dot, exponents: Exponents::Refused };
        let mut evidence = MarkEvidence::default();
        reader.read("1,234", &mut evidence).unwrap();
        assert_eq!(evidence.decide(), DecimalMark::Undecided);
        assert!(evidence.ambiguous);
        reader.read("74,90", &mut evidence).unwrap();
        assert_eq!(evidence.decide(), DecimalMark::Comma);
        reader.read("74.90", &mut evidence).unwrap();
        assert_eq!(evidence.decide(), DecimalMark::Undecided);
    }
}
