//! Untrusted text made visible: nothing a log says can move the cursor, hide, or reorder what a reader sees.

use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Combining marks that one character may carry; a taller tower would cover the lines above it.
const MARKS: usize = 4;

/// True for characters that have no look of their own: C0, DEL, C1, bidi controls, zero-width and other format characters,
/// fillers, variation selectors, tags, line and paragraph separators, noncharacters.
///
/// Source: Unicode 17, general categories Cc, Cf, Zl, Zp, the properties `Default_Ignorable_Code_Point` and
/// `Noncharacter_Code_Point`, and U+2800, which is a blank that is not a space. The joiner inside emoji is among them: an escape is uglier than a family of one glyph, but a name
/// that differs only in joiners must not look the same.
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\u{fdd0}'..='\u{fdef}'
    ) || u32::from(c) & 0xfffe == 0xfffe
}

/// The text with every hidden character as an escape, `\u{202e}`. Also escaped: a combining mark with nothing to stand on, and the
/// fifth and later marks on one character. For reading, not for reversing: a backslash stays a backslash.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    // Marks that the character before still takes.
    let mut room = 0;
    for c in text.chars() {
        let mark = c.width() == Some(0);
        if is_hidden(c) || (mark && room == 0) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", c as u32);
            room = 0;
        } else {
            shown.push(c);
            room = if mark { room - 1 } else { MARKS };
        }
    }
    Cow::Owned(shown)
}

/// Columns that visible text takes on a terminal.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { units(text).map(UnicodeWidthStr::width).sum() }
}

/// Visible text cut to at most `columns`, with `…` where something is missing.
pub fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    let mut kept = head(text, columns - 1).to_owned();
    kept.push('…');
    Cow::Owned(kept)
}

/// Visible text cut or filled up with blanks to exactly `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut padded = cut(text, columns).into_owned();
    padded.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(&padded))));
    padded
}

/// Visible text in lines of at most `columns` (taken as 2 where it is less), broken at blanks, and inside words that are longer.
/// At least one line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut rest = word;
        let room = columns.saturating_sub(width(&line) + 1);
        if !line.is_empty() && head(rest, room).len() < rest.len() {
            lines.push(std::mem::take(&mut line));
        }
        loop {
            let part = head(rest, columns);
            // Nothing fits only where a unit is wider than any line; it is then left for the page to cut.
            if part.is_empty() || part.len() == rest.len() {
                break;
            }
            lines.push(part.to_owned());
            rest = rest.get(part.len()..).unwrap_or_default();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(rest);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The longest start of the text that takes at most `columns`, never cut inside a unit; at least one unit when there is room for
/// the widest, which is 2.
fn head(text: &str, columns: usize) -> &str {
    let (mut end, mut used) = (0, 0);
    for unit in units(text) {
        used += UnicodeWidthStr::width(unit);
        if used > columns {
            break;
        }
        end += unit.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Pieces that must stay together: a character with its combining marks and its skin tone, a flag's two letters.
fn units(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let (_, first) = chars.next()?;
        let mut flag = is_flag_letter(first);
        let end = chars
            .find(|(_, c)| {
                let joins = c.width() == Some(0) || ('\u{1f3fb}'..='\u{1f3ff}').contains(c) || (flag && is_flag_letter(*c));
                flag &= !is_flag_letter(*c);
                !joins
            })
            .map_or(rest.len(), |(at, _)| at);
        let (unit, after) = rest.split_at(end);
        rest = after;
        Some(unit)
    })
}

fn is_flag_letter(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{1b}[31m\u{202e}b"), "a\\u{1b}[31m\\u{202e}b");
        assert_eq!(visible("Анна 漢字"), "Анна 漢字");
        assert_eq!(visible("\u{301}e\u{301}"), "\\u{301}e\u{301}");
        assert_eq!(visible(&format!("e{}", "\u{301}".repeat(5))), "e\u{301}\u{301}\u{301}\u{301}\\u{301}");
        assert_eq!(visible("a\nb\u{2028}"), "a\\u{a}b\\u{2028}");
        assert_eq!(visible("\u{ffff}\u{fdd0}\u{1fffe}"), "\\u{ffff}\\u{fdd0}\\u{1fffe}");
    }

    #[test]
    fn cuts_between_units() {
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("漢字漢字", 4), "漢…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(pad("漢字漢字", 6), "漢字… ");
        assert_eq!(pad("ab", 4), "ab  ");
    }

    #[test]
    fn wraps_at_blanks_and_inside_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("漢字", 1), ["漢", "字"]);
    }
}
