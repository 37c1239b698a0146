//! The program under attack: what a hostile, sloppy or unlucky user did to it once, and what must come of it.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise; clippy sees helpers outside #[test] as library code"
)]

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const ROWS: &str = "\
id,at,card,amount,cur
ch_1,2026-03-02T10:00:00Z,c-7,12.50,EUR
ch_2,2026-03-02T10:00:02Z,c-7,12.50,EUR
";

fn configuration(rule: &str) -> String {
    format!(
        r#"
version = 1
zone = "UTC"
[[source]]
name = "s"
files = ["in.csv"]
[source.map]
time = "at"
operation = {{ const = "charge" }}
actor = "card"
amount = "amount"
currency = "cur"
effect_id = "id"
[source.map.fields]
number = "amount"
{rule}
"#
    )
}

const RULE: &str = r#"
[[rule]]
id = "r"
fingerprint = ["actor", "amount", "currency"]
window = "10m"
"#;

fn folder(configuration: &str, rows: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("twicelog.toml"), configuration).unwrap();
    std::fs::write(folder.path().join("in.csv"), rows).unwrap();
    folder
}

/// Runs the program; whatever happens, it ends with a documented code and sends nothing to the terminal that could steer it.
fn twicelog(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_twicelog"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("TWICELOG_CONFIG")
        .output()
        .unwrap();
    let (out, talk) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    let code = status.code().unwrap();
    assert!((0..=4).contains(&code), "{arguments:?} ended with {code}: {talk}");
    for text in [&out, &talk] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n' && c != '\r'), "{arguments:?} printed {text:?}");
        assert!(!text.contains(['\u{202e}', '\u{2066}']), "{arguments:?} printed {text:?}");
    }
    (code, out, talk)
}

fn result(json: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(json).unwrap()["result"].take()
}

#[test]
fn numbers_too_far_apart_to_subtract_are_not_near() {
    for within in ["5", "50%"] {
        let rule = format!(
            "[[rule]]\nid = \"r\"\nfingerprint = [\"actor\"]\nsimilar = [{{ field = \"number\", within = \"{within}\" }}]\nwindow = \"10m\""
        );
        let rows = format!("{ROWS}ch_3,2026-03-02T10:00:03Z,c-7,79228162514264337593543950335,JPY\n");
        let rows = rows + "ch_4,2026-03-02T10:00:04Z,c-7,-79228162514264337593543950335,JPY\n";
        let (code, out, _) = twicelog(folder(&configuration(&rule), &rows).path(), &["scan", "--format", "json"]);
        assert_eq!(code, 1);
        assert_eq!(result(&out)["findings"][0]["records"].as_array().unwrap().len(), 2, "only the first two are near");
    }
}

#[test]
fn names_of_the_configuration_cannot_steer_the_terminal() {
    let hostile = configuration(RULE)
        .replace("\"r\"", r#""r\u001b[31m\u202e\nrule fake""#)
        .replace("name = \"s\"", r#"name = "s\u001b[2J""#)
        .replace("number =", r#""no\u009btes" ="#)
        .replace(r#""actor", "#, r#""actor", "no\u009btes", "#);
    let folder = folder(&hostile, ROWS);
    assert_eq!(twicelog(folder.path(), &["check", "--reveal"]).0, 0);
    let (code, out, _) = twicelog(folder.path(), &["explain", "r\u{1b}[31m\u{202e}\nrule fake"]);
    assert_eq!(code, 0);
    assert!(out.starts_with(r"rule r\u{1b}[31m\u{202e}\u{a}rule fake (severity"), "{out}");
    for format in ["text", "json", "ndjson", "csv"] {
        assert_eq!(twicelog(folder.path(), &["scan", "--all", "--format", format]).0, 1);
    }
}

#[test]
fn two_outputs_are_two_files_whatever_they_are_called() {
    let folder = folder(&configuration(RULE), ROWS);
    let (code, _, talk) = twicelog(folder.path(), &["scan", "--output", "json=out", "--output", "csv=./out"]);
    assert_eq!(code, 2);
    assert!(talk.contains("named for two outputs"), "{talk}");
    assert!(!folder.path().join("out").exists());
}

#[cfg(unix)]
#[test]
fn devices_are_refused_and_an_empty_one_is_empty() {
    let folder = folder(&configuration(RULE), ROWS);
    let (code, _, talk) = twicelog(folder.path(), &["scan", "/dev/zero"]);
    assert_eq!(code, 3);
    assert!(talk.contains("/dev/zero: is a device, which is not read; name a file"), "{talk}");
    assert_eq!(twicelog(folder.path(), &["scan", "/dev/null"]).0, 0);
}

#[cfg(unix)]
#[test]
fn one_file_under_several_names_is_read_once() {
    let folder = folder(&configuration(RULE).replace(r#"["in.csv"]"#, r#"["*.csv", "./in.csv"]"#), ROWS);
    std::os::unix::fs::symlink("in.csv", folder.path().join("link.csv")).unwrap();
    for files in [&[][..], &["in.csv", "./in.csv", "link.csv"]] {
        let arguments = [&["scan", "--format", "json"], files].concat();
        let (code, out, _) = twicelog(folder.path(), &arguments);
        assert_eq!((code, result(&out)["ledger"]["read"].as_u64()), (1, Some(2)), "{files:?}");
    }
}

#[test]
fn a_bad_expression_is_told_in_a_sentence() {
    let rule = format!("{RULE}[rule.normalise]\nactor = [\"replace:(=>x\"]");
    let (code, _, talk) = twicelog(folder(&configuration(&rule), ROWS).path(), &["check"]);
    assert_eq!(code, 2);
    assert!(talk.contains("it has an expression that cannot be read: unclosed group"), "{talk}");
}

#[test]
fn a_header_that_is_none_is_not_poured_over_the_terminal() {
    for header in ["\0".repeat(500_000), "x".repeat(500_000), "x\u{1b}[31m,".repeat(50_000)] {
        let (code, _, talk) = twicelog(folder(&configuration(RULE), &header).path(), &["scan"]);
        assert_eq!(code, 2);
        assert!(talk.contains("none of the columns") && talk.len() < 2_000, "{} bytes", talk.len());
    }
}

/// An id that says nothing ("0") on both sides: the ties between attempts and refunds must not be counted out one by one.
#[test]
fn thousands_of_refunds_may_name_the_effect_of_thousands_of_attempts() {
    let configuration = configuration(RULE).replace(
        "effect_id = \"id\"",
        "effect_id = \"id\"\nreverses = \"undoes\"\noutcome = { from = \"st\", took_effect = [\"ok\"], reversal = [\"back\"] }",
    );
    let mut rows = String::from("id,at,card,amount,cur,undoes,st\n");
    const EACH: usize = 3_000;
    for number in 0..EACH {
        rows += &format!("0,2026-03-02T10:00:00Z,c-7,1.00,EUR,,ok\n{number},2026-03-02T11:00:00Z,c-7,1.00,EUR,0,back\n");
    }
    let (code, out, _) = twicelog(folder(&configuration, &rows).path(), &["scan", "--all", "--format", "json"]);
    assert_eq!(code, 0, "one effect, whose repeats returned it");
    let result = result(&out);
    assert_eq!(result["ledger"]["used"].as_u64(), Some(2 * EACH as u64));
    assert_eq!(result["findings"][0]["records"].as_array().map(Vec::len), Some(2 * EACH), "each refund once");
}

/// Threads take blocks in no fixed order; which reject is shown must not follow them.
#[test]
fn the_reject_that_is_shown_is_the_first_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut csv = String::from("id,at,note\n");
    for row in 0..200_000 {
        csv.push_str(&format!("{row},no time {row},some more text to fill the blocks\n"));
    }
    std::fs::write(folder.path().join("a.csv"), csv).unwrap();
    let config = "version = 1\n[[source]]\nname = \"a\"\nfiles = [\"a.csv\"]\n[source.map]\ntime = \"at\"\noperation = { const = \"x\" }\n\
        effect_id = \"id\"\n[source.map.fields]\nnote = \"note\"\n[[rule]]\nid = \"r\"\nfingerprint = [\"note\"]\nwindow = \"1h\"\n";
    let rules = twicelog::rules::load(config, "twicelog.toml", folder.path()).unwrap();
    for threads in [1, 2, 4, 8, 8, 8] {
        let files = twicelog::scan::configured(&rules, folder.path()).unwrap();
        let options = twicelog::engine::Options { threads, ..Default::default() };
        let scanned = twicelog::scan::scan_files(&rules, &files, &options, &twicelog::engine::NoProgress).unwrap();
        let rejects = &scanned.result.sources[0].files[0].rejects;
        assert_eq!((rejects.len(), rejects[0].records), (1, 200_000));
        assert!(rejects[0].example.starts_with("a.csv:2: time \"no time 0\""), "{}", rejects[0].example);
    }
}
