//! Doubts about the input and the configuration, in words.

use super::OpenInput;
use super::grouping::Candidate;
use super::keying::Keyed;
use super::similar::LARGE_BLOCK;
use super::tally::{MOST_UNLISTED, SourceTally};
use crate::domain::report::{Note, UNLISTED_OUTCOME};
use crate::domain::time::DAY;
use crate::rules::pick::Pick;
use crate::rules::window::Window;
use crate::rules::{EffectIdMap, Rules, Source};

/// Counts of records that are in doubt, over all sources.
pub struct Doubts {
    /// Records that came again under the same record id with other content.
    pub differing: u64,
    /// Reversals that name an effect which no record is known to have had.
    pub strangers: u64,
    /// Reversals that name an effect which too many others name, too.
    pub crowded: u64,
}

/// All notes, in a fixed order.
pub fn all(rules: &Rules, inputs: &[OpenInput], keyed: &Keyed, candidates: &[Candidate], doubts: &Doubts) -> Vec<Note> {
    let Doubts { differing, strangers, crowded } = *doubts;
    let mut notes = Vec::new();
    for (index, source) in rules.sources.iter().enumerate() {
        if let Some(tally) = keyed.tally.sources.get(&index) {
            of_source(index, source, tally, rules, &mut notes);
        }
    }
    for open in inputs {
        of_input(open, rules, &mut notes);
    }
    for (index, rule) in rules.rules.iter().enumerate() {
        if !keyed.tally.rules.contains_key(&index) {
            note(
                &mut notes,
                "rule_matched_nothing",
                format!("rule {:?} saw no attempt; check its sources, operations and where", rule.id),
            );
        }
        let of_rule = || candidates.iter().filter(|candidate| candidate.rule == index);
        let largest = of_rule().map(|candidate| candidate.places.len()).max().unwrap_or(0);
        let cut = of_rule().filter(|candidate| candidate.unread > 0);
        let (blocks, unread) = cut.fold((0, 0), |(blocks, unread), candidate| (blocks + 1, unread + candidate.unread));
        if !rule.similar.is_empty() && blocks > 0 {
            // A block that was not compared to its end may hold a group of which nobody hears.
            notes.push(Note::too_large(&rule.id, blocks, unread));
        }
        if !rule.similar.is_empty() && largest > LARGE_BLOCK {
            note(
                &mut notes,
                "large_block",
                format!(
                    "rule {:?} compares near values within blocks of up to {largest} records; add an exact field to its fingerprint",
                    rule.id
                ),
            );
        }
    }
    if differing > 0 {
        note(
            &mut notes,
            "record_id_differs",
            format!("{differing} records came again under the same record id with other content; the newest state was used"),
        );
    }
    if strangers > 0 {
        let names = if strangers == 1 {
            "1 reversal names an effect that is".to_owned()
        } else {
            format!("{strangers} reversals name effects that are")
        };
        let message = format!("{names} not among the records at hand; nothing was taken to be undone by that");
        note(&mut notes, "unknown_reversal", message);
    }
    if crowded > 0 {
        let message = format!(
            "one effect id stands on many attempts and is named by many reversals; {crowded} of these were not set against it; check source.map.effect_id"
        );
        note(&mut notes, "crowded_effect", message);
    }
    notes.sort();
    notes.dedup();
    notes
}

fn note(notes: &mut Vec<Note>, code: &str, message: String) {
    notes.push(Note { code: code.to_owned(), message });
}

fn of_source(index: usize, source: &Source, tally: &SourceTally, rules: &Rules, notes: &mut Vec<Note>) {
    let name = &source.name;
    let damage = [
        ("effect_id", tally.damaged.effect_id),
        ("request_key", tally.damaged.request_key),
        ("record_id", tally.damaged.record_id),
    ];
    for (field, count) in damage.into_iter().filter(|(_, count)| *count > 0) {
        note(
            notes,
            "damaged_id",
            format!(
                "source {name:?}: {count} values of {field} are numbers in scientific notation, rounded by a spreadsheet; they were not used as identity; export the column as text"
            ),
        );
    }
    // Beyond this many, which of them were counted by name depends on the threads, and no reader looks at them all.
    let several = tally.unlisted.len() > MOST_UNLISTED || tally.more_unlisted > 0;
    if several {
        let message = format!(
            "source {name:?}: more than {MOST_UNLISTED} different outcomes are in no list and count as unknown; check source.map.outcome"
        );
        note(notes, UNLISTED_OUTCOME, message);
    }
    for (text, count) in tally.unlisted.iter().filter(|_| !several) {
        let message = if text.is_empty() {
            format!("source {name:?}: {count} records have no outcome and count as unknown; check source.map.outcome")
        } else {
            format!(
                "source {name:?}: outcome {text:?} of {count} records is in no list and counts as unknown; add it to a list of source.map.outcome"
            )
        };
        note(notes, UNLISTED_OUTCOME, message);
    }
    if tally.repeated_hour > 0 {
        note(
            notes,
            "repeated_hour",
            format!(
                "source {name:?}: {} local times lie in the hour that happens twice when summer time ends ({}); the earlier was taken",
                tally.repeated_hour, source.map.time.zone
            ),
        );
    }
    if tally.skipped_hour > 0 {
        note(
            notes,
            "skipped_hour",
            format!(
                "source {name:?}: {} local times lie in the hour that summer time skips ({}); check the zone",
                tally.skipped_hour, source.map.time.zone
            ),
        );
    }
    if tally.without_currency > 0 {
        note(
            notes,
            "no_currency",
            format!(
                "source {name:?}: {} amounts name no currency and are shown as XXX; set source.map.currency",
                tally.without_currency
            ),
        );
    }
    if !source.map.time.zone_given && tally.events > 0 && tally.read_local > 0 {
        note(
            notes,
            "assumed_zone",
            format!(
                "source {name:?}: {} times have no zone and were read as {}; set zone",
                tally.read_local, source.map.time.zone
            ),
        );
    }
    if tally.ambiguous_zones > 0 {
        note(
            notes,
            "ambiguous_zone",
            format!(
                "source {name:?}: {} times name a zone that has several meanings; IST was read as India, CST as central America, BST as British summer time; set source.map.time.zone if that is wrong",
                tally.ambiguous_zones
            ),
        );
    }
    if tally.not_json > 0 {
        note(
            notes,
            "not_json",
            format!(
                "source {name:?}: {} records hold no JSON where source.read.inside looks into it; what should be inside is absent there",
                tally.not_json
            ),
        );
    }
    for (rule, count) in &tally.partial {
        if let Some(rule) = rules.rules.get(*rule) {
            note(
                notes,
                "partial_fingerprint",
                format!(
                    "source {name:?}: {count} records fill only some of the fields of rule {:?}; absent fields were compared as absent",
                    rule.id
                ),
            );
        }
    }
    if tally.dates > 0 {
        for rule in rules.rules.iter().filter(|rule| rule.sources.contains(&index)) {
            let short = match rule.window {
                Window::FromFirst(span) => span < DAY,
                Window::Gap { gap, .. } => gap < DAY,
                Window::Days(_) | Window::Unlimited => false,
            };
            if short {
                note(
                    notes,
                    "dates_in_short_window",
                    format!(
                        "source {name:?}: {} times are dates without a time of day, which the window of rule {:?} cannot tell apart; use window = {{ days = N }}",
                        tally.dates, rule.id
                    ),
                );
            }
        }
    }
}

fn of_input(open: &OpenInput, rules: &Rules, notes: &mut Vec<Note>) {
    let input = &open.input;
    for column in input.damaged_columns() {
        note(
            notes,
            "damaged_id",
            format!(
                "{}: column {column:?} holds numbers in scientific notation, rounded by a spreadsheet; precision is lost, it is not usable as an id",
                input.name()
            ),
        );
    }
    let Some(source) = rules.sources.get(open.source) else { return };
    if source.profile.is_some() {
        of_profile(open, source, rules, notes);
    }
    for column in input.missing_columns().iter().filter(|column| !source.of_profile.contains(column)) {
        let text = format!("{}: column {column:?} of source {:?} is not there", input.name(), source.name);
        note(notes, "column_missing", text);
    }
}

/// A profile names every column that exports of its kind may have; what matters is a field that decides and has none of its columns.
fn of_profile(open: &OpenInput, source: &Source, rules: &Rules, notes: &mut Vec<Note>) {
    let compared = rules.rules.iter().filter(|rule| rule.sources.contains(&open.source)).flat_map(|rule| &rule.fingerprint);
    let compared: Vec<&str> = compared.map(|field| field.field.name()).collect();
    let missing = open.input.missing_columns();
    let mut say = |field: &str, pick: Option<&Pick>| {
        let columns = pick.map(|pick| source.columns_of(pick)).unwrap_or_default();
        if !columns.is_empty() && columns.iter().all(|column| missing.iter().any(|missing| missing == column)) {
            let file = open.input.name();
            let text = format!("{file}: nothing fills {field:?}: the export has none of the columns {}", columns.join(", "));
            note(notes, "column_missing", text);
        }
    };
    let map = &source.map;
    let canonical = [
        ("actor", map.actor.as_ref()),
        ("currency", map.currency.as_ref()),
        ("amount", map.amount.as_ref().map(|amount| &amount.from)),
    ];
    for (field, pick) in canonical.into_iter().filter(|(field, _)| compared.contains(field)) {
        say(field, pick);
    }
    for (field, pick) in map.fields.iter().filter(|(field, _)| compared.contains(&field.as_str())) {
        say(field, Some(pick));
    }
    if let Some(EffectIdMap::From(pick)) = &map.effect_id {
        say("effect_id", Some(pick));
    }
}
