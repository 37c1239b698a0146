//! `phone`: one spelling for a telephone number.

use super::Plain;

/// A value with letters in it is no plain number and stays as it is: an extension must not melt into the number.
pub const PHONE: Plain = Plain {
    name: "phone",
    meaning: "a leading + and the digits are kept; the Russian 8XXXXXXXXXX becomes +7XXXXXXXXXX",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    let trimmed = value.trim();
    let plain = trimmed.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || "+()-–./".contains(c));
    if !plain || !trimmed.contains(|c: char| c.is_ascii_digit()) {
        out.push_str(value);
        return;
    }
    let digits = || trimmed.chars().filter(char::is_ascii_digit);
    if trimmed.starts_with(['+', '(']) && trimmed.trim_start_matches('(').starts_with('+') {
        out.push('+');
        out.extend(digits());
    } else if digits().count() == 11 && digits().next() == Some('8') {
        out.push_str("+7");
        out.extend(digits().skip(1));
    } else {
        out.extend(digits());
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn keeps_plus_and_digits() {
        assert_eq!(applied("phone", " +7 (495) 123-45-67"), "+74951234567");
        assert_eq!(applied("phone", "020 7946 0018"), "02079460018");
    }

    #[test]
    fn a_russian_eight_is_plus_seven() {
        assert_eq!(applied("phone", "8 495 123 45 67"), "+74951234567");
        assert_eq!(applied("phone", "+8 495 123 45 67"), "+84951234567", "+84 is Viet Nam");
        assert_eq!(applied("phone", "8 800 555"), "8800555");
    }

    #[test]
    fn letters_stay() {
        assert_eq!(applied("phone", "123 доб. 5"), "123 доб. 5");
    }
}
