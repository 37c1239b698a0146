//! Events and groups, packed.

use super::plain::pack_text;
use super::{Pack, Packed, pack_choice, pack_members};
use crate::domain::event::{EffectKind, Event, Origin, Outcome};
use crate::domain::group::{Group, Link, LinkKind, Proven};
use crate::domain::money::{Currency, Money};
use crate::domain::time::{Fold, Precision, Stamp};
use rust_decimal::Decimal;

pack_choice!(Precision { Sequence, Day, Minute, Second, Millisecond, Microsecond, Nanosecond });
pack_choice!(Fold { None, Repeated, Skipped });
pack_choice!(EffectKind { Create, Increment, Send, Set, Delete, Read, Reversal });
pack_choice!(Outcome { Started, Failed, Unknown, TookEffect, Reversed, Replayed, Reversal });
pack_choice!(LinkKind { Proof, Reversal });
pack_choice!(Proven { Unasked, Asked });

pack_members!(Stamp { nanos, local_nanos, precision, fold });
pack_members!(Origin { source, file, record, lines });
pack_members!(Money { amount, currency });
pack_members!(Event {
    origin,
    source,
    time,
    operation,
    kind,
    actor,
    amount,
    outcome,
    outcome_text,
    effect_id,
    each_row,
    request_key,
    payload,
    record_id,
    reverses,
    fields,
    content,
    raw,
});
pack_members!(Link { kind, event });
pack_members!(Group { rule, fingerprint, events, proven, links, unread });

impl Pack for Decimal {
    /// With its scale: 2.50 is not 2.5.
    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.serialize());
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        from.array().map(Self::deserialize)
    }
}

impl Pack for Currency {
    fn pack(&self, out: &mut Vec<u8>) {
        pack_text(self.as_str(), out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Self::parse(from.text()?)
    }
}
