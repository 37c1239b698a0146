//! A spool: pieces of bytes in memory while the budget lasts, beyond it in one unlinked temporary file.

use super::partitions::{Budget, SpillError};
use crate::domain::store::{Kept, Store, never_kept};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// A store of packed things that keeps to the budget of a scan.
pub struct Spool {
    budget: Arc<Budget>,
    pieces: RwLock<Vec<Piece>>,
    file: Mutex<Option<(File, u64)>>,
}

enum Piece {
    Held(Vec<u8>),
    /// Where it begins in the file.
    Spilled(u64),
}

impl Spool {
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), pieces: RwLock::default(), file: Mutex::new(None) }
    }

    /// As [`Store::keep`].
    pub fn put(&self, bytes: Vec<u8>) -> Result<u32, SpillError> {
        let piece = if self.budget.claim(bytes.len()) { Piece::Held(bytes) } else { Piece::Spilled(self.spill(&bytes)?) };
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(pieces.len()).map_err(|_| self.trouble(0, io::Error::other("too many pieces")))?;
        pieces.push(piece);
        Ok(number)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(File, u64)>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trouble(&self, bytes: u64, reason: io::Error) -> SpillError {
        SpillError::Write { folder: self.budget.folder().to_owned(), bytes, reason }
    }

    fn spill(&self, bytes: &[u8]) -> Result<u64, SpillError> {
        let mut file = self.lock();
        let (file, end) = match &mut *file {
            Some(open) => open,
            none => none.insert((self.budget.temporary_file()?, 0)),
        };
        let at = *end;
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes)).map_err(|reason| self.trouble(at, reason))?;
        *end += bytes.len() as u64;
        Ok(at)
    }

    fn read_back(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let trouble = |reason| io::Error::other(SpillError::Read { folder: self.budget.folder().to_owned(), reason });
        match &mut *self.lock() {
            Some((file, _)) => file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(into)).map_err(trouble),
            None => Err(never_kept()),
        }
    }
}

impl Store for Spool {
    fn keep(&self, piece: Vec<u8>) -> io::Result<u32> {
        self.put(piece).map_err(io::Error::other)
    }

    fn read(&self, kept: Kept, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        match pieces.get(kept.piece as usize).ok_or_else(never_kept)? {
            Piece::Held(piece) => {
                into.extend_from_slice(kept.within(piece).ok_or_else(never_kept)?);
                Ok(())
            }
            Piece::Spilled(at) => {
                into.resize(kept.length as usize, 0);
                self.read_back(at + u64::from(kept.from), into)
            }
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let pieces = self.pieces.get_mut().unwrap_or_else(PoisonError::into_inner);
        let held = pieces.iter().map(|piece| if let Piece::Held(bytes) = piece { bytes.len() } else { 0 });
        self.budget.release(held.sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes back of pieces that were put in on two threads, and how many of them the budget held.
    fn round_trip(bytes: usize) -> usize {
        let budget = Arc::new(Budget::new(bytes, std::env::temp_dir()));
        let spool = Spool::new(&budget);
        let piece = |number: u32| -> Vec<u8> { (0..=number).flat_map(u32::to_le_bytes).collect() };
        std::thread::scope(|scope| {
            for from in [0, 200] {
                let spool = &spool;
                scope.spawn(move || {
                    let numbers: Vec<u32> = (from..from + 200).map(|size| spool.put(piece(size)).unwrap()).collect();
                    for (size, number) in (from..from + 200).zip(numbers) {
                        let mut back = Vec::new();
                        spool.read(Kept { piece: number, from: 0, length: size * 4 + 4 }, &mut back).unwrap();
                        assert_eq!(back, piece(size));
                        spool.read(Kept { piece: number, from: size * 4, length: 4 }, &mut back).unwrap();
                        assert_eq!(back, size.to_le_bytes());
                    }
                });
            }
        });
        let nowhere = spool.read(Kept { piece: 400, from: 0, length: 1 }, &mut Vec::new());
        assert!(nowhere.is_err());
        let held = |spool: &Spool| spool.pieces.read().unwrap().iter().filter(|piece| matches!(piece, Piece::Held(_))).count();
        let count = held(&spool);
        drop(spool);
        assert!(budget.claim(bytes), "the budget is whole again");
        count
    }

    #[test]
    fn spilled_pieces_are_the_same_pieces() {
        assert_eq!(round_trip(1 << 30), 400);
        assert_eq!(round_trip(0), 0);
        let some = round_trip(100_000);
        assert!((1..400).contains(&some), "{some}");
    }
}
