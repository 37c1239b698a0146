//! How soon the repeat came: gaps from the original on a logarithmic axis, with usual timeouts marked.

use super::columns::{self, Column};
use super::{Chart, Drawing, Mark, Scene, WIDTH};
use crate::domain::retry::is_usual_step;
use crate::domain::time::SECOND;
use crate::report::texts::number;

/// Upper ends of the bins in nanoseconds: a 1-2-5 ladder from a millisecond to a thousand days, near enough to equal steps of a
/// logarithm, and round numbers to read.
const TOP: i64 = 140;
const HEIGHT: i64 = 110;

/// Seconds that get a mark on the axis.
const MARKED: [i64; 7] = [1, 5, 30, 60, 300, 3_600, 86_400];

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let mut gaps: Vec<i64> = scene.findings.iter().flat_map(|finding| &finding.repeats).map(|(_, gap)| *gap).collect();
    gaps.sort_unstable();
    let (Some(median), Some(least), Some(largest)) = (gaps.get(gaps.len() / 2), gaps.first(), gaps.last()) else {
        return Chart::empty("chart-gaps", words.ask_gap, scene);
    };
    let at_steps = gaps.iter().filter(|gap| is_usual_step(**gap)).count();
    let ladder = ladder();
    let bin = |gap: i64| ladder.partition_point(|end| *end < gap);
    let (first, last) = (bin(*least).saturating_sub(1), (bin(*largest) + 1).min(ladder.len() - 1));
    let counted: Vec<(i64, u64)> = (first..=last)
        .filter_map(|at| Some((*ladder.get(at)?, gaps.iter().filter(|gap| bin(**gap) == at).count() as u64)))
        .collect();
    let label = |end: i64| format!("≤ {}", scene.texts.span(end));
    let columns: Vec<Column> = counted
        .iter()
        .map(|(end, count)| Column { title: format!("{}: {}", label(*end), number(*count)), parts: vec![("main", *count)] })
        .collect();
    let most = counted.iter().map(|(_, count)| *count).max().unwrap_or_default();
    let mut marks = columns::marks(&columns, most, TOP, HEIGHT);
    marks.push(Mark::Text { x: 0, y: 14, anchor: "start", paint: "axis", text: number(most) });
    let count = columns.len() as i64;
    let mut free = 0;
    for step in MARKED.map(|seconds| seconds * SECOND) {
        let Some(at) = counted.iter().position(|(end, _)| *end == step) else { continue };
        let x = (at as i64 + 1) * WIDTH / count.max(1);
        marks.push(Mark::Line { x, y: 20, to_x: x, to_y: TOP + 4 });
        // A name that would run into the one before is left out; its line stays.
        if x - 20 >= free && x <= WIDTH - 12 {
            marks.push(Mark::Text { x, y: TOP + 18, anchor: "middle", paint: "axis", text: scene.texts.span(step) });
            free = x + 22;
        }
    }
    Chart {
        id: "chart-gaps",
        question: words.ask_gap,
        answer: scene.texts.gaps(gaps.len() as u64, *median, at_steps as u64),
        drawing: Some(Drawing { height: TOP + 24, marks }),
        legend: vec![],
        heads: vec![words.gap.to_owned(), words.records.to_owned()],
        rows: counted.iter().filter(|(_, count)| *count > 0).map(|(end, count)| vec![label(*end), number(*count)]).collect(),
    }
}

/// Ends of the bins: 0, 1 ms … 500 ms, then spans that people and programs wait for, to a thousand days.
pub(super) fn ladder() -> Vec<i64> {
    const MILLISECOND: i64 = SECOND / 1_000;
    let short = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500].map(|step| step * MILLISECOND);
    let seconds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 18_000, 43_200, 86_400];
    let days = [2, 5, 10, 20, 50, 100, 200, 500, 1_000].map(|days| days * 86_400 * SECOND);
    short.into_iter().chain(seconds.map(|step| step * SECOND)).chain(days).chain([i64::MAX]).collect()
}
