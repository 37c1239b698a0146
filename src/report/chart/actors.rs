//! Whom it hits most: findings by actor, masked as the page is, for what the actor does at all.

use super::bars::{self, Bar};
use super::{Chart, Scene};
use crate::report::texts::{ABSENT, number, share};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Actors that are shown.
const TOP: usize = 8;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    // Of each actor the findings, and the place of the first: of actors with as many findings, the one with the gravest comes first.
    let mut counts: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (place, actor) in scene.findings.iter().filter_map(|finding| finding.actor).enumerate() {
        counts.entry(scene.overview.name(actor)).or_insert((0, place)).0 += 1;
    }
    let all: u64 = counts.values().map(|(count, _)| count).sum();
    let mut counts: Vec<(&str, (u64, usize))> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, place))| (Reverse(*count), *place));
    let mut counts: Vec<(&str, u64)> = counts.into_iter().map(|(actor, (count, _))| (actor, count)).collect();
    let rest: u64 = counts.iter().skip(TOP).map(|(_, count)| count).sum();
    counts.truncate(TOP);
    let mut counts: Vec<(String, u64)> = counts.into_iter().map(|(actor, count)| (scene.shown("actor", actor), count)).collect();
    let Some((answer, most)) = counts.first().map(|(first, most)| (scene.texts.part_of(first, *most, all), *most)) else {
        return Chart::empty("chart-actors", words.ask_actors, scene);
    };
    let bars: Vec<Bar> = counts
        .iter()
        .map(|(actor, count)| Bar {
            label: actor.clone(),
            number: match events(actor, scene) {
                Some(events) => scene.texts.findings_of_events(*count, events),
                None => number(*count),
            },
            parts: vec![("main", *count)],
            whole: most,
        })
        .collect();
    if rest > 0 {
        counts.push((words.rest.to_owned(), rest));
    }
    let row = |(actor, count): &(String, u64)| {
        let events = events(actor, scene);
        let rate = events.map_or_else(|| ABSENT.to_owned(), |events| scene.texts.rate(*count, events));
        let events = events.map_or_else(|| ABSENT.to_owned(), number);
        vec![actor.clone(), number(*count), share(*count, all), events, rate]
    };
    Chart {
        id: "chart-actors",
        question: words.ask_actors,
        answer,
        drawing: bars::drawing(&bars),
        legend: vec![],
        heads: [words.actor, words.findings, words.share, words.events, words.rate_of_events].map(String::from).to_vec(),
        rows: counts.iter().map(row).collect(),
    }
}

/// Events of an actor, called as shown, in the whole input, at most; None where the result does not tell.
fn events(actor: &str, scene: &Scene<'_>) -> Option<u64> {
    let known = scene.result.actors.iter().find(|volume| volume.actor == actor);
    known.map(|volume| volume.events_at_most).filter(|events| *events > 0)
}
