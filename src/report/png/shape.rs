//! What a picture is made of, in whole pixels.

use super::color::Color;
use super::font::Look;

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Box {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        color: Color,
    },
    /// Text that fits: nothing is cut or broken any more. `x` is its left edge, `width` what it takes.
    Text {
        x: i32,
        baseline: i32,
        width: i32,
        look: Look,
        color: Color,
        text: String,
    },
}

impl Shape {
    /// The same, further right and down.
    pub(super) fn moved(self, right: i32, down: i32) -> Self {
        match self {
            Self::Box { x, y, width, height, color } => Self::Box { x: x + right, y: y + down, width, height, color },
            Self::Text { x, baseline, width, look, color, text } => {
                Self::Text { x: x + right, baseline: baseline + down, width, look, color, text }
            }
        }
    }
}

/// Shapes one below the other, from the left edge at 0.
#[derive(Default)]
pub(super) struct Block {
    pub(super) shapes: Vec<Shape>,
    pub(super) height: i32,
}

impl Block {
    pub(super) fn gap(&mut self, height: i32) {
        self.height += height;
    }

    /// Adds shapes that begin at the block's end.
    pub(super) fn add(&mut self, other: Block) {
        let down = self.height;
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.moved(0, down)));
        self.height += other.height;
    }
}
