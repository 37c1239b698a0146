//! Regular expressions of the configuration: limited in size, with named groups.

use crate::rules::draft::Words;
use crate::rules::problem::{Problems, quoted};
use regex::{Regex, RegexBuilder};

/// Compiled bytes that an expression may take, so that a configuration cannot take the memory.
pub(in crate::rules) const REGEX_SIZE: usize = 1 << 20;

/// What is wrong with an expression, on one line.
pub(in crate::rules) fn regex_reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("it takes more than {limit} bytes"),
        // regex draws the expression first; the reason is the last line.
        _ => error.to_string().lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned(),
    }
}

/// An expression whose named groups become columns.
pub(super) fn with_groups(text: &Words, problems: &mut Problems<'_>) -> Option<Regex> {
    let regex = plain(text, problems)?;
    if regex.capture_names().flatten().next().is_none() {
        let message = format!("expression {} has no named group", quoted(text.get_ref()));
        problems.add(text.span(), message, "name what shall become a column: (?P<time>\\S+)");
        return None;
    }
    Some(regex)
}

/// An expression of any kind.
pub(super) fn plain(text: &Words, problems: &mut Problems<'_>) -> Option<Regex> {
    match RegexBuilder::new(text.get_ref()).size_limit(REGEX_SIZE).build() {
        Ok(regex) => Some(regex),
        Err(error) => {
            let message = format!("expression cannot be read: {}", regex_reason(&error));
            problems.add(text.span(), message, "correct it; see the syntax of the regex crate");
            None
        }
    }
}
