//! A scan that keeps a state: takes the lock, finishes what a run before was killed in, commits, and sends what it owes.

use super::decisions;
use super::exit::{Exit, Failure};
use super::hooks::{self, Told};
use super::mask_key;
use super::nightly_args::StateArgs;
use super::output;
use super::staged::Files;
use chrono::{NaiveDate, TimeZone};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use twicelog::domain::memory::{Changes, Memory};
use twicelog::domain::report::{self as told, ChangeCounts, NightRun, Note, Report};
use twicelog::engine::Options;
use twicelog::nightly::alert::{Alert, Fresh};
use twicelog::report::PseudonymKey;
use twicelog::scan::{Assigned, Inputs, Moment, NightOptions, Unsettled};
use twicelog::state::{self, Facts, Folder, Left, Letter, Lock, NightTotals, Output, Publication, Standing, State, StateError};

/// How often a lock that another run has is tried.
const GLANCE: Duration = Duration::from_millis(100);

/// An alert as it waits in the outbox. What is told is what the run that owes it had to say; it goes to whom tonight's alerts go to, and only
/// where tonight names nobody to whom it was to go.
#[derive(Serialize, Deserialize)]
pub struct Owed {
    pub command: Vec<String>,
    /// Nanoseconds that the command may take.
    pub limit: u64,
    pub alert: Alert,
}

/// Whom alerts go to tonight.
#[derive(Clone, Debug)]
pub struct Recipient {
    pub command: Vec<String>,
    pub limit: Duration,
}

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
        let folder = Folder::make(folder)?;
        let lock = lock(&folder, args.wait.unwrap_or_default())?;
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

    fn finish_letters(&mut self, letters: Vec<Letter>) -> Result<(), Failure> {
        for letter in letters {
            match letter.standing {
                Standing::Sent => {}
                Standing::Waiting => self.troubled |= !self.deliver(&letter)?,
                Standing::Sending => {
                    self.state.mark(letter.number, Standing::Doubtful)?;
                    self.troubled = true;
                    self.remind(&letter, "may have been sent or not: the run was stopped while it sent it");
                }
                Standing::Doubtful => self.remind(&letter, "may have been sent or not"),
                Standing::Failed => self.remind(&letter, "was not sent: its command failed"),
            }
        }
        Ok(())
    }

    fn remind(&self, letter: &Letter, what: &str) {
        output::talk(&format!(
            "twicelog: alert {} of run {} {what}; see twicelog state outbox {}\n",
            letter.number,
            letter.run_id,
            self.state.folder().path().display()
        ));
    }

    /// Sends one alert: first it is noted that it is being sent, so that it is never sent twice. False where it was not delivered.
    fn deliver(&self, letter: &Letter) -> Result<bool, Failure> {
        let Ok(owed) = serde_json::from_slice::<Owed>(&letter.content) else {
            self.remind(letter, "cannot be read by this version");
            return Ok(false);
        };
        self.state.mark(letter.number, Standing::Sending)?;
        let of_then = || Recipient { command: owed.command, limit: Duration::from_nanos(owed.limit) };
        let Recipient { command, limit } = self.recipient.clone().unwrap_or_else(of_then);
        let told = hooks::call(&command, &owed.alert, limit);
        let standing = match told {
            Told::Yes => Standing::Sent,
            Told::No => Standing::Failed,
            // Nobody can have been told: the next run tries again.
            Told::NotStarted => Standing::Waiting,
        };
        self.state.mark(letter.number, standing)?;
        Ok(told == Told::Yes)
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
        Ok(Facts {
            changes,
            decided: decided.collect(),
            totals: Some(totals(report, rules_sha256)),
            ..Facts::default()
        })
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

    /// Sends the alerts of this night. False where one was not delivered.
    pub fn send(&self) -> Result<bool, Failure> {
        let mut delivered = true;
        if !self.committed {
            return Ok(delivered);
        }
        for letter in self.state.letters()?.iter().filter(|letter| letter.run_id == self.run_id) {
            if letter.standing == Standing::Waiting {
                delivered &= self.deliver(letter)?;
            }
        }
        Ok(delivered)
    }

    /// The night is over: its reports are in place, or printed.
    pub fn end(&self) -> Result<(), Failure> {
        if self.committed { Ok(self.state.end()?) } else { Ok(()) }
    }
}

/// What a night comes to.
fn totals(report: &Report, rules_sha256: &str) -> NightTotals {
    let (result, changes) = (&report.result, report.run.night.as_ref().map(|night| &night.changes));
    let counted = result.findings.iter().filter(|finding| finding.verdict.is_reported() && !finding.is_decided());
    let ids = counted.map(|finding| finding.id.as_str());
    NightTotals {
        findings: result.totals.findings,
        decided: result.totals.decided_findings(),
        changes: changes.map(|changes| ChangeCounts::of(changes, ids, result.totals.findings)).unwrap_or_default(),
        exposure: result.totals.exposure.clone(),
        rules_sha256: rules_sha256.to_owned(),
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

/// Where the key of a state lies.
/// By which masked people are called where nothing else says: nights must agree about who is who.
pub fn names_of(folder: &Folder, state_key: Option<&Path>) -> Result<PseudonymKey, Failure> {
    mask_key::read(&state_key.map_or_else(|| folder.path().join(state::KEY), Path::to_owned))
}

/// Takes the lock, or waits for it that long.
#[allow(clippy::disallowed_methods, reason = "waiting for another run has an end")]
pub fn lock(folder: &Folder, patience: Duration) -> Result<Lock, Failure> {
    let start = Instant::now();
    loop {
        if let Some(lock) = Lock::try_take(folder)? {
            return Ok(lock);
        }
        if start.elapsed() >= patience {
            let place = folder.path().display();
            return Err(Failure::new(Exit::Locked, format!("{place}: another run holds this state; wait for it with --wait 5m")));
        }
        thread::sleep(GLANCE);
    }
}

/// Files that were written to a while ago, and the others.
#[allow(clippy::disallowed_methods, reason = "whether a file has settled is told by the clock")]
fn settled(files: Vec<Assigned>, while_ago: Duration) -> (Vec<Assigned>, Vec<Unsettled>) {
    if while_ago.is_zero() {
        return (files, Vec::new());
    }
    let now = SystemTime::now();
    let (mut settled, mut unsettled) = (Vec::new(), Vec::new());
    for file in files {
        let written = file.location.path().and_then(|path| path.metadata().ok()).and_then(|facts| facts.modified().ok());
        // What has no time is no file that could grow.
        match written.map(|written| now.duration_since(written)) {
            Some(Ok(age)) if age < while_ago => unsettled.push(Unsettled { name: file.name, why: Moment::Now }),
            Some(Err(_)) => unsettled.push(Unsettled { name: file.name, why: Moment::Ahead }),
            _ => settled.push(file),
        }
    }
    (settled, unsettled)
}

/// The last nanosecond of a day in a zone, since 1970 UTC.
fn end_of_day(day: NaiveDate, zone: Tz) -> Option<i64> {
    let midnight = day.succ_opt()?.and_hms_opt(0, 0, 0)?;
    // Where the clocks skip midnight, the day ends in UTC.
    let end = zone.from_local_datetime(&midnight).earliest().map_or_else(|| midnight.and_utc(), |end| end.to_utc());
    end.timestamp_nanos_opt()?.checked_sub(1)
}

/// The ids under which findings of a report were told of before.
pub fn earlier_ids(report: &Report, memory: &Memory) -> BTreeMap<String, Vec<String>> {
    let told: BTreeSet<&str> = report.result.findings.iter().map(|finding| finding.id.as_str()).collect();
    let renamed = memory.findings.iter().filter(|known| !known.was.is_empty() && told.contains(known.id.as_str()));
    renamed.map(|known| (known.id.clone(), known.was.clone())).collect()
}

fn with_untold(changes: &Changes, untold: &Changes) -> Changes {
    let mut all = changes.clone();
    // What went on under another id tonight was told under the old one.
    let now = |ids: &[String]| -> Vec<String> { ids.iter().map(|id| changes.renamed.get(id).unwrap_or(id).clone()).collect() };
    let untold = &Changes { new: now(&untold.new), grown: now(&untold.grown), ..untold.clone() };
    for (was, id) in &untold.renamed {
        all.renamed.insert(was.clone(), changes.renamed.get(id).unwrap_or(id).clone());
    }
    let mut known: BTreeSet<String> = all.unchanged.drain(..).collect();
    let mut grown: BTreeSet<String> = all.grown.drain(..).collect();
    let mut new: BTreeSet<String> = all.new.drain(..).collect();
    for id in &untold.new {
        if known.remove(id) | grown.remove(id) {
            new.insert(id.clone());
        }
    }
    grown.extend(untold.grown.iter().filter(|id| known.remove(*id)).cloned());
    let told: BTreeSet<String> = [&all.resolved, &all.closed].into_iter().flatten().cloned().collect();
    let is_open = |id: &String| known.contains(id) || grown.contains(id) || new.contains(id);
    let mut resolved: BTreeSet<String> = all.resolved.drain(..).collect();
    resolved.extend(untold.resolved.iter().filter(|id| !is_open(id) && !told.contains(*id)).cloned());
    Changes {
        new: new.into_iter().collect(),
        grown: grown.into_iter().collect(),
        unchanged: known.into_iter().collect(),
        resolved: resolved.into_iter().collect(),
        closed: all.closed,
        dropped: all.dropped,
        renamed: all.renamed,
    }
}

/// Leaves only what is new or has grown in a report, and says how much was left out. Totals stay those of all.
pub fn only_fresh(report: &mut Report, told_of: &Fresh) {
    let Some(night) = &report.run.night else { return };
    // Those that a decision settled are new, too, though nobody is told of them; those whose decision has ended count again.
    let changed = night.changes.new.iter().chain(&night.changes.grown);
    let fresh: BTreeSet<&str> = changed.chain(&told_of.new).chain(&told_of.grown).map(String::as_str).collect();
    let before = report.result.findings.len();
    report.result.findings.retain(|finding| fresh.contains(finding.id.as_str()));
    let left = before - report.result.findings.len();
    if left > 0 {
        let findings = if left == 1 { "1 finding that was".to_owned() } else { format!("{left} findings that were") };
        let message = format!("{findings} told of before, and not listed with --since-last; totals count all");
        report.result.notes.push(Note { code: "since_last".to_owned(), message });
        report.result.notes.sort();
    }
}

/// A pattern that takes in the state's own files would read them as logs, and show what nobody may see.
pub fn refuse_reading_state(folder: &Path, files: &[Assigned]) -> Result<(), Failure> {
    let Ok(folder) = std::fs::canonicalize(folder) else { return Ok(()) };
    let real = |file: &Assigned| file.location.path().and_then(|path| std::fs::canonicalize(path).ok());
    match files.iter().find(|file| real(file).is_some_and(|path| path.starts_with(&folder))) {
        Some(file) => Err(Failure::new(
            Exit::Usage,
            format!("{}: lies within the state; keep the state in a folder of its own, and logs elsewhere", file.name),
        )),
        None => Ok(()),
    }
}

/// Paths within the state's folder: no output may lie there.
pub fn refuse_in_state(folder: &Path, written: &[PathBuf]) -> Result<(), Failure> {
    let Ok(folder) = std::fs::canonicalize(folder) else { return Ok(()) };
    let inside = written.iter().find(|path| {
        path.parent().and_then(|parent| std::fs::canonicalize(parent).ok()).is_some_and(|parent| parent.starts_with(&folder))
    });
    match inside {
        Some(path) => {
            Err(Failure::new(Exit::Usage, format!("{}: lies within the state; write the output elsewhere", path.display())))
        }
        None => Ok(()),
    }
}
