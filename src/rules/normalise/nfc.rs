//! `nfc`: one spelling for letters with accents.

use super::Plain;
use unicode_normalization::UnicodeNormalization;

pub const NFC: Plain = Plain {
    name: "nfc",
    meaning: "accents written as separate signs are joined with their letter (Unicode NFC)",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    if value.is_ascii() {
        out.push_str(value);
    } else {
        out.extend(value.nfc());
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn joins_an_accent_with_its_letter() {
        assert_eq!(applied("nfc", "и\u{306}од"), "йод");
        assert_eq!(applied("nfc", "№ ①"), "№ ①", "compatibility forms stay");
    }
}
