//! `lower`: lower case, letter by letter.

use super::Plain;

/// Without regard to neighbours (Greek final sigma), so that equal words stay equal wherever they stand.
pub const LOWER: Plain = Plain { name: "lower", meaning: "letters are lower case", apply, keeps };

/// ASCII without a letter of the other case.
fn keeps(value: &str) -> bool {
    // Without an early end, so that many bytes are looked at in one step.
    value.bytes().fold(true, |kept, byte| kept & byte.is_ascii() & !byte.is_ascii_uppercase())
}

pub(super) fn apply(value: &str, out: &mut String) {
    if value.is_ascii() {
        out.push_str(value);
        out.make_ascii_lowercase();
    } else {
        out.extend(value.chars().flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn lowers_every_script() {
        assert_eq!(applied("lower", "INV-7"), "inv-7");
        assert_eq!(applied("lower", "Счёт ÉTÉ"), "счёт été");
    }

    #[test]
    fn never_folds_letters_that_only_look_alike() {
        assert_ne!(applied("lower", "А"), applied("lower", "A"), "Cyrillic А is not Latin A");
    }
}
