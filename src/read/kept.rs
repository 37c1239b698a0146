//! The text of an input that cannot be read at any place, kept as it is read for the first time: to unpack it once more for every look at a
//! few of its records would take longer than all that is done to them.

use super::spool::SpoolWriter;
use super::stored::Stored;
use crate::domain::record::{Block, Blocks, InputError, InputFacts};
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

/// Text beyond this is unpacked again instead: nobody expects a scan to fill a disk.
const MOST_BYTES: u64 = 4 << 30;

/// Text in UTF-8, in a temporary file.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) stored: Stored,
    /// Position in the input's text of its first byte.
    pub(super) from: u64,
}

/// Blocks on their way through, of which a copy stays.
pub(super) struct Keeping<'k> {
    blocks: Box<dyn Blocks + 'k>,
    name: &'k str,
    place: &'k OnceLock<Kept>,
    /// None once it is known that nothing can be kept.
    copy: Option<SpoolWriter>,
    /// Positions of the first byte, and of the one after the last.
    range: Option<(u64, u64)>,
}

impl<'k> Keeping<'k> {
    /// Fills `place` when the last block was given, unless it is full already.
    pub(super) fn new(blocks: Box<dyn Blocks + 'k>, name: &'k str, place: &'k OnceLock<Kept>, folder: &Path) -> Self {
        Self { blocks, name, place, copy: place.get().is_none().then(|| SpoolWriter::new(folder)), range: None }
    }

    fn keep(&mut self, block: &Block) {
        let Some(copy) = &mut self.copy else { return };
        let (from, upto) = self.range.unwrap_or((block.offset, block.offset));
        let after = block.offset + block.text.len() as u64;
        // Where the front of a record was delivered and the rest passed over, places would be wrong. What cannot be written is no loss.
        let is_kept = block.offset == upto && after - from <= MOST_BYTES && copy.write_all(block.text.as_bytes()).is_ok();
        if is_kept {
            self.range = Some((from, after));
        } else {
            self.copy = None;
        }
    }

    fn finish(&mut self) {
        let spool = self.copy.take().and_then(|copy| copy.finish().ok());
        if let Some((spool, (from, _))) = spool.zip(self.range) {
            // Another pass may have been faster; the copies are the same.
            let _ = self.place.set(Kept { stored: Stored::spooled(self.name, spool), from });
        }
    }
}

impl Blocks for Keeping<'_> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        let next = self.blocks.next_block();
        match &next {
            Ok(Some(block)) => self.keep(block),
            Ok(None) | Err(_) => self.finish(),
        }
        next
    }

    fn give_back(&mut self, text: String) {
        self.blocks.give_back(text);
    }

    fn stored_read(&mut self) -> u64 {
        self.blocks.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        self.blocks.facts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    struct Given(Vec<(u64, &'static str)>);

    impl Blocks for Given {
        fn next_block(&mut self) -> Result<Option<Block>, InputError> {
            let block = |(offset, text): (u64, &str)| Block { offset, text: text.to_owned(), ..Block::default() };
            Ok((!self.0.is_empty()).then(|| block(self.0.remove(0))))
        }

        fn stored_read(&mut self) -> u64 {
            0
        }

        fn facts(&mut self) -> InputFacts {
            InputFacts::default()
        }
    }

    fn kept(blocks: &[(u64, &'static str)]) -> Option<(u64, String)> {
        let place = OnceLock::new();
        for _ in 0..2 {
            let mut keeping = Keeping::new(Box::new(Given(blocks.to_vec())), "a.gz", &place, &std::env::temp_dir());
            while keeping.next_block().unwrap().is_some() {}
        }
        let mut text = String::new();
        let kept = place.get()?;
        kept.stored.open().unwrap().read_to_string(&mut text).unwrap();
        Some((kept.from, text))
    }

    #[test]
    fn text_is_kept_from_its_first_block_on() {
        assert_eq!(kept(&[(10, "a,b\n"), (14, "ж,d\n")]), Some((10, "a,b\nж,d\n".to_owned())));
        assert_eq!(kept(&[]), None);
    }

    #[test]
    fn text_with_a_gap_is_not_kept() {
        assert_eq!(kept(&[(10, "a,b\n"), (900, "c,d\n"), (904, "e,f\n")]), None);
    }
}
