//! A chart as shapes: its question, its answer, the drawing, what the paints mean.

use super::canvas::Picture;
use super::color::{Color, FAINT, INK, RULE, SHEET, fill};
use super::font::{Fonts, Look, Weight};
use super::shape::{Block, Shape};
use crate::report::chart::{Chart, Drawing, Mark, WIDTH};

/// Pixels of a unit of a drawing, as a fraction.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) pixels: i64,
    pub(super) units: i64,
}

impl Scale {
    /// For a picture of one chart.
    pub(super) const ALONE: Self = Self { pixels: 2, units: 1 };

    /// Rounded to whole pixels.
    pub(super) fn of(self, units: i64) -> i32 {
        let twice = (2 * units * self.pixels + self.units).div_euclid(2 * self.units);
        i32::try_from(twice).unwrap_or(i32::MAX / 4)
    }

    fn look(self, units: i64, weight: Weight) -> Look {
        Look { size: self.of(units * 1_000), weight }
    }
}

/// Units around a chart.
const PADDING: i64 = 18;
const QUESTION: (i64, i64) = (15, 20);
const ANSWER: (i64, i64) = (12, 17);
const MOST_QUESTION: usize = 2;
const MOST_ANSWER: usize = 6;

/// Pixels across a card.
pub(super) fn width(scale: Scale) -> i32 {
    scale.of(WIDTH + 2 * PADDING)
}

/// A picture of one chart alone.
pub(super) fn alone(chart: &Chart, fonts: &Fonts) -> Picture {
    let scale = Scale::ALONE;
    let block = card(chart, scale, fonts);
    let (width, height) = (width(scale), block.height);
    let mut shapes = vec![Shape::Box { x: 0, y: 0, width, height, color: SHEET }];
    shapes.extend(block.shapes);
    Picture { width: width.unsigned_abs(), height: height.unsigned_abs(), shapes }
}

/// A chart with the room around it.
pub(super) fn card(chart: &Chart, scale: Scale, fonts: &Fonts) -> Block {
    let across = scale.of(WIDTH);
    let mut block = Block::default();
    block.gap(scale.of(PADDING));
    block.add(paragraph(chart.question, QUESTION, Weight::Bold, INK, (across, MOST_QUESTION), scale, fonts));
    block.gap(scale.of(3));
    block.add(paragraph(&chart.answer, ANSWER, Weight::Regular, FAINT, (across, MOST_ANSWER), scale, fonts));
    if let Some(drawing) = &chart.drawing {
        block.gap(scale.of(12));
        block.add(drawn(drawing, scale, fonts));
    }
    if !chart.legend.is_empty() {
        block.gap(scale.of(8));
        let entries = chart.legend.iter().map(|(paint, name)| (fill(paint), name.clone()));
        block.add(legend(entries, scale.look(12, Weight::Regular), across, fonts));
    }
    block.gap(scale.of(PADDING));
    let right = scale.of(PADDING);
    block.shapes = block.shapes.into_iter().map(|shape| shape.moved(right, 0)).collect();
    block
}

/// Lines of text, of a size and a distance in units.
fn paragraph(
    text: &str,
    (size, line): (i64, i64),
    weight: Weight,
    color: Color,
    (across, most_lines): (i32, usize),
    scale: Scale,
    fonts: &Fonts,
) -> Block {
    text_lines(text, scale.look(size, weight), scale.of(line), color, (across, most_lines), fonts)
}

/// Lines of text, so many pixels apart, within so many pixels.
pub(super) fn text_lines(
    text: &str,
    look: Look,
    line: i32,
    color: Color,
    (across, most_lines): (i32, usize),
    fonts: &Fonts,
) -> Block {
    let mut block = Block::default();
    for text in fonts.lines(text, look, across, most_lines) {
        block.height += line;
        // The letters stand so that as much is above as below them.
        let baseline = block.height - (line - look.size * 7 / 10_000) / 2;
        block.shapes.push(Shape::Text { x: 0, baseline, width: fonts.width(&text, look), look, color, text });
    }
    block
}

/// What colours mean: as many in a line as fit.
pub(super) fn legend(entries: impl Iterator<Item = (Color, String)>, look: Look, across: i32, fonts: &Fonts) -> Block {
    let pixels = look.size / 1_000;
    let (side, line) = (pixels * 9 / 10, pixels * 3 / 2);
    let mut block = Block { shapes: vec![], height: line };
    let mut x = 0;
    for (color, name) in entries {
        let text = fonts.fitted(&name, look, across - side * 2);
        let width = fonts.width(&text, look);
        if x > 0 && x + side * 3 / 2 + width > across {
            x = 0;
            block.height += line;
        }
        let baseline = block.height - (line - pixels * 7 / 10) / 2;
        block.shapes.push(Shape::Box { x, y: baseline - side + 1, width: side, height: side, color });
        block.shapes.push(Shape::Text { x: x + side * 3 / 2, baseline, width, look, color: INK, text });
        x += side * 3 / 2 + width + pixels * 3 / 2;
    }
    block
}

/// A drawing of the page in pixels.
fn drawn(drawing: &Drawing, scale: Scale, fonts: &Fonts) -> Block {
    let thin = scale.of(1).max(1);
    let mut shapes = Vec::new();
    for mark in &drawing.marks {
        match mark {
            Mark::Bar { x, y, width, height, paint, .. } => {
                let (left, top) = (scale.of(*x), scale.of(*y));
                let (right, bottom) = (scale.of(x + width), scale.of(y + height));
                shapes.push(Shape::Box {
                    x: left,
                    y: top,
                    width: (right - left).max(1),
                    height: (bottom - top).max(1),
                    color: fill(paint),
                });
            }
            Mark::Line { x, y, to_x, to_y } => shapes.push(Shape::Box {
                x: scale.of(*x.min(to_x)),
                y: scale.of(*y.min(to_y)),
                width: scale.of((x - to_x).abs()).max(thin),
                height: scale.of((y - to_y).abs()).max(thin),
                color: RULE,
            }),
            Mark::Text { .. } => {}
        }
    }
    shapes.extend(texts(drawing, scale, fonts));
    Block { shapes, height: scale.of(drawing.height) }
}

/// The texts of a drawing: none beyond its edges, and what stands on one line does not run into each other. Numbers at the right edge stay
/// whole as long as they can; names at the left give way.
fn texts(drawing: &Drawing, scale: Scale, fonts: &Fonts) -> Vec<Shape> {
    let across = scale.of(WIDTH);
    let space = scale.of(6);
    let mut placed: Vec<(i32, i32, Shape)> = Vec::new();
    let is_start = |mark: &&Mark| matches!(mark, Mark::Text { anchor: "start", .. });
    let (starts, others): (Vec<&Mark>, Vec<&Mark>) = drawing.marks.iter().partition(is_start);
    for mark in others.into_iter().chain(starts.into_iter().rev()) {
        let Mark::Text { x, y, anchor, paint, text } = mark else { continue };
        let (at, baseline) = (scale.of(*x), scale.of(*y));
        let (look, color) = look_of(paint, scale);
        let next = placed.iter().filter(|(line, left, _)| *line == baseline && *left >= at).map(|(_, left, _)| *left).min();
        let most = match *anchor {
            "start" => next.map_or(across, |left| left - space) - at,
            "end" => at,
            _ => 2 * at.min(across - at),
        };
        let text = fonts.fitted(text, look, most);
        let width = fonts.width(&text, look);
        let left = match *anchor {
            "start" => at,
            "end" => at - width,
            _ => at - width / 2,
        };
        placed.push((baseline, left, Shape::Text { x: left, baseline, width, look, color, text }));
    }
    placed.into_iter().map(|(_, _, shape)| shape).collect()
}

fn look_of(paint: &str, scale: Scale) -> (Look, Color) {
    match paint {
        "number" => (scale.look(12, Weight::Bold), INK),
        "axis" => (scale.look(11, Weight::Regular), FAINT),
        "on-dark" => (scale.look(10, Weight::Regular), SHEET),
        "on-light" => (scale.look(10, Weight::Regular), INK),
        _ => (scale.look(12, Weight::Regular), INK),
    }
}
