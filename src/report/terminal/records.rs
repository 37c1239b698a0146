//! The records of a finding side by side, one column each, with what differs marked; below each other where it is narrow.

use super::page::{Line, Page, Paint, TALLEST, shown};
use crate::domain::finding::{Finding, FindingRecord};
use crate::report::safe;
use crate::report::side_by_side::{self, Agreement, Row, title};
use crate::report::texts::ABSENT;
use std::io;

/// Blanks before the records.
const INDENT: usize = 5;
/// Least and greatest width of a record's column, without the two blanks before it.
const COLUMN: std::ops::RangeInclusive<usize> = 18..=44;
/// Greatest width of the labels.
const LABEL: usize = 16;

/// How much of the records is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The first four records, two lines a value.
    Summary,
    /// All records, values as far as a terminal can be read.
    Full,
}

impl Detail {
    fn records(self) -> usize {
        match self {
            Self::Summary => 4,
            Self::Full => usize::MAX,
        }
    }

    fn lines(self) -> usize {
        match self {
            Self::Summary => 2,
            Self::Full => TALLEST,
        }
    }
}

pub(super) fn write(finding: &Finding, detail: Detail, page: &mut Page<'_>) -> io::Result<()> {
    let told = |row: &Row| !row.is_source || row.agreement == Agreement::Different || detail == Detail::Full;
    let rows: Vec<Row> = side_by_side::rows(finding, page.texts()).into_iter().filter(told).collect();
    let records: Vec<(usize, &FindingRecord)> = finding.records.iter().enumerate().take(detail.records()).collect();
    let label = rows.iter().map(|row| safe::width(&shown(&row.label))).max().unwrap_or_default().min(LABEL);
    let room = page.width().saturating_sub(INDENT + label + 2);
    let fitting = room / (COLUMN.start() + 2);
    if fitting < 2.min(records.len()) {
        for record in &records {
            stacked(record, &rows, page)?;
        }
    } else {
        for band in records.chunks(fitting.max(1)) {
            let width = (room / band.len()).saturating_sub(2).min(*COLUMN.end());
            columns(band, &rows, Shape { label, width, lines: detail.lines() }, page)?;
        }
    }
    match finding.records.len() - records.len() {
        0 => Ok(()),
        left => page.paragraph(INDENT, Paint::Faint, &page.texts().further_records(left, &finding.id)),
    }
}

/// Widths and heights of a band of columns.
struct Shape {
    label: usize,
    width: usize,
    lines: usize,
}

fn columns(band: &[(usize, &FindingRecord)], rows: &[Row], shape: Shape, page: &mut Page<'_>) -> io::Result<()> {
    let mut head = Line::new().plain(&" ".repeat(INDENT + shape.label));
    for (at, record) in band {
        head = head.plain("  ").with(Paint::Faint, &safe::pad(&title(*at, record, page.texts()), shape.width));
    }
    page.line(&head)?;
    for row in rows {
        let cells: Vec<(Paint, Vec<String>)> = band
            .iter()
            .map(|(at, _)| {
                let (paint, text) = cell(row, *at);
                (paint, clipped(&shown(&text), shape.width, shape.lines))
            })
            .collect();
        let height = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
        for at in 0..height {
            let label = if at == 0 { row.label.as_str() } else { "" };
            let mut line =
                Line::new().plain(&" ".repeat(INDENT - 2)).with(Paint::Warning, if at == 0 { mark(row) } else { "  " });
            line = line.with(Paint::Faint, &safe::pad(&shown(label), shape.label));
            for (paint, lines) in &cells {
                let text = lines.get(at).map(String::as_str).unwrap_or_default();
                line = line.plain("  ").with(*paint, text).plain(&" ".repeat(shape.width.saturating_sub(safe::width(text))));
            }
            page.line(&line)?;
        }
    }
    Ok(())
}

fn stacked(record: &(usize, &FindingRecord), rows: &[Row], page: &mut Page<'_>) -> io::Result<()> {
    let (at, record) = record;
    page.paragraph(2, Paint::Faint, &title(*at, record, page.texts()))?;
    for row in rows {
        let (paint, text) = cell(row, *at);
        page.hang(Line::new().with(Paint::Warning, mark(row)).with(Paint::Faint, &format!("{} ", row.label)), paint, &text)?;
    }
    Ok(())
}

/// Text in at most so many lines, the last one cut.
fn clipped(text: &str, width: usize, lines: usize) -> Vec<String> {
    let mut wrapped = safe::wrap(&safe::cut(text, width * (lines + 1)), width);
    if wrapped.len() > lines {
        let last = wrapped.split_off(lines.saturating_sub(1)).join(" ");
        wrapped.push(safe::cut(&last, width).into_owned());
    }
    wrapped
}

/// `≠` where the records differ, `≈` where they do only until normalised, so that it can be seen without colour.
fn mark(row: &Row) -> &'static str {
    match row.agreement {
        Agreement::Different => "≠ ",
        Agreement::Normalised => "≈ ",
        Agreement::Equal | Agreement::NotCompared => "  ",
    }
}

fn cell(row: &Row, at: usize) -> (Paint, String) {
    let Some(cell) = row.cells.get(at) else {
        return (Paint::Faint, ABSENT.to_owned());
    };
    let paint = match &cell.text {
        None => Paint::Faint,
        Some(_) if cell.stands_out => Paint::Warning,
        Some(_) => Paint::Plain,
    };
    (paint, cell.text.clone().unwrap_or_else(|| ABSENT.to_owned()))
}
