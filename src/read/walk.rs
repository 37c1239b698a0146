//! Goes through the text of an input once and cuts it into blocks of whole records.

use super::known::{Ending, Watch};
use super::text_stream::TextStream;
use crate::domain::record::{Block, Blocks, InputError, InputFacts, Oversize};

/// What comes after the text that a cutter sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// More text, of which some may be had in addition.
    More,
    /// More text, but no more of it at a time.
    Full,
    End,
    /// A fault of the input: what stands last may be half a record.
    Fault,
}

/// Where a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Before this byte. At 0 no whole record is left.
    At(usize),
    /// Before this byte, and no record comes after it.
    Last(usize),
    /// The record that begins the text does not end in it.
    Oversize,
}

/// Knows a format just well enough to find where its records end. The text always begins where a record may begin, and what was
/// cut comes again. A splitter must see the same records in the block as the cutter did.
pub(super) trait Cutter: Send {
    fn cut(&mut self, text: &[u8], after: After) -> Cut;

    /// Further text of an oversize record: the byte after its end, when it ends here. The line end belongs to it.
    fn pass(&mut self, text: &[u8]) -> Option<usize>;

    /// Text after the last record, and at its end (`text` empty) what is wrong with it.
    fn check_rest(&mut self, _text: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

/// One pass over the blocks of an input.
pub(super) struct Walk<C> {
    pub(super) file: String,
    pub(super) stream: TextStream,
    pub(super) cutter: C,
    pub(super) line_end: u8,
    /// A block holds fewer bytes than this plus one.
    limit: usize,
    buffer: Vec<u8>,
    /// Buffers of blocks that were given back: fresh memory costs more than reading into it.
    spare: Vec<Vec<u8>>,
    offset: u64,
    state: State,
    /// Digest of what was used, and the last byte of it.
    watch: Option<(Watch, Option<u8>)>,
    ending: Ending,
    held: u64,
}

/// Text that makes a block, unless a record is longer: little enough to stay in a processor's cache on its way from the reader over the
/// cutter to a worker.
const HANDY_BYTES: usize = 256 << 10;

/// Buffers that are kept for later.
const MOST_SPARE: usize = 8;

#[derive(PartialEq, Eq)]
enum State {
    Reading,
    /// The last record was delivered; the text goes on.
    Rest,
    Done,
}

impl<C: Cutter> Walk<C> {
    /// From byte `start` of the text on, which must be where a record begins.
    pub(super) fn new(file: &str, mut stream: TextStream, start: u64, cutter: C, line_end: u8, limit: usize) -> Self {
        stream.skip(start);
        Self {
            file: file.to_owned(),
            stream,
            cutter,
            line_end,
            limit,
            buffer: Vec::new(),
            spare: Vec::new(),
            offset: start,
            state: State::Reading,
            watch: None,
            ending: Ending::Whole,
            held: 0,
        }
    }

    /// As [`Walk::new`], with a digest of what is used, which goes on from where `watch` stands, and perhaps a last record that is held.
    #[allow(clippy::too_many_arguments, reason = "as Walk::new, with two more")]
    pub(super) fn watched(
        file: &str,
        mut stream: TextStream,
        start: u64,
        cutter: C,
        line_end: u8,
        limit: usize,
        watch: Option<Watch>,
        ending: Ending,
    ) -> Self {
        let Some(mut watch) = watch else {
            return Self { ending, ..Self::new(file, stream, start, cutter, line_end, limit) };
        };
        let mut last = None;
        // What stands before the first block was used, too. What is known already is passed over.
        stream.skip(watch.bytes());
        let mut before = Vec::new();
        while watch.bytes() < start {
            before.clear();
            stream.fill(&mut before, HANDY_BYTES.min(usize::try_from(start - watch.bytes()).unwrap_or(HANDY_BYTES)));
            if before.is_empty() {
                break;
            }
            watch.add(&before);
            last = before.last().copied();
        }
        let walk = Self::new(file, stream, 0, cutter, line_end, limit);
        Self { offset: start, watch: Some((watch, last)), ending, ..walk }
    }

    /// Notes that the first bytes of the buffer were used.
    fn used_front(&mut self, length: usize) {
        if let (Some((watch, last)), Some(text)) = (&mut self.watch, self.buffer.get(..length)) {
            watch.add(text);
            *last = text.last().copied().or(*last);
        }
    }

    /// Whether what is left, in which no record ends, is held for more to come. A quote that is never closed must not hold up a file for
    /// ever.
    fn holds(&mut self) -> bool {
        const MOST_LINES: usize = 100;
        let lines = memchr::memchr_iter(self.line_end, &self.buffer).count();
        let goes_on = self.buffer.last() != Some(&self.line_end) || lines <= MOST_LINES;
        if goes_on {
            self.held = u64::from(!self.buffer.trim_ascii().is_empty());
        } else {
            self.ending = Ending::Whole;
        }
        goes_on
    }

    /// Notes that this text was used.
    fn used(&mut self, text: &[u8]) {
        if let Some((watch, last)) = &mut self.watch {
            watch.add(text);
            *last = text.last().copied().or(*last);
        }
    }

    fn after(&self) -> After {
        match self.stream.fault() {
            _ if !self.stream.has_ended() && self.buffer.len() < self.limit => After::More,
            _ if !self.stream.has_ended() => After::Full,
            Some(_) => After::Fault,
            None if self.ending == Ending::MayGoOn => After::Fault,
            None => After::End,
        }
    }

    /// Where a block may end in `target` bytes of text, or all there is.
    fn cut(&mut self, target: usize) -> Cut {
        self.stream.fill(&mut self.buffer, target);
        if self.buffer.is_empty() { Cut::Last(0) } else { self.cutter.cut(&self.buffer, self.after()) }
    }

    /// Takes the first `length` bytes as a block.
    fn take(&mut self, length: usize, oversize: Option<Oversize>) -> Block {
        let rest = self.buffer.get(length..).unwrap_or_default();
        let capacity = if self.stream.has_ended() { rest.len() } else { self.limit.min(HANDY_BYTES) };
        let mut next = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(capacity));
        next.clear();
        next.extend_from_slice(rest);
        let mut text = std::mem::replace(&mut self.buffer, next);
        text.truncate(length);
        let block = self.stream.block(self.offset, text, oversize);
        self.offset += length as u64;
        block
    }

    /// Takes the front of a record that does not end in the buffer, and passes over the rest of it, keeping nothing.
    fn take_oversize(&mut self) -> Block {
        self.used_front(self.buffer.len());
        let mut left_out = Oversize { bytes: 0, lines: 0 };
        let mut passed = Vec::new();
        let mut rest = Vec::new();
        loop {
            passed.clear();
            self.stream.fill(&mut passed, self.limit.max(1));
            if passed.is_empty() {
                break;
            }
            let end = self.cutter.pass(&passed);
            let (of_record, after) = passed.split_at(end.unwrap_or(passed.len()).min(passed.len()));
            self.used(of_record);
            left_out.bytes += of_record.len() as u64;
            let mut lines = memchr::memchr_iter(self.line_end, of_record).count();
            if end.is_some() && of_record.last() == Some(&self.line_end) {
                lines -= 1;
            }
            left_out.lines = left_out.lines.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            if end.is_some() {
                rest.extend_from_slice(after);
                break;
            }
        }
        let front = self.buffer.len();
        let whole = Oversize { bytes: left_out.bytes + front as u64, ..left_out };
        let block = self.take(front, Some(whole));
        self.offset += left_out.bytes;
        self.buffer = rest;
        block
    }

    /// Reads what comes after the last record.
    fn finish(&mut self) -> Result<(), InputError> {
        let mut wrong = Ok(());
        while self.state == State::Rest {
            if self.buffer.is_empty() {
                self.stream.fill(&mut self.buffer, self.limit);
            }
            if self.buffer.is_empty() || wrong.is_err() {
                self.state = State::Done;
            }
            wrong = wrong.and_then(|()| self.cutter.check_rest(&self.buffer));
            self.offset += self.buffer.len() as u64;
            self.buffer.clear();
        }
        self.state = State::Done;
        if let Some(fault) = self.stream.fault() {
            return Err(fault.clone());
        }
        wrong.map_err(|reason| InputError::CutOff { file: self.file.clone(), what: "JSON", bytes: self.offset, reason })
    }
}

impl<C: Cutter> Blocks for Walk<C> {
    fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        match self.state {
            State::Reading => {}
            State::Rest => return self.finish().map(|()| None),
            State::Done => return Ok(None),
        }
        let mut cut = self.cut(self.limit.min(HANDY_BYTES));
        if cut == Cut::Oversize && self.after() == After::More {
            cut = self.cut(self.limit);
        }
        if cut == Cut::At(0) && self.ending == Ending::MayGoOn && self.stream.fault().is_none() && !self.holds() {
            cut = self.cut(self.limit);
        }
        let length = match cut {
            Cut::Oversize => return Ok(Some(self.take_oversize())),
            Cut::At(length) if length > 0 => length,
            Cut::At(_) => {
                // Half a record before a fault.
                self.buffer.clear();
                self.state = State::Rest;
                return self.finish().map(|()| None);
            }
            Cut::Last(length) => {
                self.state = State::Rest;
                if length == 0 {
                    return self.finish().map(|()| None);
                }
                length
            }
        };
        self.used_front(length);
        Ok(Some(self.take(length, None)))
    }

    fn give_back(&mut self, text: String) {
        if self.spare.len() < MOST_SPARE {
            self.spare.push(text.into_bytes());
        }
    }

    fn stored_read(&mut self) -> u64 {
        self.stream.stored_read()
    }

    fn facts(&mut self) -> InputFacts {
        // A text that ends within a line is no front of a longer one: what comes may be more of that line.
        let ends_a_line = |last: &Option<u8>| last.is_none_or(|last| last == self.line_end);
        let used = self.watch.as_ref().filter(|(_, last)| ends_a_line(last)).map(|(watch, _)| watch.known());
        InputFacts { used, held: self.held, ..self.stream.finish() }
    }
}
