//! The page after the last finding: health, batches, incidents, notes, what words mean, and the run.

use super::head::SCRIPT;
use super::{MOST_ROWS, Told, short, told};
use crate::domain::explanation::Meaning;
use crate::domain::findings::Findings;
use crate::domain::report::{Batch, Health, Incident, RunInput};
use crate::report::chart::usual_gap;
use crate::report::overview::Overview;
use crate::report::texts::{Texts, Words, number, share};
use crate::report::{Style, telling};
use askama::Template;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "tail.html", config = "src/report/html/askama.toml")]
pub(super) struct Tail<'a> {
    words: &'static Words,
    script: &'static str,
    health: Vec<HealthRow>,
    further_health: Option<String>,
    batches: Vec<(&'a str, String)>,
    further_batches: Option<String>,
    incidents: Vec<Story<'a>>,
    further_incidents: Option<String>,
    notes: Vec<(String, &'a str)>,
    further_notes: Option<String>,
    glossary: Vec<(&'static str, &'a Meaning)>,
    version: String,
    started: String,
    configuration: String,
    inputs: Vec<(String, String, String)>,
    further_inputs: Option<String>,
}

struct HealthRow {
    operation: String,
    numbers: Vec<(Told, &'static str)>,
    keyed: String,
    /// How often a repeat came under another key, and after what time the middle one came.
    new_keys: String,
    usual_gap: String,
    verdict: String,
    tone: &'static str,
}

/// An incident, told from its first finding on.
struct Story<'a> {
    id: &'a str,
    title: String,
    steps: Vec<Chapter<'a>>,
    further: Option<String>,
}

struct Chapter<'a> {
    id: &'a str,
    /// The finding has a card on this page.
    linked: bool,
    time: String,
    text: String,
}

impl<'a> Tail<'a> {
    pub(super) fn of(report: &'a telling::Told<'_>, shown: usize, style: &'a Style) -> Self {
        let (result, run, texts) = (&report.frame.result, &report.frame.run, style.texts());
        let overview = report.overview();
        let further = |count: usize| count.checked_sub(MOST_ROWS + 1).map(|more| texts.further_rows(more + 1));
        let findings = Known { findings: &report.unmasked().result.findings, places: &overview.of_incidents };
        Self {
            words: texts.words(),
            script: SCRIPT,
            health: result.health.iter().enumerate().take(MOST_ROWS).map(|(at, health)| health_row(at, health, texts)).collect(),
            further_health: further(result.health.len()),
            batches: result
                .batches
                .iter()
                .take(MOST_ROWS)
                .map(|batch: &Batch| (batch.id.as_str(), short(&texts.batch(batch))))
                .collect(),
            further_batches: further(result.batches.len()),
            incidents: result.incidents.iter().take(MOST_ROWS).map(|incident| story(incident, &findings, shown, texts)).collect(),
            further_incidents: further(result.incidents.len()),
            notes: result
                .notes
                .iter()
                .take(MOST_ROWS)
                .map(|note| (short(&texts.sentence(&note.message)), note.code.as_str()))
                .collect(),
            further_notes: further(result.notes.len()),
            glossary: glossary(overview, style),
            version: run.version.clone(),
            started: texts.time(&run.started),
            configuration: run.config_sha256.clone(),
            inputs: run.inputs.iter().take(MOST_ROWS).map(input).collect(),
            further_inputs: further(run.inputs.len()),
        }
    }
}

fn input(input: &RunInput) -> (String, String, String) {
    (short(&input.file), number(input.bytes), input.sha256.clone())
}

fn health_row(at: usize, health: &Health, texts: &dyn Texts) -> HealthRow {
    let cell = |name: &str, count: u64, tone: &'static str| {
        (told(format_args!("/result/health/{at}/{name}"), number(count)), if count > 0 { tone } else { "" })
    };
    HealthRow {
        operation: short(&health.operation),
        keyed: share(health.with_key, health.attempts),
        new_keys: share(health.keys_changed, health.keyed_repeats),
        usual_gap: usual_gap(health, texts),
        numbers: vec![
            cell("attempts", health.attempts, ""),
            cell("repeats", health.repeats, ""),
            cell("answered", health.answered, ""),
            cell("blocked", health.blocked, ""),
            cell("doubled", health.doubled, "bad"),
            cell("possibly_doubled", health.possibly_doubled, "doubt"),
            cell("conflicting", health.conflicting, "bad"),
            cell("answered_differently", health.answered_differently, "doubt"),
        ],
        verdict: short(&texts.health(health)),
        tone: match health {
            Health { doubled: 1.., .. } | Health { conflicting: 1.., .. } => "bad",
            Health { possibly_doubled: 1.., .. } | Health { answered_differently: 1.., .. } => "doubt",
            Health { repeats: 0, .. } => "quiet",
            _ => "good",
        },
    }
}

/// The findings of incidents, and where they stand.
struct Known<'a> {
    findings: &'a Findings,
    /// Place and extra effects by id.
    places: &'a BTreeMap<String, (usize, u64)>,
}

fn story<'a>(incident: &'a Incident, known: &Known<'_>, shown: usize, texts: &dyn Texts) -> Story<'a> {
    let ids = || incident.findings.iter().filter_map(|id| Some((id.as_str(), *known.places.get(id)?)));
    let effects = ids().map(|(_, (_, effects))| effects).fold(0, u64::saturating_add);
    let chapter = |(id, (at, _)): (&'a str, (usize, u64))| {
        let finding = known.findings.within(at..at + 1).next()?;
        Some(Chapter {
            id,
            linked: at < shown,
            time: texts.time(&finding.first),
            text: short(&format!("{}: {}; {}", finding.rule, texts.verdict(finding.verdict), texts.stakes(&finding))),
        })
    };
    Story {
        id: &incident.id,
        title: short(&texts.incident(incident, effects)),
        steps: ids().take(MOST_ROWS).filter_map(chapter).collect(),
        further: incident.findings.len().checked_sub(MOST_ROWS + 1).map(|more| texts.further_rows(more + 1)),
    }
}

/// What the verdicts and causes of all findings mean, verdicts first.
fn glossary<'a>(overview: &Overview, style: &'a Style) -> Vec<(&'static str, &'a Meaning)> {
    let is_met = |code: &str| overview.verdicts.iter().any(|verdict| verdict.name() == code) || overview.causes.contains(code);
    let told = style.explanations.iter().filter(|known| is_met(known.code));
    told.map(|explanation| (explanation.code, explanation.told_in(style.language))).collect()
}
