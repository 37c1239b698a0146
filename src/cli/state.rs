//! `twicelog state`: what a state holds, whether it is sound, and what to do where it is not.

use super::exit::{Exit, Failure};
use super::night;
use super::nightly_args::{OutboxArgs, StateCommand, StateCommandArgs, StatePlace};
use super::output;
use chrono::{DateTime, Utc};
use std::fmt::Write;
use std::time::{Duration, SystemTime};
use twicelog::domain::memory::{FindingStatus, SeenDay};
use twicelog::state::{self, Aside, Folder, Left, Lock, Migrated, Standing, State};

pub fn run(args: &StateCommandArgs) -> Result<Exit, Failure> {
    match &args.command {
        StateCommand::Info(place) => info(place),
        StateCommand::Check(place) => check(place),
        StateCommand::Migrate(place) => migrate(place),
        StateCommand::Prune(place) => prune(place),
        StateCommand::Rebuild(place) => rebuild(place),
        StateCommand::Outbox(args) => outbox(args),
    }
}

fn look(place: &StatePlace) -> Result<Left, Failure> {
    Ok(State::look(&Folder::open(&place.folder)?.of_a_state()?, place.state_key.as_deref())?)
}

fn held(place: &StatePlace) -> Result<Lock, Failure> {
    night::lock(|| Folder::open(&place.folder)?.of_a_state(), Duration::ZERO)
}

fn info(place: &StatePlace) -> Result<Exit, Failure> {
    let left = look(place)?;
    let memory = &left.memory;
    let mut told = format!("state of {}\n", runs(left.generation));
    // Writing to a String does not fail, here and below.
    if let Some(night) = left.nights.last() {
        let ended = if night.ended { "" } else { ", was stopped after its commit; the next run brings it to its end" };
        let _ =
            writeln!(told, "last run: {}, started {}, exit code {}{ended}", night.run_id, night.started, night.facts.exit_code);
    }
    let carried: u64 = memory.carried.iter().map(|part| part.records).sum();
    let of_day = |day: &SeenDay| day.hashes.all().map(<[u64]>::len);
    let seen: Option<usize> = memory.seen.iter().map(of_day).sum();
    let lost =
        || Failure::new(Exit::Damaged, format!("{}: identities do not come back as they were kept", place.folder.display()));
    let seen = seen.ok_or_else(lost)?;
    let _ = writeln!(told, "inputs known: {}", memory.inputs.len());
    let _ = writeln!(told, "records carried: {carried}");
    let _ = writeln!(told, "identities remembered: {seen}, of {}", days(memory.seen.len()));
    let count = |status| memory.findings.iter().filter(|finding| finding.status == status).count();
    let [open, resolved, closed] = [FindingStatus::Open, FindingStatus::Resolved, FindingStatus::Closed].map(count);
    let further = [(FindingStatus::Dropped, "dropped"), (FindingStatus::Renamed, "under a new id")];
    let further = further.map(|(status, what)| (count(status), what));
    let further: String =
        further.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}")).collect();
    let _ = writeln!(told, "findings: {open} open, {resolved} resolved, {closed} closed{further}");
    let owed = left.letters.iter().filter(|letter| letter.standing != Standing::Sent).count();
    let _ = writeln!(told, "alerts not sent, or in doubt: {owed}");
    output::print_lines(&told)
}

fn check(place: &StatePlace) -> Result<Exit, Failure> {
    let left = look(place)?;
    output::print_lines(&format!("{}: sound, {}", place.folder.display(), runs(left.generation)))
}

fn migrate(place: &StatePlace) -> Result<Exit, Failure> {
    let told = match state::migrate(&held(place)?, place.state_key.as_deref())? {
        Migrated::Current(version) => format!("is of version {version} already"),
        Migrated::From { version, kept } => format!("was of version {version}, which is kept as {}", kept.display()),
    };
    output::print_lines(&format!("{}: {told}", place.folder.display()))
}

fn prune(place: &StatePlace) -> Result<Exit, Failure> {
    let (state, _) = State::open(held(place)?, place.state_key.as_deref())?;
    state.prune()?;
    output::print_lines(&format!("{}: pruned", place.folder.display()))
}

#[allow(clippy::disallowed_methods, reason = "a state that is put aside is called after the time")]
fn rebuild(place: &StatePlace) -> Result<Exit, Failure> {
    let when = DateTime::<Utc>::from(SystemTime::now()).format("%Y%m%dT%H%M%S%3fZ").to_string();
    let became = match state::set_aside(&held(place)?, &when)? {
        Aside::Kept(aside) => format!("put aside as {}", aside.display()),
        Aside::Gone => "there is nothing left to put aside".to_owned(),
    };
    let folder = place.folder.display();
    output::print_lines(&format!("{folder}: {became}; the next scan --state begins anew, and every finding is new to it"))
}

fn runs(count: u64) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

fn days(count: usize) -> String {
    if count == 1 { "1 day of a source".to_owned() } else { format!("{count} days of sources") }
}

fn outbox(args: &OutboxArgs) -> Result<Exit, Failure> {
    if args.retry.or(args.forget).is_none() {
        return list(&look(&args.place)?);
    }
    let (state, left) = State::open(held(&args.place)?, args.place.state_key.as_deref())?;
    let number = args.retry.or(args.forget).unwrap_or_default();
    let Some(letter) = left.letters.iter().find(|letter| letter.number == number) else {
        return Err(Failure::new(Exit::Usage, format!("{number}: no alert has this number; twicelog state outbox lists them")));
    };
    if letter.standing == Standing::Sent && args.retry.is_some() {
        return Err(Failure::new(Exit::Usage, format!("{number}: was sent; an alert is never sent twice")));
    }
    let told = match args.retry {
        Some(_) => {
            state.mark(number, Standing::Waiting)?;
            "is sent with the next scan"
        }
        None => {
            state.forget(number)?;
            "is forgotten"
        }
    };
    output::print_lines(&format!("alert {number} of run {} {told}", letter.run_id))
}

fn list(left: &Left) -> Result<Exit, Failure> {
    let owed: Vec<_> = left.letters.iter().filter(|letter| letter.standing != Standing::Sent).collect();
    if owed.is_empty() {
        return output::print_lines("no alert is waiting, failed or in doubt");
    }
    let mut told = String::new();
    for letter in owed {
        let _ = writeln!(told, "{}  {}  of run {}", letter.number, letter.standing.name(), letter.run_id);
    }
    told.push_str("--retry NUMBER sends one with the next scan, --forget NUMBER takes it out");
    output::print_lines(&told)
}
