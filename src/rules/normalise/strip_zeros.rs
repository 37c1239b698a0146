//! `strip_zeros`: leading zeros of the value.

use super::Plain;

/// A value of nothing but zeros stays one zero. Zeros after a letter stay: `INV007` is not `INV7` everywhere.
pub const STRIP_ZEROS: Plain = Plain { name: "strip_zeros", meaning: "leading zeros are dropped", apply, keeps: super::never };

fn apply(value: &str, out: &mut String) {
    let rest = value.trim_start_matches('0');
    out.push_str(if rest.is_empty() && !value.is_empty() { "0" } else { rest });
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn drops_zeros_at_the_start_only() {
        assert_eq!(applied("strip_zeros", "000450"), "450");
        assert_eq!(applied("strip_zeros", "СЧ007"), "СЧ007");
    }

    #[test]
    fn zero_is_not_nothing() {
        assert_eq!(applied("strip_zeros", "000"), "0");
        assert_eq!(applied("strip_zeros", ""), "");
    }
}
