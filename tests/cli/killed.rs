//! Nights that are killed or frozen: the next one needs no hand, and nobody is told twice.
//!
//! Where strace is, it kills a run at each call that makes something safe; the other tests need nothing.

use super::place::Place;
use super::states::hook;
use super::stopped::{NIGHT, alerts, copy, dusk, evening, has_strace, left, nothing_lies_about, recovers, traced, whole};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

/// Kills the night at each call that changes what is on the disk, one run for each.
fn killed_at_every_step(before: &Place) {
    if !has_strace() {
        return;
    }
    let whole = whole(before);
    // The last ones are not made on every system, or not by every version of the database.
    for (call, least) in [
        ("rename", 2),
        ("unlink", 2),
        ("pwrite64", 2),
        ("fsync", 2),
        ("write", 2),
        ("fdatasync", 0),
        ("ftruncate", 0),
        ("mkdir", 0),
    ] {
        let mut killed = 0;
        for n in 1.. {
            let place = copy(before);
            if traced(&place, call, "signal=KILL", n).is_none() {
                break;
            }
            killed += 1;
            recovers(&place, &whole, &format!("{call} {n}"));
        }
        assert!(killed >= least, "{call}: {killed}");
    }
}

#[test]
fn killed_at_every_step_of_the_first_night() {
    killed_at_every_step(&dusk());
}

#[test]
fn killed_at_every_step_of_a_later_night() {
    killed_at_every_step(&evening());
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
