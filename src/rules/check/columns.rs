//! Which columns a source's readers must deliver, and the slot of each name that a mapping uses.

use super::regexes;
use crate::rules::draft::{PickDraft, SourceDraft, Words};
use crate::rules::pick::{Extract, Slot};
use crate::rules::problem::{Problems, did_you_mean, quoted};
use regex::Regex;

/// The columns of one source: first those of the input, then those cut out of others.
#[derive(Debug)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub extracts: Vec<Extract>,
    extracted: Vec<String>,
}

impl Columns {
    /// Collects every column that the source's tables name. `pattern` is that of a text source: its groups are all there is.
    pub(super) fn collect(source: &SourceDraft, pattern: Option<&Regex>, problems: &mut Problems<'_>) -> Self {
        let expressions: Vec<(&Words, Regex)> = source
            .read
            .extract
            .iter()
            .filter_map(|(column, text)| Some((column, regexes::with_groups(text, problems)?)))
            .collect();
        let mut columns = Self { names: Vec::new(), extracts: Vec::new(), extracted: Vec::new() };
        for (column, regex) in &expressions {
            for group in regex.capture_names().flatten() {
                if columns.extracted.iter().any(|known| known == group) {
                    let message = format!("a second expression has the group {}", quoted(group));
                    problems.add(column.span(), message, "give each group a name of its own");
                }
                columns.extracted.push(group.to_owned());
            }
        }
        for column in expressions.iter().map(|(column, _)| *column) {
            columns.add_input(column, pattern, problems);
        }
        for column in picks(source).into_iter().filter_map(|pick| pick.from.as_ref()).flatten() {
            if !columns.extracted.contains(column.get_ref()) {
                columns.add_input(column, pattern, problems);
            }
        }
        columns.extracts = columns.slots_of(expressions);
        columns
    }

    fn add_input(&mut self, column: &Words, pattern: Option<&Regex>, problems: &mut Problems<'_>) {
        let name = column.get_ref();
        if name.is_empty() {
            problems.add(column.span(), "a column without a name", "write the column's name or a JSON pointer");
        }
        if name.starts_with('/') && !is_pointer(name) {
            let message = format!("{} is no JSON pointer", quoted(name));
            problems.add(column.span(), message, "write ~0 for ~ and ~1 for / inside a name");
        }
        if let Some(pattern) = pattern {
            let groups: Vec<&str> = pattern.capture_names().flatten().chain(self.extracted.iter().map(String::as_str)).collect();
            if !groups.contains(&name.as_str()) {
                let message = format!("the pattern has no group {}", quoted(name));
                problems.add(column.span(), message, did_you_mean(name, groups));
            }
        }
        if !self.names.contains(name) {
            self.names.push(name.clone());
        }
    }

    fn slots_of(&self, expressions: Vec<(&Words, Regex)>) -> Vec<Extract> {
        let extract = |(column, pattern): (&Words, Regex)| {
            let from = self.names.iter().position(|name| name == column.get_ref())?;
            let groups =
                pattern.capture_names().enumerate().filter_map(|(number, group)| Some((number, self.slot(group?)?))).collect();
            Some(Extract { from, pattern, groups })
        };
        expressions.into_iter().filter_map(extract).collect()
    }

    /// The slot of a name; one cut out of a column hides an input column of the same name.
    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        let extracted = self.extracted.iter().position(|known| known == name);
        extracted.map(|place| self.names.len() + place).or_else(|| self.names.iter().position(|known| known == name))
    }
}

/// RFC 6901: a tilde stands only before 0 or 1.
pub(super) fn is_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}

fn picks(source: &SourceDraft) -> Vec<&PickDraft> {
    let map = &source.map;
    let special = [
        map.time.as_ref().map(|time| &time.from),
        map.amount.as_ref().map(|amount| &amount.from),
        map.outcome.as_ref().map(|outcome| &outcome.from),
        map.effect_id.as_ref().map(|effect| &effect.from),
    ];
    let plain = map.plain.iter().map(|(_, pick)| pick);
    let named = map.fields.iter().map(|(_, pick)| pick);
    special.into_iter().flatten().chain(plain).chain(named).collect()
}
