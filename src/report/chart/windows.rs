//! Whether the window is right: findings and money with shorter and longer windows, today's marked. Where there is no honest figure of other
//! windows, the chart says why: none were tried, or they were judged with other decisions than the findings here.

use super::columns::{self, Column, lengths};
use super::{Chart, Drawing, Mark, Scene, WIDTH};
use crate::domain::finding::Exposure;
use crate::domain::report::WindowStep;
use crate::report::texts::number;
use crate::rules::window::Reach;
use std::collections::BTreeSet;

/// Currencies that are drawn; all are in the table.
const TOP: usize = 3;
const LANE: i64 = 96;
const HEIGHT: i64 = 46;
/// Characters that fit above a column.
const ABOVE: usize = 9;
/// The step of today's windows.
const TODAY: &str = "1";

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    const ID: &str = "chart-windows";
    let (texts, words) = (scene.texts, scene.texts.words());
    drawn(ID, scene).unwrap_or_else(|| {
        let nothing_found = scene.findings.is_empty() && scene.result.totals.findings == 0;
        let reason = match &scene.report.run.night {
            _ if !scene.report.windows.is_empty() && scene.result.totals.decided_findings() > 0 => {
                words.windows_without_decisions
            }
            Some(_) => words.windows_of_a_night,
            None if nothing_found => words.nothing_to_draw,
            None => words.windows_not_tried,
        };
        Chart::left_out(ID, texts.words().ask_windows, reason)
    })
}

fn drawn(id: &'static str, scene: &Scene<'_>) -> Option<Chart> {
    let (texts, words) = (scene.texts, scene.texts.words());
    let steps = &scene.report.windows;
    let at = steps.iter().position(|step| step.factor == TODAY)?;
    let (first, last) = (steps.first()?, steps.last().filter(|_| steps.len() > 1)?);
    // Judged with other decisions than the findings here, or with none, they would count what nobody asks about any more.
    let today = steps.get(at).filter(|step| step.findings == scene.result.totals.findings)?;
    let same = |step: &&WindowStep| step.findings == today.findings && step.exposure == today.exposure;
    let (before, after) = steps.split_at(at);
    let (shorter, longer) = (before.iter().rev().take_while(same).last(), after.iter().take_while(same).last());
    let ends = [shorter.unwrap_or(today), longer.unwrap_or(today)].map(|step| times(&step.factor));
    let answer = texts.windows(today.findings, (&times(&first.factor), first.findings), (&times(&last.factor), last.findings));
    let answer = match ends {
        [from, to] if from == to => answer,
        [from, to] => format!("{answer}; {}", texts.same_windows(&from, &to)),
    };
    let answer = if steps.len() < Reach::STEPS.len() { format!("{answer}; {}", words.windows_too_many) } else { answer };
    let currencies: BTreeSet<&str> =
        steps.iter().flat_map(|step| &step.exposure).map(|exposure| exposure.currency.as_str()).collect();
    Some(Chart {
        id,
        question: words.ask_windows,
        answer,
        drawing: Some(drawing(steps, today, &currencies, scene)),
        legend: vec![("main", words.todays_window.to_owned()), ("quiet", words.other_windows.to_owned())],
        heads: [words.window, words.findings, words.extra_effects, words.net, words.at_stake].map(String::from).to_vec(),
        rows: steps
            .iter()
            .map(|step| {
                let sums = |sums: &[Exposure]| {
                    sums.iter().map(|sum| texts.money(&sum.currency, &sum.net)).collect::<Vec<_>>().join("; ")
                };
                let counts = [step.findings, step.extra_effects].map(number);
                let money = [sums(&step.exposure), sums(&step.possible_exposure)];
                std::iter::once(times(&step.factor)).chain(counts).chain(money).collect()
            })
            .collect(),
    })
}

/// A lane of columns for the findings, and one for the net exposure of each currency.
fn drawing(steps: &[WindowStep], today: &WindowStep, currencies: &BTreeSet<&str>, scene: &Scene<'_>) -> Drawing {
    let words = scene.texts.words();
    let findings: Vec<(u64, String)> = steps.iter().map(|step| (step.findings, number(step.findings))).collect();
    let mut lanes = vec![(words.findings.to_owned(), number(today.findings), findings, true)];
    for currency in currencies.iter().take(TOP) {
        let net = |step: &WindowStep| {
            let sum = step.exposure.iter().find(|exposure| exposure.currency == *currency);
            sum.map_or_else(|| "0".to_owned(), |sum| sum.net.clone())
        };
        let lengths = lengths(steps.iter().map(|step| net(step).parse().unwrap_or_default()).collect());
        let told = |step: &WindowStep| scene.texts.money(currency, &net(step));
        let columns = lengths.into_iter().zip(steps).map(|(length, step)| (length, told(step))).collect();
        lanes.push((format!("{}, {currency}", words.net), told(today), columns, false));
    }
    let mut marks = Vec::new();
    let mut bottom = 0;
    for (name, number, values, numbered) in lanes {
        bottom += LANE;
        marks.push(Mark::Text { x: 0, y: bottom - HEIGHT - 24, anchor: "start", paint: "label", text: name });
        marks.push(Mark::Text { x: WIDTH, y: bottom - HEIGHT - 24, anchor: "end", paint: "number", text: number });
        let most = values.iter().map(|(value, _)| *value).max().unwrap_or_default();
        let columns: Vec<Column> = values
            .iter()
            .zip(steps)
            .map(|((value, told), step)| Column {
                title: format!("{}: {told}", times(&step.factor)),
                parts: vec![(if step.factor == TODAY { "main" } else { "quiet" }, *value)],
            })
            .collect();
        marks.extend(columns::marks(&columns, most, bottom, HEIGHT));
        if numbered {
            let short = |((_, told), _): &(&(u64, String), i64)| told.chars().count() <= ABOVE;
            for ((value, told), x) in values.iter().zip(middles(steps.len())).filter(short) {
                let y = bottom - super::scaled(*value, most, HEIGHT) - 4;
                marks.push(Mark::Text { x, y, anchor: "middle", paint: "axis", text: told.clone() });
            }
        }
    }
    for (step, x) in steps.iter().zip(middles(steps.len())) {
        marks.push(Mark::Text { x, y: bottom + 16, anchor: "middle", paint: "axis", text: times(&step.factor) });
    }
    Drawing { height: bottom + 22, marks }
}

/// The middle of each of so many columns.
fn middles(columns: usize) -> impl Iterator<Item = i64> {
    let count = i64::try_from(columns).unwrap_or(1).max(1);
    (0..count).map(move |at| (2 * at + 1) * WIDTH / (2 * count))
}

/// `×¼`, `×16`
fn times(factor: &str) -> String {
    match factor {
        "1/4" => "×¼".to_owned(),
        "1/2" => "×½".to_owned(),
        factor => format!("×{factor}"),
    }
}
