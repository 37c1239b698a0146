//! What a night says of itself: notes, faults, and files of which nothing is new.

use super::NightOptions;
use super::findings::Setting;
use super::inputs::TonightInputs;
use super::unsettled::Unsettled;
use crate::domain::memory::{Changes, Memory};
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
    setting: Setting,
    changes: &Changes,
) {
    let mut notes: Vec<Note> = Vec::new();
    let mut note = |code: &str, message: String| notes.push(Note { code: code.to_owned(), message });
    for (source, late) in rules.sources.iter().zip(&trace.late).filter(|(_, late)| **late > 0) {
        let records = counted(*late, "new record is", "new records are");
        let message = format!(
            "source {:?}: {records} older than what is held for late ones, and compared with what is left of that time; raise --lateness",
            source.name
        );
        scanned.faults.push(message.clone());
        note("late_records", message);
    }
    if nightly.held > 0 {
        let files = counted(nightly.held, "file ends", "files end");
        note("held_records", format!("{files} within a line; what stands behind the last line end waits for the next night"));
    }
    for Unsettled { name, why } in &options.unsettled {
        note("unsettled_input", format!("{name}: {}", why.text()));
    }
    if setting == Setting::Changed {
        let message = "rules or mappings have changed since the last night: findings of changed rules have new ids, and what is not found under \
                       its old id any more counts as dropped, not as resolved";
        note("rules_changed", message.to_owned());
    }
    for (was, now) in &changes.renamed {
        let message = format!(
            "{now}: was told of as {was} until now; what was decided about {was} holds for it as long as it has not grown"
        );
        note("renamed_finding", message);
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

fn counted(count: u64, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
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
