//! Metrics and hooks: who is told how a scan ended, and what.

use super::place::{CALM, CONFIG, DOUBLED, HEADER, Place};
use std::collections::BTreeMap;

/// The samples of a textfile by name and labels, after a look at its form.
fn metrics(place: &Place, name: &str) -> BTreeMap<String, f64> {
    let text = place.read(name);
    assert!(text.ends_with('\n'));
    let (mut samples, mut declared) = (BTreeMap::new(), Vec::new());
    let label = regex::Regex::new(r#"^\w+(\{(\w+="(?:[^"\\\n]|\\["\\n])*",?)+\})?$"#).unwrap();
    for line in text.lines() {
        if let Some(declaration) = line.strip_prefix("# TYPE ") {
            let (name, kind) = declaration.split_once(' ').unwrap();
            assert!(kind == "gauge" && !declared.contains(&name), "{line}");
            declared.push(name);
        } else if !line.starts_with("# HELP ") {
            // No timestamp: the collector refuses files with one.
            let (sample, value) = line.rsplit_once(' ').unwrap();
            assert!(label.is_match(sample), "{line}");
            assert_eq!(declared.last().copied(), sample.split('{').next(), "{line}");
            assert!(samples.insert(sample.to_owned(), value.parse().unwrap()).is_none(), "twice: {line}");
        }
    }
    samples
}

#[test]
fn metrics_tell_of_findings_money_and_coverage() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("id = \"double-charge\"", "id = 'double \"x\" \\ y'"));
    place.expect(1, &["scan", "--metrics", "t.prom"]);
    let samples = metrics(&place, "t.prom");
    let at = |name: &str| samples.get(name).copied();
    assert_eq!(at(r#"twicelog_findings{rule="double \"x\" \\ y",verdict="duplicate_effect"}"#), Some(1.0), "{samples:?}");
    assert_eq!(at(r#"twicelog_findings{rule="double \"x\" \\ y",verdict="key_conflict"}"#), Some(0.0));
    assert_eq!(at(r#"twicelog_exposure_net{currency="EUR"}"#), Some(59.0));
    assert_eq!(at(r#"twicelog_records{source="pay",state="used"}"#), Some(2.0));
    assert_eq!(at("twicelog_exit_code"), Some(1.0));
    assert_eq!(at(r#"twicelog_newest_event_timestamp_seconds{source="pay"}"#), Some(1_772_445_640.0));
    assert!(at("twicelog_last_success_timestamp_seconds").unwrap() >= at("twicelog_last_run_timestamp_seconds").unwrap());
}

/// Whatever else is wrong with the run.
#[test]
fn metrics_take_the_place_of_nothing_else() {
    let place = Place::with(DOUBLED);
    place.write("mask.key", [0xFF; 32]);
    let given = ["pay.csv", "twicelog.toml", "mask.key"];
    let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
    let before = given.map(bytes);
    for (name, before) in given.iter().zip(&before) {
        for more in [&[][..], &["--max-rejected", "nonsense"], &["--source", "pay=gone.csv"]] {
            let run = place.run(&[&["scan", "--metrics", name], more].concat());
            assert!(matches!(run.code, Some(2..=4)), "{name}: {:?} {}", run.code, run.stderr);
            assert_eq!(&bytes(name), before, "{name}");
        }
    }
    // Neither where the configuration that names the input cannot be read.
    place.write("twicelog.toml", "version = ");
    let run = place.expect(2, &["scan", "--metrics", "pay.csv"]);
    assert!(run.stderr.contains("pay.csv: holds something other than metrics of twicelog"), "{}", run.stderr);
    assert_eq!(bytes("pay.csv"), before[0]);
    place.write("twicelog.toml", CONFIG);
    place.write("t.prom", "");
    place.expect(1, &["scan", "--metrics", "t.prom"]);
    place.expect(1, &["scan", "--metrics", "t.prom"]);
    assert_eq!(metrics(&place, "t.prom")["twicelog_exit_code"], 1.0);
}

#[cfg(unix)]
#[test]
fn metrics_can_be_read_by_whoever_collects_them() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with(CALM);
    place.expect(0, &["scan", "--metrics", "t.prom"]);
    assert_eq!(std::fs::metadata(place.path("t.prom")).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn a_failed_scan_keeps_the_last_success() {
    let place = Place::with(CALM);
    place.expect(0, &["scan", "--metrics", "t.prom"]);
    let last = |place: &Place| metrics(place, "t.prom")["twicelog_last_success_timestamp_seconds"];
    place.write("t.prom", place.read("t.prom").replace(&format!("{}", last(&place)), "1700000000"));
    place.expect(3, &["scan", "--metrics", "t.prom", "--source", "pay=gone.csv"]);
    assert_eq!((last(&place), metrics(&place, "t.prom")["twicelog_exit_code"]), (1_700_000_000.0, 3.0));
    place.expect(2, &["scan", "--metrics", "t.prom", "--config", "gone.toml"]);
    assert_eq!((last(&place), metrics(&place, "t.prom")["twicelog_exit_code"]), (1_700_000_000.0, 2.0));
    assert!(!place.read("t.prom").contains("twicelog_findings"), "a failed scan found nothing, not even a zero");
    place.expect(0, &["scan", "--metrics", "t.prom"]);
    assert!(last(&place) > 1_700_000_000.0);
}

#[cfg(unix)]
mod hooks {
    use super::*;
    use serde_json::Value;
    use std::os::unix::fs::PermissionsExt;

    /// A hook that notes its arguments, environment and input.
    fn with_hook(rows: &str) -> Place {
        let place = Place::with(rows);
        place.write(
            "hook",
            "#!/bin/sh\nprintf '%s|' \"$TWICELOG_EVENT\" \"$TWICELOG_EXIT_CODE\" \"$TWICELOG_RUN_ID\" \"$@\" >> calls\n\
             cat >> calls\necho >> calls\necho hook says >&1\n",
        );
        std::fs::set_permissions(place.path("hook"), std::fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    /// Event, exit code, run id and arguments of each call, and what was on its standard input.
    fn calls(place: &Place) -> Vec<(Vec<String>, Value)> {
        let text = std::fs::read_to_string(place.path("calls")).unwrap_or_default();
        let _ = std::fs::remove_file(place.path("calls"));
        text.lines()
            .map(|line| {
                let (words, told) = line.split_at(line.find('{').unwrap());
                (words.trim_end_matches('|').split('|').map(String::from).collect(), serde_json::from_str(told).unwrap())
            })
            .collect()
    }

    const ALL: [&str; 6] =
        ["--on-findings", r#"["./hook", "$HOME; id", "a b"]"#, "--on-failure", "./hook", "--finally", "./hook"];

    fn scan<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["scan"][..], &ALL, more].concat()
    }

    #[test]
    fn each_is_called_once_when_it_is_due() {
        let place = with_hook(DOUBLED);
        let run = place.expect(1, &scan(&["--format", "json"]));
        assert!(!run.stdout.contains("hook says"), "standard output is the report's");
        let called = calls(&place);
        let [(found, told), (finally, _)] = &called[..] else { panic!("{called:?}") };
        assert_eq!((found[0].as_str(), found[1].as_str()), ("findings", "1"));
        assert_eq!(found[3..], ["$HOME; id", "a b"], "no shell is between");
        assert_eq!((finally[0].as_str(), &finally[2]), ("finally", &found[2]));
        assert_eq!(told["run_id"], found[2].as_str());
        assert_eq!((&told["schema"], &told["event"]), (&"twicelog.hook/1".into(), &"findings".into()));
        let schema = jsonschema::validator_for(&place.expect(0, &["schema", "hook"]).json()).unwrap();
        assert!(schema.is_valid(told), "{told:#}");
        assert_eq!(told["result"]["findings"], 1);
        assert_eq!(told["result"]["exposure"][0]["net"], "59.00");
        assert_eq!(told["text"], "twicelog: 1 finding, extra effects: 1, net EUR 59.00");
        assert!(!told.to_string().contains("anna"), "no text of a log: {told}");
        place.expect(0, &scan(&["--exit-zero"]));
        assert_eq!(calls(&place).len(), 2, "findings are told of with --exit-zero, too");
        place.write("pay.csv", HEADER.to_owned() + CALM);
        place.expect(0, &scan(&[]));
        assert_eq!(calls(&place).iter().map(|(words, _)| words[0].clone()).collect::<Vec<_>>(), ["finally"]);
        for (code, more) in [(3, ["--source", "pay=gone.csv"]), (2, ["--config", "gone.toml"])] {
            place.expect(code, &scan(&more));
            let events: Vec<String> = calls(&place).into_iter().map(|(words, _)| words[0].clone() + &words[1]).collect();
            assert_eq!(events, [format!("failure{code}"), format!("finally{code}")]);
        }
    }

    #[test]
    fn decided_findings_call_nobody() {
        let place = with_hook(DOUBLED);
        place.write("r.json", place.expect(1, &["scan", "--format", "json"]).stdout);
        place.expect(0, &["baseline", "add", "TL-", "--decision", "accepted", "--reason", "x", "--from", "r.json"]);
        place.expect(0, &["scan", "--on-findings", "./hook"]);
        assert!(calls(&place).is_empty());
    }

    #[test]
    fn the_configuration_names_them_too() {
        let place = with_hook(DOUBLED);
        place.write("twicelog.toml", CONFIG.to_owned() + "[hooks]\nfindings = [\"./hook\", \"x\"]\ntimeout = \"300ms\"\n");
        place.expect(1, &["scan"]);
        assert_eq!(calls(&place)[0].0[3], "x");
        assert!(place.expect(0, &["check"]).stdout.contains("hook findings, at most 300 ms: \"./hook\" \"x\""));
        place.write("hook", "#!/bin/sh\nexec sleep 30\n");
        let run = place.expect(4, &["scan"]);
        assert!(run.stderr.contains("took longer than 0.3 s and was stopped"), "{}", run.stderr);
        for mistake in ["findings = []", "findings = \"./hook\"", "timeout = \"soon\"", "after = [\"x\"]"] {
            place.write("twicelog.toml", CONFIG.to_owned() + "[hooks]\n" + mistake + "\n");
            assert!(place.expect(2, &["check"]).stderr.contains("twicelog.toml:17:"), "{mistake}");
        }
    }

    #[test]
    fn a_hook_that_fails_is_an_output_not_written() {
        let place = with_hook(DOUBLED);
        let run = place.expect(4, &["scan", "--on-findings", "./gone", "--format", "json", "--metrics", "t.prom"]);
        assert!(run.stderr.contains("hook findings ./gone: cannot be started"), "{}", run.stderr);
        assert_eq!(run.json()["result"]["totals"]["findings"], 1);
        assert_eq!(metrics(&place, "t.prom")["twicelog_exit_code"], 4.0);
        place.expect(4, &["scan", "--on-findings", "/bin/false"]);
        assert_eq!(place.expect(3, &["scan", "--on-failure", "/bin/false", "--source", "pay=gone.csv"]).code, Some(3));
        place.expect(2, &["scan", "--on-findings", "[1]"]);
        place.expect(2, &["scan", "--on-findings", ""]);
        place.write("calm.csv", HEADER.to_owned() + CALM);
        // No shell reads it: what was meant as arguments is no part of a name.
        let run = place.expect(2, &["scan", "--on-findings", "./hook ops"]);
        assert!(run.stderr.contains(r#"'["./hook", "ops"]'"#), "{}", run.stderr);
        std::fs::copy(place.path("hook"), place.path("my hook")).unwrap();
        place.expect(1, &["scan", "--on-findings", "./my hook"]);
        let run =
            place.expect(0, &["scan", "--on-findings", "./gone", "--exit-zero", "--no-baseline", "--source", "pay=calm.csv"]);
        assert!(run.stderr.contains("hook findings ./gone: there is no such program"), "before it is needed: {}", run.stderr);
    }
}
