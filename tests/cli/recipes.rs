//! The recipes of docs/nightly.md, run as they stand there, with programs in the place of the network.

use super::place::{DOUBLED, Place, UNREADABLE_ROW};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/nightly.md");

/// The script that the page gives for a program.
fn recipe(program: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("(`/usr/local/bin/{program}`)")).unwrap();
    let (_, script) = rest.split_once("```sh\n").unwrap();
    script.split_once("```").unwrap().0
}

fn program(place: &Place, name: &str, script: &str) {
    place.write(name, script);
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Where it is not there, `.ci/run` has failed to install it.
#[allow(clippy::disallowed_methods, reason = "CI must not leave a test out in silence")]
fn has_jq() -> bool {
    let has_jq = Command::new("jq").arg("--version").output().is_ok();
    assert!(has_jq || std::env::var_os("CI").is_none(), "jq is not installed");
    has_jq
}

/// The night, with what stands in the place's folder before all other programs; its exit code.
#[allow(clippy::disallowed_methods, reason = "programs are looked up where the environment says")]
fn night(place: &Place, hook: &[&str]) -> Option<i32> {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([place.folder().to_owned()].into_iter().chain(std::env::split_paths(&others))).unwrap();
    let mut command = place.command(&[&["scan", "--state", "nights"], hook].concat());
    command.env("PATH", path).output().unwrap().status.code()
}

#[test]
fn a_chat_is_told() {
    if !has_jq() {
        return;
    }
    let place = Place::with(DOUBLED);
    place.write("chat-url", "https://chat.example.org/hook/7");
    program(&place, "tell-chat", &recipe("tell-chat").replace("/etc/twicelog/chat-url", "chat-url"));
    program(&place, "curl", "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done > words\ncat > body\n");
    assert_eq!(night(&place, &["--on-findings", "./tell-chat"]), Some(1));
    let body: Value = serde_json::from_str(&place.read("body")).unwrap();
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("twicelog: 1 new, 0 grown; 1 finding") && text.contains("Z-"), "with the run: {text}");
    let words = place.read("words");
    assert!(words.ends_with("\nhttps://chat.example.org/hook/7\n") && words.contains("--fail\n"), "{words}");
    // A chat that does not answer: nobody was told, and the run says so.
    program(&place, "curl", "#!/bin/sh\nexit 22\n");
    place
        .write("pay.csv", place.read("pay.csv") + "ch_5,2026-03-03T10:00:00Z,clara,7.00\nch_6,2026-03-03T10:00:09Z,clara,7.00\n");
    assert_eq!(night(&place, &["--on-findings", "./tell-chat"]), Some(4));
    assert!(place.expect(0, &["state", "outbox", "nights"]).stdout.contains("failed"));
}

#[test]
fn a_mailbox_is_told() {
    if !has_jq() {
        return;
    }
    let place = Place::with(&(DOUBLED.to_owned() + UNREADABLE_ROW));
    program(&place, "tell-mail", recipe("tell-mail"));
    program(&place, "mail", "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done > words\ncat > body\n");
    assert_eq!(night(&place, &["--max-rejected", "1", "--on-findings", r#"["./tell-mail", "audit@example.org"]"#]), Some(1));
    assert_eq!(place.read("words"), "-s\ntwicelog: findings\naudit@example.org\n");
    let body = place.read("body");
    assert!(body.starts_with("twicelog: 1 new") && body.contains("\n\nrun 2") && body.contains("\nTL-"), "{body}");
    // What failed has no ids, and is told all the same.
    assert_eq!(night(&place, &["gone.csv", "--on-failure", r#"["./tell-mail", "ops@example.org"]"#]), Some(3));
    assert_eq!(place.read("words"), "-s\ntwicelog: failure\nops@example.org\n");
    assert!(place.read("body").contains("\n\nrun 2"), "{}", place.read("body"));
}
