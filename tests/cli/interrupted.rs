//! Runs that take their time: what a terminal is told of them, and what is left when somebody interrupts them.

use super::place::{CONFIG, HEADER, Place};
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// So many findings that they are not written in a moment.
fn many() -> Place {
    let mut rows = String::new();
    for number in 0..6_000 {
        for second in [0, 40] {
            let _ = writeln!(rows, "ch_{number}_{second},2026-03-02T10:00:{second:02}Z,customer {number},59.00");
        }
    }
    Place::with(&rows)
}

/// The program, as soon as `is_at` says that it is where it is wanted.
fn started(mut command: Command, is_at: impl Fn() -> bool) -> Child {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !is_at() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::sleep(Duration::from_micros(200));
    }
    child
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn what_was_not_finished_is_gone() {
    let place = many();
    let given = place.names();
    let scan = ["scan", "--output", "json=r.json"];
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let child = started(place.command(&scan), || place.names() != given);
        send(signal, &child);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.signal(), Some(number), "{:?}", ended.status);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(said, format!("twicelog: interrupted by SIG{signal}; what was not finished is not written\n"));
        assert_eq!(place.names(), given);
    }
}

/// An output that was there stays as it was; so does a state, and the next night is whole.
#[test]
fn a_night_that_is_interrupted_is_as_if_it_had_not_been() {
    let place = many();
    let scan = ["scan", "--state", "nights", "--output", "json=r.json"];
    place.write("pay.csv", HEADER);
    place.expect(0, &scan);
    let (before, given) = (place.read("r.json"), place.names());
    place.write("pay.csv", many().read("pay.csv"));
    let child = started(place.command(&scan), || place.names() != given);
    send("TERM", &child);
    assert_eq!(child.wait_with_output().unwrap().status.signal(), Some(15));
    assert_eq!((place.names(), place.read("r.json")), (given, before));
    place.expect(0, &["state", "check", "nights"]);
    place.expect(1, &scan);
    let json: serde_json::Value = serde_json::from_str(&place.read("r.json")).unwrap();
    assert_eq!(json["result"]["findings"].as_array().unwrap().len(), 6_000);
}

/// `nohup`, and `&` in a script: whoever starts the program says that it is to go on.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_not_to_be_heard_are_not() {
    let place = many();
    let given = place.names();
    let mut command = Command::new("bash");
    let program = env!("CARGO_BIN_EXE_twicelog");
    command.args(["-c", "trap '' INT HUP; exec \"$0\" scan --output json=r.json", program]).current_dir(place.folder());
    let child = started(command, || place.names() != given);
    send("INT", &child);
    send("HUP", &child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert!(place.read("r.json").ends_with("}\n"));
    assert!(place.read("twicelog.toml") == CONFIG && place.names().len() == given.len() + 1, "{:?}", place.names());
}

/// `script` is a terminal for whatever runs in it.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_told_how_far_a_scan_is() {
    let place = many();
    let scan = format!("{} scan --output json=r.json", env!("CARGO_BIN_EXE_twicelog"));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &scan, "/dev/null"]).current_dir(place.folder()).env("TERM", "xterm").stdin(Stdio::null());
    let shown = terminal.output().unwrap();
    assert_eq!(shown.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    for line in [r"reading \d+% of [\d.]+ KiB, [\d,]+ records, [\d.]+ [KM]?i?B/s, \d+s left", r"judging, 12,000 records, \d+s"] {
        assert!(regex::Regex::new(line).unwrap().is_match(&shown), "{line}: {shown:.2000}");
    }
}
