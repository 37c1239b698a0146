//! `twicelog inspect`: what a file is, what its columns hold, and what a scan would make of it.

use super::args::InspectArgs;
use super::check::tell_event;
use super::config;
use super::exit::{Exit, Failure};
use super::library::library;
use super::output;
use std::collections::BTreeMap;
use std::fmt::Write;
use twicelog::domain::event::Event;
use twicelog::engine::PreviewLimits;
use twicelog::read::{self, Glance, Location, OpenError};
use twicelog::report::mask::Masker;
use twicelog::report::{Mask, safe};
use twicelog::rules::profiles::Library;
use twicelog::rules::{Rules, describe_rule};
use twicelog::scan::{Inference, PreviewedFile, Survey, infer, preview, recognise, survey};

/// Records that are mapped, and kept, to tell about times and ids.
const LIMITS: PreviewLimits = PreviewLimits { records: 20_000, kept: 20_000 };
/// Events and rejected records that are shown.
const SHOWN: usize = 3;
/// Lines of a text that are shown where nothing takes it apart.
const SHOWN_LINES: usize = 5;

// Writing to a String does not fail, so what `writeln!` returns is dropped in the functions below.

pub fn run(args: &InspectArgs) -> Result<Exit, Failure> {
    let library = library(args.input.profiles.as_deref())?;
    let mut exit = Exit::Clean;
    for location in config::locations(&args.files)? {
        let mut masker = Masker::new(if args.reveal { Mask::Off } else { Mask::On });
        let mut text = String::new();
        if let Err(trouble) = inspect(&location, args, &library, &mut masker, &mut text) {
            let _ = writeln!(text, "  {}", safe::visible(&trouble));
            exit = Exit::Incomplete;
        }
        output::print_masked(&text, &mut masker)?;
    }
    Ok(exit)
}

fn inspect(
    location: &Location,
    args: &InspectArgs,
    library: &Library,
    masker: &mut Masker,
    text: &mut String,
) -> Result<(), String> {
    let spool_folder = std::env::temp_dir();
    let told = |error: OpenError| error.to_string();
    let name = location.shown();
    let _ = writeln!(text, "{}", safe::visible(&name));
    let stored = location.store(&name, &spool_folder).map_err(told)?;
    let glance = read::glance(&stored).map_err(told)?;
    let _ = writeln!(text, "  format: {}", safe::visible(&glance.description()));
    let profile = profile(args, &glance, library, text);
    let surveyed = survey(stored, &glance, &spool_folder);
    match &surveyed {
        Ok(survey) => tell_columns(survey, masker, text),
        Err(OpenError::NoPattern { .. }) => tell_lines(&glance, masker, text),
        Err(error) => return Err(error.to_string()),
    }
    match profile {
        Some(profile) => tell_mapping(location, &profile, args, masker, text)?,
        None => {
            if let Some(survey) = surveyed.as_ref().ok().filter(|survey| survey.value_as_name.is_none()) {
                tell_inference(&infer(survey), text);
            }
        }
    }
    match surveyed.ok().and_then(|survey| survey.fault) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// The profile, and what gave it away.
fn profile(args: &InspectArgs, glance: &Glance, library: &Library, text: &mut String) -> Option<String> {
    if let Some(named) = &args.input.profile {
        let _ = writeln!(text, "  profile: {named} (as told)");
        return Some(named.clone());
    }
    let found = if args.no_profile { None } else { recognise(glance, library) };
    match found {
        Some(recognised) => {
            let title = library.get(&recognised.profile).map_or("", |profile| profile.title.as_str());
            let _ = writeln!(text, "  profile: {} ({title}): {}", recognised.profile, safe::visible(&recognised.why));
            if !recognised.also.is_empty() {
                let _ = writeln!(text, "  would fit as well: {}", recognised.also.join(", "));
            }
            for what in library.get(&recognised.profile).into_iter().flat_map(|profile| &profile.unverified) {
                let _ = writeln!(text, "  unverified: {what}");
            }
            Some(recognised.profile)
        }
        None => {
            let _ = writeln!(text, "  profile: none knows it; twicelog init writes a configuration for it");
            None
        }
    }
}

fn tell_columns(survey: &Survey, masker: &mut Masker, text: &mut String) {
    let _ = writeln!(
        text,
        "  the first {} records: {} could not be taken apart; columns that are filled:",
        survey.records, survey.broken
    );
    if survey.value_as_name.is_some() {
        let _ = writeln!(text, "  the table has no header: these names are its first record, which a scan would lose");
    }
    // The first record of a table without a header holds values, whatever they are.
    let is_record = survey.value_as_name.is_some();
    let mut shown = |name: &str| if is_record { masker.value("name", name) } else { masker.text(name) };
    let names: Vec<String> = survey.columns.iter().map(|column| safe::visible(&shown(&column.name)).into_owned()).collect();
    let widest = names.iter().map(|name| safe::width(name)).max().unwrap_or(0).min(32);
    for (column, name) in survey.columns.iter().zip(names) {
        let padding = " ".repeat(widest.saturating_sub(safe::width(&name)));
        let percent = (column.filled * 100).checked_div(survey.records).unwrap_or(0);
        let kind = column.kind().map_or("", |kind| kind.name());
        let samples: Vec<String> =
            column.samples.iter().take(2).map(|sample| short(&safe::visible(&masker.value(&column.name, sample)))).collect();
        let _ = writeln!(
            text,
            "    {name}{padding}  {percent:3} %  {kind:10}  {:>5} different  {}",
            column.different(),
            samples.join(" · ")
        );
    }
}

/// A value that does not fill the line.
fn short(value: &str) -> String {
    const LONGEST: usize = 30;
    let cut: String = value.chars().take(LONGEST).collect();
    if cut.len() < value.len() { cut + "…" } else { cut }
}

fn tell_lines(glance: &Glance, masker: &mut Masker, text: &mut String) {
    let _ = writeln!(text, "  lines of text; read.pattern in a configuration takes them apart:");
    for line in glance.lines().take(SHOWN_LINES) {
        let _ = writeln!(text, "    {}", safe::visible(&masker.text(line)));
    }
}

fn tell_inference(inference: &Inference, text: &mut String) {
    let _ = writeln!(text, "  what the columns may mean (0 to 1 says how sure):");
    let mut say = |name: &str, guess: Option<&twicelog::scan::Guess>| {
        if let Some(guess) = guess {
            let _ = writeln!(text, "    {name}: {} ({:.2})", safe::visible(&guess.column), guess.confidence);
        }
    };
    inference.time.iter().for_each(|guess| say("time", Some(guess)));
    say("operation", inference.operation.as_ref());
    say("actor", inference.actor.as_ref());
    say("amount", inference.amount.as_ref());
    say("currency", inference.currency.as_ref());
    say("outcome", inference.outcome.as_ref());
    say("effect_id", inference.effect_id.as_ref());
    say("request_key", inference.request_key.as_ref());
    say("record_id", inference.record_id.as_ref());
    say("reverses", inference.reverses.as_ref());
    inference.business.iter().for_each(|guess| say("field", Some(guess)));
}

/// What the profile makes of the file: events, times, ids, rejects, rules.
fn tell_mapping(
    location: &Location,
    profile: &str,
    args: &InspectArgs,
    masker: &mut Masker,
    text: &mut String,
) -> Result<(), String> {
    let input = super::args::InputArgs { profile: Some(profile.to_owned()), ..args.input.clone() };
    let said = |failure: Failure| failure.message().unwrap_or_default().trim_end().to_owned();
    let named = std::slice::from_ref(location);
    let loaded = config::load(&input, named).map_err(said)?;
    let files = config::files(named, &input, &loaded).map_err(said)?;
    let preview = preview(&loaded.rules, &files, LIMITS).map_err(|error| error.to_string())?;
    for fault in &preview.faults {
        let _ = writeln!(text, "  {}", safe::visible(fault));
    }
    for file in &preview.files {
        tell_events(file, &loaded.rules, masker, text);
    }
    for rule in &loaded.rules.rules {
        for line in describe_rule(rule, &loaded.rules).lines() {
            let _ = writeln!(text, "  {}", safe::visible(line));
        }
    }
    Ok(())
}

fn tell_events(file: &PreviewedFile, rules: &Rules, masker: &mut Masker, text: &mut String) {
    let ledger = &file.previewed.ledger;
    // What lies beyond the first records is not told: say so.
    let first =
        if ledger.read >= LIMITS.records { format!(", the first {} records only", LIMITS.records) } else { String::new() };
    let _ = writeln!(
        text,
        "  mapped{first}: {} read, {} used, {} ignored, {} rejected",
        ledger.read, ledger.used, ledger.ignored, ledger.rejected
    );
    let events: Vec<&Event> = file.previewed.events.iter().map(|previewed| &previewed.event).collect();
    let times = events.iter().map(|event| &event.time);
    if let (Some(first), Some(last)) = (times.clone().min_by_key(|time| time.nanos), times.max_by_key(|time| time.nanos)) {
        let zone = rules.sources.get(file.source).map(|source| &source.map.time);
        let zone = zone.map_or(String::new(), |time| {
            let named = if time.zone_given { "" } else { ", assumed" };
            format!("; times without a zone are read in {}{named}", time.zone.name())
        });
        let _ = writeln!(text, "  time: {} to {}{zone}", first.to_text(), last.to_text());
    }
    let share = |filled: usize| if events.is_empty() { 0 } else { filled * 100 / events.len() };
    let of = |has: &dyn Fn(&Event) -> bool| share(events.iter().filter(|event| has(event)).count());
    let _ = writeln!(
        text,
        "  filled: effect_id {} %, request_key {} %, record_id {} %, actor {} %, amount {} %",
        of(&|event| event.effect_id.is_some()),
        of(&|event| event.request_key.is_some()),
        of(&|event| event.record_id.is_some()),
        of(&|event| event.actor.is_some()),
        of(&|event| event.amount.is_some()),
    );
    tell_rejects(file, masker, text);
    for previewed in file.previewed.events.iter().take(SHOWN) {
        tell_event(previewed, rules, masker, text);
    }
}

/// Rejected records by reason: its first words, without the value.
fn tell_rejects(file: &PreviewedFile, masker: &mut Masker, text: &mut String) {
    let mut reasons: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for (record, line, reason) in &file.previewed.rejects {
        let kind = reason.split('"').next().unwrap_or_default().trim().to_owned();
        let first = format!("record {record}, line {line}: {}", masker.text(reason));
        reasons.entry(kind).and_modify(|(count, _)| *count += 1).or_insert((1, first));
    }
    for (count, first) in reasons.values() {
        let _ = writeln!(text, "  rejected: {count} like {}", safe::visible(first));
    }
}
