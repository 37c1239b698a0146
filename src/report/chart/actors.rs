//! Whom it hits most: findings by actor, masked as the page is.

use super::bars::{self, Bar};
use super::{Chart, Scene, value};
use crate::report::texts::{number, share};
use std::collections::BTreeMap;

/// Actors that are shown.
const TOP: usize = 8;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for actor in scene.findings.iter().filter_map(|finding| value(finding, "actor")) {
        *counts.entry(actor).or_default() += 1;
    }
    let all: u64 = counts.values().sum();
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let rest: u64 = counts.iter().skip(TOP).map(|(_, count)| count).sum();
    counts.truncate(TOP);
    let Some((first, most)) = counts.first().copied() else {
        return Chart::empty("chart-actors", words.ask_actors, scene);
    };
    let answer = scene.texts.part_of(first, most, all);
    if rest > 0 {
        counts.push((words.rest, rest));
    }
    let bars: Vec<Bar> = counts
        .iter()
        .take(TOP)
        .map(|(actor, count)| Bar {
            label: (*actor).to_owned(),
            number: number(*count),
            parts: vec![("main", *count)],
            whole: most,
        })
        .collect();
    Chart {
        id: "chart-actors",
        question: words.ask_actors,
        answer,
        drawing: bars::drawing(&bars),
        legend: vec![],
        heads: vec![words.actor.to_owned(), words.findings.to_owned(), words.share.to_owned()],
        rows: counts.iter().map(|(actor, count)| vec![(*actor).to_owned(), number(*count), share(*count, all)]).collect(),
    }
}
