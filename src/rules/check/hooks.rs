//! `[hooks]`: commands as lists of arguments.

use super::window;
use crate::rules::draft::{HooksDraft, Words};
use crate::rules::hooks::Hooks;
use crate::rules::problem::Problems;
use toml::Spanned;

pub(super) fn check(draft: &HooksDraft, problems: &mut Problems<'_>) -> Hooks {
    let default = Hooks::default();
    Hooks {
        before: command(draft.before.as_ref(), problems),
        findings: command(draft.findings.as_ref(), problems),
        failure: command(draft.failure.as_ref(), problems),
        finally: command(draft.finally.as_ref(), problems),
        timeout: draft.timeout.as_ref().and_then(|timeout| window::span(timeout, problems)).unwrap_or(default.timeout),
    }
}

fn command(draft: Option<&Spanned<Vec<Words>>>, problems: &mut Problems<'_>) -> Option<Vec<String>> {
    let draft = draft?;
    let words: Vec<String> = draft.get_ref().iter().map(|word| word.get_ref().clone()).collect();
    if words.first().is_none_or(|program| program.trim().is_empty()) {
        problems.add(draft.span(), "a hook without a program", "write a list: [\"/usr/local/bin/tell-chat\", \"ops\"]");
    }
    if let Some(word) = draft.get_ref().iter().find(|word| word.get_ref().contains('\0')) {
        problems.add(word.span(), "a NUL within an argument", "no program can be given one");
    }
    Some(words)
}
