//! A memory as parts that are kept one by one: what nobody asks for is not opened, and what did not change is not written again.

use super::digest;
use super::seal::Sealer;
use crate::domain::hashes::{Hashes, Keeper};
use crate::domain::memory::{CarriedPart, Memory};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything small.
pub(super) const REST: &str = "memory";
const FREQUENCIES: &str = "frequencies";
pub(super) const CARRIED: &str = "carried/";
pub(super) const SEEN: &str = "seen/";
/// Digits of a part's number, so that names sort as numbers do.
const DIGITS: usize = 8;

/// What a part holds.
pub(super) enum Content {
    Bytes(Vec<u8>),
    Hashes(Hashes),
}

impl Content {
    /// Tells whether it is what a row holds, without opening that.
    pub fn digest(&self, key: &[u8; 32], name: &str) -> Option<Vec<u8>> {
        match self {
            Self::Hashes(hashes) if hashes.keeper().is_some() => hashes.keeper().map(|keeper| keeper.digest().to_vec()),
            _ => Some(digest::of_plain(key, name, &self.bytes()?)),
        }
    }

    /// None where it does not come back from where it is kept.
    pub fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Bytes(bytes) => Some(bytes.into()),
            Self::Hashes(hashes) => Some(hashes.all()?.iter().copied().flat_map(u64::to_le_bytes).collect::<Vec<u8>>().into()),
        }
    }
}

/// A part as its row holds it, sealed.
pub(super) struct SealedPart {
    pub name: String,
    /// Digest of what it holds.
    pub plain: Vec<u8>,
    pub sealed: Vec<u8>,
    pub sealer: Arc<Sealer>,
}

impl SealedPart {
    /// None where it was not sealed for this place.
    pub fn open(&self) -> Option<Vec<u8>> {
        self.sealer.open(&place(&self.name), &self.sealed)
    }
}

impl Keeper for SealedPart {
    fn fetch(&self) -> Option<Vec<u64>> {
        let bytes = self.open()?;
        let (hashes, rest) = bytes.as_chunks::<8>();
        rest.is_empty().then(|| hashes.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }

    fn digest(&self) -> &[u8] {
        &self.plain
    }
}

/// What seals a part to its place.
pub(super) fn place(part: &str) -> String {
    format!("part/{part}")
}

/// The part of a day's identities. Which source and day it is shows only to whoever has the key.
pub(super) fn name_of_day(key: &[u8; 32], source: &str, day: i32) -> String {
    format!("{SEEN}{}", digest::of_day(key, source, day))
}

/// The part of what is carried of an input.
pub(super) fn name_of_input(number: u64) -> String {
    format!("{CARRIED}{number:0DIGITS$}")
}

/// The parts by name. Names hold nothing of a record.
pub(super) fn apart(mut memory: Memory, key: &[u8; 32]) -> serde_json::Result<BTreeMap<String, Content>> {
    let mut parts = BTreeMap::new();
    for mut part in std::mem::take(&mut memory.carried) {
        let bytes = std::mem::take(&mut part.bytes);
        parts.insert(name_of_input(part.input), Content::Bytes(joined(&part, &bytes)?));
    }
    // Which days there are stands with all that is small.
    for day in &mut memory.seen {
        parts.insert(name_of_day(key, &day.source, day.day), Content::Hashes(std::mem::take(&mut day.hashes)));
    }
    parts.insert(FREQUENCIES.to_owned(), Content::Bytes(std::mem::take(&mut memory.frequencies)));
    parts.insert(REST.to_owned(), Content::Bytes(serde_json::to_vec(&memory)?));
    Ok(parts)
}

/// None where the parts do not make a memory. Identities stay sealed until somebody asks for them.
pub(super) fn together(mut parts: BTreeMap<String, SealedPart>, key: &[u8; 32]) -> Option<Memory> {
    let mut memory: Memory = serde_json::from_slice(&parts.remove(REST)?.open()?).ok()?;
    memory.frequencies = parts.remove(FREQUENCIES)?.open()?;
    for day in &mut memory.seen {
        day.hashes = Hashes::kept(Arc::new(parts.remove(&name_of_day(key, &day.source, day.day))?));
    }
    // In order of their names, which is that of their numbers.
    for (name, sealed) in parts {
        if !name.starts_with(CARRIED) {
            return None;
        }
        let content = sealed.open()?;
        let (mut part, bytes) = split::<CarriedPart>(&content)?;
        part.bytes = bytes.to_vec();
        memory.carried.push(part);
    }
    Some(memory)
}

/// The head as JSON behind its length, then the bytes as they are: JSON would make four of each.
fn joined(head: &impl Serialize, bytes: &[u8]) -> serde_json::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    Ok([&(head.len() as u64).to_le_bytes(), &head[..], bytes].concat())
}

pub(super) fn split<H: DeserializeOwned>(content: &[u8]) -> Option<(H, &[u8])> {
    let (length, rest) = content.split_at_checked(8)?;
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let (head, bytes) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(head).ok()?, bytes))
}
