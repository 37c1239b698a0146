//! Pictures: whole files of equal bytes, for nothing, one finding and very many, in both languages, masked.

use super::{bytes, reports, style, unlike};
use std::collections::BTreeSet;
use twicelog::domain::Language;
use twicelog::domain::report::Report;
use twicelog::report::{CHARTS, Mask, OutputFormat, Style, chart_pictures};

/// Width and height of a PNG file whose parts are whole.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png[..8], [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']);
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let mut at = 8;
    let mut names = vec![];
    while at < png.len() {
        let length = number(at) as usize;
        let mut sum = flate2::Crc::new();
        sum.update(&png[at + 4..at + 8 + length]);
        assert_eq!(number(at + 8 + length), sum.sum());
        names.push(String::from_utf8(png[at + 4..at + 8].to_vec()).unwrap());
        at += length + 12;
    }
    assert_eq!(names, ["IHDR", "PLTE", "IDAT", "IEND"], "a picture of few colours, and nothing of the run");
    (number(16), number(20))
}

fn sheet(report: &Report, language: Language, mask: Mask) -> Vec<u8> {
    bytes(OutputFormat::Png, report, &Style { language, ..style(80, mask) })
}

#[test]
fn a_sheet_is_whole_and_the_same_again_whatever_the_run() {
    for report in [reports::empty(), reports::report(vec![unlike(7)]), reports::sample()] {
        for language in Language::ALL {
            let picture = sheet(&report, language, Mask::On);
            let (width, height) = size(&picture);
            assert!((1_900..2_000).contains(&width) && (300..4_000).contains(&height), "{width} × {height}");
            assert!(picture.len() < 300_000, "{} bytes", picture.len());
            let mut again = report.clone();
            again.run.duration_ms += 99;
            again.run.version = "9.9.9".into();
            assert_eq!(sheet(&again, language, Mask::On), picture);
        }
    }
}

#[test]
fn a_sheet_speaks_the_readers_language_and_masks() {
    let report = reports::sample();
    let looks: BTreeSet<Vec<u8>> = [
        sheet(&report, Language::English, Mask::On),
        sheet(&report, Language::Russian, Mask::On),
        sheet(&report, Language::English, Mask::Off),
    ]
    .into();
    assert_eq!(looks.len(), 3);
    // Two people of whom the mask leaves the same are told apart by nothing else in the picture.
    let mut other = report.clone();
    for record in other.result.findings.iter_mut().flat_map(|finding| &mut finding.records) {
        record.values.entry("actor".into()).and_modify(|actor| *actor = actor.replace("anna@", "alla@"));
    }
    other.result.actors[0].actor = "alla@example.org".into();
    assert_eq!(sheet(&other, Language::English, Mask::On), sheet(&report, Language::English, Mask::On));
    assert_ne!(sheet(&other, Language::English, Mask::Off), sheet(&report, Language::English, Mask::Off));
}

#[test]
fn every_chart_has_a_picture_of_its_own() {
    let report = reports::sample();
    let pictures = chart_pictures(&report, &style(80, Mask::On)).unwrap();
    let names: Vec<&str> = pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, CHARTS);
    for (name, picture) in &pictures {
        let (width, height) = size(picture);
        assert!(width == 912 && height > 60, "{name}: {width} × {height}");
    }
    let without = Report { windows: vec![], nights: vec![], ..report };
    let pictures = chart_pictures(&without, &style(80, Mask::On)).unwrap();
    assert_eq!(pictures.len(), CHARTS.len() - 1, "no other night is known; that no other windows were tried is said");
    let known = |picture: &[u8]| twicelog::report::begins_chart_picture(picture[..24].try_into().unwrap());
    assert!(pictures.iter().all(|(_, picture)| known(picture)), "what an earlier run drew is known by its beginning");
    assert!(!known(&sheet(&without, Language::English, Mask::On)), "the contact sheet is no chart");
}

#[test]
fn a_hundred_thousand_findings_fit_one_sheet() {
    let mut report = reports::report((0..100_000).map(unlike).collect());
    report.result.totals.exposure.truncate(1);
    let picture = sheet(&report, Language::Russian, Mask::Off);
    let (_, height) = size(&picture);
    assert!(height < 4_000 && picture.len() < 300_000, "{height} high, {} bytes", picture.len());
}
