//! What nights leave on the disk: it comes back as it was, no damaged byte is believed, and nobody overwrites whoever came first.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use twicelog::domain::memory::{CarriedPart, Changes, FindingStatus, KnownFinding, KnownInput, KnownSource, Memory, SeenDay};
use twicelog::domain::{Severity, Verdict};
use twicelog::state::{Aside, Facts, Folder, Left, Lock, Night, Output, Publication, Standing, State, StateError, set_aside};

/// Stands in every text of a memory that comes from a log.
const MARK: &str = "anna-4711";

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("state")
    }

    fn database(&self) -> PathBuf {
        self.state().join("state.db")
    }

    fn lock(&self) -> Option<Lock> {
        Lock::try_take(&Folder::make(&self.state()).unwrap()).unwrap()
    }

    fn open(&self) -> (State, Left) {
        State::open_or_make(self.lock().unwrap(), None).unwrap()
    }

    fn look(&self) -> Result<Left, StateError> {
        State::look(&Folder::open(&self.state())?, None)
    }

    /// With one night that committed.
    fn with_a_night() -> Self {
        let place = Self::new();
        let (mut state, _) = place.open();
        state.commit(memory(), &night(&state, "run-1"), &[], &[b"tell somebody".to_vec()]).unwrap();
        place
    }
}

fn memory() -> Memory {
    let finding = KnownFinding {
        id: "TL-0f3a12345678".into(),
        rule: "double".into(),
        rule_version: "1".into(),
        verdict: Verdict::DuplicateEffect,
        severity: Severity::High,
        records: 2,
        extra_effects: 1,
        possible_extra_effects: 0,
        exposure: Vec::new(),
        attempts: vec![MARK.into()],
        was: vec!["TL-0f3a12345677".into()],
        now: None,
        last: -5,
        first_seen: "2026-03-01".into(),
        last_seen: "2026-03-02".into(),
        status: FindingStatus::Open,
        held: true,
    };
    let input = KnownInput {
        number: 3,
        source: "pay".into(),
        name: format!("{MARK}.csv"),
        stored_bytes: u64::MAX,
        stored_sha256: "00".into(),
        text: None,
        records: 7,
        lines: 8,
        held: 1,
        fault: Some(MARK.into()),
        last: Some(i64::MIN),
        night: "2026-03-02".into(),
    };
    let carried = |input: u64| CarriedPart {
        source: "pay".into(),
        input,
        records: 2,
        columns: vec![MARK.into()],
        bytes: [MARK.as_bytes(), &[0, 255]].concat().repeat(40),
    };
    let seen = |day| SeenDay { source: MARK.into(), day, hashes: vec![0, 1, u64::MAX].into() };
    Memory {
        rules_sha256: "ab".into(),
        sources: BTreeMap::from([(MARK.to_owned(), KnownSource { range: Some((1, 2)), ..KnownSource::default() })]),
        inputs: vec![input],
        carried: (0..12).map(carried).collect(),
        seen: (-3..9).map(seen).collect(),
        findings: vec![finding],
        frequencies: MARK.as_bytes().to_vec(),
    }
}

fn night(state: &State, run_id: &str) -> Night {
    let changes = Changes { new: vec!["TL-0f3a12345678".into()], ..Changes::default() };
    let facts = Facts { changes, exit_code: 1, ..Facts::default() };
    Night { generation: state.night(), run_id: run_id.into(), started: "2026-03-02T02:30:00Z".into(), ended: false, facts }
}

#[test]
fn what_a_night_leaves_comes_back() {
    let place = Place::new();
    let (mut state, left) = place.open();
    assert_eq!((left.generation, &left.memory), (0, &Memory::default()));
    state.commit(memory(), &night(&state, "run-1"), &[], &[b"tell somebody".to_vec()]).unwrap();
    let letter = state.letters().unwrap().remove(0);
    assert_eq!((letter.standing, &letter.content[..]), (Standing::Waiting, &b"tell somebody"[..]));
    state.mark(letter.number, Standing::Sent).unwrap();
    state.end().unwrap();
    let mut smaller = memory();
    smaller.carried.truncate(3);
    smaller.seen.remove(0);
    let key = state.hash_key();
    state.commit(smaller.clone(), &night(&state, "run-2"), &[], &[]).unwrap();
    drop(state);
    let (state, left) = place.open();
    assert_eq!(state.hash_key(), key, "hashes of one night are compared with those of the next");
    assert_eq!((left.generation, left.memory), (2, smaller));
    assert_eq!(
        left.nights.iter().map(|night| (night.run_id.as_str(), night.ended)).collect::<Vec<_>>(),
        [("run-1", true), ("run-2", false)]
    );
    assert_eq!(left.letters[0].standing, Standing::Sent);
    state.prune().unwrap();
    let pruned = place.look().unwrap();
    assert_eq!((pruned.generation, pruned.nights.len(), pruned.letters.len()), (2, 1, 0));
}

/// The rows of sealed parts, as they lie there, by name.
fn rows(place: &Place, like: &str) -> BTreeMap<String, Vec<u8>> {
    let database = rusqlite::Connection::open(place.database()).unwrap();
    let mut rows = database.prepare("SELECT name, sealed FROM part WHERE name LIKE ?1").unwrap();
    rows.query_map([like], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

/// A night costs what is new: what it does not touch is not sealed anew, also when something before it is forgotten.
#[test]
fn what_a_night_does_not_touch_stays_as_it_lies() {
    let place = Place::with_a_night();
    let before = rows(&place, "%");
    assert_eq!(before.len(), 12 + 12 + 2);
    let (mut state, left) = place.open();
    let mut memory = left.memory;
    memory.seen.remove(0);
    memory.seen[4].hashes = vec![3, 4].into();
    memory.carried.remove(0);
    memory.carried[2].bytes.push(1);
    state.commit(memory.clone(), &night(&state, "run-2"), &[], &[]).unwrap();
    let after = rows(&place, "%");
    let count = |kind: &str| after.iter().filter(|(name, row)| name.starts_with(kind) && before.get(*name) == Some(row)).count();
    assert_eq!((count("seen/"), count("carried/"), after.len()), (10, 10, 11 + 11 + 2));
    drop(state);
    let (_, left) = place.open();
    assert_eq!(left.memory, memory);
    assert_eq!(left.memory.seen[4].hashes.all(), Some(&[3, 4][..]));
    // Of nights that are over nobody asks what was new.
    assert_eq!(left.nights.iter().map(|night| night.facts.changes.new.len()).collect::<Vec<_>>(), [0, 1]);
}

/// What goes on unopened from one state to another is written there as it is.
#[test]
fn what_another_state_keeps_is_fetched_from_it() {
    let (one, other) = (Place::with_a_night(), Place::new());
    let (_state, left) = one.open();
    let (mut state, _) = other.open();
    state.commit(left.memory, &night(&state, "run-1"), &[], &[]).unwrap();
    assert_eq!(other.look().unwrap().memory, memory());
    assert_eq!(other.look().unwrap().memory.seen[0].hashes.all(), Some(&[0, 1, u64::MAX][..]));
}

/// A mistake on the command line leaves no state behind; what was there before stays.
#[test]
fn a_state_that_nothing_was_kept_in_is_taken_back() {
    let place = Place::new();
    let key = place.0.path().join("kept.key");
    let deep = place.0.path().join("a/b/state");
    let open = || State::open_or_make(Lock::try_take(&Folder::make(&deep).unwrap()).unwrap().unwrap(), Some(&key)).unwrap().0;
    let state = open();
    let output = Output::begun(place.0.path().join("report.csv"), "run-1");
    state.begin(std::slice::from_ref(&output)).unwrap();
    fs::write(&output.staged, "half").unwrap();
    state.abandon().unwrap();
    assert!(!place.0.path().join("a").exists() && !key.exists() && !output.staged.exists());
    // A folder, and a key, that somebody else made.
    fs::create_dir_all(deep.parent().unwrap()).unwrap();
    drop(open());
    fs::copy(&key, place.0.path().join("other.key")).unwrap();
    fs::remove_dir_all(&deep).unwrap();
    fs::create_dir(&deep).unwrap();
    fs::write(deep.join("notes.txt"), "mine").unwrap();
    open().abandon().unwrap();
    assert_eq!(fs::read(&key).unwrap(), fs::read(place.0.path().join("other.key")).unwrap());
    assert_eq!(fs::read_dir(&deep).unwrap().count(), 1, "notes.txt");
    // One that holds a night, and one that was there before.
    let place = Place::new();
    let (mut state, _) = place.open();
    state.commit(memory(), &night(&state, "run-1"), &[], &[]).unwrap();
    state.abandon().unwrap();
    place.open().0.abandon().unwrap();
    assert_eq!(place.look().unwrap().generation, 1);
    let place = Place::new();
    drop(place.open());
    place.open().0.abandon().unwrap();
    assert_eq!(place.look().unwrap().generation, 0);
}

#[test]
fn nothing_of_a_record_stands_there_in_the_clear() {
    let place = Place::with_a_night();
    for entry in fs::read_dir(place.state()).unwrap() {
        let path = entry.unwrap().path();
        let content = fs::read(&path).unwrap();
        for secret in [MARK, "tell somebody"] {
            assert!(!content.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
        }
    }
}

/// The least that R13 of the acceptance asks: no byte of a state can change so that something else is believed. What passes is room that the
/// database does not use.
#[test]
fn a_damaged_byte_is_noticed_or_means_nothing() {
    const SEALED: usize = 60_000;
    let place = Place::new();
    let (mut state, _) = place.open();
    // Bytes that cannot be packed, so that there is more of them than of unused room.
    let next = |x: &u64| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    };
    let bytes = std::iter::successors(Some(1), next).take(SEALED).map(|x: u64| (x >> 24) as u8).collect();
    let part = CarriedPart { source: "pay".into(), input: 1, records: 1, columns: Vec::new(), bytes };
    let memory = Memory { carried: vec![part], ..memory() };
    state.commit(memory, &night(&state, "run-1"), &[], &[b"tell somebody".to_vec()]).unwrap();
    drop(state);
    let (sound, left) = (fs::read(place.database()).unwrap(), place.look().unwrap());
    let (mut tried, mut noticed) = (0, 0);
    // Every byte of the header, and of the rest one in thirty.
    for at in (0..sound.len()).filter(|at| *at < 200 || at % 31 == 0) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(place.database(), &damaged).unwrap();
        tried += 1;
        match place.look() {
            Err(StateError::Damaged { .. } | StateError::Newer { .. } | StateError::Older { .. }) => noticed += 1,
            Err(other) => panic!("byte {at}: {other:?}"),
            Ok(believed) => assert_eq!(believed, left, "byte {at}"),
        }
        assert!(fs::read(place.database()).unwrap() == damaged, "byte {at}: it was touched");
        assert!(!place.state().join("state.db-journal").exists());
    }
    // At least the share of what cannot be packed.
    assert!(tried > 2_000 && noticed * sound.len() > tried * SEALED, "{noticed} of {tried} in {} bytes", sound.len());
}

#[test]
fn half_a_state_is_none() {
    let place = Place::with_a_night();
    let sound = fs::read(place.database()).unwrap();
    let damaged = |content: &[u8]| {
        fs::write(place.database(), content).unwrap();
        let error = place.look().unwrap_err();
        assert!(matches!(error, StateError::Damaged { .. }), "{error:?}");
        assert!(error.to_string().contains("twicelog state rebuild"), "{error}");
        assert!(fs::read(place.database()).unwrap() == content, "it was touched");
    };
    (0..sound.len()).step_by(509).for_each(|length| damaged(&sound[..length]));
    damaged(&vec![0; sound.len()]);
    damaged(&[&sound[..], &[0; 4096]].concat());
    damaged(b"version = 1\n".repeat(1000).as_slice());
    for page in 1..sound.len() / 4096 {
        let mut zeroed = sound.clone();
        zeroed[page * 4096..(page + 1) * 4096].fill(0);
        damaged(&zeroed);
    }
    let mut foreign = sound.clone();
    foreign[68..72].copy_from_slice(&[0, 0, 0, 9]);
    damaged(&foreign);
    let mut newer = sound.clone();
    newer[60..64].copy_from_slice(&[0, 0, 0, 4]);
    fs::write(place.database(), &newer).unwrap();
    assert!(matches!(place.look(), Err(StateError::Newer { version: 4, .. })));
    assert!(fs::read(place.database()).unwrap() == newer);
}

/// Whoever writes to the database with other means, and does it well, is found out as well.
#[test]
fn a_changed_row_is_noticed() {
    for change in [
        "UPDATE state SET generation = 7",
        "UPDATE night SET ended = 1",
        "UPDATE outbox SET standing = 'sent'",
        "DELETE FROM outbox",
        "DELETE FROM part WHERE name LIKE 'seen/%'",
        "UPDATE part SET sealed = x'00' WHERE name = 'memory'",
        "UPDATE part SET sealed = (SELECT sealed FROM part WHERE name = 'carried/00000001'), \
         sha256 = (SELECT sha256 FROM part WHERE name = 'carried/00000001') WHERE name = 'carried/00000002'",
        "INSERT INTO output (target, staged, sha256, publication) VALUES ('/etc/passwd', '/tmp/x', '', 'begun')",
        "CREATE TABLE more (id INTEGER PRIMARY KEY)",
    ] {
        let place = Place::with_a_night();
        rusqlite::Connection::open(place.database()).unwrap().execute_batch(change).unwrap();
        let error = place.look().map(drop).unwrap_err();
        assert!(matches!(error, StateError::Damaged { .. }), "{change}: {error:?}");
    }
}

#[test]
fn the_key_decides() {
    let place = Place::with_a_night();
    let key = place.state().join("key");
    let other = Place::with_a_night().state().join("key");
    let theirs = Place::with_a_night();
    fs::copy(theirs.state().join("key"), &key).unwrap();
    assert!(place.look().unwrap_err().to_string().contains("not of the key in"));
    fs::write(&key, "twicelog-state-key-1 00\n").unwrap();
    assert!(place.look().unwrap_err().to_string().contains("is no key"));
    fs::remove_file(&key).unwrap();
    assert!(place.look().unwrap_err().to_string().contains("is not there"));
    assert!(State::open_or_make(place.lock().unwrap(), None).is_err(), "no new key for an old state");
    assert!(!key.exists() && !other.exists());
}

#[test]
fn the_key_can_lie_elsewhere() {
    let place = Place::new();
    let key = place.0.path().join("kept.key");
    let (mut state, _) = State::open_or_make(place.lock().unwrap(), Some(&key)).unwrap();
    state.commit(memory(), &night(&state, "run-1"), &[], &[]).unwrap();
    assert!(!place.state().join("key").exists());
    drop(state);
    assert!(place.look().is_err());
    let (_, left) = State::open(place.lock().unwrap(), Some(&key)).unwrap();
    assert_eq!(left.memory, memory());
}

#[test]
fn one_run_at_a_time() {
    let place = Place::new();
    let lock = place.lock().unwrap();
    assert!(place.lock().is_none());
    drop(lock);
    assert!(place.lock().is_some());
}

/// Every finding would be new once more, and everybody told again.
#[test]
fn a_state_that_is_gone_is_told() {
    for others in [&[][..], &["key"], &["lock"]] {
        let place = Place::with_a_night();
        fs::remove_file(place.database()).unwrap();
        others.iter().for_each(|name| fs::remove_file(place.state().join(name)).unwrap());
        // However often it is tried.
        let try_it = || State::open_or_make(place.lock().unwrap(), None).map(drop).unwrap_err();
        let error = [try_it(), try_it()].into_iter().next_back().unwrap();
        assert!(matches!(error, StateError::Damaged { .. }), "without {others:?}: {error:?}");
        assert!(error.to_string().contains("twicelog state rebuild /"), "{error}");
        assert!(!place.database().exists());
        assert_eq!(set_aside(&place.lock().unwrap(), "aside").unwrap(), Aside::Gone);
        drop(place.open());
        assert_eq!(place.look().unwrap().generation, 0);
    }
}

/// A first run that was killed before it had made the database needs no hand.
#[test]
fn a_state_that_never_was_is_made() {
    let place = Place::new();
    drop(place.lock().unwrap());
    drop(place.open());
    let place = Place::new();
    drop(place.lock().unwrap());
    fs::write(place.state().join("key"), format!("twicelog-state-key-1 {}\n", "7".repeat(64))).unwrap();
    #[cfg(unix)]
    fs::set_permissions(place.state().join("key"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    fs::write(place.state().join("state.db.new"), "half").unwrap();
    #[cfg(unix)]
    fs::set_permissions(place.state().join("state.db.new"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    drop(place.open());
    assert_eq!(place.look().unwrap().generation, 0);
}

#[test]
fn a_folder_in_the_place_of_the_database_is_damage() {
    let place = Place::with_a_night();
    fs::remove_file(place.database()).unwrap();
    fs::create_dir(place.database()).unwrap();
    let error = place.look().unwrap_err();
    assert!(matches!(error, StateError::Damaged { .. }) && error.to_string().contains("move it away"), "{error}");
}

/// R15: a run was frozen, somebody forced the lock, another run committed.
#[test]
fn whoever_was_overtaken_overwrites_nothing() {
    let place = Place::with_a_night();
    let (mut frozen, _) = place.open();
    fs::remove_file(place.state().join("lock")).unwrap();
    let (mut other, _) = place.open();
    let mut seen = memory();
    seen.rules_sha256 = "the other's".into();
    other.commit(seen.clone(), &night(&other, "other"), &[], &[]).unwrap();
    let overtaken = |result: Result<(), StateError>| assert!(matches!(result, Err(StateError::Overtaken(_))), "{result:?}");
    let output = Output::begun(place.0.path().join("report.csv"), "frozen");
    overtaken(frozen.begin(std::slice::from_ref(&output)));
    overtaken(frozen.commit(memory(), &night(&frozen, "frozen"), &[], &[]));
    overtaken(frozen.publish(&[output]));
    overtaken(frozen.mark(1, Standing::Sent));
    overtaken(frozen.end());
    let left = place.look().unwrap();
    assert_eq!((left.memory, left.letters[0].standing), (seen, Standing::Waiting));
}

/// As far as the one before, and yet another.
#[test]
fn a_state_that_was_made_anew_is_another_one() {
    let place = Place::new();
    let (mut frozen, _) = place.open();
    fs::remove_file(place.state().join("lock")).unwrap();
    let lock = place.lock().unwrap();
    assert!(matches!(set_aside(&lock, "aside").unwrap(), Aside::Kept(path) if path.exists()));
    drop(lock);
    drop(place.open());
    assert!(matches!(frozen.commit(memory(), &night(&frozen, "frozen"), &[], &[]), Err(StateError::Overtaken(_))));
    assert_eq!(place.look().unwrap().generation, 0);
}

#[test]
fn files_of_a_killed_run_are_put_in_place_or_cleared_up() {
    let place = Place::new();
    let (mut state, _) = place.open();
    let target = place.0.path().join("report.csv");
    fs::write(&target, "old").unwrap();
    let mut output = Output::begun(target.clone(), "run-1");
    state.begin(std::slice::from_ref(&output)).unwrap();
    fs::write(&output.staged, "new").unwrap();
    assert_eq!(place.look().unwrap().outputs, [output.clone()]);
    output.sha256 = "11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437".into();
    output.publication = Publication::Committed;
    state.commit(Memory::default(), &night(&state, "run-1"), std::slice::from_ref(&output), &[]).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "old", "nothing moves before somebody publishes");
    state.publish(std::slice::from_ref(&output)).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    assert_eq!(place.look().unwrap().outputs[0].publication, Publication::Published);
    state.publish(std::slice::from_ref(&output)).unwrap();
    fs::write(&target, "somebody else's").unwrap();
    assert!(state.publish(&[output]).is_err(), "what is gone is told of");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_the_owner_can_read_it() {
        let place = Place::with_a_night();
        assert_eq!(mode(&place.state()), 0o700);
        for name in ["state.db", "key", "lock"] {
            assert_eq!(mode(&place.state().join(name)), 0o600, "{name}");
            fs::set_permissions(place.state().join(name), fs::Permissions::from_mode(0o640)).unwrap();
            assert!(matches!(place.look(), Err(StateError::Refused(_))), "{name} can be read by others");
            fs::set_permissions(place.state().join(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        fs::set_permissions(place.state(), fs::Permissions::from_mode(0o770)).unwrap();
        assert!(matches!(place.look(), Err(StateError::Refused(_))));
        // Somebody made the folder by hand, and the umask let others look into it.
        for loose in [0o755, 0o750, 0o701] {
            fs::set_permissions(place.state(), fs::Permissions::from_mode(loose)).unwrap();
            place.look().unwrap();
            assert_eq!(mode(&place.state()), 0o700, "{loose:o}");
        }
    }

    #[test]
    fn links_are_refused() {
        let theirs = Place::with_a_night();
        for name in ["state.db", "state.db-journal", "state.db.new", "key", "lock"] {
            let place = Place::with_a_night();
            let path = place.state().join(name);
            let _ = fs::remove_file(&path);
            symlink(theirs.state().join(name), &path).unwrap();
            assert!(matches!(Folder::make(&place.state()), Err(StateError::Refused(_))), "{name}");
        }
        let place = Place::new();
        symlink(theirs.state(), place.state()).unwrap();
        assert!(matches!(Folder::make(&place.state()), Err(StateError::Refused(_))));
        symlink("nowhere", place.0.path().join("dangling")).unwrap();
        assert!(matches!(Folder::make(&place.0.path().join("dangling")), Err(StateError::Refused(_))));
    }
}
