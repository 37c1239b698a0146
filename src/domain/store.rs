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

/// Bytes of a piece; a thing that is larger has a piece of its own. Allocators lay blocks of this size beside the small ones that a program
/// is full of, so that the memory of either serves the other once it is given back.
const PIECE: usize = 10 << 10;

/// Things on their way into a store, packed one behind the other in pieces.
#[derive(Debug, Default)]
pub struct Parcel {
    /// The last of them is being filled.
    pieces: Vec<Vec<u8>>,
    /// Of each thing: its piece, and where it ends there.
    ends: Vec<(usize, usize)>,
    /// The thing at hand.
    packed: Vec<u8>,
}

impl Parcel {
    pub fn add(&mut self, thing: &impl Pack) {
        self.packed.clear();
        thing.pack(&mut self.packed);
        let length = self.packed.len();
        let piece = match self.pieces.last_mut().filter(|piece| piece.len() + length <= PIECE) {
            Some(piece) => piece,
            None => self.pieces.push_mut(Vec::with_capacity(length.max(PIECE))),
        };
        piece.extend_from_slice(&self.packed);
        let end = piece.len();
        self.ends.push((self.pieces.len() - 1, end));
    }

    /// Puts everything into the store, and tells where each thing lies.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn keep(mut self, store: &dyn Store) -> io::Result<Vec<Kept>> {
        if let Some(last) = self.pieces.last_mut() {
            last.shrink_to_fit();
        }
        let numbers: Vec<u32> = self.pieces.into_iter().map(|piece| store.keep(piece)).collect::<io::Result<_>>()?;
        let short = |length: usize| u32::try_from(length).map_err(|_| io::Error::other("a group of more than 4 GiB"));
        let (mut at, mut from) = (0, 0);
        let place = |(piece, end): (usize, usize)| {
            if piece != at {
                (at, from) = (piece, 0);
            }
            let number = numbers.get(piece).copied().ok_or_else(never_kept)?;
            let kept = Kept { piece: number, from: short(from)?, length: short(end - from)? };
            from = end;
            Ok(kept)
        };
        self.ends.into_iter().map(place).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_back_from_the_pieces_that_they_fill() {
        let things: Vec<String> = (0..40).map(|number| "x".repeat(number * number * 16)).collect();
        let (store, mut parcel) = (InMemory::default(), Parcel::default());
        things.iter().for_each(|thing| parcel.add(thing));
        let kept = parcel.keep(&store).unwrap();
        let mut unpacker = Unpacker::default();
        let back: Vec<String> = kept.iter().map(|kept| unpacker.take(&store, *kept).unwrap()).collect();
        assert_eq!(back, things);
        let shared = kept.windows(2).filter(|pair| pair[0].piece == pair[1].piece).count();
        assert!((10..30).contains(&shared), "small things share a piece, large ones do not: {shared}");
        let pieces = store.0.read().unwrap();
        let alone = |piece: usize| kept.iter().filter(|kept| kept.piece as usize == piece).count() == 1;
        assert!(pieces.iter().enumerate().all(|(number, piece)| piece.len() <= PIECE || alone(number)));
        assert!(Parcel::default().keep(&store).unwrap().is_empty());
    }
}
