//! `email`: one spelling for an e-mail address.

use super::{Plain, lower, without_prefix};

/// Dots and plus signs before the `@` stay: only the provider knows whether they matter.
pub const EMAIL: Plain = Plain {
    name: "email",
    meaning: "blanks at the ends, mailto: and surrounding <> are dropped, letters are lower case",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    let value = value.trim();
    let value = value.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(value);
    let value = without_prefix(value.trim(), "mailto:");
    let value = value.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(value);
    lower::apply(value.trim(), out);
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn drops_the_wrapping() {
        for spelling in ["Anna@Example.org", " <anna@example.org>", "MAILTO:Anna@example.org", "<mailto:anna@example.org>"] {
            assert_eq!(applied("email", spelling), "anna@example.org");
        }
        assert_eq!(applied("email", "Почта@Пример.РФ"), "почта@пример.рф");
    }

    #[test]
    fn never_folds_dots_or_plus() {
        assert_eq!(applied("email", "a.b+c@gmail.com"), "a.b+c@gmail.com");
    }
}
