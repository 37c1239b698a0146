//! Every verdict, and the cases that once were hard to tell.

use crate::groups::*;
use twicelog::domain::group::LinkKind;
use twicelog::domain::{EffectKind, KeyRelation, Outcome, Precision, Role, Severity, Verdict};
use twicelog::judge::{Keep, explanations, judge};
use twicelog::rules::normalise::Normaliser;
use twicelog::rules::{FieldRef, FingerprintField, Rules};

fn verdict(events: Vec<Made>) -> Verdict {
    finding(group(events), &one_rule(&[])).verdict
}

#[test]
fn two_effects_are_a_duplicate_with_its_money() {
    let found = finding(
        group(vec![at(0.0).took("ch_1").money("84.50", "EUR"), at(3.0).took("ch_2").money("84.50", "EUR")]),
        &one_rule(&[]),
    );
    assert_eq!((found.verdict, found.extra_effects, found.severity), (Verdict::DuplicateEffect, 1, Severity::High));
    assert_eq!(net(&found), ["EUR 84.50"]);
    assert_eq!(found.records.iter().map(|record| record.role).collect::<Vec<_>>(), [Role::Original, Role::Repeat]);
    assert_eq!((found.first.as_str(), found.last.as_str()), ("2026-03-02T10:00:00.000Z", "2026-03-02T10:00:03.000Z"));
}

#[test]
fn one_effect_told_twice_is_a_safe_replay() {
    assert_eq!(verdict(vec![at(0.0).took("ch_1"), at(1.0).took("ch_1")]), Verdict::SafeReplay);
    assert_eq!(verdict(vec![at(0.0).took("ch_1"), at(1.0).outcome(Outcome::Replayed)]), Verdict::SafeReplay);
}

#[test]
fn failures_before_one_effect_are_a_retried_failure() {
    assert_eq!(verdict(vec![at(0.0).effect("x"), at(9.0).took("ch_1")]), Verdict::RetriedFailure);
    assert_eq!(verdict(vec![at(0.0).took("a"), at(9.0).says("gateway_rejected")]), Verdict::RetriedFailure);
}

#[test]
fn a_refusal_after_the_effect_is_a_blocked_repeat() {
    for refusal in ["409", "HTTP 422", "duplicate_transaction", "already paid"] {
        assert_eq!(verdict(vec![at(0.0).took("a"), at(9.0).says(refusal)]), Verdict::BlockedRepeat, "{refusal}");
    }
    assert_eq!(verdict(vec![at(0.0).says("409"), at(9.0).took("a")]), Verdict::RetriedFailure);
    assert_eq!(verdict(vec![at(0.0).took("a"), at(9.0).says("14090")]), Verdict::RetriedFailure);
}

#[test]
fn a_single_attempt_is_nothing() {
    let rules = one_rule(&[]);
    assert!(conclude(vec![group(vec![at(0.0).took("a")])], &rules).findings.is_empty());
    assert!(conclude(vec![group(vec![])], &rules).findings.is_empty());
}

#[test]
fn quiet_groups_are_counted_and_listed_on_demand() {
    let rules = one_rule(&[]);
    let quiet = || vec![group(vec![at(0.0), at(9.0).took("a")])];
    let conclusion = judge(quiet(), &rules, &Default::default(), Keep::Reported).expect("a store in memory");
    assert!(conclusion.findings.is_empty());
    assert_eq!(conclusion.health["charge"].retried, 1);
    assert_eq!(conclusion.totals.verdicts.iter().map(|count| count.groups).sum::<u64>(), 1);
    let listed = &conclude(quiet(), &rules).findings[0];
    assert_eq!(listed.severity, Severity::Info);
    assert!(listed.likelihood < 0.05, "nothing happened twice: {}", listed.likelihood);
}

#[test]
fn one_key_with_two_payloads_is_a_conflict_within_its_lifetime() {
    let mut rules = one_rule(&[]);
    rules.rules[0].conflict_on = vec![FieldRef::Operation, FieldRef::Payload];
    let group_of = |second: f64| {
        group(vec![at(0.0).took("cs_1").key("k").payload("{\"at\":1}"), at(second).key("k").payload("{\"at\":2}").says("400")])
    };
    let found = finding(group_of(60.0), &rules);
    assert_eq!((found.verdict, found.extra_effects), (Verdict::KeyConflict, 0));
    assert!(found.exposure.is_empty());
    assert_eq!(finding(group_of(90_000.0), &rules).verdict, Verdict::RetriedFailure);
    // Without keys the fingerprint stands for the key; a payload that one side lacks differs from nothing.
    let keyless = group(vec![at(0.0).took("a").payload("1"), at(1.0).payload("2")]);
    assert_eq!(finding(keyless, &rules).verdict, Verdict::KeyConflict);
    let lacking = group(vec![at(0.0).took("a").payload("1"), at(1.0)]);
    assert_eq!(finding(lacking, &rules).verdict, Verdict::RetriedFailure);
    // Other keys are other requests.
    let changed = group(vec![at(0.0).took("a").key("k").payload("1"), at(1.0).key("l").payload("2")]);
    assert_eq!(finding(changed, &rules).verdict, Verdict::RetriedFailure);
}

#[test]
fn idempotent_kinds_and_unchanged_values_do_no_harm() {
    let set = |seconds| at(seconds).operation("set_status", EffectKind::Set).outcome(Outcome::TookEffect).each_row();
    assert_eq!(verdict(vec![set(0.0), set(1.0)]), Verdict::IdempotentRepeat);
    let rules = one_rule(&["before", "after"]);
    let change = |seconds, before, after| at(seconds).took(&format!("c{seconds}")).fields(&[before, after]);
    assert_eq!(
        finding(group(vec![change(0.0, "new", "paid"), change(1.0, "paid", "paid")]), &rules).verdict,
        Verdict::IdempotentRepeat
    );
    assert_eq!(
        finding(group(vec![change(0.0, "0", "100"), change(1.0, "100", "200")]), &rules).verdict,
        Verdict::DuplicateEffect
    );
    assert_eq!(finding(group(vec![change(0.0, "", ""), change(1.0, "", "")]), &rules).verdict, Verdict::DuplicateEffect);
}

#[test]
fn case_03_a_notification_proves_the_timeout() {
    let rules = one_rule(&[]);
    let pay = |seconds| at(seconds).operation("makePayment", EffectKind::Create).money("129.00", "EUR");
    let note = |seconds, id| at(seconds).operation("AUTHORISATION", EffectKind::Create).took(id).money("129.00", "EUR");
    let found = finding(
        group(vec![
            pay(0.12).key("9f2c41").outcome(Outcome::Unknown),
            pay(12.48).key("b71e07").took("B"),
            note(65.0, "A"),
            note(66.2, "B"),
        ]),
        &rules,
    );
    assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::DuplicateEffect, 1, 0));
    assert_eq!((found.key_relation, net(&found)), (KeyRelation::Changed, vec!["EUR 129.00".to_owned()]));
    assert_eq!(found.cause.code, "client_retry");

    let same_key = vec![pay(0.0).key("k").outcome(Outcome::Unknown), pay(11.0).key("k").took("A"), note(62.0, "A")];
    let found = finding(group(same_key), &rules);
    assert_eq!((found.verdict, found.key_relation), (Verdict::SafeReplay, KeyRelation::Same));
}

#[test]
fn a_timeout_under_another_key_or_none_may_be_a_second_effect() {
    let timeout = |seconds| at(seconds).outcome(Outcome::Unknown).money("5", "EUR");
    for first in [timeout(0.0), timeout(0.0).key("a")] {
        let found = finding(group(vec![first, at(10.0).took("1").key("b").money("5", "EUR")]), &one_rule(&[]));
        assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::PossibleDuplicate, 0, 1));
        assert_eq!(net(&found), ["EUR 5.00"]);
    }
    assert_eq!(verdict(vec![timeout(0.0).key("a"), at(1.0).took("1").key("a")]), Verdict::SafeReplay);
    assert_eq!(verdict(vec![timeout(0.0), at(1.0)]), Verdict::RetriedFailure);
    // A keyless success of the same kind is another attempt, not the answer to the first.
    assert_eq!(verdict(vec![timeout(0.0).key("a"), at(1.0).took("1")]), Verdict::PossibleDuplicate);
}

#[test]
fn what_is_at_stake_is_not_summed_as_moved() {
    let stake = group(vec![at(0.0).outcome(Outcome::Unknown), at(10.0).took("1").money("5", "EUR")]);
    let conclusion = conclude(vec![stake], &one_rule(&[]));
    assert_eq!(conclusion.totals.possible_extra_effects, 1);
    assert!(conclusion.totals.exposure.is_empty());
}

#[test]
fn case_05_the_proof_decides() {
    let rules = with_proof(rules(vec![source("log", &["ref"]), source("provider", &["ref"])], vec![rule("case")]));
    let call = |seconds| at(seconds).money("59.00", "USD");
    let paid = |seconds, id| at(seconds).source(1, "provider").took(id).money("59.00", "USD").actor(None);
    let calls = || group(vec![call(0.0).key("a").outcome(Outcome::Unknown), call(65.0).key("b").took("A2")]);
    let found = finding(proven_by(calls(), vec![paid(21.0, "A1"), paid(67.0, "A2")]), &rules);
    assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::DuplicateEffect, 1, 0));
    assert_eq!((found.key_relation, net(&found)), (KeyRelation::Changed, vec!["USD 59.00".to_owned()]));
    let roles: Vec<Role> = found.records.iter().map(|record| record.role).collect();
    assert_eq!(roles, [Role::Original, Role::Proof, Role::Repeat, Role::Proof]);

    let one = finding(proven_by(calls(), vec![paid(67.0, "A2")]), &rules);
    assert_eq!(one.verdict, Verdict::RetriedFailure, "the proof shows that the timeout had no effect");
    let none = finding(proven_by(calls(), vec![]), &rules);
    assert_eq!((none.verdict, none.extra_effects), (Verdict::RetriedFailure, 0));
    let same = group(vec![call(0.0).key("d").outcome(Outcome::Unknown), call(70.0).key("d").took("C1")]);
    assert_eq!(finding(proven_by(same, vec![paid(30.0, "C1")]), &rules).verdict, Verdict::SafeReplay);
}

#[test]
fn case_14_a_start_without_an_end_is_open_and_pairs_are_one_attempt() {
    let start = |seconds| at(seconds).key("JID-1").outcome(Outcome::Started).each_row();
    let done = |seconds| at(seconds).key("JID-1").outcome(Outcome::TookEffect).each_row();
    let fail = |seconds| at(seconds).key("JID-1").each_row();
    let found = finding(group(vec![start(0.0), start(4_731.0), done(4_739.0)]), &one_rule(&[]));
    assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::PossibleDuplicate, 0, 1));
    let roles: Vec<Role> = found.records.iter().map(|record| record.role).collect();
    assert_eq!(roles, [Role::Retry, Role::Original, Role::Original], "the first run is the one that died");
    let found = finding(group(vec![start(0.0), start(3.0), done(4.0), done(5.0)]), &one_rule(&[]));
    assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::DuplicateEffect, 1, 0));
    assert_eq!(verdict(vec![start(0.0), fail(1.0), start(31.0), done(33.0)]), Verdict::RetriedFailure);
    assert!(conclude(vec![group(vec![start(0.0), done(2.0)])], &one_rule(&[])).findings.is_empty());
}

#[test]
fn successes_without_ids_are_only_possible() {
    let ok = |seconds| at(seconds).outcome(Outcome::TookEffect).money("7", "EUR");
    let found = finding(group(vec![ok(0.0), ok(5.0), ok(9.0)]), &one_rule(&[]));
    assert_eq!((found.verdict, found.extra_effects, found.possible_extra_effects), (Verdict::PossibleDuplicate, 0, 2));
    assert_eq!(net(&found), ["EUR 14.00"]);
    assert_eq!(verdict(vec![ok(0.0).effect("a").key("k"), ok(5.0).key("k")]), Verdict::SafeReplay);
}

#[test]
fn case_21_credits_and_voids_compensate() {
    let rules = one_rule(&[]);
    let paid = |days: i64, id| after(days * DAY).took(id).money("9950", "USD").precision(Precision::Day);
    let credit = |days: i64, amount| {
        after(days * DAY).outcome(Outcome::Reversal).effect("100350").money(amount, "USD").precision(Precision::Day)
    };
    let found = finding(group(vec![paid(0, "1"), paid(14, "2"), credit(36, "-9950")]), &rules);
    assert_eq!((found.verdict, found.extra_effects, found.severity), (Verdict::Compensated, 1, Severity::Low));
    assert_eq!((found.exposure[0].gross.as_str(), found.exposure[0].net.as_str()), ("9950.00", "0.00"));

    let voided = group(vec![paid(0, "1"), paid(0, "2").outcome(Outcome::Reversed)]);
    assert_eq!(finding(voided, &rules).verdict, Verdict::Compensated);

    let partly = finding(group(vec![paid(0, "1"), paid(14, "2"), credit(36, "-950")]), &rules);
    assert_eq!((partly.verdict, partly.extra_effects), (Verdict::DuplicateEffect, 1));
    assert_eq!((partly.exposure[0].reversed.as_str(), net(&partly)), ("950.00", vec!["USD 9000.00".to_owned()]));

    let other_currency = group(vec![paid(0, "1"), paid(14, "2"), after(DAY).outcome(Outcome::Reversal).money("9950", "EUR")]);
    assert_eq!(net(&finding(other_currency, &rules)), ["USD 9950.00"]);
}

#[test]
fn a_linked_refund_undoes_the_effect_it_names_and_counts_once() {
    let rules = one_rule(&[]);
    let pay = |seconds, id| at(seconds).took(id).money("30", "EUR");
    let refund = |record| at(90_000.0).reverses("2").effect("re_1").money("15", "EUR").record(record);
    let twice_noted = linked(group(vec![pay(0.0, "1"), pay(5.0, "2")]), LinkKind::Reversal, vec![refund(71), refund(72)]);
    let found = finding(twice_noted, &rules);
    assert_eq!((found.verdict, net(&found)), (Verdict::DuplicateEffect, vec!["EUR 15.00".to_owned()]));
    let full = at(90_000.0).reverses("1").effect("re_2");
    let found = finding(linked(group(vec![pay(0.0, "1"), pay(5.0, "2")]), LinkKind::Reversal, vec![full]), &rules);
    assert_eq!((found.verdict, net(&found)), (Verdict::Compensated, vec!["EUR 0.00".to_owned()]));
    assert_eq!(found.records.last().map(|record| record.role), Some(Role::Reversal));
    let elsewhere = at(90_000.0).reverses("9").money("30", "EUR");
    let found = finding(group(vec![pay(0.0, "1"), pay(5.0, "2"), elsewhere]), &rules);
    assert_eq!(found.verdict, Verdict::DuplicateEffect, "a refund of another effect undoes nothing here");
}

#[test]
fn case_26_a_cancelled_copy_is_compensated_an_open_one_is_not() {
    let issue = |seconds, id| at(seconds).took(id).money("120", "EUR");
    assert_eq!(verdict(vec![issue(0.0, "1"), issue(3.0, "2")]), Verdict::DuplicateEffect);
    assert_eq!(verdict(vec![issue(0.0, "1"), issue(3.0, "2").outcome(Outcome::Reversed)]), Verdict::Compensated);
    let found =
        finding(group(vec![issue(0.0, "1"), issue(3.0, "2").outcome(Outcome::Reversed), issue(6.0, "3")]), &one_rule(&[]));
    assert_eq!((found.verdict, found.extra_effects), (Verdict::DuplicateEffect, 1));
    assert_eq!((found.exposure[0].gross.as_str(), found.exposure[0].net.as_str()), ("240.00", "120.00"));
}

#[test]
fn a_cadence_of_three_is_wanted_and_two_are_never_a_cadence() {
    let monthly = |days: &[i64]| verdict(days.iter().map(|day| after(day * DAY).took(&format!("s{day}"))).collect());
    assert_eq!(monthly(&[0, 31, 59, 90]), Verdict::LegitimateRepeat);
    assert_eq!(monthly(&[0, 7, 14]), Verdict::LegitimateRepeat);
    assert_eq!(monthly(&[0, 1, 2, 3]), Verdict::LegitimateRepeat);
    assert_eq!(monthly(&[0, 365, 730]), Verdict::LegitimateRepeat);
    assert_eq!(monthly(&[0, 31]), Verdict::DuplicateEffect);
    assert_eq!(monthly(&[0, 31, 45]), Verdict::DuplicateEffect);
    assert_eq!(verdict((0..3).map(|i| at(f64::from(i) * 3_600.0).took(&format!("{i}"))).collect()), Verdict::DuplicateEffect);
}

#[test]
fn a_month_left_out_breaks_no_cadence_and_a_second_payment_is_one_extra() {
    let found =
        |days: &[i64]| finding(group(days.iter().map(|day| after(day * DAY).took(&format!("s{day}"))).collect()), &one_rule(&[]));
    assert_eq!(found(&[0, 31, 90, 120, 151]).verdict, Verdict::LegitimateRepeat);
    assert_eq!(found(&[0, 31, 90]).verdict, Verdict::DuplicateEffect, "one of two gaps is no exception");
    let slip = found(&[0, 31, 59, 62, 90, 120]);
    assert_eq!((slip.verdict, slip.extra_effects), (Verdict::DuplicateEffect, 1));
    assert_eq!(slip.records[3].role, Role::Repeat);
}

/// A nightly job that pays one order again and again is stuck; a subscription may be paid day by day.
#[test]
fn one_order_day_after_day_is_no_cadence() {
    let paid = |name: &str| {
        let rules = one_rule(&[name]);
        finding(group((0..4).map(|day| after(day * DAY).took(&format!("c{day}")).fields(&["o-1"])).collect()), &rules)
    };
    let order = paid("order");
    assert_eq!((order.verdict, order.extra_effects), (Verdict::DuplicateEffect, 3));
    assert_eq!(paid("subscription").verdict, Verdict::LegitimateRepeat);
}

/// A request key says that it is one operation, month after month.
#[test]
fn one_request_key_is_no_cadence() {
    let paid = |keys: &[&str]| {
        let pay = |(month, key): (usize, &&str)| {
            let paid = after(month as i64 * 30 * DAY).took(&format!("e{month}")).money("500", "EUR");
            if key.is_empty() { paid } else { paid.key(key) }
        };
        let found = finding(group(keys.iter().enumerate().map(pay).collect()), &one_rule(&[]));
        (found.verdict, found.extra_effects)
    };
    assert_eq!(paid(&["K", "K"]), (Verdict::DuplicateEffect, 1));
    assert_eq!(paid(&["K", "K", "K"]), (Verdict::DuplicateEffect, 2), "one more payment does not make it quiet");
    assert_eq!(paid(&["K", "K", "K", "K", "K"]), (Verdict::DuplicateEffect, 4));
    assert_eq!(paid(&["a", "b", "c", "d", "d"]), (Verdict::DuplicateEffect, 1), "the months before were wanted");
    assert_eq!(paid(&["a", "b", "c", "d"]).0, Verdict::LegitimateRepeat);
    assert_eq!(paid(&["", "", ""]).0, Verdict::LegitimateRepeat, "no key is not one key");
}

/// Who compares the invoice says that it is paid once; a subscription is paid month after month.
#[test]
fn what_is_done_once_and_compared_keeps_no_cadence() {
    let paid = |name: &str, days: i64| {
        let mut rules = one_rule(&[name]);
        rules.rules[0].fingerprint = vec![FingerprintField { field: FieldRef::Named(name.into()), normalise: Vec::new() }];
        let pay = |at: i64| after(at * days * DAY).took(&format!("c{at}")).fields(&["7"]);
        let found = finding(group((0..3).map(pay).collect()), &rules);
        (found.verdict, found.extra_effects)
    };
    for days in [7, 30] {
        assert_eq!(paid("invoice", days), (Verdict::DuplicateEffect, 2), "{days}");
        assert_eq!(paid("booking_no", days), (Verdict::DuplicateEffect, 2), "{days}");
        assert_eq!(paid("order", days).0, Verdict::LegitimateRepeat, "a standing order, {days}");
        assert_eq!(paid("subscription", days).0, Verdict::LegitimateRepeat, "{days}");
        assert_eq!(paid("contract", days).0, Verdict::LegitimateRepeat, "{days}");
    }
}

/// A refund that names nothing takes back what was taken before it, not what comes after.
#[test]
fn nothing_is_given_back_before_it_was_taken() {
    let paid = |second: f64, id: &str| at(second).took(id).money("100", "EUR");
    let refund = |second: f64| {
        at(second).operation("refund", EffectKind::Reversal).outcome(Outcome::Reversal).effect("r1").money("100", "EUR")
    };
    let found = |second| finding(group(vec![refund(second), paid(600.0, "c1"), paid(660.0, "c2")]), &one_rule(&[]));
    assert_eq!((found(0.0).verdict, net(&found(0.0))), (Verdict::DuplicateEffect, vec!["EUR 100.00".to_owned()]));
    assert_eq!(found(900.0).verdict, Verdict::Compensated);
    let mut dated = group(vec![refund(0.0), paid(600.0, "c1"), paid(660.0, "c2")]);
    dated.events.iter_mut().find(|event| event.is_reversal()).unwrap().time.precision = Precision::Day;
    assert_eq!(finding(dated, &one_rule(&[])).verdict, Verdict::Compensated, "a date does not tell which came first");
}

#[test]
fn a_business_id_explains_only_where_all_effects_differ() {
    let mut rules = one_rule(&["order"]);
    rules.rules[0].explained_by = vec![business_id("order")];
    let pay = |seconds, id, order: &str| at(seconds).took(id).fields(&[order]);
    assert_eq!(finding(group(vec![pay(0.0, "1", "A"), pay(1.0, "2", "B")]), &rules).verdict, Verdict::LegitimateRepeat);
    assert_eq!(finding(group(vec![pay(0.0, "1", "A"), pay(1.0, "2", "")]), &rules).verdict, Verdict::DuplicateEffect);
    let mixed = group(vec![pay(0.0, "1", "A"), pay(1.0, "2", "B"), pay(2.0, "3", "A")]);
    assert_eq!(finding(mixed, &rules).verdict, Verdict::DuplicateEffect);
}

/// Nobody is charged twice for the sake of a blank.
#[test]
fn a_blank_or_a_case_makes_no_other_order() {
    let mut rules = one_rule(&["order"]);
    rules.rules[0].explained_by = vec![business_id("order")];
    let paid = |orders: &[&str], rules: &Rules| {
        let pay = |(at_second, order): (usize, &&str)| {
            at(at_second as f64).took(&at_second.to_string()).money("500", "EUR").fields(&[order])
        };
        let found = finding(group(orders.iter().enumerate().map(pay).collect()), rules);
        (found.verdict, found.extra_effects)
    };
    assert_eq!(paid(&["INV-7", "INV-7 "], &rules), (Verdict::DuplicateEffect, 1));
    assert_eq!(paid(&["INV-7", "INV-7 ", "inv-7"], &rules), (Verdict::DuplicateEffect, 2));
    assert_eq!(paid(&["INV-7", "inv-7", "INV-8"], &rules), (Verdict::DuplicateEffect, 1), "of the two");
    assert_eq!(paid(&["INV-7", "  "], &rules), (Verdict::DuplicateEffect, 1), "blanks name no order");
    assert_eq!(paid(&["INV-7", "INV 7"], &rules).0, Verdict::LegitimateRepeat);
    rules.rules[0].explained_by[0].normalise = vec![Normaliser::parse("lower").unwrap(), Normaliser::parse("alnum").unwrap()];
    assert_eq!(paid(&["INV-7", "inv 7"], &rules), (Verdict::DuplicateEffect, 1));
    rules.rules[0].explained_by[0].normalise.clear();
    assert_eq!(paid(&["INV-7", "inv-7"], &rules).0, Verdict::LegitimateRepeat, "as they stand");
}

#[test]
fn a_replay_that_answers_differently_is_reported_low() {
    let keyed = |seconds| at(seconds).key("k");
    let failed = finding(group(vec![keyed(0.0).took("1").says("200"), keyed(2.0).says("500")]), &one_rule(&[]));
    assert_eq!((failed.verdict, failed.severity), (Verdict::InconsistentReplay, Severity::Low));
    assert_eq!(verdict(vec![keyed(0.0).took("1").says("200"), keyed(2.0).took("1").says("202")]), Verdict::InconsistentReplay);
    let dearer = vec![keyed(0.0).took("1").money("5", "EUR"), keyed(2.0).took("1").money("6", "EUR")];
    assert_eq!(verdict(dearer), Verdict::InconsistentReplay);
    assert_eq!(verdict(vec![keyed(0.0).took("1").says("200"), keyed(2.0).says("409")]), Verdict::BlockedRepeat);
    assert_eq!(verdict(vec![keyed(0.0).says("500"), keyed(2.0).took("1").says("200")]), Verdict::RetriedFailure);
    assert_eq!(verdict(vec![keyed(0.0).took("1").says("200"), keyed(2.0).took("1").says("200")]), Verdict::SafeReplay);
}

#[test]
fn one_effect_id_is_one_effect_in_whichever_source_it_stands() {
    let rules = rules(vec![source("a", &[]), source("b", &[])], vec![rule("case")]);
    let found = finding(group(vec![at(0.0).took("1"), at(1.0).source(1, "b").took("1")]), &rules);
    assert_eq!(found.verdict, Verdict::SafeReplay);
    let found = finding(group(vec![at(0.0).took("1"), at(1.0).source(1, "b").took("2")]), &rules);
    assert_eq!((found.verdict, found.extra_effects), (Verdict::DuplicateEffect, 1));
}

#[test]
fn allow_counts_what_is_fine() {
    let mut rules = one_rule(&[]);
    rules.rules[0].allow = 2;
    let made = |count: u32| group((0..count).map(|i| at(f64::from(i)).took(&i.to_string()).money("1", "EUR")).collect());
    assert_eq!(finding(made(2), &rules).verdict, Verdict::LegitimateRepeat);
    let found = finding(made(4), &rules);
    assert_eq!((found.verdict, found.extra_effects, net(&found)), (Verdict::DuplicateEffect, 2, vec!["EUR 2.00".to_owned()]));
}

#[test]
fn keys_relate() {
    let relation = |keys: &[&str]| {
        let made = |(key, i): (&&str, u32)| {
            let made = at(f64::from(i)).took(&i.to_string());
            if key.is_empty() { made } else { made.key(key) }
        };
        finding(group(keys.iter().zip(0..).map(made).collect()), &one_rule(&[])).key_relation
    };
    assert_eq!(relation(&["a", "a"]), KeyRelation::Same);
    assert_eq!(relation(&["a", "b"]), KeyRelation::Changed);
    assert_eq!(relation(&["a", "b", "a"]), KeyRelation::Partly);
    assert_eq!(relation(&["a", ""]), KeyRelation::Partly);
    assert_eq!(relation(&["", ""]), KeyRelation::None);
    let late = group(vec![at(0.0).took("1").key("k"), at(90_000.0).took("2").key("k")]);
    assert_eq!(finding(late, &one_rule(&[])).key_relation, KeyRelation::Expired);
}

#[test]
fn every_verdict_and_cause_is_explained_once() {
    let texts = explanations();
    let mut codes: Vec<&str> = texts.iter().map(|text| text.code).collect();
    for verdict in Verdict::ALL {
        assert!(codes.contains(&verdict.name()));
    }
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!((codes.len(), count), (19, 19));
    for text in texts {
        let meanings = [text.english, text.russian];
        for part in meanings.iter().flat_map(|told| [told.title, told.looks_for, told.needs, told.looks_alike, told.what_to_do]) {
            assert!(!part.is_empty() && !part.contains("  "), "{}: {part:?}", text.code);
        }
    }
}

#[test]
fn only_what_normalises_alike_is_told_as_alike() {
    let mut rules = one_rule(&["order", "memo", "city"]);
    let field = |name: &str| FingerprintField {
        field: FieldRef::Named(name.into()),
        normalise: vec![Normaliser::parse("lower").expect("a normaliser")],
    };
    rules.rules[0].fingerprint = ["order", "memo", "city"].map(field).into();
    rules.rules[0].conflict_on = vec![FieldRef::Named("memo".into())];
    // Joined by their key: the rule's own field differs, one is written in two ways, one conflicts as it is written.
    let joined = |city: &str, memo: &str| {
        group(vec![
            at(0.0).took("a").key("k").fields(&["A-1", "Tea", "Oslo"]),
            at(9.0).took("b").key("k").fields(&["a-1", memo, city]),
        ])
    };
    assert_eq!(finding(joined("OSLO", "tea"), &rules).alike, ["order", "city"]);
    assert_eq!(finding(joined("Bergen", "Tea"), &rules).alike, ["order", "memo"]);
    assert_eq!(finding(joined("", "Tea"), &rules).alike, ["order", "memo"], "nothing is equal to nothing");
}

#[test]
fn health_tells_new_keys_and_the_middle_gap() {
    let rules = one_rule(&[]);
    let pair = |second: f64, keys: [Option<&str>; 2]| {
        let keyed = |made: Made, key: Option<&str>| key.map_or(made.clone(), |key| made.key(key));
        group(vec![keyed(at(0.0).took("a"), keys[0]), keyed(at(second).took("b"), keys[1])])
    };
    let mut dated = pair(3_600.0, [None, None]);
    dated.events.iter_mut().for_each(|event| event.time.precision = Precision::Day);
    let groups = vec![pair(30.0, [Some("k"), Some("l")]), pair(2.0, [Some("k"), Some("k")]), pair(90.0, [None, None]), dated];
    let conclusion = judge(groups, &rules, &Default::default(), Keep::Reported).expect("a store in memory");
    let health = conclusion.health["charge"];
    assert_eq!((health.repeats, health.keyed_repeats, health.keys_changed), (4, 2, 1));
    assert_eq!(health.median_gap, Some(30 * SECOND), "dates have no gap");
}

/// "Undo the records with role repeat" must not name what was wanted.
#[test]
fn no_more_records_are_repeats_than_are_extra() {
    let paid = |second: f64, id: &str| at(second).took(id).money("5", "EUR");
    let roles = |found: twicelog::domain::Finding| found.records.iter().map(|record| record.role).collect::<Vec<_>>();
    let mut rules = one_rule(&[]);
    rules.rules[0].allow = 2;
    let found = finding(group(vec![paid(0.0, "a"), paid(10.0, "b"), paid(20.0, "c")]), &rules);
    assert_eq!((found.extra_effects, roles(found)), (1, vec![Role::Original, Role::Original, Role::Repeat]));
    let month = 30.0 * 86_400.0;
    let monthly =
        group(vec![paid(0.0, "a"), paid(month, "b"), paid(month + 60.0, "c"), paid(2.0 * month, "d"), paid(3.0 * month, "e")]);
    let found = finding(monthly, &one_rule(&[]));
    let expected = vec![Role::Original, Role::Original, Role::Repeat, Role::Original, Role::Original];
    assert_eq!((found.extra_effects, roles(found)), (1, expected));
}
