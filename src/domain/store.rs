//! A store: where packed things lie until they are asked for again. Only the trait and the plain one in memory; no input, no output.

use super::packed::{Names, Pack, unpacked};
use std::io;
use std::sync::{PoisonError, RwLock};

/// Keeps pieces of bytes, in memory or elsewhere.
pub trait Store: Send + Sync {
    /// Keeps a piece, and gives its number.
    ///
    /// # Errors
    /// There is no room for it.
    fn keep(&self, piece: Vec<u8>) -> io::Result<u32>;

    /// Puts these bytes of a piece in place of what `into` holds.
    ///
    /// # Errors
    /// They cannot be read back, or were never kept.
    fn read(&self, kept: Kept, into: &mut Vec<u8>) -> io::Result<()>;
}

/// Where one thing lies in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub piece: u32,
    pub from: u32,
    pub length: u32,
}

/// Things on their way into a store, packed one behind the other.
#[derive(Debug, Default)]
pub struct Parcel {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Parcel {
    pub fn add(&mut self, thing: &impl Pack) {
        thing.pack(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Puts everything into the store, and tells where each thing lies.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn keep(self, store: &dyn Store) -> io::Result<Vec<Kept>> {
        let Self { mut bytes, ends } = self;
        if ends.is_empty() {
            return Ok(Vec::new());
        }
        let short = |length: usize| u32::try_from(length).map_err(|_| io::Error::other("a group of more than 4 GiB"));
        bytes.shrink_to_fit();
        let piece = store.keep(bytes)?;
        let mut from = 0;
        let place = |end: usize| {
            let kept = Kept { piece, from: short(from)?, length: short(end - from)? };
            from = end;
            Ok(kept)
        };
        ends.into_iter().map(place).collect()
    }
}

/// Takes things out of a store, with the memory and the names of those that it took out before.
#[derive(Default)]
pub struct Unpacker {
    bytes: Vec<u8>,
    names: Names,
}

impl Unpacker {
    /// # Errors
    /// The thing cannot be read back, or the bytes are those of another kind of thing.
    pub fn take<T: Pack>(&mut self, store: &dyn Store, kept: Kept) -> io::Result<T> {
        store.read(kept, &mut self.bytes)?;
        unpacked(&self.bytes, &mut self.names)
    }
}

/// Keeps everything in memory.
#[derive(Debug, Default)]
pub struct InMemory(RwLock<Vec<Vec<u8>>>);

impl Store for InMemory {
    fn keep(&self, piece: Vec<u8>) -> io::Result<u32> {
        let mut pieces = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(pieces.len()).map_err(|_| io::Error::other("a store is full"))?;
        pieces.push(piece);
        Ok(number)
    }

    fn read(&self, kept: Kept, into: &mut Vec<u8>) -> io::Result<()> {
        let pieces = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let piece = pieces.get(kept.piece as usize).map(Vec::as_slice);
        let bytes = piece.and_then(|piece| kept.within(piece)).ok_or_else(never_kept)?;
        into.clear();
        into.extend_from_slice(bytes);
        Ok(())
    }
}

impl Kept {
    /// The thing's bytes out of its piece.
    pub fn within(self, piece: &[u8]) -> Option<&[u8]> {
        piece.get(self.from as usize..)?.get(..self.length as usize)
    }
}

/// A defect: somebody asks a store for what another one keeps.
pub fn never_kept() -> io::Error {
    io::Error::other("a store does not hold what it is asked for")
}
