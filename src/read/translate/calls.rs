//! Calls of tools and their results: which answers which, and which were written down twice.

use super::transcript::Envelope;
use std::collections::{BTreeMap, BTreeSet};

/// One call.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) call_id: Option<String>,
    pub(super) arguments: Option<String>,
    pub(super) line: u64,
    pub(super) envelope: Envelope,
    pub(super) answer: Option<Answer>,
}

/// What came back.
pub(super) struct Answer {
    pub(super) result: String,
    /// `true` or `false`, where it says.
    pub(super) is_error: Option<String>,
    pub(super) timestamp: Option<String>,
    pub(super) line: u64,
}

/// A list of messages that holds each call once: a value of the input, or all messages of a root array.
pub(super) type History = u64;

/// Session and id of a call.
type Id = (Option<String>, String);

/// The calls of one transcript in the order of the text. An input may hold a conversation many times, each time with what was added to it:
/// a call is taken for a copy of one of another history that says the same and has the same result, or of one of the same entry.
#[derive(Default)]
pub(super) struct Calls {
    places: Vec<Place>,
    /// The last call of each id.
    by_id: BTreeMap<Id, usize>,
    /// As `by_id`, of whichever session.
    by_id_alone: BTreeMap<String, usize>,
    /// Places of calls by entry of the log and call id: a session that is resumed begins with copies of entries.
    by_entry: BTreeMap<(String, String), Vec<usize>>,
    by_content: BTreeMap<(Id, String, Option<String>), Vec<usize>>,
    /// Places of calls whose results may still come, and of those whose results came in the value at hand.
    open: BTreeSet<usize>,
    answered: Vec<usize>,
    strays: u64,
}

/// A call, or the line of a copy.
enum Place {
    /// With the last history that has it.
    Call(Box<Asked>, History),
    Copy(u64),
}

impl Calls {
    pub(super) fn ask(&mut self, call: Asked, history: History) {
        let at = self.places.len();
        if let Some(id) = &call.call_id {
            if let Some(uuid) = &call.envelope.uuid {
                self.by_entry.entry((uuid.clone(), id.clone())).or_default().push(at);
            }
            self.by_id_alone.insert(id.clone(), at);
            let id = (call.envelope.session.clone(), id.clone());
            self.by_content.entry((id.clone(), call.name.clone(), call.arguments.clone())).or_default().push(at);
            self.by_id.insert(id, at);
            self.open.insert(at);
        }
        self.places.push(Place::Call(Box::new(call), history));
    }

    /// The first answer of a call counts; another is a copy of it. Where an answer names no session, or its call does not, the id tells.
    pub(super) fn answer(&mut self, session: Option<&str>, call_id: Option<&str>, answer: Answer) {
        let at = call_id.and_then(|id| {
            let known = |session: Option<&str>| self.by_id.get(&(session.map(str::to_owned), id.to_owned()));
            let otherwise = || if session.is_some() { known(None) } else { self.by_id_alone.get(id) };
            known(session).or_else(otherwise).copied()
        });
        match at.and_then(|at| Some((at, self.places.get_mut(at)?))) {
            Some((at, Place::Call(call, _))) if call.answer.is_none() => {
                call.answer = Some(answer);
                self.answered.push(at);
            }
            Some(_) => {}
            None => self.strays += 1,
        }
    }

    /// A value of the input is gone through: calls that were answered are told from copies.
    pub(super) fn settle(&mut self) {
        let mut answered = std::mem::take(&mut self.answered);
        answered.sort_unstable();
        for at in answered.into_iter().filter(|at| self.open.remove(at)).collect::<Vec<_>>() {
            self.settle_one(at);
        }
    }

    /// The input is gone through: no more answers come.
    pub(super) fn finish(&mut self) {
        std::mem::take(&mut self.open).into_iter().for_each(|at| self.settle_one(at));
    }

    /// Makes a call the copy that it is of another.
    fn settle_one(&mut self, at: usize) {
        let Some(Place::Call(call, history)) = self.places.get(at) else { return };
        let Some(id) = call.call_id.clone() else { return };
        let (history, line) = (*history, call.line);
        let entry = call.envelope.uuid.clone().map(|uuid| (uuid, id.clone()));
        let content = ((call.envelope.session.clone(), id), call.name.clone(), call.arguments.clone());
        let alike = [self.by_content.get(&content), entry.as_ref().and_then(|entry| self.by_entry.get(entry))];
        let earlier = alike.into_iter().flatten().flatten().copied().filter(|other| *other < at);
        let Some(first) = self.original(call, history, earlier.collect()) else { return };

        let copy = self.places.get_mut(at).map(|place| std::mem::replace(place, Place::Copy(line)));
        if let (Some(Place::Call(copy, _)), Some(Place::Call(call, seen))) = (copy, self.places.get_mut(first)) {
            *seen = history;
            call.answer = call.answer.take().or(copy.answer);
        }
        let groups = [self.by_content.get_mut(&content), entry.and_then(|entry| self.by_entry.get_mut(&entry))];
        groups.into_iter().flatten().for_each(|group| group.retain(|other| *other != at));
    }

    /// The call that another is a copy of, among earlier ones that say the same. One history has a call once: what it holds twice was asked
    /// twice.
    fn original(&self, call: &Asked, history: History, earlier: Vec<usize>) -> Option<usize> {
        let result = |call: &Asked| call.answer.as_ref().map(|answer| answer.result.clone());
        let of_call = result(call);
        let others = earlier.into_iter().filter_map(|at| match self.places.get(at)? {
            Place::Call(other, seen) if *seen != history => Some((at, result(other))),
            Place::Call(..) | Place::Copy(_) => None,
        });
        let others: Vec<(usize, Option<String>)> = others.collect();
        let same = others.iter().find(|(_, result)| *result == of_call);
        let unknown = || others.iter().find(|(_, result)| result.is_none() || of_call.is_none());
        same.or_else(unknown).map(|(at, _)| *at)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Asked> {
        self.places.iter().filter_map(|place| match place {
            Place::Call(call, _) => Some(call.as_ref()),
            Place::Copy(_) => None,
        })
    }

    /// Lines of calls that were written down before.
    pub(super) fn copies(&self) -> impl Iterator<Item = u64> {
        self.places.iter().filter_map(|place| match place {
            Place::Copy(line) => Some(*line),
            Place::Call(..) => None,
        })
    }

    /// Results without a call.
    pub(super) fn strays(&self) -> u64 {
        self.strays
    }
}
