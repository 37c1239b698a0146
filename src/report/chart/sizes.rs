//! Twice, or a storm: findings by how many attempts their group holds.

use super::bars::{self, Bar};
use super::{Chart, Scene};
use crate::report::texts::{number, share};

/// Least size of each class, and its name.
const CLASSES: [(u64, &str); 7] = [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5–9"), (10, "10–99"), (100, "100+")];

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let sizes: Vec<u64> = scene.findings.iter().map(|finding| finding.attempts).collect();
    let Some(largest) = sizes.iter().max().copied() else {
        return Chart::empty("chart-sizes", words.ask_size, scene);
    };
    let all = sizes.len() as u64;
    let class = |at: usize| {
        let least = CLASSES.get(at).map_or(0, |(least, _)| *least);
        let next = CLASSES.get(at + 1).map_or(u64::MAX, |(least, _)| *least);
        sizes.iter().filter(|size| (least..next).contains(size)).count() as u64
    };
    let counts: Vec<(&str, u64)> = CLASSES.iter().enumerate().map(|(at, (_, name))| (*name, class(at))).collect();
    // The ends that hold nothing say nothing; a hole in the middle does.
    let first = counts.iter().position(|(_, count)| *count > 0).unwrap_or_default();
    let last = counts.iter().rposition(|(_, count)| *count > 0).unwrap_or_default();
    let counts = counts.get(first..=last).unwrap_or_default();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    let bars: Vec<Bar> = counts
        .iter()
        .map(|(name, count)| Bar {
            label: format!("{}: {name}", words.attempts_in_group),
            number: number(*count),
            parts: vec![("main", *count)],
            whole: most,
        })
        .collect();
    let doubles = sizes.iter().filter(|size| **size == 2).count() as u64;
    Chart {
        id: "chart-sizes",
        question: words.ask_size,
        answer: scene.texts.largest_group(doubles, all, largest),
        drawing: bars::drawing(&bars),
        legend: vec![],
        heads: vec![words.attempts_in_group.to_owned(), words.findings.to_owned(), words.share.to_owned()],
        rows: counts.iter().map(|(name, count)| vec![(*name).to_owned(), number(*count), share(*count, all)]).collect(),
    }
}
