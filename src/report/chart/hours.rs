//! At what hours it happens: weekday by hour in UTC, findings for the attempts of that hour. Findings without a time of day are left out,
//! and those of a file that ran twice, too: hundreds of them tell of one hour, and would hide all others.

use super::{Chart, Drawing, Mark, Scene, shade};
use crate::domain::report::{ScanResult, SourceSummary};
use crate::domain::week::{HOURS, hour_of_week};
use crate::report::overview::Glance;
use crate::report::texts::number;

const LEFT: i64 = 36;
const CELL: i64 = 16;
const ROW: i64 = 22;

/// Attempts of an hour below which a share of them is chance.
const FEWEST: u64 = 20;

/// An hour of the week.
#[derive(Clone, Copy)]
struct Hour {
    weekday: usize,
    hour: usize,
    found: u64,
    tried: u64,
}

impl Hour {
    /// Findings among a million attempts; None of too few attempts.
    fn rate(&self) -> Option<u64> {
        let rate = (u128::from(self.found) * 1_000_000).checked_div(u128::from(self.tried))?;
        (self.tried >= FEWEST).then(|| u64::try_from(rate).unwrap_or(u64::MAX))
    }
}

/// What the shades tell.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// Findings for the attempts of the hour.
    Rate,
    /// Findings, where the result does not tell attempts, or too few of them.
    Count,
}

impl Measure {
    fn of(self, hour: &Hour) -> u64 {
        match self {
            Self::Rate => hour.rate().unwrap_or_default(),
            Self::Count => hour.found,
        }
    }
}

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let (alone, of_batches): (Vec<&Glance>, Vec<&Glance>) = scene.findings.iter().partition(|finding| !finding.is_of_batch);
    let left_out = (!of_batches.is_empty()).then(|| scene.texts.without_batches(of_batches.len() as u64));
    let week = week(&alone, scene.result);
    let measure = if week.iter().any(|hour| hour.rate() > Some(0)) { Measure::Rate } else { Measure::Count };
    // The first of several equal ones.
    let most = week.iter().filter(|hour| hour.found > 0);
    let most = most.reduce(|best, next| if measure.of(next) > measure.of(best) { next } else { best });
    let Some(most) = most else {
        let nothing = Chart::empty("chart-hours", words.ask_hours, scene);
        return Chart { answer: left_out.unwrap_or(nothing.answer), ..nothing };
    };
    let sum = |count: fn(&Hour) -> u64| week.iter().map(count).fold(0, u64::saturating_add);
    let (found, tried) = (sum(|hour| hour.found), sum(|hour| hour.tried));
    let (mut answer, legend) = match measure {
        Measure::Rate => (
            scene.texts.likeliest((most.weekday, most.hour), (most.found, most.tried), (found, tried)),
            vec![("main", words.rate.to_owned()), ("quiet", words.too_few.to_owned())],
        ),
        Measure::Count => (scene.texts.busiest(most.weekday, most.hour, most.found, found), vec![]),
    };
    if let Some(left_out) = left_out {
        answer = format!("{answer}; {left_out}");
    }
    Chart {
        id: "chart-hours",
        question: words.ask_hours,
        answer,
        drawing: Some(drawing(&week, measure, measure.of(most), scene)),
        legend,
        heads: [words.time, words.findings, words.attempts, words.rate].map(String::from).to_vec(),
        rows: week
            .iter()
            .filter(|hour| hour.found > 0)
            .map(|hour| {
                let rate = scene.texts.rate(hour.found, hour.tried);
                vec![name(hour, scene), number(hour.found), number(hour.tried), rate]
            })
            .collect(),
    }
}

fn week(findings: &[&Glance], result: &ScanResult) -> Vec<Hour> {
    let mut found = [0_u64; HOURS];
    // A date has no hour.
    for first in findings.iter().filter(|finding| !finding.is_date).filter_map(|finding| finding.first) {
        if let Some(count) = found.get_mut(hour_of_week(first)) {
            *count += 1;
        }
    }
    let tried = |at: usize| {
        let volume = |source: &SourceSummary| source.volume.get(at).copied().unwrap_or_default();
        result.sources.iter().map(volume).fold(0, u64::saturating_add)
    };
    let hour = |(at, found)| Hour { weekday: at / 24, hour: at % 24, found, tried: tried(at) };
    found.into_iter().enumerate().map(hour).collect()
}

fn drawing(week: &[Hour], measure: Measure, most: u64, scene: &Scene<'_>) -> Drawing {
    let mut marks = Vec::new();
    for (hour, x) in (0_usize..24).zip((LEFT..).step_by(CELL as usize)).step_by(6) {
        marks.push(Mark::Text { x, y: 12, anchor: "start", paint: "axis", text: format!("{hour:02}") });
    }
    for (day, y) in (0..7).zip((18..).step_by(ROW as usize)) {
        marks.push(Mark::Text { x: 0, y: y + 14, anchor: "start", paint: "axis", text: scene.texts.weekday(day).to_owned() });
    }
    for hour in week {
        let (x, y) = (LEFT + CELL * hour.hour as i64, 18 + ROW * hour.weekday as i64);
        let count = measure.of(hour);
        let is_unsure = measure == Measure::Rate && hour.found > 0 && hour.rate().is_none();
        let paint = if is_unsure { "quiet" } else { shade(count, most) };
        let mut title = format!("{}: {}", name(hour, scene), number(hour.found));
        if hour.tried > 0 {
            title = format!("{title} / {} = {}", number(hour.tried), scene.texts.rate(hour.found, hour.tried));
        }
        marks.push(Mark::Bar { x, y, width: CELL - 1, height: ROW - 2, paint, title });
        if (1..100).contains(&hour.found) && !is_unsure {
            let paint = if matches!(paint, "heat3" | "heat4") { "on-dark" } else { "on-light" };
            marks.push(Mark::Text { x: x + 7, y: y + 14, anchor: "middle", paint, text: number(hour.found) });
        }
    }
    Drawing { height: 18 + ROW * 7, marks }
}

/// `Mon 09:00`
fn name(hour: &Hour, scene: &Scene<'_>) -> String {
    format!("{} {:02}:00", scene.texts.weekday(hour.weekday), hour.hour)
}
