//! When it happened, and among how much: one lane for each source, findings above its line and records below it, each to their own measure,
//! and what was not read at all.

use super::columns::{self, Column};
use super::lanes::{Lane, Lanes, fitting, lanes};
use super::time_axis::TimeAxis;
use super::{Chart, Drawing, LABEL, Mark, Scene, WIDTH, cut, scaled};
use crate::domain::Verdict;
use crate::report::texts::{ABSENT, Texts, number};

/// Most lanes: where there are more sources, the last one is for all others.
const LANES: usize = 6;
/// From the line of one lane to the next.
const LANE: i64 = 86;
/// Of the highest column of findings, and of records.
const FOUND: i64 = 36;
const READ: i64 = 18;
/// From a lane's line up to its name.
const NAME: i64 = FOUND + 9;
/// Units that a letter of a word for a hole needs.
const LETTER: i64 = 6;

pub(super) fn chart(scene: &Scene<'_>) -> Chart {
    let (texts, words) = (scene.texts, scene.texts.words());
    let Some(Lanes { axis, lanes, far }) = lanes(scene) else {
        return Chart::empty("chart-time", words.ask_when, scene);
    };
    let shown = fitting(&lanes, LANES, &texts.undrawn_sources(lanes.len().saturating_sub(LANES - 1)));
    let is_told = lanes.iter().any(|lane| lane.records.is_some());
    let mut legend = vec![("bad", texts.verdict(Verdict::DuplicateEffect).to_owned()), ("doubt", words.rest.to_owned())];
    if is_told {
        legend.push(("quiet", words.records_read.to_owned()));
    }
    if shown.iter().any(|lane| !lane.gaps().is_empty()) {
        legend.push(("gap", no_records(scene).to_owned()));
    }
    let answer = [findings(&lanes, &axis, scene), volume(&lanes, &axis, far, scene)];
    Chart {
        id: "chart-time",
        question: words.ask_when,
        answer: answer.into_iter().flatten().collect::<Vec<_>>().join("; "),
        drawing: Some(drawing(&shown, &axis, scene)),
        legend,
        heads: [words.source, words.time, words.findings, words.records_read].map(String::from).to_vec(),
        rows: lanes.iter().flat_map(|lane| rows(lane, &axis, texts)).collect(),
    }
}

/// What a column without records means: on a night what was read before is not read again.
fn no_records(scene: &Scene<'_>) -> &'static str {
    let words = scene.texts.words();
    if scene.report.run.night.is_some() { words.not_read_tonight } else { words.nothing_read_then }
}

/// How many findings there are, from when to when, and most of them when.
fn findings(lanes: &[Lane], axis: &TimeAxis, scene: &Scene<'_>) -> Option<String> {
    let texts = scene.texts;
    let untimed = scene.findings.iter().filter(|finding| finding.first.is_none()).count() as u64;
    let untimed = (untimed > 0).then(|| texts.without_time(untimed));
    let Some([(_, first), (_, last)]) = &scene.overview.span else {
        return untimed.or_else(|| Some(texts.findings(0)));
    };
    let of_column = |bin: usize| lanes.iter().filter_map(|lane| lane.found.get(bin)).flatten().sum::<u64>();
    let (most, busiest) =
        (0..axis.bins()).map(|bin| (of_column(bin), bin)).reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let all = lanes.iter().map(Lane::findings).sum();
    let timed = texts.timeline(all, &texts.time(first), &texts.time(last), &axis.when(busiest, texts), most);
    Some(std::iter::once(timed).chain(untimed).collect::<Vec<_>>().join("; "))
}

/// Among how many records, and which source has the longest hole.
fn volume(lanes: &[Lane], axis: &TimeAxis, far: u64, scene: &Scene<'_>) -> Option<String> {
    let texts = scene.texts;
    let read = lanes.iter().filter_map(Lane::read).reduce(u64::saturating_add)?;
    let mut told = vec![texts.among(read)];
    // Before its first and after its last record a source has not ended: that it is silent between them is what must not go unseen.
    let inner = |lane: &Lane| {
        let gaps =
            lane.gaps().into_iter().filter(|(from, to)| *from > 0 && *to < axis.bins()).map(|(from, to)| (to - from, from, to));
        gaps.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let longest = lanes.iter().filter_map(|lane| Some((inner(lane)?, lane)));
    if let Some(((_, from, to), lane)) = longest.reduce(|best, next| if next.0.0 > best.0.0 { next } else { best }) {
        told.push(format!("{}: {}, {}", no_records(scene), lane.name, axis.span(from, to, texts)));
    }
    if far > 0 {
        told.push(texts.too_far_off(far));
    }
    Some(told.join("; "))
}

/// A row for each column that holds something, and one for each hole.
fn rows(lane: &Lane, axis: &TimeAxis, texts: &dyn Texts) -> Vec<Vec<String>> {
    let gaps = lane.gaps();
    let read = |bin: usize| lane.records.as_ref().and_then(|records| records.get(bin)).copied();
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for (bin, found) in lane.found.iter().enumerate() {
        let found = found.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        if found > 0 || read(bin).is_some_and(|read| read > 0) {
            let read = read(bin).map_or_else(|| ABSENT.to_owned(), number);
            rows.push((bin, vec![lane.name.clone(), axis.when(bin, texts), number(found), read]));
        }
    }
    let is_silent =
        |from: usize, to: usize| lane.found.get(from..to).is_some_and(|found| found.iter().flatten().all(|count| *count == 0));
    for (from, to) in gaps.into_iter().filter(|(from, to)| is_silent(*from, *to)) {
        rows.push((from, vec![lane.name.clone(), axis.span(from, to, texts), number(0), number(0)]));
    }
    rows.sort_by_key(|(bin, _)| *bin);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn drawing(lanes: &[Lane], axis: &TimeAxis, scene: &Scene<'_>) -> Drawing {
    let texts = scene.texts;
    let sum = |found: &[u64; 2]| found.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
    // Findings of sources can be compared with each other; records cannot: a quiet source must still be seen.
    let most = lanes.iter().flat_map(|lane| &lane.found).map(sum).max().unwrap_or_default();
    let mut marks = Vec::new();
    let mut line = NAME + 12 - LANE;
    for lane in lanes {
        line += LANE;
        let numbers = texts.found_among(lane.findings(), lane.read());
        marks.push(Mark::Text { x: 0, y: line - NAME, anchor: "start", paint: "label", text: cut(&lane.name, LABEL) });
        marks.push(Mark::Text { x: WIDTH, y: line - NAME, anchor: "end", paint: "number", text: numbers });
        holes(lane, line, axis, scene, &mut marks);
        let title = |bin: usize| {
            let read = lane.records.as_ref().and_then(|records| records.get(bin)).copied();
            let found = lane.found.get(bin).map(sum).unwrap_or_default();
            format!("{}, {}: {}", lane.name, axis.when(bin, texts), texts.found_among(found, read))
        };
        records(lane, line, &title, &mut marks);
        let columns: Vec<Column> = lane
            .found
            .iter()
            .enumerate()
            .map(|(bin, [proven, other])| Column { title: title(bin), parts: vec![("bad", *proven), ("doubt", *other)] })
            .collect();
        marks.extend(columns::marks(&columns, most, line, FOUND));
    }
    let bottom = line + READ;
    marks.push(Mark::Text { x: 0, y: bottom + 16, anchor: "start", paint: "axis", text: axis.when(0, texts) });
    marks.push(Mark::Text { x: WIDTH, y: bottom + 16, anchor: "end", paint: "axis", text: axis.when(axis.bins(), texts) });
    Drawing { height: bottom + 22, marks }
}

/// The left edge of a column.
fn edge(bin: usize, bins: usize) -> i64 {
    bin as i64 * WIDTH / (bins.max(1) as i64)
}

/// Records hang from the line: nobody takes them for findings.
fn records(lane: &Lane, line: i64, title: &dyn Fn(usize) -> String, marks: &mut Vec<Mark>) {
    let Some(records) = &lane.records else { return };
    let most = records.iter().copied().max().unwrap_or_default();
    for (bin, count) in records.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (x, next) = (edge(bin, records.len()), edge(bin + 1, records.len()));
        let (width, height) = ((next - x - 1).max(1), scaled(*count, most, READ));
        marks.push(Mark::Bar { x, y: line + 1, width, height, paint: "quiet", title: title(bin) });
    }
}

/// Where nothing was read, nothing can have been found: the whole height is covered.
fn holes(lane: &Lane, line: i64, axis: &TimeAxis, scene: &Scene<'_>, marks: &mut Vec<Mark>) {
    for (from, to) in lane.gaps() {
        let (x, end) = (edge(from, axis.bins()), edge(to, axis.bins()));
        let told = no_records(scene);
        let title = format!("{}, {}: {told}", lane.name, axis.span(from, to, scene.texts));
        marks.push(Mark::Bar { x, y: line - FOUND, width: end - x, height: FOUND + READ, paint: "gap", title });
        let is_empty = lane.found.get(from..to).is_some_and(|found| found.iter().flatten().all(|count| *count == 0));
        if end - x > LETTER * told.chars().count() as i64 && is_empty {
            let middle = x + (end - x) / 2;
            marks.push(Mark::Text { x: middle, y: line - FOUND / 2, anchor: "middle", paint: "axis", text: told.to_owned() });
        }
    }
}
