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
use super::{Out, Style, Told};
use canvas::Picture;
use font::Fonts;
use std::io::{self, Write};

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let fonts = Fonts::embedded()?;
    let charts = chart::all(told, style);
    out.write_all(&sheet::sheet(told, &charts, style, &fonts).encoded(&fonts)?)
}

/// A picture of one chart.
pub(super) fn chart(chart: &Chart) -> io::Result<Vec<u8>> {
    let fonts = Fonts::embedded()?;
    card::alone(chart, &fonts).encoded(&fonts)
}

/// Bytes by which a picture of a chart is known: those of the signature and of the size.
pub const CHART_PICTURE_BEGIN: usize = 24;

/// Whether a file that begins like this is a picture of a chart, as wide as they all are.
pub fn begins_chart_picture(begin: &[u8; CHART_PICTURE_BEGIN]) -> bool {
    let width = card::width(card::Scale::ALONE).unsigned_abs().to_be_bytes();
    begin.starts_with(&encode::SIGNATURE) && begin.get(12..16) == Some(b"IHDR") && begin.get(16..20) == Some(&width)
}

impl Picture {
    fn encoded(&self, fonts: &Fonts) -> io::Result<Vec<u8>> {
        encode::png(self.width, self.height, &self.painted(fonts)?)
    }
}

#[cfg(test)]
mod tests;
