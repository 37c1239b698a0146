//! Bars that lie: a label and a number above each, so that names of any language have room.

use super::{Drawing, LABEL, Mark, WIDTH, cut, scaled};

const ROW: i64 = 34;
const BAR: i64 = 10;

/// One bar, in parts.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) number: String,
    /// Paint and size of each part, in the unit of `whole`.
    pub(super) parts: Vec<(&'static str, u64)>,
    /// What would fill the width.
    pub(super) whole: u64,
}

pub(super) fn drawing(bars: &[Bar]) -> Option<Drawing> {
    let mut marks = Vec::new();
    let mut y = 0;
    for bar in bars {
        let title = format!("{}: {}", bar.label, bar.number);
        marks.push(Mark::Text { x: 0, y: y + 13, anchor: "start", paint: "label", text: cut(&bar.label, LABEL) });
        marks.push(Mark::Text { x: WIDTH, y: y + 13, anchor: "end", paint: "number", text: bar.number.clone() });
        marks.push(Mark::Bar { x: 0, y: y + 19, width: WIDTH, height: BAR, paint: "track", title: title.clone() });
        let mut x = 0;
        for (paint, size) in &bar.parts {
            let width = scaled(*size, bar.whole, WIDTH).min(WIDTH - x);
            if width > 0 {
                marks.push(Mark::Bar { x, y: y + 19, width, height: BAR, paint, title: title.clone() });
            }
            x += width;
        }
        y += ROW;
    }
    (!bars.is_empty()).then_some(Drawing { height: y, marks })
}
