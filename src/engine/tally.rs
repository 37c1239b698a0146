//! What pass one counts: the ledger of each input, operations, doubts, rejects.

use super::blocks::BlockTable;
use super::clock::ZoneOf;
use super::horizon::Latest;
use super::mapping::{ColumnEvidence, Damaged, Mapped};
use super::row::Place;
use crate::domain::Precision;
use crate::domain::control::ControlSums;
use crate::domain::frequency::Frequencies;
use crate::domain::record::Position;
use crate::domain::report::Ledger;
use crate::domain::time::{DAY, Fold};
use crate::domain::volume::Volume;
use crate::domain::week::Week;
use std::collections::BTreeMap;

/// Distinct outcome texts outside the lists that are named in notes.
pub const MOST_UNLISTED: usize = 100;

/// Counts of one input.
#[derive(Clone, Debug, Default)]
pub struct InputTally {
    pub ledger: Ledger,
    /// Nanoseconds since 1970 of the first and last event.
    pub range: Option<(i64, i64)>,
    /// Records of earlier nights; they are not in the ledger.
    pub carried: u64,
    /// By reason without the value.
    pub rejects: BTreeMap<String, FirstReject>,
}

/// How many records were rejected for one reason, and the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstReject {
    pub count: u64,
    /// Byte of its input at which it starts. Blocks are numbered as threads happen to take them, so a place does not tell who is first.
    pub offset: u64,
    pub at: RejectedAt,
    pub message: String,
}

/// Attempts of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationTally {
    pub attempts: u64,
    pub with_key: u64,
}

/// What the events of one source say about the way it is written and mapped.
#[derive(Clone, Debug, Default)]
pub struct SourceTally {
    pub columns: ColumnEvidence,
    pub events: u64,
    /// Outcome texts in no list, with their count; an absent outcome is the empty text.
    pub unlisted: BTreeMap<String, u64>,
    /// Outcome texts beyond the named ones.
    pub more_unlisted: u64,
    pub damaged: DamagedCounts,
    /// Local times in the repeated hour at the end of summer time, and in the skipped one at its start.
    pub repeated_hour: u64,
    pub skipped_hour: u64,
    /// Times that named no zone.
    pub read_local: u64,
    /// Times whose zone is an abbreviation with several meanings.
    pub ambiguous_zones: u64,
    /// Records in which a column that should hold JSON holds something else.
    pub not_json: u64,
    /// Times without a time of day.
    pub dates: u64,
    /// Amounts in a currency that the record does not name.
    pub without_currency: u64,
    /// What the amounts add up to.
    pub controls: ControlSums,
    /// Events that fill a fingerprint only in part, by rule.
    pub partial: BTreeMap<usize, u64>,
    /// Attempts by hour of the week.
    pub week: Week,
    /// Events by time. A date stands at its beginning in UTC, wherever it was written.
    pub volume: Volume,
    /// Nanoseconds since 1970 of the first and last event, for proofs.
    pub range: Option<(i64, i64)>,
    /// Of a night: the latest times that are past.
    pub latest: Latest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamagedCounts {
    pub effect_id: u64,
    pub request_key: u64,
    pub record_id: u64,
}

impl DamagedCounts {
    pub fn add(&mut self, damaged: Damaged) {
        self.effect_id += u64::from(damaged.effect_id);
        self.request_key += u64::from(damaged.request_key);
        self.record_id += u64::from(damaged.record_id);
    }
}

/// A record that could not be used.
#[derive(Clone, Debug)]
pub struct Reject {
    pub at: RejectedAt,
    pub message: String,
}

/// Where a record that could not be used stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectedAt {
    pub place: Place,
    /// Lines of the block before the record.
    pub line: u32,
    pub position: Option<Position>,
}

impl RejectedAt {
    /// 1-based number and line of the record in its input; `place` is ranked.
    pub fn number_and_line(&self, blocks: &BlockTable, first_line: u64) -> (u64, u64) {
        match self.position {
            Some(Position { number, lines: [first, _] }) => (number, first),
            None => {
                let line = first_line + blocks.lines_before(self.place.block()) + u64::from(self.line);
                (blocks.record_number(self.place), line)
            }
        }
    }
}

/// Everything one thread counted; threads are merged, in any order.
#[derive(Default)]
pub struct Tally {
    pub inputs: BTreeMap<usize, InputTally>,
    pub sources: BTreeMap<usize, SourceTally>,
    /// By number of the operation.
    pub operations: Vec<OperationTally>,
    pub frequencies: Frequencies,
    /// Attempts seen by each rule.
    pub rules: BTreeMap<usize, u64>,
    pub rejects: Vec<Reject>,
}

fn widen(range: &mut Option<(i64, i64)>, other: Option<(i64, i64)>) {
    *range = match (*range, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, None) => one,
        (None, other) => other,
    };
}

impl InputTally {
    pub fn event(&mut self, nanos: i64) {
        widen(&mut self.range, Some((nanos, nanos)));
    }

    /// Counts a rejected record by its reason, and keeps the message of the first in the input.
    pub fn reject(&mut self, kind: &str, offset: u64, at: RejectedAt, message: impl FnOnce() -> String) {
        self.ledger.rejected += 1;
        let first = |count, message| FirstReject { count, offset, at, message };
        if let Some(known) = self.rejects.get_mut(kind) {
            known.count += 1;
            if offset < known.offset {
                *known = first(known.count, message());
            }
        } else {
            self.rejects.insert(kind.to_owned(), first(1, message()));
        }
    }

    fn merge(&mut self, other: Self) {
        self.ledger.add(&other.ledger);
        self.carried += other.carried;
        widen(&mut self.range, other.range);
        for (kind, theirs) in other.rejects {
            match self.rejects.get_mut(&kind) {
                Some(ours) => {
                    let count = ours.count + theirs.count;
                    if theirs.offset < ours.offset {
                        *ours = theirs;
                    }
                    ours.count = count;
                }
                None => {
                    self.rejects.insert(kind, theirs);
                }
            }
        }
    }
}

impl SourceTally {
    pub fn unlisted(&mut self, text: &str) {
        if let Some(count) = self.unlisted.get_mut(text) {
            *count += 1;
        } else if self.unlisted.len() < MOST_UNLISTED {
            self.unlisted.insert(text.to_owned(), 1);
        } else {
            self.more_unlisted += 1;
        }
    }

    fn merge(&mut self, other: Self) {
        self.columns.mark.merge(other.columns.mark);
        self.columns.order.merge(other.columns.order);
        self.events += other.events;
        for (text, count) in other.unlisted {
            *self.unlisted.entry(text).or_default() += count;
        }
        self.more_unlisted += other.more_unlisted;
        self.damaged.effect_id += other.damaged.effect_id;
        self.damaged.request_key += other.damaged.request_key;
        self.damaged.record_id += other.damaged.record_id;
        self.repeated_hour += other.repeated_hour;
        self.skipped_hour += other.skipped_hour;
        self.read_local += other.read_local;
        self.ambiguous_zones += other.ambiguous_zones;
        self.not_json += other.not_json;
        self.dates += other.dates;
        self.without_currency += other.without_currency;
        self.controls.merge(&other.controls);
        for (rule, count) in other.partial {
            *self.partial.entry(rule).or_default() += count;
        }
        self.week.merge(&other.week);
        self.volume.merge(&other.volume);
        widen(&mut self.range, other.range);
        self.latest.merge(other.latest);
    }

    /// Adds what carried records say: how columns are written, which times are covered, and when attempts were made. Doubts about them
    /// were told on their own night, and their amounts were in its totals.
    pub fn recall(&mut self, carried: Self) {
        self.columns.mark.merge(carried.columns.mark);
        self.columns.order.merge(carried.columns.order);
        self.week.merge(&carried.week);
        widen(&mut self.range, carried.range);
        self.latest.merge(carried.latest);
    }

    /// Events by time; None where no event has one.
    pub fn volume(&self) -> Option<Volume> {
        let mut volume = self.volume.clone();
        if self.dates == self.events {
            // A date is no second.
            volume.widen_to(DAY);
        }
        let is_told = volume.buckets().next().is_some();
        is_told.then_some(volume)
    }

    /// Counts one event.
    #[inline]
    pub fn count(&mut self, mapped: &Mapped<'_>) {
        self.events += 1;
        if mapped.time.precision != Precision::Sequence {
            widen(&mut self.range, Some((mapped.time.nanos, mapped.time.nanos)));
            self.volume.add(if mapped.time.precision == Precision::Day { mapped.time.local_nanos } else { mapped.time.nanos });
        }
        self.damaged.add(mapped.damaged);
        self.read_local += u64::from(mapped.zone == ZoneOf::Source);
        self.ambiguous_zones += u64::from(mapped.zone == ZoneOf::Ambiguous);
        self.dates += u64::from(mapped.time.precision == Precision::Day);
        match mapped.time.fold {
            Fold::None => {}
            Fold::Repeated => self.repeated_hour += 1,
            Fold::Skipped => self.skipped_hour += 1,
        }
        if mapped.unlisted {
            self.unlisted(mapped.outcome_text.unwrap_or_default());
        }
        if let Some(money) = mapped.amount {
            self.without_currency += u64::from(mapped.currency.is_none());
            self.controls.add(money);
        }
    }

    /// Takes events out that were counted before. The range stays: the same records stand elsewhere.
    pub fn subtract(&mut self, other: &Self) {
        let less = |ours: &mut u64, theirs: u64| *ours = ours.saturating_sub(theirs);
        less(&mut self.events, other.events);
        less(&mut self.damaged.effect_id, other.damaged.effect_id);
        less(&mut self.damaged.request_key, other.damaged.request_key);
        less(&mut self.damaged.record_id, other.damaged.record_id);
        less(&mut self.read_local, other.read_local);
        less(&mut self.ambiguous_zones, other.ambiguous_zones);
        less(&mut self.not_json, other.not_json);
        for (rule, count) in &other.partial {
            if let Some(ours) = self.partial.get_mut(rule) {
                less(ours, *count);
            }
        }
        self.partial.retain(|_, count| *count > 0);
        self.week.subtract(&other.week);
        self.volume.subtract(&other.volume);
        less(&mut self.dates, other.dates);
        less(&mut self.repeated_hour, other.repeated_hour);
        less(&mut self.skipped_hour, other.skipped_hour);
        less(&mut self.without_currency, other.without_currency);
        self.controls.subtract(&other.controls);
        less(&mut self.more_unlisted, other.more_unlisted);
        for (text, count) in &other.unlisted {
            if let Some(ours) = self.unlisted.get_mut(text) {
                less(ours, *count);
            }
        }
        self.unlisted.retain(|_, count| *count > 0);
    }
}

impl Tally {
    /// Counts attempts of an operation; its number comes from [`super::operation_names::OperationNames`].
    pub fn operation(&mut self, number: u16, more: OperationTally) {
        let at = usize::from(number);
        if self.operations.len() <= at {
            self.operations.resize(at + 1, OperationTally::default());
        }
        self.operations[at].attempts += more.attempts;
        self.operations[at].with_key += more.with_key;
    }

    /// Adds what another thread counted.
    pub fn merge(&mut self, other: Self) {
        for (input, tally) in other.inputs {
            self.inputs.entry(input).or_default().merge(tally);
        }
        for (source, tally) in other.sources {
            self.sources.entry(source).or_default().merge(tally);
        }
        for (number, tally) in other.operations.into_iter().enumerate() {
            self.operation(number as u16, tally);
        }
        for (rule, count) in other.rules {
            *self.rules.entry(rule).or_default() += count;
        }
        self.frequencies.merge(&other.frequencies);
        self.rejects.extend(other.rejects);
    }
}
