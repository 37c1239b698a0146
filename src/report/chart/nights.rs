//! Whether it gets better: findings and money of the last nights and of this one. None where no earlier night is known.

use super::columns::{self, Column, lengths};
use super::{Chart, Drawing, Mark, Scene, WIDTH};
use crate::domain::report::{ChangeCounts, Night, NightRun};
use crate::report::texts::{ABSENT, number};
use std::collections::{BTreeMap, BTreeSet};

/// Nights that are drawn, this one included, and the least number of them that there is room for: two would be walls.
const TOP: usize = 30;
const ROOM: usize = 14;
const HEIGHT: i64 = 90;
const BOTTOM: i64 = 112;
/// Currencies that are drawn; all are in the table.
const CURRENCIES: usize = 3;
/// From one measure to the next below it, and how high its columns are.
const LANE: i64 = 86;
const LANE_HEIGHT: i64 = 46;
/// Above a night that other rules judged.
const OTHERWISE: &str = "≠";

pub(super) fn chart(scene: &Scene<'_>) -> Option<Chart> {
    let (texts, words) = (scene.texts, scene.texts.words());
    let tonight = tonight(scene);
    let before = scene.report.nights.last()?;
    let all: Vec<&Night> = scene.report.nights.iter().chain([&tonight]).collect();
    let nights = all.get(all.len().saturating_sub(TOP)..).unwrap_or_default();
    let counts = || nights.iter().map(|night| night.findings);
    let (least, most) = (counts().min().unwrap_or_default(), counts().max().unwrap_or_default());
    let mut answer = texts.nights(tonight.findings, before.findings, (least, most), nights.len() as u64);
    if nights.iter().any(|night| !night.same_rules) {
        answer = format!("{answer}; {OTHERWISE}: {}", words.other_rules);
    }
    let [new, grown, known, resolved] = words.night_heads;
    let with_changes = all.iter().any(|night| night.changes.is_some());
    let legend = if with_changes {
        vec![("bad", new), ("doubt", grown), ("quiet", known), ("good", words.decided_findings)]
    } else {
        vec![("bad", words.findings), ("good", words.decided_findings)]
    };
    let heads = [words.started, words.findings, new, grown, known, resolved, words.decided_findings, words.net];
    let row = |night: &&Night| {
        let counts = |changes: &ChangeCounts| {
            let ChangeCounts { new, grown, unchanged, resolved } = *changes;
            [new, grown, unchanged, resolved].map(number)
        };
        let changes = night.changes.as_ref().map_or_else(|| [ABSENT; 4].map(str::to_owned), counts);
        let sums: Vec<String> = night.exposure.iter().map(|sum| texts.money(&sum.currency, &sum.net)).collect();
        let mark = if night.same_rules { "" } else { " ≠" };
        [format!("{}{mark}", texts.time(&night.started)), number(night.findings)]
            .into_iter()
            .chain(changes)
            .chain([number(night.decided), if sums.is_empty() { ABSENT.to_owned() } else { sums.join("; ") }])
            .collect()
    };
    Some(Chart {
        id: "chart-nights",
        question: words.ask_nights,
        answer,
        drawing: Some(drawing(nights, scene)),
        legend: legend.into_iter().map(|(paint, name)| (paint, name.to_owned())).collect(),
        heads: heads.map(String::from).to_vec(),
        rows: all.iter().rev().map(row).collect(),
    })
}

fn tonight(scene: &Scene<'_>) -> Night {
    let totals = &scene.result.totals;
    let counts = |night: &NightRun| {
        let counted = scene.all.each().filter(|finding| finding.verdict.is_reported() && !finding.is_decided());
        let ids: Vec<String> = counted.map(|finding| finding.id.clone()).collect();
        ChangeCounts::of(&night.changes, ids.iter().map(String::as_str), totals.findings)
    };
    let run = &scene.report.run;
    Night {
        started: run.started.clone(),
        findings: totals.findings,
        decided: totals.decided_findings(),
        same_rules: true,
        changes: run.night.as_ref().map(counts),
        exposure: totals.exposure.clone(),
    }
}

/// A column for each night, after the room that is left empty where there are few.
struct Nights<'n> {
    nights: &'n [&'n Night],
    empty: usize,
}

impl Nights<'_> {
    fn columns(&self, column: impl Fn(&Night) -> Column) -> Vec<Column> {
        let empty = std::iter::repeat_with(|| Column { title: String::new(), parts: vec![] }).take(self.empty);
        empty.chain(self.nights.iter().map(|night| column(night))).collect()
    }

    /// The left edge and the middle of a night's column.
    fn place(&self, night: usize) -> (i64, i64) {
        let (at, count) = ((self.empty + night) as i64, (self.empty + self.nights.len()).max(1) as i64);
        (at * WIDTH / count, (2 * at + 1) * WIDTH / (2 * count))
    }
}

fn drawing(nights: &[&Night], scene: &Scene<'_>) -> Drawing {
    let all = Nights { nights, empty: ROOM.saturating_sub(nights.len()) };
    let most = nights.iter().map(|night| night.findings.saturating_add(night.decided)).max().unwrap_or_default();
    let columns = all.columns(|night| Column {
        title: format!("{}: {}", scene.texts.time(&night.started), number(night.findings)),
        parts: parts(night),
    });
    let mut marks = columns::marks(&columns, most, BOTTOM, HEIGHT);
    marks.push(Mark::Text { x: 0, y: 12, anchor: "start", paint: "axis", text: number(most) });
    for (at, night) in nights.iter().enumerate().filter(|(_, night)| !night.same_rules) {
        let top = super::scaled(night.findings.saturating_add(night.decided), most, HEIGHT);
        let (_, x) = all.place(at);
        marks.push(Mark::Text { x, y: BOTTOM - top - 4, anchor: "middle", paint: "axis", text: OTHERWISE.to_owned() });
    }
    let mut bottom = BOTTOM;
    for (currency, sums) in money(nights) {
        bottom += LANE;
        let words = scene.texts.words();
        let name = format!("{}, {currency}", words.net);
        let told = sums.last().map(|sum| scene.texts.money(currency, sum)).unwrap_or_default();
        marks.push(Mark::Text { x: 0, y: bottom - LANE_HEIGHT - 12, anchor: "start", paint: "label", text: name });
        marks.push(Mark::Text { x: WIDTH, y: bottom - LANE_HEIGHT - 12, anchor: "end", paint: "number", text: told });
        let lengths = lengths(sums.iter().map(|sum| sum.parse().unwrap_or_default()).collect());
        let by_start: BTreeMap<&str, (u64, &str)> = nights
            .iter()
            .zip(lengths)
            .zip(&sums)
            .map(|((night, length), sum)| (night.started.as_str(), (length, *sum)))
            .collect();
        let columns = all.columns(|night| {
            let (length, sum) = by_start.get(night.started.as_str()).copied().unwrap_or_default();
            let title = format!("{}: {}", scene.texts.time(&night.started), scene.texts.money(currency, sum));
            Column { title, parts: vec![("main", length)] }
        });
        marks.extend(columns::marks(&columns, columns::LONGEST, bottom, LANE_HEIGHT));
    }
    // A night is known by its day.
    let day = |night: &Night| scene.texts.time(night.started.split('T').next().unwrap_or_default());
    let (first, _) = all.place(0);
    // The day of a first night that stands close to the last would run into that of the last.
    let apart = first <= WIDTH / 2;
    let ends = [(nights.first().filter(|_| apart), first, "start"), (nights.last(), WIDTH, "end")];
    for (night, x, anchor) in ends.into_iter().filter_map(|(night, x, anchor)| Some((night?, x, anchor))) {
        marks.push(Mark::Text { x, y: bottom + 16, anchor, paint: "axis", text: day(night) });
    }
    Drawing { height: bottom + 22, marks }
}

fn parts(night: &Night) -> Vec<(&'static str, u64)> {
    let counted = match &night.changes {
        Some(changes) => vec![("bad", changes.new), ("doubt", changes.grown), ("quiet", changes.unchanged)],
        None => vec![("bad", night.findings)],
    };
    counted.into_iter().chain([("good", night.decided)]).collect()
}

/// Net exposure of each night, by currency.
fn money<'n>(nights: &[&'n Night]) -> Vec<(&'n str, Vec<&'n str>)> {
    let currencies: BTreeSet<&str> =
        nights.iter().flat_map(|night| &night.exposure).map(|exposure| exposure.currency.as_str()).collect();
    let net = |night: &&'n Night, currency: &str| {
        let sum = night.exposure.iter().find(|exposure| exposure.currency == currency);
        sum.map_or("0", |sum| sum.net.as_str())
    };
    let lane = |currency: &'n str| (currency, nights.iter().map(|night| net(night, currency)).collect());
    currencies.into_iter().take(CURRENCIES).map(lane).collect()
}
