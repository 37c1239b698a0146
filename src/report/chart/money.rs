//! How much money is open and what came back: for each currency and operation, in exact units; currencies are never added.

use super::bars::{self, Bar};
use super::{Chart, MOST_ROWS, Scene};
use crate::domain::Verdict;
use crate::domain::report::Totals;
use crate::report::texts::ABSENT;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Bars that are drawn; further ones are in the table.
const TOP: usize = 10;

/// Money of one operation in one currency. A sum of more than 28 digits is None: too large to draw, and never a smaller one instead.
struct Sums {
    open: Option<Decimal>,
    reversed: Option<Decimal>,
    at_stake: Option<Decimal>,
    /// Digits after the decimal sign, as the result writes them.
    digits: u32,
}

impl Default for Sums {
    fn default() -> Self {
        let zero = Some(Decimal::ZERO);
        Self { open: zero, reversed: zero, at_stake: zero, digits: 0 }
    }
}

impl Sums {
    fn add(&mut self, verdict: Verdict, net: Decimal, reversed: Decimal) {
        let stake = if verdict == Verdict::PossibleDuplicate { &mut self.at_stake } else { &mut self.open };
        *stake = stake.and_then(|sum| sum.checked_add(net));
        self.reversed = self.reversed.and_then(|sum| sum.checked_add(reversed));
        self.digits = self.digits.max(net.scale()).max(reversed.scale());
    }

    /// The length of the whole bar; None where it cannot be told.
    fn whole(&self) -> Option<Decimal> {
        self.open?.abs().checked_add(self.reversed?.abs())?.checked_add(self.at_stake?.abs())
    }

    fn text(&self, sum: Option<Decimal>, currency: &str, scene: &Scene<'_>) -> String {
        let Some(mut sum) = sum else { return scene.texts.words().too_large_to_draw.to_owned() };
        sum.rescale(self.digits);
        scene.texts.money(currency, &sum.to_string())
    }
}

/// Sums of an operation in a currency, and how many of the currency are larger.
struct Line<'a> {
    currency: &'a str,
    operation: &'a str,
    rank: usize,
    sums: Sums,
}

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let words = scene.texts.words();
    let lines = lines(scene);
    if lines.is_empty() {
        return Chart::empty("chart-money", words.ask_money, scene);
    }
    // Where there are too many for the drawing or the table, each currency keeps its largest.
    let mut bars: Vec<&Line<'_>> = lines.iter().take(TOP).collect();
    by_currency(&mut bars);
    let bars: Vec<Bar> = bars.into_iter().map(|line| bar(line, &lines, scene)).collect();
    let (legend, heads) = (
        vec![("bad", words.open.to_owned()), ("doubt", words.at_stake.to_owned()), ("good", words.reversed.to_owned())],
        [words.currency, words.operation, words.open, words.at_stake, words.reversed].map(String::from).to_vec(),
    );
    let (table, more) = lines.split_at(lines.len().min(MOST_ROWS));
    let mut table: Vec<&Line<'_>> = table.iter().collect();
    by_currency(&mut table);
    let row = |line: &Line<'_>| {
        let [open, at_stake, reversed] =
            [line.sums.open, line.sums.at_stake, line.sums.reversed].map(|sum| line.sums.text(sum, line.currency, scene));
        vec![line.currency.to_owned(), scene.shown("operation", line.operation), open, at_stake, reversed]
    };
    Chart {
        id: "chart-money",
        question: words.ask_money,
        answer: answer(&scene.result.totals, scene),
        drawing: bars::drawing(&bars),
        legend,
        heads,
        rows: table.into_iter().chain(more).map(row).collect(),
    }
}

/// Parts in ten-thousandths of the largest sum of the currency: a length, not an amount.
fn bar(line: &Line<'_>, lines: &[Line<'_>], scene: &Scene<'_>) -> Bar {
    let most = lines.iter().filter(|other| other.currency == line.currency).filter_map(|other| other.sums.whole()).max();
    let length = |sum: Option<Decimal>| {
        let share = sum?.abs().checked_div(most?)?;
        share.checked_mul(Decimal::from(10_000))?.round().to_u64()
    };
    let Sums { open, at_stake, reversed, .. } = line.sums;
    let parts = [("bad", open), ("doubt", at_stake), ("good", reversed)];
    // A bar of which a part is missing would be a smaller sum.
    let parts = line.sums.whole().map(|_| parts.map(|(paint, sum)| (paint, length(sum).unwrap_or_default())));
    Bar {
        label: format!("{} · {}", line.currency, scene.shown("operation", line.operation)),
        number: match parts {
            Some(_) => line.sums.text(open, line.currency, scene),
            None => scene.texts.words().too_large_to_draw.to_owned(),
        },
        parts: parts.into_iter().flatten().collect(),
        whole: 10_000,
    }
}

fn by_currency(lines: &mut [&Line<'_>]) {
    lines.sort_by(|a, b| (a.currency, a.rank).cmp(&(b.currency, b.rank)));
}

/// The largest of each currency first, then the second of each, and so on: currencies are not compared with each other.
fn lines<'a>(scene: &Scene<'a>) -> Vec<Line<'a>> {
    let mut sums: BTreeMap<&str, BTreeMap<&str, Sums>> = BTreeMap::new();
    for finding in scene.findings {
        let operation = finding.operation.map_or(ABSENT, |name| scene.overview.name(name));
        for (currency, net, reversed) in &finding.money {
            let of_currency = sums.entry(scene.overview.name(*currency)).or_default();
            of_currency.entry(operation).or_default().add(finding.verdict, *net, *reversed);
        }
    }
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (currency, sums) in sums {
        let mut sums: Vec<(&str, Sums)> = sums.into_iter().collect();
        // What is too large comes before everything that is not.
        sums.sort_by_key(|(operation, sums)| (sums.whole().is_some(), Reverse(sums.whole()), *operation));
        let line = |(rank, (operation, sums))| Line { currency, operation, rank, sums };
        lines.extend(sums.into_iter().enumerate().map(line));
    }
    lines.sort_by(|a, b| (a.rank, a.currency).cmp(&(b.rank, b.currency)));
    lines
}

fn answer(totals: &Totals, scene: &Scene<'_>) -> String {
    let proven = totals.exposure.iter().map(|sum| scene.texts.open_and_reversed(&sum.currency, &sum.net, &sum.reversed));
    let possible = totals.possible_exposure.iter().map(|sum| scene.texts.possible_exposure(sum));
    proven.chain(possible).collect::<Vec<_>>().join("; ")
}
