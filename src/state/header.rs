//! The first hundred bytes of the database, looked at before SQLite is: what it is not sure about, it would write to.
//!
//! The offsets are those of SQLite's file format, section 1.3.

use super::StateError;
use super::folder;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// `TwLg`: tells the file from other databases.
pub(super) const APPLICATION: u32 = 0x5477_4c67;
/// Version of the tables.
pub(super) const VERSION: u32 = 3;
pub(super) const PAGE: u32 = 4096;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const LENGTH: usize = 100;

/// Whether a rollback journal lies beside the database: then a transaction was cut off, and SQLite takes it back when it opens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Journal {
    None,
    Left,
}

/// Looks whether this is a state of this version, whole as far as its header tells.
///
/// # Errors
/// It is not; the file is as it was.
pub(super) fn check(path: &Path, journal: Journal) -> Result<(), StateError> {
    let version = version(path, journal)?;
    match version {
        VERSION => Ok(()),
        0 => Err(StateError::damaged(path, "its version is 0, which there never was")),
        newer if newer > VERSION => Err(StateError::Newer { place: path.display().to_string(), version }),
        _ => Err(StateError::Older {
            place: path.display().to_string(),
            version,
            folder: super::error::argument(path.parent().unwrap_or(path)),
        }),
    }
}

/// Whether the file says that it is a state, whatever became of the rest of it.
pub(super) fn is_ours(path: &Path) -> bool {
    let mut header = Vec::with_capacity(LENGTH);
    let read = File::open(path).and_then(|file| file.take(LENGTH as u64).read_to_end(&mut header));
    read.is_ok() && header.starts_with(MAGIC) && header.get(68..72) == Some(&APPLICATION.to_be_bytes())
}

/// The version of the tables, after a look at everything that stands beside it.
pub(super) fn version(path: &Path, journal: Journal) -> Result<u32, StateError> {
    let damaged = |what: &str| Err(StateError::damaged(path, what));
    let Some(facts) = folder::plain(path)? else { return damaged("is not there") };
    let mut header = Vec::with_capacity(LENGTH);
    let file = File::open(path).map_err(|error| StateError::unread(path, &error))?;
    file.take(LENGTH as u64).read_to_end(&mut header).map_err(|error| StateError::unread(path, &error))?;
    let Ok(header) = <[u8; LENGTH]>::try_from(header) else { return damaged("is cut off") };
    if !header.starts_with(MAGIC) {
        return damaged("is no database");
    }
    let number = |at: usize| header.iter().skip(at).take(4).fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    if number(68) != APPLICATION {
        return damaged("is the database of another program");
    }
    let page = number(14) & 0xffff;
    let fixed = page == PAGE
        && number(18) == 0x0101_0040
        && number(20) == 0x0040_2020
        && [(44, 4), (48, 0), (52, 0), (56, 1), (64, 0)].into_iter().all(|(at, value)| number(at) == value)
        && header.iter().skip(72).take(20).all(|byte| *byte == 0);
    if !fixed || number(92) != number(24) {
        return damaged("its header is damaged");
    }
    if journal == Journal::None && facts.len() != u64::from(number(28)) * u64::from(PAGE) {
        return damaged("its length is not what its header says");
    }
    Ok(number(60))
}
