//! SHA-256 of a stream, taken on a thread of its own beside the parsing.

use sha2::{Digest as _, Sha256};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{JoinHandle, spawn};

/// Bytes handed over at a time: large enough that the hand-over costs nothing, small enough to stay in the cache.
const PARCEL: usize = 256 << 10;
/// Parcels that may wait; more would only hide a slow hash behind memory.
const WAITING: usize = 4;

/// A running digest.
pub(super) struct Digest {
    parcel: Vec<u8>,
    full: SyncSender<Vec<u8>>,
    empty: Receiver<Vec<u8>>,
    worker: JoinHandle<String>,
}

impl Digest {
    pub(super) fn start() -> Self {
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
            hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
        });
        Self { parcel: Vec::new(), full, empty, worker }
    }

    pub(super) fn add(&mut self, mut bytes: &[u8]) {
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

    /// The digest in lower-case hex.
    pub(super) fn finish(self) -> String {
        let _ = self.full.send(self.parcel);
        drop(self.full);
        self.worker.join().unwrap_or_default()
    }
}
