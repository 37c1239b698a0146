//! How much money is open and what came back: for each currency and operation, in exact units; currencies are never added.

use super::bars::{self, Bar};
use super::{Chart, Scene, operation};
use crate::domain::Verdict;
use crate::domain::report::Totals;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::collections::BTreeMap;

/// Bars that are drawn; all are in the table.
const TOP: usize = 10;

/// Money of one operation in one currency.
#[derive(Default)]
struct Sums {
    open: Decimal,
    reversed: Decimal,
    at_stake: Decimal,
    /// Digits after the decimal sign, as the result writes them.
    digits: u32,
}

impl Sums {
    fn text(&self, mut sum: Decimal) -> String {
        sum.rescale(self.digits);
        sum.to_string()
    }

    fn whole(&self) -> Decimal {
        self.open.abs() + self.reversed.abs() + self.at_stake.abs()
    }
}

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let (texts, words) = (scene.texts, scene.texts.words());
    let sums = sums(scene);
    if sums.is_empty() {
        return Chart::empty("chart-money", words.ask_money, scene);
    }
    let most = |currency: &str| {
        let whole = sums.iter().filter(|((of, _), _)| *of == currency).map(|(_, sums)| sums.whole());
        whole.max().unwrap_or_default()
    };
    let bar = |((currency, operation), sums): (&(&str, &str), &Sums)| {
        // Parts in ten-thousandths of the largest sum of the currency: a length, not an amount.
        let most = most(currency);
        let part = |sum: Decimal| (sum.abs() * Decimal::from(10_000)).checked_div(most).and_then(|part| part.round().to_u64());
        let part = |sum: Decimal| part(sum).unwrap_or_default();
        let number = texts.money(currency, &sums.text(sums.open));
        let parts = vec![("bad", part(sums.open)), ("doubt", part(sums.at_stake)), ("good", part(sums.reversed))];
        Bar { label: format!("{currency} · {operation}"), number, parts, whole: 10_000 }
    };
    let bars: Vec<Bar> = sums.iter().take(TOP).map(bar).collect();
    Chart {
        id: "chart-money",
        question: words.ask_money,
        answer: answer(&scene.result.totals, scene),
        drawing: bars::drawing(&bars),
        legend: vec![("bad", words.open.to_owned()), ("doubt", words.at_stake.to_owned()), ("good", words.reversed.to_owned())],
        heads: [words.currency, words.operation, words.open, words.at_stake, words.reversed].map(String::from).to_vec(),
        rows: sums
            .iter()
            .map(|((currency, operation), sums)| {
                let money = |sum: Decimal| texts.money(currency, &sums.text(sum));
                let [open, at_stake, reversed] = [sums.open, sums.at_stake, sums.reversed].map(money);
                vec![(*currency).to_owned(), (*operation).to_owned(), open, at_stake, reversed]
            })
            .collect(),
    }
}

fn sums<'a>(scene: &Scene<'a>) -> BTreeMap<(&'a str, &'a str), Sums> {
    let mut sums: BTreeMap<(&str, &str), Sums> = BTreeMap::new();
    for finding in &scene.findings {
        for exposure in &finding.exposure {
            // What is no decimal cannot be added; it stands on the finding as it is.
            let (Ok(net), Ok(reversed)) = (exposure.net.parse::<Decimal>(), exposure.reversed.parse::<Decimal>()) else {
                continue;
            };
            let sums = sums.entry((&exposure.currency, operation(finding))).or_default();
            sums.digits = sums.digits.max(net.scale()).max(reversed.scale());
            sums.reversed += reversed;
            if finding.verdict == Verdict::PossibleDuplicate {
                sums.at_stake += net;
            } else {
                sums.open += net;
            }
        }
    }
    sums
}

fn answer(totals: &Totals, scene: &Scene<'_>) -> String {
    let proven = totals.exposure.iter().map(|sum| scene.texts.open_and_reversed(&sum.currency, &sum.net, &sum.reversed));
    let possible = totals.possible_exposure.iter().map(|sum| scene.texts.possible_exposure(sum));
    proven.chain(possible).collect::<Vec<_>>().join("; ")
}
