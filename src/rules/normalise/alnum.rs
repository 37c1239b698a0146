//! `alnum`: letters and digits alone, of every script.

use super::Plain;
use unicode_normalization::char::is_combining_mark;

/// Accents written as separate signs stay: they are part of their letter.
pub const ALNUM: Plain =
    Plain { name: "alnum", meaning: "everything but letters and digits is dropped", apply, keeps: super::never };

fn apply(value: &str, out: &mut String) {
    out.extend(value.chars().filter(|c| c.is_alphanumeric() || (!c.is_ascii() && is_combining_mark(*c))));
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn keeps_letters_of_every_script() {
        assert_eq!(applied("alnum", "СЧ-00/17 б"), "СЧ0017б");
        assert_eq!(applied("alnum", "請求書 #9"), "請求書9");
        assert_eq!(applied("alnum", "e\u{301}-1"), "e\u{301}1");
    }
}
