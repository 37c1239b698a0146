//! A file that is written, and made safe on its disk, on a thread of its own, beside the work that makes its content.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

/// Bytes handed over at a time: little enough to stay in a processor's cache.
const PARCEL: usize = 256 << 10;
/// Parcels that may wait: a slow disk must not fill the memory.
const WAITING: usize = 8;
/// Parcels that are made safe at a time.
const SAFE_AT_ONCE: usize = 8;

/// Writes to a file; [`WrittenBeside::finish`] tells whether all of it is safe.
pub struct WrittenBeside {
    file: File,
    parcel: Vec<u8>,
    /// None until there is more than a parcel: little is written without a thread.
    worker: Option<Worker>,
}

struct Worker {
    full: SyncSender<Vec<u8>>,
    /// Parcels that were written, to be filled again: fresh memory costs more than writing.
    empty: Receiver<Vec<u8>>,
    thread: JoinHandle<io::Result<()>>,
}

impl WrittenBeside {
    /// Adds to what the file holds.
    pub fn new(file: File) -> Self {
        Self { file, parcel: Vec::new(), worker: None }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// Some of it could not be written.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(worker) = self.worker.take() {
            worker.finish()?;
        }
        self.file.write_all(&self.parcel)?;
        self.file.sync_all()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.file.try_clone()?),
        };
        let next = worker.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(PARCEL));
        if worker.full.send(std::mem::replace(&mut self.parcel, next)).is_err() {
            // It stopped, and only a fault stops it.
            return worker.finish().and_then(|()| Err(stopped()));
        }
        self.worker = Some(worker);
        Ok(())
    }
}

fn stopped() -> io::Error {
    io::Error::other("the thread that wrote it stopped")
}

impl Worker {
    fn start(mut file: File) -> Self {
        let (full, arriving) = sync_channel::<Vec<u8>>(WAITING);
        let (returning, empty) = channel();
        let thread = std::thread::spawn(move || {
            for (number, mut parcel) in arriving.into_iter().enumerate() {
                file.write_all(&parcel)?;
                if number % SAFE_AT_ONCE == SAFE_AT_ONCE - 1 {
                    file.sync_data()?;
                }
                parcel.clear();
                // The other side may be done already; then nobody wants the parcel back.
                let _ = returning.send(parcel);
            }
            Ok(())
        });
        Self { full, empty, thread }
    }

    fn finish(self) -> io::Result<()> {
        drop(self.full);
        self.thread.join().unwrap_or_else(|_| Err(stopped()))
    }
}

impl Write for WrittenBeside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.parcel.len() == PARCEL {
            self.hand_over()?;
        }
        let now = bytes.get(..PARCEL - self.parcel.len()).unwrap_or(bytes);
        self.parcel.extend_from_slice(now);
        Ok(now.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around the border between what is written at the end and what is handed over.
    #[test]
    fn everything_arrives_in_order() {
        for length in [0, 1, PARCEL - 1, PARCEL, PARCEL + 1, 3 * PARCEL + 7] {
            let bytes: Vec<u8> = (0..length).map(|at| (at / 1000) as u8).collect();
            let file = tempfile::NamedTempFile::new().unwrap();
            let mut out = WrittenBeside::new(file.reopen().unwrap());
            bytes.chunks(12_345).for_each(|chunk| out.write_all(chunk).unwrap());
            out.finish().unwrap();
            assert!(std::fs::read(file.path()).unwrap() == bytes, "{length}");
        }
    }

    /// A full disk is told, whenever the thread meets it.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told() {
        for parcels in [0, 1, 2, 30] {
            let mut out = WrittenBeside::new(File::options().write(true).open("/dev/full").unwrap());
            let written = out.write_all(&vec![7; parcels * PARCEL + 1]);
            let more = written.and_then(|()| out.write_all(&vec![8; PARCEL]));
            assert!(more.and_then(|()| out.finish()).is_err(), "{parcels}");
        }
    }
}
