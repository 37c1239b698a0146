//! Inputs that are written to while they are read, and outputs of a first night.

use crate::place::{CONFIG, DOUBLED, HEADER, Place};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lines that were there when a night began are read, the rest is for the next one: nothing is lost, and nothing is read twice.
#[test]
fn a_night_reads_a_log_that_is_being_written() {
    let place = Place::with("");
    let done = AtomicBool::new(false);
    let (mut read, mut written) = (0, 0);
    let mut log = std::fs::OpenOptions::new().append(true).open(place.path("pay.csv")).unwrap();
    let mut line =
        |number: u64| writeln!(log, "ch_{number},2026-03-02T10:{:02}:{:02}Z,c{number},1.00", number / 60 % 60, number % 60);
    for number in 0..5_000 {
        line(number).unwrap();
        written += 1;
    }
    let night = |read: &mut u64| {
        let run = place.run(&["scan", "--state", "nights", "--format", "json"]);
        assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
        *read += run.json()["result"]["ledger"]["read"].as_u64().unwrap();
    };
    std::thread::scope(|scope| {
        let (line, done, start) = (&mut line, &done, written);
        let writer = scope.spawn(move || {
            let mut more = 0;
            while !done.load(Ordering::Relaxed) {
                line(start + more).unwrap();
                more += 1;
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            more
        });
        for _ in 0..3 {
            night(&mut read);
        }
        done.store(true, Ordering::Relaxed);
        written += writer.join().unwrap();
    });
    night(&mut read);
    assert_eq!(read, written);
}

/// On the first night, when the folder is not there yet, as on every other.
#[test]
fn no_output_lies_within_a_state_whether_it_is_there_or_not() {
    let place = Place::with(DOUBLED);
    for _ in 0..2 {
        let absolute = format!("json={}", place.path("nights/key").display());
        for output in [
            &["--output", "json=nights/key"][..],
            &["--output", "json=nights/state.db"],
            &["--output", "json=other/../nights/deep/r.json"],
            &["--output", &absolute],
            &["--report", "nights"],
            &["--report", "nights/tonight"],
            &["--rejects", "./nights/r.csv"],
        ] {
            let run = place.expect(2, &[&["scan", "--state", "nights"], output].concat());
            assert!(run.stderr.contains("lies within the state"), "{}", run.stderr);
            assert!(!place.path("nights/r.csv").exists() && !place.path("nights/report.html").exists());
        }
        place.expect(1, &["scan", "--state", "nights", "--output", "json=nights.json"]);
    }
    assert_eq!(place.read("twicelog.toml"), CONFIG);
    assert!(place.read("pay.csv").starts_with(HEADER));
}
