//! The key of a state: 32 random bytes in a file of their own, and the keys that are made from it for each purpose.

use super::StateError;
use super::folder::{self, sync_folder};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Begins the key's file; the version is that of the file's form.
const FIRST_WORD: &str = "twicelog-state-key-1";
/// Block of SHA-256 in bytes: what HMAC pads its key to.
const BLOCK: usize = 64;

/// What everything in a state is sealed with.
pub(super) struct Key([u8; 32]);

impl Key {
    /// None where there is no file.
    ///
    /// # Errors
    /// It is a link, others may read it, or it is no key.
    pub fn read(path: &Path) -> Result<Option<Self>, StateError> {
        if folder::plain(path)?.is_none() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).map_err(|error| StateError::unread(path, &error))?;
        let key = text.strip_prefix(FIRST_WORD).and_then(|rest| rest.strip_prefix(' ')).and_then(|rest| rest.strip_suffix('\n'));
        let key = key.and_then(bytes_of_hex);
        key.map(|key| Some(Self(key))).ok_or_else(|| StateError::damaged(path, "is no key of twicelog"))
    }

    /// Makes a key, and its file: written beside its place and put there whole, because nobody can go on from half a key. A key that has come
    /// there in the meantime stays.
    pub fn create(path: &Path) -> Result<Self, StateError> {
        let key = Self(random(path)?);
        let mut text = format!("{FIRST_WORD} ");
        for byte in key.0 {
            // Writing to a String does not fail.
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
        let new = beside(path);
        folder::remove(&new)?;
        folder::write_new(&new, text.as_bytes())?;
        let put = match std::fs::hard_link(&new, path) {
            // A file system that knows no links.
            Err(error) if error.kind() != ErrorKind::AlreadyExists => std::fs::rename(&new, path),
            put => put,
        };
        clear(path)?;
        put.map_err(|error| StateError::not_written(path, error))?;
        sync_folder(path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))?;
        Ok(key)
    }

    /// A key for one purpose, which tells nothing of the others: HMAC-SHA-256 of the purpose.
    pub fn derived(&self, purpose: &str) -> [u8; 32] {
        let mut mac = mac(&self.0);
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// Removes what a run that was stopped while it made a key has left beside it.
pub(super) fn clear(path: &Path) -> Result<(), StateError> {
    let new = beside(path);
    // Where a key lies may be no place to write in.
    if new.exists() { folder::remove(&new) } else { Ok(()) }
}

/// Where a key is written before it is put in its place.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// HMAC-SHA-256 under a key.
pub(super) fn mac(key: &[u8; 32]) -> Hmac<Sha256> {
    let mut block = [0; BLOCK];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    <Hmac<Sha256> as KeyInit>::new(&block.into())
}

/// Random bytes of the system. `place` is what they are for.
pub(super) fn random<const N: usize>(place: &Path) -> Result<[u8; N], StateError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| StateError::not_written(place, format_args!("the system gives no random bytes: {error}")))?;
    Ok(bytes)
}

fn bytes_of_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}
