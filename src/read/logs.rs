//! Recognises logs: what their lines are wrapped in, and how the messages are read.

use super::format::is_object;
use super::logfmt::is_logfmt;
use super::pointer::Columns;
use super::reading::Reading;
use super::sample::Sample;
use super::wrapper;
use crate::rules::{Format, Source, Wrapper};

/// A log whose lines are wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrapped {
    pub(super) wrapper: Wrapper,
    /// What the messages are; None where nothing tells.
    pub(super) format: Option<Format>,
}

/// The configured wrapper, else the one that the lines have, where taking it off serves the source. None where lines stand as they are.
pub(super) fn unwrap(sample: &Sample, source: &Source) -> Option<Wrapped> {
    if !matches!(source.format, None | Some(Format::Ndjson | Format::Logfmt | Format::Text)) {
        return None;
    }
    let wrapper = match source.read.wrapper {
        Some(Wrapper::None) => return None,
        Some(wrapper) => wrapper,
        None => wrapper::detect(&sample.text)?,
    };
    let messages = messages(sample, wrapper);
    let format = source.format.or_else(|| match &source.read.pattern {
        Some(_) => Some(Format::Text),
        None => of_messages(&messages),
    });
    let serves = source.read.wrapper.is_some()
        || source.columns.iter().any(|column| Wrapper::fills(column))
        || match &source.read.pattern {
            // A pattern may have been written for the whole line.
            Some(pattern) => {
                let matched = |text: &str| text.split(wrapper::LINE_ENDS).filter(|line| pattern.is_match(line)).count();
                let (of_messages, of_lines) = (matched(&messages.text), matched(&sample.text));
                of_messages > of_lines || (of_messages == of_lines && wrapper == Wrapper::Docker)
            }
            None => format.is_some() && !source.columns.iter().any(|column| column == "log" || column == "/log"),
        };
    serves.then_some(Wrapped { wrapper, format })
}

/// The sample as if its lines were never wrapped.
pub(super) fn messages(sample: &Sample, wrapper: Wrapper) -> Sample {
    Sample {
        text: wrapper::messages(wrapper, &sample.text, char::from(sample.line_end)),
        is_whole: sample.is_whole,
        fault: sample.fault.clone(),
        line_end: b'\n',
        not_text: None,
    }
}

/// What messages are by themselves. Objects are a third of the lines at least, as pairs are where they are told from text: tracebacks are
/// long. One object among many lines of pairs is an exception, and the other way round.
fn of_messages(messages: &Sample) -> Option<Format> {
    let lines = || messages.text.lines().filter(|line| !line.trim().is_empty());
    let objects = lines().filter(|line| is_object(line, 0, line.len())).count();
    match () {
        () if objects > 0 && objects * 3 >= lines().count() => Some(Format::Ndjson),
        () if is_logfmt(&messages.text) => Some(Format::Logfmt),
        () => None,
    }
}

/// How lines of this format are read; None where only a pattern could tell and there is none.
pub(super) fn reading(format: Option<Format>, source: &Source) -> Option<Reading> {
    match format {
        Some(Format::Ndjson) => Some(Reading::Object(Columns::new(&source.columns))),
        Some(Format::Logfmt) => Some(Reading::Pairs(source.columns.clone())),
        _ => source.read.pattern.clone().map(|pattern| Reading::by_pattern(pattern, &source.columns)),
    }
}

/// The columns that only the wrapper can fill, with their slots. A message may have an `@timestamp` of its own.
pub(super) fn asked(source: &Source) -> Vec<(String, usize)> {
    let columns = source.columns.iter().cloned().enumerate().map(|(slot, name)| (name, slot));
    columns.filter(|(name, _)| Wrapper::fills(name)).collect()
}
