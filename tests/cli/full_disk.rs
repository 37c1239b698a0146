//! Nights that run out of room: old state, old report, nobody told; and the next one with room goes on.
//!
//! Room is taken away in three ways: a file system that is full, files that may not grow, and writes that fail at will.

use super::place::{Place, Run};
use super::stopped::{NIGHT, alerts, copy, dusk, evening, has_strace, left, recovers, traced, whole};
use std::path::Path;
use std::process::Command;

/// Old report, old state, nobody told; and what the run meant to leave is gone after the next one.
fn out_of_room(place: &Place, before: &Place, whole: &Place, run: &Run, label: &str) {
    assert_eq!(run.code, Some(4), "{label}: {}", run.stderr);
    let report = |place: &Place| ["f.csv", "r.json"].map(|name| std::fs::read_to_string(place.path(name)).ok());
    if state(place) == state(before) {
        assert_eq!(report(place), report(before), "{label}: a report of a run that did not commit");
        assert_eq!(alerts(place), 0, "{label}");
    }
    recovers(place, whole, label);
}

/// What is told of the state; of one in which no night was, as of none.
fn state(place: &Place) -> Option<String> {
    let state = place.path("nights/state.db").exists().then(|| {
        place.expect(0, &["state", "check", "nights"]);
        place.expect(0, &["state", "info", "nights"]).stdout
    });
    state.filter(|told| !told.starts_with("state of 0 runs"))
}

#[test]
fn every_write_of_the_database_may_fail() {
    if !has_strace() {
        return;
    }
    let before = evening();
    let whole = whole(&before);
    let mut failed = 0;
    // The database; `files_that_may_not_grow` has the reports.
    for n in 1.. {
        let place = copy(&before);
        let Some(run) = traced(&place, "pwrite64", "error=ENOSPC", n) else { break };
        failed += 1;
        out_of_room(&place, &before, &whole, &run, &format!("write {n}"));
    }
    assert!(failed > 20, "{failed}");
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

/// How a small file system is had: in a name space of mounts, as root or as nobody in particular; or, where nobody may mount, in the one that
/// every container has, once nearly all of it is taken.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Mounted(&'static [&'static str]),
    Ballast,
}

const WAYS: [Way; 3] = [Way::Mounted(&["unshare", "-m"]), Way::Mounted(&["unshare", "-Urm"]), Way::Ballast];

/// The room is the folder itself, for a while: what is named by its whole path is still there afterwards.
const MOUNTED: &str = r#"
mount -t tmpfs -o size=16m,mode=700 tmpfs "$TO"
cp -a "$FROM/." "$TO"
used=$(df -k --output=used "$TO" | tail -n 1)
mount -o remount,size=$((used + FREE))k "$TO"
empty() {
    cp -a "$TO/." "$SAID/kept"
    umount "$TO"
    cp -a "$SAID/kept/." "$TO"
}
"#;

/// The folder lies in the small file system.
const BALLAST: &str = r#"
cp -a "$FROM/." "$TO"
empty() { rm -f "$TO.ballast"; }
trap empty EXIT
available=$(df -k --output=avail "$TO" | tail -n 1)
head -c "$((available - FREE))k" /dev/zero > "$TO.ballast"
"#;

/// There are so many KiB left: the night runs, and somebody looks at the state while there is still no room.
const NIGHT_IN_IT: &str = r#"
cd "$TO"
set +e
"$PROGRAM" "$@" > "$SAID/out" 2> "$SAID/err"
echo $? > "$SAID/code"
if [ -e nights/state.db ]; then "$PROGRAM" state check nights > "$SAID/check" 2>&1; echo $? >> "$SAID/check"; fi
set -e
cd /
empty
"#;

impl Way {
    /// A shell that runs this script.
    fn shell(self, script: &str) -> Command {
        let mut command = match self {
            Self::Mounted(way) => {
                let mut command = Command::new(way[0]);
                command.args(&way[1..]).arg("sh");
                command
            }
            Self::Ballast => Command::new("sh"),
        };
        command.args(["-c", &format!("set -e\n{script}"), "sh"]);
        command
    }

    fn works(self) -> bool {
        let script = match self {
            Self::Mounted(_) => "mount -t tmpfs -o size=16k tmpfs /mnt && mount -o remount,size=32k /mnt",
            // One of the machine itself is too large to be filled.
            Self::Ballast => "test $(df -k --output=size /dev/shm | tail -n 1) -le 131072 && test -w /dev/shm",
        };
        self.shell(script).output().is_ok_and(|output| output.status.success())
    }
}

/// The way that works here. CI must not leave the test out in silence.
#[allow(clippy::disallowed_methods, reason = "CI must not leave a test out in silence")]
fn way() -> Option<Way> {
    let way = WAYS.into_iter().find(|way| way.works());
    assert!(way.is_some() || std::env::var_os("CI").is_none(), "there is no small file system to be had; run CI where there is");
    way
}

/// The night in a place that has so many KiB left; what it leaves there comes back.
fn in_a_room(way: Way, before: &Place, free: usize) -> (Place, Run) {
    let place = if way == Way::Ballast { Place::within(Path::new("/dev/shm")) } else { Place::empty() };
    let said = Place::empty();
    std::fs::create_dir(said.path("kept")).unwrap();
    let room = if way == Way::Ballast { BALLAST } else { MOUNTED };
    let output = way
        .shell(&(room.to_owned() + NIGHT_IN_IT))
        .args(NIGHT)
        .env("FROM", before.folder())
        .env("TO", place.folder())
        .env("SAID", said.folder())
        .env("PROGRAM", env!("CARGO_BIN_EXE_twicelog"))
        .env("FREE", free.to_string())
        // Whoever is told has room.
        .env("CALLS", said.path("calls"))
        .env_remove("TWICELOG_CONFIG")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let checked = std::fs::read_to_string(said.path("check")).unwrap_or_default();
    assert!(checked.is_empty() || checked.ends_with("\n0\n"), "{free} KiB: {checked}");
    if said.path("calls").exists() {
        place.write("calls", said.read("calls"));
    }
    let code = said.read("code").trim().parse().ok();
    (place, Run { code, stdout: said.read("out"), stderr: said.read("err") })
}

#[test]
fn a_full_file_system() {
    let Some(way) = way() else { return };
    for before in [dusk(), evening()] {
        calls_that_lie_elsewhere(&before);
        let whole = whole(&before);
        let (mut failed, mut fine) = (0, 0);
        for pages in 0..200 {
            let (place, run) = in_a_room(way, &before, pages * 4);
            if run.code == Some(1) {
                fine += 1;
                assert_eq!((left(&place), alerts(&place)), (left(&whole), 1));
            } else {
                failed += 1;
                out_of_room(&place, &before, &whole, &run, &format!("{} KiB", pages * 4));
            }
            if fine > 2 {
                break;
            }
        }
        assert!(failed > 5 && fine > 2, "{failed} and {fine}");
    }
}

/// Lets the hook note what it is told where the test says.
fn calls_that_lie_elsewhere(place: &Place) {
    let hook = place.read("hook").replace(">> calls", ">> \"${CALLS:-calls}\"");
    std::fs::write(place.path("hook"), hook).unwrap();
}
