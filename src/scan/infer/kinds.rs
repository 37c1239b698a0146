//! What a single value looks like.

/// The look of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `2026-03-02T10:40:12Z`, `02.03.2026 10:40`, `Mar 2, 2026`.
    Time,
    /// A date without a time of day.
    Date,
    /// Seconds to nanoseconds since 1970.
    Epoch,
    /// A number with a fraction, or a currency sign.
    Decimal,
    Integer,
    Email,
    /// Three capital letters, or a sign of money.
    Currency,
    /// Digits and letters mixed, or a UUID: something that names one thing.
    Identifier,
    Boolean,
    /// JSON.
    Structure,
    /// One word.
    Word,
    Text,
}

impl Kind {
    /// In a word, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Date => "date",
            Self::Epoch => "epoch",
            Self::Decimal => "decimal",
            Self::Integer => "integer",
            Self::Email => "e-mail",
            Self::Currency => "currency",
            Self::Identifier => "identifier",
            Self::Boolean => "yes or no",
            Self::Structure => "JSON",
            Self::Word => "word",
            Self::Text => "text",
        }
    }
}

/// The kind of a value; blanks around it do not matter.
pub fn kind_of(value: &str) -> Kind {
    let value = value.trim();
    if matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "yes" | "no") {
        return Kind::Boolean;
    }
    if value.starts_with(['{', '[']) && value.ends_with(['}', ']']) {
        return Kind::Structure;
    }
    if value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_uppercase())
        || ["€", "₽", "$", "£", "руб.", "руб"].contains(&value)
    {
        return Kind::Currency;
    }
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        return if is_epoch(value) { Kind::Epoch } else { Kind::Integer };
    }
    if value.split_once('.').is_some_and(|(whole, fraction)| {
        whole.len() == 10 && is_epoch(whole) && fraction.bytes().all(|byte| byte.is_ascii_digit())
    }) {
        return Kind::Epoch;
    }
    if let Some(kind) = number(value) {
        return kind;
    }
    if let Some(kind) = time(value) {
        return kind;
    }
    if is_email(value) {
        return Kind::Email;
    }
    let (digits, letters) = (value.bytes().any(|byte| byte.is_ascii_digit()), value.chars().any(char::is_alphabetic));
    match value.contains(char::is_whitespace) {
        true => Kind::Text,
        false if digits && (letters || value.contains(['-', '_', '#', '.'])) => Kind::Identifier,
        false => Kind::Word,
    }
}

/// Seconds to nanoseconds of the years 2001 to 2065; seconds may have a fraction.
fn is_epoch(digits: &str) -> bool {
    let seconds = match digits.len() {
        10 => digits,
        13 | 16 | 19 => digits.get(..10).unwrap_or_default(),
        _ => return false,
    };
    seconds.parse::<u64>().is_ok_and(|seconds| (1_000_000_000..3_000_000_000).contains(&seconds))
}

/// Digits with signs, separators and currency signs around or between them, and nothing else.
fn number(value: &str) -> Option<Kind> {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let allowed = |c: char| c.is_ascii_digit() || " .,'-+()−\u{a0}\u{202f}$€£¥₽₸₴".contains(c);
    if digits == 0 || !value.chars().all(allowed) {
        return None;
    }
    let dates = value.matches('.').count() >= 2 || (digits > 4 && value.trim_matches('-').contains('-'));
    if dates || value.split(['.', ',']).count() > 6 {
        return None;
    }
    let is_whole = value.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '+');
    Some(if is_whole { Kind::Integer } else { Kind::Decimal })
}

/// A date with an optional time of day, in any of the usual orders; months may be words.
fn time(value: &str) -> Option<Kind> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let bytes = value.as_bytes();
    if value.len() < 8 || value.len() > 45 || !bytes.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let (clock, rest) = match value.find(':') {
        Some(at) if at > 0 && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => (true, value.get(..at - 1)?),
        _ => (false, value),
    };
    let lower = rest.to_lowercase();
    let month_word = MONTHS.iter().any(|month| lower.contains(month));
    let date: Vec<&str> = lower.split(['-', '/', '.', ' ', ',', 't', '[']).filter(|part| !part.is_empty()).collect();
    let numbers = date.iter().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()) && part.len() <= 4).count();
    let has_year = date
        .iter()
        .any(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit()) && *part > "1900" && *part < "2200");
    let short_year = month_word && numbers >= 2;
    let is_date = (has_year || short_year) && numbers + usize::from(month_word) >= 3;
    let others = date.iter().filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit())).count();
    (is_date && others <= 2).then_some(if clock { Kind::Time } else { Kind::Date })
}

fn is_email(value: &str) -> bool {
    value.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains('@') && !value.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, kind_of};

    #[test]
    fn values_by_their_look() {
        for (value, kind) in [
            ("2026-03-02T10:40:12.123Z", Kind::Time),
            ("2026-03-02 10:40:12 -0500", Kind::Time),
            ("02.03.2026 10:40:12", Kind::Time),
            ("02/Mar/26 10:40 AM", Kind::Time),
            ("7/9/2026, 7:05:31 AM EST", Kind::Time),
            ("02.03.2026", Kind::Date),
            ("Feb 9, 2026", Kind::Date),
            ("2026-03-02", Kind::Date),
            ("1772448012", Kind::Epoch),
            ("1772448012123", Kind::Epoch),
            ("1772448012.125", Kind::Epoch),
            ("59.00", Kind::Decimal),
            ("1.234,56", Kind::Decimal),
            ("-$1,120.00", Kind::Decimal),
            ("1 234,56-", Kind::Decimal),
            ("42", Kind::Integer),
            ("-7", Kind::Integer),
            ("EUR", Kind::Currency),
            ("a.b@example.com", Kind::Email),
            ("ch_3Tq1AB", Kind::Identifier),
            ("276a9776-000f-5000-a000-1", Kind::Identifier),
            ("paid", Kind::Word),
            ("true", Kind::Boolean),
            ("Order of March", Kind::Text),
            ("{\"a\":1}", Kind::Structure),
            ("192.168.0.1", Kind::Identifier),
        ] {
            assert_eq!(kind_of(value), kind, "{value}");
        }
    }
}
