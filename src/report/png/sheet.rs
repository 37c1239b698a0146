//! The contact sheet: what was read, what was found, and every chart in a grid.

use super::canvas::Picture;
use super::card::{self, Scale, card, legend, text_lines};
use super::color::{BACKGROUND, Color, FAINT, INK, MAIN, RULE, SHEET, fill, tone};
use super::font::{Fonts, Look};
use super::shape::{Block, Shape};
use crate::domain::report::ScanResult;
use crate::report::chart::Chart;
use crate::report::headline::{STRIP, exposure, figures, nothing, possible, range, strip, troubles};
use crate::report::texts::number;
use crate::report::{Style, Told};

/// Units of the charts' drawings, to be read at full size.
const SCALE: Scale = Scale { pixels: 4, units: 3 };
const COLUMNS: usize = 3;
const MARGIN: i32 = 48;
const GUTTER: i32 = 24;
/// Figures in a row, and at most.
const FIGURES: i32 = 6;
const MOST_FIGURES: usize = 12;

const TITLE: Look = Look::bold(38);
const BRAND: Look = Look::bold(20);
const TEXT: Look = Look::regular(18);
const SMALL: Look = Look::regular(16);
const NUMBER: Look = Look::bold(32);
const LEAD: Look = Look::bold(20);

pub(super) fn sheet(told: &Told<'_>, charts: &[Chart], style: &Style, fonts: &Fonts) -> Picture {
    let result = &told.frame.result;
    let across = card::width(SCALE) * COLUMNS as i32 + GUTTER * (COLUMNS as i32 - 1);
    let mut page = Block::default();
    page.gap(MARGIN);
    page.add(head(told, style, across, fonts));
    page.gap(GUTTER);
    page.add(coverage(result, style, across, fonts));
    page.gap(GUTTER);
    page.add(numbers(result, style, across, fonts));
    match nothing(result, style.texts()) {
        Some(nothing) => {
            page.gap(GUTTER);
            page.add(text_lines(&nothing, LEAD, 30, INK, (across, 4), fonts));
            // Only what has something to show: how much was read when, how repeats behaved.
            let drawn: Vec<&Chart> = charts.iter().filter(|chart| chart.drawing.is_some()).collect();
            if !drawn.is_empty() {
                page.gap(GUTTER);
                page.add(grid(&drawn, fonts));
            }
        }
        None => {
            page.gap(GUTTER);
            page.add(grid(&charts.iter().collect::<Vec<_>>(), fonts));
        }
    }
    page.gap(MARGIN);
    let shapes = page.shapes.into_iter().map(|shape| shape.moved(MARGIN, 0)).collect();
    Picture { width: (across + 2 * MARGIN).unsigned_abs(), height: page.height.unsigned_abs(), shapes }
}

fn head(told: &Told<'_>, style: &Style, across: i32, fonts: &Fonts) -> Block {
    let (texts, words) = (style.texts(), style.texts().words());
    let mut block = text_lines("twicelog", BRAND, 28, MAIN, (across, 1), fonts);
    block.add(text_lines(words.title, TITLE, 50, INK, (across, 1), fonts));
    let when = format!("{}. {} {}", range(&told.frame.result.sources, texts), words.utc, told.privacy(words));
    block.add(text_lines(&when, TEXT, 26, FAINT, (across, 3), fonts));
    block
}

/// What was read and what became of it.
fn coverage(result: &ScanResult, style: &Style, across: i32, fonts: &Fonts) -> Block {
    let (texts, words) = (style.texts(), style.texts().words());
    let mut block = Block::default();
    for trouble in troubles(result, words) {
        let (color, _) = tone("bad");
        block.add(text_lines(trouble, LEAD, 30, color, (across, 3), fonts));
    }
    let files: usize = result.sources.iter().map(|source| source.files.len()).sum();
    let ledger = texts.ledger(files as u64, result.sources.len() as u64, &result.ledger);
    block.add(text_lines(&ledger, TEXT, 28, INK, (across, 3), fonts));
    block.gap(6);
    let parts = strip(&result.ledger, words);
    let pixels = |units: i64| i32::try_from(i64::from(across) * units / STRIP).unwrap_or_default();
    block.shapes.push(Shape::Box { x: 0, y: block.height, width: across, height: 16, color: fill("track") });
    for part in parts.iter().filter(|part| part.width > 0) {
        let (x, end) = (pixels(part.x), pixels(part.x + part.width));
        block.shapes.push(Shape::Box { x, y: block.height, width: end - x, height: 16, color: fill(part.paint) });
    }
    block.gap(24);
    let entries = parts.iter().map(|part| (fill(part.paint), format!("{}: {}", part.label, part.number.text)));
    block.add(legend(entries, SMALL, across, fonts));
    block
}

/// The headline, as tiles.
fn numbers(result: &ScanResult, style: &Style, across: i32, fonts: &Fonts) -> Block {
    let (texts, words) = (style.texts(), style.texts().words());
    let totals = &result.totals;
    let counts = figures(result, texts).into_iter().map(|(told, label, tone)| (told.text, label.to_owned(), tone));
    let sums = exposure(&totals.exposure, texts);
    let sums =
        sums.into_iter().map(|([currency, _, _, net], tone)| (net.text, format!("{}, {}", words.net, currency.text), tone));
    let stakes = possible(&totals.possible_exposure, texts);
    let stakes = stakes.into_iter().map(|[currency, net]| (net.text, format!("{}, {}", words.at_stake, currency.text), "doubt"));
    let mut tiles: Vec<(String, String, &str)> = counts.chain(sums).chain(stakes).collect();
    let all = totals.exposure.len() + totals.possible_exposure.len() + figures(result, texts).len();
    if all > MOST_FIGURES {
        tiles.truncate(MOST_FIGURES - 1);
        tiles.push((number((all - tiles.len()) as u64), words.rest.to_owned(), ""));
    }
    let width = (across - GUTTER * (FIGURES - 1)) / FIGURES;
    let mut block = Block::default();
    for row in tiles.chunks(FIGURES as usize) {
        if block.height > 0 {
            block.gap(GUTTER);
        }
        let tiles: Vec<(Block, Color)> =
            row.iter().map(|(number, label, tone)| tile(number, label, tone, width, fonts)).collect();
        block.add(beside(tiles, width));
    }
    block
}

fn tile(text: &str, label: &str, name: &str, width: i32, fonts: &Fonts) -> (Block, Color) {
    let (color, under) = tone(name);
    let across = width - 36;
    let mut tile = Block::default();
    tile.gap(14);
    // A sum of many digits is told smaller, not cut.
    let drawable = fonts.drawable(text);
    let fitting = [32, 26, 20, 16].map(Look::bold).into_iter().find(|look| fonts.width(&drawable, *look) <= across);
    tile.add(text_lines(text, fitting.unwrap_or(NUMBER), 44, color, (across, 1), fonts));
    tile.add(text_lines(label, SMALL, 22, color, (across, 3), fonts));
    tile.gap(14);
    tile.shapes = tile.shapes.into_iter().map(|shape| shape.moved(18, 0)).collect();
    (tile, under)
}

/// The charts: each goes where the sheet is still shortest, so that it stays one.
fn grid(charts: &[&Chart], fonts: &Fonts) -> Block {
    let width = card::width(SCALE);
    let mut columns: Vec<Block> = (0..COLUMNS).map(|_| Block::default()).collect();
    for chart in charts {
        let Some(column) = columns.iter_mut().min_by_key(|column| column.height) else { continue };
        if column.height > 0 {
            column.gap(GUTTER);
        }
        let card = card(chart, SCALE, fonts);
        column.add(framed(card, width, SHEET));
    }
    let mut grid = Block::default();
    for (column, x) in columns.into_iter().zip((0..).step_by((width + GUTTER).unsigned_abs() as usize)) {
        grid.height = grid.height.max(column.height);
        grid.shapes.extend(column.shapes.into_iter().map(|shape| shape.moved(x, 0)));
    }
    grid
}

/// Blocks of one width side by side, each on its own ground, all as high as the highest.
fn beside(blocks: Vec<(Block, Color)>, width: i32) -> Block {
    let height = blocks.iter().map(|(block, _)| block.height).max().unwrap_or_default();
    let mut row = Block { shapes: vec![], height };
    for ((block, color), x) in blocks.into_iter().zip((0..).step_by((width + GUTTER).unsigned_abs() as usize)) {
        row.shapes.push(Shape::Box { x, y: 0, width, height, color });
        row.shapes.extend(block.shapes.into_iter().map(|shape| shape.moved(x, 0)));
    }
    row
}

/// A block on a sheet with an edge.
fn framed(block: Block, width: i32, color: Color) -> Block {
    let height = block.height;
    let mut shapes = vec![
        Shape::Box { x: 0, y: 0, width, height, color: RULE },
        Shape::Box { x: 1, y: 1, width: width - 2, height: height - 2, color },
    ];
    // Cut corners: a frame with sharp ones looks like a form.
    for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
        shapes.push(Shape::Box { x, y, width: 1, height: 1, color: BACKGROUND });
    }
    shapes.extend(block.shapes);
    Block { shapes, height }
}
