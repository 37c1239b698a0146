//! SHA-256 of a stream, taken beside the parsing: on a thread of its own where there are processors to spare.

use sha2::{Digest as _, Sha256};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{JoinHandle, available_parallelism, spawn};

/// Bytes handed over at a time: large enough that the hand-over costs nothing, small enough to stay in the cache.
const PARCEL: usize = 256 << 10;
/// Parcels that may wait; more would only hide a slow hash behind memory.
const WAITING: usize = 4;
/// Processors that those who parse keep busy by themselves. On so few a thread of its own hashes no sooner, and the bytes would be copied for
/// it; on more, whoever reads must not be held up.
const FEW_PROCESSORS: usize = 2;

/// A running digest.
pub(super) enum Digest {
    Here(Box<Sha256>),
    Beside(Beside),
}

impl Digest {
    pub(super) fn start() -> Self {
        match available_parallelism() {
            Ok(processors) if processors.get() > FEW_PROCESSORS => Self::Beside(Beside::start()),
            _ => Self::Here(Box::default()),
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        match self {
            Self::Here(hash) => hash.update(bytes),
            Self::Beside(beside) => beside.add(bytes),
        }
    }

    /// The digest in lower-case hex.
    pub(super) fn finish(self) -> String {
        match self {
            Self::Here(hash) => hex(*hash),
            Self::Beside(beside) => beside.finish(),
        }
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest on a thread of its own.
pub(super) struct Beside {
    parcel: Vec<u8>,
    full: SyncSender<Vec<u8>>,
    empty: Receiver<Vec<u8>>,
    worker: JoinHandle<String>,
}

impl Beside {
    fn start() -> Self {
        let (full, arriving) = sync_channel::<Vec<u8>>(WAITING);
        let (returning, empty) = channel();
        let worker = spawn(move || {
            let mut hash = Sha256::new();
            for mut parcel in arriving {
                hash.update(&parcel);
                parcel.clear();
                // The other side may be gone already; then nobody wants the buffer back.
                let _ = returning.send(parcel);
            }
            hex(hash)
        });
        Self { parcel: Vec::new(), full, empty, worker }
    }

    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PARCEL - self.parcel.len()));
            self.parcel.extend_from_slice(now);
            bytes = later;
            if self.parcel.len() == PARCEL {
                let next = self.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(PARCEL));
                // The worker ends only after this sender is dropped.
                let _ = self.full.send(std::mem::replace(&mut self.parcel, next));
            }
        }
    }

    fn finish(self) -> String {
        let _ = self.full.send(self.parcel);
        drop(self.full);
        self.worker.join().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_tell_the_same() {
        let bytes: Vec<u8> = (0..3 * PARCEL + 17).map(|at| (at % 251) as u8).collect();
        for length in [0, 1, PARCEL, bytes.len()] {
            let digest = |mut digest: Digest| {
                bytes[..length].chunks(10_007).for_each(|part| digest.add(part));
                digest.finish()
            };
            let here = digest(Digest::Here(Box::default()));
            assert_eq!(here, digest(Digest::Beside(Beside::start())));
            assert_eq!(here, digest(Digest::start()));
        }
        assert!(Digest::Here(Box::default()).finish().starts_with("e3b0c44298fc1c14"), "FIPS 180-4: of nothing");
    }
}
