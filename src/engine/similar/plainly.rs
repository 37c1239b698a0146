//! Every pair of a block compared, the plain way: what the index must not change.

use super::index::Index;
use super::values::{Near, Value};
use super::{Cluster, cluster, cluster_by, edits::Text, in_time};
use crate::domain::time::{DAY, SECOND};
use crate::engine::windows::belongs;
use crate::rules::window::Window;
use crate::rules::{Rule, Rules};
use proptest::prelude::*;
use rust_decimal::Decimal;

fn plainly(near: &[Near], rule: &Rule, window: Window) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for at in in_time(near) {
        let (time, is_reversal) = (near[at].time, near[at].is_reversal);
        let fits = |cluster: &Cluster| {
            let within = is_reversal || belongs(window, near[cluster.anchor].time, cluster.last, time);
            within && near[cluster.anchor].is_near(&near[at], rule)
        };
        let found = if is_reversal { clusters.iter().rposition(fits) } else { clusters.iter().position(fits) };
        match found {
            Some(number) => {
                clusters[number].members.push(at);
                if !is_reversal {
                    clusters[number].last = time;
                }
            }
            None if is_reversal => {}
            None => clusters.push(Cluster { anchor: at, last: time, members: vec![at] }),
        }
    }
    clusters.into_iter().map(Cluster::members).collect()
}

/// Rules with these measures for the fields f0, f1 …
fn rules(similar: &[&str]) -> Rules {
    let fields: Vec<String> = (0..similar.len()).map(|field| format!("f{field} = \"f{field}\"\n")).collect();
    let similar: Vec<String> =
        similar.iter().enumerate().map(|(field, measure)| format!("{{ field = \"f{field}\", {measure} }}")).collect();
    let text = format!(
        "version = 1\n[[source]]\nname = \"s\"\nfiles = [\"s.csv\"]\n[source.map]\ntime = \"t\"\noperation = \"o\"\nactor = \"a\"\n\
         [source.map.fields]\n{}[[rule]]\nid = \"r\"\nfingerprint = [\"actor\"]\nwindow = \"10s\"\nsimilar = [{}]\n",
        fields.concat(),
        similar.join(", ")
    );
    crate::rules::load(&text, "twicelog.toml", std::path::Path::new("")).unwrap()
}

const MEASURES: [&str; 14] = [
    "within = \"0\"",
    "within = \"0.05\"",
    "within = \"3\"",
    "within = \"0%\"",
    "within = \"0.5%\"",
    "within = \"40%\"",
    "within = \"2d\"",
    "method = \"levenshtein\", at_least = 0.9",
    "method = \"levenshtein\", at_least = 0.7",
    "method = \"levenshtein\", at_least = 0.3",
    "method = \"damerau_levenshtein\", at_least = 0.8",
    "method = \"damerau_levenshtein\", at_least = 0.6",
    "method = \"jaro_winkler\", at_least = 0.93",
    "method = \"jaro_winkler\", at_least = 0.7",
];

fn number() -> impl Strategy<Value = Value> {
    let decimal = |text: &str| Decimal::from_str_exact(text).unwrap();
    let odd = [
        "0",
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "0.0000000000000000000000000001",
        "9999999999999999.99",
    ];
    prop_oneof![
        6 => (900_i64..1_100).prop_map(|cents| Value::Number(Decimal::new(cents, 2))),
        2 => (-300_i64..300).prop_map(|tenths| Value::Number(Decimal::new(tenths, 1))),
        1 => prop::sample::select(odd.map(decimal).to_vec()).prop_map(Value::Number),
        1 => (0_i64..4, 0_u32..28).prop_map(|(units, scale)| Value::Number(Decimal::new(units, scale))),
        1 => Just(()).prop_map(|()| Value::Absent),
    ]
}

fn text() -> impl Strategy<Value = Value> {
    let of = |pattern: &'static str| pattern.prop_map(|text: String| Value::Text(Text::new(&text)));
    prop_oneof![
        10 => of("[абв]{1,9}"),
        6 => of("INV-[01]{5,8}"),
        2 => of("[ab]{60,70}"),
        2 => of("одно и то же"),
        1 => Just(()).prop_map(|()| Value::Absent),
    ]
}

fn value(measure: &str) -> BoxedStrategy<Value> {
    match measure {
        days if days.ends_with("d\"") => (0_i64..12).prop_map(Value::Day).boxed(),
        edits if edits.starts_with("method") => text().boxed(),
        _ => number().boxed(),
    }
}

fn window() -> impl Strategy<Value = Window> {
    let seconds = |seconds: i64| seconds * SECOND;
    prop_oneof![
        Just(Window::Unlimited),
        (0_i64..40).prop_map(move |span| Window::FromFirst(seconds(span))),
        (0_i64..9, 0_i64..60).prop_map(move |(gap, span)| Window::Gap { gap: seconds(gap), span: seconds(span) }),
        (0_u32..3).prop_map(Window::Days),
    ]
}

/// One or two measures, and a block of values for them.
fn block() -> impl Strategy<Value = (Vec<&'static str>, Vec<Near>)> {
    let measures = prop::collection::vec(prop::sample::select(MEASURES.to_vec()), 1..3);
    measures.prop_flat_map(|measures| {
        let values: Vec<BoxedStrategy<Value>> = measures.iter().map(|measure| value(measure)).collect();
        // Times of days apart, in no order: local clocks.
        let near = (values, 0_i64..60, 0_i64..2, 0_u8..6)
            .prop_map(|(values, second, day, kind)| Near::of_values(values, second * SECOND + day * DAY, kind == 0));
        (Just(measures), prop::collection::vec(near, 0..60))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_index_changes_no_cluster((measures, near) in block(), window in window()) {
        let rules = rules(&measures);
        let rule = &rules.rules[0];
        let expected = plainly(&near, rule, window);
        prop_assert_eq!(&cluster(&near, rule, window), &expected, "{:?}", measures);
        for index in Index::each(&near, rule) {
            prop_assert_eq!(&cluster_by(index, &near, rule, window), &expected, "{:?}", measures);
        }
    }
}

/// Large enough for the index to choose by itself.
#[test]
fn a_large_block_is_clustered_as_a_small_one() {
    let rules = rules(&["method = \"damerau_levenshtein\", at_least = 0.85", "within = \"5\""]);
    let rule = &rules.rules[0];
    let mut seed = 11_u64;
    let mut draw = |upto: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % upto
    };
    let near: Vec<Near> = (0..1_200)
        .map(|number| {
            let text = format!("2026-{:06}", draw(9_000));
            let values = vec![Value::Text(Text::new(&text)), Value::Number(Decimal::from(draw(10)))];
            Near::of_values(values, number / 2, draw(20) == 0)
        })
        .collect();
    for window in [Window::Unlimited, Window::FromFirst(400), Window::Gap { gap: 30, span: 600 }] {
        let clusters = cluster(&near, rule, window);
        assert!(clusters.iter().filter(|cluster| cluster.len() > 1).count() > 30);
        assert_eq!(clusters, plainly(&near, rule, window));
        for index in Index::each(&near, rule) {
            assert_eq!(cluster_by(index, &near, rule, window), clusters);
        }
    }
}
