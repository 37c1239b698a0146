//! A group: attempts with one fingerprint inside one window, with the records of other sources that speak about them.

use super::event::Event;

/// Why a record of another source (or beyond the window) belongs to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// It proves an effect of the attempts.
    Proof,
    /// It undoes an effect, found by the effect id it names.
    Reversal,
}

/// A record that is tied to a group by a match of fields or by an effect id.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub kind: LinkKind,
    pub event: Event,
}

/// What the proof sources say of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// No proof is configured for its source, it lacks the fields to match by, or the proof does not cover its time.
    Unasked,
    /// A proof source covers its time; the matching records are in `Group::links` (possibly none: then it had no effect).
    Asked,
}

/// Attempts that one rule holds to be the same operation.
#[derive(Clone, Debug)]
pub struct Group {
    /// Index into `Rules::rules`.
    pub rule: usize,
    /// Name and normalised value of each fingerprint field; None is the explicit mark "absent".
    pub fingerprint: Vec<(String, Option<String>)>,
    /// Attempts, and the reversals that share their fingerprint, in the total order of [`Event::order`].
    pub events: Vec<Event>,
    /// One for each of `events`.
    pub proven: Vec<Proven>,
    /// Proof records and linked reversals, in the total order.
    pub links: Vec<Link>,
    /// Attempts of this fingerprint and window that were counted but not read in detail, because the group is too large.
    pub unread: u64,
}
