//! Reads one JSON value, checks all of it, and delivers the members that were asked for.
//!
//! Numbers keep their exact text, and so do objects and arrays. The value is checked to its last byte: a record that is not JSON must not
//! be half used.

use super::escapes::unescape;
use super::marks::string_stop;
use super::pointer::{Columns, Node};
use crate::domain::record::Cell;

/// Containers within containers: deeper ones are made to break parsers.
const MOST_DEPTH: u32 = 128;

/// What is wrong with a JSON text, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) at: usize,
    pub(super) what: &'static str,
}

/// Reads values of one text, one after the other.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The text up to where the value must end.
    bytes: &'a [u8],
    at: usize,
    depth: u32,
    columns: &'a Columns,
}

/// Where the cells of a record go.
pub(super) struct Cells<'a> {
    pub(super) cells: &'a mut [Cell],
    pub(super) scratch: &'a mut String,
}

/// A string as it stands in the text, without its quotes.
#[derive(Clone, Copy)]
struct Quoted {
    from: usize,
    to: usize,
    escapes: Escapes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    None,
    Some,
}

type Read<T> = Result<T, Malformed>;

impl<'a> Cursor<'a> {
    /// Over the bytes from `at` to `end` of `text`.
    pub(super) fn new(text: &'a str, at: usize, end: usize, columns: &'a Columns) -> Self {
        let bytes = text.as_bytes().get(..end).unwrap_or(text.as_bytes());
        Self { text, bytes, at, depth: 0, columns }
    }

    /// The next value, which must be an object; its members go to `cells`. Returns where it ends.
    pub(super) fn record(&mut self, cells: &mut Cells<'_>) -> Read<usize> {
        self.blanks();
        if self.peek() != Some(b'{') {
            return Err(self.wrong("it is not an object"));
        }
        self.object(self.columns.root(), cells)?;
        Ok(self.at)
    }

    /// Fails unless nothing but blanks is left.
    pub(super) fn finish(&mut self) -> Read<()> {
        self.blanks();
        if self.at < self.bytes.len() { Err(self.wrong("there is more text after the value")) } else { Ok(()) }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn wrong(&self, what: &'static str) -> Malformed {
        Malformed {
            at: self.at.min(self.bytes.len()),
            what: if self.at >= self.bytes.len() { "it ends too early" } else { what },
        }
    }

    #[inline]
    fn eat(&mut self, byte: u8, what: &'static str) -> Read<()> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.wrong(what))
        }
    }

    /// A value; where `node` is one, its cells are filled.
    #[inline]
    fn value(&mut self, node: Option<&Node>, cells: &mut Cells<'_>) -> Read<()> {
        let from = self.at;
        match node {
            None => self.skip(cells),
            Some(node) => {
                // Of members with one name the last counts, wholly: nothing of the former stays.
                for slot in node.below() {
                    cells.set(*slot, Cell::Missing);
                }
                match self.peek() {
                    Some(b'"') => {
                        let quoted = self.string()?;
                        cells.set_all(node, |cells| cells.string(self.text, quoted));
                    }
                    Some(b'{') => {
                        self.object(Some(node).filter(|node| node.has_members()), cells)?;
                        cells.set_all(node, |_| block_cell(from, self.at));
                    }
                    Some(b'[') => {
                        self.array(Some(node).filter(|node| node.has_members()), cells)?;
                        cells.set_all(node, |_| block_cell(from, self.at));
                    }
                    Some(b'n') => self.word(b"null")?,
                    _ => {
                        self.skip(cells)?;
                        cells.set_all(node, |_| block_cell(from, self.at));
                    }
                }
                Ok(())
            }
        }
    }

    #[inline]
    fn skip(&mut self, cells: &mut Cells<'_>) -> Read<()> {
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'{') => self.object(None, cells),
            Some(b'[') => self.array(None, cells),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            _ => Err(self.wrong("a value was expected")),
        }
    }

    fn object(&mut self, node: Option<&Node>, cells: &mut Cells<'_>) -> Read<()> {
        self.open()?;
        if self.peek() == Some(b'}') {
            return self.close();
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a member name in quotes was expected"));
            }
            let name = self.string()?;
            self.blanks();
            self.eat(b':', "a colon was expected")?;
            self.blanks();
            let member = node.and_then(|node| self.member(node, name));
            self.value(member, cells)?;
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => return self.close(),
                _ => return Err(self.wrong("a comma or a closing brace was expected")),
            }
            self.blanks();
        }
    }

    fn array(&mut self, node: Option<&Node>, cells: &mut Cells<'_>) -> Read<()> {
        self.open()?;
        if self.peek() == Some(b']') {
            return self.close();
        }
        for index in 0.. {
            let element = node.and_then(|node| node.element(index)).and_then(|element| self.columns.node(element));
            self.value(element, cells)?;
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => return self.close(),
                _ => return Err(self.wrong("a comma or a closing bracket was expected")),
            }
            self.blanks();
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.wrong("it is nested more than 128 deep"));
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    #[inline]
    fn close(&mut self) -> Read<()> {
        self.depth -= 1;
        self.at += 1;
        Ok(())
    }

    /// The child of `node` that a member name calls.
    #[inline]
    fn member(&self, node: &Node, name: Quoted) -> Option<&'a Node> {
        let raw = self.text.get(name.from..name.to)?;
        let child = match name.escapes {
            Escapes::None => node.member(raw)?,
            Escapes::Some => {
                let mut plain = String::new();
                unescape(raw, &mut plain);
                node.member(&plain)?
            }
        };
        self.columns.node(child)
    }

    #[inline]
    fn word(&mut self, word: &[u8]) -> Read<()> {
        let found = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if !found {
            return Err(self.wrong("a value was expected"));
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Read<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.wrong("a digit was expected")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(())
    }

    #[inline]
    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Read<()> {
        let from = self.at;
        self.digits();
        if self.at == from { Err(self.wrong("a digit was expected")) } else { Ok(()) }
    }

    /// A string, its escapes checked.
    #[inline]
    fn string(&mut self) -> Read<Quoted> {
        let from = self.at + 1;
        let mut escapes = Escapes::None;
        self.at = from;
        loop {
            let Some((at, byte)) = string_stop(self.bytes, self.at) else {
                self.at = self.bytes.len();
                return Err(self.wrong("it ends too early"));
            };
            self.at = at;
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(Quoted { from, to: at, escapes });
                }
                b'\\' => {
                    escapes = Escapes::Some;
                    self.escape()?;
                }
                _ => return Err(self.wrong("a string holds a raw control character")),
            }
        }
    }

    #[inline]
    fn escape(&mut self) -> Read<()> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => self.unicode()?,
            _ => return Err(self.wrong("an escape is unknown")),
        }
        Ok(())
    }

    fn unicode(&mut self) -> Read<()> {
        let pair = match self.code_unit()? {
            0xD800..=0xDBFF => {
                self.eat(b'\\', "half a surrogate pair stands alone")?;
                (0xDC00..=0xDFFF).contains(&self.code_unit()?)
            }
            0xDC00..=0xDFFF => false,
            _ => true,
        };
        if pair { Ok(()) } else { Err(self.wrong("half a surrogate pair stands alone")) }
    }

    fn code_unit(&mut self) -> Read<u32> {
        self.eat(b'u', "half a surrogate pair stands alone")?;
        let digits = self.text.get(self.at..self.at + 4).filter(|_| self.at + 4 <= self.bytes.len());
        let unit = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = unit.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.wrong("four hexadecimal digits were expected"))?;
        self.at += 4;
        Ok(unit)
    }
}

impl Cells<'_> {
    #[inline]
    pub(super) fn set(&mut self, slot: usize, cell: Cell) {
        if let Some(place) = self.cells.get_mut(slot) {
            *place = cell;
        }
    }

    #[inline]
    fn set_all(&mut self, node: &Node, make: impl Fn(&mut Self) -> Cell) {
        for slot in node.slots() {
            let cell = make(self);
            self.set(*slot, cell);
        }
    }

    #[inline]
    fn string(&mut self, text: &str, quoted: Quoted) -> Cell {
        match quoted.escapes {
            _ if quoted.from == quoted.to => Cell::Missing,
            Escapes::None => block_cell(quoted.from, quoted.to),
            Escapes::Some => self.added(|scratch| unescape(text.get(quoted.from..quoted.to).unwrap_or_default(), scratch)),
        }
    }

    /// A cell of what `write` adds to the scratch text.
    #[inline]
    pub(super) fn added(&mut self, write: impl FnOnce(&mut String)) -> Cell {
        let from = self.scratch.len();
        write(self.scratch);
        Cell::Scratch { from: from as u32, to: self.scratch.len() as u32 }
    }
}

/// Blocks are shorter than 2^20 bytes: nothing is cut off.
#[inline]
fn block_cell(from: usize, to: usize) -> Cell {
    Cell::Block { from: from as u32, to: to as u32 }
}
