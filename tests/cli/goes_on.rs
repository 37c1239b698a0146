//! Findings that go on under another id, and states that were written by an older version.

use super::place::{CONFIG, DOUBLED, Place, Run};
use super::states::night;
use serde_json::Value;

const HEADER: &str = "id,at,customer,amount,state\n";
const TWO: &str = "ch_1,2026-03-02T10:00:00Z,anna,59.00,ok\nch_2,2026-03-02T10:00:40Z,anna,59.00,ok\n";

/// A finding that was decided, in the configuration's state; its id.
fn decided() -> (Place, String) {
    let place = Place::empty();
    let outcome = "outcome = { from = \"state\", took_effect = [\"ok\"], failed = [\"declined\"] }\n[[rule]]";
    place.write("twicelog.toml", CONFIG.replace("[[rule]]", outcome));
    place.write("pay.csv", HEADER.to_owned() + TWO);
    let run = night(&place, 1, &["--format", "json"]);
    place.write("r.json", &run.stdout);
    let id = id(&run);
    place.expect(0, &["baseline", "add", &id, "--decision", "intended", "--reason", "gift", "--from", "r.json"]);
    night(&place, 0, &[]);
    (place, id)
}

fn id(run: &Run) -> String {
    run.json()["result"]["findings"][0]["id"].as_str().unwrap().to_owned()
}

fn notes(run: &Run, code: &str) -> Vec<String> {
    let json = run.json();
    let notes = json["result"]["notes"].as_array().unwrap().iter().filter(|note| note["code"] == code);
    notes.map(|note| note["message"].as_str().unwrap().to_owned()).collect()
}

/// An earlier record came late: the id is another one, as a scan of everything gives it, and what was decided holds.
#[test]
fn a_decision_holds_under_the_new_id() {
    let (place, old) = decided();
    place.write("late.csv", HEADER.to_owned() + "ch_0,2026-03-02T09:59:30Z,anna,59.00,declined\n");
    place.write("twicelog.toml", place.read("twicelog.toml").replace("[\"pay.csv\"]", "[\"pay.csv\", \"late.csv\"]"));
    let run = night(&place, 0, &["--format", "json", "--output", "json=r.json"]);
    let new = id(&run);
    assert_ne!(new, old);
    assert_eq!(new, id(&place.run(&["scan", "--format", "json", "--no-baseline"])), "as everything at once");
    let told = &run.json()["run"]["night"];
    assert_eq!(
        (&told["changes"]["renamed"][&old], &told["was"][&new][0]),
        (&Value::from(new.clone()), &Value::from(old.clone()))
    );
    assert_eq!((&told["changes"]["new"], &told["changes"]["resolved"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert!(notes(&run, "renamed_finding")[0].contains(&old) && notes(&run, "baseline_renamed")[0].contains(&old));
    assert_eq!(notes(&run, "baseline_unused"), Vec::<String>::new());
    let schema = jsonschema::validator_for(&place.expect(0, &["schema", "result"]).json()).unwrap();
    assert!(schema.is_valid(&run.json()));
    // Whoever asks for the old one is told.
    let told = place.expect(0, &["explain", &old, "--state", "nights"]).stdout;
    assert!(told.contains(&format!("{old}: ")) && told.contains(&format!("goes on as {new}")), "{told}");
    assert!(told.contains("ch_0") && told.contains("ch_2"), "with its records: {told}");
    // The baseline knows it, and takes the new id over.
    assert!(place.expect(0, &["baseline", "list", "--from", "r.json"]).stdout.contains("(live"));
    assert!(place.expect(0, &["baseline", "prune", "--from", "r.json"]).stdout.contains("every entry has its finding"));
    assert!(place.read("twicelog.baseline.toml").contains(&old));
    let told = place.expect(0, &["baseline", "update", "--from", "r.json"]).stdout;
    assert!(told.contains(&format!("{old}: goes on as {new}")), "{told}");
    let text = place.read("twicelog.baseline.toml");
    assert!(text.contains(&new) && !text.contains(&old) && text.contains("gift"), "{text}");
    let run = night(&place, 0, &["--format", "json"]);
    assert_eq!(notes(&run, "baseline_renamed"), Vec::<String>::new());
    assert!(place.expect(0, &["state", "info", "nights"]).stdout.contains("1 under a new id"));
}

#[test]
fn what_grew_under_the_new_id_counts_again() {
    let (place, old) = decided();
    place.write("pay.csv", HEADER.to_owned() + TWO + "ch_0,2026-03-02T09:59:30Z,anna,59.00,ok\n");
    let run = night(&place, 1, &["--format", "json"]);
    let told = &run.json()["run"]["night"]["changes"];
    assert_eq!((told["grown"].as_array().unwrap().len(), told["new"].as_array().unwrap().len()), (1, 0));
    assert!(notes(&run, "baseline_grown")[0].starts_with(&old), "{}", run.stdout);
}

/// What is carried can be explained when its file is long gone, and so can what is held no more.
#[test]
fn findings_of_earlier_nights_are_explained() {
    let place = Place::with(DOUBLED);
    let run = night(&place, 1, &["--format", "json", "--output", "json=r.json"]);
    let id = id(&run);
    place.write("pay.csv", "id,at,customer,amount\n");
    night(&place, 1, &[]);
    let run = place.expect(2, &["explain", &id]);
    assert!(run.stderr.contains("--state FOLDER"), "{}", run.stderr);
    let told = place.expect(0, &["explain", &id[..9], "--state", "nights"]).stdout;
    assert!(told.contains("; open\n") && told.contains("ch_1") && told.contains("ch_2"), "{told}");
    place.expect(0, &["explain", &id, "--result", "r.json"]);
    place.expect(2, &["explain", "TL-ffffffffffff", "--state", "nights"]);
    place.expect(2, &["explain", &id, "--state", "gone"]);
    // The rule is another one since: what was found under the old one is dropped, and nobody calls it resolved or too old.
    place.write("twicelog.toml", CONFIG.replace("10m", "30s"));
    let run = night(&place, 0, &["--format", "json"]);
    let changes = &run.json()["run"]["night"]["changes"];
    assert_eq!((&changes["dropped"][0], changes["resolved"].as_array().unwrap().len()), (&Value::from(id.clone()), 0));
    assert_eq!(changes["closed"].as_array().unwrap().len(), 0);
    let told = place.expect(0, &["explain", &id, "--state", "nights"]).stdout;
    assert!(told.contains("dropped: rules or sources have changed"), "{told}");
    place.write("twicelog.toml", CONFIG.replace("10m", "31s"));
    let text = night(&place, 0, &[]).stdout;
    assert!(text.contains("Since the last run: 0 new, 0 grown, 0 unchanged, 0 resolved"), "{text}");
}

const VERSIONS: [u32; 2] = [1, 2];

/// Written by an older version of the tables: two nights, two findings, and an alert that waits because its program is not there.
fn of_version(version: u32) -> Place {
    let place = Place::empty();
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/state/version-{version}"));
    place.write("twicelog.toml", CONFIG);
    place.write("pay.csv", std::fs::read(kept.join("pay.csv")).unwrap());
    for name in ["state.db", "key"] {
        place.write(&format!("nights/{name}"), std::fs::read(kept.join(name)).unwrap());
        #[cfg(unix)]
        std::fs::set_permissions(place.path(&format!("nights/{name}")), std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
    }
    place
}

#[test]
fn a_state_of_an_older_version_is_brought_up() {
    for version in VERSIONS {
        let place = of_version(version);
        let kept = format!("nights/state.db.version-{version}");
        let before = std::fs::read(place.path("nights/state.db")).unwrap();
        let run = night(&place, 6, &[]);
        assert!(run.stderr.contains("twicelog state migrate /") && run.stderr.contains("/nights"), "{}", run.stderr);
        assert!(std::fs::read(place.path("nights/state.db")).unwrap() == before, "it was touched");
        let told = place.expect(0, &["state", "migrate", "nights"]).stdout;
        assert!(told.contains(&format!("was of version {version}, which is kept as")), "{told}");
        assert!(std::fs::read(place.path(&kept)).unwrap() == before);
        let told = place.expect(0, &["state", "info", "nights"]).stdout;
        assert!(told.starts_with("state of 2 runs") && told.contains("2 open, 0 resolved, 0 closed"), "{told}");
        place.expect(0, &["state", "check", "nights"]);
        // Nothing is read or told again; what comes now meets what was carried.
        place.write("pay.csv", place.read("pay.csv") + "ch_9,2026-03-03T12:06:00Z,boris,20.00\n");
        let run = night(&place, 4, &["--format", "json", "--as-of", "2026-03-05"]);
        let json = run.json();
        assert_eq!(json["result"]["ledger"]["read"], 1, "version {version}");
        let changes = &json["run"]["night"]["changes"];
        assert_eq!(["new", "grown", "unchanged"].map(|kind| changes[kind].as_array().unwrap().len()), [0, 1, 1]);
        assert!(run.stderr.contains("hook findings ./gone: cannot be started"), "{}", run.stderr);
        place.expect(0, &["state", "check", "nights"]);
        // The old one is still there to go back to, and twice is once.
        assert!(place.expect(0, &["state", "migrate", "nights"]).stdout.contains("version 3 already"));
    }
}

/// Identities of days that are over are known under the names that version 3 gives them.
#[test]
fn what_version_2_has_seen_is_known_again() {
    let place = of_version(2);
    place.expect(0, &["state", "migrate", "nights"]);
    assert!(place.expect(0, &["state", "info", "nights"]).stdout.contains("identities remembered: 5, of 2 days"));
    place.write("again.csv", "id,at,customer,amount\nch_0,2026-03-02T09:00:00Z,clara,11.00\n");
    let ledger = night(&place, 4, &["again.csv", "--format", "json", "--as-of", "2026-03-05"]).json()["result"]["ledger"].take();
    assert_eq!((&ledger["read"], &ledger["repeated"]), (&Value::from(1), &Value::from(1)), "{ledger}");
}

#[test]
fn a_damaged_state_of_an_older_version_is_left_alone() {
    for version in VERSIONS {
        let sound = std::fs::read(of_version(version).path("nights/state.db")).unwrap();
        let mut refused = 0;
        for at in (4_096..sound.len()).step_by(1_500) {
            let place = of_version(version);
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            place.write("nights/state.db", &damaged);
            let run = place.run(&["state", "migrate", "nights"]);
            if run.code == Some(0) {
                // Room that nothing uses.
                assert!(place.expect(0, &["state", "info", "nights"]).stdout.contains("2 open"), "byte {at}");
                continue;
            }
            refused += 1;
            assert_eq!(run.code, Some(6), "byte {at}: {}", run.stderr);
            assert!(std::fs::read(place.path("nights/state.db")).unwrap() == damaged, "byte {at}");
            let kept = place.path(&format!("nights/state.db.version-{version}"));
            assert!(!place.path("nights/state.db.new").exists() && !kept.exists());
        }
        assert!(refused > 2, "version {version}: {refused}");
    }
}

/// Days that are told and days that are not, in any order: nothing is late, and nothing resolved.
#[test]
fn days_that_are_named_go_together_with_those_that_are_not() {
    let place = Place::with(DOUBLED);
    for as_of in [Some("2026-03-10"), None, Some("2026-03-05"), Some("2026-03-02"), None] {
        let more: Vec<&str> = as_of.map(|day| vec!["--as-of", day]).unwrap_or_default();
        let run = night(&place, 1, &[&["--format", "json"], more.as_slice()].concat());
        let json = run.json();
        let changes = &json["run"]["night"]["changes"];
        assert_eq!(changes["resolved"].as_array().unwrap().len() + changes["closed"].as_array().unwrap().len(), 0, "{as_of:?}");
        assert_eq!(json["result"]["nightly"]["late"], 0);
        let row = format!("ch_{},2026-03-02T12:00:00Z,{as_of:?},7.00\n", as_of.map_or(0, str::len));
        place.write("pay.csv", place.read("pay.csv") + &row.replace('"', ""));
    }
}
