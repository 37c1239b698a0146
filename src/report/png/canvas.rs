//! Painting: from shapes to pixels.

use super::color::{BACKGROUND, Color};
use super::font::{Fonts, Look};
use super::shape::Shape;
use plotters::prelude::{BitMapBackend, DrawingBackend};
use plotters::style::{Color as _, RGBColor};
use std::io;

/// Steps from no ink to full ink at the edge of a letter: few enough for a picture of few colours, which is a small file.
const STEPS: f32 = 12.0;

/// Shapes on a background, later ones above earlier ones.
pub(super) struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) shapes: Vec<Shape>,
}

impl Picture {
    /// Red, green and blue of each pixel, row by row.
    pub(super) fn painted(&self, fonts: &Fonts) -> io::Result<Vec<u8>> {
        let mut pixels = vec![0; self.width as usize * self.height as usize * 3];
        let mut canvas = BitMapBackend::with_buffer(&mut pixels, (self.width, self.height));
        fill(&mut canvas, (0, 0), (self.width as i32, self.height as i32), BACKGROUND)?;
        for shape in &self.shapes {
            match shape {
                Shape::Box { x, y, width, height, color } => fill(&mut canvas, (*x, *y), (x + width, y + height), *color)?,
                Shape::Text { x, baseline, look, color, text, .. } => {
                    write(&mut canvas, fonts, (*x, *baseline), *look, *color, text)?;
                }
            }
        }
        drop(canvas);
        Ok(pixels)
    }
}

fn fill(canvas: &mut BitMapBackend<'_>, from: (i32, i32), to: (i32, i32), (red, green, blue): Color) -> io::Result<()> {
    canvas.draw_rect(from, to, &RGBColor(red, green, blue), true).map_err(io::Error::other)
}

fn write(
    canvas: &mut BitMapBackend<'_>,
    fonts: &Fonts,
    (left, baseline): (i32, i32),
    look: Look,
    (red, green, blue): Color,
    text: &str,
) -> io::Result<()> {
    let ink = RGBColor(red, green, blue);
    for placed in fonts.placed(text, look) {
        let mut glyph = placed.glyph;
        glyph.position = ab_glyph::point(left as f32 + placed.start, baseline as f32);
        let Some(outline) = fonts.outline(glyph, look.weight) else { continue };
        let bounds = outline.px_bounds();
        let (x, y) = (bounds.min.x as i32, bounds.min.y as i32);
        let mut trouble = None;
        outline.draw(|right, down, covered| {
            let covered = (covered * STEPS).round() / STEPS;
            let at = (x.saturating_add_unsigned(right), y.saturating_add_unsigned(down));
            let drawn = canvas.draw_pixel(at, ink.mix(f64::from(covered)).to_backend_color());
            trouble = trouble.take().or(drawn.err());
        });
        if let Some(trouble) = trouble {
            return Err(io::Error::other(trouble));
        }
    }
    Ok(())
}
