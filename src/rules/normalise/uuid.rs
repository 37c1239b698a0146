//! `uuid`: one spelling for a UUID.

use super::{Plain, without_prefix};

/// A value that is no UUID stays as it is.
pub const UUID: Plain = Plain {
    name: "uuid",
    meaning: "letters are lower case, urn:uuid: and braces are dropped, hyphens stand at 8-4-4-4-12",
    apply,
    keeps: super::never,
};

fn apply(value: &str, out: &mut String) {
    let bare = without_prefix(value.trim(), "urn:uuid:");
    let bare = bare.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(bare);
    if !is_uuid(bare) {
        out.push_str(value);
        return;
    }
    for (place, digit) in bare.bytes().filter(|b| *b != b'-').enumerate() {
        if matches!(place, 8 | 12 | 16 | 20) {
            out.push('-');
        }
        out.push(char::from(digit.to_ascii_lowercase()));
    }
}

/// 32 hexadecimal digits, with all four hyphens or none.
fn is_uuid(text: &str) -> bool {
    match text.len() {
        32 => text.bytes().all(|b| b.is_ascii_hexdigit()),
        36 => text.bytes().enumerate().all(|(place, b)| match place {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn one_spelling_for_one_uuid() {
        let plain = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
        for spelling in [
            "{6F9619FF-8B86-D011-B42D-00CF4FC964FF}",
            "URN:UUID:6f9619ff-8b86-d011-b42d-00cf4fc964ff",
            "6F9619FF8B86D011B42D00CF4FC964FF",
        ] {
            assert_eq!(applied("uuid", spelling), plain);
        }
    }

    #[test]
    fn what_is_no_uuid_stays() {
        assert_eq!(applied("uuid", "{Заказ-7}"), "{Заказ-7}");
        assert_eq!(applied("uuid", "6F9619FF8B86-D011B42D00CF4FC964FF"), "6F9619FF8B86-D011B42D00CF4FC964FF");
    }
}
