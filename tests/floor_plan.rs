//! The house: nothing points up or sideways, every file is introduced by its first line, nothing is unfinished.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

use regex::Regex;
use std::path::{Path, PathBuf};

/// A source file of the house.
struct Room {
    /// Relative to `src/`.
    path: PathBuf,
    text: String,
}

impl Room {
    /// The floor or room: `domain`, `engine`, `cli` …; empty for `lib.rs` and `main.rs`.
    fn name(&self) -> &str {
        let first = self.path.components().next().and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
        if self.path.components().count() > 1 { first } else { "" }
    }

    /// The text without comments.
    fn code(&self) -> String {
        self.text.lines().map(|line| without_comment(line).to_owned() + "\n").collect()
    }
}

/// Cuts a comment off a line. A `//` within quotes is none.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '/' if !quoted && line[at..].starts_with("//") => return &line[..at],
            _ => {}
        }
    }
    line
}

fn house() -> Vec<Room> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut rooms = Vec::new();
    gather(&root, &root, &mut rooms);
    assert!(rooms.len() > 50, "only {} files were found", rooms.len());
    rooms
}

fn gather(root: &Path, folder: &Path, rooms: &mut Vec<Room>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(root, &path, rooms);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            rooms.push(Room { path: path.strip_prefix(root).unwrap().to_owned(), text });
        }
    }
}

/// What each floor or room may use besides itself. The program speaks to the library by its name; see `cli_uses_the_library_only`.
const MAY_USE: [(&str, &[&str]); 10] = [
    ("domain", &[]),
    ("rules", &["domain"]),
    ("read", &["domain", "rules"]),
    ("engine", &["domain", "rules"]),
    ("judge", &["domain", "rules"]),
    ("report", &["domain", "rules"]),
    ("nightly", &["domain", "rules"]),
    ("state", &["domain"]),
    ("synth", &["domain"]),
    ("scan", &["domain", "rules", "read", "engine", "judge", "report", "nightly"]),
];

/// Modules of the library that a file names by `crate::…`, in `use` and in paths, one by one or in braces.
fn used(code: &str) -> Vec<String> {
    let path = Regex::new(r"\bcrate::(?:(\w+)|\{([^;]*?)\};)").unwrap();
    let first = Regex::new(r"^\s*(\w+)").unwrap();
    let mut used = Vec::new();
    for captures in path.captures_iter(code) {
        if let Some(name) = captures.get(1) {
            used.push(name.as_str().to_owned());
        }
        for part in captures.get(2).map_or(vec![], |list| outer_parts(list.as_str())) {
            used.extend(first.captures(&part).map(|name| name[1].to_owned()));
        }
    }
    used
}

/// The parts of `a::{b, c}, d`, split at the commas that stand in no braces.
fn outer_parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

#[test]
fn imports_are_recognised() {
    assert_eq!(used("use crate::domain::Event;\nlet x: crate::engine::Options = 1;"), ["domain", "engine"]);
    assert_eq!(used("use crate::{domain::{Event, Group}, rules, report::{self}};"), ["domain", "rules", "report"]);
    assert_eq!(used("pub(crate) fn f() {}"), Vec::<String>::new());
    assert_eq!(without_comment(r#"let url = "http://x"; // see crate::cli"#), r#"let url = "http://x"; "#);
}

#[test]
fn nothing_points_up_or_sideways() {
    let mut wrong = Vec::new();
    for room in house() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == room.name()) else { continue };
        let code = room.code();
        for other in used(&code).into_iter().filter(|other| other != room.name() && !allowed.contains(&other.as_str())) {
            wrong.push(format!("{} uses {other}", room.path.display()));
        }
        // Out of a folder by `super::super::` as many times as it is deep would lead to the crate's root.
        let depth = room.path.components().count() - usize::from(room.path.ends_with("mod.rs"));
        let (shipped, tests) = code.split_once("#[cfg(test)]").unwrap_or((&code, ""));
        if shipped.contains(&"super::".repeat(depth)) || tests.contains(&"super::".repeat(depth + 1)) {
            wrong.push(format!("{} climbs to the root by super::", room.path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_on_the_plan() {
    let known: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).chain(["", "cli"]).collect();
    for room in house() {
        assert!(known.contains(&room.name()), "{}: put {} on the plan", room.path.display(), room.name());
    }
}

#[test]
fn cli_uses_the_library_only_by_its_name() {
    let modules = Regex::new(r"\bmod (domain|rules|read|engine|judge|report|nightly|state|synth)\b").unwrap();
    for room in house() {
        let code = room.code();
        match room.name() {
            "cli" => assert_eq!(used(&code), Vec::<String>::new(), "{}", room.path.display()),
            "" if room.path == Path::new("main.rs") => assert!(!modules.is_match(&code), "main.rs holds a room of the library"),
            _ => assert!(!code.contains("twicelog::"), "{} knows the library by its outside name", room.path.display()),
        }
    }
}

#[test]
fn every_file_begins_with_its_one_job() {
    for room in house() {
        let first = room.text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! ") && first.len() > 12, "{}: {first:?}", room.path.display());
    }
}

#[test]
fn nothing_is_unsafe_or_unfinished() {
    let words = Regex::new(r"\bunsafe\b|\btodo!|\bunimplemented!|\bdbg!|allow\(dead_code\)|\bFIXME\b|\bTODO\b").unwrap();
    for room in house() {
        for (number, line) in room.text.lines().enumerate() {
            let found = words.find(line).map(|found| found.as_str());
            assert_eq!(found, None, "{}:{}", room.path.display(), number + 1);
        }
    }
}

/// Products that users export from: what Rust code does must not depend on where a log comes from.
const SOURCES: [&str; 14] = [
    "shopify",
    "woocommerce",
    "stripe",
    "adyen",
    "paypal",
    "square",
    "salesforce",
    "hubspot",
    "sidekiq",
    "celery",
    "kafka",
    "zendesk",
    "prestashop",
    "magento",
];

#[test]
fn no_source_is_known_by_name() {
    let names = Regex::new(&format!(r"(?i)\b(?:{})", SOURCES.join("|"))).unwrap();
    for room in house() {
        let code = room.code();
        // Tests may use the examples that users bring.
        let shipped = code.split("#[cfg(test)]").next().unwrap_or_default();
        let found = names.find(shipped).map(|found| found.as_str());
        assert_eq!(found, None, "{}: sources are data, not code", room.path.display());
    }
}
