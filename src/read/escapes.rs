//! What the escapes of a JSON string stand for.

/// Adds the text that a checked string stands for.
pub(super) fn unescape(raw: &str, out: &mut String) {
    let mut units = Vec::new();
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        if !plain.is_empty() {
            flush(&mut units, out);
            out.push_str(plain);
        }
        let mut chars = escape.chars();
        let char = match chars.next() {
            Some('u') => {
                let digits = escape.get(1..5).unwrap_or_default();
                units.extend(u16::from_str_radix(digits, 16));
                rest = escape.get(5..).unwrap_or_default();
                continue;
            }
            Some('b') => '\u{8}',
            Some('f') => '\u{C}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(other) => other,
            None => break,
        };
        flush(&mut units, out);
        out.push(char);
        rest = chars.as_str();
    }
    flush(&mut units, out);
    out.push_str(rest);
}

/// Code units gathered from `\u` escapes become characters together, for one character may take two.
fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.extend(char::decode_utf16(units.drain(..)).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)));
}
