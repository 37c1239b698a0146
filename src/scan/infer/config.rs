//! A commented `twicelog.toml` out of guesses: everything that was decided is told with its confidence, everything that was not, is left
//! out and said.

use super::hints;
use super::kinds::Kind;
use super::status::outcome_of;
use super::{Guess, Inference};
use crate::rules::toml_text;
use crate::scan::survey::{Survey, SurveyedColumn};
use std::fmt::Write;

/// One file of the configuration to be written.
pub struct Inferred<'i> {
    /// The source's name.
    pub name: &'i str,
    /// The path that `files` gets.
    pub file: &'i str,
    pub what: What<'i>,
}

/// What is known of a file.
pub enum What<'i> {
    /// A profile knows it.
    Profile { name: &'i str, why: &'i str },
    /// Its columns were looked at.
    Columns { survey: &'i Survey, inference: &'i Inference },
}

// Writing to a String does not fail, so what `writeln!` returns is dropped in the functions below.

/// The whole configuration.
pub fn config_text(files: &[Inferred<'_>], zone: Option<&str>) -> String {
    let mut text = "# Written by twicelog init. Every guess says how sure it is (0 to 1): read them, correct them, then run twicelog check.\n".to_owned();
    let _ = match zone {
        Some(zone) => {
            writeln!(text, "version = 1\nzone = {}                          # for times that name none", toml_text(zone))
        }
        None => writeln!(
            text,
            "version = 1\n# zone = \"Europe/Moscow\"          # for times that name none; UTC is assumed until you say"
        ),
    };
    for file in files {
        source_text(file, &mut text);
    }
    shared_ids(files, &mut text);
    let guessed = files.iter().filter_map(|file| match &file.what {
        What::Columns { inference, survey } => Some((file.name, *inference, *survey)),
        What::Profile { .. } => None,
    });
    for (name, inference, survey) in guessed {
        rule_text(name, inference, survey, &mut text);
    }
    text
}

fn source_text(file: &Inferred<'_>, text: &mut String) {
    let _ = writeln!(text, "\n[[source]]\nname = {}\nfiles = [{}]", toml_text(file.name), toml_text(file.file));
    match &file.what {
        What::Profile { name, why } => {
            let _ = writeln!(
                text,
                "profile = {}                       # {}; its rules judge this source",
                toml_text(name),
                one_line(why)
            );
        }
        What::Columns { survey, inference } => {
            let _ = writeln!(text, "# {} of {} records could be taken apart", survey.records - survey.broken, survey.records);
            if let Some(fault) = &survey.fault {
                let _ = writeln!(text, "# the file could not be read to its end: {}", one_line(fault));
            }
            let _ = writeln!(text, "format = {}", toml_text(survey.format_name));
            map_text(survey, inference, text);
        }
    }
}

fn map_text(survey: &Survey, inference: &Inference, text: &mut String) {
    let _ = writeln!(text, "\n[source.map]");
    let column = |guess: &Guess| survey.columns.iter().find(|column| column.name == guess.column);
    let told = |guess: &Guess| format!("# {:.2}; {}", guess.confidence, examples(column(guess)));
    match inference.time.as_slice() {
        [] => {
            let _ = writeln!(text, "# no column looks like a time; twicelog needs one\ntime = \"TIME\"");
        }
        [one] => time_text(one, column(one), &told(one), text),
        several => {
            let names: Vec<String> = several.iter().map(|guess| toml_text(&guess.column)).collect();
            let told = several.first().map(told).unwrap_or_default();
            let _ = writeln!(text, "time = {{ from = [{}] }}  {told}", names.join(", "));
        }
    }
    match &inference.operation {
        Some(guess) => {
            let _ = writeln!(text, "operation = {}  {}", toml_text(&guess.column), told(guess));
        }
        None => {
            let _ = writeln!(
                text,
                "operation = {{ const = \"create\" }}  # no column names it: say what one record of this file does"
            );
        }
    }
    let in_cents = inference.amount.as_ref().filter(|guess| hints::is_in_cents(&guess.column));
    if let Some(column) = inference.amount.as_ref().and_then(column)
        && in_cents.is_none()
        && column.share(Kind::Integer) > 0.99
    {
        let _ = writeln!(
            text,
            "# the amounts are whole numbers: if these are cents, write amount = {{ from = {}, unit = \"minor\" }}",
            toml_text(&column.name)
        );
    }
    let plain = |name: &str, guess: &Option<Guess>, missing: &str| match guess {
        Some(guess) => format!("{name} = {}  {}\n", toml_text(&guess.column), told(guess)),
        None => format!("# {name} = \"…\"  # {missing}\n"),
    };
    text.push_str(&plain("actor", &inference.actor, "who asked, or for whom: no column looks like it"));
    text.push_str(&match in_cents {
        // How many digits are those of the minor unit, only a currency tells.
        Some(guess) => {
            let unit = if inference.currency.is_some() { "minor" } else { "hundredths" };
            format!("amount = {{ from = {}, unit = \"{unit}\" }}  {}\n", toml_text(&guess.column), told(guess))
        }
        None => plain("amount", &inference.amount, "no column looks like it; { from = \"…\", unit = \"minor\" } for cents"),
    });
    text.push_str(&plain("currency", &inference.currency, "no column looks like it; { const = \"EUR\" } where all is in one"));
    text.push_str(&match &inference.effect_id {
        Some(_) => plain("effect_id", &inference.effect_id, ""),
        None => {
            "effect_id = { each_row = true }  # no column looks like the id of the result: every success counts as one\n".into()
        }
    });
    let mut optional = |name: &str, guess: &Option<Guess>| {
        if let Some(guess) = guess {
            let _ = writeln!(text, "{name} = {}  {}", toml_text(&guess.column), told(guess));
        }
    };
    optional("request_key", &inference.request_key);
    optional("record_id", &inference.record_id);
    optional("reverses", &inference.reverses);
    outcome_text(survey, inference, text);
    if !inference.business.is_empty() {
        let _ = writeln!(text, "\n[source.map.fields]");
        for (name, guess) in business_names(inference) {
            let _ = writeln!(text, "{name} = {}  {}", toml_text(&guess.column), told(guess));
        }
    }
}

/// The time, with its format where the values do not tell it; where two formats read them all, the user must say which.
fn time_text(guess: &Guess, column: Option<&SurveyedColumn>, told: &str, text: &mut String) {
    let name = toml_text(&guess.column);
    let formats = column.map(super::time_formats).unwrap_or_default();
    let _ = match formats.as_slice() {
        [] | ["auto", ..] => writeln!(text, "time = {name}  {told}"),
        [one] => writeln!(text, "time = {{ from = {name}, format = {} }}  {told}", toml_text(one)),
        several => {
            let _ = writeln!(text, "# column {name} can be read in several ways: say which  {told}");
            for format in several {
                let _ = writeln!(text, "# time = {{ from = {name}, format = {} }}", toml_text(format));
            }
            writeln!(text, "time = \"TIME\"")
        }
    };
}

/// The lists of the outcome column by what its words usually mean; a word that is not known stands in a comment.
fn outcome_text(survey: &Survey, inference: &Inference, text: &mut String) {
    let Some(guess) = &inference.outcome else {
        let _ = writeln!(text, "# outcome: no column looks like a status, so every record counts as a success");
        return;
    };
    let Some(column) = survey.columns.iter().find(|column| column.name == guess.column) else { return };
    let values: Vec<&String> = column.values.keys().take(40).collect();
    let of = |list: &str| -> Vec<String> {
        values.iter().filter(|value| outcome_of(value) == Some(list)).map(|value| toml_text(value.trim())).collect()
    };
    let unclear: Vec<&&String> = values.iter().filter(|value| outcome_of(value).is_none()).collect();
    let lists: Vec<(&str, Vec<String>)> =
        ["took_effect", "failed", "unknown", "started", "reversed", "ignore"].into_iter().map(|list| (list, of(list))).collect();
    if lists.iter().all(|(_, values)| values.is_empty()) {
        let names: Vec<String> = unclear.iter().map(|value| toml_text(value.trim())).collect();
        let _ = writeln!(
            text,
            "# outcome: column {} ({:.2}) holds {}; say which of them mean success:",
            toml_text(&guess.column),
            guess.confidence,
            one_line(&names.join(", "))
        );
        let _ = writeln!(text, "# outcome = {{ from = {}, took_effect = [], failed = [] }}", toml_text(&guess.column));
        return;
    }
    let _ = writeln!(text, "\n[source.map.outcome]\nfrom = {}  # {:.2}", toml_text(&guess.column), guess.confidence);
    for (list, values) in lists.iter().filter(|(_, values)| !values.is_empty()) {
        let _ = writeln!(text, "{list} = [{}]", values.join(", "));
    }
    if !unclear.is_empty() {
        let names: Vec<String> = unclear.iter().map(|value| toml_text(value.trim())).collect();
        let _ = writeln!(text, "# not clear, and so unknown: {}", one_line(&names.join(", ")));
    }
}

/// What the named fields are called: by their columns, in letters that a key may have.
fn business_names(inference: &Inference) -> Vec<(String, &Guess)> {
    let mut names: Vec<(String, &Guess)> = Vec::new();
    for guess in &inference.business {
        let name: String = guess
            .column
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect::<String>()
            .trim_matches('_')
            .to_owned();
        let name =
            if name.is_empty() || name.bytes().all(|byte| byte == b'_') { format!("field{}", names.len() + 1) } else { name };
        let canonical = [
            "time",
            "operation",
            "actor",
            "amount",
            "currency",
            "outcome",
            "effect_id",
            "request_key",
            "payload",
            "record_id",
            "reverses",
        ];
        let name = if canonical.contains(&name.as_str()) || names.iter().any(|(known, _)| *known == name) {
            format!("{name}_{}", names.len() + 1)
        } else {
            name
        };
        names.push((name, guess));
    }
    names
}

fn rule_text(source: &str, inference: &Inference, survey: &Survey, text: &mut String) {
    // Records that fill nothing else still say what was done.
    let mut fields: Vec<String> = vec!["operation".to_owned()];
    fields.extend(inference.actor.is_some().then(|| "actor".to_owned()));
    fields.extend(inference.amount.is_some().then(|| "amount".to_owned()));
    fields.extend(inference.currency.is_some().then(|| "currency".to_owned()));
    fields.extend(business_names(inference).into_iter().map(|(name, _)| name));
    let dates = inference.time.len() == 1
        && inference
            .time
            .first()
            .and_then(|guess| survey.columns.iter().find(|column| column.name == guess.column))
            .is_some_and(|column| column.kind() == Some(super::kinds::Kind::Date));
    let window = if dates { "{ days = 2 }" } else { "\"10m\"" };
    let fields: Vec<String> = fields.iter().map(|field| toml_text(field)).collect();
    let _ = writeln!(
        text,
        "\n[[rule]]\nid = {}\nsources = [{}]\nfingerprint = [{}]   # what two records of one operation share\nwindow = {window}   # how far apart they may be",
        toml_text(&format!("{source}-twice")),
        toml_text(source),
        fields.join(", "),
    );
}

/// Columns of different files that share values: what a proof or an incident could join.
fn shared_ids(files: &[Inferred<'_>], text: &mut String) {
    let surveyed: Vec<(&str, &Survey)> = files
        .iter()
        .filter_map(|file| match &file.what {
            What::Columns { survey, .. } => Some((file.name, *survey)),
            What::Profile { .. } => None,
        })
        .collect();
    for (index, (one, first)) in surveyed.iter().enumerate() {
        for (other, second) in surveyed.iter().skip(index + 1) {
            for (a, b, share) in shared_columns(first, second) {
                let _ = writeln!(
                    text,
                    "\n# {:.0} % of the values of {} in {} stand in {} of {} too. If the other proves what took effect here, map both\n# columns to one named field and write:\n# [[proof]]\n# source = {}\n# of = {}\n# match = [\"FIELD\"]",
                    share * 100.0,
                    toml_text(a),
                    toml_text(one),
                    toml_text(b),
                    toml_text(other),
                    toml_text(other),
                    toml_text(one),
                );
            }
        }
    }
}

fn shared_columns<'s>(first: &'s Survey, second: &'s Survey) -> Vec<(&'s str, &'s str, f64)> {
    let mut shared = Vec::new();
    let identify = |column: &&SurveyedColumn| column.values.len() >= 3 && column.uniqueness() > 0.3;
    for a in first.columns.iter().filter(identify) {
        for b in second.columns.iter().filter(identify) {
            let common = a.values.keys().filter(|value| value.len() >= 3 && b.values.contains_key(*value)).count();
            let share = common as f64 / a.values.len() as f64;
            if common >= 3 && share >= 0.5 {
                shared.push((a.name.as_str(), b.name.as_str(), share));
            }
        }
    }
    shared.truncate(5);
    shared
}

/// Up to three values of a column, for a comment.
fn examples(column: Option<&SurveyedColumn>) -> String {
    let samples = column.map(|column| column.samples.as_slice()).unwrap_or_default();
    let shown: Vec<String> = samples.iter().take(3).map(|value| one_line(value)).collect();
    format!("for example {}", shown.join(" · "))
}

/// A value that cannot leave its comment, and does not make it endless.
fn one_line(value: &str) -> String {
    const LONGEST: usize = 60;
    let mut line: String = value.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}
