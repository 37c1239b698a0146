//! `twicelog profiles`: which exports and logs are recognised, and what is known of each.

use super::args::{ProfilesArgs, TestArgs};
use super::exit::{Exit, Failure};
use super::library::library;
use super::output;
use serde::Serialize;
use std::fmt::Write;
use twicelog::report::safe;
use twicelog::rules::profiles::{Library, Profile};
use twicelog::rules::{self, Rules};
use twicelog::scan::{profile_table, rules_of_profile, run_examples};

pub fn run(args: &ProfilesArgs) -> Result<Exit, Failure> {
    let library = library(args.profiles.as_deref())?;
    if args.markdown {
        return output::print(&profile_table(&library).map_err(|errors| Failure::new(Exit::Usage, errors))?);
    }
    let shown: Vec<&Profile> = match &args.name {
        Some(name) => vec![named(&library, name)?],
        None => library.iter().collect(),
    };
    if args.json {
        let facts: Vec<Facts<'_>> = shown.iter().map(|profile| facts(profile, &library)).collect::<Result<_, _>>()?;
        let text = serde_json::to_string_pretty(&facts).map_err(|error| Failure::new(Exit::NotWritten, error))?;
        return output::print(&(text + "\n"));
    }
    match args.name {
        Some(_) => shown.into_iter().try_for_each(|profile| output::print_lines(&card(profile, &library)?).map(drop))?,
        None => {
            output::print_lines(&list(&shown))?;
        }
    }
    Ok(Exit::Clean)
}

/// `twicelog test`: the examples of the named profiles, or of all.
pub fn test(args: &TestArgs) -> Result<Exit, Failure> {
    let library = library(args.profiles.as_deref())?;
    let tested: Vec<&Profile> = match args.names.as_slice() {
        [] => library.iter().collect(),
        names => names.iter().map(|name| named(&library, name)).collect::<Result<_, _>>()?,
    };
    let mut wrong = Vec::new();
    for profile in &tested {
        wrong.extend(run_examples(profile, &library));
    }
    let examples: usize = tested.iter().map(|profile| profile.examples.len()).sum();
    if wrong.is_empty() {
        return output::print(&format!("{} profiles, {examples} examples: all as they say\n", tested.len()));
    }
    Err(Failure::new(Exit::Usage, wrong.join("\n")))
}

fn named<'l>(library: &'l Library, name: &str) -> Result<&'l Profile, Failure> {
    library.get(name).ok_or_else(|| {
        let help =
            library.nearest(name).map_or("twicelog profiles lists all".to_owned(), |near| format!("did you mean {near:?}"));
        Failure::new(Exit::Usage, format!("there is no profile {name:?}; {help}"))
    })
}

fn list(profiles: &[&Profile]) -> String {
    let widest = profiles.iter().map(|profile| profile.name.chars().count()).max().unwrap_or(0);
    profiles.iter().fold(String::new(), |mut text, profile| {
        let unverified = if profile.unverified.is_empty() { "" } else { " (partly unverified)" };
        // Writing to a String does not fail.
        let _ = writeln!(text, "{:widest$}  {}{unverified}", profile.name, profile.title);
        text
    })
}

/// Everything that is known of a profile.
fn card(profile: &Profile, library: &Library) -> Result<String, Failure> {
    let mut text = format!("{}: {}\n", profile.name, profile.title);
    let mut say = |line: &str| {
        for (index, line) in safe::wrap(line, 96).into_iter().enumerate() {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{}{line}", if index == 0 { "  " } else { "    " });
        }
    };
    say(&format!("recognised by: {}", profile.detect.in_words()));
    profile.notes.iter().for_each(|note| say(note));
    profile.unverified.iter().for_each(|what| say(&format!("unverified: {what}")));
    let described = rules::describe(&rules_of(profile, library)?);
    Ok(text + "\n" + &described)
}

fn rules_of(profile: &Profile, library: &Library) -> Result<Rules, Failure> {
    rules_of_profile(&profile.name, library).map_err(|errors| Failure::new(Exit::Usage, errors))
}

/// A profile for programs.
#[derive(Serialize)]
struct Facts<'p> {
    name: &'p str,
    title: &'p str,
    recognised_by: String,
    unverified: &'p [String],
    notes: &'p [String],
    rules: Vec<String>,
}

fn facts<'p>(profile: &'p Profile, library: &Library) -> Result<Facts<'p>, Failure> {
    let rules = rules_of(profile, library)?;
    Ok(Facts {
        name: &profile.name,
        title: &profile.title,
        recognised_by: profile.detect.in_words(),
        unverified: &profile.unverified,
        notes: &profile.notes,
        rules: rules.rules.iter().map(|rule| rule.id.clone()).collect(),
    })
}
