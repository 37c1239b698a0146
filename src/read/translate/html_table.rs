//! The tables of a page, read as browsers do: tags may be open or missing, and what is no table is passed over.

use super::html_text::push_text;
use super::tabular::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// A cell over more columns or rows than this was never meant.
const MOST_SPAN: usize = 1_000;

/// One table, without those within it.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// Numbers in cells that reach over several rows.
    pub(super) spanned: Vec<String>,
    /// The page ends within it.
    pub(super) is_cut_off: bool,
    open: Option<OpenRow>,
    /// Cells of rows above that reach down, by column: how many rows more, and what they say.
    down: BTreeMap<usize, (usize, Cell)>,
}

/// One row.
#[derive(Debug)]
pub(super) struct Row {
    /// Where it stands in the page.
    pub(super) bytes: Range<usize>,
    pub(super) cells: Vec<Cell>,
    /// The page ends within it.
    pub(super) is_cut_off: bool,
}

#[derive(Debug, Default)]
struct OpenRow {
    start: usize,
    cells: Vec<Cell>,
    open: Option<OpenCell>,
}

#[derive(Debug)]
struct OpenCell {
    text: String,
    across: usize,
    down: usize,
}

/// All tables in the order in which they begin; one within another is a table of its own.
pub(super) fn tables(page: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    // Places in `tables` of those that are open, the innermost last.
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_tag(page, at) {
        if let Some(table) = open.last().and_then(|place| tables.get_mut(*place)) {
            table.text(page.get(at..tag.bytes.start).unwrap_or_default());
        }
        at = tag.bytes.end;
        match (tag.name.as_str(), tag.closes) {
            ("table", false) => {
                open.push(tables.len());
                tables.push(Table::default());
            }
            ("table", true) => {
                if let Some(table) = open.pop().and_then(|place| tables.get_mut(place)) {
                    table.end_row(tag.bytes.start);
                }
            }
            ("script" | "style", false) => at = past_end(page, at, &tag.name),
            (_, closes) => {
                if let Some(table) = open.last().and_then(|place| tables.get_mut(*place)) {
                    table.tag(page, &tag, closes);
                }
            }
        }
    }
    for place in open {
        let Some(table) = tables.get_mut(place) else { continue };
        table.is_cut_off = true;
        let rest = table.open.take().filter(|row| row.open.is_some() || !row.cells.is_empty());
        if let Some(row) = rest {
            table.rows.push(Row { bytes: row.start..page.len(), cells: row.cells, is_cut_off: true });
        }
    }
    tables
}

impl Table {
    fn tag(&mut self, page: &str, tag: &Tag, closes: bool) {
        match (tag.name.as_str(), closes) {
            ("tr" | "row", false) => {
                self.end_row(tag.bytes.start);
                self.open = Some(OpenRow { start: tag.bytes.start, ..OpenRow::default() });
            }
            ("tr" | "row", true) => self.end_row(tag.bytes.end),
            ("thead" | "tbody" | "tfoot", _) => self.end_row(tag.bytes.start),
            ("td" | "th" | "cell", false) => {
                self.end_cell();
                let attribute = |name| tag.number(page, name);
                let span = |name| attribute(name).unwrap_or(1).clamp(1, MOST_SPAN);
                let row = self.open.get_or_insert_with(|| OpenRow { start: tag.bytes.start, ..OpenRow::default() });
                // SpreadsheetML leaves empty cells out and numbers the next.
                if let Some(index) = attribute("ss:index").filter(|index| (1..=MOST_SPAN).contains(index)) {
                    row.cells.resize(row.cells.len().max(index - 1), Cell::Empty);
                }
                row.open = Some(OpenCell { text: String::new(), across: span("colspan"), down: span("rowspan") });
            }
            ("td" | "th" | "cell", true) => self.end_cell(),
            ("br" | "p" | "div" | "li", _) => self.line_end(),
            _ => {}
        }
    }

    fn text(&mut self, raw: &str) {
        if let Some(cell) = self.open.as_mut().and_then(|row| row.open.as_mut()) {
            push_text(raw, &mut cell.text);
        }
    }

    fn line_end(&mut self) {
        if let Some(cell) = self.open.as_mut().and_then(|row| row.open.as_mut()) {
            let end = cell.text.trim_end_matches(' ').len();
            cell.text.truncate(end);
            if !cell.text.is_empty() && !cell.text.ends_with('\n') {
                cell.text.push('\n');
            }
        }
    }

    fn end_cell(&mut self) {
        let Some(row) = &mut self.open else { return };
        let Some(OpenCell { text, across, down }) = row.open.take() else { return };
        put_down(&mut self.down, &mut row.cells);
        let cell = Cell::of(text.trim().to_owned());
        if down > 1 && is_number(cell.text()) {
            self.spanned.push(cell.text().to_owned());
        }
        for place in 0..across {
            // What a wide cell says, it says once; what a high one says, it says in each row.
            let value = if place == 0 { cell.clone() } else { Cell::Empty };
            if down > 1 {
                self.down.insert(row.cells.len(), (down - 1, value.clone()));
            }
            row.cells.push(value);
        }
    }

    fn end_row(&mut self, end: usize) {
        self.end_cell();
        let Some(mut row) = self.open.take() else { return };
        put_down(&mut self.down, &mut row.cells);
        self.rows.push(Row { bytes: row.start..end, cells: row.cells, is_cut_off: false });
    }
}

/// True for digits with signs and marks around them, but no letters.
fn is_number(text: &str) -> bool {
    text.contains(|char: char| char.is_ascii_digit()) && !text.contains(char::is_alphabetic)
}

/// Adds the cells from above that stand next.
fn put_down(down: &mut BTreeMap<usize, (usize, Cell)>, cells: &mut Vec<Cell>) {
    while let Some((rows, cell)) = down.remove(&cells.len()) {
        if rows > 1 {
            down.insert(cells.len(), (rows - 1, cell.clone()));
        }
        cells.push(cell);
    }
}

/// One tag.
struct Tag {
    /// In lower case, without the name space of SpreadsheetML.
    name: String,
    closes: bool,
    bytes: Range<usize>,
    attributes: Vec<Attribute>,
}

/// An attribute of a tag, by the places of its name and of its value without quotes.
struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
}

impl Tag {
    /// A number that an attribute holds.
    fn number(&self, page: &str, name: &str) -> Option<usize> {
        let is_named = |found: &&Attribute| page.get(found.name.clone()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        let value = page.get(self.attributes.iter().find(is_named)?.value.clone())?.trim();
        value.get(..value.find(|char: char| !char.is_ascii_digit()).unwrap_or(value.len()))?.parse().ok()
    }
}

/// The next tag at or after a byte. Comments and declarations are passed over.
fn next_tag(page: &str, from: usize) -> Option<Tag> {
    let bytes = page.as_bytes();
    let mut at = from;
    loop {
        let start = at + memchr::memchr(b'<', bytes.get(at..)?)?;
        let rest = page.get(start + 1..)?;
        if rest.starts_with("!--") {
            at = page.get(start..)?.find("-->").map(|length| start + length + 3)?;
            continue;
        }
        let closes = rest.starts_with('/');
        let name_start = start + 1 + usize::from(closes);
        let name = page.get(name_start..)?;
        let name = name.get(..name.find(|char: char| !(char.is_ascii_alphanumeric() || char == ':'))?)?;
        if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
            // A bare `<` is text, and so is a declaration, outside of any cell.
            at = start + 1;
            continue;
        }
        let (attributes, end) = attributes(bytes, name_start + name.len())?;
        let name = name.strip_prefix("ss:").unwrap_or(name).to_ascii_lowercase();
        return Some(Tag { name, closes, bytes: start..end, attributes });
    }
}

/// The attributes of a tag whose name ends at `from`, and the byte after the `>` that ends it. A quote counts where a value begins and
/// nowhere else: `title=O'Brien`.
fn attributes(bytes: &[u8], from: usize) -> Option<(Vec<Attribute>, usize)> {
    let stop = |from: usize, is_stop: &dyn Fn(u8) -> bool| {
        bytes.get(from..)?.iter().position(|byte| is_stop(*byte)).map(|length| from + length)
    };
    let mut attributes = Vec::new();
    let mut at = from;
    loop {
        at = stop(at, &|byte| !byte.is_ascii_whitespace() && byte != b'/')?;
        if bytes.get(at) == Some(&b'>') {
            return Some((attributes, at + 1));
        }
        // A name may begin with anything, even `=`.
        let name = at..stop(at + 1, &|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/'))?;
        let equals = stop(name.end, &|byte| !byte.is_ascii_whitespace())?;
        if bytes.get(equals) != Some(&b'=') {
            at = name.end;
            continue;
        }
        let value = stop(equals + 1, &|byte| !byte.is_ascii_whitespace())?;
        let value = match bytes.get(value) {
            Some(quote @ (b'"' | b'\'')) => value + 1..stop(value + 1, &|byte| byte == *quote)?,
            _ => value..stop(value, &|byte| byte.is_ascii_whitespace() || byte == b'>')?,
        };
        at = value.end + usize::from(matches!(bytes.get(value.end), Some(b'"' | b'\'')));
        attributes.push(Attribute { name, value });
    }
}

/// The byte after the closing tag of a script or style.
fn past_end(page: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(tag) = next_tag(page, at) {
        at = tag.bytes.end;
        if tag.closes && tag.name == name {
            return at;
        }
    }
    page.len()
}
