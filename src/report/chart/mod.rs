//! Charts of a result: each answers the question that is its title, states its numbers, and carries them as a table.
//!
//! To add a chart, write a file with a function like `causes::chart`, and call it in [`all`]. Everything is drawn in whole units of a
//! drawing [`WIDTH`] wide, so that the same result gives the same bytes.

mod actors;
mod bars;
mod batches;
mod causes;
mod columns;
mod drift;
mod gaps;
mod health;
mod hours;
mod lanes;
mod money;
mod nights;
mod sizes;
mod time_axis;
mod timeline;
mod windows;

pub(super) use health::usual_gap;

use super::mask::Masker;
use super::overview::{Glance, Overview};
use super::texts::{ABSENT, Texts, number};
use super::{Style, Told};
use crate::domain::Findings;
use crate::domain::report::{Report, ScanResult};
use std::cell::RefCell;

/// What the charts are called, in the order of [`all`]; their anchors are these names after `chart-`. A report that knows of no earlier
/// night lacks the last.
pub const NAMES: [&str; 12] =
    ["money", "causes", "time", "gaps", "drift", "batches", "health", "sizes", "hours", "actors", "windows", "nights"];

/// Units across a drawing; a unit is about a pixel.
pub(super) const WIDTH: i64 = 420;
/// Rows of a table on the page; the others are counted.
pub(super) const MOST_ROWS: usize = 200;
/// Characters of a label that fit beside its number.
const LABEL: usize = 40;

pub(super) struct Chart {
    /// The anchor of the chart.
    pub(super) id: &'static str,
    pub(super) question: &'static str,
    /// The answer, with numbers.
    pub(super) answer: String,
    /// None where there is nothing to draw.
    pub(super) drawing: Option<Drawing>,
    /// What each paint means; empty where there is one.
    pub(super) legend: Vec<(&'static str, String)>,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

pub(super) struct Drawing {
    pub(super) height: i64,
    pub(super) marks: Vec<Mark>,
}

/// A piece of a drawing. Paints are names that the page's style knows.
pub(super) enum Mark {
    Bar { x: i64, y: i64, width: i64, height: i64, paint: &'static str, title: String },
    Line { x: i64, y: i64, to_x: i64, to_y: i64 },
    Text { x: i64, y: i64, anchor: &'static str, paint: &'static str, text: String },
}

/// What all charts are drawn from.
struct Scene<'a> {
    /// As it may be shown, without its findings.
    report: &'a Report,
    result: &'a ScanResult,
    /// Findings that the totals count: reported, which with `--all` not all of the list are, and not decided. They are counted as they
    /// are, because masking a hundred thousand to name eight would take seconds; what is named goes through [`Scene::shown`].
    overview: &'a Overview,
    findings: &'a [Glance],
    /// Every finding as it is.
    all: &'a Findings,
    masker: RefCell<Masker>,
    texts: &'static dyn Texts,
    style: &'a Style,
}

/// Every chart, in the order of a reader's questions.
pub(super) fn all(told: &Told<'_>, style: &Style) -> Vec<Chart> {
    let overview = told.overview();
    let scene = Scene {
        report: &told.frame,
        result: &told.frame.result,
        overview,
        findings: &overview.counted,
        all: &told.unmasked().result.findings,
        masker: RefCell::new(told.masker()),
        texts: style.texts(),
        style,
    };
    let charts = vec![
        money::chart(&scene),
        causes::chart(&scene),
        timeline::chart(&scene),
        gaps::chart(&scene),
        drift::chart(&scene),
        batches::chart(&scene),
        health::chart(&scene),
        sizes::chart(&scene),
        hours::chart(&scene),
        actors::chart(&scene),
        windows::chart(&scene),
    ];
    charts.into_iter().chain(nights::chart(&scene)).map(|chart| chart.capped(&scene)).collect()
}

impl Scene<'_> {
    /// A value of a finding's record as it may be shown.
    fn shown(&self, field: &str, value: &str) -> String {
        self.masker.borrow_mut().value(field, value)
    }
}

impl Chart {
    /// A chart that says that there is nothing to draw.
    fn empty(id: &'static str, question: &'static str, scene: &Scene<'_>) -> Self {
        Self::left_out(id, question, scene.texts.words().nothing_to_draw)
    }

    /// A chart that says why it is not drawn.
    fn left_out(id: &'static str, question: &'static str, reason: &str) -> Self {
        Self { id, question, answer: reason.to_owned(), drawing: None, legend: vec![], heads: vec![], rows: vec![] }
    }

    /// A table of thousands is nothing to read on a page: what is beyond [`MOST_ROWS`] is one row that counts it.
    fn capped(mut self, scene: &Scene<'_>) -> Self {
        if let Some(more) = self.rows.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
            self.rows.truncate(MOST_ROWS);
            let others = format!("{}: {}", scene.texts.words().rest, number(more as u64));
            let unsaid = std::iter::repeat_n(ABSENT.to_owned(), self.heads.len().saturating_sub(1));
            self.rows.push(std::iter::once(others).chain(unsaid).collect());
        }
        self
    }
}

/// Text cut to so many characters.
fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// One of four shades for a count, and none for nothing.
fn shade(count: u64, most: u64) -> &'static str {
    match (u128::from(count) * 4).div_ceil(u128::from(most.max(1))) {
        0 => "heat0",
        1 => "heat1",
        2 => "heat2",
        3 => "heat3",
        _ => "heat4",
    }
}

/// So many units for a part of a whole; at least one for what is not nothing.
fn scaled(part: u64, whole: u64, units: i64) -> i64 {
    if part == 0 || whole == 0 {
        return 0;
    }
    let units = u128::try_from(units).unwrap_or_default();
    let exact = u128::from(part) * units / u128::from(whole);
    i64::try_from(exact.clamp(1, units.max(1))).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Language;
    use crate::domain::report::Night;
    use crate::report::{Color, CsvFor, Mask, Telling};

    #[test]
    fn charts_are_named_as_they_are_anchored() {
        let style = Style {
            width: Style::WIDTH,
            color: Color::Off,
            mask: Mask::On,
            language: Language::English,
            csv: CsvFor::Programs,
            explanations: vec![],
        };
        let night = Night { started: "2026-03-02T02:00:00Z".into(), findings: 1, same_rules: true, ..Night::default() };
        let report = Report { nights: vec![night], ..Report::default() };
        let anchors = |report: &Report| {
            let telling = Telling::of(report, None);
            all(&telling.told(Mask::On), &style).iter().map(|chart| chart.id).collect::<Vec<_>>()
        };
        let names = NAMES.map(|name| format!("chart-{name}"));
        assert_eq!(anchors(&report), names);
        assert_eq!(anchors(&Report::default()), names[..11], "no night, no chart of nights");
    }
}
