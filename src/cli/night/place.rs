//! Where a state lies: who holds it, and what must not lie within.

use super::super::exit::{Exit, Failure};
use super::super::mask_key;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use twicelog::report::PseudonymKey;
use twicelog::scan::Assigned;
use twicelog::state::{self, Folder, Lock, StateError};

/// How often a lock that another run has is tried.
const GLANCE: Duration = Duration::from_millis(100);

/// By which masked people are called where nothing else says: nights must agree about who is who.
pub fn names_of(folder: &Folder, state_key: Option<&Path>) -> Result<PseudonymKey, Failure> {
    mask_key::read(&state_key.map_or_else(|| folder.path().join(state::KEY), Path::to_owned))
}

/// Takes the lock of a folder, or waits for it that long. The folder is looked at for each try: whoever holds it may take back one that it has
/// made.
#[allow(clippy::disallowed_methods, reason = "waiting for another run has an end")]
pub fn lock(folder: impl Fn() -> Result<Folder, StateError>, patience: Duration) -> Result<Lock, Failure> {
    let start = Instant::now();
    loop {
        let folder = folder()?;
        if let Some(lock) = Lock::try_take(&folder)? {
            return Ok(lock);
        }
        if start.elapsed() >= patience {
            let place = folder.path().display();
            return Err(Failure::new(Exit::Locked, format!("{place}: another run holds this state; wait for it with --wait 5m")));
        }
        thread::sleep(GLANCE);
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
