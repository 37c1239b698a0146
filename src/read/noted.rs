//! Blocks of an input whose front raised doubts: the doubts are told with what is known at the end.

use crate::domain::record::{Block, Blocks, InputError, InputFacts};
use crate::domain::report::Note;

/// Blocks of an input whose front raised doubts.
pub(super) struct Noted<B> {
    pub(super) blocks: B,
    pub(super) notes: Vec<Note>,
}

impl<B: Blocks> Blocks for Noted<B> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        self.blocks.next_block()
    }

    fn give_back(&mut self, text: String) {
        self.blocks.give_back(text);
    }

    fn stored_read(&mut self) -> u64 {
        self.blocks.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        let facts = self.blocks.facts();
        InputFacts { notes: [std::mem::take(&mut self.notes), facts.notes].concat(), ..facts }
    }
}
