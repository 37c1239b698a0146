//! An event: one record in canonical fields.

use super::money::Money;
use super::time::Stamp;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What a repeat of an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// Each repeat makes another thing: an order, a ticket, a payment.
    Create,
    /// Each repeat adds again: "add 100 to the balance".
    Increment,
    /// Each repeat is sent again: an e-mail, a message.
    Send,
    /// Naturally idempotent: "set status Done".
    Set,
    /// Naturally idempotent: what is gone stays gone.
    Delete,
    /// No effect at all.
    Read,
    /// Undoes an effect: a refund, a void, a credit.
    Reversal,
}

impl EffectKind {
    /// True for operations whose repeat cannot make a second effect.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Set | Self::Delete | Self::Read)
    }
}

/// How an attempt ended, as the source's outcome column says. The order is the order in which things happen within one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An executor began; its end is another record.
    Started,
    /// No effect.
    Failed,
    /// The caller never learned: a timeout, or a value that no list of the configuration names.
    Unknown,
    TookEffect,
    /// It took effect and was undone later: a voided payment, a cancelled order.
    Reversed,
    /// The repeat was recognised and answered with the known result.
    Replayed,
    /// This record itself undoes an effect.
    Reversal,
}

impl Outcome {
    /// The name in configuration and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::TookEffect => "took_effect",
            Self::Reversed => "reversed",
            Self::Replayed => "replayed",
            Self::Reversal => "reversal",
        }
    }
}

/// Where an event came from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    pub source: Arc<str>,
    pub file: Arc<str>,
    /// 1-based: data records of a CSV or sheet, elements of a JSON array, lines of NDJSON and text.
    pub record: u64,
    /// First and last physical line of the decompressed text, 1-based.
    pub lines: [u64; 2],
}

impl Hash for Origin {
    /// By the number of the record: few that are ever put beside each other share it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.record.hash(state);
    }
}

/// One record in canonical fields. `None` is "the record does not say"; an empty value never gets here.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub origin: Origin,
    /// Index of the source in `Rules::sources`.
    pub source: usize,
    pub time: Stamp,
    pub operation: String,
    pub kind: EffectKind,
    pub actor: Option<String>,
    pub amount: Option<Money>,
    pub outcome: Outcome,
    /// What the outcome column said, untouched.
    pub outcome_text: Option<String>,
    pub effect_id: Option<String>,
    /// The source declares every success an effect of its own (`effect_id = { each_row = true }`).
    pub each_row: bool,
    pub request_key: Option<String>,
    /// Canonical JSON where the payload is JSON, otherwise the text.
    pub payload: Option<String>,
    pub record_id: Option<String>,
    /// The effect id that this record undoes.
    pub reverses: Option<String>,
    /// Named fields, in the order of `Source::fields`.
    pub fields: Vec<Option<String>>,
    /// Hash of everything above but the origin: equal content, equal hash. Breaks ties of time without asking where a record stood.
    pub content: u128,
    /// The record as it stands in its file, or the front of it; None unless it was asked for.
    pub raw: Option<String>,
}

/// Where an event stands in the total order of events, told without the event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Standing {
    nanos: i64,
    outcome: Outcome,
    content: u128,
    origin: Origin,
}

impl Event {
    /// The total order of events: time, then what happens first within one instant, then content, then place. Everything before
    /// the place is independent of file names and row order.
    pub fn order(&self, other: &Self) -> Ordering {
        self.time
            .nanos
            .cmp(&other.time.nanos)
            .then(self.outcome.cmp(&other.outcome))
            .then(self.content.cmp(&other.content))
            .then_with(|| self.origin.cmp(&other.origin))
    }

    /// What [`Self::order`] compares.
    pub fn standing(&self) -> Standing {
        Standing { nanos: self.time.nanos, outcome: self.outcome, content: self.content, origin: self.origin.clone() }
    }

    /// True when this record undoes something instead of asking for it.
    pub fn is_reversal(&self) -> bool {
        self.outcome == Outcome::Reversal
    }

    /// True when the record says that something lasting came of it, undone later or not.
    pub fn took_effect(&self) -> bool {
        matches!(self.outcome, Outcome::TookEffect | Outcome::Reversed)
    }
}
