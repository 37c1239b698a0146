//! The `png` format: one picture of the whole result, and one of each chart.
//!
//! Both are laid out as shapes in whole pixels ([`sheet`], [`card`]), painted ([`canvas`]) with the font that is part of the program
//! ([`font`]), and written without a time or a name ([`encode`]): the same result gives the same bytes on every machine. What is drawn is
//! what the page draws: the charts of [`super::chart`], the numbers of [`super::headline`].

mod canvas;
mod card;
mod color;
mod encode;
mod font;
mod shape;
mod sheet;

use super::chart::{self, Chart};
use super::{Out, Style, mask};
use crate::domain::report::Report;
use canvas::Picture;
use font::Fonts;
use std::io::{self, Write};

pub(super) fn write(report: &Report, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let report = mask::report(report, style.mask);
    let fonts = Fonts::embedded()?;
    let charts = chart::all(&report, style);
    out.write_all(&sheet::sheet(&report.result, &charts, style, &fonts).encoded(&fonts)?)
}

/// A picture of one chart.
pub(super) fn chart(chart: &Chart) -> io::Result<Vec<u8>> {
    let fonts = Fonts::embedded()?;
    card::alone(chart, &fonts).encoded(&fonts)
}

impl Picture {
    fn encoded(&self, fonts: &Fonts) -> io::Result<Vec<u8>> {
        encode::png(self.width, self.height, &self.painted(fonts)?)
    }
}

#[cfg(test)]
mod tests;
