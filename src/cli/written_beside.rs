//! A file that is written, and made safe on its disk, on a thread of its own, beside the work that makes its content.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes handed over at a time, and made safe at a time.
const PARCEL: usize = 2 << 20;
/// Parcels that may wait: a slow disk must not fill the memory.
const WAITING: usize = 2;

/// Writes to a file; [`WrittenBeside::finish`] tells whether all of it is safe.
pub struct WrittenBeside {
    file: File,
    parcel: Vec<u8>,
    /// None until there is more than a parcel: little is written without a thread.
    worker: Option<Worker>,
}

struct Worker {
    parcels: SyncSender<Vec<u8>>,
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
        if let Some(Worker { parcels, thread }) = self.worker.take() {
            drop(parcels);
            thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that wrote it stopped")))?;
        }
        self.file.write_all(&self.parcel)?;
        self.file.sync_all()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let worker = match &self.worker {
            Some(worker) => worker,
            None => self.worker.insert(Worker::start(self.file.try_clone()?)),
        };
        if worker.parcels.send(std::mem::take(&mut self.parcel)).is_ok() {
            return Ok(());
        }
        // It stopped, and only a fault stops it.
        let fault = self.worker.take().map(|worker| worker.thread.join());
        match fault {
            Some(Ok(Err(fault))) => Err(fault),
            _ => Err(io::Error::other("the thread that wrote it stopped")),
        }
    }
}

impl Worker {
    fn start(mut file: File) -> Self {
        let (parcels, arriving) = sync_channel::<Vec<u8>>(WAITING);
        let thread = std::thread::spawn(move || {
            arriving.into_iter().try_for_each(|parcel| file.write_all(&parcel).and_then(|()| file.sync_data()))
        });
        Self { parcels, thread }
    }
}

impl Write for WrittenBeside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.parcel.extend_from_slice(bytes);
        if self.parcel.len() >= PARCEL {
            self.hand_over()?;
        }
        Ok(bytes.len())
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
        for parcels in [0, 1, 9] {
            let mut out = WrittenBeside::new(File::options().write(true).open("/dev/full").unwrap());
            let written = out.write_all(&vec![7; parcels * PARCEL + 1]);
            let more = written.and_then(|()| out.write_all(&[8; PARCEL]));
            assert!(more.and_then(|()| out.finish()).is_err(), "{parcels}");
        }
    }
}
