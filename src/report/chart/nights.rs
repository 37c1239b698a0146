//! Whether it gets better: findings of the last nights and of this one. None where no earlier night is known.

use super::columns::{self, Column};
use super::{Chart, Drawing, Mark, Scene, WIDTH};
use crate::domain::report::Night;
use crate::report::texts::number;

/// Nights that are drawn, this one included, and the least number of them that there is room for: two would be walls.
const TOP: usize = 30;
const ROOM: usize = 14;
const HEIGHT: i64 = 90;
const BOTTOM: i64 = 112;

pub(super) fn chart(scene: &Scene<'_>) -> Option<Chart> {
    let (texts, words) = (scene.texts, scene.texts.words());
    let totals = &scene.result.totals;
    let tonight = Night {
        started: scene.report.run.started.clone(),
        findings: totals.findings,
        decided: totals.decided_findings(),
        same_rules: true,
    };
    let before = scene.report.nights.last()?;
    let all: Vec<&Night> = scene.report.nights.iter().chain([&tonight]).collect();
    let nights = all.get(all.len().saturating_sub(TOP)..).unwrap_or_default();
    let counts = || nights.iter().map(|night| night.findings);
    let (least, most) = (counts().min().unwrap_or_default(), counts().max().unwrap_or_default());
    Some(Chart {
        id: "chart-nights",
        question: words.ask_nights,
        answer: texts.nights(tonight.findings, before.findings, (least, most), nights.len() as u64),
        drawing: Some(drawing(nights, scene)),
        legend: vec![
            ("bad", words.findings.to_owned()),
            ("doubt", words.other_rules.to_owned()),
            ("good", words.decided_findings.to_owned()),
        ],
        heads: [words.started, words.findings, words.decided_findings].map(String::from).to_vec(),
        rows: all
            .iter()
            .rev()
            .map(|night| vec![texts.time(&night.started), number(night.findings), number(night.decided)])
            .collect(),
    })
}

fn drawing(nights: &[&Night], scene: &Scene<'_>) -> Drawing {
    let most = nights.iter().map(|night| night.findings.saturating_add(night.decided)).max().unwrap_or_default();
    let empty = ROOM.saturating_sub(nights.len());
    let columns: Vec<Column> = std::iter::repeat_with(|| Column { title: String::new(), parts: vec![] })
        .take(empty)
        .chain(nights.iter().map(|night| Column {
            title: format!("{}: {}", scene.texts.time(&night.started), number(night.findings)),
            parts: vec![(if night.same_rules { "bad" } else { "doubt" }, night.findings), ("good", night.decided)],
        }))
        .collect();
    let mut marks = columns::marks(&columns, most, BOTTOM, HEIGHT);
    marks.push(Mark::Text { x: 0, y: 12, anchor: "start", paint: "axis", text: number(most) });
    // A night is known by its day.
    let day = |night: &Night| scene.texts.time(night.started.split('T').next().unwrap_or_default());
    let first = empty as i64 * WIDTH / columns.len().max(1) as i64;
    // The day of a first night that stands close to the last would run into that of the last.
    let apart = first <= WIDTH / 2;
    let ends = [(nights.first().filter(|_| apart), first, "start"), (nights.last(), WIDTH, "end")];
    for (night, x, anchor) in ends.into_iter().filter_map(|(night, x, anchor)| Some((night?, x, anchor))) {
        marks.push(Mark::Text { x, y: BOTTOM + 16, anchor, paint: "axis", text: day(night) });
    }
    Drawing { height: BOTTOM + 22, marks }
}
