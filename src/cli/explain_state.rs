//! `twicelog explain --state`: a finding of earlier nights out of the records that a state carries, and what became of an id that is told no
//! more.

use super::args::ExplainArgs;
use super::config;
use super::exit::{Exit, Failure};
use super::explain::{card, decide, one, options};
use super::mask_key;
use super::night::{earlier_ids, names_of};
use super::output;
use super::scan::scan_by;
use std::path::Path;
use twicelog::domain::memory::{FindingStatus, KnownFinding, Memory};
use twicelog::domain::report::{NightRun, Report};
use twicelog::scan::{NightOptions, scan_night};
use twicelog::state::{Folder, State};

pub fn run(args: &ExplainArgs, folder: &Path) -> Result<Exit, Failure> {
    let named = config::locations(&args.files)?;
    let loaded = config::load(&args.input, &named)?;
    let folder = Folder::open(folder)?.of_a_state()?;
    let (left, key) = State::look_with_key(&folder, args.state_key.as_deref())?;
    let names = mask_key::named(&args.look)?.map_or_else(|| names_of(&folder, args.state_key.as_deref()), Ok)?;
    let memory = &left.memory;
    let night = NightOptions { scan: options(args), ..NightOptions::new("", key) };
    // A night without files: what is carried is all that is open.
    let mut report = scan_by(&loaded, |progress| Ok(scan_night(&loaded.rules, &[], memory, &night, progress)?.scanned))?.report;
    report.run.night = Some(NightRun { was: earlier_ids(&report, memory), ..NightRun::default() });
    decide(&loaded, &mut report)?;
    let carried = report.result.findings.iter().map(|finding| finding.id.as_str());
    let ids = carried.chain(memory.findings.iter().map(|known| known.id.as_str()));
    let Some(id) = one(&args.what, ids)? else {
        let known = memory.findings.len();
        let what = format!("{}: neither what the state carries nor the {known} findings that it knows have this id", args.what);
        return Err(Failure::new(Exit::Usage, what));
    };
    let (path, now) = followed(memory, id);
    for known in path {
        output::print_lines(&told(known))?;
    }
    if is_carried(&report, now) { card(args, &report, Some(names), now) } else { Ok(Exit::Clean) }
}

fn is_carried(report: &Report, id: &str) -> bool {
    report.result.findings.iter().any(|finding| finding.id == id)
}

/// What is known of an id and of those under which its finding went on; and the last of them.
fn followed<'m>(memory: &'m Memory, id: &'m str) -> (Vec<&'m KnownFinding>, &'m str) {
    let (mut path, mut at): (Vec<&KnownFinding>, &str) = (Vec::new(), id);
    while let Some(known) = memory.findings.iter().find(|known| known.id == at) {
        // An id may come back to what it was.
        if path.iter().any(|seen| seen.id == known.id) {
            break;
        }
        path.push(known);
        match &known.now {
            Some(now) => at = now,
            None => break,
        }
    }
    (path, at)
}

fn told(known: &KnownFinding) -> String {
    let nets: Vec<String> = known.exposure.iter().map(|sum| format!(", net {} {}", sum.currency, sum.net)).collect();
    let KnownFinding { id, rule, first_seen, last_seen, .. } = known;
    let became = match (known.status, &known.now) {
        (FindingStatus::Open, _) if known.held => "open".to_owned(),
        (FindingStatus::Open, _) => {
            "open, and its records are held no more: the next run calls it too old, unless its file lies there".to_owned()
        }
        (FindingStatus::Resolved, _) => "resolved: it was undone, or is no duplicate any more".to_owned(),
        (FindingStatus::Renamed, Some(now)) => {
            format!("goes on as {now}: an earlier record of it came late, or another rule speaks for it")
        }
        (FindingStatus::Renamed | FindingStatus::Closed, _) => "closed: its records are too old to be held".to_owned(),
        (FindingStatus::Dropped, _) => "dropped: rules or sources have changed since, and it is not found under them".to_owned(),
    };
    let was = if known.was.is_empty() { String::new() } else { format!("; was {} before", known.was.join(", ")) };
    let (verdict, nets) = (known.verdict.name(), nets.concat());
    format!("{id}: {verdict} of rule {rule}{nets}; told of first {first_seen}, last {last_seen}; {became}{was}")
}
