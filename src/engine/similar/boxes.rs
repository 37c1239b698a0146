//! Numbers that are near, found without looking at those that are not: points in boxes within boxes, each halved along the axis that
//! tells most apart (a k-d tree; with one axis the sorted neighbourhood).
//!
//! Floats only leave out what is certainly far: every range is wider than it has to be, and decimals decide about what lies in it.

use super::marks::{Marks, NONE, Seek};

/// How far a near value may be on one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axis {
    /// At most so far apart.
    Apart(f64),
    /// Of one sign, and the smaller at least this share (0 to 1) of the larger.
    Share(f64),
}

impl Axis {
    /// No near value lies outside.
    pub fn range(self, value: f64) -> (f64, f64) {
        let (low, high) = match self {
            Self::Apart(most) => (value - most, value + most),
            Self::Share(_) if value == 0.0 => (0.0, 0.0),
            Self::Share(share) if value > 0.0 => (value * share, value / share),
            Self::Share(share) => (value / share, value * share),
        };
        // Wider than all that decimals of 28 digits and floats of 15 can lose, together.
        let slack = |bound: f64| (bound.abs() + value.abs()) * 1e-12 + 1e-26;
        (low - slack(low), high + slack(high))
    }

    /// How much a box of this extent leaves to be told apart.
    fn spread(self, low: f64, high: f64) -> f64 {
        if low == high {
            return -1.0;
        }
        let (from, to) = self.range(high);
        (high - low) / (to - from)
    }
}

/// Points, and the tree over them.
#[derive(Debug)]
pub struct Boxes {
    axes: Vec<Axis>,
    marks: Marks,
    /// For each node, for each axis: the least and the greatest value.
    bounds: Vec<(f64, f64)>,
    /// For each node its leaf, or [`NONE`].
    leaf: Vec<u32>,
    node_of_leaf: Vec<u32>,
}

impl Boxes {
    /// `points`: one value for each axis, for each leaf; no two alike.
    pub fn new(axes: Vec<Axis>, points: &[f64]) -> Self {
        let count = points.len() / axes.len().max(1);
        let mut boxes =
            Self { axes, marks: Marks::default(), bounds: Vec::new(), leaf: Vec::new(), node_of_leaf: vec![NONE; count] };
        let mut order: Vec<u32> = (0..count as u32).collect();
        if count > 0 {
            boxes.split(NONE, &mut order, points);
        }
        boxes
    }

    pub fn marks(&mut self, leaf: u32) -> (&mut Marks, u32) {
        let node = self.node_of_leaf.get(leaf as usize).copied().unwrap_or(NONE);
        (&mut self.marks, node)
    }

    fn split(&mut self, parent: u32, some: &mut [u32], points: &[f64]) {
        let width = self.axes.len();
        let value = |leaf: u32, axis: usize| points[leaf as usize * width + axis];
        let node = self.marks.add(parent);
        let extent = |axis: usize| {
            let values = some.iter().map(|leaf| value(*leaf, axis));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let extents: Vec<(f64, f64)> = (0..width).map(extent).collect();
        let spread = |axis: &usize| self.axes[*axis].spread(extents[*axis].0, extents[*axis].1);
        let axis = (0..width).max_by(|one, other| spread(one).total_cmp(&spread(other))).unwrap_or(0);
        self.bounds.extend(extents);
        match *some {
            [leaf] => {
                self.leaf.push(leaf);
                self.node_of_leaf[leaf as usize] = node;
            }
            _ => {
                self.leaf.push(NONE);
                let middle = some.len() / 2;
                some.select_nth_unstable_by(middle, |one, other| value(*one, axis).total_cmp(&value(*other, axis)));
                let (low, high) = some.split_at_mut(middle);
                self.split(node, low, points);
                self.split(node, high, points);
            }
        }
    }

    /// Visits the leaves within the ranges of `point` that are worth it.
    pub fn search(&self, point: &[f64], seek: &mut Seek, visit: &mut dyn FnMut(u32, &mut Seek)) {
        let ranges: Vec<(f64, f64)> = self.axes.iter().zip(point).map(|(axis, value)| axis.range(*value)).collect();
        if !self.leaf.is_empty() {
            self.descend(0, &ranges, seek, visit);
        }
    }

    fn descend(&self, node: u32, ranges: &[(f64, f64)], seek: &mut Seek, visit: &mut dyn FnMut(u32, &mut Seek)) {
        let at = node as usize * ranges.len();
        let meets = |((low, high), (from, to)): (&(f64, f64), &(f64, f64))| low <= to && high >= from;
        if !self.marks.is_worth(node, seek) || !self.bounds[at..at + ranges.len()].iter().zip(ranges).all(meets) {
            return;
        }
        if self.leaf[node as usize] != NONE {
            visit(self.leaf[node as usize], seek);
            return;
        }
        let one = self.marks.child(node);
        let other = self.marks.sibling(one);
        for child in if self.marks.is_before(other, one, seek) { [other, one] } else { [one, other] } {
            self.descend(child, ranges, seek, visit);
        }
    }
}
