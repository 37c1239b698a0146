//! For each cause a group that speaks and groups that stay silent.

use crate::groups::*;
use chrono_tz::Tz;
use twicelog::domain::{Group, Outcome, Precision};
use twicelog::rules::Rules;
use twicelog::rules::pick::Pick;

fn cause(group: Group, rules: &Rules) -> String {
    finding(group, rules).cause.code
}

fn pair(gap: f64) -> Vec<Made> {
    vec![at(0.0).took("1"), at(gap).took("2")]
}

#[test]
fn agent_retry_reads_the_name_of_the_operation_column() {
    let mut rules = one_rule(&["args"]);
    rules.sources[0].map.operation = Pick::Columns(vec![1]);
    for (column, expected) in [
        ("/tool", "agent_retry"),
        ("tool_name", "agent_retry"),
        ("/attributes/gen_ai.tool.name", "agent_retry"),
        ("op", "double_submit"),
    ] {
        rules.sources[0].columns = vec!["/ts".into(), column.into()];
        assert_eq!(cause(group(pair(0.004)), &rules), expected, "{column}");
    }
}

#[test]
fn redelivery_reads_message_ids_in_key_column_or_fingerprint() {
    let mut rules = one_rule(&[]);
    rules.sources[0].map.request_key = Some(Pick::Columns(vec![0]));
    let keyed = |second: &str| group(vec![at(0.0).took("1").key("m-1"), at(47.0).took("2").key(second)]);
    rules.sources[0].columns = vec!["message_id".into()];
    assert_eq!(cause(keyed("m-1"), &rules), "redelivery");
    assert_eq!(cause(keyed("m-2"), &rules), "unknown");
    rules.sources[0].columns = vec!["Idempotency-Key".into()];
    assert_eq!(cause(keyed("m-1"), &rules), "unknown");
    let kafka = named(group(pair(4.0)), &[("topic", "payouts"), ("partition", "0"), ("offset", "203")]);
    assert_eq!(cause(kafka, &rules), "redelivery");
    assert_eq!(cause(named(group(pair(47.0)), &[("message", "hello"), ("topic", "x")]), &rules), "unknown");
}

#[test]
fn double_submit_is_at_once_and_by_one_actor() {
    let rules = one_rule(&["session"]);
    assert_eq!(cause(group(pair(0.0)), &rules), "double_submit");
    assert_eq!(cause(group(pair(2.0)), &rules), "double_submit");
    assert_eq!(cause(group(pair(2.5)), &rules), "unknown");
    let days = pair(0.0).into_iter().map(|made| made.precision(Precision::Day)).collect();
    assert_eq!(cause(group(days), &rules), "unknown", "two equal dates are not at once");
    let nobody = |session: &'static str| pair(0.4).into_iter().map(|made| made.actor(None).fields(&[session])).collect();
    assert_eq!(cause(group(nobody("s-1")), &rules), "double_submit");
    assert_eq!(cause(group(nobody("")), &rules), "unknown");
}

#[test]
fn client_retry_needs_a_usual_step_or_an_unknown_first_attempt() {
    let rules = one_rule(&[]);
    assert_eq!(cause(group(pair(31.0)), &rules), "client_retry");
    assert_eq!(cause(group(pair(42.0)), &rules), "unknown");
    let minutes = pair(60.0).into_iter().map(|made| made.precision(Precision::Minute)).collect();
    assert_eq!(cause(group(minutes), &rules), "unknown");
    let timeout = group(vec![at(0.0).outcome(Outcome::Unknown), at(42.0).took("2")]);
    assert_eq!(cause(timeout, &rules), "client_retry");
}

#[test]
fn scheduler_rerun_needs_a_period_in_the_fingerprint() {
    let rules = one_rule(&[]);
    let run = |field| cause(named(group(pair(3_599.0)), &[(field, "2025-10-26")]), &rules);
    assert_eq!(run("period"), "scheduler_rerun");
    assert_eq!(run("business_day"), "scheduler_rerun");
    assert_eq!(run("date"), "unknown");
}

#[test]
fn clock_change_needs_one_hour_and_the_night() {
    let mut rules = one_rule(&[]);
    // 2026-03-29T01:00Z: Europe/London leaves winter time. Monday ten o'clock is the second of March.
    let night = 26 * DAY + 15 * HOUR;
    let runs = |start: i64, gap: i64| group(vec![after(start).took("1"), after(start + gap).took("2")]);
    assert_eq!(cause(runs(night, HOUR), &rules), "unknown", "UTC has no clock change");
    rules.sources[0].map.time.zone = Tz::Europe__London;
    assert_eq!(cause(runs(night, HOUR - SECOND), &rules), "clock_change");
    assert_eq!(cause(runs(night, 2 * HOUR), &rules), "unknown");
    assert_eq!(cause(runs(0, HOUR), &rules), "unknown");
}

#[test]
fn race_needs_overlap_or_different_workers_at_once() {
    let rules = one_rule(&["worker"]);
    let start = |seconds| at(seconds).outcome(Outcome::Started).each_row().actor(None);
    let done = |seconds| at(seconds).outcome(Outcome::TookEffect).each_row().actor(None);
    assert_eq!(cause(group(vec![start(0.0), start(3.5), done(4.0), done(7.7)]), &rules), "race");
    assert_eq!(cause(group(vec![start(0.0), done(2.0), start(7.0), done(9.0)]), &rules), "unknown");
    let workers = |one: &'static str, two: &'static str| {
        group(vec![at(0.0).took("1").actor(None).fields(&[one]), at(0.3).took("2").actor(None).fields(&[two])])
    };
    assert_eq!(cause(workers("w1", "w2"), &rules), "race");
    assert_eq!(cause(workers("w1", "w1"), &rules), "unknown");
}
