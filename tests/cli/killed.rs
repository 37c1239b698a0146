//! Nights that are killed, frozen, or run out of room: the next one needs no hand, and nobody is told twice.
//!
//! Where strace is, it kills a run at each call that makes something safe, and lets calls fail at will; the other tests need nothing.

use super::place::{DOUBLED, Place, Run};
use super::states::{NEXT, hook};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NIGHT: [&str; 11] = [
    "scan",
    "--state",
    "nights",
    "--on-findings",
    "./hook",
    "--output",
    "csv=f.csv",
    "--output",
    "json=r.json",
    "--threads",
    "1",
];

/// Before the second night: the first one is over, and boris was charged twice since.
fn evening() -> Place {
    let place = Place::with(DOUBLED);
    hook(&place, "");
    place.expect(1, &NIGHT);
    std::fs::remove_file(place.path("calls")).unwrap();
    place.write("pay.csv", place.read("pay.csv") + NEXT);
    place
}

/// Before the first night.
fn dusk() -> Place {
    let place = Place::with(DOUBLED);
    hook(&place, "");
    place
}

fn copy(from: &Place) -> Place {
    let place = Place::empty();
    copy_folder(from.folder(), place.folder());
    place
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            std::fs::create_dir(&to).unwrap();
            std::fs::set_permissions(&to, path.metadata().unwrap().permissions()).unwrap();
            copy_folder(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

/// What a night leaves: the table as it is, and findings and changes of the result.
fn left(place: &Place) -> (String, Value, Value) {
    let mut json: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    (place.read("f.csv"), json["result"]["findings"].take(), json["run"]["night"]["changes"].take())
}

fn alerts(place: &Place) -> usize {
    std::fs::read_to_string(place.path("calls")).unwrap_or_default().matches("twicelog.hook/1").count()
}

/// Runs the night after one that was stopped, and looks whether all is as if nothing had happened.
fn recovers(place: &Place, whole: &Place, label: &str) {
    // A run that had come to its end was not stopped: the next one finds nothing new.
    let mut had_ended = false;
    if place.path("nights/state.db").exists() {
        place.expect(0, &["state", "check", "nights"]);
        let info = place.expect(0, &["state", "info", "nights"]).stdout;
        let runs = |place: &Place| place.expect(0, &["state", "info", "nights"]).stdout.lines().next().map(str::to_owned);
        had_ended = !info.contains("was stopped") && runs(place) == runs(whole);
    }
    let run = place.run(&NIGHT);
    let in_doubt = run.stderr.contains("may have been sent or not");
    assert_eq!(run.code, Some(if in_doubt { 4 } else { 1 }), "{label}: {}", run.stderr);
    assert!(alerts(place) <= 1, "{label}: told twice");
    assert!(alerts(place) == 1 || in_doubt, "{label}: nobody was told: {}", run.stderr);
    let (table, findings, changes) = left(place);
    let (whole_table, whole_findings, whole_changes) = left(whole);
    assert_eq!((table, findings), (whole_table, whole_findings), "{label}");
    assert!(had_ended || changes == whole_changes, "{label}: {changes} and not {whole_changes}");
    nothing_lies_about(place, label);
}

fn nothing_lies_about(place: &Place, label: &str) {
    let known = ["calls", "f.csv", "fifo", "hook", "nights", "pay.csv", "r.json", "twicelog.toml"];
    let strange: Vec<String> = place.names().into_iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(strange.is_empty(), "{label}: {strange:?}");
    for entry in std::fs::read_dir(place.path("nights")).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(["key", "lock", "state.db"].contains(&name.to_str().unwrap()), "{label}: {name:?}");
    }
}

/// As the night goes when nobody disturbs it.
fn whole(before: &Place) -> Place {
    let place = copy(before);
    place.expect(1, &NIGHT);
    assert_eq!(alerts(&place), 1);
    place
}

#[test]
#[allow(clippy::disallowed_methods, reason = "moments are spread over the time that a night takes")]
fn killed_at_any_moment() {
    for (before, kills, seed) in [(dusk(), 20, 1), (evening(), 40, 2)] {
        let clock = Instant::now();
        let whole = whole(&before);
        let longest = u64::try_from(clock.elapsed().as_micros()).unwrap();
        // Any numbers that are spread out: the golden section, again and again.
        let moments = (0..kills).map(|at: u64| longest * ((at * 618 + seed * 100) % 1000) / 1000);
        for moment in moments {
            let place = copy(&before);
            let mut child = place.command(&NIGHT).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_micros(moment));
            child.kill().unwrap();
            child.wait().unwrap();
            // A hook that was called goes on without its run; it must have noted what it was told.
            std::thread::sleep(Duration::from_millis(50));
            recovers(&place, &whole, &format!("after {moment} µs"));
        }
    }
}

/// The night under strace; None where the n-th call never came. `inject` is what happens to it.
fn traced(place: &Place, call: &str, inject: &str, n: usize) -> Option<Run> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let output = Command::new("strace")
        .args(["-f", "-o", log.path().to_str().unwrap(), "-e", &format!("trace={call}"), "-e"])
        .arg(format!("inject={call}:{inject}:when={n}"))
        .arg(env!("CARGO_BIN_EXE_twicelog"))
        .args(NIGHT)
        .current_dir(place.folder())
        .env_remove("TWICELOG_CONFIG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = std::fs::read_to_string(log.path()).unwrap();
    (log.contains("(INJECTED)") || log.contains("killed by SIGKILL")).then(|| Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Where it is not there, `.ci/run` has failed to install it. Some containers forbid what it does.
#[allow(clippy::disallowed_methods, reason = "CI must not leave a test out in silence")]
fn has_strace() -> bool {
    match Command::new("strace").args(["-o", "/dev/null", "-e", "inject=fsync:signal=KILL:when=9", "true"]).output() {
        Ok(output) => output.status.success(),
        Err(_) => {
            assert!(std::env::var_os("CI").is_none(), "strace is not installed");
            false
        }
    }
}

#[test]
fn killed_at_every_step() {
    if !has_strace() {
        return;
    }
    for before in [dusk(), evening()] {
        let whole = whole(&before);
        for (call, step) in [("rename", 1), ("unlink", 1), ("pwrite64", 5), ("fsync", 4)] {
            let mut killed = 0;
            for n in (1..).step_by(step) {
                let place = copy(&before);
                if traced(&place, call, "signal=KILL", n).is_none() {
                    break;
                }
                killed += 1;
                recovers(&place, &whole, &format!("{call} {n}"));
            }
            assert!(killed > 1, "{call}: {killed}");
        }
    }
}

/// Old report, old state, nobody told; and what the run meant to leave is gone after the next one.
fn out_of_room(place: &Place, before: &Place, whole: &Place, run: &Run, label: &str) {
    assert_eq!(run.code, Some(4), "{label}: {}", run.stderr);
    place.expect(0, &["state", "check", "nights"]);
    let info = |place: &Place| place.expect(0, &["state", "info", "nights"]).stdout;
    if info(place) == info(before) {
        assert_eq!(left(place), left(before), "{label}: a report of a run that did not commit");
        assert_eq!(alerts(place), 0, "{label}");
    }
    recovers(place, whole, label);
}

#[test]
fn a_full_disk_at_every_write() {
    if !has_strace() {
        return;
    }
    let before = evening();
    let whole = whole(&before);
    let mut failed = 0;
    // The database; `files_that_may_not_grow` has the reports.
    for n in (1..).step_by(3) {
        let place = copy(&before);
        let Some(run) = traced(&place, "pwrite64", "error=ENOSPC", n) else { break };
        failed += 1;
        out_of_room(&place, &before, &whole, &run, &format!("write {n}"));
    }
    assert!(failed > 5, "{failed}");
}

#[test]
fn files_that_may_not_grow() {
    let before = evening();
    let whole = whole(&before);
    let (mut failed, mut fine) = (0, 0);
    for blocks in 0..60 {
        let place = copy(&before);
        let program = env!("CARGO_BIN_EXE_twicelog");
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} {}", NIGHT.join(" "));
        let run = Command::new("sh").args(["-c", &limited]).current_dir(place.folder()).output().unwrap();
        let run = Run {
            code: run.status.code(),
            stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        };
        if run.code == Some(1) {
            fine += 1;
        } else {
            failed += 1;
            out_of_room(&place, &before, &whole, &run, &format!("{blocks} blocks"));
        }
        if fine > 2 {
            break;
        }
    }
    assert!(failed > 5 && fine > 0, "{failed} and {fine}");
}

#[test]
fn killed_while_it_sends() {
    let place = dusk();
    hook(&place, "kill -9 $PPID");
    assert_eq!(place.command(&NIGHT).status().unwrap().code(), None);
    assert_eq!(alerts(&place), 1);
    hook(&place, "");
    let run = place.expect(4, &NIGHT);
    assert!(run.stderr.contains("may have been sent or not"), "{}", run.stderr);
    assert_eq!(alerts(&place), 1, "what may have been sent is not sent again");
    assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("1  doubtful"));
    assert!(place.expect(1, &NIGHT).stderr.contains("may have been sent or not"));
    place.expect(0, &["state", "outbox", "nights", "--forget", "1"]);
    assert_eq!(place.expect(1, &NIGHT).stderr, "");
    assert_eq!(alerts(&place), 1);
}

/// What nobody could read is new once more.
#[test]
fn killed_before_its_report_was_read() {
    let place = dusk();
    hook(&place, "kill -9 $PPID");
    assert_eq!(place.command(&[&NIGHT[..], &["--since-last"]].concat()).status().unwrap().code(), None);
    let run = place.expect(4, &["scan", "--state", "nights", "--since-last"]);
    assert!(run.stdout.contains("Since the last run: 1 new, 0 grown, 0 unchanged"), "{}", run.stdout);
    let run = place.expect(0, &["scan", "--state", "nights", "--since-last"]);
    assert!(run.stdout.contains("Since the last run: 0 new, 0 grown, 1 unchanged"), "{}", run.stdout);
}

/// R15: frozen in the middle, and another run came first.
#[test]
fn whoever_was_overtaken_ends_with_5() {
    let place = evening();
    let whole = whole(&place);
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    let mut command = place.command(&[&NIGHT[..], &["--output", "ndjson=fifo"]].concat());
    let frozen = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let is_staged = || place.names().iter().any(|name| name.starts_with(".r.json."));
    while !is_staged() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::remove_file(place.path("nights/lock")).unwrap();
    place.expect(1, &NIGHT);
    let (report, told) = (left(&place), alerts(&place));
    std::fs::read(place.path("fifo")).unwrap();
    let frozen = frozen.wait_with_output().unwrap();
    assert_eq!(frozen.status.code(), Some(5), "{}", String::from_utf8_lossy(&frozen.stderr));
    assert!(String::from_utf8_lossy(&frozen.stderr).contains("another run came first"));
    assert_eq!((left(&place), alerts(&place)), (report.clone(), told));
    assert_eq!(report, left(&whole));
    place.expect(1, &NIGHT);
    nothing_lies_about(&place, "after the frozen run");
}
