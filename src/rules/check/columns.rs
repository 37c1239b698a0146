//! Which columns a source's readers must deliver, and the slot of each name that a mapping uses.

use super::regexes;
use crate::rules::Wrapper;
use crate::rules::draft::{PickDraft, ReadDraft, SourceDraft, Words};
use crate::rules::names::Names;
use crate::rules::pick::{Derived, Slot};
use crate::rules::problem::{Problems, did_you_mean, quoted};
use regex::Regex;

/// The columns of one source: first those of the input, then those derived from others.
#[derive(Debug)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub derived: Vec<Derived>,
    /// Names of the slots that `derived` fills; those that only a mapping uses have none.
    derived_names: Vec<Option<String>>,
}

impl Columns {
    /// Collects every column that the source's tables name. `pattern` is that of a text source: its groups are all there is.
    pub(super) fn collect(source: &SourceDraft, pattern: Option<&Regex>, problems: &mut Problems<'_>) -> Self {
        let read = &source.read;
        let expressions: Vec<(&Words, Regex)> =
            read.extract.iter().filter_map(|(column, text)| Some((column, regexes::with_groups(text, problems)?))).collect();
        let mut columns = Self { names: Vec::new(), derived: Vec::new(), derived_names: Vec::new() };
        let inside = read.inside.iter().map(|(name, _)| (name.clone(), name.get_ref().as_str()));
        let groups = expressions
            .iter()
            .flat_map(|(column, regex)| regex.capture_names().flatten().map(|group| ((*column).clone(), group)));
        let joined = read.join.iter().map(|(name, _)| (name.clone(), name.get_ref().as_str()));
        for (at, name) in inside.chain(groups).chain(joined) {
            columns.name_derived(&at, name, problems);
        }
        let of_read = read.inside.iter().map(|(_, (from, _))| from);
        let of_read = of_read.chain(expressions.iter().map(|(column, _)| *column));
        let of_read = of_read.chain(read.join.iter().flat_map(|(_, parts)| parts));
        for column in of_read.chain(picks(source).into_iter().flat_map(PickDraft::columns)) {
            if !columns.derives(column.get_ref()) {
                columns.add_input(column, pattern, problems);
            }
        }
        // A column that is made of the input's column of the same name.
        let inside = read.inside.iter().filter(|(name, (from, _))| name.get_ref() == from.get_ref()).map(|(_, (from, _))| from);
        let groups = expressions.iter().filter(|(column, regex)| names_itself(column, regex)).map(|(column, _)| *column);
        let joined = read.join.iter().flat_map(|(name, parts)| parts.iter().filter(move |part| part.get_ref() == name.get_ref()));
        for column in inside.chain(groups).chain(joined) {
            columns.add_input(column, pattern, problems);
        }
        columns.derive(read, expressions, problems);
        columns
    }

    /// Number of slots that `derived` fills.
    pub(super) fn derived_slots(&self) -> usize {
        self.derived_names.len()
    }

    fn name_derived(&mut self, at: &Words, name: &str, problems: &mut Problems<'_>) {
        if self.derived_names.iter().flatten().any(|known| known == name) {
            let message = format!("a second derived column is called {}", quoted(name));
            problems.add(at.span(), message, "give each group, join and inside a name of its own");
        }
        self.derived_names.push(Some(name.to_owned()));
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
            let groups = pattern.capture_names().flatten().chain(self.derived_names.iter().flatten().map(String::as_str));
            let groups: Vec<&str> = groups.collect();
            // Those come from what stands before the message.
            if !groups.contains(&name.as_str()) && !Wrapper::fills(name) {
                let message = format!("the pattern has no group {}", quoted(name));
                problems.add(column.span(), message, did_you_mean(name, groups));
            }
        }
        if !self.names.contains(name) {
            self.names.push(name.clone());
        }
    }

    fn derive(&mut self, read: &ReadDraft, expressions: Vec<(&Words, Regex)>, problems: &mut Problems<'_>) {
        let mut derived = Vec::new();
        for (name, (from, pointer)) in &read.inside {
            if !is_pointer(pointer.get_ref()) {
                let message = format!("{} is no JSON pointer", quoted(pointer.get_ref()));
                problems.add(pointer.span(), message, "write \"/order_id\" for example");
            }
            let from = if from.get_ref() == name.get_ref() { self.input(from.get_ref()) } else { self.slot(from.get_ref()) };
            let slots = from.zip(self.slot(name.get_ref()));
            derived.extend(slots.map(|(from, into)| Derived::Inside { from, pointer: pointer.get_ref().clone(), into }));
        }
        for (column, pattern) in expressions {
            let groups =
                pattern.capture_names().enumerate().filter_map(|(number, group)| Some((number, self.slot(group?)?))).collect();
            let name = column.get_ref();
            let from = if names_itself(column, &pattern) { self.input(name) } else { self.slot(name) };
            derived.extend(from.map(|from| Derived::Extract { from, pattern, groups }));
        }
        for (name, parts) in &read.join {
            let is_itself = |part: &Words| part.get_ref() == name.get_ref();
            let slot = |part: &Words| if is_itself(part) { self.input(part.get_ref()) } else { self.slot(part.get_ref()) };
            let from: Vec<Slot> = parts.iter().filter_map(slot).collect();
            if from.len() < 2 {
                problems.add(name.span(), format!("{} joins fewer than two columns", quoted(name.get_ref())), "name two or more");
            }
            derived.extend(self.slot(name.get_ref()).map(|into| Derived::Join { from, into }));
        }
        self.derived = self.in_order(derived, read, problems);
    }

    /// Each after those it uses.
    fn in_order(&self, mut waiting: Vec<Derived>, read: &ReadDraft, problems: &mut Problems<'_>) -> Vec<Derived> {
        let mut ordered: Vec<Derived> = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let is_ready = |one: &Derived, waiting: &[Derived]| {
                !one.uses().iter().any(|slot| waiting.iter().any(|other| other.fills().contains(slot)))
            };
            let Some(next) = (0..waiting.len()).find(|at| waiting.get(*at).is_some_and(|one| is_ready(one, &waiting))) else {
                let spans = read.inside.iter().map(|(name, _)| name.span()).chain(read.join.iter().map(|(name, _)| name.span()));
                let span = spans.chain(read.extract.iter().map(|(column, _)| column.span())).next().unwrap_or(0..0);
                problems.add(
                    span,
                    "derived columns are made of each other in a circle",
                    "let one of them use a column of the input",
                );
                break;
            };
            ordered.push(waiting.remove(next));
        }
        ordered
    }

    fn derives(&self, name: &str) -> bool {
        self.derived_names.iter().flatten().any(|derived| derived == name)
    }

    fn input(&self, name: &str) -> Option<Slot> {
        self.names.iter().position(|known| known == name)
    }

    /// The slot of a name; a derived column hides an input column of the same name.
    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        let derived = self.derived_names.iter().position(|known| known.as_deref() == Some(name));
        derived.map(|place| self.names.len() + place).or_else(|| self.names.iter().position(|known| known == name))
    }

    /// A new slot for what a mapping calls the values of these columns.
    pub(super) fn rename(&mut self, from: Vec<Slot>, names: Names, default: Option<String>) -> Slot {
        let into = self.names.len() + self.derived_names.len();
        self.derived_names.push(None);
        self.derived.push(Derived::Rename { from, names, default, into });
        into
    }
}

/// True for an expression with a group that is called like its own column.
fn names_itself(column: &Words, pattern: &Regex) -> bool {
    pattern.capture_names().flatten().any(|group| group == column.get_ref())
}

/// RFC 6901: a tilde stands only before 0 or 1.
pub(super) fn is_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}

/// The columns that the mapping names.
pub(super) fn named(source: &SourceDraft) -> Vec<String> {
    picks(source).into_iter().flat_map(PickDraft::columns).map(|column| column.get_ref().clone()).collect()
}

fn picks(source: &SourceDraft) -> Vec<&PickDraft> {
    let map = &source.map;
    let time = map.time.iter().flat_map(|time| time.parts.iter().chain(&time.zone_from));
    let amount = map.amount.iter().map(|amount| &amount.from);
    let outcome = map.outcome.iter().flatten().map(|question| &question.from);
    let effect_id = map.effect_id.iter().map(|effect| &effect.from);
    let plain = map.plain.iter().map(|(_, pick)| pick);
    let named = map.fields.iter().map(|(_, pick)| pick);
    time.chain(amount).chain(outcome).chain(effect_id).chain(plain).chain(named).collect()
}
