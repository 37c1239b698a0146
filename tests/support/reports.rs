//! Reports made by hand for the tests of the formats.

use std::collections::BTreeMap;
use twicelog::domain::decision::{Decision, Judgement, Standing};
use twicelog::domain::event::Outcome;
use twicelog::domain::finding::*;
use twicelog::domain::report::*;

/// An exposure without reversals.
pub fn exposure(currency: &str, gross: &str, reversed: &str, net: &str) -> Exposure {
    Exposure { currency: currency.into(), gross: gross.into(), reversed: reversed.into(), net: net.into() }
}

pub fn record(role: Role, time: &str, effect_id: Option<&str>, values: &[(&str, &str)]) -> FindingRecord {
    FindingRecord {
        source: "shop".into(),
        file: "shop-1.csv".into(),
        record: 3,
        lines: [4, 4],
        time: time.into(),
        outcome: if effect_id.is_some() { Outcome::TookEffect } else { Outcome::Unknown },
        effect_id: effect_id.map(String::from),
        request_key: None,
        role,
        values: values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        raw: None,
    }
}

pub fn finding(id: &str, verdict: Verdict, money: Exposure, extra: u64, records: Vec<FindingRecord>) -> Finding {
    Finding {
        id: id.into(),
        rule: "double-order".into(),
        verdict,
        severity: Severity::High,
        key_relation: KeyRelation::Changed,
        cause: Cause { code: "client_retry".into(), why: "the gap of 3 min 2 s is a step of the usual back-off".into() },
        likelihood: 0.97,
        evidence: vec![
            Evidence { code: "effect_ids_differ".into(), bits: 5.5, text: "two effect ids".into() },
            Evidence { code: "common_amount".into(), bits: -0.5, text: "the amount is common".into() },
        ],
        fingerprint: BTreeMap::from([("actor".into(), Some("anna@example.org".into())), ("order".into(), None)]),
        alike: vec!["actor".into()],
        first: "2026-03-02T10:40:12.123Z".into(),
        last: "2026-03-02T10:43:14.123Z".into(),
        extra_effects: extra,
        possible_extra_effects: 0,
        exposure: vec![money],
        batch: None,
        incident: None,
        also: vec![],
        decision: None,
        records,
        late_records: 0,
        unread_records: 0,
    }
}

/// A rule that looks at three fields within ten minutes.
pub fn rule(id: &str) -> RuleSummary {
    let meaning = ["equal actor", "equal amount", "equal currency", "window: within 10 min of the first attempt, inclusive"];
    RuleSummary { id: id.into(), severity: Severity::High, version: "b".repeat(64), meaning: meaning.map(String::from).into() }
}

/// Two findings in two currencies, one of them only possible.
pub fn sample() -> Report {
    let values = [
        ("actor", "anna@example.org"),
        ("amount", "59.00"),
        ("currency", "EUR"),
        ("operation", "create_order"),
        ("order", "A-1042"),
    ];
    let doubled = finding(
        "TL-0f3a00000001",
        Verdict::DuplicateEffect,
        exposure("EUR", "70.00", "11.00", "59.00"),
        1,
        vec![
            record(Role::Original, "2026-03-02T10:40:12.123Z", Some("ord_1"), &values),
            record(Role::Repeat, "2026-03-02T10:43:14.123Z", Some("ord_2"), &values),
        ],
    );
    let mut values = values;
    values[1].1 = "-12.50";
    values[2].1 = "USD";
    let mut possible = finding(
        "TL-0f3a00000002",
        Verdict::PossibleDuplicate,
        exposure("USD", "12.50", "0.00", "12.50"),
        0,
        vec![
            record(Role::Original, "2026-03-02", Some("ord_3"), &values),
            record(Role::Retry, "2026-03-04", None, &values),
            record(Role::Reversal, "2026-03-05", None, &values),
        ],
    );
    possible.possible_extra_effects = 1;
    possible.incident = Some("TI-000000000001".into());
    report(vec![doubled, possible])
}

/// What windows of this reach find.
fn step(factor: &str, findings: u64) -> WindowStep {
    let net = format!("{findings}9.00");
    WindowStep {
        factor: factor.into(),
        findings,
        extra_effects: findings,
        possible_extra_effects: 0,
        exposure: vec![exposure("EUR", &net, "0.00", &net)],
        possible_exposure: vec![],
    }
}

/// A report of these findings with totals taken from them; one exposure for each finding.
pub fn report(findings: Vec<Finding>) -> Report {
    let ledger = Ledger { read: 12_349, used: 12_345, ignored: 1, repeated: 1, rejected: 2 };
    let example = "shop-1.csv:9: unreadable time \"13/07/26\"; set time.format";
    let money_of = |wanted: fn(Verdict) -> bool| {
        let findings = findings.iter().filter(|finding| wanted(finding.verdict));
        let mut exposure: Vec<Exposure> = findings.flat_map(|finding| finding.exposure.clone()).collect();
        exposure.sort_by(|a, b| a.currency.cmp(&b.currency));
        exposure
    };
    let exposure = money_of(|verdict| verdict != Verdict::PossibleDuplicate);
    let possible_exposure = money_of(|verdict| verdict == Verdict::PossibleDuplicate);
    Report {
        schema: SCHEMA.into(),
        result: ScanResult {
            ledger,
            nightly: None,
            totals: Totals {
                findings: findings.len() as u64,
                extra_effects: findings.iter().map(|finding| finding.extra_effects).sum(),
                possible_extra_effects: findings.iter().map(|finding| finding.possible_extra_effects).sum(),
                exposure,
                possible_exposure,
                verdicts: vec![VerdictCount { verdict: Verdict::DuplicateEffect, groups: 1 }],
                decided: None,
            },
            sources: vec![SourceSummary {
                name: "shop".into(),
                ledger,
                first: Some("2026-03-02T10:40:12.123Z".into()),
                last: Some("2026-03-05".into()),
                files: vec![FileSummary {
                    file: "shop-1.csv".into(),
                    format: "csv, \";\", windows-1251".into(),
                    ledger,
                    first: None,
                    last: None,
                    fault: None,
                    rejects: vec![RejectCount { reason: "unreadable time".into(), records: 2, example: example.into() }],
                }],
                // 2026-03-02 was a Monday, and 10:00 is its eleventh hour.
                volume: (0..168).map(|hour| if hour == 10 { 400 } else { 10 }).collect(),
                // Nothing on the fourth of March.
                over_time: Some(OverTime {
                    bucket_seconds: 86_400,
                    buckets: [(2, 1_500), (3, 400), (5, 172)]
                        .map(|(day, records)| Bucket { from: format!("2026-03-0{day}"), records })
                        .into(),
                }),
            }],
            rules: ["double-order", "never-broken"].map(rule).into(),
            health: vec![Health {
                operation: "create_order".into(),
                attempts: 12_000,
                with_key: 11_000,
                repeats: 40,
                answered: 30,
                blocked: 2,
                doubled: 1,
                possibly_doubled: 1,
                conflicting: 0,
                answered_differently: 0,
                retried: 6,
                keyed_repeats: 36,
                keys_changed: 4,
                median_gap_seconds: Some(30.5),
            }],
            batches: vec![],
            incidents: vec![Incident {
                id: "TI-000000000001".into(),
                field: "order".into(),
                value: "A-1042".into(),
                findings: findings.iter().map(|finding| finding.id.clone()).collect(),
            }],
            notes: vec![Note { code: "assumed_zone".into(), message: "shop: times without a zone were read as UTC".into() }],
            actors: vec![ActorVolume { actor: "anna@example.org".into(), events_at_most: 40 }],
            findings: findings.into(),
        },
        windows: vec![step("1/4", 1), step("1", 2), step("16", 3)],
        nights: vec![Night { started: "2026-03-05T02:00:00Z".into(), findings: 5, decided: 1, ..Night::default() }],
        run: Run {
            version: "0.1.0".into(),
            started: "2026-03-06T02:00:00Z".into(),
            duration_ms: 12,
            config_sha256: "0".repeat(64),
            inputs: vec![RunInput { file: "shop-1.csv".into(), bytes: 1, sha256: "a".repeat(64) }],
            baseline: None,
            night: None,
        },
    }
}

/// No record, no finding.
pub fn empty() -> Report {
    let mut report = report(vec![]);
    report.result.ledger = Ledger::default();
    report.result.sources.clear();
    report.result.health.clear();
    report.result.incidents.clear();
    report.result.notes.clear();
    report
}

/// A report that holds this text wherever text from outside can stand.
pub fn full_of(text: &str) -> Report {
    let mut report = sample();
    let put = |slot: &mut String| *slot = text.to_owned();
    for (standing, finding) in [Standing::Expired, Standing::Live].into_iter().zip(&mut report.result.findings) {
        finding.fingerprint = BTreeMap::from([(text.to_owned(), Some(text.to_owned())), ("actor".into(), Some(text.to_owned()))]);
        finding.alike = vec![text.to_owned()];
        finding.also = vec![text.to_owned()];
        [&mut finding.rule, &mut finding.cause.why, &mut finding.cause.code].into_iter().for_each(put);
        finding.batch = Some(text.to_owned());
        finding.decision = Some(Decision {
            judgement: Judgement::Accepted,
            reason: text.to_owned(),
            by: Some(text.to_owned()),
            until: Some(text.to_owned()),
            standing,
        });
        finding.evidence.iter_mut().for_each(|evidence| {
            put(&mut evidence.text);
            put(&mut evidence.code);
        });
        for record in &mut finding.records {
            [&mut record.source, &mut record.file].into_iter().for_each(put);
            record.raw = Some(text.to_owned());
            record.effect_id = Some(text.to_owned());
            record.request_key = Some(text.to_owned());
            record.values.values_mut().for_each(put);
            record.values.insert("outcome".into(), text.to_owned());
            record.values.insert("card".into(), text.to_owned());
            record.values.insert(text.to_owned(), text.to_owned());
        }
    }
    for source in &mut report.result.sources {
        put(&mut source.name);
        for file in &mut source.files {
            [&mut file.file, &mut file.format].into_iter().for_each(put);
            file.fault = Some(text.to_owned());
            file.rejects.iter_mut().for_each(|rejects| {
                put(&mut rejects.reason);
                put(&mut rejects.example);
            });
        }
    }
    report.result.sources.extend_from_within(..);
    for rule in &mut report.result.rules {
        put(&mut rule.id);
        rule.meaning.iter_mut().for_each(put);
    }
    report.result.health.iter_mut().for_each(|health| put(&mut health.operation));
    report.result.incidents.iter_mut().for_each(|incident| put(&mut incident.value));
    report.result.notes.iter_mut().for_each(|note| put(&mut note.message));
    report.run.inputs.iter_mut().for_each(|input| put(&mut input.file));
    report
}
