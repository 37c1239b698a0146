//! Nights that keep a state: what is new is told once, one run at a time, and a state that is not sound stops a run.

use super::place::{CALM, CONFIG, DOUBLED, HEADER, Place, Run};
use serde_json::Value;

/// boris was charged twice a day later.
pub const NEXT: &str = "ch_8,2026-03-03T10:00:00Z,boris,20.00\nch_9,2026-03-03T10:00:05Z,boris,20.00\n";

pub fn night(place: &Place, code: i32, more: &[&str]) -> Run {
    place.expect(code, &[&["scan", "--state", "nights"][..], more].concat())
}

fn changes(run: &Run) -> [usize; 4] {
    let json = run.json();
    let count = |kind: &str| json["run"]["night"]["changes"][kind].as_array().map_or(usize::MAX, Vec::len);
    ["new", "grown", "unchanged", "resolved"].map(count)
}

fn append(place: &Place, rows: &str) {
    place.write("pay.csv", place.read("pay.csv") + rows);
}

#[test]
fn each_finding_is_new_once() {
    let place = Place::with(DOUBLED);
    let first = night(&place, 1, &["--format", "json"]);
    assert_eq!(changes(&first), [1, 0, 0, 0]);
    let second = night(&place, 1, &["--format", "json"]);
    assert_eq!(changes(&second), [0, 0, 1, 0]);
    assert_eq!(first.json()["result"]["findings"], second.json()["result"]["findings"]);
    append(&place, NEXT);
    let third = night(&place, 1, &["--format", "json"]);
    assert_eq!(changes(&third), [1, 0, 1, 0]);
    assert_eq!(third.json()["run"]["night"]["generation"], 3);
    let schema = jsonschema::validator_for(&place.expect(0, &["schema", "result"]).json()).unwrap();
    assert!(schema.is_valid(&third.json()));
    assert!(
        !place.expect(1, &["scan", "--format", "json"]).stdout.contains("\"night\""),
        "without a state everything is as before"
    );
    let told = place.expect(0, &["state", "info", "nights"]).stdout;
    assert!(told.starts_with("state of 3 runs\nlast run: 2") && told.contains("findings: 2 open"), "{told}");
    assert!(place.expect(0, &["state", "check", "nights"]).stdout.contains("sound"));
}

#[test]
fn since_last_lists_what_is_new_only() {
    let place = Place::with(DOUBLED);
    let run = night(&place, 1, &["--since-last"]);
    assert!(run.stdout.contains("Since the last run: 1 new, 0 grown, 0 unchanged, 0 resolved"), "{}", run.stdout);
    let run = night(&place, 0, &["--since-last", "--output", "csv=f.csv"]);
    assert!(run.stdout.contains("0 new, 0 grown, 1 unchanged") && !run.stdout.contains("TL-"), "{}", run.stdout);
    assert_eq!(place.read("f.csv").lines().count(), 1);
    append(&place, NEXT);
    night(&place, 1, &["--since-last", "--output", "csv=f.csv"]);
    assert!(place.read("f.csv").contains("ch_8") && !place.read("f.csv").contains("ch_1"));
    let russian = night(&place, 1, &["--lang", "ru"]);
    assert!(russian.stdout.contains("С прошлого запуска: новых 0, выросших 0, без изменений 2"), "{}", russian.stdout);
}

#[test]
fn metrics_tell_what_is_new() {
    let place = Place::with(DOUBLED);
    night(&place, 1, &["--metrics", "t.prom"]);
    assert!(place.read("t.prom").contains("\ntwicelog_findings_new 1\n"));
    night(&place, 1, &["--metrics", "t.prom"]);
    let text = place.read("t.prom");
    for sample in ["findings_new 0", "findings_grown 0", "findings_resolved 0", "state_generation 2"] {
        assert!(text.contains(&format!("\ntwicelog_{sample}\n")), "{text}");
    }
}

#[test]
fn a_state_that_is_not_sound_is_6_and_untouched() {
    let place = Place::with(DOUBLED);
    night(&place, 1, &["--output", "csv=f.csv"]);
    let (report, sound) = (place.read("f.csv"), std::fs::read(place.path("nights/state.db")).unwrap());
    append(&place, NEXT);
    let mut newer = sound.clone();
    newer[63] = 9;
    for damaged in [&sound[..sound.len() / 2], &[0; 8192], b"no database", &newer] {
        place.write("nights/state.db", damaged);
        let run = night(&place, 6, &["--output", "csv=f.csv"]);
        assert_eq!((run.stdout.as_str(), place.read("f.csv")), ("", report.clone()), "{}", run.stderr);
        place.expect(6, &["state", "check", "nights"]);
        place.expect(6, &["state", "info", "nights"]);
        assert!(std::fs::read(place.path("nights/state.db")).unwrap() == damaged);
    }
    let told = place.expect(0, &["state", "rebuild", "nights"]).stdout;
    assert!(told.contains("put aside"), "{told}");
    assert_eq!(changes(&night(&place, 1, &["--format", "json"])), [2, 0, 0, 0]);
    let kept = std::fs::read_dir(place.path("nights")).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        name.starts_with("state.db.2").then_some(name)
    });
    assert_eq!(kept.count(), 1, "nothing is thrown away");
}

#[test]
fn care_of_a_state() {
    let place = Place::with(DOUBLED);
    for command in ["info", "check", "migrate", "prune", "rebuild", "outbox"] {
        place.expect(2, &["state", command, "gone"]);
    }
    night(&place, 1, &[]);
    assert!(place.expect(0, &["state", "migrate", "nights"]).stdout.contains("version 3 already"));
    place.expect(0, &["state", "prune", "nights"]);
    place.expect(2, &["state", "outbox", "nights", "--forget", "1"]);
    assert_eq!(changes(&night(&place, 1, &["--format", "json"])), [0, 0, 1, 0]);
    place.expect(2, &["scan", "--since-last"]);
    place.expect(2, &["scan", "--state", "nights", "--wait", "soon"]);
    place.expect(2, &["scan", "--state", "nights", "--output", "csv=nights/f.csv"]);
    place.expect(2, &["scan", "--state", "pay.csv"]);
}

/// A folder of something else is left as it was; a state that is gone is no new one.
#[test]
fn what_is_no_state_is_left_alone() {
    let place = Place::with(DOUBLED);
    place.write("photos/a.txt", "precious");
    for command in ["info", "check", "migrate", "prune", "rebuild", "outbox"] {
        let run = place.expect(2, &["state", command, "photos"]);
        assert!(run.stderr.contains("holds no state"), "{}", run.stderr);
    }
    let held: Vec<_> = std::fs::read_dir(place.path("photos")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(held, ["a.txt"]);
    night(&place, 1, &[]);
    std::fs::remove_file(place.path("nights/state.db")).unwrap();
    for _ in 0..2 {
        let run = night(&place, 6, &["--format", "json"]);
        assert!(
            run.stderr.contains("though a state was kept") && run.stderr.contains("twicelog state rebuild /"),
            "{}",
            run.stderr
        );
    }
    place.expect(6, &["state", "check", "nights"]);
    assert!(place.expect(0, &["state", "rebuild", "nights"]).stdout.contains("nothing left to put aside"));
    assert_eq!(changes(&night(&place, 1, &["--format", "json"])), [1, 0, 0, 0]);
    std::fs::remove_file(place.path("nights/state.db")).unwrap();
    std::fs::create_dir(place.path("nights/state.db")).unwrap();
    assert!(night(&place, 6, &[]).stderr.contains("is no plain file"));
}

#[test]
fn the_key_can_be_kept_elsewhere() {
    let place = Place::with(DOUBLED);
    night(&place, 1, &["--state-key", "kept.key"]);
    assert!(!place.path("nights/key").exists());
    night(&place, 1, &["--state-key", "kept.key"]);
    let run = night(&place, 6, &[]);
    assert!(run.stderr.contains("name it with --state-key FILE"), "{}", run.stderr);
    place.expect(0, &["state", "check", "nights", "--state-key", "kept.key"]);
    let other = Place::with(DOUBLED);
    night(&other, 1, &[]);
    std::fs::copy(other.path("nights/key"), place.path("other.key")).unwrap();
    let run = night(&place, 6, &["--state-key", "other.key"]);
    assert!(run.stderr.contains("other.key, or damaged; if it was made with another key"), "{}", run.stderr);
}

#[test]
fn files_that_were_written_to_just_now_wait() {
    let place = Place::with(DOUBLED);
    let run = night(&place, 0, &["--settle", "1h", "--format", "json"]);
    assert_eq!(run.json()["result"]["ledger"]["read"], 0);
    // Long ago, and yet in this century.
    let then = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let file = std::fs::File::options().write(true).open(place.path("pay.csv")).unwrap();
    // Another clock, or a slip: it is said, and not called "a moment ago".
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000)).unwrap();
    let run = night(&place, 0, &["--settle", "1h"]);
    assert!(run.stdout.contains("lies ahead of this machine's clock"), "{}", run.stdout);
    file.set_modified(then).unwrap();
    assert_eq!(changes(&night(&place, 1, &["--settle", "1h", "--format", "json"])), [1, 0, 0, 0]);
}

#[test]
fn a_state_is_a_folder_that_the_job_writes() {
    let place = Place::with(CALM);
    let job = place.expect(0, &["schedule", "--systemd", "--folder", "/srv", "--", "--state", "nights"]).stdout;
    assert!(job.contains("ReadWritePaths=\"/srv/nights\""), "{job}");
}

/// R11: of eight that start together one works, and the others say that it does.
#[test]
fn eight_at_once() {
    let rows: String = (0..2_000).map(|n| format!("ch_{n},2026-03-02T10:00:00Z,anna{n},59.00\n")).collect();
    let place = Place::with(&(DOUBLED.to_owned() + &rows));
    night(&place, 1, &[]);
    let mut worked = 1;
    for _ in 0..50 {
        let children: Vec<_> = (0..8)
            .map(|_| {
                let mut command = place.command(&["scan", "--state", "nights", "--format", "json"]);
                command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for child in children {
            let run = Run::from(child.wait_with_output().unwrap());
            match run.code {
                Some(1) => {
                    worked += 1;
                    assert_eq!(run.json()["run"]["night"]["generation"], worked, "two worked on one generation");
                }
                Some(5) => {
                    assert!(run.stdout.is_empty() && run.stderr.contains("another run holds this state"), "{}", run.stderr)
                }
                _ => panic!("{:?}: {}", run.code, run.stderr),
            }
        }
    }
    assert!(worked > 50, "in each round somebody works");
    assert!(place.expect(0, &["state", "check", "nights"]).stdout.contains(&format!("{worked} runs")));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    /// A hook that notes what it is told; `then` is what it does afterwards.
    pub fn hook(place: &Place, then: &str) {
        place.write("hook", format!("#!/bin/sh\ncat >> calls\necho >> calls\n{then}\n"));
        std::fs::set_permissions(place.path("hook"), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn told(place: &Place) -> Vec<Value> {
        let text = std::fs::read_to_string(place.path("calls")).unwrap_or_default();
        let _ = std::fs::remove_file(place.path("calls"));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    const HOOK: [&str; 2] = ["--on-findings", "./hook"];

    #[test]
    fn only_what_is_new_calls_the_hook() {
        let place = Place::with(DOUBLED);
        hook(&place, "");
        night(&place, 1, &HOOK);
        let alerts = told(&place);
        assert_eq!((alerts.len(), &alerts[0]["result"]["new"]), (1, &1.into()), "{alerts:?}");
        assert_eq!(alerts[0]["text"], "twicelog: 1 new, 0 grown; 1 finding, extra effects: 1, net EUR 59.00");
        let schema = jsonschema::validator_for(&place.expect(0, &["schema", "hook"]).json()).unwrap();
        assert!(schema.is_valid(&alerts[0]));
        night(&place, 1, &HOOK);
        assert!(told(&place).is_empty());
        append(&place, NEXT);
        night(&place, 1, &HOOK);
        let alerts = told(&place);
        assert_eq!(alerts[0]["result"]["ids"].as_array().unwrap().len(), 1, "of the other one people know");
        assert_eq!(alerts[0]["result"]["findings"], 2);
    }

    #[test]
    fn a_decided_finding_is_silent_until_its_decision_ends() {
        let place = Place::with(DOUBLED);
        hook(&place, "");
        place.write("r.json", place.expect(1, &["scan", "--format", "json"]).stdout);
        let add =
            ["baseline", "add", "TL-", "--decision", "accepted", "--reason", "x", "--until", "2026-12-31", "--from", "r.json"];
        place.expect(0, &add);
        night(&place, 0, &[&HOOK[..], &["--as-of", "2026-12-30"]].concat());
        assert!(told(&place).is_empty());
        night(&place, 1, &[&HOOK[..], &["--as-of", "2027-01-01"]].concat());
        assert_eq!(told(&place).len(), 1, "it counts again");
        night(&place, 1, &[&HOOK[..], &["--as-of", "2027-01-02"]].concat());
        assert!(told(&place).is_empty());
    }

    #[test]
    fn an_alert_that_was_not_sent_is_kept() {
        let place = Place::with(DOUBLED);
        let run = night(&place, 4, &HOOK);
        assert!(run.stderr.contains("hook findings ./hook: cannot be started"), "{}", run.stderr);
        assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("waiting"));
        hook(&place, "exit 3");
        night(&place, 4, &[]);
        assert_eq!(told(&place).len(), 1, "the next run sends it by the words of the first");
        let run = night(&place, 1, &[]);
        assert!(run.stderr.contains("was not sent: its command failed"), "{}", run.stderr);
        assert!(told(&place).is_empty(), "a command that failed may have told somebody: it is not called again");
        assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("1  failed"));
        hook(&place, "");
        place.expect(0, &["state", "outbox", "nights", "--retry", "1"]);
        night(&place, 1, &[]);
        assert_eq!(told(&place).len(), 1);
        place.expect(2, &["state", "outbox", "nights", "--retry", "1"]);
        assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("no alert is waiting"));
    }

    /// What was to be said is said by the words of the first run, to whom tonight's configuration names.
    #[test]
    fn an_alert_goes_to_whom_tonight_names() {
        let place = Place::with(DOUBLED);
        let run = night(&place, 4, &HOOK);
        assert!(run.stderr.contains("hook findings ./hook: there is no such program"), "{}", run.stderr);
        let first = place.expect(0, &["state", "info", "nights"]).stdout;
        place.write("other", "#!/bin/sh\ncat >> other-calls\n");
        std::fs::set_permissions(place.path("other"), std::fs::Permissions::from_mode(0o755)).unwrap();
        night(&place, 1, &["--on-findings", "./other"]);
        let told: Value = serde_json::from_str(&place.read("other-calls")).unwrap();
        assert!(first.contains(told["run_id"].as_str().unwrap()), "{told}");
        assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("no alert is waiting"));
    }

    #[test]
    fn what_comes_before_is_done_before() {
        let place = Place::with(CALM);
        place.write("fetch", "#!/bin/sh\ncat > told\nmv pay.new pay.csv 2> mv.log\n");
        std::fs::set_permissions(place.path("fetch"), std::fs::Permissions::from_mode(0o755)).unwrap();
        place.write("pay.new", HEADER.to_owned() + DOUBLED);
        night(&place, 1, &["--before", "./fetch"]);
        let told: Value = serde_json::from_str(&place.read("told")).unwrap();
        assert_eq!((&told["event"], &told["result"]), (&"before".into(), &Value::Null));
        let schema = jsonschema::validator_for(&place.expect(0, &["schema", "hook"]).json()).unwrap();
        assert!(schema.is_valid(&told));
        // There is nothing to fetch: nothing is read, and what failed is told of.
        hook(&place, "");
        place.write("twicelog.toml", CONFIG.to_owned() + "[hooks]\nbefore = [\"./fetch\"]\n");
        let run = night(&place, 3, &["--on-failure", "./hook", "--output", "csv=f.csv"]);
        assert!(run.stderr.contains("hook before: failed, so that nothing was read"), "{}", run.stderr);
        assert!(!place.path("f.csv").exists());
        assert_eq!(super::unix::told(&place)[0]["exit_code"], 3);
        place.expect(3, &["scan"]);
        assert!(place.expect(0, &["state", "info", "nights"]).stdout.starts_with("state of 1 run\n"));
    }

    /// What can be a mistake of the user's leaves no state behind; and what comes before is done under the lock all the same.
    #[test]
    fn a_mistake_leaves_no_state_behind() {
        let place = Place::with(DOUBLED);
        let program = env!("CARGO_BIN_EXE_twicelog");
        place.write("fetch", format!("#!/bin/sh\n{program} state prune a/nights 2> inner\necho $? >> inner\n"));
        std::fs::set_permissions(place.path("fetch"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let names = place.names();
        for (code, mistake) in [
            (2, vec!["--baseline", "gone.toml"]),
            (2, vec!["--output", "csv=pay.csv"]),
            (2, vec!["--source", "other=pay.csv"]),
            (3, vec!["--before", "false"]),
        ] {
            for key in [None, Some("kept.key")] {
                let key: Vec<&str> = key.map(|key| vec!["--state-key", key]).unwrap_or_default();
                let run = place.run(&[&["scan", "--state", "a/nights"][..], &mistake, &key].concat());
                assert_eq!(run.code, Some(code), "{mistake:?}: {}", run.stderr);
                assert_eq!(place.names(), names, "{mistake:?}");
            }
        }
        place.expect(2, &["scan", "--state", "a/nights", "--before", "./fetch", "--baseline", "gone.toml"]);
        assert!(place.read("inner").ends_with("\n5\n") && !place.path("a").exists(), "{}", place.read("inner"));
        // A state that is there stays.
        place.expect(1, &["scan", "--state", "a/nights"]);
        place.expect(2, &["scan", "--state", "a/nights", "--baseline", "gone.toml"]);
        assert!(place.expect(0, &["state", "check", "a/nights"]).stdout.contains("1 run"));
    }

    #[test]
    fn a_second_run_ends_at_once_or_waits() {
        let place = Place::with(DOUBLED);
        hook(&place, "while [ ! -e go ]; do sleep 0.05; done");
        let mut first = place.command(&["scan", "--state", "nights", HOOK[0], HOOK[1]]).spawn().unwrap();
        while !place.path("calls").exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let run = night(&place, 5, &["--output", "csv=f.csv"]);
        assert!(run.stderr.contains("--wait 5m") && !place.path("f.csv").exists(), "{}", run.stderr);
        place.expect(5, &["state", "prune", "nights"]);
        place.expect(0, &["state", "check", "nights"]);
        night(&place, 5, &["--wait", "1s"]);
        let second = place.command(&["scan", "--state", "nights", "--wait", "5m"]).spawn().unwrap();
        place.write("go", "");
        assert_eq!(first.wait().unwrap().code(), Some(1));
        assert_eq!(second.wait_with_output().unwrap().status.code(), Some(1));
    }

    #[test]
    fn only_its_owner_can_read_it_whatever_the_umask() {
        let place = Place::with(DOUBLED);
        let program = env!("CARGO_BIN_EXE_twicelog");
        let run = Command::new("sh")
            .args(["-c", &format!("umask 000; exec {program} scan --state nights --output csv=f.csv")])
            .current_dir(place.folder())
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(1));
        for (name, expected) in
            [("nights", 0o700), ("nights/state.db", 0o600), ("nights/key", 0o600), ("nights/lock", 0o600), ("f.csv", 0o600)]
        {
            let mode = std::fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, expected, "{name}");
        }
    }

    #[test]
    fn a_planted_link_is_refused() {
        let place = Place::with(DOUBLED);
        night(&place, 1, &[]);
        place.write("victim", "precious");
        for name in ["state.db", "state.db-journal", "state.db.new", "key", "lock"] {
            let path = place.path("nights").join(name);
            let kept = std::fs::read(&path).ok();
            let _ = std::fs::remove_file(&path);
            symlink(place.path("victim"), &path).unwrap();
            night(&place, 2, &[]);
            assert_eq!(place.read("victim"), "precious");
            std::fs::remove_file(&path).unwrap();
            if let Some(kept) = kept {
                std::fs::write(&path, kept).unwrap();
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            }
        }
        symlink(place.path("nights"), place.path("link")).unwrap();
        place.expect(2, &["scan", "--state", "link"]);
        night(&place, 1, &[]);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_4() {
        let place = Place::with(DOUBLED);
        place.expect(4, &["scan", "--state", "/proc/nights"]);
        night(&place, 1, &[]);
        std::fs::set_permissions(place.path("nights"), std::fs::Permissions::from_mode(0o500)).unwrap();
        // An administrator may write anywhere.
        if std::fs::write(place.path("nights/probe"), "").is_err() {
            night(&place, 4, &[]);
        }
        std::fs::set_permissions(place.path("nights"), std::fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[cfg(unix)]
pub use unix::hook;

#[test]
fn an_empty_night_is_one_too() {
    let place = Place::with("");
    place.write("pay.csv", HEADER);
    night(&place, 0, &[]);
    append(&place, DOUBLED);
    assert_eq!(changes(&night(&place, 1, &["--format", "json"])), [1, 0, 0, 0]);
}

/// A record may come as late as one says; a date far ahead makes nothing late.
#[test]
fn lateness_is_asked_for() {
    let late = "ch_3,2026-02-20T09:00:00Z,clara,11.00\n";
    for (more, code) in [(vec![], 3), (vec!["--lateness", "20d"], 0)] {
        let place = Place::with(CALM);
        night(&place, 0, &more);
        append(&place, late);
        let run = night(&place, code, &[&["--format", "json"], more.as_slice()].concat());
        assert_eq!(run.json()["result"]["nightly"]["late"], u64::from(code == 3), "{more:?}");
    }
    let place = Place::with(CALM);
    append(&place, "ch_4,2199-01-01T00:00:00Z,dora,12.00\n");
    night(&place, 0, &["--as-of", "2026-03-02"]);
    append(&place, "ch_5,2026-03-02T12:00:00Z,emil,13.00\n");
    let run = night(&place, 0, &["--as-of", "2026-03-02", "--format", "json"]);
    assert_eq!(run.json()["result"]["nightly"]["late"], 0);
}

/// Exporters that never write the last line end: what was held back is read once somebody says that the file is whole.
#[test]
fn what_was_held_back_is_read_when_the_file_is_whole() {
    let place = Place::empty();
    place.write("twicelog.toml", CONFIG);
    place.write("pay.csv", format!("{HEADER}{}", DOUBLED.trim_end()));
    night(&place, 0, &[]);
    let run = night(&place, 1, &["--complete", "--format", "json"]);
    assert_eq!(changes(&run), [1, 0, 0, 0]);
    night(&place, 0, &["--complete", "--since-last"]);
}

/// Records of earlier nights do not say what is asked for since.
#[test]
fn a_column_that_was_not_carried_makes_the_night_incomplete() {
    let place = Place::empty();
    place.write("twicelog.toml", CONFIG);
    place.write("pay.csv", format!("{}{}", HEADER.replace('\n', ",item\n"), DOUBLED.replace('\n', ",book\n")));
    night(&place, 1, &[]);
    let more = CONFIG.replace("[\"actor\", \"amount\"]", "[\"actor\", \"amount\", \"item\"]");
    place.write("twicelog.toml", more.replace("[[rule]]", "[source.map.fields]\nitem = \"item\"\n[[rule]]"));
    let run = night(&place, 3, &[]);
    assert!(run.stderr.contains("held without the column \"item\""), "{}", run.stderr);
    place.expect(0, &["state", "rebuild", "nights"]);
    night(&place, 1, &[]);
}

#[test]
fn a_quiet_night_is_no_empty_file() {
    let place = Place::with(CALM);
    night(&place, 0, &[]);
    let run = night(&place, 0, &[]);
    assert!(run.stdout.contains("Nothing was written since the run before"), "{}", run.stdout);
    assert!(!run.stdout.contains("No record was read"), "{}", run.stdout);
}

#[test]
fn a_state_is_never_read_as_a_log() {
    let place = Place::with(CALM);
    night(&place, 0, &[]);
    let key = place.read("nights/key");
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay.csv\", \"nights/*\"]"));
    let run = night(&place, 2, &[]);
    assert!(run.stderr.contains("lies within the state"), "{}", run.stderr);
    assert!(!run.stderr.contains(&key[key.len() - 21..key.len() - 1]));
}

/// Whoever is called for an alert finds what it is about.
#[test]
fn a_finding_whose_decision_has_ended_is_listed_again() {
    let place = Place::with(DOUBLED);
    night(&place, 1, &["--output", "json=r.json"]);
    let report: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    let id = report["result"]["findings"][0]["id"].as_str().unwrap().to_owned();
    let decide = ["baseline", "add", &id, "--decision", "intended", "--reason", "gift", "--by", "ada", "--until", "2026-12-05"];
    place.expect(0, &[&decide[..], &["--from", "r.json"]].concat());
    night(&place, 0, &["--since-last", "--as-of", "2026-12-01"]);
    let run = night(&place, 1, &["--since-last", "--as-of", "2026-12-08"]);
    assert!(run.stdout.contains(&id), "{}", run.stdout);
}

#[test]
fn a_night_knows_the_nights_before_it() {
    let place = Place::with(DOUBLED);
    let nights = |run: &Run| run.json().get("nights").cloned().unwrap_or_default();
    assert_eq!(nights(&night(&place, 1, &["--format", "json", "--report", "out"])), Value::Null);
    assert!(!place.path("out/charts/nights.png").exists());
    append(&place, NEXT);
    let second = night(&place, 1, &["--format", "json", "--report", "out", "--since-last"]);
    let known = nights(&second);
    assert_eq!(known.as_array().map(Vec::len), Some(1));
    assert_eq!(known[0]["changes"], serde_json::json!({ "new": 1, "grown": 0, "unchanged": 0, "resolved": 0 }));
    assert_eq!((&known[0]["findings"], &known[0]["same_rules"]), (&Value::from(1), &Value::from(true)));
    assert_eq!(known[0]["exposure"][0]["net"], "59.00");
    let page = place.read("out/report.html");
    assert!(page.contains("2 findings this time, 1 the time before") && place.path("out/charts/nights.png").is_file());
    assert!(page.contains("Not tried: with a state"), "why there is no chart of windows");
    let tonight = "<td>2</td><td>1</td><td>0</td><td>1</td><td>0</td><td>0</td><td>EUR 79.00</td>";
    assert!(page.contains(tonight), "findings, new, grown, known, resolved, decided, net");
    place.write("twicelog.toml", CONFIG.replace("10m", "11m"));
    let known = nights(&night(&place, 1, &["--format", "json"]));
    assert_eq!(known[1]["changes"], serde_json::json!({ "new": 1, "grown": 0, "unchanged": 1, "resolved": 0 }));
    assert_eq!([&known[0]["same_rules"], &known[1]["same_rules"]], [&Value::from(false); 2]);
    let schema = jsonschema::validator_for(&place.expect(0, &["schema", "result"]).json()).unwrap();
    assert!(schema.is_valid(&second.json()));
}

#[test]
fn nights_agree_about_who_is_who() {
    let place = Place::with(DOUBLED);
    let name = |page: &str| {
        let found = regex::Regex::new("a… #([0-9a-z]{10})").unwrap().captures(page).expect("a pseudonym");
        found[1].to_owned()
    };
    night(&place, 1, &["--output", "html=one.html"]);
    // Whoever comes later does not take a number away.
    append(&place, &NEXT.replace("20.00", "900.00"));
    night(&place, 1, &["--output", "html=two.html", "--output", "json=two.json"]);
    let anna = name(&place.read("one.html"));
    assert_eq!(name(&place.read("two.html")), anna);
    let again = place.expect(0, &["report", "two.json", "--format", "html", "--mask-key", "nights/key"]);
    assert_eq!(name(&again.stdout), anna, "the state's key serves for a result told again");
}
