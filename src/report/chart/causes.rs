//! Why operations were repeated: findings by cause.

use super::bars::{self, Bar};
use super::{Chart, Scene};
use crate::report::texts::{number, share};
use std::collections::BTreeMap;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in scene.findings {
        *counts.entry(scene.overview.name(finding.cause)).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let Some((_, most)) = counts.first().copied() else {
        return Chart::empty("chart-causes", words.ask_cause, scene);
    };
    let all = scene.findings.len() as u64;
    let title = |code: &str| scene.style.meaning(code).map_or_else(|| code.replace('_', " "), |known| known.title.to_owned());
    let bar = |(code, count): &(&str, u64)| Bar {
        label: title(code),
        number: number(*count),
        parts: vec![(if *code == "unknown" { "quiet" } else { "main" }, *count)],
        whole: most,
    };
    let bars: Vec<Bar> = counts.iter().take(10).map(bar).collect();
    Chart {
        id: "chart-causes",
        question: words.ask_cause,
        answer: counts.first().map(|(code, count)| scene.texts.part_of(&title(code), *count, all)).unwrap_or_default(),
        drawing: bars::drawing(&bars),
        legend: vec![],
        heads: vec![words.cause.to_owned(), words.findings.to_owned(), words.share.to_owned()],
        rows: counts.iter().map(|(code, count)| vec![title(code), number(*count), share(*count, all)]).collect(),
    }
}
