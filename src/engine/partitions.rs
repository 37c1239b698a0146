//! Rows by the first byte of their hash, in memory up to a budget, beyond it in one unlinked temporary file.

use super::row::Stored;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;

/// Partitions of one store.
pub const PARTITIONS: usize = 256;

/// Rows that a writer gathers for one partition before it hands them over. Of those of operations a few bytes less than 10 KiB: the largest
/// blocks that the allocator lays beside the small ones of later steps, which then take the memory of rows that are done with.
const CHUNK: usize = 319;

/// Rows that a writer gathers before it parts them: 64 KiB, which stay in its processor's cache. The memory of a partition does not: to wait
/// for it once for each row takes longer than everything else that is done to a row.
const FRESH: usize = 2048;

/// Trouble with the temporary file.
#[derive(Debug, Error)]
pub enum SpillError {
    #[error("{}: cannot make a temporary file: {reason}; free space there or set --temp-dir", folder.display())]
    Create { folder: PathBuf, reason: std::io::Error },
    #[error("{}: cannot write the temporary file after {bytes} bytes: {reason}; free space there, set --temp-dir, or raise --max-memory", folder.display())]
    Write { folder: PathBuf, bytes: u64, reason: std::io::Error },
    #[error("{}: cannot read the temporary file back: {reason}", folder.display())]
    Read { folder: PathBuf, reason: std::io::Error },
}

/// How much memory a scan may take for what grows with its input, rows and packed records, and where that goes beyond it.
pub struct Budget {
    most: usize,
    held: AtomicUsize,
    folder: PathBuf,
}

impl Budget {
    /// `bytes` for everything together; what is about to be written, at most one chunk for each partition and thread, comes on top.
    pub fn new(bytes: usize, folder: PathBuf) -> Self {
        Self { most: bytes, held: AtomicUsize::new(0), folder }
    }

    /// True when there is room for so many bytes, which are then taken up.
    pub fn claim(&self, bytes: usize) -> bool {
        let fits = self.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= self.most;
        if !fits {
            self.release(bytes);
        }
        fits
    }

    /// Gives back what was claimed.
    pub fn release(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Where temporary files lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file that nobody else sees, and that goes when it is closed.
    pub fn temporary_file(&self) -> Result<File, SpillError> {
        tempfile::tempfile_in(&self.folder).map_err(|reason| SpillError::Create { folder: self.folder.clone(), reason })
    }
}

/// A store of rows.
pub struct Partitions<'b, R: Stored> {
    budget: &'b Budget,
    shards: Vec<Mutex<Shard<R>>>,
    spill: Mutex<Option<Spill>>,
}

struct Shard<R> {
    chunks: Vec<Vec<R>>,
    /// Offset and number of rows of each spilled chunk.
    spilled: Vec<(u64, usize)>,
    rows: usize,
}

impl<R> Default for Shard<R> {
    fn default() -> Self {
        Self { chunks: Vec::new(), spilled: Vec::new(), rows: 0 }
    }
}

struct Spill {
    file: File,
    end: u64,
}

impl<'b, R: Stored> Partitions<'b, R> {
    pub fn new(budget: &'b Budget) -> Self {
        Self { budget, shards: (0..PARTITIONS).map(|_| Mutex::default()).collect(), spill: Mutex::new(None) }
    }

    /// A writer for one thread.
    pub fn writer(&self) -> Writer<'_, 'b, R> {
        Writer { store: self, fresh: Vec::new(), local: vec![Vec::new(); PARTITIONS] }
    }

    /// Rows of one partition.
    pub fn rows_in(&self, partition: usize) -> usize {
        self.shards.get(partition).map_or(0, |shard| lock(shard).rows)
    }

    fn put(&self, partition: usize, chunk: Vec<R>) -> Result<(), SpillError> {
        let rows = chunk.len();
        let spilled = if self.budget.claim(rows * R::BYTES) { None } else { Some(self.spill(&chunk)?) };
        let mut shard = lock(&self.shards[partition]);
        shard.rows += rows;
        match spilled {
            Some(offset) => shard.spilled.push((offset, rows)),
            None => shard.chunks.push(chunk),
        }
        Ok(())
    }

    fn spill(&self, chunk: &[R]) -> Result<u64, SpillError> {
        let mut bytes = Vec::with_capacity(chunk.len() * R::BYTES);
        chunk.iter().for_each(|row| row.write(&mut bytes));
        let folder = &self.budget.folder;
        let mut spill = lock(&self.spill);
        let spill = match &mut *spill {
            Some(spill) => spill,
            none => none.insert(Spill { file: self.budget.temporary_file()?, end: 0 }),
        };
        let offset = spill.end;
        spill
            .file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| spill.file.write_all(&bytes))
            .map_err(|reason| SpillError::Write { folder: folder.clone(), bytes: offset, reason })?;
        spill.end += bytes.len() as u64;
        Ok(offset)
    }

    /// Takes all rows of one partition out of the store, in no particular order, in the chunks in which they lie there: memory is not
    /// copied.
    pub fn take(&self, partition: usize) -> Result<Vec<Vec<R>>, SpillError> {
        let Some(shard) = self.shards.get(partition) else {
            return Ok(Vec::new());
        };
        let Shard { mut chunks, spilled, .. } = std::mem::take(&mut *lock(shard));
        self.budget.release(rows_of(&chunks) * R::BYTES);
        for (offset, count) in spilled {
            chunks.push(self.read_back(offset, count)?);
        }
        Ok(chunks)
    }

    /// A copy of all rows of one partition, in no particular order.
    pub fn load(&self, partition: usize) -> Result<Vec<R>, SpillError> {
        let Some(shard) = self.shards.get(partition) else {
            return Ok(Vec::new());
        };
        let shard = lock(shard);
        let mut rows = Vec::with_capacity(shard.rows);
        shard.chunks.iter().for_each(|chunk| rows.extend_from_slice(chunk));
        for (offset, count) in &shard.spilled {
            rows.extend(self.read_back(*offset, *count)?);
        }
        Ok(rows)
    }

    fn read_back(&self, offset: u64, count: usize) -> Result<Vec<R>, SpillError> {
        let trouble = |reason| SpillError::Read { folder: self.budget.folder.clone(), reason };
        let mut bytes = vec![0; count * R::BYTES];
        match &mut *lock(&self.spill) {
            Some(spill) => {
                spill.file.seek(SeekFrom::Start(offset)).and_then(|_| spill.file.read_exact(&mut bytes)).map_err(trouble)?
            }
            None => return Err(trouble(std::io::Error::other("it is gone"))),
        }
        let row = |row| R::read(row).ok_or_else(|| trouble(std::io::Error::other("it holds foreign bytes")));
        bytes.chunks_exact(R::BYTES).map(row).collect()
    }
}

impl<R: Stored> Drop for Partitions<'_, R> {
    fn drop(&mut self) {
        let held: usize = self.shards.iter().map(|shard| rows_of(&lock(shard).chunks)).sum();
        self.budget.release(held * R::BYTES);
    }
}

fn rows_of<R>(chunks: &[Vec<R>]) -> usize {
    chunks.iter().map(Vec::len).sum()
}

/// A panic in another thread ends the scan anyway; its lock is still readable.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Gathers the rows of one thread.
pub struct Writer<'p, 'b, R: Stored> {
    store: &'p Partitions<'b, R>,
    /// Not yet parted.
    fresh: Vec<R>,
    local: Vec<Vec<R>>,
}

impl<R: Stored> Writer<'_, '_, R> {
    /// Inlined, so that a row is made where it will lie.
    #[inline]
    pub fn push(&mut self, row: R) -> Result<(), SpillError> {
        if self.fresh.len() == self.fresh.capacity() {
            self.part()?;
            self.fresh.reserve_exact(FRESH);
        }
        self.fresh.push(row);
        Ok(())
    }

    /// Moves the fresh rows to their partitions.
    fn part(&mut self) -> Result<(), SpillError> {
        for row in &self.fresh {
            let partition = row.partition();
            let chunk = &mut self.local[partition];
            if chunk.len() == chunk.capacity() {
                // Few steps: what a step leaves behind is memory that was touched for nothing.
                chunk.reserve_exact((chunk.len() * 3).max(8).min(CHUNK - chunk.len()));
            }
            chunk.push(*row);
            if chunk.len() == CHUNK {
                let full = std::mem::replace(chunk, Vec::with_capacity(CHUNK));
                self.store.put(partition, full)?;
            }
        }
        self.fresh.clear();
        Ok(())
    }

    /// Hands over what is left.
    pub fn finish(mut self) -> Result<(), SpillError> {
        self.part()?;
        for (partition, chunk) in self.local.iter_mut().enumerate() {
            if !chunk.is_empty() {
                let mut rest = std::mem::take(chunk);
                rest.shrink_to_fit();
                self.store.put(partition, rest)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::{Net, Part, Place, Row, Tag};
    use super::*;

    fn round_trip(budget: usize) -> Vec<Place> {
        let budget = Budget::new(budget, std::env::temp_dir());
        let store = Partitions::new(&budget);
        let mut writer = store.writer();
        for number in 0..20_000u128 {
            let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
            let place = Place::new(0, number as u32, 0);
            let tag = Tag { net: Net::Fingerprint, index: 0, part: Part::Attempt, kin: 0 };
            writer.push(Row::new(hash, tag, 0, place)).unwrap();
        }
        writer.finish().unwrap();
        let mut places: Vec<Place> = Vec::new();
        for partition in 0..PARTITIONS {
            let expected = store.rows_in(partition);
            let rows = store.load(partition).unwrap();
            assert_eq!(store.take(partition).unwrap().concat(), rows);
            assert_eq!((rows.len(), store.rows_in(partition)), (expected, 0));
            assert!(rows.iter().all(|row| row.partition() == partition));
            places.extend(rows.iter().map(|row| row.place));
        }
        places.sort_unstable();
        places
    }

    #[test]
    fn spilled_rows_are_the_same_rows() {
        let in_memory = round_trip(usize::MAX);
        assert_eq!(in_memory.len(), 20_000);
        assert_eq!(round_trip(0), in_memory);
        assert_eq!(round_trip(300_000), in_memory);
    }
}
