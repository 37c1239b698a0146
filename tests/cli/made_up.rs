//! Made-up logs: all that was planted is found, and nothing else.

use super::place::Place;
use serde_json::Value;
use std::collections::BTreeSet;

/// Verdict, extra effects, net and records of what is reported.
type Found = BTreeSet<(String, u64, String, Vec<u64>)>;

fn expected(place: &Place) -> (Found, Value) {
    let answers: Value = serde_json::from_str(&place.read("made/answers.json")).unwrap();
    let cases = answers["cases"].as_array().unwrap().iter().filter(|case| !case["verdict"].is_null());
    let case = |case: &Value| {
        let records = case["records"].as_array().unwrap().iter().map(|record| record.as_u64().unwrap()).collect();
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        (text("verdict"), case["extra_effects"].as_u64().unwrap(), text("net"), records)
    };
    (cases.map(case).collect(), answers)
}

fn found(place: &Place) -> Found {
    let result = place.expect(1, &["scan", "--config", "made/twicelog.toml", "--format", "json"]).json();
    let finding = |finding: &Value| {
        let mut records: Vec<u64> =
            finding["records"].as_array().unwrap().iter().map(|record| record["record"].as_u64().unwrap()).collect();
        records.sort_unstable();
        let net = finding["exposure"][0]["net"].as_str().unwrap().to_owned();
        (finding["verdict"].as_str().unwrap().to_owned(), finding["extra_effects"].as_u64().unwrap(), net, records)
    };
    result["result"]["findings"].as_array().unwrap().iter().map(finding).collect()
}

#[test]
fn what_was_planted_is_found_and_nothing_else() {
    for (seed, payments, cases) in [("1", "5000", "300"), ("2", "400", "400"), ("7", "20000", "10")] {
        let place = Place::empty();
        place.expect(0, &["synth", "made", "--payments", payments, "--cases", cases, "--seed", seed]);
        let (expected, answers) = expected(&place);
        assert_eq!(answers["cases"].as_array().unwrap().len().to_string(), cases);
        assert_eq!(place.read("made/payments.csv").lines().count() as u64, answers["records"].as_u64().unwrap() + 1);
        assert!(expected.len() > 5 && found(&place) == expected, "seed {seed}");
    }
}

#[test]
fn one_seed_makes_one_log_and_takes_nothing_away() {
    let place = Place::empty();
    place.expect(0, &["synth", "made", "--payments", "100", "--cases", "20"]);
    let log = place.read("made/payments.csv");
    place.expect(0, &["synth", "again", "--payments", "100", "--cases", "20"]);
    assert_eq!(log, place.read("again/payments.csv"));
    place.expect(0, &["synth", "other", "--payments", "100", "--cases", "20", "--seed", "2"]);
    assert_ne!(log, place.read("other/payments.csv"));
    assert!(place.expect(2, &["synth", "made"]).stderr.contains("is there already"));
    place.expect(0, &["synth", "none", "--payments", "0"]);
}
