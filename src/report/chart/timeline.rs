//! When it happened: findings over time, one lane for each source.

use super::columns::{self, Column};
use super::time_axis::{TimeAxis, nanos};
use super::{Chart, Drawing, LABEL, Mark, Scene, WIDTH, cut};
use crate::domain::Verdict;
use crate::domain::finding::Finding;
use crate::report::side_by_side::original;
use crate::report::texts::number;
use std::collections::BTreeMap;

/// Most lanes; further sources are in the table only, and the answer says so.
const LANES: usize = 6;
const LANE: i64 = 66;
const HEIGHT: i64 = 40;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let placed: Vec<(i64, &Finding)> =
        scene.findings.iter().filter_map(|finding| Some((nanos(&finding.first)?, *finding))).collect();
    let (Some(first), Some(last)) =
        (placed.iter().min_by_key(|(at, _)| at).copied(), placed.iter().max_by_key(|(at, _)| at).copied())
    else {
        return Chart::empty("chart-time", words.ask_when, scene);
    };
    let axis = TimeAxis::over(first.0, last.0);
    let (lanes, total) = counted(&placed, &axis);
    let busiest = total.iter().enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best });
    let (busiest, most) = busiest.map_or((0, 0), |(at, count)| (at, *count));
    let when = |bin: usize| axis.when(bin, scene.texts);
    let (from, to) = (scene.texts.time(&first.1.first), scene.texts.time(&last.1.first));
    let mut answer = scene.texts.timeline(placed.len() as u64, &from, &to, &when(busiest), most);
    if let Some(more) = lanes.len().checked_sub(LANES).filter(|more| *more > 0) {
        answer = format!("{answer}; {}", scene.texts.undrawn_sources(more));
    }
    Chart {
        id: "chart-time",
        question: words.ask_when,
        answer,
        drawing: Some(drawing(&lanes, &when, axis.bins())),
        legend: vec![("bad", scene.texts.verdict(Verdict::DuplicateEffect).to_owned()), ("doubt", words.rest.to_owned())],
        heads: vec![words.source.to_owned(), words.time.to_owned(), words.findings.to_owned()],
        rows: lanes
            .iter()
            .flat_map(|(source, lane)| {
                let filled = lane.iter().enumerate().filter(|(_, parts)| parts.iter().sum::<u64>() > 0);
                filled.map(|(bin, parts)| vec![(*source).to_owned(), when(bin), number(parts.iter().sum())])
            })
            .collect(),
    }
}

/// Proven duplicates and other findings of each source and bin, and the total of each bin.
type Lanes<'a> = BTreeMap<&'a str, Vec<[u64; 2]>>;

fn counted<'a>(placed: &[(i64, &'a Finding)], axis: &TimeAxis) -> (Lanes<'a>, Vec<u64>) {
    let mut lanes = Lanes::new();
    let mut total = vec![0; axis.bins()];
    for (at, finding) in placed {
        let source = original(finding).map_or("", |record| record.source.as_str());
        let lane = lanes.entry(source).or_insert_with(|| vec![[0; 2]; axis.bins()]);
        let bin = axis.bin(*at);
        if let (Some([proven, other]), Some(total)) = (lane.get_mut(bin), total.get_mut(bin)) {
            *(if finding.verdict == Verdict::DuplicateEffect { proven } else { other }) += 1;
            *total += 1;
        }
    }
    (lanes, total)
}

fn drawing(lanes: &Lanes<'_>, when: &dyn Fn(usize) -> String, bins: usize) -> Drawing {
    let most = lanes.values().flatten().map(|parts| parts.iter().sum::<u64>()).max().unwrap_or_default();
    let mut marks = Vec::new();
    let mut bottom = 0;
    for (source, lane) in lanes.iter().take(LANES) {
        bottom += LANE;
        let all: u64 = lane.iter().flatten().sum();
        marks.push(Mark::Text { x: 0, y: bottom - 50, anchor: "start", paint: "label", text: cut(source, LABEL) });
        marks.push(Mark::Text { x: WIDTH, y: bottom - 50, anchor: "end", paint: "number", text: number(all) });
        let columns: Vec<Column> = lane
            .iter()
            .enumerate()
            .map(|(bin, [proven, other])| Column {
                title: format!("{source}, {}: {}", when(bin), number(proven + other)),
                parts: vec![("bad", *proven), ("doubt", *other)],
            })
            .collect();
        marks.extend(columns::marks(&columns, most, bottom, HEIGHT));
    }
    marks.push(Mark::Text { x: 0, y: bottom + 16, anchor: "start", paint: "axis", text: when(0) });
    marks.push(Mark::Text { x: WIDTH, y: bottom + 16, anchor: "end", paint: "axis", text: when(bins) });
    Drawing { height: bottom + 22, marks }
}
