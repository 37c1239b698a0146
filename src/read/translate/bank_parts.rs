//! The parts of a `1CClientBankExchange`, one after the other: the head, sections of accounts, documents. Files may be put together.

use super::original::{Handled, Original, TextLine};
use crate::domain::record::InputError;
use crate::read::OpenError;

const SIGNATURE: &str = "1CClientBankExchange";
const UNENDED: &str = "it has no КонецДокумента";

/// Keys with their values.
pub(super) type Fields = Vec<(String, String)>;

/// One part.
pub(super) enum Part<'p> {
    /// The signature; another statement may have come before.
    Start,
    /// A key outside of sections.
    Head(&'p str, &'p str),
    Account(&'p Fields),
    /// A document, and the line on which it ends.
    Document(&'p Document, u64),
    /// Something is missing or cannot be read, so that the totals of this statement prove nothing.
    Unreadable,
}

/// One `СекцияДокумент`.
pub(super) struct Document {
    pub(super) line: u64,
    /// Why it cannot be used.
    pub(super) trouble: Option<String>,
    pub(super) fields: Fields,
}

impl Document {
    /// A key's first value that says something.
    pub(super) fn get(&self, key: &str) -> &str {
        let values = self.fields.iter().filter(|(known, _)| known == key).map(|(_, value)| value.trim());
        values.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
    }

    /// True for a document that the bank wrote for the statement, not for the payment.
    pub(super) fn is_extract(&self) -> bool {
        self.get("СекцияДокумент") == "Выписка"
    }
}

/// Hands over part after part. Returns what ended the input early.
///
/// # Errors
/// The input is of another format.
pub(super) fn each_part(
    original: &Original<'_>,
    each: &mut dyn FnMut(Part<'_>) -> Handled,
) -> Result<Option<InputError>, OpenError> {
    let mut parser = Parser { each, within: Within::Head, state: State::Before, has_unended: false };
    let fault = original.each_line(&mut |line| parser.line(&line))?;
    if parser.state == State::Before && fault.is_none() {
        let reason = format!("its first line is not \"{SIGNATURE}\"");
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "1c", reason });
    }
    let cut_off = parser.finish()?.map(|reason| {
        let (file, bytes) = (original.name().to_owned(), original.stored.bytes());
        InputError::CutOff { file, what: "1C exchange", bytes, reason: reason.to_owned() }
    });
    Ok(fault.or(cut_off))
}

struct Parser<'e> {
    each: &'e mut dyn FnMut(Part<'_>) -> Handled,
    within: Within,
    state: State,
    /// A statement that another one follows has no end.
    has_unended: bool,
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
    Account(Fields),
    Document(Document),
}

impl Parser<'_> {
    fn line(&mut self, line: &TextLine<'_>) -> Handled {
        let text = line.text.trim();
        if text.trim_start_matches('\u{FEFF}') == SIGNATURE {
            return self.start(line.number);
        }
        if self.state == State::Before {
            return Ok(());
        }
        if let Some(trouble) = &line.trouble {
            return match &mut self.within {
                Within::Document(document) => {
                    document.trouble = Some(trouble.clone());
                    Ok(())
                }
                Within::Head | Within::Account(_) => (self.each)(Part::Unreadable),
            };
        }
        match text.split_once('=').map_or((text, None), |(key, value)| (key.trim_end(), Some(value.trim()))) {
            ("СекцияДокумент", kind) => {
                let fields = vec![("СекцияДокумент".to_owned(), kind.unwrap_or_default().to_owned())];
                self.open(line.number, Within::Document(Document { line: line.number, trouble: None, fields }))
            }
            ("СекцияРасчСчет", _) => self.open(line.number, Within::Account(Vec::new())),
            ("КонецДокумента" | "КонецРасчСчет", None) => self.close(line.number, None),
            ("КонецФайла", None) => {
                self.state = State::Ended;
                self.close(line.number.saturating_sub(1), Some(UNENDED))
            }
            (key, Some(value)) => self.field(key, value),
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

    fn start(&mut self, line: u64) -> Handled {
        self.close(line.saturating_sub(1), Some(UNENDED))?;
        if self.state == State::Inside {
            self.has_unended = true;
            (self.each)(Part::Unreadable)?;
        }
        self.state = State::Inside;
        (self.each)(Part::Start)
    }

    /// A section begins; it may do so after an end without a new signature.
    fn open(&mut self, line: u64, section: Within) -> Handled {
        self.close(line.saturating_sub(1), Some(UNENDED))?;
        (self.state, self.within) = (State::Inside, section);
        Ok(())
    }

    fn field(&mut self, key: &str, value: &str) -> Handled {
        match &mut self.within {
            Within::Document(Document { fields, .. }) | Within::Account(fields) => {
                fields.push((key.to_owned(), value.to_owned()))
            }
            Within::Head => return (self.each)(Part::Head(key, value)),
        }
        Ok(())
    }

    /// Ends what is open on this line; a document that is `unfinished` cannot be used.
    fn close(&mut self, line: u64, unfinished: Option<&str>) -> Handled {
        match std::mem::replace(&mut self.within, Within::Head) {
            Within::Head => Ok(()),
            Within::Account(fields) => (self.each)(Part::Account(&fields)),
            Within::Document(mut document) => {
                if let Some(reason) = unfinished.filter(|_| document.trouble.is_none()) {
                    document.trouble =
                        Some(format!("document {:?} is cut off: {reason}; repair the file", document.get("Номер")));
                }
                (self.each)(Part::Document(&document, line))
            }
        }
    }

    /// What is wrong with the end of the file. A document that it cuts off is no record.
    fn finish(&mut self) -> Result<Option<&'static str>, OpenError> {
        let is_in_document = matches!(self.within, Within::Document(_));
        if self.state == State::Inside {
            (self.each)(Part::Unreadable)?;
        }
        Ok(match self.state {
            State::Inside if is_in_document => Some("its last document does not end"),
            State::Inside => Some("there is no КонецФайла"),
            State::Ended if self.has_unended => Some("one of the statements in it has no КонецФайла"),
            State::Ended | State::Before => None,
        })
    }
}
