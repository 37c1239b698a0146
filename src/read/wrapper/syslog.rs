//! Heads of syslog messages: RFC 5424, RFC 3164, and as daemons write either to files, without the priority.

use super::{Opened, Outside, Piece, Stream, cell};
use crate::domain::record::Cell;
use std::ops::Range;

pub(super) fn open(text: &str, line: Range<usize>, outside: &mut Outside<'_>) -> Option<Opened> {
    let mut head = Head { text: text.get(..line.end)?, at: line.start };
    let has_priority = head.priority()?;
    if has_priority && head.rest().starts_with("1 ") {
        head.at += 2;
        head.structured(outside)?;
    } else {
        head.plain(has_priority, outside)?;
    }
    let message = head.at.min(line.end)..line.end;
    Some(Opened { message: cell(message), piece: Piece::Last, stream: Stream::Output })
}

/// What is left of a line's head.
struct Head<'t> {
    /// Up to the end of the line.
    text: &'t str,
    at: usize,
}

impl<'t> Head<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// `<34>`: true when there is one, None when what looks like one is none.
    fn priority(&mut self) -> Option<bool> {
        let Some(rest) = self.rest().strip_prefix('<') else { return Some(false) };
        let (number, _) = rest.split_once('>')?;
        // Facilities go to 23, severities to 7.
        number.parse().ok().filter(|number: &u8| *number <= 191)?;
        self.at += number.len() + 2;
        Some(true)
    }

    /// The next word and the blank after it.
    fn word(&mut self) -> Option<Range<usize>> {
        let rest = self.rest();
        let length = rest.find(' ').unwrap_or(rest.len());
        let word = self.at..self.at + length;
        self.at = (word.end + 1).min(self.text.len());
        Some(word).filter(|word| !word.is_empty())
    }

    /// RFC 5424: time, host, program, process, kind of message, structured data; `-` where there is none.
    fn structured(&mut self, outside: &mut Outside<'_>) -> Option<()> {
        for name in ["@time", "@host", "@app", "@pid", "@msgid"] {
            let word = self.word()?;
            let is_nil = self.text.get(word.clone()) == Some("-");
            outside.put_range(name, if is_nil { 0..0 } else { word });
        }
        if self.rest().starts_with('-') {
            self.at += 1;
        } else {
            self.data(outside)?;
        }
        let rest = self.rest();
        let message = rest.strip_prefix(' ').unwrap_or(rest);
        self.at = self.text.len() - message.strip_prefix('\u{feff}').unwrap_or(message).len();
        rest.is_empty().then_some(()).or_else(|| rest.starts_with(' ').then_some(()))
    }

    /// Elements such as `[id key="value" key="value"]`.
    fn data(&mut self, outside: &mut Outside<'_>) -> Option<()> {
        while self.rest().starts_with('[') {
            self.at += self.rest().find([' ', ']'])?;
            while self.rest().starts_with(' ') {
                self.at += 1;
                let (key, _) = self.rest().split_once("=\"")?;
                let name = format!("@sd.{key}");
                self.at += key.len() + 2;
                let value = self.value()?;
                let raw = self.text.get(value.clone())?;
                let cell = match raw.contains('\\') {
                    _ if value.is_empty() => Cell::Missing,
                    false => cell(value),
                    true => outside.cells.added(|scratch| unescape(raw, scratch)),
                };
                outside.put(&name, cell);
            }
            self.at += self.rest().strip_prefix(']').map(|_| 1)?;
        }
        Some(())
    }

    /// Up to the quote that closes it, which is passed.
    fn value(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        loop {
            self.at += self.rest().find(['"', '\\'])?;
            if self.rest().starts_with('"') {
                self.at += 1;
                return Some(from..self.at - 1);
            }
            self.at += 2;
        }
    }

    /// RFC 3164 `Mar  2 10:40:12 host tag[17]: `, or with an ISO 8601 time. Without a priority before it the tag must end in a colon: any
    /// line may begin with a time.
    fn plain(&mut self, has_priority: bool, outside: &mut Outside<'_>) -> Option<()> {
        let time = self.time()?;
        let host = self.word()?;
        let tag = self.tag();
        if tag.is_none() && !has_priority {
            return None;
        }
        outside.put_range("@time", time);
        outside.put_range("@host", host);
        if let Some((app, pid)) = tag {
            outside.put_range("@app", app);
            outside.put_range("@pid", pid);
        }
        Some(())
    }

    fn time(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        if is_month_and_time(self.rest()) {
            self.at += BSD_TIME.len() + 1;
            return Some(from..self.at - 1);
        }
        let word = self.word()?;
        let bytes = self.text.as_bytes().get(word.clone())?;
        let is_iso = bytes.first()?.is_ascii_digit() && bytes.get(10) == Some(&b'T') && bytes.get(13) == Some(&b':');
        is_iso.then_some(word)
    }

    /// `tag: ` or `tag[17]: `, where the line has one.
    fn tag(&mut self) -> Option<(Range<usize>, Range<usize>)> {
        let rest = self.rest();
        let (tag, message) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
        if tag.is_empty() || tag.contains(' ') {
            return None;
        }
        let from = self.at;
        self.at = self.text.len() - message.len();
        let end = from + tag.len();
        let process = tag.strip_suffix(']').and_then(|tag| tag.split_once('['));
        Some(match process {
            Some((app, pid)) => (from..from + app.len(), end - 1 - pid.len()..end - 1),
            None => (from..end, end..end),
        })
    }
}

/// What each place of such a time may be: a letter, a digit or blank, itself.
const BSD_TIME: &str = "aaa dd dd:dd:dd";

/// `Mar  2 10:40:12 `: the month in English, the day padded with a blank.
fn is_month_and_time(text: &str) -> bool {
    let fits = |(form, byte): (u8, u8)| match form {
        b'a' => byte.is_ascii_alphabetic(),
        b'd' => byte.is_ascii_digit() || byte == b' ',
        form => byte == form,
    };
    text.as_bytes().get(BSD_TIME.len()) == Some(&b' ') && BSD_TIME.bytes().zip(text.bytes()).all(fits)
}

/// A backslash stands before a quote, a backslash and a closing bracket.
fn unescape(raw: &str, out: &mut String) {
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        match (char, chars.clone().next()) {
            ('\\', Some(next @ ('"' | '\\' | ']'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(char),
        }
    }
}
