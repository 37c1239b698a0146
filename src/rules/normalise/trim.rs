//! `trim`: white space at both ends.

use super::Plain;

pub const TRIM: Plain = Plain { name: "trim", meaning: "white space at both ends is dropped", apply, keeps };

/// Nothing but visible ASCII at both ends.
fn keeps(value: &str) -> bool {
    let bytes = value.as_bytes();
    matches!((bytes.first(), bytes.last()), (Some(first), Some(last)) if first.is_ascii_graphic() && last.is_ascii_graphic())
}

fn apply(value: &str, out: &mut String) {
    out.push_str(value.trim());
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn drops_white_space_at_the_ends_only() {
        assert_eq!(applied("trim", " \tсчёт 7\u{a0}\n"), "счёт 7");
        assert_eq!(applied("trim", "a b"), "a b");
    }
}
