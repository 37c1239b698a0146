//! When repeats came, and how long after the original: time across, gap upwards on a logarithmic axis. A file or job that ran twice is a band.

use super::gaps::ladder;
use super::time_axis::TimeAxis;
use super::{Chart, Drawing, Mark, Scene, WIDTH, shade};
use crate::report::texts::number;
use std::collections::BTreeMap;

/// Room for the names of the rows.
const LEFT: i64 = 56;
const ROW: i64 = 12;
/// Rows from one name to the next.
const NAMED: usize = 3;

/// Repeats by row (place on the ladder of gaps) and column (time).
type Cells = BTreeMap<(usize, usize), u64>;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let came: Vec<(i64, i64)> =
        scene.findings.iter().flat_map(|finding| &finding.repeats).filter_map(|(came, gap)| Some(((*came)?, *gap))).collect();
    let times = || came.iter().map(|(at, _)| *at);
    let (Some(first), Some(last)) = (times().min(), times().max()) else {
        return Chart::empty("chart-drift", words.ask_drift, scene);
    };
    let (axis, ladder) = (TimeAxis::over(first, last), ladder());
    let mut cells = Cells::new();
    for (at, gap) in &came {
        // The axis holds all of them.
        let Some(bin) = axis.bin(*at) else { continue };
        let row = ladder.partition_point(|end| end < gap);
        *cells.entry((row, bin)).or_default() += 1;
    }
    let label = |row: usize| ladder.get(row).map(|end| format!("≤ {}", scene.texts.span(*end))).unwrap_or_default();
    let when = |bin: usize| axis.when(bin, scene.texts);
    let mut densest: Vec<(usize, usize, u64)> = cells.iter().map(|((row, bin), count)| (*row, *bin, *count)).collect();
    densest.sort_by_key(|(row, bin, count)| (std::cmp::Reverse(*count), *row, *bin));
    let answer = densest.first().map(|(row, bin, count)| {
        let all = came.len() as u64;
        scene.texts.densest(*count, all, &label(*row), &when(*bin))
    });
    Chart {
        id: "chart-drift",
        question: words.ask_drift,
        answer: answer.unwrap_or_default(),
        drawing: Some(drawing(&cells, &axis, &label, &when)),
        legend: vec![],
        heads: [words.time, words.gap, words.records].map(String::from).to_vec(),
        rows: densest.iter().map(|(row, bin, count)| vec![when(*bin), label(*row), number(*count)]).collect(),
    }
}

fn drawing(cells: &Cells, axis: &TimeAxis, label: &dyn Fn(usize) -> String, when: &dyn Fn(usize) -> String) -> Drawing {
    let rows = || cells.keys().map(|(row, _)| *row);
    let (low, high) = (rows().min().unwrap_or_default().saturating_sub(1), rows().max().unwrap_or_default() + 1);
    let most = cells.values().copied().max().unwrap_or_default();
    let bins = axis.bins() as i64;
    // The longest gap stands above all others.
    let y = |row: usize| (high - row) as i64 * ROW;
    let bottom = y(low) + ROW;
    let mut marks = vec![
        Mark::Line { x: LEFT, y: 0, to_x: LEFT, to_y: bottom },
        Mark::Line { x: LEFT, y: bottom, to_x: WIDTH, to_y: bottom },
    ];
    for row in (low..=high).step_by(NAMED) {
        marks.push(Mark::Text { x: 0, y: y(row) + ROW - 2, anchor: "start", paint: "axis", text: label(row) });
    }
    for ((row, bin), count) in cells {
        let from = |bin: i64| LEFT + bin * (WIDTH - LEFT) / bins.max(1);
        let (x, next) = (from(*bin as i64), from(*bin as i64 + 1));
        let title = format!("{}, {}: {}", when(*bin), label(*row), number(*count));
        marks.push(Mark::Bar { x, y: y(*row), width: (next - x - 1).max(2), height: ROW - 1, paint: shade(*count, most), title });
    }
    marks.push(Mark::Text { x: LEFT, y: bottom + 16, anchor: "start", paint: "axis", text: when(0) });
    marks.push(Mark::Text { x: WIDTH, y: bottom + 16, anchor: "end", paint: "axis", text: when(axis.bins()) });
    Drawing { height: bottom + 22, marks }
}
