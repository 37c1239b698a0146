//! Random tables: any quoting, any block size, the same cells; and the `csv` crate agrees.

use super::harness::{File, Found, Kind, open_in_blocks, read, source};
use proptest::prelude::*;

fn cell() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Zё0-9 .]{0,12}", "[a,;\"\n ]{0,6}", "(\"|\"\"|,|\n|x){0,5}", Just(String::new()),]
}

/// As a writer would: quoted where needed, or everywhere.
fn write(rows: &[Vec<String>], line_end: &str, always: &[bool]) -> String {
    let mut text = format!("c0,c1,c2{line_end}");
    let mut always = always.iter().cycle();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .map(|cell| {
                let needed = cell.contains([',', '"', '\n', '\r']) || row.iter().all(String::is_empty);
                if needed || always.next().is_some_and(|always| *always) {
                    format!("\"{}\"", cell.replace('"', "\"\""))
                } else {
                    cell.clone()
                }
            })
            .collect();
        text += &(cells.join(",") + line_end);
    }
    text
}

/// What a test that shrinks needs to know of a failure.
type Checked = Result<(), TestCaseError>;

/// A cell of blanks says nothing.
fn said(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.trim().is_empty())
}

fn table_survives(rows: &[Vec<String>], always: &[bool], line_end: &str, block: usize) -> Checked {
    let text = write(rows, line_end, always);
    let file = File::new(text.as_bytes());
    let input = open_in_blocks(file.path(), "table", &source(&["c2", "c0", "c1"]), block).unwrap();
    let all = read(input.as_ref());
    let mut line = 2;
    prop_assert_eq!(all.records.len(), rows.len());
    for (found, row) in all.records.iter().zip(rows) {
        let within = row.iter().map(|cell| cell.matches('\n').count() as u64).sum::<u64>();
        if row.iter().all(|cell| cell.trim().is_empty()) {
            prop_assert_eq!((&found.kind, found.lines[0]), (&Kind::Ignored, line));
        } else {
            prop_assert_eq!(&found.kind, &Kind::Record);
            let value = |column: usize| said(&row[column]);
            prop_assert_eq!(&found.cells, &vec![value(2), value(0), value(1)]);
            prop_assert_eq!(found.lines, [line, line + within]);
        }
        line += within + 1;
    }
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let by_crate: Vec<Vec<String>> = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
    prop_assert_eq!(by_crate, rows);
    Ok(())
}

/// Text that nobody wrote on purpose: stray quotes, ragged rows. Cutter and splitter must agree, whatever the block size.
fn text_is_split_the_same(body: &str, block: usize) -> Checked {
    // Rows longer than a block are broken by design; here all fit.
    let lines: Vec<String> = body.split('\n').map(|line| line.chars().take(20).collect()).collect();
    let text = format!("a,b\n{}", lines.join("\n"));
    let file = File::new(text.as_bytes());
    let whole = read(open_in_blocks(file.path(), "t", &source(&["a", "b"]), 1 << 20).unwrap().as_ref());
    let longest = whole.records.iter().map(|found| found.raw.len() + 2).max().unwrap_or(0);
    let parts = read(open_in_blocks(file.path(), "t", &source(&["a", "b"]), block.max(longest)).unwrap().as_ref());
    let without_open = |found: &Found| !matches!(&found.kind, Kind::Broken(reason) if reason.contains("quote opened"));
    if whole.records.iter().all(without_open) && parts.records.iter().all(without_open) {
        prop_assert_eq!(whole.records, parts.records);
    }
    Ok(())
}

fn objects_survive(values: &[(String, i64)], block: usize, shape: usize) -> Checked {
    let objects: Vec<String> = values
        .iter()
        .map(|(text, number)| serde_json::json!({"x": {"text": text}, "n": number, "more": [text, {}]}).to_string())
        .collect();
    let text = match shape {
        0 => objects.join("\n"),
        1 => format!("[{}]", objects.join(" ,\n")),
        _ => format!("{{\"k\": 1, \"data\": [{}], \"end\": \"]\"}}", objects.join(",")),
    };
    let file = File::new(text.as_bytes());
    let all = read(open_in_blocks(file.path(), "t", &source(&["n", "/x/text"]), block).unwrap().as_ref());
    prop_assert_eq!(all.fault.clone(), None);
    let expected: Vec<_> = values.iter().map(|(text, number)| vec![Some(number.to_string()), said(text)]).collect();
    prop_assert_eq!(all.cells(), expected);
    Ok(())
}

/// Random tables failed on these once.
#[test]
fn two_rows_without_anything_are_counted_each() {
    table_survives(&vec![vec![String::new(); 3]; 2], &[false], "\n", 120).unwrap();
}

#[test]
fn a_blank_line_below_the_header_is_the_same_in_any_block() {
    text_is_split_the_same("\na", 80).unwrap();
}

#[test]
fn two_equal_objects_are_two_records() {
    objects_survive(&vec![(String::new(), 0); 2], 400, 0).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_survive_quoting_and_any_block_size(
        rows in prop::collection::vec(prop::collection::vec(cell(), 3), 0..40),
        always in prop::collection::vec(any::<bool>(), 1..7),
        line_end in prop_oneof![Just("\n"), Just("\r\n")],
        block in 120_usize..600,
    ) {
        table_survives(&rows, &always, line_end, block)?;
    }

    #[test]
    fn any_text_is_split_the_same_whatever_the_block_size(body in "[ab,\"\n]{0,300}", block in 80_usize..200) {
        text_is_split_the_same(&body, block)?;
    }

    #[test]
    fn objects_survive_any_block_size(
        values in prop::collection::vec((any::<String>(), any::<i64>()), 1..30),
        block in 400_usize..2000,
        shape in 0_usize..3,
    ) {
        prop_assume!(values.iter().all(|(text, _)| text.len() < 60));
        objects_survive(&values, block, shape)?;
    }
}

/// The most lines of messages of which each begins before one before it ends: no block can be cut within them.
fn longest_chain(records: &[Found]) -> u64 {
    let (mut longest, mut chain) = (0, [1, 0]);
    for [first, last] in records.iter().map(|found| found.lines) {
        chain = if first <= chain[1] { [chain[0], last.max(chain[1])] } else { [first, last] };
        longest = longest.max(chain[1] + 1 - chain[0]);
    }
    longest
}

/// Lines of a container's log, whole and in parts, of both streams, with lines that are none.
fn container_line() -> impl Strategy<Value = String> {
    let head = (prop_oneof![Just("stdout"), Just("stderr")], prop_oneof![3 => Just("F"), 2 => Just("P")]);
    prop_oneof![
        8 => (head, "[a-d{}\": ]{0,12}").prop_map(|((stream, tag), text)| format!("2026-03-02T10:00:00Z {stream} {tag} {text}")),
        1 => "[a-d ]{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Cutter and splitter must agree on where messages end, whatever the block size.
    #[test]
    fn messages_in_parts_survive_any_block_size(
        lines in prop::collection::vec(container_line(), 1..60),
        line_end in prop_oneof![Just("\n"), Just("\r\n")],
        block in 1_usize..900,
    ) {
        let text = lines.join(line_end);
        let file = File::new(text.as_bytes());
        let mut asked = source(&["text", "@stream"]);
        asked.read.wrapper = Some(twicelog::rules::Wrapper::Cri);
        asked.read.pattern = Some(regex::Regex::new("^(?P<text>.+)$").unwrap());
        let whole = read(open_in_blocks(file.path(), "t", &asked, 1 << 20).unwrap().as_ref());
        // What is longer than a block is broken by design; here all messages fit, with those that begin before they end.
        let longest = longest_chain(&whole.records) * 52;
        let ended = whole.records.iter().all(|found| !matches!(found.kind, Kind::Broken(_)));
        let parts = read(open_in_blocks(file.path(), "t", &asked, block.max(longest as usize + 52)).unwrap().as_ref());
        if ended {
            prop_assert_eq!(&whole.records, &parts.records);
        }
        // A message of blanks alone is none.
        let letters = |text: &str| text.bytes().filter(|byte| *byte != b' ').count();
        let joined: usize = lines.iter().filter_map(|line| line.splitn(4, ' ').nth(3).filter(|_| line.contains("std"))).map(letters).sum();
        let found: usize = parts.records.iter().filter_map(|found| found.cells.first()?.as_deref().map(letters)).sum();
        prop_assert!(!ended || found == joined, "{} of {} bytes", found, joined);
    }
}
