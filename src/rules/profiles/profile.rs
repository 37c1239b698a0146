//! One profile: its facts, how it is recognised, and its examples. What it says of sources and rules is drawn on by name.

use crate::rules::draft::{list, table, tables, text_of, texts_of, words};
use crate::rules::problem::{ConfigErrors, Problems, parse_toml};
use crate::rules::shape::{self, integer};
use crate::rules::{check, keys};
use regex::{Regex, RegexBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is known of one kind of export or log.
#[derive(Clone, Debug)]
pub struct Profile {
    /// `VENDOR/KIND`.
    pub name: String,
    pub title: String,
    /// What no file or document has confirmed.
    pub unverified: Vec<String>,
    /// What its users should know.
    pub notes: Vec<String>,
    pub detect: Detect,
    pub examples: Vec<Example>,
    /// The whole file, from which a configuration takes the source and the rules.
    pub text: String,
}

/// How a file of a kind is recognised: everything that is given here must hold.
#[derive(Clone, Debug, Default)]
pub struct Detect {
    /// Names of columns, of each list one; `*` is a wildcard.
    pub columns: Vec<Vec<String>>,
    /// Columns or JSON pointers that are not there.
    pub without: Vec<String>,
    /// JSON pointers, and patterns that their values fit.
    pub members: Vec<(String, String)>,
    /// Most lines match.
    pub line: Option<Regex>,
    /// One of the first lines matches.
    pub opening: Option<Regex>,
    /// The format that the content must have, as a configuration writes it.
    pub format: Option<String>,
    /// Where the records of a document are, if the profile says so.
    pub records: Option<String>,
}

/// Records of a kind, and what they must become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub about: String,
    pub text: String,
    pub encoding: Option<String>,
    /// All events in the order of their records, with the fields that matter; None: not told.
    pub events: Option<Vec<Vec<(String, String)>>>,
    /// All findings that are reported.
    pub findings: Vec<ExpectedFinding>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExpectedFinding {
    pub verdict: String,
    /// Numbers of its records, rising.
    pub records: Vec<u64>,
}

impl Profile {
    /// Reads a profile's file. Its source and rules are checked where they are used, and by its examples.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, ConfigErrors> {
        let (root, mut problems) = parse_toml(text, name)?;
        shape::verify_table(root.get_ref(), 0..0, keys::PROFILE, &mut problems);
        let root = root.get_ref();
        let texts = |table: &DeTable<'_>, name: &str| -> Vec<String> {
            list(table, name).map(Spanned::into_inner).unwrap_or_default().into_iter().map(Spanned::into_inner).collect()
        };
        let profile = Self {
            name: name.to_owned(),
            title: words(root, "title").map(Spanned::into_inner).unwrap_or_default(),
            unverified: texts(root, "unverified"),
            notes: texts(root, "notes"),
            detect: Detect::read(root, &mut problems),
            examples: tables(root, "example").map(|(_, table)| Example::read(table)).collect(),
            text: text.to_owned(),
        };
        if problems.is_empty() { Ok(profile) } else { Err(problems.into_errors(name)) }
    }
}

impl Detect {
    fn read(root: &DeTable<'_>, problems: &mut Problems<'_>) -> Self {
        let Some(detect) = table(root, "detect") else { return Self::default() };
        let read = table(root, "source").and_then(|source| table(source, "read"));
        let alternatives = |value: &Spanned<DeValue<'_>>| match text_of(value) {
            Some(one) => vec![one.into_inner()],
            None => texts_of(value).into_iter().flat_map(Spanned::into_inner).map(Spanned::into_inner).collect(),
        };
        let mut regex = |name: &str| {
            let text = words(detect, name)?;
            let built = RegexBuilder::new(text.get_ref()).size_limit(check::REGEX_SIZE).build();
            if let Err(error) = &built {
                let message = format!("expression cannot be read: {}", check::regex_reason(error));
                problems.add(text.span(), message, "correct it; see the syntax of the regex crate");
            }
            built.ok()
        };
        let (line, opening) = (regex("line"), regex("opening"));
        let members = table(detect, "members");
        Self {
            columns: match detect.get("columns").map(Spanned::get_ref) {
                Some(DeValue::Array(items)) => items.iter().map(alternatives).collect(),
                Some(DeValue::String(one)) => vec![vec![one.clone().into_owned()]],
                _ => Vec::new(),
            },
            without: list(detect, "without")
                .map(|names| names.into_inner().into_iter().map(Spanned::into_inner).collect())
                .unwrap_or_default(),
            members: members
                .into_iter()
                .flatten()
                .filter_map(|(pointer, value)| Some((pointer.get_ref().clone().into_owned(), text_of(value)?.into_inner())))
                .collect(),
            line,
            opening,
            format: words(detect, "format").map(Spanned::into_inner),
            records: read.and_then(|read| words(read, "records")).map(Spanned::into_inner),
        }
    }

    /// The conditions in words: `columns "id", "Created (UTC)" or "Created date (UTC)"`.
    pub fn in_words(&self) -> String {
        let quoted =
            |names: &[String], between: &str| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(between);
        let columns: Vec<String> = self.columns.iter().map(|names| quoted(names, " or ")).collect();
        let members: Vec<String> = self.members.iter().map(|(pointer, value)| format!("{pointer} = {value}")).collect();
        let conditions = [
            self.format.as_ref().map(|format| format!("format {format}")),
            (!columns.is_empty()).then(|| format!("columns {}", columns.join(", "))),
            (!self.without.is_empty()).then(|| format!("without {}", quoted(&self.without, ", "))),
            (!members.is_empty()).then(|| format!("members {}", members.join(", "))),
            self.line.as_ref().map(|line| format!("lines that match {line}")),
            self.opening.as_ref().map(|opening| format!("an opening line that matches {opening}")),
        ];
        conditions.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// How much of a file these conditions look at: of two profiles that both fit, the one that asks more says more.
    pub fn weight(&self) -> usize {
        let patterns = [self.line.is_some(), self.opening.is_some(), self.format.is_some()];
        let patterns = patterns.into_iter().filter(|given| *given).count();
        self.columns.len() + self.without.len() + self.members.len() + 2 * patterns
    }
}

impl Example {
    fn read(table: &DeTable<'_>) -> Self {
        let text = |name| words(table, name).map(Spanned::into_inner);
        let value = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) => Some(text.clone().into_owned()),
            number => integer(number).map(|number| number.to_string()),
        };
        let event = |event: &Spanned<DeValue<'_>>| {
            let fields = event.get_ref().as_table()?;
            Some(fields.iter().filter_map(|(name, field)| Some((name.get_ref().clone().into_owned(), value(field)?))).collect())
        };
        let records = |finding: &DeTable<'_>| {
            let numbers = finding.get("records").and_then(|numbers| numbers.get_ref().as_array())?;
            let mut records: Vec<u64> =
                numbers.iter().filter_map(|number| u64::try_from(integer(number.get_ref())?).ok()).collect();
            records.sort_unstable();
            Some(records)
        };
        let events = table.get("events").and_then(|events| events.get_ref().as_array());
        let mut findings: Vec<ExpectedFinding> = tables(table, "findings")
            .filter_map(|(_, finding)| {
                Some(ExpectedFinding { verdict: words(finding, "verdict")?.into_inner(), records: records(finding)? })
            })
            .collect();
        findings.sort();
        Self {
            about: text("about").unwrap_or_default(),
            text: text("text").unwrap_or_default(),
            encoding: text("encoding"),
            events: events.map(|events| events.iter().filter_map(event).collect()),
            findings,
        }
    }
}

/// The text with so many line ends before it, so that its spans begin where those of another text end.
pub(in crate::rules) fn padded(start: usize, text: &str) -> String {
    let mut padded = "\n".repeat(start);
    padded.push_str(text);
    padded
}
