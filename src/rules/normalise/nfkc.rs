//! `nfkc`: one spelling for letters, widths and ligatures.

use super::Plain;
use unicode_normalization::UnicodeNormalization;

pub const NFKC: Plain = Plain {
    name: "nfkc",
    meaning: "as nfc, and full-width forms, ligatures and circled digits become plain ones (Unicode NFKC)",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    if value.is_ascii() {
        out.push_str(value);
    } else {
        out.extend(value.nfkc());
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn makes_compatibility_forms_plain() {
        assert_eq!(applied("nfkc", "ＩＮＶ１２"), "INV12");
        assert_eq!(applied("nfkc", "Cчёт"), "Cчёт", "Latin C stays Latin");
    }
}
