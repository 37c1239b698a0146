//! Runs that came twice, and crowds that only look like one.

use crate::groups::*;
use twicelog::domain::{Group, Precision, Verdict};

/// A finding of its own actor: effects at these seconds.
fn effects(name: usize, seconds: &[f64]) -> Group {
    let made = seconds.iter().enumerate().map(|(i, at_second)| {
        let record = (name * 10 + i + 1) as u64;
        at(*at_second).took(&format!("{name}-{i}")).actor(Some(&format!("actor-{name}"))).money("50", "USD").record(record)
    });
    named(group(made.collect()), &[("actor", &format!("actor-{name}"))])
}

#[test]
fn case_18_a_run_that_came_again_is_one_batch() {
    let groups: Vec<Group> = (0..5).map(|i| effects(i, &[i as f64 * 2.0, 1_800.0 + i as f64 * 2.0])).collect();
    let conclusion = conclude(groups, &one_rule(&[]));
    let [batch] = conclusion.batches.as_slice() else { panic!("{:?}", conclusion.batches) };
    assert_eq!((batch.lag_seconds, batch.findings, batch.extra_effects), (1_800.0, 5, 5));
    assert_eq!(batch.exposure[0].net, "250.00");
    assert_eq!(batch.originals, ["2026-03-02T10:00:00.000Z", "2026-03-02T10:00:08.000Z"]);
    assert_eq!(batch.repeats, ["2026-03-02T10:30:00.000Z", "2026-03-02T10:30:08.000Z"]);
    for found in &conclusion.findings {
        assert_eq!((found.batch.as_ref(), found.cause.code.as_str()), (Some(&batch.id), "batch_reimport"));
    }
}

#[test]
fn case_11_two_wanted_gifts_in_each_run_are_two_extra_effects() {
    let groups = vec![effects(1, &[2.0, 4.0]), effects(2, &[3.0, 5.0]), effects(3, &[3.0, 4.0, 5.0, 6.0])];
    let conclusion = conclude(groups, &one_rule(&[]));
    assert_eq!(conclusion.batches.len(), 1);
    assert_eq!((conclusion.batches[0].lag_seconds, conclusion.batches[0].extra_effects), (2.0, 4));
    assert_eq!((conclusion.totals.extra_effects, conclusion.totals.exposure[0].net.as_str()), (4, "200.00"));
    let alone = finding(effects(3, &[3.0, 4.0, 5.0, 6.0]), &one_rule(&[]));
    assert_eq!(alone.extra_effects, 3, "without other findings nothing shows two runs");
}

/// However unequal the distances: each further run is extra in full.
#[test]
fn a_run_that_came_again_twice_is_counted_twice() {
    for lags in [&[3_600.0, 10_800.0][..], &[3_600.0, 7_200.0], &[7_200.0, 9_000.0], &[3_600.0, 10_800.0, 36_000.0]] {
        let of_one = |i: usize| {
            let start = i as f64 * 3.0;
            let times: Vec<f64> = std::iter::once(0.0).chain(lags.iter().copied()).map(|lag| start + lag).collect();
            effects(i, &times)
        };
        let conclusion = conclude((0..5).map(of_one).collect(), &one_rule(&[]));
        assert_eq!(conclusion.totals.extra_effects, 5 * lags.len() as u64, "{lags:?}");
        assert_eq!(conclusion.batches.len(), 1, "{lags:?}");
        assert_eq!(conclusion.batches[0].extra_effects, conclusion.totals.extra_effects, "{lags:?}");
    }
}

/// Two gifts at one distance for everybody, in each of two runs: nothing tells them from four runs, and the lesser claim is made.
#[test]
fn gifts_at_the_distance_of_a_run_are_no_run_of_their_own() {
    let groups = (0..4).map(|i| effects(i, &[0.0, 900.0, 7_200.0, 8_100.0].map(|at| at + i as f64 * 3.0))).collect();
    assert_eq!(conclude(groups, &one_rule(&[])).totals.extra_effects, 4 * 2);
}

#[test]
fn storms_of_one_step_beside_each_other_are_no_run() {
    let storms: Vec<Group> = (0..12)
        .map(|i| {
            let start = i as f64 * 11.0;
            effects(i, &[start, start + 5.0, start + 10.0, start + 15.0, start + 20.0, start + 25.0])
        })
        .collect();
    let conclusion = conclude(storms, &one_rule(&[]));
    assert_eq!(conclusion.totals.extra_effects, 12 * 5, "one of six was wanted, not three");
    assert!(conclusion.batches.is_empty(), "{:?}", conclusion.batches);
}

#[test]
fn retries_after_a_usual_timeout_are_no_batch() {
    // One redelivery after 300 s every 48 minutes over ten days, now and then three within five minutes.
    let mut start = 0.0;
    let groups: Vec<Group> = (0..300)
        .map(|i| {
            start += if i % 100 < 3 { 90.0 } else { 2_880.0 };
            effects(i, &[start, start + 300.0])
        })
        .collect();
    assert!(conclude(groups, &one_rule(&[])).batches.is_empty());
    let few = (0..3).map(|i| effects(i, &[i as f64 * 600.0, i as f64 * 600.0 + 60.0])).collect();
    assert!(conclude(few, &one_rule(&[])).batches.is_empty());
}

#[test]
fn lags_that_differ_or_dates_are_no_batch() {
    let drifting = (0..6).map(|i| effects(i, &[i as f64, 1_800.0 + i as f64 * 2.5])).collect();
    assert!(conclude(drifting, &one_rule(&[])).batches.is_empty());
    let dated = (0..6)
        .map(|i| {
            let mut group = effects(i, &[0.0, 86_400.0]);
            for event in &mut group.events {
                event.time.precision = Precision::Day;
            }
            group
        })
        .collect();
    assert!(conclude(dated, &one_rule(&[])).batches.is_empty());
}

#[test]
fn a_long_lag_to_the_second_may_round_apart() {
    let groups = (0..6)
        .map(|i| {
            let mut group = effects(i, &[i as f64, 21_600.0 + i as f64 + (i % 2) as f64]);
            for event in &mut group.events {
                event.time.precision = Precision::Second;
            }
            group
        })
        .collect();
    let conclusion = conclude(groups, &one_rule(&[]));
    assert_eq!(conclusion.batches.iter().map(|batch| batch.findings).collect::<Vec<_>>(), [6]);
}

#[test]
fn a_large_run_among_many_retries_is_found_whole() {
    let mut groups: Vec<Group> = (0..2_000).map(|i| effects(i, &[i as f64 * 0.8, 21_600.0 + i as f64 * 0.8])).collect();
    groups.extend((0..400).map(|i| {
        let start = i as f64 * 1_700.3;
        effects(5_000 + i, &[start, start + 2.0 + (i * 7_919 % 88_000) as f64 / 1_000.0])
    }));
    let conclusion = conclude(groups, &one_rule(&[]));
    assert_eq!(conclusion.batches.iter().map(|batch| batch.findings).collect::<Vec<_>>(), [2_000]);
    assert!(conclusion.findings.iter().all(|found| found.verdict == Verdict::DuplicateEffect));
}
