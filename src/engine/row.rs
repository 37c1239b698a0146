//! Keyed rows: what pass one keeps of a record, 32 bytes for each net of operations that it may be caught in, 48 to know the record again.

use crate::rules::MOST_OF_A_KIND;

/// Where a record stands: number of its block, its ordinal in the block, and the byte at which it starts there.
///
/// Blocks hold fewer than 2^20 records, each of which starts below 2^20 (the contract of [`crate::domain::record::Blocks`]); 2^24
/// blocks of the usual size are 4 TiB of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u64);

/// The most blocks one scan can hold.
pub const MOST_BLOCKS: usize = 1 << 24;

const WITHIN: u64 = (1 << 20) - 1;

impl Place {
    pub fn new(block: usize, row: u32, start: usize) -> Self {
        Self(((block as u64) << 40) | ((u64::from(row) & WITHIN) << 20) | (start as u64 & WITHIN))
    }

    pub fn block(self) -> usize {
        (self.0 >> 40) as usize
    }

    /// 0-based ordinal of the record in its block.
    pub fn row(self) -> u32 {
        (self.0 >> 20 & WITHIN) as u32
    }

    /// Byte in the block at which the record starts.
    pub fn start(self) -> usize {
        (self.0 & WITHIN) as usize
    }

    /// The same record under another number of its block.
    pub fn in_block(self, block: usize) -> Self {
        Self(self.0 & ((1 << 40) - 1) | (block as u64) << 40)
    }
}

/// A row as its store keeps it.
pub trait Stored: Copy + Send + Sync {
    /// Bytes of a row on disk.
    const BYTES: usize;
    /// The partition that it belongs to: the first byte of its hash.
    fn partition(&self) -> usize;
    /// Adds its bytes.
    fn write(&self, bytes: &mut Vec<u8>);
    /// The row that [`Stored::write`] wrote; None when the bytes are not one.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// What a row of operations is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Part {
    /// An attempt that took effect, or may have.
    Attempt,
    /// An attempt that certainly had no effect of its own: it failed, or was answered with a known result.
    Ineffective,
    /// Undoes an effect.
    Reversal,
    /// A record of a proof source that took effect.
    Proof,
    /// An operation that is naturally idempotent, and that the rule does not name.
    Idempotent,
    /// A record that only accompanies attempts (its outcome is listed under `ignore`).
    Accompanying,
    /// Undoes an effect, and stands here under its own id, so that a later record of it is found.
    NamedReversal,
    /// Says that a reversal failed, or was itself undone.
    EndedReversal,
}

impl Part {
    const ALL: [Part; 8] = [
        Self::Attempt,
        Self::Ineffective,
        Self::Reversal,
        Self::Proof,
        Self::Idempotent,
        Self::Accompanying,
        Self::NamedReversal,
        Self::EndedReversal,
    ];

    pub fn is_attempt(self) -> bool {
        matches!(self, Self::Attempt | Self::Ineffective)
    }
}

/// Families of keys that never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Net {
    /// The fields that a rule names.
    Fingerprint,
    /// Request keys, for rules with `by_key`.
    RequestKey,
    /// The fingerprints of naturally idempotent operations that a rule does not name.
    Idempotent,
    /// The fingerprints of records that only accompany attempts.
    Accompanying,
    /// The fields by which a proof matches.
    Proof,
    /// Effect ids, for reversals that name what they undo.
    EffectId,
}

impl Net {
    const ALL: [Net; 6] =
        [Self::Fingerprint, Self::RequestKey, Self::Idempotent, Self::Accompanying, Self::Proof, Self::EffectId];
}

/// What a row of operations says besides its hash, its time and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    pub net: Net,
    /// Index of the rule or proof that the net belongs to; below [`MOST_OF_A_KIND`].
    pub index: usize,
    pub part: Part,
    /// Tells apart what shares a hash: the operation that the hash leaves out, or the number of the operation. 24 bits of it are kept.
    pub kin: u32,
}

const KIN_BITS: u32 = 24;
const PART_BITS: u32 = 4;
const NET_BITS: u32 = 3;
const INDEX_BITS: u32 = MOST_OF_A_KIND.ilog2();
/// Bits of the hash beyond the first 64. Of a billion rows with different values two share all 84 bits in one log of forty million.
const HASH_BITS: u32 = u64::BITS - INDEX_BITS - NET_BITS - PART_BITS - KIN_BITS;

/// One record in one net of operations. Small, because to touch fresh memory costs as much as all that is done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first 64 bits of the hash.
    head: u64,
    /// From the lowest bit on: kin, part, net, index, the next bits of the hash.
    rest: u64,
    /// Nanoseconds since 1970; for nets with a window of days the local wall clock.
    pub time: i64,
    pub place: Place,
}

/// As much of the hash as a row keeps. Ordered as the hashes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u64, u32);

impl Row {
    /// `hash` is of the net and the values that it compares ([`super::keyer::Chain`]).
    #[inline]
    pub fn new(hash: u128, tag: Tag, time: i64, place: Place) -> Self {
        let Tag { net, index, part, kin } = tag;
        let mut rest = (hash as u64) >> (u64::BITS - HASH_BITS);
        rest = rest << INDEX_BITS | (index as u64 & (MOST_OF_A_KIND as u64 - 1));
        rest = rest << NET_BITS | net as u64;
        rest = rest << PART_BITS | part as u64;
        rest = rest << KIN_BITS | u64::from(kin & ((1 << KIN_BITS) - 1));
        Self { head: (hash >> 64) as u64, rest, time, place }
    }

    #[inline]
    pub fn key(&self) -> Key {
        Key(self.head, (self.rest >> (u64::BITS - HASH_BITS)) as u32)
    }

    /// A few bits of the hash that rows of one partition do not share.
    #[inline]
    pub fn slot(&self) -> usize {
        self.head as usize
    }

    #[inline]
    pub fn kin(&self) -> u32 {
        (self.rest & ((1 << KIN_BITS) - 1)) as u32
    }

    #[inline]
    pub fn part(&self) -> Part {
        let part = self.rest >> KIN_BITS & ((1 << PART_BITS) - 1);
        // Every row was made of one of them, or read back with a check.
        Part::ALL.get(part as usize).copied().unwrap_or(Part::Accompanying)
    }

    pub fn net(&self) -> Net {
        let net = self.rest >> (KIN_BITS + PART_BITS) & ((1 << NET_BITS) - 1);
        Net::ALL.get(net as usize).copied().unwrap_or(Net::Accompanying)
    }

    /// Index of the rule or proof.
    pub fn index(&self) -> usize {
        (self.rest >> (KIN_BITS + PART_BITS + NET_BITS) & (MOST_OF_A_KIND as u64 - 1)) as usize
    }
}

impl Stored for Row {
    const BYTES: usize = 32;

    #[inline]
    fn partition(&self) -> usize {
        (self.head >> 56) as usize
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for word in [self.head, self.rest, self.time as u64, self.place.0] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [head, rest, time, place] = words(bytes)?;
        let row = Self { head, rest, time: time as i64, place: Place(place) };
        let part = (rest >> KIN_BITS & ((1 << PART_BITS) - 1)) as usize;
        let net = (rest >> (KIN_BITS + PART_BITS) & ((1 << NET_BITS) - 1)) as usize;
        (part < Part::ALL.len() && net < Net::ALL.len()).then_some(row)
    }
}

/// What became of a record in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fate {
    Used,
    Ignored,
    Rejected,
}

/// By what a record is known when it comes again. A state remembers hashes that these numbers are part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum KnownBy {
    /// Its own id.
    Id = 4,
    /// Its text, where it has none.
    Text = 5,
}

/// One record in the net of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// Of what it is known by ([`super::keyer::identity`]); whole, because here nothing compares the values themselves.
    pub hash: u128,
    /// Nanoseconds since 1970.
    pub time: i64,
    pub place: Place,
    /// Packed [`RecordFacts`].
    pub facts: u64,
    /// Index of the source.
    pub source: u16,
    pub known_by: KnownBy,
    pub fate: Fate,
}

impl Stored for RecordRow {
    const BYTES: usize = 48;

    #[inline]
    fn partition(&self) -> usize {
        (self.hash >> 120) as usize
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let tag = u64::from(self.source) << 16 | (self.known_by as u64) << 8 | self.fate as u64;
        let words = [(self.hash >> 64) as u64, self.hash as u64, self.time as u64, self.place.0, self.facts, tag];
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [head, tail, time, place, facts, tag] = words(bytes)?;
        Some(Self {
            hash: u128::from(head) << 64 | u128::from(tail),
            time: time as i64,
            place: Place(place),
            facts,
            source: u16::try_from(tag >> 16).ok()?,
            known_by: [KnownBy::Id, KnownBy::Text].into_iter().find(|known_by| *known_by as u8 == (tag >> 8) as u8)?,
            fate: [Fate::Used, Fate::Ignored, Fate::Rejected].into_iter().find(|fate| *fate as u8 == tag as u8)?,
        })
    }
}

/// So many words of eight bytes, when the bytes are just these.
fn words<const N: usize>(bytes: &[u8]) -> Option<[u64; N]> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: &[[u8; 8]; N] = words.try_into().ok()?;
    rest.is_empty().then(|| words.map(u64::from_le_bytes))
}

/// What the net of records keeps of each: enough to tell which of several states of a record is the newest, and to take the others out of
/// the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordFacts {
    /// Number of the operation.
    pub operation: u16,
    /// It was counted as an attempt of its operation.
    pub is_attempt: bool,
    pub has_key: bool,
    /// How far the record's state lies on its way: of two states at one time the further one is the newer. Up to 7.
    pub progress: u8,
    /// Hash of the record's text; 43 bits of it are kept.
    pub content: u64,
}

impl RecordFacts {
    const CONTENT_BITS: u32 = 43;

    /// Ordered by progress, then by content.
    pub fn pack(self) -> u64 {
        let content = self.content & ((1 << Self::CONTENT_BITS) - 1);
        u64::from(self.progress) << 61
            | content << 18
            | u64::from(self.is_attempt) << 17
            | u64::from(self.has_key) << 16
            | u64::from(self.operation)
    }

    pub fn unpack(packed: u64) -> Self {
        Self {
            operation: packed as u16,
            has_key: packed >> 16 & 1 == 1,
            is_attempt: packed >> 17 & 1 == 1,
            progress: (packed >> 61) as u8,
            content: packed >> 18 & ((1 << Self::CONTENT_BITS) - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: u128 = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210;

    fn back<R: Stored>(row: R) -> Option<R> {
        let mut bytes = Vec::new();
        row.write(&mut bytes);
        assert_eq!(bytes.len(), R::BYTES);
        R::read(&bytes)
    }

    #[test]
    fn rows_keep_what_they_are_made_of() {
        assert_eq!(size_of::<Row>(), Row::BYTES);
        for (net, part) in Net::ALL.into_iter().flat_map(|net| Part::ALL.map(|part| (net, part))) {
            let place = Place::new(MOST_BLOCKS - 1, (1 << 20) - 1, 17);
            let tag = Tag { net, index: MOST_OF_A_KIND - 1, part, kin: (1 << 24) - 2 };
            let row = Row::new(HASH, tag, -3, place);
            let told = Tag { net: row.net(), index: row.index(), part: row.part(), kin: row.kin() };
            assert_eq!((told, row.time, row.place, row.partition()), (tag, -3, place, 1));
            assert_eq!(row.key(), Key(0x0123_4567_89AB_CDEF, 0xF_EDCB));
            assert_eq!(back(row), Some(row));
        }
        assert_eq!(Row::read(&[255; 32]), None, "no such part");
        assert_eq!(Row::read(&[0; 40]), None);
    }

    #[test]
    fn rows_of_records_survive_the_disk() {
        for (known_by, fate) in [(KnownBy::Id, Fate::Used), (KnownBy::Text, Fate::Ignored), (KnownBy::Id, Fate::Rejected)] {
            let row = RecordRow { hash: HASH, time: i64::MIN, place: Place::new(3, 4, 5), facts: 6, source: 511, known_by, fate };
            assert_eq!((back(row), row.partition()), (Some(row), 1));
        }
        assert_eq!(RecordRow::read(&[0; 48]), None, "known by nothing");
    }

    #[test]
    fn facts_pack() {
        let facts = RecordFacts { operation: 65_535, is_attempt: true, has_key: false, progress: 7, content: (1 << 43) - 2 };
        assert_eq!(RecordFacts::unpack(facts.pack()), facts);
        let less = RecordFacts { progress: 6, content: (1 << 43) - 1, ..facts };
        assert!(less.pack() < facts.pack(), "progress outranks content");
    }

    #[test]
    fn places_pack() {
        let place = Place::new(70_000, 1_000_000, 1_048_575);
        assert_eq!((place.block(), place.row(), place.start()), (70_000, 1_000_000, 1_048_575));
        assert_eq!(place.in_block(3), Place::new(3, 1_000_000, 1_048_575));
    }
}
