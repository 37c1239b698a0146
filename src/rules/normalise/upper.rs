//! `upper`: upper case, letter by letter.

use super::Plain;

pub const UPPER: Plain = Plain {
    name: "upper",
    meaning: "letters are upper case",
    apply,
};

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
