//! `upper`: upper case, letter by letter.

use super::Plain;

pub const UPPER: Plain = Plain { name: "upper", meaning: "letters are upper case", apply, keeps };

/// ASCII without a letter of the other case.
fn keeps(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_lowercase())
}

fn apply(value: &str, out: &mut String) {
    if value.is_ascii() {
        out.push_str(value);
        out.make_ascii_uppercase();
    } else {
        out.extend(value.chars().flat_map(char::to_uppercase));
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn raises_every_script() {
        assert_eq!(applied("upper", "inv-7"), "INV-7");
        assert_eq!(applied("upper", "счёт straße"), "СЧЁТ STRASSE");
    }
}
