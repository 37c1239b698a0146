//! The `json` format: the types of `domain::report`, pretty-printed in the order of their fields; no string holds a card number.

use super::indented::Indented;
use super::mask::{FEWEST_DIGITS, cards};
use super::safe::is_hidden;
use super::{Out, Told};
use crate::domain::report::{Report, ScanResult};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

/// Findings that are rendered before the first of them is written: enough to share out, little memory.
const AT_ONCE: usize = 1024;
/// Findings that one thread renders at a time.
const PIECE: usize = 32;
/// Bytes of a usual finding.
const USUAL_BYTES: usize = 5 << 10;

pub(super) fn write(told: &Told<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let Report { schema, result, windows, nights, run } = &told.frame;
    let ScanResult { ledger, nightly, totals, sources, rules, health, batches, incidents, notes, findings: _, actors } = result;
    let mut page = Page { out, layout: Indented::default(), first: true };
    page.open()?;
    page.member("schema", schema)?;
    page.name("result")?;
    page.open()?;
    page.member("ledger", ledger)?;
    if let Some(nightly) = nightly {
        page.member("nightly", nightly)?;
    }
    page.member("totals", totals)?;
    page.member("sources", sources)?;
    page.member("rules", rules)?;
    page.member("health", health)?;
    page.member("batches", batches)?;
    page.member("incidents", incidents)?;
    page.member("notes", notes)?;
    page.member("actors", actors)?;
    page.name("findings")?;
    page.findings(told)?;
    page.close()?;
    if !windows.is_empty() {
        page.member("windows", windows)?;
    }
    if !nights.is_empty() {
        page.member("nights", nights)?;
    }
    page.member("run", run)?;
    page.close()?;
    out.write_all(b"\n")
}

/// The document, whose outer levels are written by hand, so that all threads can render the findings within.
struct Page<'p, 'o> {
    out: &'p mut Out<'o>,
    layout: Indented,
    /// No member of the open object was written yet.
    first: bool,
}

impl Page<'_, '_> {
    fn open(&mut self) -> io::Result<()> {
        self.first = true;
        self.layout.begin_object(self.out)
    }

    fn close(&mut self) -> io::Result<()> {
        self.first = false;
        self.layout.end_object(self.out)?;
        self.layout.end_object_value(self.out)
    }

    fn name(&mut self, name: &str) -> io::Result<()> {
        self.layout.begin_object_key(self.out, std::mem::take(&mut self.first))?;
        write!(self.out, "\"{name}\"")?;
        self.layout.end_object_key(self.out)?;
        self.layout.begin_object_value(self.out)
    }

    fn member<T: Serialize>(&mut self, name: &str, member: &T) -> io::Result<()> {
        self.name(name)?;
        value(member, self.layout, self.out)?;
        self.layout.end_object_value(self.out)
    }

    fn findings(&mut self, told: &Told<'_>) -> io::Result<()> {
        self.layout.begin_array(self.out)?;
        let all = told.unmasked().result.findings.len();
        for from in (0..all).step_by(AT_ONCE) {
            let pieces: Vec<usize> = (from..all.min(from + AT_ONCE)).step_by(PIECE).collect();
            let render = |from: &usize| rendered(told, *from..all.min(from + PIECE), self.layout);
            let pieces: Vec<io::Result<Vec<u8>>> = pieces.par_iter().map(render).collect();
            pieces.into_iter().try_for_each(|piece| self.out.write_all(&piece?))?;
            // A list that holds something closes on a line of its own.
            self.layout.end_array_value(self.out)?;
        }
        self.layout.end_array(self.out)?;
        self.layout.end_object_value(self.out)
    }
}

/// Some findings, laid out as they stand in the document.
fn rendered(told: &Told<'_>, places: Range<usize>, mut layout: Indented) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(places.len() * USUAL_BYTES);
    let mut first = places.start == 0;
    let mut masker = told.masker();
    for finding in told.unmasked().result.findings.within(places) {
        layout.begin_array_value(&mut bytes, std::mem::take(&mut first))?;
        value(&*masker.finding(&finding), layout, &mut bytes)?;
    }
    Ok(bytes)
}

/// Writes a value as a document of its own, pretty-printed.
pub(super) fn document<T: Serialize>(one: &T, out: &mut Out<'_>) -> io::Result<()> {
    value(one, Indented::default(), out)?;
    out.write_all(b"\n")
}

/// Writes a value on one line.
pub(super) fn line<T: Serialize>(one: &T, out: &mut Out<'_>) -> io::Result<()> {
    value(one, CompactFormatter, out)?;
    out.write_all(b"\n")
}

/// SHA-256 of a value as [`line`] writes it, without the line's end.
pub(super) fn sha256<T: Serialize>(one: &T) -> io::Result<String> {
    let mut digest = Digesting(Sha256::new());
    value(one, CompactFormatter, &mut digest)?;
    Ok(digest.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A writer that keeps nothing but the digest.
struct Digesting(Sha256);

impl Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value as JSON in one piece.
pub(super) fn text<T: Serialize>(one: &T) -> io::Result<String> {
    let mut bytes = Vec::new();
    value(one, CompactFormatter, &mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn value<T: Serialize>(value: &T, layout: impl Formatter, out: &mut impl Write) -> io::Result<()> {
    let formatter = SafeStrings { layout, text: String::new() };
    value.serialize(&mut Serializer::with_formatter(out, formatter)).map_err(io::Error::from)
}

/// Lays out JSON as `layout` does, and looks at every string as a whole before it is written: card numbers lose their middle, and hidden
/// characters become `\u` escapes, which changes nothing for a parser and everything for a terminal.
struct SafeStrings<F> {
    layout: F,
    /// The string being written, unescaped.
    text: String,
}

impl<F: Formatter> Formatter for SafeStrings<F> {
    fn begin_string<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.text.clear();
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, _: &mut W, fragment: &str) -> io::Result<()> {
        self.text.push_str(fragment);
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, _: &mut W, escape: CharEscape) -> io::Result<()> {
        self.text.push(match escape {
            CharEscape::Quote => '"',
            CharEscape::ReverseSolidus => '\\',
            CharEscape::Solidus => '/',
            CharEscape::Backspace => '\u{8}',
            CharEscape::FormFeed => '\u{c}',
            CharEscape::LineFeed => '\n',
            CharEscape::CarriageReturn => '\r',
            CharEscape::Tab => '\t',
            CharEscape::AsciiControl(byte) => char::from(byte),
        });
        Ok(())
    }

    fn end_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\"")?;
        if is_harmless(&self.text) {
            out.write_all(self.text.as_bytes())?;
        } else {
            out.write_all(escaped(&cards(&self.text)).as_bytes())?;
        }
        out.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_object_value(out)
    }
}

/// True only for texts that [`escaped`] and [`cards`] leave as they are; for nearly all of these, and told in one go.
fn is_harmless(text: &str) -> bool {
    // Without an early end, so that many bytes are looked at in one step.
    let plain = text.bytes().fold(true, |plain, byte| plain & is_plain(byte));
    plain && (text.len() < FEWEST_DIGITS || text.bytes().filter(u8::is_ascii_digit).count() < FEWEST_DIGITS)
}

/// A visible character of ASCII or a blank that stands in a JSON string as it is.
fn is_plain(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) & (byte != b'"') & (byte != b'\\')
}

/// The inside of a JSON string (RFC 8259, section 7), hidden characters escaped too.
fn escaped(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_texts_are_left_as_they_are() {
        let texts = [
            "",
            "a b",
            "c-17 ~",
            "411111111111",
            "4111111111111111",
            "say \"no\"",
            "back\\slash",
            "\u{7f}",
            "\u{1f}",
            "ёж",
            "４１１１",
        ];
        for text in texts {
            let is_kept = escaped(&cards(text)) == text;
            assert!(!is_harmless(text) || is_kept, "{text}");
        }
        assert!(is_harmless("c-17 ~") && !is_harmless("4111111111111111"));
    }
}
