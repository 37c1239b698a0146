//! What must hold for any groups.

use crate::groups::*;
use proptest::prelude::*;
use std::sync::Arc;
use twicelog::domain::store::InMemory;
use twicelog::domain::{Group, Outcome, Verdict};
use twicelog::engine::{Budget, Spool};
use twicelog::judge::{Court, Keep};

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Started),
        Just(Outcome::Failed),
        Just(Outcome::Unknown),
        Just(Outcome::TookEffect),
        Just(Outcome::Reversed),
        Just(Outcome::Replayed),
        Just(Outcome::Reversal),
    ]
}

prop_compose! {
    fn made()(seconds in 0_i32..7_200, outcome in outcome(), id in 0..4_u8, key in 0..3_u8, amount in 1..3_u8) -> Made {
        let made = at(f64::from(seconds)).outcome(outcome).money(&amount.to_string(), "EUR").fields(&[&format!("A-{}", id % 2)]);
        let made = if id > 0 { made.effect(&format!("e{id}")) } else { made };
        if key > 0 { made.key(&format!("k{key}")) } else { made }
    }
}

/// Groups of two rules over one log, so that a record may stand in several of them and merging has work to do.
fn groups() -> impl Strategy<Value = Vec<Group>> {
    proptest::collection::vec(made(), 1..24).prop_flat_map(|log| {
        let log: Vec<Made> = log.into_iter().zip(1..).map(|(made, record)| made.record(record)).collect();
        let one = (0..2_usize, proptest::sample::subsequence(log.clone(), 0..=log.len().min(7)), 0..6_u8);
        let one = one.prop_map(|(rule, made, name)| {
            let mut group = named(group(made), &[("n", &name.to_string())]);
            group.rule = rule;
            group
        });
        proptest::collection::vec(one, 0..8)
    })
}

proptest! {
    #[test]
    fn the_order_of_groups_changes_nothing(groups in groups(), turn in 0..8_usize) {
        let rules = rules(vec![source("log", &["order"])], vec![rule("one"), rule("two")]);
        let mut turned = groups.clone();
        turned.reverse();
        turned.rotate_left(turn.min(groups.len()));
        let (one, two) = (conclude(groups, &rules), conclude(turned, &rules));
        prop_assert_eq!(&one.findings, &two.findings);
        prop_assert_eq!((&one.totals, &one.health, &one.batches), (&two.totals, &two.health, &two.batches));
        prop_assert_eq!(&one.incidents, &two.incidents);
    }

    /// A court hears groups some at a time, and keeps what it hears in memory or in a file: its conclusion is that of one hearing.
    #[test]
    fn hearings_and_stores_change_nothing(groups in groups(), some in 1..5_usize, room in 0..2_000_usize, all in any::<bool>()) {
        let rules = rules(vec![source("log", &["order"])], vec![rule("one"), rule("two")]);
        let keep = if all { Keep::All } else { Keep::Reported };
        let plain = Court::new(&rules, keep, Box::new(InMemory::default()), Arc::new(InMemory::default()));
        plain.hear(&groups).expect("a store in memory");
        let budget = Arc::new(Budget::new(room, std::env::temp_dir()));
        let spool = || Spool::new(&budget);
        let spilled = Court::new(&rules, keep, Box::new(spool()), Arc::new(spool()));
        for some in groups.chunks(some) {
            spilled.hear(some).expect("room for a temporary file");
        }
        let one = plain.conclude(&Default::default()).expect("a store in memory");
        let two = spilled.conclude(&Default::default()).expect("room for a temporary file");
        prop_assert_eq!(&one.findings, &two.findings);
        two.findings.check().expect("nothing was lost");
        prop_assert_eq!((&one.totals, &one.health, &one.batches), (&two.totals, &two.health, &two.batches));
        prop_assert_eq!((&one.incidents, &one.notes, &one.actors), (&two.incidents, &two.notes, &two.actors));
    }

    #[test]
    fn money_adds_up_and_verdicts_keep_their_promise(groups in groups()) {
        let rules = rules(vec![source("log", &["order"])], vec![rule("one"), rule("two")]);
        for found in &conclude(groups, &rules).findings {
            for exposure in &found.exposure {
                let number = |text: &str| text.parse::<rust_decimal::Decimal>().expect("a number");
                prop_assert_eq!(number(&exposure.gross) - number(&exposure.reversed), number(&exposure.net));
                prop_assert!(number(&exposure.net) >= rust_decimal::Decimal::ZERO);
            }
            match found.verdict {
                Verdict::DuplicateEffect => prop_assert!(found.extra_effects > 0),
                Verdict::PossibleDuplicate => prop_assert!(found.extra_effects == 0 && found.possible_extra_effects > 0),
                Verdict::Compensated => prop_assert!(found.exposure.iter().all(|exposure| exposure.net.parse() == Ok(0.0))),
                _ => prop_assert_eq!(found.extra_effects, 0),
            }
            prop_assert!((0.0..=1.0).contains(&found.likelihood));
        }
    }
}

#[test]
fn a_growing_group_keeps_its_id() {
    let rules = one_rule(&[]);
    let some = vec![at(0.0).took("1"), at(1.0).took("2")];
    let more = vec![at(0.0).took("1"), at(1.0).took("2"), at(2.0).took("3")];
    assert_eq!(finding(group(some), &rules).id, finding(group(more), &rules).id);
}

/// Groups of thousands: what each costs may not depend on how many there are. Counted is the processor's time of the one thread that does
/// the work, which other work on the machine does not lengthen much.
#[cfg(target_os = "linux")]
#[test]
fn a_hot_fingerprint_is_judged_in_passing() {
    let many = |made: fn(Made, u32) -> Made| group((0..30_000).map(|i| made(at(f64::from(i)), i)).collect());
    let rules = one_rule(&[]);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let seconds = one_thread.install(|| {
        let before = processor_seconds();
        let effects = finding(many(|at, i| at.took(&i.to_string()).money("1", "EUR")), &rules);
        assert_eq!(effects.extra_effects, 29_999);
        assert_eq!(finding(many(|at, _| at.outcome(Outcome::Unknown).key("k")), &rules).verdict, Verdict::RetriedFailure);
        assert_eq!(finding(many(|at, _| at.took("1").key("k")), &rules).verdict, Verdict::SafeReplay);
        let undone = |at: Made, i: u32| {
            at.money("1", "EUR").outcome(if i.is_multiple_of(2) { Outcome::TookEffect } else { Outcome::Reversal })
        };
        finding(many(undone), &rules);
        processor_seconds() - before
    });
    // Quadratic work would take minutes in a debug build.
    assert!(seconds < 60.0, "{seconds} s");
}

/// What this thread has had of the processor.
#[cfg(target_os = "linux")]
fn processor_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    told.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
