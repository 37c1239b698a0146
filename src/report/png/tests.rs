//! What pictures promise: letters that are there, texts that fit, one theme with the page, the same bytes everywhere.

use super::card::{Scale, card, width};
use super::color::{fill, tone};
use super::font::{Fonts, Look, Weight};
use super::shape::{Block, Shape};
use super::*;
use crate::domain::Language;
use crate::domain::finding::Exposure;
use crate::domain::report::{
    Batch, Bucket, ChangeCounts, Health, Ledger, Night, OverTime, Report, ScanResult, SourceSummary, WindowStep,
};
use crate::domain::volume::MOST_BUCKETS;
use crate::report::{Color, CsvFor, Mask, Telling};
use chrono::DateTime;
use sha2::{Digest, Sha256};

fn style(language: Language) -> Style {
    let explanations = vec![];
    Style { width: Style::WIDTH, color: Color::Off, mask: Mask::Off, language, csv: CsvFor::Programs, explanations }
}

/// Letters as they look: the share of ink in each cell of a grid over the glyph's box.
fn ink(fonts: &Fonts, c: char, weight: Weight) -> Vec<u8> {
    let look = Look { size: 40_000, weight };
    let text = c.to_string();
    let glyph = fonts.placed(&text, look).next().unwrap().glyph;
    let mut cells = vec![];
    if let Some(outline) = fonts.outline(glyph, weight) {
        let bounds = outline.px_bounds();
        cells = vec![bounds.width() as u8, bounds.height() as u8];
        outline.draw(|_, _, covered| cells.push((covered * 255.0) as u8));
    }
    cells
}

#[test]
fn every_letter_of_both_languages_is_in_the_font_and_none_is_its_missing_glyph() {
    let fonts = Fonts::embedded().unwrap();
    let letters = "abcdefghijklmnopqrstuvwxyzабвгдеёжзийклмнопрстуфхцчшщъыьэюя";
    let signs = "0123456789.,:;!?%+-–—−×·…«»„“”№≤≥≈≠±§€$£¥₽₴₸₺₹ÄÖÜßäöüéèçñÅøłŠžґєіїўәғқңөұүһ";
    for weight in [Weight::Regular, Weight::Bold] {
        let missing = ink(&fonts, '\u{4e2d}', weight);
        assert!(missing.len() > 2, "the missing glyph is a box that can be seen");
        for c in letters.chars().flat_map(|c| [c].into_iter().chain(c.to_uppercase())).chain(signs.chars()) {
            assert!(fonts.has(c), "{c}");
            let seen = ink(&fonts, c, weight);
            assert!(seen.len() > 2 && seen != missing, "{c} has no look of its own");
        }
    }
    for language in Language::ALL {
        let words = format!("{:?}", crate::report::texts::of(language).words());
        let missing: Vec<char> = words.chars().filter(|c| !fonts.has(*c)).collect();
        assert!(missing.is_empty(), "{language:?}: {missing:?}");
    }
}

#[test]
fn what_the_font_lacks_and_what_hides_is_told_by_number() {
    let fonts = Fonts::embedded().unwrap();
    assert_eq!(fonts.drawable("中\u{202e}日"), "\\u{4e2d}\\u{202e}\\u{65e5}");
    assert_eq!(fonts.drawable("e\u{301}\u{2009}4111111111111111"), "é 411111******1111");
}

#[test]
fn text_is_cut_and_broken_to_fit() {
    let fonts = Fonts::embedded().unwrap();
    let look = Look::regular(16);
    let long = "Сколько денег ушло дважды и что вернулось обратно, по валютам и операциям? ".repeat(9) + &"я".repeat(300);
    for most in [0, 5, 20, 77, 300, 559] {
        assert!(fonts.width(&fonts.fitted(&long, look, most), look) <= most, "{most}");
        for line in fonts.lines(&long, look, most.max(20), 50) {
            assert!(fonts.width(&line, look) <= most.max(20), "{most}: {line:?}");
        }
    }
    assert_eq!(fonts.lines("one two", look, 60, 5), ["one two"]);
    assert_eq!(fonts.lines("one two", look, 50, 5), ["one", "two"]);
    assert!(fonts.lines(&long, look, 300, 2).last().unwrap().ends_with('…'));
    assert_eq!(fonts.lines("", look, 60, 5), Vec::<String>::new());
}

/// The same bytes on every machine: neither the system's fonts nor the processor nor the library that packs may change them. A change of the
/// font, the size of letters or the colours changes this digest, and may.
#[test]
fn a_picture_is_the_same_everywhere() {
    let fonts = Fonts::embedded().unwrap();
    let text = |text: &str, baseline, look| Shape::Text {
        x: 8,
        baseline,
        width: fonts.width(text, look),
        look,
        color: color::INK,
        text: text.into(),
    };
    let shapes = vec![
        Shape::Box { x: 0, y: 0, width: 300, height: 70, color: color::SHEET },
        text("Сколько денег ушло дважды?", 28, Look::bold(20)),
        text("How much left twice? 1 384,27 ₽ ≤ ×½", 56, Look::regular(16)),
    ];
    let picture = || Picture { width: 320, height: 80, shapes: shapes.clone() };
    let bytes = picture().encoded(&fonts).unwrap();
    assert_eq!(bytes, picture().encoded(&fonts).unwrap());
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "25240f128fb8469941d4a491c4f6053b64705c614070516119749679eda27b7a");
}

/// Texts lie within the block and not on each other.
fn assert_tidy(block: &Block, across: i32, what: &str) {
    let mut boxes: Vec<(i32, i32, i32, &str)> = vec![];
    for shape in &block.shapes {
        match shape {
            Shape::Text { x, baseline, width, text, look, .. } => {
                let above = baseline - look.size * 3 / 4_000;
                assert!(*x >= 0 && x + width <= across, "{what}: {text:?} runs out at {x}, {width} wide of {across}");
                assert!(above >= 0 && *baseline <= block.height, "{what}: {text:?} stands at {baseline} of {}", block.height);
                for (left, line, wide, other) in &boxes {
                    let apart = x + width <= *left || left + wide <= *x;
                    assert!(apart || line != baseline, "{what}: {text:?} runs into {other:?}");
                }
                boxes.push((*x, *baseline, *width, text));
            }
            Shape::Box { x, y, width, height, .. } => {
                let inside = *x >= 0 && *y >= 0 && x + width <= across && y + height <= block.height;
                assert!(inside, "{what}: a box of {width} × {height} at {x}, {y} of {across} × {}", block.height);
            }
        }
    }
}

/// A result whose names, sums and counts are as long as they get.
fn crowded() -> Report {
    let name = |at: u64| format!("очень длинное имя операции, которое никуда не помещается, даже если постараться {at}");
    let health = |at: u64| Health {
        operation: name(at),
        attempts: u64::MAX,
        with_key: 3,
        repeats: u64::MAX / 4,
        answered: 1,
        blocked: 0,
        doubled: u64::MAX / 8,
        possibly_doubled: 1,
        conflicting: 1,
        answered_differently: 0,
        retried: 0,
        keyed_repeats: 0,
        keys_changed: 0,
        median_gap_seconds: Some(86_399.5),
    };
    let batch = |at: u64| Batch {
        id: format!("TB-{at:012x}"),
        rule: name(at),
        lag_seconds: 2_850.0,
        findings: 1_000_000 + at,
        extra_effects: 1,
        exposure: vec![],
        originals: ["2026-03-12T02:00:00Z".into(), "2026-03-12T02:00:04Z".into()],
        repeats: ["2026-03-12T02:47:30Z".into(), "2026-03-12T02:47:34Z".into()],
    };
    let volume = vec![u64::MAX / 1_000; 168];
    let buckets = (0..MOST_BUCKETS as i64).map(|week| {
        let from = DateTime::from_timestamp(week * 4 * 604_800 - 259_200, 0).unwrap().date_naive().to_string();
        Bucket { from, records: u64::MAX / 1_000 }
    });
    let over_time = Some(OverTime { bucket_seconds: 4 * 604_800, buckets: buckets.collect() });
    let source =
        SourceSummary { name: name(0), ledger: Ledger::default(), first: None, last: None, files: vec![], volume, over_time };
    let sum = |code: &str| Exposure {
        currency: code.into(),
        gross: "79228162514264337593543950335".into(),
        reversed: "0".into(),
        net: "79228162514264337593543950335".into(),
    };
    let exposure: Vec<Exposure> = ["AED", "EUR", "RUB", "USDTTRC20XYZ"].map(sum).into();
    let step = |factor: &str| WindowStep {
        factor: factor.into(),
        findings: u64::MAX,
        extra_effects: u64::MAX,
        possible_extra_effects: 0,
        exposure: exposure.clone(),
        possible_exposure: exposure.clone(),
    };
    let night = |at: u64| Night {
        started: format!("2026-03-{:02}T02:00:00Z", at + 1),
        findings: u64::MAX / 2,
        decided: u64::MAX,
        same_rules: at > 3,
        changes: (at > 5).then_some(ChangeCounts { new: u64::MAX, grown: 7, unchanged: u64::MAX, resolved: 1 }),
        exposure: exposure.clone(),
    };
    let result = ScanResult {
        sources: vec![source],
        health: (0..12).map(health).collect(),
        batches: (0..12).map(batch).collect(),
        ..ScanResult::default()
    };
    let windows = ["1/4", "1/2", "1", "2", "4", "8", "16"].map(step).into();
    Report { result, windows, nights: (0..20).map(night).collect(), ..Report::default() }
}

#[test]
fn nothing_runs_out_of_its_card_or_into_its_neighbour() {
    let fonts = Fonts::embedded().unwrap();
    let scale = Scale { pixels: 4, units: 3 };
    for language in Language::ALL {
        for report in [crowded(), Report::default()] {
            let telling = Telling::of(&report, None);
            let told = telling.told(Mask::Off);
            let charts = chart::all(&told, &style(language));
            for chart in &charts {
                assert_tidy(&card(chart, scale, &fonts), width(scale), chart.id);
            }
            let sheet = sheet::sheet(&told, &charts, &style(language), &fonts);
            let (across, height) = (sheet.width as i32, sheet.height as i32);
            assert_tidy(&Block { shapes: sheet.shapes, height }, across, "the sheet");
        }
    }
}

/// One theme for page and picture.
#[test]
fn colours_are_those_of_the_page() {
    let css = include_str!("../html/page.css");
    let light = css.split('}').next().unwrap();
    let hex = |(red, green, blue): (u8, u8, u8)| format!("#{red:02x}{green:02x}{blue:02x}");
    for paint in ["bad", "doubt", "good", "quiet"] {
        assert!(light.contains(&format!("--fill-{paint}:{}", hex(fill(paint)))), "{paint}");
        let tones = if paint == "quiet" { continue } else { tone(paint) };
        assert!(light.contains(&format!("--{paint}:{}", hex(tones.0))), "{paint}");
        assert!(light.contains(&format!("--{paint}-bg:{}", hex(tones.1))), "{paint}");
    }
    for paint in ["main", "track", "heat1", "heat2", "heat3", "heat4"] {
        assert!(light.contains(&format!("--{paint}:{}", hex(fill(paint)))), "{paint}");
    }
}
