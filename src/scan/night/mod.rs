//! A night: what is new is read, what is open is carried, and what straddles nights and files is found once.

mod findings;
mod inputs;
mod next;
mod pack;
mod seen;
mod steps;
mod told;
mod unsettled;

use super::{Assigned, ScanError, Scanned};
use crate::domain::memory::{Changes, Memory};
use crate::domain::report::Nightly;
use crate::engine::{self, EngineError, Latest, Options, Progress, Recall, Recalled};
use crate::read::Ending;
use crate::rules::Rules;
use findings::Setting;
use seen::SeenBefore;
use steps::Steps;
pub use unsettled::{Moment, Unsettled};

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// Whether something may still be written to the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// The last record of an uncompressed text waits for its line end.
    MayGrow,
    /// Every input is whole, also where its last line has no end.
    Complete,
}

/// What a night may use, and for how long things are remembered.
#[derive(Clone, Debug)]
pub struct NightOptions {
    pub scan: Options,
    /// How the caller calls this night: a date, or a number. It stands in [`Memory`], and in results beside the names of files that are gone and
    /// were called like others that are there.
    pub night: String,
    /// Nanoseconds since 1970 UTC up to which events are taken to be past. None: up to the latest event. A date in the far future must
    /// not make everything that comes late.
    pub as_of: Option<i64>,
    /// How late, in nanoseconds, a record may come and still find everything it belongs to.
    pub lateness: i64,
    /// For how long, in nanoseconds, identities of records are remembered, sources may lag behind each other, and attempts under rules
    /// with an unlimited window wait for their repeat.
    pub remember: i64,
    /// For how long, in nanoseconds after its last record, a finding is held, so that a refund resolves it.
    pub keep_findings: i64,
    pub inputs: Inputs,
    /// Files that are left for another night.
    pub unsettled: Vec<Unsettled>,
    /// Key of the hashes in [`Memory::seen`].
    pub key: [u8; 32],
}

impl NightOptions {
    /// One day of lateness; 35 days of identities; 90 days of findings; inputs that may grow.
    pub fn new(night: &str, key: [u8; 32]) -> Self {
        Self {
            scan: Options::default(),
            night: night.to_owned(),
            as_of: None,
            lateness: DAY,
            remember: 35 * DAY,
            keep_findings: 90 * DAY,
            inputs: Inputs::MayGrow,
            unsettled: Vec::new(),
            key,
        }
    }
}

/// What a night found, and what it leaves for the next.
pub struct Night {
    /// Findings of tonight's groups: of those that are open, and of new ones.
    pub scanned: Scanned,
    pub memory: Memory,
    pub changes: Changes,
}

/// Scans these files, given what the night before left. The result is a pure function of the arguments.
///
/// # Errors
/// As [`super::scan_files`]; what was carried cannot be read.
pub fn scan_night(
    rules: &Rules,
    files: &[Assigned],
    memory: &Memory,
    options: &NightOptions,
    progress: &dyn Progress,
) -> Result<Night, ScanError> {
    let ending = match options.inputs {
        Inputs::MayGrow => Ending::MayGoOn,
        Inputs::Complete => Ending::Whole,
    };
    let tonight = inputs::open(rules, files, memory, ending, &options.scan.temp_dir)?;
    let seen = SeenBefore::new(rules, &memory.seen, &options.key);
    let recall = Recall {
        sources: rules.sources.iter().map(|source| recalled(memory, &source.name)).collect(),
        seen: &|source, nanos, identity| seen.count(source, nanos, identity),
        frequencies: pack::uncounted(&memory.frequencies)?,
        as_of: options.as_of,
        lateness: options.lateness,
        remember: options.remember,
    };
    let budget = super::budget(&options.scan);
    let court = super::court(rules, &budget, options.scan.depth);
    let hear = |_, groups: Vec<_>, _: &_| Ok(court.hear(&groups)?);
    let (gathered, trace) = engine::gather_night(&tonight.opened, rules, &options.scan, &budget, &recall, progress, &hear)?;
    seen.check()?;
    let carried_in = gathered.inputs.iter().map(|input| input.tally.carried).sum();
    let still_held = tonight.unchanged.iter().filter_map(|unchanged| memory.inputs.get(unchanged.known)).map(|known| known.held);
    let held = gathered.inputs.iter().map(|input| input.facts.held).chain(still_held).sum();
    let mut known = next::inputs(rules, memory, &tonight, &gathered.inputs, &trace, &options.night);
    progress.phase("judging", 0);
    let mut scanned = super::judged(rules, &tonight.opened, &tonight.unopened, gathered, court)?;
    let mut steps = Steps::new(&trace);
    for finding in &mut scanned.result.findings {
        finding.late_records = steps.late(finding);
    }
    // A finding that did not come back from its store must not count as resolved.
    scanned.result.findings.check().map_err(EngineError::Store)?;
    let reached = trace.horizons.iter().flatten().map(|horizon| horizon.reached).max();
    let since = |nanos: i64| reached.map(|reached| reached.saturating_sub(nanos));
    let rules_sha256 = next::digest_of(rules);
    let is_changed = !memory.rules_sha256.is_empty() && memory.rules_sha256 != rules_sha256;
    progress.phase("carrying", 0);
    steps.note_told(&scanned.result.findings);
    let kept = trace.held(options.keep_findings, &|step| steps.is_told(step));
    steps.note_held(&trace, &kept);
    let setting = if is_changed { Setting::Changed } else { Setting::AsBefore };
    let compared = findings::Tonight {
        findings: &scanned.result.findings,
        rules,
        setting,
        steps: &steps,
        night: &options.night,
        held_from: since(options.keep_findings).unwrap_or(i64::MAX),
        forgotten: since(options.keep_findings.saturating_mul(2)).unwrap_or(i64::MIN),
    };
    let (findings, changes) = findings::compare(&memory.findings, &compared);
    let texts = trace.carry(&tonight.opened, rules, &kept)?;
    let carried = next::carried(rules, memory, &tonight, &known, &texts)?;
    let remembered = |source: &str| {
        let index = rules.sources.iter().position(|other| *other.name == *source)?;
        let horizon = trace.horizons.get(index).copied().flatten()?;
        Some(horizon.reached.saturating_sub(options.remember).min(horizon.held))
    };
    next::forget(&mut known, &tonight, &carried, &remembered);
    let nightly = Nightly {
        carried_in,
        carried_out: carried.iter().map(|part| part.records).sum(),
        held,
        late: trace.late.iter().sum(),
        skipped_inputs: tonight.unchanged.len() as u64,
    };
    told::tell(&mut scanned, rules, memory, &tonight, &trace, &nightly, options, setting, &changes);
    scanned.result.nightly = Some(nightly);
    let memory = Memory {
        rules_sha256,
        sources: next::sources(rules, memory, &trace),
        inputs: known.into_iter().map(|(known, _)| known).collect(),
        carried,
        seen: seen::after(&memory.seen, &trace.identities, rules, &options.key, &remembered)?,
        findings,
        frequencies: pack::counts(&trace.frequencies)?,
    };
    Ok(Night { scanned, memory, changes })
}

fn recalled(memory: &Memory, source: &str) -> Recalled {
    let Some(known) = memory.sources.get(source) else { return Recalled::default() };
    Recalled { range: known.range, told_from: known.horizon, latest: Latest::of(&known.latest), shown: known.shown }
}
