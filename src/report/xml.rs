//! Text inside XML: of elements and of attributes, in what is read by people and what is read by programs.

use super::mask::cards;
use super::safe;
use std::borrow::Cow;

/// Text that stays text in XML 1.0: no card number, hidden characters as escapes that can be seen (most of them XML forbids, and a file
/// that holds one is not read at all), markup as entities.
pub(super) fn text(value: &str) -> Cow<'_, str> {
    match cards(value) {
        Cow::Borrowed(plain) => entities(safe::visible(plain)),
        Cow::Owned(masked) => Cow::Owned(entities(safe::visible(&masked)).into_owned()),
    }
}

/// The text with markup as entities, everything else as it is.
pub(super) fn entities(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn nothing_becomes_markup_or_breaks_the_file() {
        assert_eq!(text("<a b='\"'>&]]>"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;]]&gt;");
        assert_eq!(text("\0\u{1b}\u{ffff}\n"), "\\u{0}\\u{1b}\\u{ffff}\\u{a}");
        assert_eq!(text("4000 0566 5566 5556 & Анна"), "4000 05** **** 5556 &amp; Анна");
    }
}
