//! A memory as parts that are kept one by one: what did not change since the night before is not written again.

use crate::domain::memory::{CarriedPart, Memory, SeenDay};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Everything small.
const REST: &str = "memory";
const FREQUENCIES: &str = "frequencies";
const CARRIED: &str = "carried/";
const SEEN: &str = "seen/";
/// Digits of a part's number, so that names sort as numbers do.
const DIGITS: usize = 8;

/// The parts by name. Names hold nothing of a record.
pub(super) fn apart(mut memory: Memory) -> serde_json::Result<BTreeMap<String, Vec<u8>>> {
    let mut parts = BTreeMap::new();
    for (number, mut part) in std::mem::take(&mut memory.carried).into_iter().enumerate() {
        let bytes = std::mem::take(&mut part.bytes);
        parts.insert(format!("{CARRIED}{number:0DIGITS$}"), joined(&part, &bytes)?);
    }
    for (number, mut day) in std::mem::take(&mut memory.seen).into_iter().enumerate() {
        let hashes: Vec<u8> = std::mem::take(&mut day.hashes).into_iter().flat_map(u64::to_le_bytes).collect();
        parts.insert(format!("{SEEN}{number:0DIGITS$}"), joined(&day, &hashes)?);
    }
    parts.insert(FREQUENCIES.to_owned(), std::mem::take(&mut memory.frequencies));
    parts.insert(REST.to_owned(), serde_json::to_vec(&memory)?);
    Ok(parts)
}

/// None where the parts do not make a memory.
pub(super) fn together(mut parts: BTreeMap<String, Vec<u8>>) -> Option<Memory> {
    let mut memory: Memory = serde_json::from_slice(&parts.remove(REST)?).ok()?;
    memory.frequencies = parts.remove(FREQUENCIES)?;
    // In order of their names, which is that of their numbers.
    for (name, content) in parts {
        if name.starts_with(CARRIED) {
            let (mut part, bytes) = split::<CarriedPart>(&content)?;
            part.bytes = bytes.to_vec();
            memory.carried.push(part);
        } else if name.starts_with(SEEN) {
            let (mut day, hashes) = split::<SeenDay>(&content)?;
            let (hashes, rest) = hashes.as_chunks::<8>();
            if !rest.is_empty() {
                return None;
            }
            day.hashes = hashes.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
            memory.seen.push(day);
        } else {
            return None;
        }
    }
    Some(memory)
}

/// The head as JSON behind its length, then the bytes as they are: JSON would make four of each.
fn joined(head: &impl Serialize, bytes: &[u8]) -> serde_json::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    Ok([&(head.len() as u64).to_le_bytes(), &head[..], bytes].concat())
}

fn split<H: DeserializeOwned>(content: &[u8]) -> Option<(H, &[u8])> {
    let (length, rest) = content.split_at_checked(8)?;
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let (head, bytes) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(head).ok()?, bytes))
}
