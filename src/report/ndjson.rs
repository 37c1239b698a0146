//! The `ndjson` format: a first line of type `summary` with everything but the findings, then one line of type `finding` each.

use super::json;
use super::mask;
use super::{Out, Style};
use crate::domain::finding::Finding;
use crate::domain::report::{
    ActorVolume, Batch, Health, Incident, Ledger, Night, Note, Report, RuleSummary, Run, SourceSummary, Totals, WindowStep,
};
use serde::Serialize;
use std::io;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Summary(Summary<'a>),
    Finding(&'a Finding),
}

/// The report without its findings; names and meanings as in the `json` format.
#[derive(Serialize)]
struct Summary<'a> {
    schema: &'a str,
    ledger: &'a Ledger,
    totals: &'a Totals,
    sources: &'a [SourceSummary],
    rules: &'a [RuleSummary],
    health: &'a [Health],
    batches: &'a [Batch],
    incidents: &'a [Incident],
    notes: &'a [Note],
    actors: &'a [ActorVolume],
    #[serde(skip_serializing_if = "<[WindowStep]>::is_empty")]
    windows: &'a [WindowStep],
    #[serde(skip_serializing_if = "<[Night]>::is_empty")]
    nights: &'a [Night],
    run: &'a Run,
}

pub(super) fn write(report: &Report, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let report = mask::report(report, style.mask);
    let result = &report.result;
    let summary = Summary {
        schema: &report.schema,
        ledger: &result.ledger,
        totals: &result.totals,
        sources: &result.sources,
        rules: &result.rules,
        health: &result.health,
        batches: &result.batches,
        incidents: &result.incidents,
        notes: &result.notes,
        actors: &result.actors,
        windows: &report.windows,
        nights: &report.nights,
        run: &report.run,
    };
    json::line(&Line::Summary(summary), out)?;
    result.findings.each().try_for_each(|finding| json::line(&Line::Finding(&finding), out))
}
