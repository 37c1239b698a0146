//! Text between the tags of a page: blanks as browsers show them, entities as what they stand for.

/// Entities that exports use; what is not among them stays as it is written.
const NAMED: [(&str, char); 20] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("shy", '\u{ad}'),
    ("euro", '€'),
    ("pound", '£'),
    ("copy", '©'),
];
/// Bytes of the longest entity.
const LONGEST: usize = 10;

/// Adds a piece of text: blanks and line ends next to each other are one blank.
pub(super) fn push_text(raw: &str, out: &mut String) {
    let mut rest = raw;
    while let Some(char) = rest.chars().next() {
        if char.is_ascii_whitespace() {
            if !out.is_empty() && !out.ends_with([' ', '\n']) {
                out.push(' ');
            }
            rest = rest.trim_start_matches(|char: char| char.is_ascii_whitespace());
        } else if let Some((meant, length)) = rest.strip_prefix('&').and_then(entity) {
            out.push(meant);
            rest = rest.get(length + 1..).unwrap_or_default();
        } else {
            out.push(char);
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
        }
    }
}

/// What an entity stands for, and its bytes after the `&`.
fn entity(rest: &str) -> Option<(char, usize)> {
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = rest.get(..end)?;
    let meant = match name.strip_prefix('#') {
        Some(number) => {
            let hexadecimal = number.strip_prefix(['x', 'X']);
            let code = hexadecimal.map_or_else(|| number.parse(), |digits| u32::from_str_radix(digits, 16)).ok()?;
            char::from_u32(code).filter(|char| *char != '\0')?
        }
        None => NAMED.iter().find(|(known, _)| *known == name).map(|(_, char)| *char)?,
    };
    Some((meant, end + 1))
}
