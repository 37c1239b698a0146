//! One word in each scheduler's syntax, so that the program gets exactly the characters that were meant.

use super::JobError;
use std::fmt::Write;

/// A word of `ExecStart=`: C escapes within double quotes (systemd.syntax), `%` and `$` doubled (systemd.unit, systemd.service).
pub(super) fn systemd_word(word: &str) -> String {
    let mut out = String::from('"');
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '%' | '$' => out.extend([c, c]),
            // Bytes by their number; writing to a String does not fail.
            c if c.is_ascii_control() => drop(write!(out, "\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A path that stands alone, or in a list of paths, where systemd knows quotes but no escapes.
pub(super) fn systemd_path(path: &str) -> Result<String, JobError> {
    let path = path.replace('%', "%%");
    match (path.contains('"'), path.contains('\'')) {
        (false, _) => Ok(format!("\"{path}\"")),
        (true, false) => Ok(format!("'{path}'")),
        (true, true) => Err(JobError::Folder(path, "systemd")),
    }
}

/// A word for the shell of a crontab: within single quotes, where the shell takes everything as it is; and `\%` for `%`, because cron
/// cuts the line at a bare one before any shell sees it.
pub(super) fn cron_word(word: &str) -> Result<String, JobError> {
    if word.chars().any(char::is_control) {
        return Err(JobError::Control(word.to_owned(), "a crontab"));
    }
    let mut out = String::from('\'');
    let mut before = ' ';
    for c in word.chars() {
        match c {
            '\'' => out.push_str("'\\''"),
            // cron pairs backslashes up: one that belongs to the word must not stand next to the one of `\%`.
            '%' if before == '\\' => out.push_str("''\\%"),
            '%' => out.push_str("\\%"),
            c => out.push(c),
        }
        before = c;
    }
    out.push('\'');
    Ok(out)
}

/// A scalar of YAML: double quotes, with the escapes of JSON, and everything that YAML does not count as printable by its number.
pub(super) fn yaml_word(word: &str) -> String {
    let mut out = String::from('"');
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An element of a container's `args`, where Kubernetes expands `$(NAME)` and reads `$$` as `$`.
pub(super) fn kubernetes_word(word: &str) -> String {
    yaml_word(&word.replace('$', "$$"))
}
