//! `digits`: digits alone.

use super::Plain;

/// Digits of other scripts stay too: dropping them would make different numbers equal.
pub const DIGITS: Plain = Plain { name: "digits", meaning: "everything but digits is dropped", apply, keeps: super::never };

fn apply(value: &str, out: &mut String) {
    out.extend(value.chars().filter(|c| c.is_numeric()));
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn keeps_digits_of_every_script() {
        assert_eq!(applied("digits", "ИНН 77-01 / 5"), "77015");
        assert_eq!(applied("digits", "٣-٤"), "٣٤");
    }
}
