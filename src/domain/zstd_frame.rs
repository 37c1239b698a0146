//! Bytes packed as one frame of zstd that says how long they are, so that packing and unpacking take no more memory than they need.

use std::io;

/// A frame that says it holds more is unpacked as far as it really goes: a length alone must not take memory.
const MOST_AT_ONCE: u64 = 256 << 20;

/// Packs bytes with this effort (a level of zstd).
///
/// # Errors
/// There is no memory to pack them in.
pub fn pack(plain: &[u8], level: i32) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(plain, level)
}

/// Unpacks what [`pack`], or any other writer of zstd, packed; None where it is damaged or cut off.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    match zstd::zstd_safe::get_frame_content_size(packed) {
        Ok(Some(length)) if length <= MOST_AT_ONCE => zstd::bulk::decompress(packed, usize::try_from(length).ok()?).ok(),
        _ => zstd::decode_all(packed).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back_whoever_packed_it() {
        for plain in [&b""[..], b"anna, 59.00", &[7; 300_000]] {
            let packed = pack(plain, 3).unwrap();
            assert_eq!(unpack(&packed).as_deref(), Some(plain));
            // States of earlier versions hold frames without a length.
            let streamed = zstd::encode_all(plain, 3).unwrap();
            assert_eq!(unpack(&streamed).as_deref(), Some(plain));
            for cut in [&packed, &streamed] {
                assert_eq!(unpack(&cut[..cut.len() - 1]), None);
            }
        }
    }

    #[test]
    fn a_length_that_is_not_true_is_damage() {
        let packed = pack(&[7; 1_000], 3).unwrap();
        // A single segment: the length stands behind the magic number and the descriptor.
        let at = 5;
        assert_eq!(u16::from_le_bytes([packed[at], packed[at + 1]]) + 256, 1_000);
        for length in [0, 999, 1_001, u16::MAX] {
            let mut damaged = packed.clone();
            damaged[at..at + 2].copy_from_slice(&length.wrapping_sub(256).to_le_bytes());
            assert_eq!(unpack(&damaged), None, "{length}");
        }
    }
}
