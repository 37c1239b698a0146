//! At what hours it happens: weekday by hour, in UTC. Findings without a time of day are left out.

use super::{Chart, Drawing, Mark, Scene};
use crate::report::texts::number;
use chrono::{DateTime, Datelike, Timelike};

const LEFT: i64 = 36;
const CELL: i64 = 16;
const ROW: i64 = 22;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let mut counts = [[0_u64; 24]; 7];
    for first in scene.findings.iter().filter_map(|finding| DateTime::parse_from_rfc3339(&finding.first).ok()) {
        let day = counts.get_mut(first.weekday().num_days_from_monday() as usize);
        if let Some(count) = day.and_then(|day| day.get_mut(first.hour() as usize)) {
            *count += 1;
        }
    }
    let cells =
        || counts.iter().enumerate().flat_map(|(day, hours)| hours.iter().enumerate().map(move |(hour, n)| (day, hour, *n)));
    let all: u64 = cells().map(|(.., count)| count).sum();
    // The first of several equal ones.
    let Some((day, hour, most)) = cells().rev_max() else {
        return Chart::empty("chart-hours", words.ask_hours, scene);
    };
    let mut marks = Vec::new();
    for (hour, x) in (0_usize..24).zip((LEFT..).step_by(CELL as usize)).step_by(6) {
        marks.push(Mark::Text { x, y: 12, anchor: "start", paint: "axis", text: format!("{hour:02}") });
    }
    for (day, y) in (0..7).zip((18..).step_by(ROW as usize)) {
        marks.push(Mark::Text { x: 0, y: y + 14, anchor: "start", paint: "axis", text: scene.texts.weekday(day).to_owned() });
    }
    for (day, hour, count) in cells() {
        let (x, y) = (LEFT + CELL * hour as i64, 18 + ROW * day as i64);
        let title = format!("{} {hour:02}:00: {}", scene.texts.weekday(day), number(count));
        marks.push(Mark::Bar { x, y, width: CELL - 1, height: ROW - 2, paint: shade(count, most), title });
        if (1..100).contains(&count) {
            let paint = if count * 2 > most { "on-dark" } else { "on-light" };
            marks.push(Mark::Text { x: x + 7, y: y + 14, anchor: "middle", paint, text: number(count) });
        }
    }
    Chart {
        id: "chart-hours",
        question: words.ask_hours,
        answer: scene.texts.busiest(day, hour, most, all),
        drawing: Some(Drawing { height: 18 + ROW * 7, marks }),
        legend: vec![],
        heads: vec![words.time.to_owned(), words.findings.to_owned()],
        rows: cells()
            .filter(|(.., count)| *count > 0)
            .map(|(day, hour, count)| vec![format!("{} {hour:02}:00", scene.texts.weekday(day)), number(count)])
            .collect(),
    }
}

/// Four shades, and none for nothing.
fn shade(count: u64, most: u64) -> &'static str {
    match (count * 4).div_ceil(most.max(1)) {
        0 => "heat0",
        1 => "heat1",
        2 => "heat2",
        3 => "heat3",
        _ => "heat4",
    }
}

/// The first of the largest counts; None where all are zero.
trait FirstLargest {
    fn rev_max(self) -> Option<(usize, usize, u64)>;
}

impl<I: Iterator<Item = (usize, usize, u64)>> FirstLargest for I {
    fn rev_max(self) -> Option<(usize, usize, u64)> {
        self.filter(|(.., count)| *count > 0).reduce(|best, next| if next.2 > best.2 { next } else { best })
    }
}
