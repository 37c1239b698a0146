//! An input of records that an earlier night carried, and of what has been added to it since.

use crate::domain::carried::{CarriedRecords, CarriedText};
use crate::domain::record::{Block, Blocks, CARRIED, Input, InputError, InputFacts, Split, Splitter};
use std::ops::ControlFlow;

/// Puts carried records before what is new of the same input; None where nothing of it is there tonight. `names` are the columns of the
/// carried cells, `asked` those of the source.
pub fn with_carried(
    name: &str,
    carried: CarriedText,
    names: &[String],
    asked: &[String],
    form: Form,
    new: Option<Box<dyn Input>>,
) -> Box<dyn Input> {
    let slots = asked.iter().map(|column| names.iter().position(|name| name == column)).collect();
    let records = CarriedRecords { slots };
    let splitter = BySide { records, new };
    Box::new(WithCarried { name: name.to_owned(), carried, form, splitter })
}

/// Whether carried records stand in their file as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    InFile,
    Translated,
}

struct WithCarried {
    name: String,
    carried: CarriedText,
    form: Form,
    splitter: BySide,
}

/// Splits carried blocks and new ones.
struct BySide {
    records: CarriedRecords,
    new: Option<Box<dyn Input>>,
}

impl Splitter for BySide {
    fn split(&self, block: &Block, from: usize, each: &mut dyn FnMut(Split<'_>) -> ControlFlow<()>) -> u32 {
        match &self.new {
            Some(new) if !block.is_carried() => new.splitter().split(block, from, each),
            _ => self.records.split(block, from, each),
        }
    }
}

impl WithCarried {
    fn added(&self) -> Option<&dyn Input> {
        self.splitter.new.as_deref()
    }
}

impl Input for WithCarried {
    fn name(&self) -> &str {
        self.added().map_or(&self.name, Input::name)
    }

    fn description(&self) -> String {
        self.added().map_or_else(|| "carried".to_owned(), Input::description)
    }

    fn first_line(&self) -> u64 {
        self.added().map_or(1, Input::first_line)
    }

    fn first_record(&self) -> u64 {
        self.added().map_or(1, Input::first_record)
    }

    fn is_there(&self) -> bool {
        self.added().is_some()
    }

    fn carries_text(&self) -> bool {
        self.form == Form::InFile
    }

    fn carried(&self) -> Option<&CarriedText> {
        Some(&self.carried)
    }

    fn missing_columns(&self) -> &[String] {
        self.added().map_or(&[], Input::missing_columns)
    }

    fn columns(&self) -> &[String] {
        self.added().map_or(&[], Input::columns)
    }

    fn damaged_columns(&self) -> Vec<String> {
        self.added().map(Input::damaged_columns).unwrap_or_default()
    }

    fn writes_numbers(&self) -> bool {
        self.added().is_none_or(Input::writes_numbers)
    }

    fn is_seekable(&self) -> bool {
        self.added().is_none_or(Input::is_seekable)
    }

    fn splitter(&self) -> &dyn Splitter {
        &self.splitter
    }

    fn blocks(&self) -> Result<Box<dyn Blocks + '_>, InputError> {
        let new = self.added().map(Input::blocks).transpose()?;
        Ok(Box::new(BothBlocks { carried: Box::new(self.carried.blocks()), new }))
    }

    fn stored_bytes(&self) -> u64 {
        self.added().map_or(0, Input::stored_bytes)
    }

    fn reread(&self, wanted: &[(u64, usize)], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError> {
        let new = wanted.partition_point(|(offset, _)| *offset < CARRIED);
        let (of_new, of_carried) = wanted.split_at(new);
        if let Some(input) = self.added().filter(|_| !of_new.is_empty()) {
            input.reread(of_new, each)?;
        }
        if of_carried.is_empty() {
            return Ok(());
        }
        let wanted_at = |block: &Block| of_carried.binary_search_by_key(&block.offset, |(offset, _)| *offset);
        for block in self.carried.blocks() {
            if let Ok(at) = wanted_at(&block) {
                each(new + at, &block);
            }
        }
        Ok(())
    }

    fn has_lines(&self) -> bool {
        self.added().is_some_and(Input::has_lines)
    }

    fn reread_lines(&self, starts: &[u64], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError> {
        self.added().map_or(Ok(()), |new| new.reread_lines(starts, each))
    }

    fn check_content(&self, sha256: &str) -> Result<(), InputError> {
        self.added().map_or(Ok(()), |new| new.check_content(sha256))
    }
}

/// Carried blocks, then new ones.
struct BothBlocks<'b> {
    carried: Box<dyn Iterator<Item = Block> + Send + 'b>,
    new: Option<Box<dyn Blocks + 'b>>,
}

impl Blocks for BothBlocks<'_> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        match (self.carried.next(), &mut self.new) {
            (Some(block), _) => Ok(Some(block)),
            (None, Some(new)) => new.next_block(),
            (None, None) => Ok(None),
        }
    }

    fn give_back(&mut self, text: String) {
        if let Some(new) = &mut self.new {
            new.give_back(text);
        }
    }

    fn stored_read(&mut self) -> u64 {
        self.new.as_mut().map_or(0, |new| new.stored_read())
    }

    fn facts(&mut self) -> InputFacts {
        self.new.as_mut().map(|new| new.facts()).unwrap_or_default()
    }
}
