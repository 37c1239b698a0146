//! What charts and filters need of all findings: numbers and names, from one pass in which no more than a few findings are unpacked at a time.

use super::side_by_side::{nanos_between, original};
use crate::domain::Verdict;
use crate::domain::finding::{Finding, FindingRecord, Role};
use crate::domain::findings::Findings;
use chrono::{DateTime, NaiveDate, NaiveTime};
use rayon::prelude::*;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// Findings that one thread looks at before it goes on to the next piece.
const PIECE: usize = 512;

/// A name by its place in [`Overview::name`].
pub(super) type Name = u32;

/// What is told of a finding that totals count: reported, and not decided.
pub(super) struct Glance {
    pub(super) verdict: Verdict,
    /// When its first record happened, in nanoseconds since 1970; None where that is no time.
    pub(super) first: Option<i64>,
    /// The first record has a date and no time of day.
    pub(super) is_date: bool,
    /// Source, operation and actor of the original.
    pub(super) source: Option<Name>,
    pub(super) operation: Option<Name>,
    pub(super) actor: Option<Name>,
    pub(super) cause: Name,
    pub(super) is_of_batch: bool,
    /// What proves or undoes attempts is none.
    pub(super) attempts: u64,
    /// Each further attempt: when it came, and the nanoseconds from the original to it.
    pub(super) repeats: Vec<(Option<i64>, i64)>,
    /// Currency, net and reversed. What is no decimal cannot be added; it stands on the finding as it is.
    pub(super) money: Vec<(Name, Decimal, Decimal)>,
}

/// All findings of a result.
#[derive(Default)]
pub(super) struct Overview {
    /// Those that totals count, in their order.
    pub(super) counted: Vec<Glance>,
    /// The first records of the first and the last of them in time, as the result writes them.
    pub(super) span: Option<[(i64, String); 2]>,
    names: Names,
    /// What can be filtered by; of all findings, counted or not.
    pub(super) verdicts: BTreeSet<Verdict>,
    pub(super) rules: BTreeSet<String>,
    pub(super) sources: BTreeSet<String>,
    pub(super) causes: BTreeSet<String>,
    pub(super) currencies: BTreeSet<String>,
    /// Place and extra effects of each finding that is part of an incident, by its id.
    pub(super) of_incidents: BTreeMap<String, (usize, u64)>,
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    places: BTreeMap<String, Name>,
}

impl Names {
    fn place(&mut self, name: &str) -> Name {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        // More names than findings times a few there cannot be.
        let place = Name::try_from(self.list.len()).unwrap_or(Name::MAX);
        self.list.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }
}

impl Overview {
    pub(super) fn of(findings: &Findings) -> Self {
        let all = findings.len();
        let pieces: Vec<usize> = (0..all).step_by(PIECE).collect();
        let look = |from: &usize| {
            let mut part = Self::default();
            let within = findings.within(*from..all.min(from + PIECE)).enumerate();
            within.for_each(|(at, finding)| part.add(from + at, &finding));
            part
        };
        let parts: Vec<Self> = pieces.par_iter().map(look).collect();
        parts.into_iter().fold(Self::default(), Self::with)
    }

    /// The name that stands at this place.
    pub(super) fn name(&self, name: Name) -> &str {
        self.names.list.get(name as usize).map(String::as_str).unwrap_or_default()
    }

    fn add(&mut self, place: usize, finding: &Finding) {
        self.verdicts.insert(finding.verdict);
        note(&mut self.rules, &finding.rule);
        note(&mut self.causes, &finding.cause.code);
        finding.records.iter().for_each(|record| note(&mut self.sources, &record.source));
        finding.exposure.iter().for_each(|sum| note(&mut self.currencies, &sum.currency));
        if finding.incident.is_some() {
            self.of_incidents.insert(finding.id.clone(), (place, finding.extra_effects));
        }
        if !finding.verdict.is_reported() || finding.is_decided() {
            return;
        }
        let first = nanos(&finding.first);
        if let Some(at) = first {
            let here = || (at, finding.first.clone());
            match &mut self.span {
                None => self.span = Some([here(), here()]),
                Some([earliest, latest]) => {
                    // Of several at one time the first of the list stands for all.
                    if at < earliest.0 {
                        *earliest = here();
                    }
                    if at > latest.0 {
                        *latest = here();
                    }
                }
            }
        }
        let glance = self.glance(finding, first);
        self.counted.push(glance);
    }

    fn glance(&mut self, finding: &Finding, first: Option<i64>) -> Glance {
        let original = original(finding);
        let mut value = |field: &str| original?.values.get(field).map(|name| self.names.place(name));
        let (operation, actor) = (value("operation"), value("actor"));
        let listed = finding.records.iter().filter(|record| is_attempt(record)).count() as u64;
        let money = finding.exposure.iter().filter_map(|sum| {
            let (net, reversed) = (sum.net.parse().ok()?, sum.reversed.parse().ok()?);
            Some((self.names.place(&sum.currency), net, reversed))
        });
        let money = money.collect();
        Glance {
            verdict: finding.verdict,
            first,
            is_date: !finding.first.contains('T'),
            source: original.map(|record| self.names.place(&record.source)),
            operation,
            actor,
            cause: self.names.place(&finding.cause.code),
            is_of_batch: finding.batch.is_some(),
            attempts: listed.saturating_add(finding.unread_records),
            repeats: repeats(finding, original).collect(),
            money,
        }
    }

    /// With what comes after it in the list.
    fn with(mut self, after: Self) -> Self {
        let places: Vec<Name> = after.names.list.iter().map(|name| self.names.place(name)).collect();
        let placed = |name: Name| places.get(name as usize).copied().unwrap_or(Name::MAX);
        self.counted.extend(after.counted.into_iter().map(|mut glance| {
            for name in [&mut glance.source, &mut glance.operation, &mut glance.actor] {
                *name = name.map(placed);
            }
            glance.cause = placed(glance.cause);
            glance.money.iter_mut().for_each(|(currency, ..)| *currency = placed(*currency));
            glance
        }));
        self.span = match (self.span, after.span) {
            (Some([first, last]), Some([other_first, other_last])) => Some([
                if other_first.0 < first.0 { other_first } else { first },
                if other_last.0 > last.0 { other_last } else { last },
            ]),
            (one, None) => one,
            (None, other) => other,
        };
        self.verdicts.extend(after.verdicts);
        self.rules.extend(after.rules);
        self.sources.extend(after.sources);
        self.causes.extend(after.causes);
        self.currencies.extend(after.currencies);
        self.of_incidents.extend(after.of_incidents);
        self
    }
}

fn note(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

fn is_attempt(record: &FindingRecord) -> bool {
    !matches!(record.role, Role::Proof | Role::Reversal)
}

fn repeats<'f>(finding: &'f Finding, first: Option<&'f FindingRecord>) -> impl Iterator<Item = (Option<i64>, i64)> {
    let later = finding.records.iter().filter(move |record| !first.is_some_and(|first| std::ptr::eq(first, *record)));
    later.filter(|record| is_attempt(record)).filter_map(move |record| {
        let gap = nanos_between(&first?.time, &record.time)?.saturating_abs();
        Some((nanos(&record.time), gap))
    })
}

/// Where a time of the result stands on an axis, in nanoseconds since 1970. A date stands at its beginning, which is a place on the axis
/// and no claim about the time of day.
pub(super) fn nanos(time: &str) -> Option<i64> {
    let date = || Some(time.parse::<NaiveDate>().ok()?.and_time(NaiveTime::MIN).and_utc());
    DateTime::parse_from_rfc3339(time).ok().map(|time| time.to_utc()).or_else(date)?.timestamp_nanos_opt()
}
