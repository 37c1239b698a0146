//! What a terminal gets: through a pseudo-terminal, with the program's own colours on, nothing of a log, of a name or of an argument steers it.

use crate::place::Place;
use crate::reports;
use crate::{hostile, hostile_log};
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use twicelog::domain::report::Report;
use twicelog::report::safe::is_hidden;

/// What the program itself sends: colours.
const OWN: [&str; 6] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[1;31m"];

/// What a terminal receives while a shell runs these lines.
fn captured(place: &Place, lines: &str) -> String {
    place.write("lines.sh", lines);
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--flush", "--command", "sh lines.sh </dev/null", "capture"]).current_dir(place.folder());
    script.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("TWICELOG_CONFIG");
    let status = script.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{status}");
    let bytes = std::fs::read(place.path("capture")).unwrap();
    let text = String::from_utf8(bytes).expect("a terminal is sent UTF-8");
    // `script` writes its own first and last line.
    let (_, text) = text.split_once('\n').unwrap();
    text.rsplit_once("\nScript done").map_or(text, |(text, _)| text).to_owned()
}

/// Fails where anything but text, ends of lines and the program's own colours is sent.
fn assert_tame(sent: &str, what: &str) {
    // A cell of a CSV file may hold lines, whose ends the terminal's own come after, and tabs.
    let sent = sent.replace("\r\r\n", "\n").replace("\r\n", "\n");
    let text = OWN.iter().fold(sent, |text, own| text.replace(own, ""));
    let hidden = text.char_indices().find(|(_, c)| is_hidden(*c) && !matches!(c, '\n' | '\t'));
    let around =
        hidden.map(|(at, _)| text.chars().skip(text[..at].chars().count().saturating_sub(40)).take(80).collect::<String>());
    assert_eq!(around, None, "{what}");
}

/// An argument of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn program() -> String {
    quoted(env!("CARGO_BIN_EXE_twicelog"))
}

#[test]
fn this_test_would_see_an_escape() {
    let place = Place::empty();
    let sent = captured(&place, "printf 'a\\033[31mb\\n'; test -t 1 && echo a terminal\n");
    assert!(sent.contains("a\u{1b}[31mb") && sent.contains("a terminal"), "{sent:?}");
    assert!(std::panic::catch_unwind(|| assert_tame(&sent, "")).is_err());
}

/// Reports in which each of these strings stands in every place, one under the other.
fn full_of_all(strings: &[String]) -> Report {
    let mut whole = reports::full_of(&strings[0]);
    for text in &strings[1..] {
        let next = reports::full_of(text);
        let (result, more) = (&mut whole.result, next.result);
        let findings = result.findings.each().chain(more.findings.each());
        result.findings = findings.map(|finding| finding.into_owned()).collect::<Vec<_>>().into();
        result.sources.extend(more.sources);
        result.rules.extend(more.rules);
        result.health.extend(more.health);
        result.incidents.extend(more.incidents);
        result.notes.extend(more.notes);
    }
    whole
}

#[test]
fn no_string_in_any_place_of_a_result_steers_a_terminal() {
    let place = Place::empty();
    for (at, strings) in hostile::strings().chunks(4).enumerate() {
        let report = serde_json::to_string(&full_of_all(strings)).unwrap();
        place.write("r.json", report);
        let language = if at.is_multiple_of(2) { "en" } else { "ru" };
        let look = if at.is_multiple_of(3) { "--mask" } else { "--reveal" };
        let mut lines = format!("{} report r.json --lang {language} {look} --color always\n", program());
        for format in ["markdown", "csv", "ndjson"] {
            writeln!(lines, "{} report r.json --lang {language} {look} --format {format}", program()).unwrap();
        }
        let sent = captured(&place, &lines);
        assert!(sent.contains("\u{1b}[1m"), "a terminal is spoken to: {sent:?}");
        assert_tame(&sent, &format!("{strings:?}"));
    }
}

#[test]
fn no_log_no_name_and_no_argument_steers_a_terminal() {
    let place = Place::empty();
    let twicelog = program();
    let mut scanned = 0;
    for (part, strings) in hostile::strings().chunks(16).enumerate() {
        let mut lines = String::new();
        for (at, text) in strings.iter().enumerate() {
            let folder = format!("{part}-{at}");
            place.write(&format!("{folder}/twicelog.toml"), hostile_log::config(text));
            place.write(&format!("{folder}/{}", hostile_log::file_name(text)), hostile_log::log(text));
            let file = quoted(&format!("./{}", hostile_log::file_name(text)));
            writeln!(lines, "cd {folder}").unwrap();
            // The progress of a scan is the program's own; what it says beside that is shown afterwards.
            writeln!(lines, "{twicelog} scan {file} --reveal --color always 2>../talk; cat ../talk").unwrap();
            writeln!(lines, "{twicelog} check --reveal {file}").unwrap();
            writeln!(lines, "{twicelog} inspect {file} --no-config --reveal").unwrap();
            // No program can be given an argument with a NUL in it.
            let argument = quoted(&text.replace('\0', ""));
            let questions = ["explain --", "scan --no-config --", "report --", "scan --zone", "profiles --"];
            for asked in [questions[at % 5], questions[(at + part + 2) % 5]] {
                writeln!(lines, "{twicelog} {asked} {argument} 2>../talk; cat ../talk").unwrap();
            }
            writeln!(lines, "cd ..").unwrap();
        }
        let sent = captured(&place, &lines);
        scanned += sent.matches("took effect more than once").count();
        assert_tame(&sent, &format!("{strings:?}"));
    }
    assert!(scanned > 200, "only {scanned} findings were shown");
}
