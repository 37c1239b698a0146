//! Tells the encoding of a text by its first bytes.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Share of NUL bytes, in percent, and how many to one in the other half, that make a text UTF-16 without a mark: nearly every second byte of western text is NUL,
/// about one in five of a Cyrillic export (digits, delimiters, line ends), and hardly one of the other half.
const NULS_AT_LEAST: usize = 10;
const NULS_TO_ONE: usize = 4;
/// Damaged UTF-8 still holds this many whole letters beside each bad byte; text in another encoding next to none.
const LETTERS_PER_BAD_BYTE: usize = 2;

/// An encoding and the length of the byte order mark before the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recognised {
    pub(super) encoding: &'static Encoding,
    pub(super) mark: usize,
}

/// The configured encoding, else what the mark, the NULs, valid UTF-8 or the letters tell, in that order.
pub(super) fn recognise(sample: &[u8], configured: Option<&'static Encoding>) -> Recognised {
    let marked = Encoding::for_bom(sample);
    match (configured, marked) {
        (Some(encoding), Some((of_mark, mark))) if encoding == of_mark => Recognised { encoding, mark },
        (Some(encoding), _) => Recognised { encoding, mark: 0 },
        (None, Some((encoding, mark))) => Recognised { encoding, mark },
        (None, None) => Recognised { encoding: detect(sample), mark: 0 },
    }
}

fn detect(sample: &[u8]) -> &'static Encoding {
    if let Some(encoding) = wide(sample) {
        return encoding;
    }
    if is_sound(sample) {
        return UTF_8;
    }
    let (letters, bad) = utf8_letters(sample);
    if bad == 0 || letters >= bad * LETTERS_PER_BAD_BYTE {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// UTF-8 to its last letter, which the end of the sample may have cut off. Most samples are so, and looking into them takes longer.
fn is_sound(sample: &[u8]) -> bool {
    !std::str::from_utf8(sample).is_err_and(|error| error.error_len().is_some())
}

/// UTF-16 by where its NULs stand.
fn wide(sample: &[u8]) -> Option<&'static Encoding> {
    memchr::memchr(0, sample)?;
    let pairs = sample.len() / 2;
    let (mut even, mut odd) = (0, 0);
    for pair in sample.chunks_exact(2) {
        even += usize::from(pair.first() == Some(&0));
        odd += usize::from(pair.get(1) == Some(&0));
    }
    let outweighs = |count: usize, other: usize| count * 100 > pairs * NULS_AT_LEAST && count > other * NULS_TO_ONE;
    match () {
        () if outweighs(odd, even) => Some(UTF_16LE),
        () if outweighs(even, odd) => Some(UTF_16BE),
        () => None,
    }
}

/// Letters beyond ASCII, and bytes that belong to none. A letter cut off by the end of the sample is neither.
fn utf8_letters(sample: &[u8]) -> (usize, usize) {
    let (mut letters, mut bad) = (0, 0);
    let mut chunks = sample.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        letters += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        if chunks.peek().is_some() || !is_cut_letter(chunk.invalid()) {
            bad += chunk.invalid().len();
        }
    }
    (letters, bad)
}

fn is_cut_letter(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
