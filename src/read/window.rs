//! Compares 64 bytes with one at a time: the step that everything which looks for marks in a table goes by.

use wide::u8x16;

/// Bytes that are looked at together: one bit of a mask for each, the lowest for the first.
pub(super) const WINDOW: usize = 64;

/// One bit for each byte that is `needle`.
#[inline]
fn equals(window: &[u8; WINDOW], needle: u8) -> u64 {
    // Processors compare 16 bytes in one step, and the common ones make a mask of the outcome in another.
    let (quarters, _) = window.as_chunks::<16>();
    let equal = |quarter: &[u8; 16]| u8x16::new(*quarter).simd_eq(u8x16::splat(needle)).to_bitmask();
    quarters.iter().rev().fold(0, |mask, quarter| mask << 16 | u64::from(equal(quarter)))
}

/// For each needle, one bit for each byte of `text` from `at` on that is this needle; none for what lies beyond the text.
#[inline]
pub(super) fn masks_at<const N: usize>(text: &[u8], at: usize, needles: [u8; N]) -> [u64; N] {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk::<WINDOW>() {
        Some(window) => needles.map(|needle| equals(window, needle)),
        None => last_masks(rest, needles),
    }
}

/// Of fewer bytes than a window has.
#[cold]
fn last_masks<const N: usize>(rest: &[u8], needles: [u8; N]) -> [u64; N] {
    let mut window = [0; WINDOW];
    for (place, byte) in window.iter_mut().zip(rest) {
        *place = *byte;
    }
    let there = (1 << rest.len()) - 1;
    needles.map(|needle| equals(&window, needle) & there)
}
