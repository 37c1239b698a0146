//! A report that is told in several outputs: whoever is masked goes by one name in all of them.

use super::mask::{Mask, Masker, Masking, PseudonymKey};
use super::overview::Overview;
use super::texts::Words;
use super::{Out, OutputFormat, Style, chart, csv, html, json, junit, markdown, ndjson, png, sarif, terminal, xlsx};
use crate::domain::Finding;
use crate::domain::report::Report;
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::OnceLock;

/// A report, and who is called what in its outputs.
pub struct Telling<'r> {
    report: &'r Report,
    key: Option<PseudonymKey>,
    /// Made for the first output that masks: a pass over all findings, which outputs that show everything do not need.
    masking: OnceLock<Masking>,
    /// Made for the first output that draws or filters.
    overview: OnceLock<Overview>,
}

impl<'r> Telling<'r> {
    /// Without a key, names are numbers, which mean nothing in another report.
    pub fn of(report: &'r Report, key: Option<PseudonymKey>) -> Self {
        Self { report, key, masking: OnceLock::new(), overview: OnceLock::new() }
    }

    /// Writes the report. Errors are those of `out`.
    pub fn write(&self, format: OutputFormat, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Out::with_capacity(1 << 16, out);
        let told = || self.told(style.mask);
        match format {
            OutputFormat::Terminal => terminal::write(self.report, self.brief_masker(style.mask), style, &mut out),
            OutputFormat::Json => json::write(&told(), &mut out),
            OutputFormat::Ndjson => ndjson::write(&told(), &mut out),
            OutputFormat::Csv => csv::write(&told(), style, &mut out),
            OutputFormat::Html => html::write(&told(), style, &mut out),
            OutputFormat::Png => png::write(&told(), style, &mut out),
            OutputFormat::Markdown => markdown::write(&told(), style, &mut out),
            OutputFormat::Xlsx => xlsx::write(&told(), style, &mut out),
            OutputFormat::Sarif => sarif::write(&told(), style, &mut out),
            OutputFormat::Junit => junit::write(&told(), style, &mut out),
        }?;
        // What could not be read back is missing above.
        self.report.result.findings.check()?;
        out.flush()
    }

    /// A picture of each chart as a PNG file, with the chart's name out of [`super::CHARTS`]. Errors are defects.
    pub fn chart_pictures(&self, style: &Style) -> io::Result<Vec<(String, Vec<u8>)>> {
        let charts = chart::all(&self.told(style.mask), style);
        let named = |chart: &chart::Chart| Ok((chart.id.trim_start_matches("chart-").to_owned(), png::chart(chart)?));
        charts.par_iter().map(named).collect()
    }

    /// Writes everything that is known about a finding of the report. Errors are those of `out`.
    pub fn finding_card(&self, finding: &Finding, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        terminal::finding_card(&self.told(style.mask).masker().finding(finding), style, out)
    }

    /// For an output of few findings: where no other output was masked, nobody has a name yet, and to give one to everybody would take a pass
    /// over all of them.
    fn brief_masker(&self, mask: Mask) -> Masker {
        match (mask, self.masking.get(), &self.key) {
            (Mask::Off, ..) | (Mask::On, None, None) => Masker::new(mask),
            (Mask::On, Some(masking), _) => masking.masker(mask),
            (Mask::On, None, Some(_)) => self.masking.get_or_init(|| Masking::of(self.report, self.key.as_ref())).masker(mask),
        }
    }

    /// Makes of texts that stand beside the report what may be shown: whoever is masked goes by the name of the outputs.
    pub fn masker(&self, mask: Mask) -> Masker {
        self.masking(mask).map_or_else(|| Masker::new(Mask::Off), |masking| masking.masker(mask))
    }

    fn masking(&self, mask: Mask) -> Option<&Masking> {
        match mask {
            Mask::On => Some(self.masking.get_or_init(|| Masking::of(self.report, self.key.as_ref()))),
            Mask::Off => None,
        }
    }

    pub(super) fn told(&self, mask: Mask) -> Told<'_> {
        let masking = self.masking(mask);
        Told {
            report: self.report,
            frame: self.masker(mask).frame(self.report),
            masking,
            overview: &self.overview,
            key: self.key.as_ref(),
        }
    }
}

/// A report as one output may tell it.
pub(super) struct Told<'r> {
    report: &'r Report,
    /// The report as it may be shown, without its findings.
    pub(super) frame: Report,
    /// None where nothing is masked.
    masking: Option<&'r Masking>,
    overview: &'r OnceLock<Overview>,
    key: Option<&'r PseudonymKey>,
}

impl<'r> Told<'r> {
    /// The report as it is: to count, sort and choose by, never to be shown.
    pub(super) fn unmasked(&self) -> &'r Report {
        self.report
    }

    /// What there is in all findings: to count, sort and choose by, never to be shown.
    pub(super) fn overview(&self) -> &'r Overview {
        self.overview.get_or_init(|| Overview::of(&self.report.result.findings))
    }

    /// Makes of a finding, and of every other text, what may be shown.
    pub(super) fn masker(&self) -> Masker {
        self.masking.map_or_else(|| Masker::new(Mask::Off), |masking| masking.masker(Mask::On))
    }

    /// Every finding as it may be shown, in order. Masking is shared out among the threads, a few thousand findings at a time.
    pub(super) fn each_finding(&self, mut write: impl FnMut(&Finding) -> io::Result<()>) -> io::Result<()> {
        const AT_ONCE: usize = 1024;
        const PIECE: usize = 64;
        let findings = &self.report.result.findings;
        let all = findings.len();
        for from in (0..all).step_by(AT_ONCE) {
            let pieces: Vec<usize> = (from..all.min(from + AT_ONCE)).step_by(PIECE).collect();
            let mask = |from: &usize| {
                let mut masker = self.masker();
                let within = findings.within(*from..all.min(from + PIECE));
                within.map(|finding| masked(&mut masker, finding)).collect::<Vec<Cow<'r, Finding>>>()
            };
            let masked: Vec<Vec<Cow<'r, Finding>>> = pieces.par_iter().map(mask).collect();
            masked.iter().flatten().try_for_each(|finding| write(finding))?;
        }
        Ok(())
    }

    /// What the reader must know of names in this output.
    pub(super) fn privacy(&self, words: &'static Words) -> String {
        match (self.masking, self.key) {
            (None, _) => words.revealed.to_owned(),
            (Some(_), None) => words.masked.to_owned(),
            (Some(_), Some(key)) => format!("{} {} {}.", words.masked, words.pseudonyms, key.id()),
        }
    }
}

/// A finding as it may be shown.
fn masked<'f>(masker: &mut Masker, finding: Cow<'f, Finding>) -> Cow<'f, Finding> {
    match finding {
        Cow::Borrowed(finding) => masker.finding(finding),
        Cow::Owned(finding) => {
            let shown = match masker.finding(&finding) {
                Cow::Owned(shown) => Some(shown),
                Cow::Borrowed(_) => None,
            };
            Cow::Owned(shown.unwrap_or(finding))
        }
    }
}
