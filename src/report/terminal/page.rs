//! The page: the one way to the terminal. Every text is masked, made visible and fitted to the width here, whoever wrote it.

use crate::report::mask::cards;
use crate::report::safe;
use crate::report::texts::Texts;
use crate::report::{Color, Style};
use std::io::{self, Write};

/// Narrower terminals get lines of this width; nothing can be read on less.
const NARROWEST: usize = 20;
/// Wider lines are hard to follow back to the next one.
const WIDEST: usize = 200;
/// About the most lines that one value gets; a payload of a megabyte is nothing to read on a terminal.
pub(super) const TALLEST: usize = 40;

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Heading,
    Faint,
    Good,
    Warning,
    Alarm,
}

impl Paint {
    /// Parameters of the SGR sequence (ECMA-48, 8.3.117); only the eight colours that every scheme keeps readable.
    fn sgr(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Heading => "1",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Warning => "33",
            Self::Alarm => "1;31",
        }
    }
}

/// One line in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pieces: Vec<(Paint, String)>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds text; it may come from a log.
    pub(super) fn with(mut self, paint: Paint, text: &str) -> Self {
        self.pieces.push((paint, shown(text)));
        self
    }

    pub(super) fn plain(self, text: &str) -> Self {
        self.with(Paint::Plain, text)
    }

    pub(super) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| safe::width(text)).sum()
    }
}

/// Any text as it may stand on a terminal: no card number, no hidden character.
pub(super) fn shown(text: &str) -> String {
    safe::visible(&cards(text)).into_owned()
}

pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    width: usize,
    color: Color,
    texts: &'static dyn Texts,
}

impl<'a> Page<'a> {
    pub(super) fn new(style: &Style, out: &'a mut dyn Write) -> Self {
        Self { out, width: style.width.clamp(NARROWEST, WIDEST), color: style.color, texts: style.texts() }
    }

    /// The sentences of the reader's language.
    pub(super) fn texts(&self) -> &'static dyn Texts {
        self.texts
    }

    /// Columns of a line, 20 to 200.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn blank(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }

    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.blank()?;
        self.line(&Line::new().with(Paint::Heading, text))
    }

    /// Writes a line, cut where it would be too wide; blanks at its end are left out.
    pub(super) fn line(&mut self, line: &Line) -> io::Result<()> {
        let mut room = self.width;
        let filled = line.pieces.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        let kept = filled.map_or(0, |last| last + 1);
        for (at, (paint, text)) in line.pieces.iter().enumerate().take(kept) {
            let text = if at + 1 == kept { text.trim_end() } else { text };
            let text = safe::cut(text, room);
            room -= safe::width(&text).min(room);
            let sgr = paint.sgr();
            if self.color == Color::On && !sgr.is_empty() && !text.is_empty() {
                write!(self.out, "\u{1b}[{sgr}m{text}\u{1b}[0m")?;
            } else {
                self.out.write_all(text.as_bytes())?;
            }
        }
        self.out.write_all(b"\n")
    }

    /// Writes text of any length after a lead; further lines are indented like the text. A lead that takes more than half of the
    /// width gets a line of its own.
    pub(super) fn hang(&mut self, lead: Line, paint: Paint, text: &str) -> io::Result<()> {
        let mut lead = lead;
        let mut indent = lead.width();
        if indent * 2 > self.width {
            self.line(&lead)?;
            indent = 4;
            lead = blanks(indent);
        }
        let columns = self.width - indent;
        for part in safe::wrap(&safe::cut(&shown(text), columns * TALLEST), columns) {
            self.line(&std::mem::replace(&mut lead, blanks(indent)).with(paint, &part))?;
        }
        Ok(())
    }

    /// Writes text of any length at an indent.
    pub(super) fn paragraph(&mut self, indent: usize, paint: Paint, text: &str) -> io::Result<()> {
        self.hang(blanks(indent), paint, text)
    }
}

fn blanks(count: usize) -> Line {
    Line::new().plain(&" ".repeat(count))
}
