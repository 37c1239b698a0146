//! `twicelog explain`: a finding with its records, evidence and rule; or what a rule, a verdict or a cause means.

use super::args::ExplainArgs;
use super::config::{self, Loaded};
use super::decisions;
use super::exit::{Exit, Failure};
use super::explain_state;
use super::mask_key;
use super::nightly_args::DecisionArgs;
use super::output;
use super::outputs::mask;
use super::retell;
use super::scan::scan;
use std::collections::BTreeSet;
use std::fmt::Write;
use twicelog::domain::Language;
use twicelog::domain::explanation::Explanation;
use twicelog::domain::report::Report;
use twicelog::engine::{Depth, Options, RawText};
use twicelog::report::{self, OutputFormat, PseudonymKey, Style, Telling, safe};
use twicelog::rules;

pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    if let Some(explanation) = twicelog::judge::explanations().iter().find(|explanation| explanation.code == args.what) {
        return output::print(&told(explanation, args.look.lang));
    }
    if args.what.starts_with("TL-") { finding(args) } else { rule(args) }
}

fn told(explanation: &Explanation, language: Language) -> String {
    let meaning = explanation.told_in(language);
    let heads = report::explanation_heads(language);
    let mut text = format!("{}: {}\n", explanation.code, meaning.title);
    let parts = [meaning.looks_for, meaning.needs, meaning.looks_alike, meaning.what_to_do];
    for (name, part) in heads.into_iter().zip(parts) {
        // Writing to a String does not fail.
        let _ = writeln!(text, "\n{name}:");
        for line in safe::wrap(part, Style::WIDTH - 2) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

fn finding(args: &ExplainArgs) -> Result<Exit, Failure> {
    let key = mask_key::named(&args.look)?;
    let report = match (&args.result, &args.state) {
        (Some(path), _) => retell::read(path)?,
        (None, Some(folder)) => return explain_state::run(args, folder),
        (None, None) => {
            let named = config::locations(&args.files)?;
            let loaded = config::load(&args.input, &named)?;
            let files = config::files(&named, &args.input, &loaded)?;
            let mut report = scan(&loaded, &files, &options(args))?.report;
            decide(&loaded, &mut report)?;
            report
        }
    };
    let findings = &report.result.findings;
    match one(&args.what, findings.iter().map(|finding| finding.id.as_str()))? {
        Some(id) => card(args, &report, key, id),
        None => Err(Failure::new(
            Exit::Usage,
            format!(
                "{}: none of the {} groups of this scan has this id; findings of earlier nights are looked up with --state FOLDER",
                args.what,
                findings.len()
            ),
        )),
    }
}

/// Everything is judged, so that quiet groups can be explained, too.
pub fn options(args: &ExplainArgs) -> Options {
    let raw_text = if args.raw { RawText::Kept } else { RawText::Left };
    Options { depth: Depth::All, raw_text, ..Options::default() }
}

pub fn decide(loaded: &Loaded, report: &mut Report) -> Result<(), Failure> {
    if let Some(decisions) = decisions::of_scan(&DecisionArgs::default(), loaded)? {
        decisions.apply(decisions::today(loaded.rules.zone), report);
    }
    Ok(())
}

/// The id that begins like this; None where none does.
pub fn one<'i>(what: &str, ids: impl Iterator<Item = &'i str>) -> Result<Option<&'i str>, Failure> {
    let matching: BTreeSet<&str> = ids.filter(|id| id.starts_with(what)).collect();
    if matching.len() > 1 {
        let ids: Vec<&str> = matching.into_iter().take(5).collect();
        return Err(Failure::new(Exit::Usage, format!("{what}: several findings begin like this: {}", ids.join(", "))));
    }
    Ok(matching.into_iter().next())
}

/// Prints the card of a finding.
pub fn card(args: &ExplainArgs, report: &Report, key: Option<PseudonymKey>, id: &str) -> Result<Exit, Failure> {
    let style = Style { mask: mask(OutputFormat::Terminal, &args.look), ..output::style(&args.look) };
    let telling = Telling::of(report, key);
    for finding in report.result.findings.iter().filter(|finding| finding.id == id) {
        output::to_stdout(|out| telling.finding_card(finding, &style, out))?;
    }
    Ok(Exit::Clean)
}

fn rule(args: &ExplainArgs) -> Result<Exit, Failure> {
    let known: Vec<&str> = twicelog::judge::explanations().iter().map(|explanation| explanation.code).collect();
    let known = known.join(", ");
    let what = &args.what;
    let named = config::locations(&args.files)?;
    let loaded = config::load(&args.input, &named).map_err(|failure| {
        let reason = failure.message().unwrap_or_default();
        Failure::new(
            Exit::Usage,
            format!("{what:?} is no verdict or cause (known are {known}), and the rules cannot be looked up:\n{reason}"),
        )
    })?;
    match loaded.rules.rules.iter().find(|rule| rule.id == *what) {
        Some(rule) => output::print_lines(&rules::describe_rule(rule, &loaded.rules)),
        None => {
            let rules: Vec<&str> = loaded.rules.rules.iter().map(|rule| rule.id.as_str()).collect();
            let message =
                format!("{what:?} is no finding (TL-…), no rule ({}) and no verdict or cause ({known})", rules.join(", "));
            Err(Failure::new(Exit::Usage, message))
        }
    }
}
