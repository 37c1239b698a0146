//! Attempts: what a group's records asked for, with the start and the end of one run held together.

use crate::domain::group::Proven;
use crate::domain::{EffectKind, Event, Group, Outcome};
use crate::rules::Rule;
use std::collections::{HashMap, HashSet, VecDeque};

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
    let asks: Vec<(usize, &Event)> = group.events.iter().enumerate().filter(|(_, event)| !undoes(event, rule)).collect();
    let begins = begins(&asks);
    let paired: HashSet<usize> = begins.values().map(|(place, _)| *place).collect();
    asks.into_iter()
        .filter(|(place, _)| !paired.contains(place))
        .map(|(place, event)| Attempt {
            event,
            place,
            began: begins.get(&place).copied(),
            proven: group.proven.get(place).copied().unwrap_or(Proven::Unasked),
        })
        .collect()
}

/// The start of each end, by the end's place. Read backwards, each start takes the latest end that waits for one: runs that
/// overlap end in the order they began, and of two starts before one end the first is the one that died.
fn begins<'a>(asks: &[(usize, &'a Event)]) -> HashMap<usize, (usize, &'a Event)> {
    let mut waiting = Ends::default();
    let mut begins = HashMap::new();
    // Few sources write starts.
    if asks.iter().all(|(_, event)| event.outcome != Outcome::Started) {
        return begins;
    }
    for (place, event) in asks.iter().rev() {
        if event.outcome != Outcome::Started {
            waiting.push(*place, event);
        } else if let Some(end) = waiting.take_for(event) {
            begins.insert(end, (*place, *event));
        }
    }
    begins
}

/// Ends that wait for their start, the latest first. A start with a request key prefers an end with that key.
#[derive(Default)]
struct Ends<'a> {
    taken: HashSet<usize>,
    by_key: HashMap<(usize, Option<&'a str>), VecDeque<usize>>,
    by_source: HashMap<usize, VecDeque<usize>>,
}

impl<'a> Ends<'a> {
    fn push(&mut self, place: usize, event: &'a Event) {
        self.by_key.entry((event.source, event.request_key.as_deref())).or_default().push_back(place);
        self.by_source.entry(event.source).or_default().push_back(place);
    }

    /// An end without a key fits every start of its source, and a start without a key every end.
    fn take_for(&mut self, start: &'a Event) -> Option<usize> {
        let Self { taken, by_key, by_source } = self;
        let mut next = |queue: Option<&mut VecDeque<usize>>| {
            let queue = queue?;
            // The same end stands in two queues.
            std::iter::from_fn(|| queue.pop_front()).find(|place| taken.insert(*place))
        };
        match start.request_key.as_deref() {
            None => next(by_source.get_mut(&start.source)),
            key => next(by_key.get_mut(&(start.source, key))).or_else(|| next(by_key.get_mut(&(start.source, None)))),
        }
    }
}
