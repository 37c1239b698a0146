//! Keyed rows: what pass one keeps of a record, 48 bytes for each net it may be caught in.

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

/// What a row is for.
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
    /// For the net of records: used, ignored and rejected.
    Used,
    Ignored,
    Rejected,
}

impl Part {
    const ALL: [Part; 9] = [
        Self::Attempt,
        Self::Ineffective,
        Self::Reversal,
        Self::Proof,
        Self::Idempotent,
        Self::Accompanying,
        Self::Used,
        Self::Ignored,
        Self::Rejected,
    ];

    pub fn is_attempt(self) -> bool {
        matches!(self, Self::Attempt | Self::Ineffective)
    }
}

/// One record in one net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// XXH3-128 of the net and the length-prefixed values that it compares.
    pub hash: u128,
    /// Nanoseconds since 1970; for nets with a window of days the local wall clock.
    pub time: i64,
    pub place: Place,
    /// What the net needs besides: the operation that the hash leaves out, the number of the operation, or packed [`RecordFacts`].
    pub extra: u64,
    /// Index of the rule, source or proof that the net belongs to.
    pub index: u16,
    pub net: Net,
    pub part: Part,
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
    /// Records by their own id.
    RecordId,
    /// Records without an id by their text.
    RecordText,
    /// The fields by which a proof matches.
    Proof,
    /// Effect ids, for reversals that name what they undo.
    EffectId,
}

impl Net {
    const ALL: [Net; 8] = [
        Self::Fingerprint,
        Self::RequestKey,
        Self::Idempotent,
        Self::Accompanying,
        Self::RecordId,
        Self::RecordText,
        Self::Proof,
        Self::EffectId,
    ];
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

/// Bytes of a row on disk.
pub const ROW_BYTES: usize = 48;

impl Row {
    pub fn to_bytes(self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        bytes[..16].copy_from_slice(&self.hash.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.time.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.place.0.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.extra.to_le_bytes());
        bytes[40..42].copy_from_slice(&self.index.to_le_bytes());
        bytes[42] = self.part as u8;
        bytes[43] = self.net as u8;
        bytes
    }

    /// The row written by [`Row::to_bytes`]; None when the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        Some(Self {
            hash: u128::from_le_bytes(bytes.get(..16)?.try_into().ok()?),
            time: word(16)? as i64,
            place: Place(word(24)?),
            extra: word(32)?,
            index: u16::from_le_bytes(bytes.get(40..42)?.try_into().ok()?),
            net: *Net::ALL.get(usize::from(*bytes.get(43)?))?,
            part: *Part::ALL.get(usize::from(*bytes.get(42)?))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_the_disk() {
        for (number, part) in Part::ALL.into_iter().enumerate() {
            let place = Place::new(MOST_BLOCKS - 1, (1 << 20) - 1, 17 + number);
            let row = Row { hash: u128::MAX - 5, time: -3, place, extra: 9, index: 511, net: Net::Proof, part };
            assert_eq!(Row::from_bytes(&row.to_bytes()), Some(row));
        }
        assert_eq!(Row::from_bytes(&[255; ROW_BYTES]), None);
        assert_eq!(Row::from_bytes(&[0; 40]), None);
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
