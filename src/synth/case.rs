//! What can be planted, and what must be said about it.

use super::random::Random;
use crate::domain::Verdict;
use serde::{Deserialize, Serialize};

/// A kind of case. The first are duplicates, the others look like some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A second click: another payment within two seconds, under a fresh key.
    DoubleSubmit,
    /// The caller did not wait: another payment after half a minute, under a fresh key.
    ClientRetry,
    /// The message came again: another payment under the same key.
    Redelivery,
    /// Three to six payments of one order.
    Storm,
    /// A second payment that was refunded the next day.
    Refunded,
    /// A timeout, then a payment under another key: nobody knows whether the first took effect.
    LostAnswer,
    /// The repeat, under the same key, returned the known payment.
    SafeReplay,
    /// A declined payment, then one that went through.
    Declined,
    /// The same customer pays the same amount for another order.
    NextPurchase,
    /// The same order is paid again, long after the window.
    LongAfter,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::DoubleSubmit,
        Self::ClientRetry,
        Self::Redelivery,
        Self::Storm,
        Self::Refunded,
        Self::LostAnswer,
        Self::SafeReplay,
        Self::Declined,
        Self::NextPurchase,
        Self::LongAfter,
    ];

    /// What a scan must say; None where nothing is to be reported.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::DoubleSubmit | Self::ClientRetry | Self::Redelivery | Self::Storm => Some(Verdict::DuplicateEffect),
            Self::Refunded => Some(Verdict::Compensated),
            Self::LostAnswer => Some(Verdict::PossibleDuplicate),
            Self::SafeReplay | Self::Declined | Self::NextPurchase | Self::LongAfter => None,
        }
    }
}

/// A row of the log, before it has its place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Milliseconds since the log's beginning.
    pub at: u64,
    pub customer: u64,
    pub order: u64,
    pub cents: u64,
    pub status: &'static str,
    pub key: u64,
    /// The payment that came of it.
    pub payment: Option<u64>,
    /// The payment that it takes back.
    pub refund_of: Option<u64>,
}

/// Numbers that nothing else in the log has.
pub(super) struct Fresh(u64);

impl Fresh {
    pub(super) fn new() -> Self {
        Self(0)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;

/// The rows of a case that grows out of one payment, that payment first in time or not.
pub(super) fn rows(kind: Kind, payment: Row, random: &mut Random, fresh: &mut Fresh) -> Vec<Row> {
    let after = |gap: u64, row: &Row| Row { at: row.at + gap, ..row.clone() };
    let again = |gap: u64, fresh: &mut Fresh| Row { key: fresh.next(), payment: Some(fresh.next()), ..after(gap, &payment) };
    let rest = match kind {
        Kind::DoubleSubmit => vec![again(random.between(300, 1_900), fresh)],
        Kind::ClientRetry => vec![again(30 * SECOND + random.between(0, 400), fresh)],
        Kind::Redelivery => vec![Row { key: payment.key, ..again(60 * SECOND + random.between(0, 900), fresh) }],
        // Uneven steps: many pairs with one constant lag would be a file that was imported twice.
        Kind::Storm => {
            (1..=random.between(2, 5)).map(|step| again(step * 5 * SECOND + random.between(0, 2_000), fresh)).collect()
        }
        Kind::Refunded => {
            let second = again(random.between(300, 1_900), fresh);
            let refund = Row {
                status: "refund",
                key: fresh.next(),
                payment: Some(fresh.next()),
                refund_of: second.payment,
                ..after(24 * HOUR, &second)
            };
            vec![second, refund]
        }
        Kind::LostAnswer => {
            let paid = again(30 * SECOND + random.between(0, 400), fresh);
            let lost = Row { status: "timeout", payment: None, ..payment };
            return vec![lost, paid];
        }
        Kind::SafeReplay => vec![after(5 * SECOND, &payment)],
        Kind::Declined => {
            let paid = again(20 * SECOND, fresh);
            let declined = Row { status: "declined", payment: None, ..payment };
            return vec![declined, paid];
        }
        Kind::NextPurchase => vec![Row { order: fresh.next(), ..again(random.between(20, 400) * SECOND, fresh) }],
        Kind::LongAfter => vec![again(2 * HOUR, fresh)],
    };
    [payment].into_iter().chain(rest).collect()
}

/// One planted case, with its rows in the order of their time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub kind: Kind,
    /// What a scan must report; null: nothing.
    pub verdict: Option<Verdict>,
    /// 1-based data records of the log.
    pub records: Vec<u64>,
    pub extra_effects: u64,
    /// Net exposure in EUR; of a possible duplicate what is at stake; null where nothing is reported.
    pub net: Option<String>,
}

/// Everything that was planted, in the order of the first records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    pub records: u64,
    pub seed: u64,
    pub cases: Vec<Answer>,
}
