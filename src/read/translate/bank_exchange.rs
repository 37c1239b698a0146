//! `1CClientBankExchange`: account statements and payment orders of Russian banks. A document is a record.

use super::original::{Handled, Original, TextLine};
use super::rows::{Member, Rows};
use super::statement::Statement;
use super::{Members, Numbers, Translation};
use crate::domain::record::{InputError, Position};
use crate::read::OpenError;
use crate::read::encoding::Recognised;
use crate::read::header;
use encoding_rs::{IBM866, UTF_8, WINDOWS_1251};
use std::collections::BTreeSet;

const SIGNATURE: &str = "1CClientBankExchange";
/// Words that every file has; an encoding under which they do not appear is the wrong one.
const KNOWN: [&str; 2] = ["ВерсияФормата=", "СекцияДокумент="];

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    let original = &with_encoding(original)?;
    let mut reader = Reader {
        rows: original.rows(),
        statement: Statement::default(),
        within: Within::Head,
        head: Vec::new(),
        documents: 0,
        copied: BTreeSet::new(),
        state: State::Before,
    };
    let fault = original.each_line(&mut |line| reader.line(&line))?;
    if reader.state == State::Before && fault.is_none() {
        let reason = format!("its first line is not \"{SIGNATURE}\"");
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "1c", reason });
    }
    let cut_off = reader.finish(original);
    Ok(Translation {
        spool: reader.rows.finish()?,
        members: Members::AsAsked,
        columns: Vec::new(),
        missing: Vec::new(),
        numbers: Numbers::OneWay,
        facts: vec!["1c".to_owned(), original.encoding().to_owned()],
        notes: reader.statement.notes(original.name()),
        fault: fault.or(cut_off),
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
    Ok(Original { coding: crate::read::text_stream::Coding { recognised, ..original.coding }, ..*original })
}

fn shows_known(text: &str) -> bool {
    KNOWN.iter().any(|word| text.contains(word))
}

struct Reader {
    rows: Rows,
    statement: Statement,
    within: Within,
    /// Keys of the head, in their order; a key that stands more than once has a line for each value.
    head: Vec<(String, String)>,
    documents: u64,
    /// What makes a document, for documents that are no `Выписка`: some banks write each a second time under that name.
    copied: BTreeSet<[String; 5]>,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    /// No signature yet.
    Before,
    Inside,
    /// After `КонецФайла`.
    Ended,
}

enum Within {
    Head,
    Account(Vec<(String, String)>),
    Document(Document),
}

/// One `СекцияДокумент`.
pub(super) struct Document {
    line: u64,
    trouble: Option<String>,
    fields: Vec<(String, String)>,
}

impl Document {
    /// A key's first value that says something.
    pub(super) fn get(&self, key: &str) -> &str {
        let values = self.fields.iter().filter(|(known, _)| known == key).map(|(_, value)| value.trim());
        values.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
    }
}

impl Reader {
    fn line(&mut self, line: &TextLine<'_>) -> Handled {
        let text = line.text.trim();
        if self.state == State::Before {
            if text.trim_start_matches('\u{FEFF}') == SIGNATURE {
                self.state = State::Inside;
            }
            return Ok(());
        }
        if let Some(trouble) = &line.trouble {
            match &mut self.within {
                Within::Document(document) => document.trouble = Some(trouble.clone()),
                Within::Head | Within::Account(_) => self.statement.unsure(),
            }
            return Ok(());
        }
        match text.split_once('=').map_or((text, None), |(key, value)| (key.trim_end(), Some(value.trim()))) {
            ("СекцияДокумент", kind) => {
                self.close(line.number.saturating_sub(1), Some("it has no КонецДокумента"))?;
                let fields = vec![("СекцияДокумент".to_owned(), kind.unwrap_or_default().to_owned())];
                self.within = Within::Document(Document { line: line.number, trouble: None, fields });
                Ok(())
            }
            ("СекцияРасчСчет", _) => {
                self.close(line.number.saturating_sub(1), Some("it has no КонецДокумента"))?;
                self.within = Within::Account(Vec::new());
                Ok(())
            }
            ("КонецДокумента" | "КонецРасчСчет", None) => self.close(line.number, None),
            ("КонецФайла", None) => {
                self.close(line.number.saturating_sub(1), Some("it has no КонецДокумента"))?;
                self.state = State::Ended;
                Ok(())
            }
            (key, Some(value)) => {
                self.field(key, value);
                Ok(())
            }
            (rest, None) => {
                // A purpose over several lines.
                if let Within::Document(Document { fields, .. }) = &mut self.within
                    && let Some((_, value)) = fields.last_mut().filter(|_| !rest.is_empty())
                {
                    value.push('\n');
                    value.push_str(rest);
                }
                Ok(())
            }
        }
    }

    fn field(&mut self, key: &str, value: &str) {
        match &mut self.within {
            Within::Document(document) => document.fields.push((key.to_owned(), value.to_owned())),
            Within::Account(fields) => fields.push((key.to_owned(), value.to_owned())),
            Within::Head => {
                if key == "РасчСчет" {
                    self.statement.own(value);
                }
                match self.head.iter_mut().find(|(known, _)| known == key) {
                    Some((_, values)) => *values = format!("{values}\n{value}"),
                    None => self.head.push((key.to_owned(), value.to_owned())),
                }
            }
        }
    }

    /// Ends what is open on this line; a document that is `unfinished` cannot be used.
    fn close(&mut self, line: u64, unfinished: Option<&str>) -> Handled {
        match std::mem::replace(&mut self.within, Within::Head) {
            Within::Head => Ok(()),
            Within::Account(fields) => {
                self.statement.section(&fields);
                Ok(())
            }
            Within::Document(mut document) => {
                if let Some(reason) = unfinished.filter(|_| document.trouble.is_none()) {
                    document.trouble =
                        Some(format!("document {:?} is cut off: {reason}; repair the file", document.get("Номер")));
                }
                self.document(&document, line)
            }
        }
    }

    fn document(&mut self, document: &Document, last: u64) -> Handled {
        let position = Position { number: self.documents + 1, lines: [document.line, last.max(document.line)] };
        if let Some(trouble) = &document.trouble {
            self.documents += 1;
            self.statement.unsure();
            return self.rows.broken(position, trouble);
        }
        let content = ["Номер", "Дата", "Сумма", "ПлательщикСчет", "ПолучательСчет"].map(|key| document.get(key).to_owned());
        let is_extract = document.get("СекцияДокумент") == "Выписка";
        if is_extract && self.copied.contains(&content) {
            return self.rows.ignored(position);
        }
        if !is_extract {
            self.copied.insert(content);
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

    /// What is wrong with the end of the file.
    fn finish(&mut self, original: &Original<'_>) -> Option<InputError> {
        // A document that the file's end cuts off is no record; the fault says so.
        let document = matches!(std::mem::replace(&mut self.within, Within::Head), Within::Document(_));
        if self.state == State::Ended || self.state == State::Before {
            return None;
        }
        self.statement.unsure();
        let reason = if document { "its last document does not end" } else { "there is no КонецФайла" }.to_owned();
        let (file, bytes) = (original.name().to_owned(), original.stored.bytes());
        Some(InputError::CutOff { file, what: "1C exchange", bytes, reason })
    }
}

/// Keys, and `key[2]` for the second of its name.
fn told_apart(fields: &[(String, String)]) -> Vec<String> {
    let names: Vec<String> = fields.iter().map(|(key, _)| key.clone()).collect();
    header::names(&names)
}
