//! `twicelog baseline`: what people decided about findings.

use super::decisions::{self, Decisions};
use super::exit::{Exit, Failure};
use super::nightly_args::{AddArgs, BaselineArgs, BaselineCommand, FromArgs, ListArgs};
use super::output;
use super::retell;
use chrono::NaiveDate;
use chrono_tz::Tz;
use std::fmt::Write;
use std::path::Path;
use twicelog::domain::Finding;
use twicelog::domain::report::ScanResult;
use twicelog::nightly::baseline::{self, Decided, EditError, Entry, Proposal, Rate, Was};

pub fn run(args: &BaselineArgs) -> Result<Exit, Failure> {
    match &args.command {
        BaselineCommand::Add(args) => add(args),
        BaselineCommand::Update(args) => update(args),
        BaselineCommand::Prune(args) => prune(args),
        BaselineCommand::List(args) => list(args),
    }
}

fn add(args: &AddArgs) -> Result<Exit, Failure> {
    let mut decisions = decisions::of_place(&args.from.place)?;
    let result = retell::read(&args.from.from)?.result;
    let findings = args.ids.iter().map(|id| find(id, &result, &args.from.from)).collect::<Result<Vec<_>, _>>()?;
    let (judgement, reason) = (args.decision, args.reason.as_str());
    let mut told = String::new();
    for finding in findings {
        let decided = Decided { finding, judgement, reason, by: args.by.as_deref(), until: args.until };
        let before = decisions.baseline.entry(&finding.id).map(|entry| format!(", was {}", entry.judgement.name()));
        let text = baseline::add(&decisions.text, &mut decisions.baseline, &decided);
        decisions.text = text.map_err(|error| cannot_edit(&decisions.path, &error))?;
        // Writing to a String does not fail, here and below.
        let _ = writeln!(told, "{}: {}{}", finding.id, judgement.name(), before.unwrap_or_default());
    }
    write(&decisions)?;
    output::print_lines(&(told + &written(&decisions)))
}

fn update(args: &FromArgs) -> Result<Exit, Failure> {
    let mut decisions = decisions::of_place(&args.place)?;
    let report = retell::read(&args.from)?;
    let was = decisions::was(&report);
    let (text, told) = baseline::update(&decisions.text, &mut decisions.baseline, &report.result.findings, &was)
        .map_err(|error| cannot_edit(&decisions.path, &error))?;
    decisions.text = text;
    write(&decisions)?;
    output::print_lines(&told.into_iter().chain([written(&decisions)]).collect::<Vec<_>>().join("\n"))
}

fn prune(args: &FromArgs) -> Result<Exit, Failure> {
    let mut decisions = decisions::of_place(&args.place)?;
    let report = retell::read(&args.from)?;
    let (was, result) = (decisions::was(&report), report.result);
    // A finding that stands in a file nobody could read is not gone.
    if let Some(file) = result.sources.iter().flat_map(|source| &source.files).find(|file| file.fault.is_some()) {
        let message = format!(
            "{}: is incomplete ({} was not read to its end), so a finding may be missing that is not gone; scan again",
            args.from.display(),
            file.file
        );
        return Err(Failure::new(Exit::Incomplete, message));
    }
    let pruned = baseline::prune(&decisions.text, &mut decisions.baseline, &result.findings, &was)
        .map_err(|error| cannot_edit(&decisions.path, &error))?;
    decisions.text = pruned.text;
    write(&decisions)?;
    let mut told: Vec<String> = pruned.removed.iter().map(|id| format!("{id}: removed, its finding is gone")).collect();
    if told.is_empty() {
        told.push("every entry has its finding".to_owned());
    }
    told.push(written(&decisions));
    output::print_lines(&told.join("\n"))
}

fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let decisions = decisions::of_place(&args.place)?;
    let report = args.from.as_deref().map(retell::read).transpose()?;
    let was = report.as_ref().map(decisions::was).unwrap_or_default();
    let result = report.map(|report| report.result);
    let today = args.as_of.unwrap_or_else(|| decisions::today(Tz::UTC));
    let mut told = String::new();
    for entry in &decisions.baseline.entries {
        let state = state(entry, &decisions, result.as_ref(), &was, today);
        let until = entry.until.map_or(String::new(), |until| format!(", until {until}"));
        let by = entry.by.as_ref().map_or(String::new(), |by| format!(", by {by}"));
        let _ = writeln!(told, "{}  {} ({state}{until}{by}): {}", entry.id, entry.judgement.name(), entry.reason);
    }
    if decisions.baseline.entries.is_empty() {
        let _ = writeln!(told, "no decisions in {}", decisions.path.display());
    }
    if let (true, Some(result)) = (args.rates, &result) {
        for rate in baseline::rates(&decisions.baseline, &result.findings, &was) {
            tell_rate(&rate, &mut told);
        }
    }
    output::print_lines(&told)
}

/// How an entry stands; without a result only its last day can be looked at.
fn state(entry: &Entry, decisions: &Decisions, result: Option<&ScanResult>, was: &Was, today: NaiveDate) -> &'static str {
    let goes_on = |now: &str| was.get(now).is_some_and(|was| was.contains(&entry.id));
    let is_its = |finding: &&Finding| finding.id == entry.id || goes_on(&finding.id);
    let finding = result.map(|result| result.findings.iter().find(is_its));
    match finding {
        Some(None) => "its finding is gone",
        Some(Some(finding)) => baseline::standing(entry, decisions.baseline.seen.get(&entry.id), finding, today).0.name(),
        None if entry.until.is_some_and(|until| today > until) => "expired",
        None => "live",
    }
}

fn tell_rate(rate: &Rate, told: &mut String) {
    let Rate { rule, decided, false_alarms, proposals } = rate;
    let _ = writeln!(
        told,
        "\nrule {rule}: {false_alarms} of {decided} decided findings were no duplicates ({} %)",
        false_alarms * 100 / decided
    );
    for proposal in proposals {
        let _ = match proposal {
            Proposal::Field { name, false_alarms, true_findings } => writeln!(
                told,
                "  add {name:?} to its fingerprint: it differs within all {false_alarms} of them at hand, and within none of the {true_findings} true ones",
            ),
            Proposal::Window { window, false_alarms, true_findings, longest_true, shortest_false } => writeln!(
                told,
                "  set window = {window:?}: the {true_findings} true ones at hand lie within {longest_true}, the effects of the {false_alarms} others at least {shortest_false} apart",
            ),
        };
    }
    if proposals.is_empty() && *false_alarms > 0 {
        let _ = writeln!(told, "  no field or window keeps them apart from the true findings at hand");
    }
}

/// The finding that an argument means: by its id, or by first digits that only it has.
fn find<'r>(id: &str, result: &'r ScanResult, from: &Path) -> Result<&'r Finding, Failure> {
    let mut matching = result.findings.iter().filter(|finding| finding.id.starts_with(id));
    let trouble = |what: &str| Failure::new(Exit::Usage, format!("{id}: {what} in {}", from.display()));
    match (matching.next(), matching.next()) {
        _ if !id.starts_with("TL-") => Err(trouble("ids begin with TL-; copy one from those")),
        (Some(finding), None) => Ok(finding),
        (None, _) => Err(trouble("no finding has this id")),
        (Some(_), Some(_)) => Err(trouble("several findings begin like this")),
    }
}

fn write(decisions: &Decisions) -> Result<(), Failure> {
    output::to_changed_file(&decisions.path, |out| out.write_all(decisions.text.as_bytes()))
}

fn written(decisions: &Decisions) -> String {
    let count = decisions.baseline.seen.len();
    format!(
        "{}: written, {count} {}",
        decisions.path.display(),
        if count == 1 { "finding is measured" } else { "findings are measured" }
    )
}

fn cannot_edit(path: &Path, error: &EditError) -> Failure {
    Failure::new(Exit::Usage, format!("{}: {error}", path.display()))
}
