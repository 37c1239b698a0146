//! Words that programs write where they have nothing, and that must never join two records.

/// The usual ones, as they stand in exports and logs: `null` of languages and databases, the dash of access logs and of people, what
/// spreadsheets and data frames show for a missing value.
const WORDS: [&str; 15] =
    ["null", "NULL", "Null", "(null)", "\\N", "-", "–", "—", "undefined", "None", "nil", "N/A", "n/a", "#N/A", "NaN"];

/// True when a text, blanks around it dropped, is one of the usual words for nothing.
///
/// An order `null` is no order: two payments that both name it have nothing in common. Only values that join records are asked: an
/// outcome `-` or an amount `N/A` means what its source says.
#[inline]
pub fn is_word_for_nothing(text: &str) -> bool {
    // Nearly every value is told by its first byte.
    match text.as_bytes().first() {
        Some(b'n' | b'N' | b'u' | b'(' | b'\\' | b'-' | b'#' | 0x80.. | ..=b' ') => is_listed(text.trim()),
        _ => false,
    }
}

fn is_listed(text: &str) -> bool {
    WORDS.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::{WORDS, is_word_for_nothing};

    #[test]
    fn words_for_nothing() {
        for word in WORDS {
            assert!(is_word_for_nothing(word), "{word}");
            assert!(is_word_for_nothing(&format!("\u{a0} {word} ")), "{word} between blanks");
        }
        for text in ["", " ", "0", "none of these", "nullable", "-1", "--x", "(null", "Nil", "№ 5", "N", "u"] {
            assert!(!is_word_for_nothing(text), "{text}");
        }
    }
}
