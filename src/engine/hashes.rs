//! Hashes: of lists of values, for as long as a scan lasts; and of records, for good.

use super::row::{KnownBy, Net};
use xxhash_rust::xxh3::xxh3_128;

/// An odd number without a pattern: 2^128 divided by the golden ratio, rounded up.
const ODD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

/// The hash of a list of values in one net. It lives as long as a scan.
///
/// Each value is hashed by itself, so that it need be hashed only once for all lists that it is in; neither order nor borders between values
/// can be mistaken.
pub struct Chain(u128);

impl Chain {
    /// `index` tells apart lists of one net that must never meet.
    #[inline]
    pub fn new(net: Net, index: usize) -> Self {
        Self(((net as u128) << 64 | index as u128).wrapping_mul(ODD))
    }

    /// The hash of one value.
    #[inline]
    pub fn of(net: Net, index: usize, value: &str) -> u128 {
        let mut chain = Self::new(net, index);
        chain.add(Some(of_value(value)));
        chain.hash()
    }

    /// Adds the hash of a value, or the mark of an absent one.
    #[inline]
    pub fn add(&mut self, of_value: Option<u128>) {
        self.0 = self.0.rotate_left(67).wrapping_add(of_value.unwrap_or(ODD)).wrapping_mul(ODD);
    }

    #[inline]
    pub fn hash(self) -> u128 {
        self.0
    }
}

/// The hash of one value by itself.
#[inline]
pub fn of_value(value: &str) -> u128 {
    xxh3_128(value.as_bytes())
}

/// The hash by which a record is known again, of the name of its source and what tells it from others. A state remembers it, so it must
/// stay what it is.
pub fn identity(known_by: KnownBy, source: &str, value: &str, buffer: &mut Vec<u8>) -> u128 {
    buffer.clear();
    buffer.extend_from_slice(&[known_by as u8, 0, 0]);
    frame(Some(source), buffer);
    frame(Some(value), buffer);
    xxh3_128(buffer)
}

/// Length and bytes of a value, or the mark of an absent one: no two lists of values have the same frames.
#[inline]
pub fn frame(value: Option<&str>, buffer: &mut Vec<u8>) {
    match value {
        None => buffer.extend_from_slice(&u32::MAX.to_le_bytes()),
        Some(text) => {
            buffer.extend_from_slice(&(text.len() as u32).to_le_bytes());
            buffer.extend_from_slice(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list is more than its text.
    #[test]
    fn lists_that_look_alike_differ() {
        let lists: [&[Option<&str>]; 8] = [
            &[Some("a"), Some("b")],
            &[Some("b"), Some("a")],
            &[Some("ab")],
            &[Some("a"), None, Some("b")],
            &[None, Some("a"), Some("b")],
            &[Some("a"), Some("b"), None],
            &[Some("a"), Some("a"), Some("b")],
            &[],
        ];
        let hash = |net, index, list: &[Option<&str>]| {
            let mut chain = Chain::new(net, index);
            list.iter().for_each(|value| chain.add(value.map(of_value)));
            chain.hash()
        };
        let nets = [(Net::Fingerprint, 0), (Net::Fingerprint, 1), (Net::RequestKey, 0)];
        let mut hashes: Vec<u128> =
            nets.iter().flat_map(|(net, index)| lists.iter().map(|list| hash(*net, *index, list))).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), nets.len() * lists.len());
    }

    const ID: &str = "b2ee8e5fd953d51c4bba5577b4f73406";
    const TEXT: &str = "9becfc533924dd50dd79e8275c9d5d7c";

    /// What states of earlier versions remember.
    #[test]
    fn records_are_known_for_good() {
        let mut buffer = Vec::new();
        let by_id = identity(KnownBy::Id, "shop", "ch_1", &mut buffer);
        let by_text = identity(KnownBy::Text, "shop", "ch_1", &mut buffer);
        assert_eq!((format!("{by_id:032x}"), format!("{by_text:032x}")), (ID.to_owned(), TEXT.to_owned()));
    }
}
