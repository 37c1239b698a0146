//! Writes translated records: one line each, its place in the original before it.

use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::spool::{Spool, SpoolWriter};
use std::io::{self, Write};
use std::path::Path;

/// The value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member<'a> {
    Text(&'a str),
    /// JSON as it stands: a number, an object.
    Json(&'a str),
}

/// The lines of one translation.
pub(super) struct Rows {
    file: String,
    out: SpoolWriter,
    line: Vec<u8>,
}

impl Rows {
    pub(super) fn new(file: &str, spool_folder: &Path) -> Self {
        Self { file: file.to_owned(), out: SpoolWriter::new(spool_folder), line: Vec::new() }
    }

    /// Writes a record. Its members' names are told apart by the caller.
    ///
    /// # Errors
    /// The temporary file cannot be written; so for all that follow.
    pub(super) fn record<'m>(
        &mut self,
        position: Position,
        members: impl IntoIterator<Item = (&'m str, Member<'m>)>,
    ) -> Result<(), OpenError> {
        self.start(position);
        self.line.push(b'{');
        for (index, (name, value)) in members.into_iter().enumerate() {
            if index > 0 {
                self.line.push(b',');
            }
            push_string(&mut self.line, name);
            self.line.push(b':');
            match value {
                Member::Text(text) => push_string(&mut self.line, text),
                // A line end outside of a string is a blank; within one it cannot stand.
                Member::Json(json) => self.line.extend(json.bytes().map(|byte| if byte < b' ' { b' ' } else { byte })),
            }
        }
        self.line.push(b'}');
        self.end()
    }

    /// Writes a record that is a JSON value already.
    pub(super) fn object(&mut self, position: Position, json: &str) -> Result<(), OpenError> {
        self.start(position);
        // A line end outside of a string is a blank; within one it cannot stand.
        self.line.extend(json.bytes().map(|byte| if byte < b' ' { b' ' } else { byte }));
        self.end()
    }

    /// Writes that a record cannot be used.
    pub(super) fn broken(&mut self, position: Position, reason: &str) -> Result<(), OpenError> {
        self.start(position);
        self.line.push(b'!');
        let plain: String = reason.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        self.line.extend_from_slice(plain.as_bytes());
        self.end()
    }

    /// Writes that a record was left out.
    pub(super) fn ignored(&mut self, position: Position) -> Result<(), OpenError> {
        self.start(position);
        self.line.push(b'-');
        self.end()
    }

    pub(super) fn finish(self) -> Result<Spool, OpenError> {
        let Self { file, out, .. } = self;
        out.finish().map_err(|error| trouble(file, &error))
    }

    fn start(&mut self, Position { number, lines: [first, last] }: Position) {
        self.line.clear();
        for count in [number, first, last] {
            self.line.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
            self.line.push(b'\t');
        }
    }

    fn end(&mut self) -> Result<(), OpenError> {
        self.line.push(b'\n');
        self.out.write_all(&self.line).map_err(|error| trouble(self.file.clone(), &error))
    }
}

fn trouble(file: String, error: &io::Error) -> OpenError {
    OpenError::Spool { file, reason: error.to_string() }
}

/// Adds a JSON string.
pub(super) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| *byte < b' ' || matches!(byte, b'"' | b'\\')) {
        out.extend_from_slice(text.as_bytes().get(from..at).unwrap_or_default());
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
        from = at + 1;
    }
    out.extend_from_slice(text.as_bytes().get(from..).unwrap_or_default());
    out.push(b'"');
}
