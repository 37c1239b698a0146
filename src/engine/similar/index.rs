//! The index of a block: from an event to the clusters that it may be near to.

use super::boxes::{Axis, Boxes};
use super::edits::most_edits;
use super::marks::{NONE, Seek, Wanted};
use super::shelves::Shelves;
use super::trie::{Edits, From, Half, Reach, Trie, best_cut};
use super::values::{Near, Value, is_near};
use crate::rules::{EditMethod, Measure, Rule};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::collections::BTreeMap;

/// How an event and a cluster go together.
pub enum Fit {
    Near,
    Far,
    /// The cluster takes no more attempts.
    Gone,
}

/// Clusters by the values of their first members.
pub struct Index<'n> {
    /// For each event its leaf: one for all that look alike to the index. [`NONE`] for events that are near to nothing.
    leaf: Vec<u32>,
    shelves: Shelves,
    tree: Tree<'n>,
}

enum Tree<'n> {
    /// With the points of the leaves.
    Boxes(Boxes, Vec<f64>, usize),
    Tries {
        front: Trie<'n>,
        end: Trie<'n>,
        edits: Edits,
        at_least: f64,
    },
}

/// A text field whose edits a trie can count.
#[derive(Clone, Copy)]
struct Edited {
    field: usize,
    edits: Edits,
    at_least: f64,
}

impl<'n> Index<'n> {
    pub fn new(near: &'n [Near], rule: &Rule) -> Self {
        let axes = axes(rule);
        let points: Vec<Option<Vec<f64>>> = near.iter().map(|near| point(near, rule)).collect();
        match best_text(near, &points, &axes, rule) {
            Some(edited) => Self::of_texts(near, edited),
            None => Self::of_points(&points, axes),
        }
    }

    /// Each index that could be chosen.
    #[cfg(test)]
    pub fn each(near: &'n [Near], rule: &Rule) -> Vec<Self> {
        let points: Vec<Option<Vec<f64>>> = near.iter().map(|near| point(near, rule)).collect();
        let texts = edited(rule).into_iter().map(|edited| Self::of_texts(near, edited));
        texts.chain([Self::of_points(&points, axes(rule))]).collect()
    }

    fn of_points(points: &[Option<Vec<f64>>], axes: Vec<Axis>) -> Self {
        let mut leaf = vec![NONE; points.len()];
        let mut order: Vec<usize> = (0..points.len()).filter(|at| points[*at].is_some()).collect();
        let alike = |one: &usize, other: &usize| {
            points[*one]
                .iter()
                .flatten()
                .map(|value| value.to_bits())
                .eq(points[*other].iter().flatten().map(|value| value.to_bits()))
        };
        order.sort_by(|one, other| {
            let values = points[*one].iter().flatten().zip(points[*other].iter().flatten());
            values.map(|(one, other)| one.total_cmp(other)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut distinct = Vec::new();
        let mut leaves = 0;
        for some in order.chunk_by(alike) {
            some.iter().for_each(|at| leaf[*at] = leaves);
            distinct.extend(points[some[0]].iter().flatten());
            leaves += 1;
        }
        let width = axes.len();
        let boxes = Boxes::new(axes, &distinct);
        Self { leaf, shelves: Shelves::new(leaves as usize), tree: Tree::Boxes(boxes, distinct, width) }
    }

    fn of_texts(near: &'n [Near], Edited { field, edits, at_least }: Edited) -> Self {
        let mut leaf = vec![NONE; near.len()];
        let text = |at: usize| match near[at].value(field) {
            Value::Text(text) if !near[at].lacks_any() => Some(text.chars()),
            _ => None,
        };
        let mut order: Vec<(&'n [char], usize)> = (0..near.len()).filter_map(|at| Some((text(at)?, at))).collect();
        order.sort_unstable();
        let mut texts = Vec::new();
        for some in order.chunk_by(|one, other| one.0 == other.0) {
            some.iter().for_each(|(_, at)| leaf[*at] = texts.len() as u32);
            texts.push(some[0].0);
        }
        let shelves = Shelves::new(texts.len());
        let (front, end) = (Trie::new(texts.clone(), From::Front), Trie::new(texts, From::End));
        Self { leaf, shelves, tree: Tree::Tries { front, end, edits, at_least } }
    }

    /// The next cluster opens with this event.
    pub fn open(&mut self, event: usize) {
        let leaf = self.leaf[event];
        let cluster = self.shelves.open(leaf);
        if leaf != NONE {
            self.each_marks(leaf, |marks, node| marks.opened(node, cluster));
        }
    }

    /// No attempt joins this cluster any more.
    pub fn close(&mut self, cluster: u32) {
        if let Some(leaf) = self.shelves.close(cluster) {
            let open = self.shelves.best(leaf, Wanted::FirstOpen);
            self.each_marks(leaf, |marks, node| marks.closed(node, open));
        }
    }

    fn each_marks(&mut self, leaf: u32, each: impl Fn(&mut super::marks::Marks, u32)) {
        match &mut self.tree {
            Tree::Boxes(boxes, ..) => {
                let (marks, node) = boxes.marks(leaf);
                each(marks, node);
            }
            Tree::Tries { front, end, .. } => {
                for trie in [front, end] {
                    let (marks, node) = trie.marks(leaf);
                    each(marks, node);
                }
            }
        }
    }

    /// The cluster that is wanted among those that fit.
    pub fn find(&mut self, event: usize, wanted: Wanted, fit: &dyn Fn(u32) -> Fit) -> Option<u32> {
        let leaf = self.leaf[event];
        if leaf == NONE {
            return None;
        }
        let shelves = &self.shelves;
        let mut seek = Seek::new(wanted);
        let mut gone = Vec::new();
        let mut visit = |leaf: u32, seek: &mut Seek| {
            let mut cluster = shelves.best(leaf, wanted);
            while cluster != NONE && seek.is_better(cluster) {
                match fit(cluster) {
                    Fit::Near => seek.take(cluster),
                    Fit::Far => {}
                    Fit::Gone => gone.push(cluster),
                }
                cluster = shelves.next_best(cluster, wanted);
            }
        };
        // What is equal is nearest at hand, and what is found leaves less to look for.
        visit(leaf, &mut seek);
        match &self.tree {
            Tree::Boxes(boxes, points, width) => {
                let at = leaf as usize * width;
                boxes.search(&points[at..at + width], &mut seek, &mut visit);
            }
            Tree::Tries { front, end, edits, at_least } => {
                let most = most_edits(front.length(leaf), *at_least);
                let reach = Reach { edits: *edits, most };
                let cut = best_cut(front, end, leaf);
                front.search(leaf, reach, Half { turn: cut, most: most / 2 }, &mut seek, &mut visit);
                if let Some(few) = most.checked_sub(most / 2 + 1) {
                    let turn = front.length(leaf) - cut;
                    end.search(leaf, reach, Half { turn, most: few }, &mut seek, &mut visit);
                }
            }
        }
        gone.into_iter().for_each(|cluster| self.close(cluster));
        seek.found()
    }
}

fn axes(rule: &Rule) -> Vec<Axis> {
    let axis = |measure: &Measure| match measure {
        Measure::Within(most) => Axis::Apart(float(*most)),
        Measure::WithinShare(share) => Axis::Share(float(Decimal::ONE - *share)),
        Measure::WithinDays(days) => Axis::Apart(f64::from(*days)),
        // Whoever is longer has at least so many characters without a partner.
        Measure::Edit { method: EditMethod::Levenshtein | EditMethod::DamerauLevenshtein, at_least } => Axis::Share(*at_least),
        // All of the shorter paired, in order, after a front of four in common: (2 + shorter / longer) / 3 and a tenth for each of the four.
        Measure::Edit { method: EditMethod::JaroWinkler, at_least } => Axis::Share((5.0 * at_least - 4.0).max(0.0)),
    };
    rule.similar.iter().map(|similar| axis(&similar.measure)).collect()
}

/// The values of an event on the axes; None where it is near to nothing.
fn point(near: &Near, rule: &Rule) -> Option<Vec<f64>> {
    let value = |field| match near.value(field) {
        Value::Absent => None,
        Value::Number(number) => Some(float(*number)),
        Value::Day(day) => Some(*day as f64),
        Value::Text(text) => Some(text.chars().len() as f64),
    };
    (0..rule.similar.len()).map(value).collect()
}

fn float(number: Decimal) -> f64 {
    number.to_f64().or_else(|| number.to_string().parse().ok()).unwrap_or_default()
}

/// Blocks up to this size are compared sooner than it is thought about how.
const SMALL: usize = 1_000;

/// Events that are looked at to see which field tells most apart.
const SAMPLE: usize = 400;

/// The text field that leaves less to compare than all axes together do, where there is one.
fn best_text(near: &[Near], points: &[Option<Vec<f64>>], axes: &[Axis], rule: &Rule) -> Option<Edited> {
    let whole: Vec<usize> = (0..near.len()).filter(|at| points[*at].is_some()).collect();
    if whole.len() <= SMALL {
        return None;
    }
    let texts = edited(rule);
    let sample: Vec<usize> = (0..SAMPLE).map(|number| whole[number * whole.len() / SAMPLE]).collect();
    let mut pairs = 0;
    let mut left: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for (number, one) in sample.iter().enumerate() {
        for other in &sample[..number] {
            pairs += 1;
            let values = points[*one].iter().flatten().zip(points[*other].iter().flatten()).zip(axes);
            let mut ranges = values.map(|((one, other), axis)| (axis.range(*one), other));
            if ranges.all(|((low, high), other)| (low..=high).contains(other)) {
                *left.entry(None).or_default() += 1;
            }
            for Edited { field, .. } in &texts {
                if is_near(near[*one].value(*field), near[*other].value(*field), &rule.similar[*field].measure) {
                    *left.entry(Some(*field)).or_default() += 1;
                }
            }
        }
    }
    let left =
        |field: Option<usize>| left.get(&field).copied().unwrap_or_default() as f64 / f64::from(pairs) * whole.len() as f64;
    let best = texts.into_iter().min_by(|one, other| left(Some(one.field)).total_cmp(&left(Some(other.field))))?;
    let lengths = sample.iter().map(|at| points[*at].as_ref().map_or(0.0, |point| point[best.field]));
    let length = lengths.sum::<f64>() / SAMPLE as f64;
    // As measured: the way through the tries costs as much as to leave out so many pairs, and eight times that for each edit more that is
    // allowed in both parts of a text.
    let way = 2_000.0 * 8_f64.powi((most_edits(length as usize, best.at_least) / 2) as i32);
    (left(Some(best.field)) + way < left(None)).then_some(best)
}

/// The fields whose edits a trie can count, and few enough of them.
fn edited(rule: &Rule) -> Vec<Edited> {
    let fields = rule.similar.iter().enumerate().filter_map(|(field, similar)| match similar.measure {
        Measure::Edit { method: EditMethod::Levenshtein, at_least } => Some(Edited { field, edits: Edits::Plain, at_least }),
        Measure::Edit { method: EditMethod::DamerauLevenshtein, at_least } => {
            Some(Edited { field, edits: Edits::WithSwaps, at_least })
        }
        _ => None,
    });
    fields.filter(|edited| edited.at_least > 0.5).collect()
}
