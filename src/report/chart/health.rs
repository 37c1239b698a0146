//! Whose retries are safe: groups with repeats by what the repeat did, for each operation.

use super::bars::{self, Bar};
use super::{Chart, Scene};
use crate::domain::report::Health;
use crate::domain::time::SECOND;
use crate::report::texts::{ABSENT, Texts, number, share};

/// Operations that are drawn; all are in the table of the page.
const TOP: usize = 8;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let mut operations: Vec<&Health> = scene.result.health.iter().filter(|health| health.repeats > 0).collect();
    operations.sort_by(|a, b| (b.doubled, b.repeats, &a.operation).cmp(&(a.doubled, a.repeats, &b.operation)));
    operations.truncate(TOP);
    let (Some(worst), Some(most)) = (operations.first(), operations.iter().map(|health| health.repeats).max()) else {
        return Chart::empty("chart-health", words.ask_health, scene);
    };
    let bar = |health: &&Health| Bar {
        label: health.operation.clone(),
        number: number(health.repeats),
        parts: vec![("bad", health.doubled), ("doubt", unsure(health)), ("good", safe(health))],
        whole: most,
    };
    let bars: Vec<Bar> = operations.iter().map(bar).collect();
    let [operation, .., doubled, unclear, conflict, differ] = words.health_heads;
    // The table of the page tells them one by one.
    let in_doubt = format!("{unclear}, {conflict}, {differ}");
    Chart {
        id: "chart-health",
        question: words.ask_health,
        answer: scene.texts.health(worst),
        drawing: bars::drawing(&bars),
        legend: vec![("bad", doubled.to_owned()), ("doubt", in_doubt.clone()), ("good", words.harmless.to_owned())],
        heads: [operation, doubled, &in_doubt, words.harmless, words.new_keys, words.usual_gap].map(String::from).to_vec(),
        rows: operations.iter().map(|health| row(health, scene)).collect(),
    }
}

fn row(health: &Health, scene: &Scene<'_>) -> Vec<String> {
    let counts = [health.doubled, unsure(health), safe(health)].map(number);
    let drift = [share(health.keys_changed, health.keyed_repeats), usual_gap(health, scene.texts)];
    std::iter::once(health.operation.clone()).chain(counts).chain(drift).collect()
}

/// The middle of the times after which repeats of an operation came.
pub(in crate::report) fn usual_gap(health: &Health, texts: &dyn Texts) -> String {
    // The result tells seconds; a length of time is read, not compared.
    health.median_gap_seconds.map_or_else(|| ABSENT.to_owned(), |gap| texts.span((gap * SECOND as f64).round() as i64))
}

fn safe(health: &Health) -> u64 {
    health.answered.saturating_add(health.blocked).saturating_add(health.retried)
}

fn unsure(health: &Health) -> u64 {
    health.possibly_doubled.saturating_add(health.conflicting).saturating_add(health.answered_differently)
}
