//! Windows against a model that says what DESIGN.md, section 4 says, by trying.

use chrono::DateTime;
use proptest::prelude::*;
use std::ops::Range;
use twicelog::engine::windows::cut;
use twicelog::rules::window::Window;

const DAY: i64 = 86_400_000_000_000;

/// Whether attempts at these times are one group, told of all of them at once.
fn is_one_group(times: &[i64], window: Window) -> bool {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return false };
    let date = |time: &i64| DateTime::from_timestamp_nanos(*time).date_naive();
    match window {
        Window::FromFirst(span) => last - first <= span,
        Window::Gap { gap, span } => last - first <= span && times.windows(2).all(|pair| pair[1] - pair[0] <= gap),
        Window::Days(days) => (date(last) - date(first)).num_days() <= i64::from(days),
        Window::Unlimited => true,
    }
}

/// Each group is the longest run from its first attempt on that is one; the next attempt opens the next.
fn model(times: &[i64], window: Window) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut from = 0;
    while from < times.len() {
        let to = (from + 1..=times.len()).rev().find(|to| is_one_group(&times[from..*to], window)).unwrap();
        groups.push(from..to);
        from = to;
    }
    groups
}

fn window() -> impl Strategy<Value = Window> {
    let gap = (1_i64..6, 0_i64..12).prop_map(|(gap, more)| Window::Gap { gap, span: gap + more });
    prop_oneof![3 => (0_i64..12).prop_map(Window::FromFirst), 3 => gap, 3 => (0_u32..4).prop_map(Window::Days), 1 => Just(Window::Unlimited)]
}

/// Close enough that most gaps lie at an edge: nanoseconds apart; for days thirds of a day, and the last nanosecond before midnight.
fn times(window: Window) -> impl Strategy<Value = Vec<i64>> {
    let day = prop_oneof![(-24_i64..24).prop_map(|third| third * (DAY / 3)), (-8_i64..8).prop_map(|day| day * DAY - 1)];
    let any = if matches!(window, Window::Days(_)) { day.boxed() } else { (-20_i64..20).boxed() };
    prop::collection::vec(any, 0..12).prop_map(|mut times| {
        times.sort_unstable();
        times
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_are_cut_as_the_model_cuts_them((window, times) in window().prop_flat_map(|window| (Just(window), times(window)))) {
        prop_assert_eq!(cut(&times, window), model(&times, window));
    }
}
