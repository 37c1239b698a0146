//! The font that is part of the program: how wide text is, where it breaks, and what stands for characters that the font lacks.
//!
//! No font of the system is used, so pictures are the same everywhere. How the files were made stands in `font/README.md`.

use crate::report::mask::cards;
use crate::report::safe;
use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use std::io;
use unicode_normalization::UnicodeNormalization;

const REGULAR: &[u8] = include_bytes!("font/Roboto-Regular.ttf");
const BOLD: &[u8] = include_bytes!("font/Roboto-Bold.ttf");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Size in thousandths of a pixel (of an em), and weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) size: i32,
    pub(super) weight: Weight,
}

impl Look {
    pub(super) const fn regular(pixels: i32) -> Self {
        Self { size: pixels * 1_000, weight: Weight::Regular }
    }

    pub(super) const fn bold(pixels: i32) -> Self {
        Self { size: pixels * 1_000, weight: Weight::Bold }
    }
}

pub(super) struct Fonts {
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

impl Fonts {
    /// # Errors
    /// A defect: the program was built with something that is no font.
    pub(super) fn embedded() -> io::Result<Self> {
        let font = |bytes| FontRef::try_from_slice(bytes).map_err(|_| io::Error::other("the font of the program is no font"));
        Ok(Self { regular: font(REGULAR)?, bold: font(BOLD)? })
    }

    fn font(&self, weight: Weight) -> &FontRef<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    pub(super) fn has(&self, c: char) -> bool {
        [&self.regular, &self.bold].into_iter().all(|font| font.glyph_id(c).0 != 0)
    }

    /// Text from anywhere as it can be drawn: no hidden character, no card number, and for what the font lacks its number, as `\u{4e2d}`:
    /// two names in a script without glyphs must not look alike.
    pub(super) fn drawable(&self, text: &str) -> String {
        let mut drawable = String::with_capacity(text.len());
        for c in safe::visible(&cards(text)).nfc() {
            match c {
                c if self.has(c) => drawable.push(c),
                c if c.is_whitespace() => drawable.push(' '),
                c => drawable.extend(c.escape_unicode()),
            }
        }
        drawable
    }

    /// Pixels across, rounded up.
    pub(super) fn width(&self, text: &str, look: Look) -> i32 {
        let end = self.placed(text, look).last().map_or(0.0, |glyph| glyph.end);
        end.ceil() as i32
    }

    /// Drawable text of at most so many pixels, with `…` where something is missing.
    pub(super) fn fitted(&self, text: &str, look: Look, most: i32) -> String {
        let text = self.drawable(text);
        if self.width(&text, look) <= most {
            return text;
        }
        let room = (most - self.width("…", look)) as f32;
        let kept: String = self.placed(&text, look).take_while(|glyph| glyph.end <= room).map(|glyph| glyph.character).collect();
        if room < 0.0 { String::new() } else { format!("{}…", kept.trim_end()) }
    }

    /// Drawable text in at most `most_lines` lines of at most so many pixels; the last ends with `…` where something is missing.
    pub(super) fn lines(&self, text: &str, look: Look, most: i32, most_lines: usize) -> Vec<String> {
        let text = self.drawable(text);
        let mut lines: Vec<String> = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() && lines.len() < most_lines {
            if lines.len() + 1 == most_lines {
                lines.push(self.fitted(rest, look, most));
                break;
            }
            let at = self.break_before(rest, look, most);
            let (line, further) = rest.split_at(at);
            lines.push(line.trim_end().to_owned());
            rest = further.trim_start_matches(' ');
        }
        lines
    }

    /// Where a first line of at most so many pixels ends: at a blank, else inside a word; never before its first character.
    fn break_before(&self, text: &str, look: Look, most: i32) -> usize {
        let fits = self.placed(text, look).take_while(|glyph| glyph.end <= most as f32).count();
        let Some((hard, _)) = text.char_indices().nth(fits.max(1)) else { return text.len() };
        let (head, tail) = text.split_at(hard);
        if tail.starts_with(' ') {
            return hard;
        }
        head.rfind(' ').filter(|at| *at > 0).map_or(hard, |at| at + 1)
    }

    /// Every glyph of a text, with its place.
    pub(super) fn placed<'t>(&'t self, text: &'t str, look: Look) -> impl Iterator<Item = Placed> + 't {
        let font = self.font(look.weight);
        let scale = PxScale::from(self.scale(look));
        let scaled = font.as_scaled(scale);
        let mut x = 0.0;
        let mut before = ' ';
        text.chars().map(move |character| {
            let id = scaled.glyph_id(character);
            if (before, character) == ('-', '-') {
                // Two hyphens in a row would become one dash, and the name of an option another.
                x += scaled.h_advance(id) / 4.0;
            }
            before = character;
            let start = x;
            x += scaled.h_advance(id);
            Placed { character, glyph: id.with_scale(scale), start, end: x }
        })
    }

    /// The pixels that this library calls the size of a font, its height, for a size of an em.
    fn scale(&self, look: Look) -> f32 {
        let font = self.font(look.weight);
        let em = font.units_per_em().unwrap_or(1_000.0);
        look.size as f32 / 1_000.0 * font.height_unscaled() / em
    }

    pub(super) fn outline(&self, glyph: ab_glyph::Glyph, weight: Weight) -> Option<ab_glyph::OutlinedGlyph> {
        self.font(weight).outline_glyph(glyph)
    }
}

/// A glyph on its line, and pixels from the line's start to its own start and end.
pub(super) struct Placed {
    pub(super) character: char,
    pub(super) glyph: ab_glyph::Glyph,
    pub(super) start: f32,
    pub(super) end: f32,
}
