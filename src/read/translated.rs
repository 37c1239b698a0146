//! What is kept of an input that is read through a translation: size and digest of its bytes, and how far they went.

use super::lines::LineCutter;
use super::walk::Walk;
use crate::domain::record::{Block, Blocks, InputError, InputFacts};

/// The original of a translation.
pub(super) struct Translated {
    /// With doubts that the translation raised.
    pub(super) original: InputFacts,
    /// What ended it early; told when the records before it were delivered.
    pub(super) fault: Option<InputError>,
}

impl Translated {
    /// One pass over the translation that ends as the original does.
    pub(super) fn blocks(&self, walk: Walk<LineCutter>) -> TranslatedBlocks {
        TranslatedBlocks { walk, original: self.original.clone(), fault: self.fault.clone() }
    }
}

/// Blocks of a translation.
pub(super) struct TranslatedBlocks {
    walk: Walk<LineCutter>,
    original: InputFacts,
    fault: Option<InputError>,
}

impl Blocks for TranslatedBlocks {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        match self.walk.next_block()? {
            Some(block) => Ok(Some(block)),
            None => self.fault.take().map_or(Ok(None), Err),
        }
    }

    fn give_back(&mut self, text: String) {
        self.walk.give_back(text);
    }

    fn stored_read(&mut self) -> u64 {
        self.walk.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        self.original.clone()
    }
}
