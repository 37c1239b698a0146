//! Columns that stand on an axis: one for each bin.

use super::{Mark, WIDTH, scaled};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// The length of the largest of some sums.
pub(super) const LONGEST: u64 = 1_000;

/// Sums in thousandths of the largest: lengths, not amounts.
pub(super) fn lengths(sums: Vec<Decimal>) -> Vec<u64> {
    let most = sums.iter().max().copied().unwrap_or_default();
    let length = |sum: Decimal| {
        let share = sum.checked_div(most).and_then(|share| share.checked_mul(Decimal::from(LONGEST)));
        share.and_then(|share| share.round().to_u64()).unwrap_or_default()
    };
    sums.into_iter().map(length).collect()
}

/// A column, in parts from the axis up.
pub(super) struct Column {
    pub(super) title: String,
    pub(super) parts: Vec<(&'static str, u64)>,
}

/// Columns over the whole width, with their axis at `bottom`; the highest is `height` high where it holds `most`.
pub(super) fn marks(columns: &[Column], most: u64, bottom: i64, height: i64) -> Vec<Mark> {
    let mut marks = vec![Mark::Line { x: 0, y: bottom, to_x: WIDTH, to_y: bottom }];
    let count = i64::try_from(columns.len()).unwrap_or(1).max(1);
    for (at, column) in (0_i64..).zip(columns) {
        let x = at * WIDTH / count;
        let width = ((at + 1) * WIDTH / count - x - 1).max(1);
        let mut top = bottom;
        for (paint, size) in &column.parts {
            // Parts beyond 64 bits would add up to more than all.
            let high = scaled(*size, most, height).min(top - (bottom - height));
            if high > 0 {
                top -= high;
                marks.push(Mark::Bar { x, y: top, width, height: high, paint, title: column.title.clone() });
            }
        }
    }
    marks
}
