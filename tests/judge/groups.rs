//! Groups, events and rules built by hand, as the engine would hand them over.

use chrono_tz::Tz;
use rust_decimal::Decimal;
use std::sync::Arc;
use twicelog::domain::frequency::Frequencies;
use twicelog::domain::group::{Link, LinkKind, Proven};
use twicelog::domain::time::Fold;
use twicelog::domain::{Currency, EffectKind, Event, Finding, Group, Money, Origin, Outcome, Precision, Severity, Stamp};
use twicelog::judge::{Conclusion, Keep, judge};
use twicelog::rules::normalise::Normaliser;
use twicelog::rules::pick::Pick;
use twicelog::rules::window::Window;
use twicelog::rules::{FieldRef, FingerprintField, Proof, Read, Rule, Rules, Source};

pub const SECOND: i64 = 1_000_000_000;
pub const HOUR: i64 = 3_600 * SECOND;
pub const DAY: i64 = 24 * HOUR;
/// 2026-03-02T10:00:00Z
pub const MONDAY: i64 = 1_772_445_600 * SECOND;

/// A source without columns; `fields` are its named fields.
pub fn source(name: &str, fields: &[&str]) -> Source {
    let mut source = Source::of_columns(None, Read::default(), Vec::new());
    source.name = Arc::from(name);
    source.map.operation = Pick::Const("charge".into());
    source.map.fields = fields.iter().map(|name| ((*name).to_owned(), Pick::Columns(vec![0]))).collect();
    source
}

pub fn rule(id: &str) -> Rule {
    Rule {
        id: id.into(),
        sources: vec![0],
        operations: None,
        fingerprint: Vec::new(),
        similar: Vec::new(),
        window: Window::FromFirst(DAY),
        by_key: false,
        key_lifetime: DAY,
        allow: 1,
        conflict_on: Vec::new(),
        filter: None,
        explained_by: Vec::new(),
        severity: Severity::High,
        version: "v1".into(),
    }
}

/// A field of `explained_by`, compared as where the rule does not say how.
pub fn business_id(name: &str) -> FingerprintField {
    FingerprintField { field: FieldRef::Named(name.into()), normalise: Normaliser::of_business_ids() }
}

pub fn rules(sources: Vec<Source>, rules: Vec<Rule>) -> Rules {
    Rules {
        zone: Tz::UTC,
        zone_given: true,
        sources,
        proofs: Vec::new(),
        rules,
        hooks: twicelog::rules::Hooks::default(),
        sha256: String::new(),
    }
}

/// One source "log" with these named fields, one rule "case".
pub fn one_rule(fields: &[&str]) -> Rules {
    rules(vec![source("log", fields)], vec![rule("case")])
}

pub fn with_proof(mut rules: Rules) -> Rules {
    rules.proofs.push(Proof { source: 1, of: 0, fields: vec![FieldRef::Named("ref".into())] });
    rules
}

/// A record `seconds` after Monday ten o'clock, of source 0, by actor `anna`.
#[derive(Clone, Debug)]
pub struct Made(pub Event);

pub fn at(seconds: f64) -> Made {
    after((seconds * 1_000.0) as i64 * (SECOND / 1_000))
}

/// The same, `nanos` after Monday ten o'clock.
pub fn after(nanos: i64) -> Made {
    let nanos = MONDAY + nanos;
    Made(Event {
        origin: Origin { source: Arc::from("log"), file: Arc::from("log.csv"), record: 0, lines: [0, 0] },
        source: 0,
        time: Stamp { nanos, local_nanos: nanos, precision: Precision::Millisecond, fold: Fold::None },
        operation: "charge".into(),
        kind: EffectKind::Create,
        actor: Some("anna".into()),
        amount: None,
        outcome: Outcome::Failed,
        outcome_text: None,
        effect_id: None,
        each_row: false,
        request_key: None,
        payload: None,
        record_id: None,
        reverses: None,
        fields: Vec::new(),
        raw: None,
        content: 0,
    })
}

impl Made {
    pub fn took(self, id: &str) -> Self {
        self.outcome(Outcome::TookEffect).effect(id)
    }

    pub fn effect(mut self, id: &str) -> Self {
        self.0.effect_id = Some(id.into());
        self
    }

    pub fn outcome(mut self, outcome: Outcome) -> Self {
        self.0.outcome = outcome;
        self
    }

    pub fn says(mut self, text: &str) -> Self {
        self.0.outcome_text = Some(text.into());
        self
    }

    pub fn key(mut self, key: &str) -> Self {
        self.0.request_key = Some(key.into());
        self
    }

    pub fn payload(mut self, payload: &str) -> Self {
        self.0.payload = Some(payload.into());
        self
    }

    pub fn reverses(mut self, id: &str) -> Self {
        self.0.reverses = Some(id.into());
        self.outcome(Outcome::Reversal)
    }

    pub fn money(mut self, amount: &str, currency: &str) -> Self {
        let currency = Currency::parse(currency).expect("a currency");
        self.0.amount = Some(Money::from_major(amount.parse::<Decimal>().expect("a number"), currency));
        self
    }

    pub fn actor(mut self, actor: Option<&str>) -> Self {
        self.0.actor = actor.map(str::to_owned);
        self
    }

    pub fn operation(mut self, operation: &str, kind: EffectKind) -> Self {
        self.0.operation = operation.into();
        self.0.kind = kind;
        self
    }

    pub fn fields(mut self, values: &[&str]) -> Self {
        self.0.fields = values.iter().map(|value| (!value.is_empty()).then(|| (*value).to_owned())).collect();
        self
    }

    pub fn source(mut self, source: usize, name: &str) -> Self {
        self.0.source = source;
        self.0.origin.source = Arc::from(name);
        self.0.origin.file = Arc::from(format!("{name}.csv"));
        self
    }

    pub fn precision(mut self, precision: Precision) -> Self {
        self.0.time.precision = precision;
        self
    }

    pub fn each_row(mut self) -> Self {
        self.0.each_row = true;
        self
    }

    pub fn record(mut self, record: u64) -> Self {
        self.0.origin.record = record;
        self
    }

    fn finish(mut self, record: u64) -> Event {
        if self.0.origin.record == 0 {
            self.0.origin.record = record;
        }
        let record = self.0.origin.record;
        self.0.origin.lines = [record, record];
        let nowhere = Origin { source: Arc::from(""), file: Arc::from(""), record: 0, lines: [0, 0] };
        let content = format!("{:?}", Event { origin: nowhere, ..self.0.clone() });
        self.0.content = xxhash_rust::xxh3::xxh3_128(content.as_bytes());
        self.0
    }
}

/// A group of rule 0; records are numbered in the order given, from 1.
pub fn group(events: Vec<Made>) -> Group {
    let mut events: Vec<Event> = events.into_iter().zip(1..).map(|(made, record)| made.finish(record)).collect();
    events.sort_by(Event::order);
    Group {
        rule: 0,
        fingerprint: vec![("order".into(), Some("A-1".into())), ("currency".into(), None)],
        proven: vec![Proven::Unasked; events.len()],
        events,
        links: Vec::new(),
        unread: 0,
    }
}

/// All attempts of the group were looked up in the proof source, which holds these records.
pub fn proven_by(mut group: Group, proofs: Vec<Made>) -> Group {
    group.proven = vec![Proven::Asked; group.events.len()];
    linked(group, LinkKind::Proof, proofs)
}

pub fn linked(mut group: Group, kind: LinkKind, records: Vec<Made>) -> Group {
    group.links.extend(records.into_iter().zip(1001..).map(|(made, record)| Link { kind, event: made.finish(record) }));
    group.links.sort_by(|a, b| a.event.order(&b.event));
    group
}

pub fn named(mut group: Group, fingerprint: &[(&str, &str)]) -> Group {
    group.fingerprint = fingerprint.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))).collect();
    group
}

pub fn conclude(groups: Vec<Group>, rules: &Rules) -> Conclusion {
    let frequencies = frequencies(&groups_events(&groups));
    judge(groups, rules, &frequencies, Keep::All).expect("a store in memory")
}

fn groups_events(groups: &[Group]) -> Vec<Event> {
    groups.iter().flat_map(|group| group.events.iter().cloned()).collect()
}

fn frequencies(events: &[Event]) -> Frequencies {
    let mut frequencies = Frequencies::default();
    for event in events {
        frequencies.add(event.time.nanos, &event.operation, event.actor.as_deref(), event.amount.as_ref());
    }
    frequencies
}

/// The one finding, quiet or not, of one group.
pub fn finding(group: Group, rules: &Rules) -> Finding {
    let findings = conclude(vec![group], rules).findings;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings[0].clone()
}

/// Net exposure as `"EUR 84.50"`, one entry for each currency.
pub fn net(finding: &Finding) -> Vec<String> {
    finding.exposure.iter().map(|exposure| format!("{} {}", exposure.currency, exposure.net)).collect()
}
