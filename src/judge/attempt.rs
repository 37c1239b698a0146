//! Attempts: what a group's records asked for, with the start and the end of one run held together.

use crate::domain::group::Proven;
use crate::domain::{EffectKind, Event, Group, Outcome};
use crate::rules::Rule;
use std::collections::{HashMap, VecDeque};

/// One try of the operation. A `started` record and the end that followed it are one attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt<'a> {
    /// The record that tells how it went: its end, or its start when no end followed.
    pub event: &'a Event,
    /// Where `event` stands in `Group::events`.
    pub place: usize,
    /// The start, where the source writes one and the end was found.
    pub began: Option<(usize, &'a Event)>,
    pub proven: Proven,
}

impl<'a> Attempt<'a> {
    /// True for a start that no end followed: the executor died, or the log stops here.
    pub fn is_unfinished(&self) -> bool {
        self.event.outcome == Outcome::Started
    }

    /// The request key of the end, else of the start.
    pub fn key(&self) -> Option<&'a str> {
        let began = self.began.and_then(|(_, event)| event.request_key.as_deref());
        self.event.request_key.as_deref().or(began)
    }

    /// When it was asked for, in nanoseconds since 1970.
    pub fn begin(&self) -> i64 {
        self.began.map_or(self.event.time.nanos, |(_, event)| event.time.nanos)
    }

    /// When its outcome was written, in nanoseconds since 1970.
    pub fn end(&self) -> i64 {
        self.event.time.nanos
    }

    /// True when its own record settles whether it took effect, so that no proof of another source is asked.
    pub fn speaks_for_itself(&self) -> bool {
        self.proven == Proven::Unasked
    }
}

/// True when this record of a group undoes something. An operation of kind `reversal` is an attempt only under a rule that asks
/// for it by name: a rule about refunds judges refunds.
pub(super) fn undoes(event: &Event, rule: &Rule) -> bool {
    event.is_reversal() || (event.kind == EffectKind::Reversal && rule.operations.is_none() && event.took_effect())
}

/// The attempts of a group, in the order in which their outcomes were written.
pub(super) fn attempts<'a>(group: &'a Group, rule: &Rule) -> Vec<Attempt<'a>> {
    let mut starts = Starts::default();
    let mut attempts = Vec::with_capacity(group.events.len());
    for (place, event) in group.events.iter().enumerate().filter(|(_, event)| !undoes(event, rule)) {
        if event.outcome == Outcome::Started {
            starts.push(place, event);
            continue;
        }
        let proven = group.proven.get(place).copied().unwrap_or(Proven::Unasked);
        attempts.push(Attempt { event, place, began: starts.take_for(event), proven });
    }
    attempts.extend(starts.left().map(|(place, event)| Attempt {
        event,
        place,
        began: None,
        proven: group.proven.get(place).copied().unwrap_or(Proven::Unasked),
    }));
    attempts.sort_by_key(|attempt| attempt.place);
    attempts
}

/// Starts that wait for their end: first in, first out, and an end with a request key prefers the start with that key.
#[derive(Default)]
struct Starts<'a> {
    seen: Vec<Option<(usize, &'a Event)>>,
    by_key: HashMap<(usize, Option<&'a str>), VecDeque<usize>>,
    by_source: HashMap<usize, VecDeque<usize>>,
}

impl<'a> Starts<'a> {
    fn push(&mut self, place: usize, event: &'a Event) {
        let index = self.seen.len();
        self.seen.push(Some((place, event)));
        self.by_key.entry((event.source, event.request_key.as_deref())).or_default().push_back(index);
        self.by_source.entry(event.source).or_default().push_back(index);
    }

    fn take_for(&mut self, end: &'a Event) -> Option<(usize, &'a Event)> {
        match end.request_key.as_deref() {
            None => self.by_source.get_mut(&end.source).and_then(|queue| next_open(queue, &mut self.seen)),
            key => {
                let same = self.by_key.get_mut(&(end.source, key)).and_then(|queue| next_open(queue, &mut self.seen));
                same.or_else(|| {
                    self.by_key.get_mut(&(end.source, None)).and_then(|queue| next_open(queue, &mut self.seen))
                })
            }
        }
    }

    fn left(self) -> impl Iterator<Item = (usize, &'a Event)> {
        self.seen.into_iter().flatten()
    }
}

/// The first start of the queue that no end took yet; the same start stands in two queues.
fn next_open<'a>(queue: &mut VecDeque<usize>, seen: &mut [Option<(usize, &'a Event)>]) -> Option<(usize, &'a Event)> {
    while let Some(index) = queue.pop_front() {
        if let Some(start) = seen.get_mut(index).and_then(Option::take) {
            return Some(start);
        }
    }
    None
}
