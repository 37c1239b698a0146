//! The `html` format: one file that needs nothing else, opens without a network and without scripts, and prints.
//!
//! The page is three templates in a row, `head.html`, `card.html` for each finding and `tail.html`; everything that varies stands in
//! the tail's last element, the run. The script only filters, sorts, opens and follows links: without it everything can be read.

mod card;
pub(super) mod escape;
mod head;
mod tail;

use super::chart::MOST_ROWS;
use super::headline::{Told, short, told};
use super::{Out, Style, telling};
use askama::Template;
use card::{Card, Detail, Index};
use std::io::{self, Write};

/// Findings on the page; the others stand in `findings.csv` and `result.json`.
const MOST_CARDS: usize = 1_000;
/// Bytes of cards after which the next ones are told in short, and after which no more are: a page beyond three megabytes is slow to
/// open and hard to send.
const FULL_BYTES: usize = 1_700_000;
const MOST_BYTES: usize = 2_700_000;

pub(super) fn write(report: &telling::Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let findings = &report.unmasked().result.findings;
    let index = Index::of(report.overview());
    let mut masker = report.masker();
    let mut cards = Vec::new();
    let mut bytes = 0;
    let mut full = 0;
    for finding in findings.within(0..findings.len().min(MOST_CARDS)) {
        let detail = if bytes < FULL_BYTES { Detail::Full } else { Detail::Brief };
        let card = rendered(&Card::of(&masker.finding(&finding), detail, &index, style))?;
        bytes += card.len();
        if bytes > MOST_BYTES && !cards.is_empty() {
            break;
        }
        full += usize::from(detail == Detail::Full);
        cards.push(card);
    }
    let shown = Shown { cards: cards.len(), full };
    out.write_all(rendered(&head::Head::of(report, &index, &shown, style))?.as_bytes())?;
    for card in &cards {
        out.write_all(card.as_bytes())?;
    }
    out.write_all(rendered(&tail::Tail::of(report, cards.len(), style))?.as_bytes())
}

/// Findings on the page, and those of them that are told in full.
struct Shown {
    cards: usize,
    full: usize,
}

fn rendered(template: &impl Template) -> io::Result<String> {
    template.render().map_err(io::Error::other)
}
