//! Pixels as a PNG file (ISO/IEC 15948): the header, at most a palette, the pixels, the end. No time, no name of a program.
//!
//! Compressed by a library that takes the same steps on every processor; the one that archives are read with does not.

use super::color::Color;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::collections::BTreeMap;
use std::io;

pub(super) const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
/// More work than this makes nothing smaller that is flat colour and text.
const EFFORT: u8 = 7;
/// Filter type 0: the bytes as they are. Best for flat colour.
const AS_IT_IS: u8 = 0;

/// `pixels` are red, green and blue of each, row by row.
///
/// # Errors
/// The picture has no pixels, or more than the format can hold.
pub(super) fn png(width: u32, height: u32, pixels: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = SIGNATURE.to_vec();
    let (kind, row_bytes, content, palette) = match indexed(pixels) {
        Some((indices, palette)) => (3, width as usize, indices, Some(palette)),
        None => (2, width as usize * 3, pixels.to_vec(), None),
    };
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Bits of a sample, colour type, and the only ways to compress, filter and order.
    header.extend([8, kind, 0, 0, 0]);
    chunk(&mut bytes, b"IHDR", &header)?;
    if let Some(palette) = palette {
        let colors: Vec<u8> = palette.into_iter().flat_map(|(red, green, blue)| [red, green, blue]).collect();
        chunk(&mut bytes, b"PLTE", &colors)?;
    }
    let mut rows = Vec::with_capacity(content.len() + height as usize);
    for row in content.chunks(row_bytes.max(1)) {
        rows.push(AS_IT_IS);
        rows.extend_from_slice(row);
    }
    chunk(&mut bytes, b"IDAT", &compress_to_vec_zlib(&rows, EFFORT))?;
    chunk(&mut bytes, b"IEND", &[])?;
    Ok(bytes)
}

/// Each pixel as its place in a palette, in the order in which colours come; None where there are more than 256 of them.
fn indexed(pixels: &[u8]) -> Option<(Vec<u8>, Vec<Color>)> {
    let mut palette: Vec<Color> = Vec::new();
    let mut places: BTreeMap<Color, u8> = BTreeMap::new();
    let mut indices = Vec::with_capacity(pixels.len() / 3);
    let mut last: Option<(Color, u8)> = None;
    for pixel in pixels.chunks_exact(3) {
        let &[red, green, blue] = pixel else { return None };
        let color = (red, green, blue);
        let index = match (last, places.get(&color)) {
            (Some((same, index)), _) if same == color => index,
            (_, Some(index)) => *index,
            (_, None) => {
                let index = u8::try_from(palette.len()).ok()?;
                palette.push(color);
                places.insert(color, index);
                index
            }
        };
        last = Some((color, index));
        indices.push(index);
    }
    Some((indices, palette))
}

fn chunk(bytes: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).map_err(|_| io::Error::other("the picture is too large for a PNG file"))?;
    bytes.extend(length.to_be_bytes());
    let start = bytes.len();
    bytes.extend_from_slice(name);
    bytes.extend_from_slice(content);
    let mut sum = flate2::Crc::new();
    sum.update(bytes.get(start..).unwrap_or_default());
    bytes.extend(sum.sum().to_be_bytes());
    Ok(())
}
