//! What is wrong with a configuration, and where: every mistake with its line, column and an excerpt.

use std::fmt::{self, Write};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeTable;
use unicode_width::UnicodeWidthChar;

/// Every mistake of a configuration, in the order of the file; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors {
    /// What messages call the configuration.
    pub name: String,
    pub problems: Vec<Problem>,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What messages call the profile that the mistake stands in; None: it stands in the configuration itself.
    pub profile: Option<String>,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What is wrong, with the value.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The line with its number, and carets under the mistake.
    pub excerpt: String,
}

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.problems.iter().enumerate() {
            if place > 0 {
                f.write_str("\n\n")?;
            }
            let Problem { profile, line, column, message, help, excerpt } = problem;
            let name = profile.as_ref().unwrap_or(&self.name);
            write!(f, "{name}:{line}:{column}: {message}; {help}\n{excerpt}")?;
        }
        Ok(())
    }
}

/// Parses a file in TOML, and begins the list of its mistakes; `name` is what messages call it.
///
/// # Errors
/// The first mistake against the syntax: what comes after it cannot be told from it.
pub(crate) fn parse_toml<'t>(text: &'t str, name: &str) -> Result<(Spanned<DeTable<'t>>, Problems<'t>), ConfigErrors> {
    let mut problems = Problems::new(text);
    match DeTable::parse(text) {
        Ok(root) => Ok((root, problems)),
        Err(error) => {
            let message = format!("this is not TOML: {}", error.message().replace('\n', ", "));
            problems.add(error.span().unwrap_or(0..0), message, "see https://toml.io for the syntax");
            Err(problems.into_errors(name))
        }
    }
}

/// Collects mistakes while a text is checked.
#[derive(Debug)]
pub(crate) struct Problems<'t> {
    text: &'t str,
    /// Texts that the configuration draws on: where their spans begin, what messages call them, and themselves.
    further: Vec<(usize, String, &'t str)>,
    found: Vec<(Range<usize>, String, String)>,
}

impl<'t> Problems<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, further: Vec::new(), found: Vec::new() }
    }

    /// Takes in a further text. Its spans begin at the number returned, beyond those of all texts before it.
    pub(crate) fn draw_on(&mut self, name: String, text: &'t str) -> usize {
        let start = self.further.last().map_or(self.text.len(), |(start, _, text)| start + text.len()) + 1;
        self.further.push((start, name, text));
        start
    }

    /// Notes a mistake at these bytes of the text.
    pub(crate) fn add(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.found.push((span, message.into(), help.into()));
    }

    /// True when a mistake inside these bytes is already noted, so that its consequences need no words.
    pub(crate) fn any_within(&self, span: &Range<usize>) -> bool {
        self.found.iter().any(|(found, ..)| span.start <= found.start && found.end <= span.end)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All mistakes in the order of the text.
    pub(crate) fn into_errors(mut self, name: &str) -> ConfigErrors {
        self.found.sort_by(|a, b| (a.0.start, a.0.end, &a.1).cmp(&(b.0.start, b.0.end, &b.1)));
        self.found.dedup();
        let (text, further) = (self.text, self.further);
        let locate = |(span, message, help): (Range<usize>, String, String)| match further
            .iter()
            .rev()
            .find(|(start, ..)| span.start >= *start)
        {
            None => located(text, span, message, help),
            Some((start, name, text)) => {
                let span = span.start - start..span.end.max(span.start) - start;
                Problem { profile: Some(name.clone()), ..located(text, span, message, help) }
            }
        };
        let problems = self.found.into_iter().map(locate).collect();
        ConfigErrors { name: name.to_owned(), problems }
    }
}

fn located(text: &str, span: Range<usize>, message: String, help: String) -> Problem {
    let before = text.get(..span.start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let source = text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let before_in_line = before.get(line_start..).unwrap_or_default();
    let marked = text.get(span).and_then(|marked| marked.lines().next()).unwrap_or_default();
    Problem {
        profile: None,
        line,
        column: before_in_line.chars().count() + 1,
        message,
        help,
        excerpt: excerpt(line, source, before_in_line.chars().count(), marked.chars().count()),
    }
}

/// Characters of a long line that are shown before the mistake, and in all.
const SHOWN_BEFORE: usize = 60;
const SHOWN: usize = 100;

fn excerpt(line: usize, source: &str, before: usize, marked: usize) -> String {
    let cut = if source.chars().count() > SHOWN { before.saturating_sub(SHOWN_BEFORE) } else { 0 };
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let mut shown = String::new();
    let (mut indent, mut carets) = (0, 0);
    for (place, c) in source.chars().enumerate().skip(cut).take(SHOWN) {
        // Tabs and control characters would move the carets, or the reader's terminal.
        let c = if c.is_control() { ' ' } else { c };
        let width = c.width().unwrap_or(0);
        match place {
            _ if place < before => indent += width,
            _ if place < before + marked => carets += width,
            _ => {}
        }
        shown.push(c);
    }
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write!(out, "{number} | {}\n{gutter} | {}{}", shown.trim_end(), " ".repeat(indent), "^".repeat(carets.max(1)));
    out
}

/// A value for a message: in quotes, control characters escaped, long ones cut.
pub(crate) fn quoted(value: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String =
        value.chars().take(LONGEST).flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect();
    if value.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The known name that is nearest to a mistyped one, when one is near.
pub(crate) fn nearest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(edits, name)| *edits <= allowed && *edits < name.chars().count())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Help for a name that is not known: the nearest one, else all.
pub(crate) fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> String {
    if let Some(name) = nearest(word, known.clone()) {
        return format!("did you mean \"{name}\"");
    }
    let mut names: Vec<&str> = Vec::new();
    for name in known {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { "none is known here".into() } else { format!("known here: {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, marked: &str) -> Problem {
        let from = text.find(marked).unwrap();
        located(text, from..from + marked.len(), "wrong".into(), "fix it".into())
    }

    #[test]
    fn a_place_counts_characters_and_carets_count_columns() {
        let problem = one("a = 1\nимя = \"表x\" # y\n", "\"表x\"");
        assert_eq!((problem.line, problem.column), (2, 7));
        assert_eq!(problem.excerpt, "2 | имя = \"表x\" # y\n  |       ^^^^^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mistake() {
        let text = format!("a = [{}] # END", "1, ".repeat(1000));
        let problem = one(&text, "END");
        assert_eq!(problem.column, 3010);
        let (first, second) = problem.excerpt.split_once('\n').unwrap();
        assert!(first.ends_with("END") && first.chars().count() < 110);
        assert_eq!(first.find("END"), second.find("^^^"));
    }

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        assert_eq!(nearest("fingerprnt", ["fingerprint", "field"]), Some("fingerprint"));
        assert_eq!(nearest("Zone", ["zone"]), Some("zone"));
        assert_eq!(nearest("colour", ["zone", "rule"]), None);
        assert_eq!(nearest("x", ["id"]), None);
    }
}
