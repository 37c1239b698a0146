//! Personal values in free text: e-mail addresses, phone numbers, IBAN, bearer tokens and secrets.

use super::field::Kind;
use super::names::may_be_name;

/// The word before a token.
const BEARER: &str = "bearer";
/// How a JSON Web Token begins: `{"` in base64.
const WEB_TOKEN: &str = "eyJ";
/// Digits of a Russian account.
const ACCOUNT_DIGITS: usize = 20;
/// Beginnings of well-known secret keys.
const SECRET_STARTS: [&str; 11] =
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA"];

/// A quick look: false only for texts in which [`masked`] finds nothing, which are nearly all of them.
pub(super) fn may_hold(text: &str) -> bool {
    let mut digits = 0;
    let mut before = [0_u8; 3];
    for byte in text.bytes() {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        let [_, a, b] = before;
        let begins_iban = matches!([before[0], a, b, byte], [b'A'..=b'Z', b'A'..=b'Z', b'0'..=b'9', b'0'..=b'9']);
        if byte == b'@' || byte == b'+' || begins_iban || digits >= ACCOUNT_DIGITS {
            return true;
        }
        before = [a, b, byte];
    }
    let holds_bearer = || text.as_bytes().windows(BEARER.len()).any(|part| part.eq_ignore_ascii_case(BEARER.as_bytes()));
    text.contains(WEB_TOKEN) || SECRET_STARTS.iter().any(|start| text.contains(start)) || holds_bearer()
}

/// The text with each personal value replaced by what `shape` makes of it.
pub(super) fn masked(text: &str, mut shape: impl FnMut(Kind, &str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_bearer = false;
    while !rest.is_empty() {
        let blank = rest.find(in_word).unwrap_or(rest.len());
        let (between, word_on) = rest.split_at(blank);
        out.push_str(between);
        after_bearer &= between.trim().is_empty();
        let word_end = word_on.find(|c| !in_word(c)).unwrap_or(word_on.len());
        let word = word_on.get(..word_end).unwrap_or_default().trim_end_matches(['.', ':', '-']);
        if word.is_empty() {
            out.push_str(word_on.get(..word_end).unwrap_or_default());
            rest = word_on.get(word_end..).unwrap_or_default();
            continue;
        }
        let masked_before = after_bearer.then(|| masked_secret(word_on)).flatten();
        let found = masked_before.or_else(|| iban(word_on)).or_else(|| phone(word_on)).or_else(|| one_word(word, after_bearer));
        after_bearer = word.eq_ignore_ascii_case(BEARER);
        let length = found.map_or(word.len(), |(_, length)| length);
        let value = word_on.get(..length).unwrap_or_default();
        match found {
            Some((kind, _)) => out.push_str(&shape(kind, value)),
            None => out.push_str(value),
        }
        rest = word_on.get(length..).unwrap_or_default();
    }
    out
}

/// Characters of a word; the others end it.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '@' | '.' | '_' | '-' | '+' | '%' | '/' | ':' | '~' | '#' | '$' | '!' | '*')
}

/// A token that was masked before.
fn masked_secret(text: &str) -> Option<(Kind, usize)> {
    let begin = "secret #";
    let name = text.strip_prefix(begin)?;
    let length = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    may_be_name(name.get(..length)?).then_some((Kind::Secret, begin.len() + length))
}

fn one_word(word: &str, after_bearer: bool) -> Option<(Kind, usize)> {
    let is_email = word.rsplit_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.split_once('.').is_some_and(|(domain, top)| !domain.is_empty() && !top.is_empty())
    });
    // A JSON Web Token has three parts.
    let is_web_token = word.starts_with(WEB_TOKEN) && word.matches('.').count() == 2;
    let is_secret = SECRET_STARTS.iter().any(|start| word.len() > start.len() + 5 && word.starts_with(start));
    if is_email {
        Some((Kind::Email, word.len()))
    } else if is_account(word) {
        Some((Kind::Account, word.len()))
    } else if after_bearer || is_web_token || is_secret {
        Some((Kind::Secret, word.len()))
    } else {
        None
    }
}

/// A Russian account: 20 digits, of which the sixth to eighth are the number of a currency (Bank of Russia, regulation 809-P), 810 for
/// roubles. It has no check digit that could be told without its bank.
fn is_account(word: &str) -> bool {
    const CURRENCIES: [&str; 12] = ["810", "643", "840", "978", "156", "398", "826", "756", "933", "392", "949", "784"];
    word.len() == ACCOUNT_DIGITS
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && word.starts_with(['3', '4'])
        && word.get(5..8).is_some_and(|currency| CURRENCIES.contains(&currency))
}

/// An international number at the start of the text, `+49 151 2345678`: 10 to 15 digits, single separators.
fn phone(text: &str) -> Option<(Kind, usize)> {
    let after_plus = text.strip_prefix('+')?;
    let (mut digits, mut end, mut gap) = (0, 0, 0);
    for (at, c) in after_plus.char_indices() {
        if c.is_ascii_digit() {
            digits += 1;
            end = at + 1;
            gap = 0;
        } else if " -.()".contains(c) && gap < 2 {
            gap += 1;
        } else {
            break;
        }
    }
    (10..=15).contains(&digits).then_some((Kind::Phone, end + 1))
}

/// An IBAN at the start of the text, written solid or in groups; recognised by its check digits (ISO 13616).
fn iban(text: &str) -> Option<(Kind, usize)> {
    let head = text.as_bytes().get(..4)?;
    if !head.iter().take(2).all(u8::is_ascii_uppercase) || !head.iter().skip(2).all(u8::is_ascii_digit) {
        return None;
    }
    let mut plain = String::new();
    let mut found = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' => continue,
            c if c.is_ascii_alphanumeric() && plain.len() < 34 => plain.push(c),
            _ => break,
        }
        let ends = chars.peek().is_none_or(|(_, next)| !next.is_ascii_alphanumeric());
        if ends && plain.len() >= 15 && passes_check(&plain) {
            found = Some((Kind::Account, at + 1));
        }
    }
    found
}

/// ISO 7064 mod 97-10 over the account number followed by country and check digits.
fn passes_check(iban: &str) -> bool {
    let (head, body) = iban.split_at(4);
    let mut remainder = 0;
    for c in body.chars().chain(head.chars()) {
        let Some(value) = c.to_digit(36) else { return false };
        remainder = (remainder * if value > 9 { 100 } else { 10 } + value) % 97;
    }
    remainder == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the thorough search finds must not be passed over.
    #[test]
    fn the_quick_look_passes_nothing_over() {
        let personal = [
            "anna@example.org",
            "анна@пример.рф",
            "call +49 151 2345678",
            "from DE89 3704 0044 0532 0130 00",
            "DE89370400440532013000",
            "account 40702810900000012345: 2 rows",
            "BeArEr abcdef123456",
            "Authorization: Bearer: abcdef123456",
            "eyJhbGciOi.eyJzdWIi.c2ln",
            "key sk_live_abcdef12, AKIAABCDEFGHIJ",
            "github_pat_abcdef",
        ];
        for text in personal {
            let mut found = 0;
            masked(text, |_, _| {
                found += 1;
                String::new()
            });
            assert!(found > 0, "{text}: the test says nothing");
            assert!(may_hold(text), "{text}");
        }
        for text in ["", "EUR 59.00", "2026-03-02T10:40:12.123Z", "the gap of 3 min 2 s is a usual timeout", "A-1042", "ch_3Nabc"]
        {
            assert!(!may_hold(text), "{text}");
            assert_eq!(masked(text, |_, _| "#".into()), text);
        }
    }
}
