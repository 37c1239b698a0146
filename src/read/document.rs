//! JSON documents as a stream: where the records lie, and blocks cut between them.

use super::marks::string_stop;
use super::pointer::{array_index, tokens};
use super::walk::{After, Cut, Cutter};

/// Passes over one value, in as many pieces as it comes. It trusts the value to be JSON; the splitter checks that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skipper {
    within: Within,
    depth: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    /// Braces or brackets, by the one that opened: the other kind is not counted, so that one slip does not swallow the records
    /// after it.
    Container(u8, u8),
    String(Quoted, Option<(u8, u8)>),
    /// A number or a word.
    Scalar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoted {
    Plain,
    /// After a backslash.
    Escape,
}

impl Skipper {
    /// The byte after the value's end, when it ends in `text`.
    pub(super) fn pass(&mut self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = text.get(at).copied() {
            match self.within {
                Within::Nothing => {
                    self.within = match byte {
                        b'{' => Within::Container(b'{', b'}'),
                        b'[' => Within::Container(b'[', b']'),
                        b'"' => Within::String(Quoted::Plain, None),
                        _ => Within::Scalar,
                    };
                    self.depth = 1;
                    at += 1;
                }
                Within::Container(open, close) => {
                    let rest = text.get(at..)?;
                    let stop = rest.iter().position(|byte| *byte == b'"' || *byte == open || *byte == close)?;
                    let byte = *rest.get(stop)?;
                    at += stop + 1;
                    if byte == b'"' {
                        self.within = Within::String(Quoted::Plain, Some((open, close)));
                    } else if byte == open {
                        self.depth += 1;
                    } else if byte == close {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Some(at);
                        }
                    }
                }
                Within::String(Quoted::Escape, around) => {
                    at += 1;
                    self.within = Within::String(Quoted::Plain, around);
                }
                Within::String(Quoted::Plain, around) => {
                    let (stop, byte) = string_stop(text, at)?;
                    at = stop + 1;
                    self.within = match (byte, around) {
                        (b'"', None) => return Some(at),
                        (b'"', Some((open, close))) => Within::Container(open, close),
                        (b'\\', _) => Within::String(Quoted::Escape, around),
                        // A raw control character: the splitter will object to it.
                        _ => self.within,
                    };
                }
                Within::Scalar => match byte {
                    b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n' => return Some(at),
                    _ => at += 1,
                },
            }
        }
        None
    }
}

/// The first byte at or after `from` that neither is blank nor parts elements.
pub(super) fn element_start(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',')).map(|at| from + at)
}

/// As [`element_start`], on from an array that ends to one that begins right after it: hooks append each call's array to one file.
pub(super) fn next_element(text: &[u8], from: usize) -> Option<usize> {
    let mut start = element_start(text, from)?;
    while text.get(start) == Some(&b']')
        && let Some(next) = element_start(text, start + 1)
        && text.get(next) == Some(&b'[')
    {
        start = element_start(text, next + 1)?;
    }
    Some(start)
}

/// Where the records of a document are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Records {
    /// Elements of an array within so many other containers.
    Array { around: u64 },
    /// Objects one after the other.
    Roots,
}

/// Cuts between elements.
pub(super) struct ElementCutter {
    records: Records,
    skipper: Skipper,
    /// Containers that are still open after the last record; None while records come.
    rest: Option<Rest>,
}

struct Rest {
    open: u64,
    within: Option<Quoted>,
}

impl ElementCutter {
    pub(super) fn new(records: Records) -> Self {
        Self { records, skipper: Skipper::default(), rest: None }
    }
}

impl Cutter for ElementCutter {
    fn cut(&mut self, text: &[u8], after: After) -> Cut {
        let mut at = 0;
        loop {
            let is_outermost = self.records == Records::Array { around: 0 };
            let next = if is_outermost { next_element(text, at) } else { element_start(text, at) };
            let Some(start) = next else {
                return if after == After::End { Cut::Last(text.len()) } else { Cut::At(text.len()) };
            };
            if let Records::Array { around } = self.records
                && text.get(start) == Some(&b']')
            {
                // Another array may come with more text; the end of this one and its beginning must stand in one block.
                if is_outermost && after != After::End && element_start(text, start + 1).is_none() {
                    match (start, after) {
                        (1.., _) => return Cut::At(start),
                        (0, After::More) => return Cut::Oversize,
                        (0, _) => {}
                    }
                }
                self.rest = Some(Rest { open: around + 1, within: None });
                return Cut::Last(start);
            }
            let mut skipper = Skipper::default();
            match skipper.pass(text.get(start..).unwrap_or_default()) {
                Some(length) => at = start + length,
                None if after == After::End => return Cut::Last(text.len()),
                None if start > 0 || after == After::Fault => return Cut::At(start),
                None => {
                    self.skipper = skipper;
                    return Cut::Oversize;
                }
            }
        }
    }

    fn pass(&mut self, text: &[u8]) -> Option<usize> {
        self.skipper.pass(text)
    }

    fn check_rest(&mut self, text: &[u8]) -> Result<(), String> {
        let Records::Array { .. } = self.records else { return Ok(()) };
        let Some(rest) = &mut self.rest else { return Err("the array of records does not end".to_owned()) };
        if text.is_empty() {
            return if rest.open == 0 { Ok(()) } else { Err("the object around the records does not end".to_owned()) };
        }
        for byte in text {
            match (rest.within, byte) {
                (Some(Quoted::Escape), _) => rest.within = Some(Quoted::Plain),
                (Some(Quoted::Plain), b'\\') => rest.within = Some(Quoted::Escape),
                (Some(Quoted::Plain), b'"') => rest.within = None,
                (Some(Quoted::Plain), _) | (None, b' ' | b'\t' | b'\r' | b'\n') => {}
                (None, _) if rest.open == 0 => {
                    return Err("more text comes after the document that holds the records; make it one document".to_owned());
                }
                (None, b'"') => rest.within = Some(Quoted::Plain),
                (None, b'{' | b'[') => rest.open += 1,
                (None, b'}' | b']') => rest.open -= 1,
                (None, _) => {}
            }
        }
        Ok(())
    }
}

/// What looking for an array of records in the front of a document came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Located {
    /// The array's first element may start at `start`.
    Found {
        start: usize,
        around: u64,
    },
    /// The front is too short to tell.
    NeedsMore,
    Absent,
}

/// Looks for the array at a pointer.
pub(super) fn locate(text: &[u8], pointer: &str) -> Located {
    let mut walker = Walker { text, at: 0 };
    let mut around = 0;
    for token in tokens(pointer) {
        match walker.enter(&token) {
            Some(true) => around += 1,
            Some(false) => return Located::Absent,
            None => return Located::NeedsMore,
        }
    }
    match walker.peek() {
        Some(b'[') => Located::Found { start: walker.at + 1, around },
        Some(_) => Located::Absent,
        None => Located::NeedsMore,
    }
}

/// The arrays that the front of a document shows in its first value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrays {
    /// Pointers to the arrays of objects, and to empty arrays of the root object; those of the value itself before those within it.
    pub(super) pointers: Vec<String>,
    /// The byte after the value, when it ends in the front.
    pub(super) end: Option<usize>,
}

/// Objects within objects in which arrays of records are looked for: GraphQL answers keep theirs four deep.
const MOST_AROUND: usize = 4;

/// The arrays of the first value of a text.
pub(super) fn arrays(text: &[u8]) -> Arrays {
    let mut walker = Walker { text, at: 0 };
    let mut found = Vec::new();
    match walker.peek() {
        Some(b'[') => Arrays { pointers: vec![String::new()], end: None },
        Some(b'{') => {
            let end = walker.members("", 1, &mut found).map(|()| walker.at);
            found.sort_by_key(|pointer| depth(pointer));
            Arrays { pointers: found, end }
        }
        _ => Arrays::default(),
    }
}

/// Containers around what a pointer points to.
pub(super) fn depth(pointer: &str) -> usize {
    pointer.matches('/').count()
}

struct Walker<'a> {
    text: &'a [u8],
    at: usize,
}

impl Walker<'_> {
    /// The next byte that is neither blank nor a comma.
    fn peek(&mut self) -> Option<u8> {
        self.at = element_start(self.text, self.at)?;
        self.text.get(self.at).copied()
    }

    fn skip(&mut self) -> Option<()> {
        self.peek()?;
        self.at += Skipper::default().pass(self.text.get(self.at..)?)?;
        Some(())
    }

    /// The next member's name; then its value comes. None at the object's end, or where the text ends or is no JSON.
    fn name(&mut self) -> Option<String> {
        if self.peek()? != b'"' {
            return None;
        }
        let from = self.at;
        self.skip()?;
        let name = serde_json::from_slice(self.text.get(from..self.at)?).ok()?;
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        self.peek()?;
        Some(name)
    }

    /// Passes over the object at hand and notes the arrays in it. None where the text ends or is no JSON.
    fn members(&mut self, pointer: &str, depth: usize, arrays: &mut Vec<String>) -> Option<()> {
        self.at += 1;
        while let Some(name) = self.name() {
            let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
            match self.peek()? {
                b'{' if depth < MOST_AROUND => self.members(&pointer, depth + 1, arrays)?,
                b'[' => {
                    let first = element_start(self.text, self.at + 1).and_then(|at| self.text.get(at));
                    if first == Some(&b'{') || (first == Some(&b']') && depth == 1) {
                        arrays.push(pointer);
                    }
                    self.skip()?;
                }
                _ => self.skip()?,
            }
        }
        (self.peek()? == b'}').then(|| self.at += 1)
    }

    /// Steps into the member or element that `token` names: true when it is there, None when the text is too short.
    fn enter(&mut self, token: &str) -> Option<bool> {
        let kind = self.peek()?;
        self.at += 1;
        match kind {
            b'{' => loop {
                match self.name() {
                    Some(name) if name == token => return Some(true),
                    Some(_) => self.skip()?,
                    None => return self.peek().map(|_| false),
                }
            },
            b'[' => {
                let Some(index) = array_index(token) else { return Some(false) };
                for _ in 0..index {
                    if self.peek()? == b']' {
                        return Some(false);
                    }
                    self.skip()?;
                }
                Some(self.peek()? != b']')
            }
            _ => Some(false),
        }
    }
}
