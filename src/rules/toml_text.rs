//! Text as TOML writes it.

use std::fmt::Write;

/// A basic string of TOML, on one line: quotes, backslashes and control characters escaped, everything else as it is.
pub fn toml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // Writing to a String does not fail.
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::toml_text;

    #[test]
    fn any_text_comes_back() {
        for text in ["", "say \"x\" \\ y", "no\u{a0}break\u{200b}\u{feff}", "line\nend\r\t\0\u{7f}\u{85}", "'''", "ж表😀"] {
            let document = format!("x = {}", toml_text(text));
            let table: toml::Table = document.parse().unwrap_or_else(|error| panic!("{document:?}: {error}"));
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
