//! Which fields hold personal values, and how a masked value of each kind looks.

use super::card::cards;
use super::names::may_be_name;
use std::fmt::Display;

/// What a personal value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// Whoever acts: a name, a login, an e-mail address or a phone number.
    Person,
    Email,
    Phone,
    Card,
    /// Bank accounts: IBAN and others.
    Account,
    Secret,
}

impl Kind {
    /// What pseudonyms are made of; it must not change.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Card => "card",
            Self::Account => "account",
            Self::Secret => "secret",
        }
    }

    /// A value without what its writing varies in: the case of an address, the blanks of a number. Ids of people stay as they are, because
    /// two may differ in the case alone.
    pub(super) fn plain(self, value: &str) -> String {
        match self {
            Self::Email => value.trim().to_lowercase(),
            Self::Phone => value.chars().filter(char::is_ascii_digit).collect(),
            Self::Account | Self::Card => value.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect(),
            Self::Person | Self::Secret => value.trim().to_owned(),
        }
    }
}

/// Words of a field's name, and what they say about its values.
const WORDS: [(Kind, &[&str]); 6] = [
    (Kind::Secret, &["token", "secret", "password", "passwd", "authorization", "bearer", "apikey", "cvv", "cvc", "pin"]),
    (Kind::Card, &["card", "pan", "карта"]),
    (Kind::Account, &["iban", "account", "acct", "счет", "счёт"]),
    (Kind::Email, &["email", "mail", "почта"]),
    (Kind::Phone, &["phone", "tel", "mobile", "msisdn", "телефон"]),
    (
        Kind::Person,
        &[
            "actor",
            "user",
            "username",
            "login",
            "customer",
            "client",
            "payer",
            "payee",
            "recipient",
            "sender",
            "holder",
            "owner",
            "фио",
        ],
    ),
];

/// A name that ends in one of these is the name of a person.
const PERSON_NAMES: [&str; 7] = ["name", "first_name", "last_name", "full_name", "firstname", "lastname", "fullname"];

/// Kind of the values of a field, told by its name: `customer_email`, `billingPhone`, `IBAN`. None: they may be shown.
pub(super) fn kind(field: &str) -> Option<Kind> {
    let words = words(field);
    if words.windows(2).any(|pair| matches!(pair, [a, b] if a == "api" && b == "key")) {
        return Some(Kind::Secret);
    }
    let named = WORDS.iter().find(|(_, known)| words.iter().any(|word| known.contains(&word.as_str())));
    named.map(|(kind, _)| *kind).or_else(|| PERSON_NAMES.contains(&words.join("_").as_str()).then_some(Kind::Person))
}

/// The words of a field's name in lower case: `billingPhone` and `billing_phone` both give `billing`, `phone`.
fn words(field: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in field.chars() {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && lower_before);
        if starts {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a value is, wherever it stands: an actor that is an e-mail address or a phone number is that person's address or number.
pub(super) fn kind_of_value(kind: Kind, value: &str) -> Kind {
    match kind {
        Kind::Person if value.contains('@') => Kind::Email,
        Kind::Person if is_phone(value) => Kind::Phone,
        kind => kind,
    }
}

/// The masked form of a value, with the name that stands for it.
pub(super) fn shape(kind: Kind, value: &str, name: impl Display) -> String {
    let form = match kind_of_value(kind, value) {
        Kind::Secret => "secret".to_owned(),
        Kind::Email => email(value),
        Kind::Phone => phone(value),
        Kind::Card => match cards(value) {
            std::borrow::Cow::Owned(masked) => return masked,
            std::borrow::Cow::Borrowed(hidden) if is_hidden_card(hidden) => return hidden.to_owned(),
            std::borrow::Cow::Borrowed(plain) => tail(plain),
        },
        Kind::Account => account(value),
        Kind::Person => format!("{}…", initial(value)),
    };
    format!("{form} #{name}")
}

fn initial(text: &str) -> String {
    text.chars().next().map(String::from).unwrap_or_default()
}

/// `a…@e….org`
fn email(value: &str) -> String {
    let Some((name, host)) = value.rsplit_once('@') else {
        return format!("{}…", initial(value));
    };
    match host.rsplit_once('.') {
        Some((domain, top)) if is_top(top) => format!("{}…@{}….{top}", initial(name), initial(domain)),
        _ => format!("{}…@{}…", initial(name), initial(host)),
    }
}

/// A top-level domain; anything else behind the last dot is not shown.
fn is_top(top: &str) -> bool {
    const LONGEST: usize = 24;
    top.len() <= LONGEST
        && !top.is_empty()
        && top.chars().all(|c| c.is_alphanumeric() || c == '-')
        && top.contains(char::is_alphabetic)
}

/// The name in a value that [`shape`] has made before; None where it is any other. What a log writes like one shows no more than a masked
/// value does.
pub(super) fn name_borne(kind: Kind, value: &str) -> Option<&str> {
    let (form, name) = value.rsplit_once(" #")?;
    let is_form = match kind {
        Kind::Secret => form == "secret",
        Kind::Email => is_masked_email(form) || is_initial(form),
        Kind::Phone => is_masked_phone(form) || is_initial(form),
        Kind::Card => form.strip_prefix('…').is_some_and(is_tail),
        Kind::Account => is_masked_account(form),
        Kind::Person => is_initial(form) || is_masked_email(form) || is_masked_phone(form),
    };
    (is_form && may_be_name(name)).then_some(name)
}

/// `a…`
fn is_initial(form: &str) -> bool {
    form.strip_suffix('…').is_some_and(|initial| initial.chars().nth(1).is_none())
}

/// As [`email`] writes it.
fn is_masked_email(form: &str) -> bool {
    form.split_once('@').is_some_and(|(name, host)| {
        let is_host = match host.split_once("….") {
            Some((domain, top)) => domain.chars().nth(1).is_none() && is_top(top),
            None => is_initial(host),
        };
        is_initial(name) && is_host
    })
}

/// As [`phone`] writes it.
fn is_masked_phone(form: &str) -> bool {
    let are_digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let form = form.strip_prefix('+').unwrap_or(form);
    form.split_once('…').is_some_and(|(first, last)| are_digits(first, 1) && are_digits(last, 2))
}

/// As [`account`] writes it.
fn is_masked_account(form: &str) -> bool {
    form.split_once('…').is_some_and(|(country, last)| {
        country.len() <= 2 && country.bytes().all(|byte| byte.is_ascii_alphabetic()) && is_tail(last)
    })
}

/// What [`tail`] keeps.
fn is_tail(kept: &str) -> bool {
    matches!(kept.chars().count(), 0 | 2 | 4) && kept.chars().all(char::is_alphanumeric)
}

/// A number whose middle [`cards`] has hidden before: six digits, stars, four digits.
fn is_hidden_card(value: &str) -> bool {
    let plain: Vec<char> = value.chars().filter(|c| !matches!(c, ' ' | '-' | '.')).collect();
    let hidden = plain.get(6..plain.len().saturating_sub(4)).unwrap_or_default();
    let shown = plain.iter().take(6).chain(plain.iter().rev().take(4));
    (3..=9).contains(&hidden.len())
        && hidden.iter().all(|c| *c == '*')
        && shown.clone().count() == 10
        && shown.into_iter().all(char::is_ascii_digit)
}

/// `+7…67`
fn phone(value: &str) -> String {
    let digits: Vec<char> = value.chars().filter(char::is_ascii_digit).collect();
    let plus = if value.trim_start().starts_with('+') { "+" } else { "" };
    match digits.as_slice() {
        [first, .., a, b] if digits.len() >= 6 => format!("{plus}{first}…{a}{b}"),
        _ => format!("{}…", initial(value)),
    }
}

fn is_phone(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (10..=15).contains(&digits) && value.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c))
}

/// `DE…3000`: country of an IBAN, and the last four.
fn account(value: &str) -> String {
    let country: String = value.chars().take_while(char::is_ascii_alphabetic).take(2).collect();
    format!("{country}{}", tail(value))
}

/// The last four characters of a long value, two of a shorter one, none of a very short one.
fn tail(value: &str) -> String {
    let plain: Vec<char> = value.chars().filter(|c| c.is_alphanumeric()).collect();
    let kept = match plain.len() {
        0..=5 => 0,
        6..=9 => 2,
        _ => 4,
    };
    format!("…{}", plain.iter().skip(plain.len() - kept).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_kinds() {
        assert_eq!(kind("customerEmail"), Some(Kind::Email));
        assert_eq!(kind("billing phone"), Some(Kind::Phone));
        assert_eq!(kind("IBAN"), Some(Kind::Account));
        assert_eq!(kind("full_name"), Some(Kind::Person));
        assert_eq!(kind("api-key"), Some(Kind::Secret));
        for open in ["order", "operation", "request_key", "effect_id", "product_name", "amount", "company", "hotel"] {
            assert_eq!(kind(open), None, "{open}");
        }
    }
}
