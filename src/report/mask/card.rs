//! Payment card numbers: found by length, issuer range and check digit; shown as the first six and last four digits, always.

use std::borrow::Cow;
use std::ops::Range;

/// PCI DSS 4.0, 3.4.1: at most the issuer number and the last four digits may be shown.
const FIRST: usize = 6;
const LAST: usize = 4;

/// Shortest and longest number that is taken for a card. Twelve digits (old Maestro) are left out: finding ids have twelve.
const LENGTHS: std::ops::RangeInclusive<usize> = FEWEST_DIGITS..=19;

/// No text with fewer digits holds a card number.
pub const FEWEST_DIGITS: usize = 13;

/// Characters that may stand between two runs of digits of one number.
const GAP: usize = 2;

/// How far around a number is looked for the rest of a digest; more than SHA-512 has would only cost time.
const AROUND: usize = 128;

/// A run of digits.
struct Run {
    /// Index of the first digit in the list of all digits.
    first: usize,
    count: usize,
    /// The run before it is near enough to belong to the same number.
    joined: bool,
}

/// One digit: its bytes in the text and its value.
struct Digit {
    bytes: Range<usize>,
    value: u8,
}

/// The text with the middle digits of every card number as `*`; separators and everything else untouched.
///
/// A number may be cut into groups by blanks, dashes, dots and the like, the first group holding at least four digits. Digits
/// inside a UUID or a long hexadecimal digest are not a card.
pub fn cards(text: &str) -> Cow<'_, str> {
    if text.len() < *LENGTHS.start() || !may_hold_card(text) {
        return Cow::Borrowed(text);
    }
    let (digits, runs) = digits_of(text);
    let mut hidden = vec![false; digits.len()];
    for (at, run) in runs.iter().enumerate() {
        if run.count < 4 {
            continue;
        }
        let mut count = 0;
        for (step, next) in runs.iter().skip(at).enumerate() {
            count += next.count;
            if (step > 0 && !next.joined) || count > *LENGTHS.end() {
                break;
            }
            let Some(number) = digits.get(run.first..run.first + count) else {
                break;
            };
            if is_card(number) && !in_digest(text, number) {
                hidden.iter_mut().skip(run.first + FIRST).take(count - FIRST - LAST).for_each(|digit| *digit = true);
            }
        }
    }
    if !hidden.contains(&true) {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for (digit, _) in digits.iter().zip(&hidden).filter(|(_, hidden)| **hidden) {
        masked.push_str(text.get(done..digit.bytes.start).unwrap_or_default());
        masked.push('*');
        done = digit.bytes.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(masked)
}

/// A cheap look before the real one: enough digits with nothing but separators between them. Beyond ASCII any character may be a
/// digit or a separator.
fn may_hold_card(text: &str) -> bool {
    let may_be_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | 0xc0..);
    if text.bytes().filter(may_be_digit).count() < *LENGTHS.start() {
        return false;
    }
    let mut digits = 0;
    text.bytes().any(|byte| {
        match byte {
            _ if may_be_digit(&byte) => digits += 1,
            0x80..0xc0 => {}
            b'a'..=b'z' | b'A'..=b'Z' => digits = 0,
            _ if separates(char::from(byte)) => {}
            _ => digits = 0,
        }
        digits >= *LENGTHS.start()
    })
}

fn digits_of(text: &str) -> (Vec<Digit>, Vec<Run>) {
    let mut digits: Vec<Digit> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    // Separators since the last digit; None: something stood there that no card number holds.
    let mut gap: Option<usize> = None;
    for (at, c) in text.char_indices() {
        match digit_value(c) {
            Some(value) => {
                match runs.last_mut() {
                    Some(run) if gap == Some(0) => run.count += 1,
                    _ => runs.push(Run { first: digits.len(), count: 1, joined: gap.is_some_and(|gap| gap <= GAP) }),
                }
                digits.push(Digit { bytes: at..at + c.len_utf8(), value });
                gap = Some(0);
            }
            None => gap = if separates(c) { gap.map(|gap| gap + 1) } else { None },
        }
    }
    (digits, runs)
}

/// ASCII, full-width, Arabic-Indic and Persian digits.
fn digit_value(c: char) -> Option<u8> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        _ => return None,
    };
    u8::try_from(c as u32 - zero as u32).ok()
}

fn separates(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '-' | '.' | '_' | '/' | '|' | '+' | '*' | '·' | '\\' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}')
        || super::super::safe::is_hidden(c)
}

fn is_card(number: &[Digit]) -> bool {
    LENGTHS.contains(&number.len()) && issued(number) && passes_luhn(number)
}

/// ISO/IEC 7812 issuer ranges of the card schemes, with the lengths they use.
fn issued(number: &[Digit]) -> bool {
    let prefix = |digits: usize| number.iter().take(digits).fold(0_u32, |sum, digit| sum * 10 + u32::from(digit.value));
    let length = number.len();
    let visa = prefix(1) == 4 && matches!(length, 13 | 16 | 19);
    let mastercard = (matches!(prefix(2), 51..=55) || matches!(prefix(4), 2221..=2720)) && length == 16;
    let amex = matches!(prefix(2), 34 | 37) && length == 15;
    let diners =
        (matches!(prefix(3), 300..=305) || prefix(4) == 3095 || matches!(prefix(2), 36 | 38 | 39)) && matches!(length, 14..=19);
    let discover = (prefix(4) == 6011 || matches!(prefix(3), 644..=649) || prefix(2) == 65) && length >= 16;
    let jcb = matches!(prefix(4), 3528..=3589) && length >= 16;
    let unionpay = matches!(prefix(2), 62 | 81) && length >= 16;
    let mir = matches!(prefix(4), 2200..=2204) && length >= 16;
    let maestro = matches!(prefix(2), 50 | 56..=58 | 67) || matches!(prefix(4), 6304 | 6390);
    let rupay = (prefix(2) == 60 || prefix(2) == 82) && length == 16;
    visa || mastercard || amex || diners || discover || jcb || unionpay || mir || maestro || rupay
}

/// ISO/IEC 7812-1, annex B.
fn passes_luhn(number: &[Digit]) -> bool {
    let sum: u32 = number
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(digit.value) << (place % 2);
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// True when the digits stand in a hexadecimal digest of 32 or more digits, or in a UUID: one in ten thousand of those holds
/// something like a card, and a masked checksum verifies nothing.
fn in_digest(text: &str, number: &[Digit]) -> bool {
    let (Some(first), Some(last)) = (number.first(), number.last()) else {
        return false;
    };
    let part = |c: char| c.is_ascii_hexdigit() || c == '-';
    let before = text.get(..first.bytes.start).unwrap_or_default();
    let after = text.get(last.bytes.end..).unwrap_or_default();
    let start = before.len() - before.chars().rev().take(AROUND).take_while(|c| part(*c)).count();
    let end = text.len() - after.len() + after.chars().take(AROUND).take_while(|c| part(*c)).count();
    let token = text.get(start..end).unwrap_or_default();
    let hexadecimal = token.len() >= 32 && !token.contains('-') && token.contains(|c: char| c.is_ascii_alphabetic());
    let uuid = token.len() == 36 && token.bytes().enumerate().all(|(at, byte)| (byte == b'-') == matches!(at, 8 | 13 | 18 | 23));
    hexadecimal || uuid
}

#[cfg(test)]
mod tests {
    use super::cards;

    #[test]
    fn first_six_and_last_four_remain() {
        assert_eq!(cards("card 4111111111111111 ok"), "card 411111******1111 ok");
        assert_eq!(cards("4111 1111 1111 1111 12/27"), "4111 11** **** 1111 12/27");
        assert_eq!(cards("2026-03-02 3782-822463-10005"), "2026-03-02 3782-82****-*0005");
        assert_eq!(cards("４１１１１１１１１１１１１１１１"), "４１１１１１******１１１１");
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            "4111111111111112",
            "9111111111111111",
            "1772448012123456789",
            "2026-03-02T10:40:12.123456789Z",
            "30.03.2026 10:40:12",
            "TL-501800000009",
            "00000000-4111-1111-1111-111111111111",
            "ab4111111111111111cdabcdefabcdefabcdef",
        ] {
            assert_eq!(cards(text), text);
        }
    }
}
