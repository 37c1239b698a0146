//! Decisions: what is settled is listed and not counted, until it expires or grows.

use super::place::{DOUBLED, HEADER, Place};

/// boris was charged twice, too, from another device.
const BORIS: &str = "ch_7,2026-03-02T12:00:00Z,boris,20.00\nch_8,2026-03-02T12:05:00Z,boris,20.00\n";

/// A place with two findings, its result in `r.json`, and the ids of the findings of anna and boris.
fn place() -> (Place, String, String) {
    let place = Place::with(&(DOUBLED.to_owned() + BORIS));
    let result = place.expect(1, &["scan", "--format", "json"]);
    place.write("r.json", &result.stdout);
    let id = |actor: &str| {
        let findings = result.json()["result"]["findings"].clone();
        let found = findings.as_array().unwrap().iter().find(|finding| finding["fingerprint"]["actor"] == actor).unwrap().clone();
        found["id"].as_str().unwrap().to_owned()
    };
    let (anna, boris) = (id("anna"), id("boris"));
    (place, anna, boris)
}

/// Text with its line breaks taken out.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn decide(place: &Place, id: &str, decision: &str, more: &[&str]) {
    let arguments = ["baseline", "add", id, "--decision", decision, "--reason", "two gifts", "--from", "r.json"];
    place.expect(0, &[&arguments[..], more].concat());
}

#[test]
fn a_settled_finding_is_listed_and_not_counted() {
    let (place, anna, boris) = place();
    decide(&place, &anna, "intended", &["--by", "clara", "--until", "2026-12-31"]);
    let run = place.expect(1, &["scan", "--format", "json", "--as-of", "2026-12-31"]);
    let result = &run.json()["result"];
    assert_eq!(result["totals"]["findings"], 1);
    assert_eq!(result["totals"]["exposure"][0]["net"], "20.00");
    assert_eq!(result["totals"]["decided"]["findings"], 1);
    assert_eq!(result["totals"]["decided"]["exposure"][0]["net"], "59.00");
    let last = &result["findings"][1];
    assert_eq!(last["id"], anna.as_str());
    let expected = serde_json::json!({
        "decision": "intended", "reason": "two gifts", "by": "clara", "until": "2026-12-31", "standing": "live"
    });
    assert_eq!(last["decision"], expected);
    assert!(result["findings"][0].get("decision").is_none());
    let text = flowing(&place.expect(1, &["scan", "--as-of", "2026-12-31"]).stdout);
    assert!(text.contains("1 finding, 1 more is decided (baseline)"), "{text}");
    assert!(text.contains("repeated on purpose, by clara, until 2026-12-31: two gifts"), "{text}");
    let russian = flowing(&place.expect(1, &["scan", "--as-of", "2026-12-31", "--lang", "ru"]).stdout);
    assert!(russian.contains("по 1 другой находке уже есть решение"), "{russian}");
    decide(&place, &boris, "accepted", &[]);
    let all_settled = flowing(&place.expect(0, &["scan", "--as-of", "2026-12-31"]).stdout);
    assert!(all_settled.contains("Nothing new to report: 2 findings are decided"), "{all_settled}");
    place.expect(1, &["scan", "--no-baseline"]);
}

#[test]
fn the_day_after_its_last_a_decision_has_expired() {
    let (place, anna, _) = place();
    decide(&place, &anna, "accepted", &["--until", "2026-12-31"]);
    let run = place.expect(1, &["scan", "--format", "json", "--as-of", "2027-01-01"]);
    let result = &run.json()["result"];
    assert_eq!((result["totals"]["findings"].as_u64(), result["totals"].get("decided")), (Some(2), None));
    let expired: Vec<_> = result["notes"].as_array().unwrap().iter().filter(|note| note["code"] == "baseline_expired").collect();
    assert!(expired.len() == 1 && expired[0]["message"].as_str().unwrap().starts_with(&anna), "{expired:?}");
}

#[test]
fn a_grown_finding_counts_again_until_it_is_measured_anew() {
    let (place, anna, _) = place();
    decide(&place, &anna, "accepted", &[]);
    let third = "ch_9,2026-03-02T10:01:30Z,anna,59.00\n";
    place.write("pay.csv", HEADER.to_owned() + DOUBLED + BORIS + third);
    let run = place.expect(1, &["scan", "--format", "json"]);
    let result = &run.json()["result"];
    assert_eq!(result["totals"]["findings"], 2);
    let note = result["notes"].as_array().unwrap().iter().find(|note| note["code"] == "baseline_grown").unwrap();
    assert!(note["message"].as_str().unwrap().contains("extra effects 1, now 2"), "{note}");
    place.write("r.json", &run.stdout);
    let told = place.expect(0, &["baseline", "update", "--from", "r.json"]).stdout;
    assert!(told.contains("extra effects 1, now 2"), "{told}");
    assert_eq!(place.expect(1, &["scan", "--format", "json"]).json()["result"]["totals"]["findings"], 1);
}

#[test]
fn entries_without_a_finding_are_told_and_pruned() {
    let (place, anna, boris) = place();
    decide(&place, &anna, "accepted", &[]);
    decide(&place, &boris, "accepted", &[]);
    place.write("pay.csv", HEADER.to_owned() + BORIS);
    let run = place.expect(0, &["scan", "--format", "json"]);
    let notes = run.json()["result"]["notes"].to_string();
    assert!(notes.contains("baseline_unused") && notes.contains(&anna), "{notes}");
    place.write("r.json", &run.stdout);
    let told = place.expect(0, &["baseline", "prune", "--from", "r.json"]).stdout;
    assert!(told.contains(&format!("{anna}: removed")) && !told.contains(&boris), "{told}");
    let kept = place.read("twicelog.baseline.toml");
    assert!(kept.contains(&boris) && !kept.contains(&anna), "{kept}");
}

#[test]
fn an_incomplete_result_prunes_nothing() {
    let (place, anna, _) = place();
    decide(&place, &anna, "accepted", &[]);
    let run = place.run(&["scan", "--source", "pay=gone.csv", "--format", "json"]);
    place.write("r.json", &run.stdout);
    assert_eq!(run.code, Some(3));
    place.expect(3, &["baseline", "prune", "--from", "r.json"]);
    assert!(place.read("twicelog.baseline.toml").contains(&anna));
}

#[test]
fn what_people_wrote_survives_every_edit() {
    let (place, anna, boris) = place();
    let hand = format!(
        "# ours\nversion = 1\n\n# the gift story\n[[entry]]\nreason = 'asked clara' # by phone\nid = \"{boris}\"\ndecision = \"intended\" # sure\n"
    );
    place.write("twicelog.baseline.toml", &hand);
    let notes = place.expect(1, &["scan", "--format", "json"]).json()["result"]["notes"].to_string();
    assert!(notes.contains("baseline_not_measured"), "{notes}");
    place.expect(0, &["baseline", "update", "--from", "r.json"]);
    decide(&place, &anna, "accepted", &["--until", "2027-01-31"]);
    let text = place.read("twicelog.baseline.toml");
    assert!(text.starts_with(&hand), "{text}");
    decide(&place, &boris, "false_alarm", &[]);
    let text = place.read("twicelog.baseline.toml");
    for kept in ["# ours", "# the gift story", "decision = \"false_alarm\" # sure", "# by phone", "until = 2027-01-31"] {
        assert!(text.contains(kept), "{kept:?} is missing in\n{text}");
    }
    assert_eq!(text.matches("# Written by twicelog baseline").count(), 1);
    place.expect(0, &["scan"]);
}

#[cfg(unix)]
#[test]
fn whoever_could_read_the_decisions_still_can() {
    use std::os::unix::fs::PermissionsExt;
    let (place, anna, boris) = place();
    let mode = || std::fs::metadata(place.path("twicelog.baseline.toml")).unwrap().permissions().mode() & 0o777;
    decide(&place, &anna, "accepted", &[]);
    assert_eq!(mode(), 0o600);
    std::fs::set_permissions(place.path("twicelog.baseline.toml"), std::fs::Permissions::from_mode(0o664)).unwrap();
    decide(&place, &boris, "accepted", &[]);
    assert_eq!(mode(), 0o664);
}

#[test]
fn a_page_draws_what_it_counts_and_shows_what_is_decided() {
    let (place, anna, _) = place();
    decide(&place, &anna, "accepted", &["--by", "clara"]);
    let page = place.expect(1, &["scan", "--format", "html"]).stdout;
    assert!(page.contains("decided: accepted as it is, by clara: two gifts"), "the card says so");
    assert!(page.contains("data-at=\"/result/totals/decided/findings\">1<"), "a figure of its own");
    let charts = page.split("id=\"charts\"").nth(1).unwrap().split("id=\"findings\"").next().unwrap();
    assert!(charts.contains("20.00") && !charts.contains("59.00"), "{charts}");
}

#[test]
fn mistakes_are_2_with_line_and_column() {
    let (place, anna, _) = place();
    place.write(
        "twicelog.baseline.toml",
        format!(
            "version = 1\n[[entry]]\nid = \"{anna}\"\ndecision = \"acepted\"\nreason = \"x\"\nuntil = \"soon\"\n\
             [[entry]]\nid = \"{anna}\"\nreazon = 1\n"
        ),
    );
    let run = place.expect(2, &["scan"]);
    for mistake in ["twicelog.baseline.toml:4:12: ", "did you mean \"accepted\"", "twicelog.baseline.toml:6:9: ", "toml:9:1: "] {
        assert!(run.stderr.contains(mistake), "{mistake:?} is missing in\n{}", run.stderr);
    }
    place.write("twicelog.baseline.toml", "version = 1\n[[entry]\n");
    assert!(place.expect(2, &["scan"]).stderr.contains("twicelog.baseline.toml:2:"));
    let twice = format!("[[entry]]\nid = \"{anna}\"\ndecision = \"accepted\"\nreason = \"x\"\n").repeat(2);
    place.write("twicelog.baseline.toml", format!("version = 1\n{twice}"));
    assert!(place.expect(2, &["baseline", "list"]).stderr.contains("has two entries"));
    place.expect(2, &["scan", "--baseline", "gone.toml"]);
    place.expect(2, &["scan", "--no-baseline", "--as-of", "tomorrow"]);
    place.expect(2, &["baseline", "add", "TL-ffffffffffff", "--decision", "accepted", "--reason", "x", "--from", "r.json"]);
}

#[test]
fn false_alarms_propose_what_would_keep_them_apart() {
    let (place, anna, boris) = place();
    decide(&place, &anna, "being_handled", &[]);
    decide(&place, &boris, "false_alarm", &[]);
    let told = place.expect(0, &["baseline", "list", "--rates", "--from", "r.json"]).stdout;
    assert!(told.contains("rule double-charge: 1 of 2 decided findings were no duplicates (50 %)"), "{told}");
    // anna's two charges lie 40 s apart, those of boris 5 min.
    assert!(told.contains("set window = \"2m\""), "{told}");
    let device = "id,at,customer,amount,device\n";
    let rows = "ch_1,2026-03-02T10:00:00Z,anna,59.00,a\nch_2,2026-03-02T10:00:40Z,anna,59.00,a\n\
                ch_7,2026-03-02T12:00:00Z,boris,20.00,b\nch_8,2026-03-02T12:00:30Z,boris,20.00,c\n";
    place.write("pay.csv", device.to_owned() + rows);
    let config = place.read("twicelog.toml").replace("[[rule]]", "[source.map.fields]\ndevice = \"device\"\n[[rule]]");
    place.write("twicelog.toml", config);
    let run = place.run(&["scan", "--no-baseline", "--format", "json"]);
    place.write("r.json", &run.stdout);
    std::fs::remove_file(place.path("twicelog.baseline.toml")).unwrap();
    for (actor, decision) in [("anna", "accepted"), ("boris", "false_alarm")] {
        let result = run.json();
        let findings = result["result"]["findings"].as_array().unwrap();
        let found = findings.iter().find(|finding| finding["fingerprint"]["actor"] == actor).unwrap();
        decide(&place, found["id"].as_str().unwrap(), decision, &[]);
    }
    let told = place.expect(0, &["baseline", "list", "--rates", "--from", "r.json"]).stdout;
    assert!(told.contains("add \"device\" to its fingerprint") && !told.contains("set window"), "{told}");
}

/// Six customers' charges of one minute, again three hours later: a file that ran twice.
fn batch() -> Place {
    let row =
        |at: usize, hour: usize| format!("ch_{hour}_{at},2026-03-02T{hour:02}:00:{:02}Z,customer{at},{}.00\n", at * 7, 20 + at);
    let rows: String = [10, 13].into_iter().flat_map(|hour| (0..6).map(move |at| row(at, hour))).collect();
    let place = Place::with(&rows);
    place.write("twicelog.toml", super::place::CONFIG.replace("10m", "6h"));
    place
}

#[test]
fn a_batch_counts_what_is_open() {
    let place = batch();
    let run = place.expect(1, &["scan", "--format", "json"]);
    place.write("r.json", &run.stdout);
    let result = run.json()["result"].clone();
    assert_eq!((&result["batches"][0]["findings"], &result["batches"][0]["extra_effects"]), (&6.into(), &6.into()));
    let ids: Vec<&str> = result["findings"].as_array().unwrap().iter().map(|finding| finding["id"].as_str().unwrap()).collect();
    let net = |at: usize| result["findings"][at]["exposure"][0]["net"].as_str().unwrap().parse::<f64>().unwrap();
    decide(&place, ids[0], "accepted", &[]);
    let open = place.expect(1, &["scan", "--format", "json"]).json()["result"]["batches"].clone();
    assert_eq!((&open[0]["findings"], &open[0]["extra_effects"]), (&5.into(), &5.into()));
    let rest: f64 = (1..6).map(net).sum();
    assert_eq!(open[0]["exposure"][0]["net"].as_str().unwrap().parse::<f64>().unwrap(), rest);
    for id in &ids[1..] {
        decide(&place, id, "accepted", &[]);
    }
    let settled = place.expect(0, &["scan", "--format", "json"]).json();
    assert_eq!(settled["result"]["batches"], serde_json::json!([]), "nothing of it is open");
    assert_eq!(settled["result"]["totals"]["decided"]["findings"], 6);
}
