//! One temporary file for the bytes of many inputs: thousands of objects would be too many open files, and too much memory.

use super::spool::Spool;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// A file that grows by a spool at a time.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    file: Option<Arc<File>>,
    /// Where the next spool begins.
    end: u64,
}

impl Shelf {
    /// Starts a spool behind the others; the temporary file is made in `folder` when it is the first.
    ///
    /// # Errors
    /// The file cannot be made.
    pub(super) fn start(&mut self, folder: &Path) -> io::Result<ShelfWriter<'_>> {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::clone(self.file.insert(Arc::new(tempfile::tempfile_in(folder)?))),
        };
        (&*file).seek(SeekFrom::Start(self.end))?;
        Ok(ShelfWriter { shelf: self, out: BufWriter::with_capacity(256 << 10, file), bytes: 0 })
    }
}

/// Takes the bytes of one spool on a shelf. Dropped unfinished, it leaves its place to the next.
pub(super) struct ShelfWriter<'s> {
    shelf: &'s mut Shelf,
    out: BufWriter<Arc<File>>,
    bytes: u64,
}

impl ShelfWriter<'_> {
    /// Bytes written so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Forgets all bytes, to take them once more.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(self.shelf.end))?;
        self.bytes = 0;
        Ok(())
    }

    /// # Errors
    /// The last bytes cannot be written.
    pub(super) fn finish(mut self) -> io::Result<Spool> {
        self.out.flush()?;
        let spool = Spool::part(Arc::clone(self.out.get_ref()), self.shelf.end, self.bytes);
        self.shelf.end += self.bytes;
        Ok(spool)
    }
}

impl Write for ShelfWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::spool::SpoolReader;
    use std::io::Read;

    fn all(spool: &Arc<Spool>) -> String {
        let mut text = String::new();
        SpoolReader::new(spool).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn spools_on_a_shelf_do_not_touch_each_other() {
        let mut shelf = Shelf::default();
        let folder = std::env::temp_dir();
        let mut put = |parts: &[&str]| {
            let mut writer = shelf.start(&folder).unwrap();
            for part in parts {
                writer.restart().unwrap();
                writer.write_all(part.as_bytes()).unwrap();
            }
            assert_eq!(writer.bytes(), parts.last().map_or(0, |part| part.len() as u64));
            writer.finish().map(Arc::new).unwrap()
        };
        let (first, empty, third) = (put(&["one"]), put(&[]), put(&["much longer than", "three"]));
        shelf.start(&folder).unwrap().write_all(b"given up").unwrap();
        assert_eq!((all(&first), all(&empty), all(&third)), ("one".into(), String::new(), "three".into()));
        let mut end = SpoolReader::new(&first);
        end.seek(SeekFrom::End(-1)).unwrap();
        let mut buffer = [0; 8];
        assert_eq!((end.read(&mut buffer).unwrap(), buffer[0], end.read(&mut buffer).unwrap()), (1, b'e', 0));
    }
}
