//! Nights that are stopped in the middle, and what the next one must make of them.

use super::place::{DOUBLED, Place, Run};
use super::states::{NEXT, hook};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

pub const NIGHT: [&str; 11] = [
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
pub fn evening() -> Place {
    let place = Place::with(DOUBLED);
    hook(&place, "");
    place.expect(1, &NIGHT);
    std::fs::remove_file(place.path("calls")).unwrap();
    place.write("pay.csv", place.read("pay.csv") + NEXT);
    place
}

/// Before the first night.
pub fn dusk() -> Place {
    let place = Place::with(DOUBLED);
    hook(&place, "");
    place
}

pub fn copy(from: &Place) -> Place {
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
pub fn left(place: &Place) -> (String, Value, Value) {
    let mut json: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    (place.read("f.csv"), json["result"]["findings"].take(), json["run"]["night"]["changes"].take())
}

pub fn alerts(place: &Place) -> usize {
    std::fs::read_to_string(place.path("calls")).unwrap_or_default().matches("twicelog.hook/1").count()
}

/// Runs the night after one that was stopped, and looks whether all is as if nothing had happened.
pub fn recovers(place: &Place, whole: &Place, label: &str) {
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

pub fn nothing_lies_about(place: &Place, label: &str) {
    let known = ["calls", "f.csv", "fifo", "hook", "nights", "pay.csv", "r.json", "twicelog.toml"];
    let strange: Vec<String> = place.names().into_iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(strange.is_empty(), "{label}: {strange:?}");
    for entry in std::fs::read_dir(place.path("nights")).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(["key", "lock", "state.db"].contains(&name.to_str().unwrap()), "{label}: {name:?}");
    }
}

/// As the night goes when nobody disturbs it.
pub fn whole(before: &Place) -> Place {
    let place = copy(before);
    place.expect(1, &NIGHT);
    assert_eq!(alerts(&place), 1);
    place
}

/// The night under strace; None where the n-th call never came. `inject` is what happens to it.
pub fn traced(place: &Place, call: &str, inject: &str, n: usize) -> Option<Run> {
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
pub fn has_strace() -> bool {
    match Command::new("strace").args(["-o", "/dev/null", "-e", "inject=fsync:signal=KILL:when=9", "true"]).output() {
        Ok(output) => output.status.success(),
        Err(_) => {
            assert!(std::env::var_os("CI").is_none(), "strace is not installed");
            false
        }
    }
}
