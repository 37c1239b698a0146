//! The text of an input, front to back, in UTF-8 with its damaged places named.

use super::compression::{Compression, Unpacked};
use super::encoding::Recognised;
use super::stored::Stored;
use crate::domain::record::{Block, InputError, InputFacts, Oversize, Reread};
use encoding_rs::{DecoderResult, UTF_8};
use std::collections::VecDeque;

/// Stands for a byte that is no text; `Block::damaged` tells it from one that the file really holds.
const SUBSTITUTE: u8 = 0x1A;
const STEP: usize = 256 << 10;

/// How the bytes of an input become text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) compression: Compression,
    pub(super) recognised: Recognised,
}

impl Coding {
    /// UTF-8 as this program writes it.
    pub(super) const PLAIN: Self = Self { compression: Compression::None, recognised: Recognised { encoding: UTF_8, mark: 0 } };

    /// True when the text lies in the file as it is, so that a place in the text is a place in the file.
    pub(super) fn is_plain(self) -> bool {
        self.compression == Compression::None && self.recognised.encoding == UTF_8
    }
}

pub(super) struct TextStream {
    bytes: Unpacked,
    /// None: the bytes are UTF-8 already and are checked block by block.
    transcoder: Option<Transcoder>,
    ended: bool,
    fault: Option<InputError>,
}

impl TextStream {
    pub(super) fn new(mut bytes: Unpacked, recognised: Recognised) -> Self {
        let mut mark = [0; 4];
        // A fault within the mark comes again with the first read.
        let fault = bytes.fill(mark.get_mut(..recognised.mark).unwrap_or_default()).err().map(|(_, fault)| fault);
        let transcoder = (recognised.encoding != UTF_8).then(|| Transcoder {
            decoder: recognised.encoding.new_decoder_without_bom_handling(),
            raw: vec![0; STEP / 4],
            text: Vec::new(),
            given: 0,
            position: 0,
            damaged: VecDeque::new(),
        });
        Self { bytes, transcoder, ended: fault.is_some(), fault }
    }

    /// Adds text to `buffer` until it holds `target` bytes, or all there is.
    pub(super) fn fill(&mut self, buffer: &mut Vec<u8>, target: usize) {
        while buffer.len() < target {
            let before = buffer.len();
            if let Some(transcoder) = &mut self.transcoder {
                transcoder.give(buffer, target);
                if buffer.len() > before {
                    continue;
                }
            }
            if self.ended {
                return;
            }
            match &mut self.transcoder {
                Some(transcoder) => {
                    let got = keep_fault(self.bytes.fill(&mut transcoder.raw), &mut self.fault);
                    self.ended = got < transcoder.raw.len();
                    transcoder.decode(got, self.ended);
                }
                None => {
                    let asked = STEP.min(target - before);
                    let got = keep_fault(self.bytes.append(buffer, asked), &mut self.fault);
                    self.ended = got < asked;
                }
            }
        }
    }

    /// Passes over `count` bytes of text, or all there is.
    pub(super) fn skip(&mut self, mut count: u64) {
        let mut passed = Vec::new();
        while count > 0 {
            passed.clear();
            self.fill(&mut passed, STEP.min(usize::try_from(count).unwrap_or(STEP)));
            if passed.is_empty() {
                return;
            }
            count -= passed.len() as u64;
        }
    }

    /// True when no text is left beyond what `fill` gave.
    pub(super) fn has_ended(&self) -> bool {
        self.ended && self.transcoder.as_ref().is_none_or(|transcoder| transcoder.given == transcoder.text.len())
    }

    /// The fault that ended the text, if one did.
    pub(super) fn fault(&self) -> Option<&InputError> {
        self.fault.as_ref()
    }

    pub(super) fn stored_read(&mut self) -> u64 {
        self.bytes.stored_read()
    }

    pub(super) fn finish(&mut self) -> InputFacts {
        self.bytes.finish()
    }

    pub(super) fn check_unchanged(&mut self, stored: &Stored) -> Result<Reread, InputError> {
        self.bytes.check_unchanged(stored)
    }

    /// A block of text that `fill` gave. Blocks are asked for in order.
    pub(super) fn block(&mut self, offset: u64, text: Vec<u8>, oversize: Option<Oversize>) -> Block {
        let end = offset + text.len() as u64;
        let (text, mut damaged) = checked(text);
        if let Some(transcoder) = &mut self.transcoder {
            while let Some(at) = transcoder.damaged.front().copied().filter(|at| *at < end) {
                transcoder.damaged.pop_front();
                // What lies before the block was passed over.
                if let Some(at) = at.checked_sub(offset).and_then(|at| u32::try_from(at).ok()) {
                    damaged.push(at);
                }
            }
            damaged.sort_unstable();
        }
        Block { offset, text, damaged, oversize, ..Block::default() }
    }
}

fn keep_fault(got: Result<usize, (usize, InputError)>, kept: &mut Option<InputError>) -> usize {
    got.unwrap_or_else(|(count, fault)| {
        *kept = Some(fault);
        count
    })
}

struct Transcoder {
    decoder: encoding_rs::Decoder,
    raw: Vec<u8>,
    /// Decoded text, given out up to `given`.
    text: Vec<u8>,
    given: usize,
    /// Place of `text` in the text of the input.
    position: u64,
    /// Places, in the text of the input, of bytes that are no text in this encoding.
    damaged: VecDeque<u64>,
}

impl Transcoder {
    fn give(&mut self, buffer: &mut Vec<u8>, target: usize) {
        let count = (self.text.len() - self.given).min(target - buffer.len());
        buffer.extend_from_slice(self.text.get(self.given..self.given + count).unwrap_or_default());
        self.given += count;
    }

    /// Decodes the first `count` raw bytes in place of the text given out.
    fn decode(&mut self, count: usize, last: bool) {
        self.position += self.text.len() as u64;
        self.given = 0;
        let room = self.decoder.max_utf8_buffer_length_without_replacement(count).unwrap_or(count * 4);
        // Each bad byte puts one substitute beside the decoder's own output.
        self.text.resize(room + count + 4, 0);
        let mut raw = self.raw.get(..count).unwrap_or_default();
        let mut written = 0;
        loop {
            let free = self.text.get_mut(written..).unwrap_or_default();
            let (result, read, wrote) = self.decoder.decode_to_utf8_without_replacement(raw, free, last);
            raw = raw.get(read..).unwrap_or_default();
            written += wrote;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => self.text.resize(self.text.len() * 2, 0),
                DecoderResult::Malformed(..) => {
                    if written >= self.text.len() {
                        self.text.resize(self.text.len() + 4, 0);
                    }
                    if let Some(place) = self.text.get_mut(written) {
                        *place = SUBSTITUTE;
                    }
                    self.damaged.push_back(self.position + written as u64);
                    written += 1;
                }
            }
        }
        self.text.truncate(written);
    }
}

/// The bytes as text, each that is none replaced by SUB, with the places of those.
pub(super) fn checked(bytes: Vec<u8>) -> (String, Vec<u32>) {
    let mut damaged = Vec::new();
    let mut rest = match String::from_utf8(bytes) {
        Ok(text) => return (text, damaged),
        Err(error) => error.into_bytes(),
    };
    let mut from = 0;
    while let Some(Err(error)) = rest.get(from..).map(std::str::from_utf8) {
        let start = from + error.valid_up_to();
        from = error.error_len().map_or(rest.len(), |length| start + length);
        for (at, byte) in rest.iter_mut().enumerate().take(from).skip(start) {
            *byte = SUBSTITUTE;
            damaged.extend(u32::try_from(at));
        }
    }
    // Every byte that was no text is a SUB now: nothing is left for the lossy conversion to lose.
    (String::from_utf8_lossy(&rest).into_owned(), damaged)
}
