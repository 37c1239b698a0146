//! One finding for each set of connected records, and incidents over several rules.

use crate::groups::*;
use twicelog::domain::{Group, Outcome, Severity, Verdict};
use twicelog::rules::Rules;

fn two_rules() -> Rules {
    rules(vec![source("log", &["order"])], vec![rule("by-order"), rule("by-amount")])
}

fn of_rule(rule: usize, mut group: Group) -> Group {
    group.rule = rule;
    group
}

fn pay(record: u64) -> Made {
    at(record as f64).took(&format!("p{record}")).money("10", "EUR").fields(&["A-1"]).record(record)
}

#[test]
fn equal_records_under_two_rules_are_one_finding() {
    let pair = || group(vec![pay(1), pay(2)]);
    let conclusion = conclude(vec![of_rule(1, pair()), pair()], &two_rules());
    let [found] = &conclusion.findings[..] else { panic!("{:#?}", conclusion.findings) };
    assert_eq!((found.rule.as_str(), found.also.as_slice()), ("by-order", &["by-amount".to_owned()][..]));
    assert_eq!((conclusion.totals.findings, conclusion.totals.extra_effects), (1, 1));
}

#[test]
fn the_higher_severity_leads_and_the_union_is_judged() {
    let mut rules = two_rules();
    rules.rules[1].severity = Severity::Critical;
    let groups = vec![group(vec![pay(1), pay(2)]), of_rule(1, group(vec![pay(2), pay(3)]))];
    let conclusion = conclude(groups, &rules);
    let [found] = &conclusion.findings[..] else { panic!("{:#?}", conclusion.findings) };
    assert_eq!((found.rule.as_str(), found.extra_effects, found.records.len()), ("by-amount", 2, 3));
}

/// Whichever rule the configuration names first.
#[test]
fn of_two_views_of_equal_records_the_larger_claim_stands() {
    let three = || group(vec![pay(1), pay(2), pay(3)]);
    for generous in [0, 1] {
        let mut rules = two_rules();
        rules.rules[generous].allow = 2;
        let conclusion = conclude(vec![three(), of_rule(1, three())], &rules);
        assert_eq!((conclusion.totals.findings, conclusion.totals.extra_effects), (1, 2), "{generous}");
    }
}

/// One cart was paid twice, and a second rule sees an open attempt beside the first payment: the wider look, where each effect has another
/// order, is quiet, and the payment that is proven must not go with it.
#[test]
fn a_proven_repeat_does_not_vanish_in_a_wider_look() {
    let mut rules = two_rules();
    rules.rules[0].severity = Severity::Critical;
    rules.rules[0].explained_by = vec![business_id("order")];
    let paid = |record: u64, order: &str| pay(record).fields(&[order]);
    let open = at(0.5).outcome(Outcome::Unknown).record(9).money("10", "EUR");
    let groups = vec![group(vec![paid(1, "A-1"), open]), of_rule(1, group(vec![paid(1, "A-1"), paid(2, "A-2")]))];
    let conclusion = conclude(groups, &rules);
    let told: Vec<(&str, Verdict)> = conclusion.findings.iter().map(|found| (found.rule.as_str(), found.verdict)).collect();
    assert!(told.contains(&("by-amount", Verdict::DuplicateEffect)), "{told:?}");
    assert_eq!((conclusion.totals.findings, conclusion.totals.extra_effects), (2, 1), "{told:?}");
}

#[test]
fn quiet_groups_inside_a_finding_of_another_rule_are_dropped() {
    let timeout = || at(0.0).outcome(Outcome::Unknown).record(9);
    let inside = of_rule(1, group(vec![at(0.5).record(8), pay(1)]));
    let whole = group(vec![at(0.5).record(8), pay(1), pay(2)]);
    let outside = of_rule(1, group(vec![timeout(), at(0.7).record(7)]));
    let conclusion = conclude(vec![inside, whole, outside], &two_rules());
    let verdicts: Vec<Verdict> = conclusion.findings.iter().map(|found| found.verdict).collect();
    assert_eq!(verdicts, [Verdict::DuplicateEffect, Verdict::RetriedFailure]);
}

#[test]
fn findings_of_two_rules_about_one_order_are_an_incident() {
    let payments = group(vec![pay(1), pay(2)]);
    let mails = of_rule(1, group(vec![pay(3), pay(4)]));
    let other = of_rule(1, group(vec![pay(5).fields(&["A-2"]), pay(6).fields(&["A-2"])]));
    let conclusion = conclude(vec![other, mails, payments], &two_rules());
    let [incident] = conclusion.incidents.as_slice() else { panic!("{:?}", conclusion.incidents) };
    assert_eq!((incident.field.as_str(), incident.value.as_str(), incident.findings.len()), ("order", "A-1", 2));
    let tied: Vec<bool> = conclusion.findings.iter().map(|found| found.incident.is_some()).collect();
    assert_eq!(tied.iter().filter(|tied| **tied).count(), 2);
}

#[test]
fn currencies_are_sorted_by_code_and_never_by_number() {
    let pair = |amount, currency, record| {
        let name = format!("{currency}{record}");
        let made = |at: Made, i: u64| at.took(&format!("{name}-{i}")).money(amount, currency).record(record + i);
        named(group(vec![made(at(0.0), 0), made(at(1.0), 1)]), &[("order", &name)])
    };
    let bare = named(group(vec![at(0.0).took("x").record(91), at(1.0).took("y").record(92)]), &[("order", "bare")]);
    let groups = vec![bare, pair("9000", "JPY", 1), pair("5", "EUR", 11), pair("70", "EUR", 21)];
    let conclusion = conclude(groups, &one_rule(&[]));
    let nets: Vec<String> = conclusion.findings.iter().map(|found| net(found).join(" ")).collect();
    assert_eq!(nets, ["EUR 70.00", "EUR 5.00", "JPY 9000", ""]);
}
