//! Unpacks gzip, zstd and ZIP archives around one file, told by their first bytes.

use super::archive::{Entry, EntryReader};
use super::stored::{Stored, StoredBytes};
use crate::domain::record::{InputError, InputFacts, Reread};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Read};

/// A stream may unpack to this many times its size …
const MOST_RATIO: u64 = 1_000;
/// … once it is larger than this. Smaller ones do no harm, and short logs of one line repeated are real.
const HARMLESS_BYTES: u64 = 64 << 20;
const BUFFER: usize = 128 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Zip(Entry),
}

impl Compression {
    /// By the first bytes of a file; its name does not matter. An archive is [`archive`]'s to look into.
    pub(super) fn detect(first: &[u8]) -> Self {
        match first {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            // A skippable frame of zstd, as pzstd writes it first.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    /// In descriptions: `gzip`.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
            Self::Zip(_) => Some("zip"),
        }
    }
}

/// One pass over the unpacked bytes.
pub(super) struct Unpacked {
    name: String,
    decoder: Decoder,
    /// Bytes given out.
    given: u64,
}

enum Decoder {
    None(StoredBytes),
    Gzip(Box<MultiGzDecoder<BufReader<StoredBytes>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<StoredBytes>>>),
    Zip(Box<EntryReader>),
}

impl Unpacked {
    pub(super) fn new(stored: &Stored, bytes: StoredBytes, compression: Compression) -> Result<Self, InputError> {
        let decoder = match compression {
            Compression::None => Decoder::None(bytes),
            Compression::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, bytes)))),
            Compression::Zstd => Decoder::Zstd(Box::new(
                zstd::Decoder::with_buffer(BufReader::with_capacity(BUFFER, bytes)).map_err(|error| stored.unreadable(&error))?,
            )),
            Compression::Zip(entry) => {
                Decoder::Zip(Box::new(EntryReader::new(bytes, entry, BUFFER).map_err(|error| stored.unreadable(&error))?))
            }
        };
        Ok(Self { name: stored.name().to_owned(), decoder, given: 0 })
    }

    /// Fills `buffer` from its front; fewer bytes than asked for only at the end.
    ///
    /// # Errors
    /// With the number of bytes that were good before the fault.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, (usize, InputError)> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let got = match &mut self.decoder {
                Decoder::None(bytes) => bytes.read(rest),
                Decoder::Gzip(decoder) => decoder.read(small(rest)),
                Decoder::Zstd(decoder) => decoder.read(small(rest)),
                Decoder::Zip(decoder) => decoder.read(small(rest)),
            };
            match got {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    self.given += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err((filled, self.fault(&error.to_string()))),
            }
            if self.given > HARMLESS_BYTES && self.given / MOST_RATIO > self.stored().bytes_read() {
                let reason = format!("it unpacks to more than {MOST_RATIO} times its size; unpack it yourself if that is right");
                return Err((filled, self.fault(&reason)));
            }
        }
        Ok(filled)
    }

    /// Adds so many bytes to `buffer`; fewer only at the end.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub(super) fn append(&mut self, buffer: &mut Vec<u8>, count: usize) -> Result<usize, (usize, InputError)> {
        let before = buffer.len();
        let got = match &mut self.decoder {
            Decoder::None(bytes) => bytes.append(buffer, count).map_err(|error| error.to_string()),
            _ => {
                buffer.resize(before + count, 0);
                let got = self.fill(buffer.get_mut(before..).unwrap_or_default());
                buffer.truncate(before + *got.as_ref().unwrap_or_else(|(good, _)| good));
                return got;
            }
        };
        let added = buffer.len() - before;
        self.given += added as u64;
        got.map(|()| added).map_err(|reason| (added, self.fault(&reason)))
    }

    pub(super) fn stored_read(&mut self) -> u64 {
        self.stored().bytes_read()
    }

    /// Reads the rest of the stored bytes; what is known of them then.
    pub(super) fn finish(&mut self) -> InputFacts {
        self.stored().finish()
    }

    pub(super) fn check_unchanged(&mut self, stored: &Stored) -> Result<Reread, InputError> {
        self.stored().check_unchanged(stored)
    }

    fn stored(&mut self) -> &mut StoredBytes {
        match &mut self.decoder {
            Decoder::None(bytes) => bytes,
            Decoder::Gzip(decoder) => decoder.get_mut().get_mut(),
            Decoder::Zstd(decoder) => decoder.get_mut().get_mut(),
            Decoder::Zip(decoder) => decoder.stored(),
        }
    }

    fn fault(&mut self, reason: &str) -> InputError {
        let what = match self.decoder {
            Decoder::None(_) => "file",
            Decoder::Gzip(_) => "gzip stream",
            Decoder::Zstd(_) => "zstd stream",
            Decoder::Zip(_) => "ZIP archive",
        };
        let file = self.name.clone();
        match (what, self.stored().fault()) {
            (_, Some(reason)) => InputError::Unreadable { file, reason: reason.to_owned() },
            _ => InputError::CutOff { file, what, bytes: self.given, reason: reason.to_owned() },
        }
    }
}

/// Decoders drop what one call produced before it met a fault, so they are asked for little at a time.
fn small(buffer: &mut [u8]) -> &mut [u8] {
    let most = buffer.len().min(16 << 10);
    buffer.get_mut(..most).unwrap_or_default()
}
