//! Which files or jobs ran twice: when each batch ran first, and when again.

use super::{Chart, Drawing, LABEL, Mark, Scene, WIDTH, cut};
use crate::domain::report::Batch;
use crate::domain::time::SECOND;
use crate::report::overview::nanos;
use crate::report::texts::number;
use std::cmp::Reverse;

/// Batches that are drawn; further ones are in the table.
const TOP: usize = 8;
const ROW: i64 = 46;
const BAR: i64 = 9;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let (texts, words) = (scene.texts, scene.texts.words());
    let mut batches: Vec<&Batch> = scene.result.batches.iter().collect();
    batches.sort_by_key(|batch| (Reverse(batch.findings), &batch.id));
    let Some(largest) = batches.first() else {
        return Chart::empty("chart-batches", words.ask_batches, scene);
    };
    let span = |[from, to]: &[String; 2]| format!("{} – {}", texts.time(from), texts.time(to));
    let lag = |batch: &Batch| texts.span((batch.lag_seconds * SECOND as f64).round() as i64);
    Chart {
        id: "chart-batches",
        question: words.ask_batches,
        answer: format!("{}: {}", largest.id, texts.batch(largest)),
        drawing: drawing(batches.get(..TOP).unwrap_or(&batches), &span, scene),
        legend: vec![("quiet", words.first_run.to_owned()), ("bad", words.second_run.to_owned())],
        heads: [words.batches, words.rule, words.gap, words.findings, words.first_run, words.second_run]
            .map(String::from)
            .to_vec(),
        rows: batches
            .iter()
            .map(|batch| {
                let (first, second) = (span(&batch.originals), span(&batch.repeats));
                vec![batch.id.clone(), batch.rule.clone(), lag(batch), number(batch.findings), first, second]
            })
            .collect(),
    }
}

/// Two bars for each batch, one under the other, on one time axis. None where no time can be placed.
fn drawing(batches: &[&Batch], span: &dyn Fn(&[String; 2]) -> String, scene: &Scene<'_>) -> Option<Drawing> {
    let written = || batches.iter().flat_map(|batch| batch.originals.iter().chain(&batch.repeats));
    let times = || written().filter_map(|time| Some((nanos(time)?, time)));
    let ((first, from), (last, to)) = (times().min()?, times().max()?);
    let whole = i128::from(last) - i128::from(first);
    let x = |time: &str| {
        let part = i128::from(nanos(time)?) - i128::from(first);
        i64::try_from(part * i128::from(WIDTH) / whole.max(1)).ok()
    };
    let mut marks = Vec::new();
    for (batch, y) in batches.iter().zip((0_i64..).step_by(ROW as usize)) {
        let label = format!("{} · {}", batch.id, batch.rule);
        marks.push(Mark::Text { x: 0, y: y + 13, anchor: "start", paint: "label", text: cut(&label, LABEL) });
        marks.push(Mark::Text { x: WIDTH, y: y + 13, anchor: "end", paint: "number", text: number(batch.findings) });
        for (paint, run, y) in [("quiet", &batch.originals, y + 19), ("bad", &batch.repeats, y + 19 + BAR + 1)] {
            let (Some(from), Some(to)) = (x(&run[0]), x(&run[1])) else { continue };
            // A run of a second among months is still seen, and stays within the drawing.
            let width = (to - from).max(3);
            let title = format!("{}: {}", batch.id, span(run));
            marks.push(Mark::Bar { x: from.min(WIDTH - width), y, width, height: BAR, paint, title });
        }
    }
    let bottom = ROW * batches.len() as i64;
    for (x, anchor, time) in [(0, "start", from), (WIDTH, "end", to)] {
        marks.push(Mark::Text { x, y: bottom + 10, anchor, paint: "axis", text: scene.texts.time(time) });
    }
    Some(Drawing { height: bottom + 16, marks })
}
