//! A scan that keeps a state: takes the lock, finishes what a run before was killed in, commits, and sends what it owes.

mod alerts;
mod changes;
mod place;
mod settle;

pub use alerts::{Owed, Recipient};
pub use changes::{earlier_ids, only_fresh};
pub use place::{lock, names_of, refuse_reading_state};

use super::decisions;
use super::exit::{Exit, Failure};
use super::nightly_args::StateArgs;
use super::output;
use super::staged::Files;
use changes::{totals, with_untold};
use chrono::NaiveDate;
use chrono_tz::Tz;
use settle::{end_of_day, settled};
use std::path::Path;
use std::time::Duration;
use twicelog::domain::memory::{Changes, Memory};
use twicelog::domain::report::{self as told, NightRun, Report};
use twicelog::engine::Options;
use twicelog::nightly::alert::Fresh;
use twicelog::report::PseudonymKey;
use twicelog::scan::{Assigned, Inputs, NightOptions};
use twicelog::state::{self, Facts, Folder, Left, Output, Publication, State, StateError};

/// A run that holds a state.
pub struct Night {
    state: State,
    run_id: String,
    started: String,
    /// What the night before left.
    pub memory: Memory,
    /// The night before, where it came to its commit and no further: nobody has read its reports.
    untold: Option<Changes>,
    /// Findings that a decision settled the night before.
    decided: Vec<String>,
    recipient: Option<Recipient>,
    committed: bool,
    /// The nights before, ascending.
    nights: Vec<state::Night>,
    /// By which masked people are called.
    pub names: PseudonymKey,
    /// Something of the night before could not be brought to its end.
    pub troubled: bool,
}

impl Night {
    /// Takes the state, and brings to its end what a run before was killed in. `started` is RFC 3339, UTC.
    /// Masked people go by names of `key`, else of the state's.
    pub fn open(
        folder: &Path,
        args: &StateArgs,
        key: Option<PseudonymKey>,
        run_id: &str,
        started: &str,
        recipient: Option<Recipient>,
    ) -> Result<Self, Failure> {
        let lock = lock(|| Folder::make(folder), args.wait.unwrap_or_default())?;
        let (state, left) = State::open_or_make(lock, args.state_key.as_deref())?;
        let names = key.map_or_else(|| names_of(state.folder(), args.state_key.as_deref()), Ok)?;
        let Left { memory, nights, outputs, letters, .. } = left;
        let last = nights.last();
        let decided = last.map(|night| night.facts.decided.clone()).unwrap_or_default();
        let untold = last.filter(|night| !night.ended).map(|night| night.facts.changes.clone());
        let mut night = Self {
            state,
            run_id: run_id.to_owned(),
            started: started.to_owned(),
            memory,
            untold,
            decided,
            recipient,
            committed: false,
            nights,
            names,
            troubled: false,
        };
        night.finish_outputs(&outputs)?;
        night.finish_letters(letters)?;
        Ok(night)
    }

    fn finish_outputs(&mut self, outputs: &[Output]) -> Result<(), Failure> {
        let of = |publication| outputs.iter().filter(move |output| output.publication == publication);
        of(Publication::Begun).for_each(withdraw);
        let committed: Vec<Output> = of(Publication::Committed).cloned().collect();
        if committed.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.state.publish(&committed) {
            // This run writes them anew; only what the other one found must not go unsaid.
            output::talk(&format!("twicelog: a run that was stopped left an output: {error}\n"));
            committed.iter().for_each(withdraw);
        }
        Ok(())
    }

    /// What the scan of this night needs to know. Files that were written to a moment ago wait for the next night.
    pub fn options(
        &self,
        scan: Options,
        args: &StateArgs,
        as_of: Option<NaiveDate>,
        zone: Tz,
        files: Vec<Assigned>,
    ) -> (NightOptions, Vec<Assigned>) {
        let day = as_of.unwrap_or_else(|| decisions::today(zone));
        let (files, unsettled) = settled(files, args.settle.unwrap_or_default());
        let default = NightOptions::new(&day.to_string(), self.state.hash_key());
        let nanos = |asked: Option<Duration>, default: i64| {
            asked.map_or(default, |asked| i64::try_from(asked.as_nanos()).unwrap_or(i64::MAX))
        };
        let options = NightOptions {
            scan,
            // A record dated years ahead must not make everything after it late.
            as_of: end_of_day(day, zone),
            lateness: nanos(args.lateness, default.lateness),
            remember: nanos(args.remember, default.remember),
            keep_findings: nanos(args.hold, default.keep_findings),
            inputs: if args.complete { Inputs::Complete } else { Inputs::MayGrow },
            unsettled,
            ..default
        };
        (options, files)
    }

    /// Puts into the report what became of findings; what an earlier night found that nobody could read is new tonight as well.
    pub fn mark(&self, report: &mut Report, memory: &Memory, changes: &Changes, as_of: Option<NaiveDate>) {
        report.run.night = Some(NightRun {
            run_id: self.run_id.clone(),
            generation: self.state.night(),
            as_of: as_of.map(|day| day.to_string()),
            changes: self.untold.as_ref().map_or_else(|| changes.clone(), |untold| with_untold(changes, untold)),
            was: earlier_ids(report, memory),
        });
    }

    /// What is worth an alert tonight.
    pub fn fresh(&self, report: &Report, changes: &Changes) -> Fresh {
        let now = |id: &String| changes.renamed.get(id).unwrap_or(id).clone();
        Fresh::of(report, changes, &self.decided.iter().map(now).collect::<Vec<_>>())
    }

    /// Names the files that will be written.
    pub fn begin(&self, files: &Files) -> Result<(), Failure> {
        Ok(self.state.begin(files.outputs())?)
    }

    /// The nights before this one that are known by their numbers, oldest first.
    pub fn earlier(&self, rules_sha256: &str) -> Vec<told::Night> {
        let night = |night: &state::Night| {
            let totals = night.facts.totals.clone()?;
            Some(told::Night {
                started: night.started.clone(),
                findings: totals.findings,
                decided: totals.decided,
                same_rules: totals.rules_sha256 == rules_sha256,
                changes: Some(totals.changes),
                exposure: totals.exposure,
            })
        };
        self.nights.iter().filter_map(night).collect()
    }

    /// The night in ids and numbers, before anything is left out of its report.
    pub fn facts(&self, report: &Report, rules_sha256: &str) -> Result<Facts, Failure> {
        let decided = report.result.findings.each().filter(|finding| finding.is_decided()).map(|finding| finding.id.clone());
        // Nobody asks later what had not changed, and a list of all that is open, kept for each night, would outgrow everything else.
        let mut changes = report.run.night.as_ref().map(|night| night.changes.clone()).unwrap_or_default();
        changes.unchanged.clear();
        Ok(Facts { changes, decided: decided.collect(), totals: Some(totals(report, rules_sha256)), ..Facts::default() })
    }

    /// Commits the night with the alert that it owes, and puts its files in place.
    pub fn commit(&mut self, memory: Memory, facts: Facts, files: &Files, owed: Option<&Owed>) -> Result<(), Failure> {
        let letters = owed.map(serde_json::to_vec).transpose().map_err(unwritten)?;
        let night = state::Night {
            generation: self.state.night(),
            run_id: self.run_id.clone(),
            started: self.started.clone(),
            ended: false,
            facts,
        };
        // A report has no picture of a chart that has nothing to show.
        let written = files.outputs().iter().filter(|output| !output.sha256.is_empty());
        let outputs: Vec<Output> =
            written.map(|output| Output { publication: Publication::Committed, ..output.clone() }).collect();
        match self.state.commit(memory, &night, &outputs, letters.as_slice()) {
            // Nothing of this run is kept, and no other run knows of its files.
            Err(error @ StateError::Overtaken(_)) => {
                files.withdraw();
                return Err(error.into());
            }
            // After any other fault the next run looks what the state says of them.
            committed => committed?,
        }
        self.committed = true;
        Ok(self.state.publish(&outputs)?)
    }

    /// Whatever this run has made of a state is taken back where nothing was committed to it: a mistake on the command line leaves nothing behind.
    pub fn abandon(self) {
        if !self.committed
            && let Err(error) = self.state.abandon()
        {
            output::talk(&format!("twicelog: a state that nothing was kept in cannot be removed: {error}\n"));
        }
    }

    /// The night is over: its reports are in place, or printed.
    pub fn end(&self) -> Result<(), Failure> {
        if self.committed { Ok(self.state.end()?) } else { Ok(()) }
    }
}

/// Removes what a run that was stopped left beside an output's place. Where that cannot be done, because the place is gone or not to be
/// written any more, it stops no night.
fn withdraw(output: &Output) {
    if let Err(error) = output.withdraw() {
        output::talk(&format!("twicelog: what a run that was stopped left cannot be removed: {error}\n"));
    }
}

fn unwritten(error: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::NotWritten, format!("the state cannot be written: {error}"))
}
