//! `twicelog check`: is the configuration right, and what would it read.

use super::args::CheckArgs;
use super::config;
use super::exit::{Exit, Failure};
use super::hooks;
use super::output;
use std::fmt::Write;
use twicelog::domain::event::Event;
use twicelog::domain::money::amount_text;
use twicelog::engine::{PreviewLimits, PreviewedEvent};
use twicelog::report::mask::Masker;
use twicelog::report::{Mask, safe};
use twicelog::rules::{self, Rules};
use twicelog::scan::{PreviewedFile, ScanError, preview};

/// Events and rejects of each file that are shown.
const SHOWN: usize = 3;

pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let named = config::locations(&args.files)?;
    let loaded = config::load(&args.input, &named)?;
    let mut masker = Masker::new(if args.reveal { Mask::Off } else { Mask::On });
    output::print_masked(&rules::describe(&loaded.rules), &mut masker)?;
    for missing in hooks::missing(&loaded.rules.hooks) {
        output::talk(&format!("twicelog: {missing}\n"));
    }
    let files = config::files(&named, &args.input, &loaded)?;
    let preview = preview(&loaded.rules, &files, PreviewLimits { records: args.rows, kept: SHOWN }).map_err(|error| {
        let exit = if matches!(error, ScanError::Configuration(_)) { Exit::Usage } else { Exit::Incomplete };
        Failure::new(exit, error)
    })?;
    let mut text = format!("\ndry run: the first {} records of each file\n", args.rows);
    for file in &preview.files {
        tell_file(file, &loaded.rules, &mut masker, &mut text);
    }
    output::print_masked(&text, &mut masker)?;
    if !preview.faults.is_empty() {
        return Err(Failure::new(Exit::Incomplete, preview.faults.join("\n")));
    }
    let rejected = preview.files.iter().any(|file| file.previewed.ledger.rejected > 0);
    Ok(if rejected { Exit::Incomplete } else { Exit::Clean })
}

// Writing to a String does not fail, so what `writeln!` returns is dropped in the functions below.

fn tell_file(file: &PreviewedFile, rules: &Rules, masker: &mut Masker, text: &mut String) {
    let ledger = &file.previewed.ledger;
    let source = rules.sources.get(file.source).map_or("", |source| &source.name);
    let _ = writeln!(text, "\n{} (source {}; {})", safe::visible(&file.name), safe::visible(source), safe::visible(&file.format));
    let _ =
        writeln!(text, "  {} read, {} used, {} ignored, {} rejected", ledger.read, ledger.used, ledger.ignored, ledger.rejected);
    for column in &file.missing_columns {
        let _ = writeln!(text, "  column {column:?} is not there");
    }
    for (record, line, reason) in &file.previewed.rejects {
        let _ = writeln!(text, "  rejected: record {record}, line {line}: {}", safe::visible(&masker.text(reason)));
    }
    for previewed in &file.previewed.events {
        tell_event(previewed, rules, masker, text);
    }
}

pub fn tell_event(previewed: &PreviewedEvent, rules: &Rules, masker: &mut Masker, text: &mut String) {
    let _ = writeln!(text, "  record {}:", previewed.event.origin.record);
    for (name, value) in fields(&previewed.event, rules) {
        let _ = writeln!(text, "    {} = {}", safe::visible(&name), safe::visible(&masker.value(&name, &value)));
    }
    for (rule, values) in &previewed.fingerprints {
        let Some(rule) = rules.rules.get(*rule) else { continue };
        let parts = rule.fingerprint.iter().zip(values).map(|(part, value)| {
            let name = part.field.name();
            match value {
                Some(value) => format!("{} = {}", safe::visible(name), safe::visible(&masker.value(name, value))),
                None => format!("{} absent", safe::visible(name)),
            }
        });
        let parts: Vec<String> = parts.collect();
        let _ = writeln!(text, "    rule {} compares: {}", safe::visible(&rule.id), parts.join(", "));
    }
}

/// The filled fields of an event, in the order of the configuration's reference.
fn fields(event: &Event, rules: &Rules) -> Vec<(String, String)> {
    let mut fields = vec![("time".to_owned(), event.time.to_text()), ("operation".to_owned(), event.operation.clone())];
    let mut put = |name: &str, value: Option<String>| fields.extend(value.map(|value| (name.to_owned(), value)));
    put("actor", event.actor.clone());
    put("amount", event.amount.map(|money| format!("{} {}", amount_text(money.amount, money.currency), money.currency)));
    let outcome = event.outcome.name();
    put("outcome", Some(event.outcome_text.as_ref().map_or_else(|| outcome.to_owned(), |text| format!("{outcome} ({text})"))));
    put("effect_id", event.effect_id.clone());
    put("request_key", event.request_key.clone());
    put("record_id", event.record_id.clone());
    put("reverses", event.reverses.clone());
    if let Some(source) = rules.sources.get(event.source) {
        for ((name, _), value) in source.map.fields.iter().zip(&event.fields) {
            put(name, value.clone());
        }
    }
    fields
}
