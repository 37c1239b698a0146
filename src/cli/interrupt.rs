//! When somebody interrupts the program (Ctrl-C, `kill`, a terminal that is closed), what it was about to write is removed before it ends.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files that are being written under names that are not their last.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that does not outlive an interruption, until this is dropped: by then it has its last name, or is gone.
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// The file at this path, whether it is there yet or not.
    pub fn at(path: PathBuf) -> Self {
        unfinished().insert(path.clone());
        Self(path)
    }

    /// A file that is made under a name that only its making tells.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn made<F>(make: impl FnOnce() -> io::Result<(F, PathBuf)>) -> io::Result<(F, Self)> {
        let mut known = unfinished();
        let (file, path) = make()?;
        known.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Makes a file that is told of already, unless the program is about to end.
///
/// # Errors
/// It cannot be made.
pub fn make<F>(make: impl FnOnce() -> io::Result<F>) -> io::Result<F> {
    let _not_ending = unfinished();
    make()
}

/// From now on whoever interrupts the program leaves nothing half done. It ends as it would without this: shells and schedulers see the signal.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    // `nohup` and `&` in a script mean what they say.
    let heard = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
    // A program that cannot hear them ends at once.
    let Ok(mut signals) = Signals::new(heard) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
            // Held until the end: no file is made any more.
            let left = unfinished();
            let said = format!("interrupted by {name}; what was not finished is not written");
            let lines: Vec<String> = std::iter::once(said).chain(left.iter().filter_map(|path| remove(path))).collect();
            super::output::talk(&super::exit::complaint(&lines.join("\n")));
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub fn watch() {}

/// Removes a file that may not be there; why it could not be.
#[cfg(unix)]
fn remove(path: &std::path::Path) -> Option<String> {
    let error = std::fs::remove_file(path).err().filter(|error| error.kind() != io::ErrorKind::NotFound)?;
    Some(format!("{}: cannot be removed: {error}", path.display()))
}

/// Whether whoever started the program wants it to go on in spite of this signal. Linux tells, others do not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
