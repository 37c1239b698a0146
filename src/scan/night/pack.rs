//! Carried records and counts as bytes: a version, then what it takes to read the rest, then text packed with zstd.

use crate::domain::carried::CarriedText;
use crate::domain::frequency::Frequencies;
use crate::domain::zstd_frame;
use crate::read::Form;
use crate::scan::ScanError;

/// Version of the form of carried records.
const CARRIED_VERSION: u8 = 1;
/// Version of the form of counts.
const COUNTS_VERSION: u8 = 1;
/// Fast, and text of logs is packed well by any level.
const LEVEL: i32 = 3;

/// What an earlier night left cannot be used.
pub fn damaged(what: &str) -> ScanError {
    ScanError::Memory(format!("{what} of an earlier night cannot be read; remove the state, and scan all inputs anew"))
}

/// Packs carried records.
///
/// # Errors
/// They are more than can be said in this form, or there is no memory to pack them in.
pub fn carried(text: &CarriedText, form: Form) -> Result<Vec<u8>, ScanError> {
    let mut bytes = vec![CARRIED_VERSION, u8::from(form == Form::Translated)];
    let length = |length: usize| u32::try_from(length).map_err(|_| ScanError::Memory("too many records to carry".to_owned()));
    bytes.extend_from_slice(&length(text.pieces.len())?.to_le_bytes());
    for piece in &text.pieces {
        bytes.extend_from_slice(&length(piece.len())?.to_le_bytes());
    }
    let packed = zstd_frame::pack(text.pieces.concat().as_bytes(), LEVEL);
    bytes.extend(packed.map_err(|error| ScanError::Memory(format!("records cannot be packed: {error}")))?);
    Ok(bytes)
}

/// Unpacks what [`carried`] packed, and makes sure that all of it is there.
///
/// # Errors
/// The bytes are damaged, or of a later version.
pub fn uncarried(bytes: &[u8], records: u64) -> Result<(CarriedText, Form), ScanError> {
    let read = || -> Option<(CarriedText, Form)> {
        let (&[version, form], rest) = bytes.split_first_chunk::<2>()?;
        let form = form_of(form)?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let (lengths, packed) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*count)).ok()?.checked_mul(4)?)?;
        let lengths: Option<Vec<usize>> =
            lengths.chunks_exact(4).map(|length| usize::try_from(u32::from_le_bytes(length.try_into().ok()?)).ok()).collect();
        let text = String::from_utf8(zstd_frame::unpack(packed)?).ok()?;
        let text = CarriedText::of_pieces(&text, &lengths?, records)?;
        (version == CARRIED_VERSION && text.is_sound()).then_some((text, form))
    };
    read().ok_or_else(|| damaged("the carried records"))
}

/// The form of packed records; None where they are not packed as this version packs.
pub fn form(bytes: &[u8]) -> Option<Form> {
    match bytes {
        [CARRIED_VERSION, form, ..] => form_of(*form),
        _ => None,
    }
}

fn form_of(byte: u8) -> Option<Form> {
    match byte {
        0 => Some(Form::InFile),
        1 => Some(Form::Translated),
        _ => None,
    }
}

/// Packs how common things are.
///
/// # Errors
/// There is no memory to pack it in.
pub fn counts(frequencies: &Frequencies) -> Result<Vec<u8>, ScanError> {
    let packed = zstd_frame::pack(&frequencies.to_bytes(), LEVEL);
    let packed = packed.map_err(|error| ScanError::Memory(format!("counts cannot be packed: {error}")))?;
    Ok([&[COUNTS_VERSION], packed.as_slice()].concat())
}

/// Unpacks what [`counts`] packed; no bytes are no counts.
///
/// # Errors
/// The bytes are damaged, or of a later version.
pub fn uncounted(bytes: &[u8]) -> Result<Frequencies, ScanError> {
    match bytes {
        [] => Ok(Frequencies::default()),
        [COUNTS_VERSION, packed @ ..] => {
            let counts = zstd_frame::unpack(packed).and_then(|bytes| Frequencies::from_bytes(&bytes));
            counts.ok_or_else(|| damaged("the counts"))
        }
        _ => Err(damaged("the counts")),
    }
}
