//! What a night says of itself: notes, faults, and files of which nothing is new.

use super::NightOptions;
use super::inputs::TonightInputs;
use crate::domain::memory::Memory;
use crate::domain::report::{FileSummary, Ledger, Nightly, Note, RunInput};
use crate::engine::Trace;
use crate::rules::Rules;
use crate::rules::window::Window;
use crate::scan::Scanned;

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// Adds to the result what only a night knows.
#[allow(clippy::too_many_arguments, reason = "everything that a night may speak of")]
pub fn tell(
    scanned: &mut Scanned,
    rules: &Rules,
    memory: &Memory,
    tonight: &TonightInputs,
    trace: &Trace,
    nightly: &Nightly,
    options: &NightOptions,
    rules_sha256: &str,
) {
    let mut notes: Vec<Note> = Vec::new();
    let mut note = |code: &str, message: String| notes.push(Note { code: code.to_owned(), message });
    for (source, late) in rules.sources.iter().zip(&trace.late).filter(|(_, late)| **late > 0) {
        let message = format!(
            "source {:?}: {late} new records are older than what is held for late ones; they were compared with what is left of their time; raise --lateness",
            source.name
        );
        scanned.faults.push(message.clone());
        note("late_records", message);
    }
    if nightly.held > 0 {
        let message = format!("{} files end within a line; their last records wait for the next night", nightly.held);
        note("held_records", message);
    }
    for name in &options.unsettled {
        note("unsettled_input", format!("{name}: was written to a moment ago; it is left for the next night"));
    }
    if !memory.rules_sha256.is_empty() && memory.rules_sha256 != rules_sha256 {
        let message = "rules or mappings have changed since the last night: findings of changed rules have new ids, and their old ones are closed";
        note("rules_changed", message.to_owned());
    }
    for rule in rules.rules.iter().filter(|rule| rule.window == Window::Unlimited) {
        let days = options.remember / DAY;
        let message = format!(
            "rule {:?} has no window; on a night attempts are compared with those of the last {days} days and with open findings",
            rule.id
        );
        note("bounded_window", message);
    }
    scanned.result.notes.extend(notes);
    scanned.result.notes.sort();
    scanned.result.notes.dedup();
    unchanged(scanned, memory, tonight);
}

/// Files that were read on an earlier night are listed, and what was wrong with them is said again.
fn unchanged(scanned: &mut Scanned, memory: &Memory, tonight: &TonightInputs) {
    for unchanged in &tonight.unchanged {
        let fault = memory.inputs.get(unchanged.known).and_then(|known| known.fault.clone());
        scanned.faults.extend(fault.clone());
        scanned.inputs.push(RunInput {
            file: unchanged.name.clone(),
            bytes: unchanged.facts.bytes,
            sha256: unchanged.facts.sha256.clone(),
        });
        if let Some(source) = scanned.result.sources.get_mut(unchanged.source) {
            source.files.push(FileSummary {
                file: unchanged.name.clone(),
                format: "unchanged".to_owned(),
                ledger: Ledger::default(),
                first: None,
                last: None,
                fault,
                rejects: Vec::new(),
            });
        }
    }
}
