//! `1CClientBankExchange`: account statements and payment orders of Russian banks. A document is a record.

use super::bank_parts::{Document, Fields, Part, each_part};
use super::original::{Handled, Original};
use super::rows::{Member, Rows};
use super::statement::Statement;
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::domain::report::Note;
use crate::read::OpenError;
use crate::read::encoding::Recognised;
use crate::read::header;
use crate::read::text_stream::Coding;
use encoding_rs::{IBM866, UTF_8, WINDOWS_1251};
use std::collections::BTreeMap;

/// Words that every file has; an encoding under which they do not appear is the wrong one.
const KNOWN: [&str; 2] = ["ВерсияФормата=", "СекцияДокумент="];

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let original = &with_encoding(original)?;
    let copies = copies(original)?;
    let mut writer = Writer {
        file: original.name(),
        rows: original.rows(),
        statement: Statement::default(),
        head: Vec::new(),
        documents: 0,
        copies,
        notes: Vec::new(),
    };
    let fault = each_part(original, &mut |part| writer.part(part))?;
    writer.end_statement();
    Ok(Translation {
        spool: writer.rows.finish()?,
        members: Members::AsAsked,
        columns: Vec::new(),
        missing: Vec::new(),
        numbers: Numbers::OneWay,
        facts: vec!["1c".to_owned(), original.encoding().to_owned()],
        notes: writer.notes,
        fault,
    })
}

/// The encoding that the configuration or the file itself names, as far as the words of the format appear under it.
fn with_encoding<'o>(original: &Original<'o>) -> Result<Original<'o>, OpenError> {
    let recognised = original.coding.recognised;
    if original.source.read.encoding.is_some() || recognised.encoding == UTF_8 && shows_known(&original.sample.text) {
        return Ok(*original);
    }
    let front = original.front()?;
    let is_dos = front.split(|byte| *byte == b'\n').take(20).any(|line| line.trim_ascii_end().ends_with(b"=DOS"));
    let candidates = if is_dos { [IBM866, WINDOWS_1251] } else { [WINDOWS_1251, IBM866] };
    let fitting = candidates.into_iter().find(|encoding| shows_known(&encoding.decode_without_bom_handling(&front).0));
    let recognised = fitting.map_or(recognised, |encoding| Recognised { encoding, mark: 0 });
    Ok(Original { coding: Coding { recognised, ..original.coding }, ..*original })
}

fn shows_known(text: &str) -> bool {
    KNOWN.iter().any(|word| text.contains(word))
}

/// What makes a document.
type Content = [String; 5];

fn content(document: &Document) -> Content {
    ["Номер", "Дата", "Сумма", "ПлательщикСчет", "ПолучательСчет"].map(|key| document.get(key).to_owned())
}

/// Some banks write each document a second time, as `Выписка`. Of one content there are as many payments as there are documents of the one
/// kind or of the other, whichever are more; so many extracts are copies as both kinds have in common.
fn copies(original: &Original<'_>) -> Result<BTreeMap<Content, u64>, OpenError> {
    let mut counts: BTreeMap<Content, [u64; 2]> = BTreeMap::new();
    each_part(original, &mut |part| {
        if let Part::Document(document, _) = part
            && document.trouble.is_none()
        {
            let [orders, extracts] = counts.entry(content(document)).or_default();
            *(if document.is_extract() { extracts } else { orders }) += 1;
        }
        Ok(())
    })?;
    let common = counts.into_iter().map(|(content, [orders, extracts])| (content, orders.min(extracts)));
    Ok(common.filter(|(_, copies)| *copies > 0).collect())
}

/// Writes documents as records.
struct Writer<'o> {
    file: &'o str,
    rows: Rows,
    statement: Statement,
    /// Keys of the head, in their order; a key that stands more than once has a line for each value.
    head: Fields,
    documents: u64,
    /// Extracts of a content that are still to be left out.
    copies: BTreeMap<Content, u64>,
    notes: Vec<Note>,
}

impl Writer<'_> {
    fn part(&mut self, part: Part<'_>) -> Handled {
        match part {
            Part::Start => {
                self.end_statement();
                self.head.clear();
            }
            Part::Unreadable => self.statement.unsure(),
            Part::Account(fields) => self.statement.section(fields),
            Part::Head(key, value) => self.head(key, value),
            Part::Document(document, last) => return self.document(document, last),
        }
        Ok(())
    }

    /// What the totals of a statement say; the next may be of another account.
    fn end_statement(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        self.notes.extend(statement.notes(self.file));
    }

    fn head(&mut self, key: &str, value: &str) {
        if key == "РасчСчет" {
            self.statement.own(value);
        }
        match self.head.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => *values = format!("{values}\n{value}"),
            None => self.head.push((key.to_owned(), value.to_owned())),
        }
    }

    fn document(&mut self, document: &Document, last: u64) -> Handled {
        let position = Position { number: self.documents + 1, lines: [document.line, last.max(document.line)] };
        if let Some(trouble) = &document.trouble {
            self.documents += 1;
            self.statement.unsure();
            return self.rows.broken(position, trouble);
        }
        let copies = self.copies.get_mut(&content(document)).filter(|copies| document.is_extract() && **copies > 0);
        if let Some(copies) = copies {
            *copies -= 1;
            return self.rows.ignored(position);
        }
        self.documents += 1;
        let direction = self.statement.add(document);
        let names = told_apart(&document.fields);
        let head: Vec<String> = self.head.iter().map(|(key, _)| format!("@{key}")).collect();
        let head = head.iter().map(String::as_str).zip(self.head.iter().map(|(_, value)| value.as_str()));
        let fields = names.iter().map(String::as_str).zip(document.fields.iter().map(|(_, value)| value.as_str()));
        let derived = [("@направление", direction.name), ("@дата", direction.date)];
        let members = fields.chain(head).chain(derived).filter(|(_, value)| !value.is_empty());
        self.rows.record(position, members.map(|(name, value)| (name, Member::Text(value))))
    }
}

/// Keys, and `key[2]` for the second of its name.
fn told_apart(fields: &[(String, String)]) -> Vec<String> {
    let names: Vec<String> = fields.iter().map(|(key, _)| key.clone()).collect();
    header::names(&names)
}
