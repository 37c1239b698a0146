//! One conformance suite for all readers: the same table through every format, packing, encoding and line end.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[cfg(feature = "ipc")]
#[path = "readers/arrow_ipc.rs"]
mod arrow_ipc;
#[cfg(feature = "parquet")]
#[path = "readers/columnar.rs"]
mod columnar;
#[path = "readers/continued.rs"]
mod continued;
#[path = "readers/copies.rs"]
mod copies;
#[path = "readers/glance.rs"]
mod glance;
#[path = "readers/harness.rs"]
mod harness;
#[path = "readers/hostile.rs"]
mod hostile;
#[path = "readers/random.rs"]
mod random;
#[path = "readers/recognition.rs"]
mod recognition;
#[path = "readers/several_headers.rs"]
mod several_headers;
#[path = "readers/several_tables.rs"]
mod several_tables;
#[path = "readers/tables.rs"]
mod tables;
#[path = "readers/translated.rs"]
mod translated;
#[path = "readers/translated_alike.rs"]
mod translated_alike;
#[path = "support/workbook.rs"]
mod workbook;
#[path = "readers/wrapped.rs"]
mod wrapped;

use encoding_rs::{Encoding, IBM866, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};
use harness::{File, Kind, gzip, read, source};

/// Columns of the table, in the order they are asked for; the files hold them in another order, with others between.
const COLUMNS: [&str; 4] = ["id", "name", "note", "amount"];

/// The rows of the table. `~` stands for a line end within a cell, `@` for a letter beyond ASCII.
const ROWS: [[&str; 4]; 4] = [
    ["a-1", "Anna", "plain", "10.00"],
    ["a-2", "P@tr", "says \"hi\"; a, b | c\td", "00020.50"],
    ["a-3", "@@@", "two~lines", ""],
    ["a-4", "O'Brien", "", "1e3"],
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    Csv(char),
    Ndjson,
    Array,
    PrettyArray,
    Member,
    OneAfterTheOther,
    Text,
    Logfmt,
    /// Objects as messages in lines of a container's log.
    Docker,
    /// The same, each message in two parts.
    Cri,
    Syslog,
}

const LAYOUTS: [Layout; 14] = [
    Layout::Csv(','),
    Layout::Csv(';'),
    Layout::Csv('\t'),
    Layout::Csv('|'),
    Layout::Ndjson,
    Layout::Array,
    Layout::PrettyArray,
    Layout::Member,
    Layout::OneAfterTheOther,
    Layout::Text,
    Layout::Logfmt,
    Layout::Docker,
    Layout::Cri,
    Layout::Syslog,
];

/// A record as it should come out: first and last line, cells.
type Expected = (u64, u64, [Option<String>; 4]);

/// The text of the table with its line ends, and what must be read from it.
fn write(layout: Layout, letter: &str, line_end: &str) -> (String, Vec<Expected>) {
    let mut lines: Vec<String> = Vec::new();
    let mut expected = Vec::new();
    match layout {
        Layout::Csv(delimiter) => lines.push(["Extra", "note", "amount", " id ", "name", "More"].join(&delimiter.to_string())),
        Layout::Array | Layout::PrettyArray => lines.push("[".into()),
        Layout::Member => lines.push(r#"{"page": {"data": [9]}, "data": ["#.into()),
        _ => {}
    }
    for (index, row) in ROWS.iter().enumerate() {
        let cells = row.map(|cell| cell.replace('@', letter));
        let first = lines.len() as u64 + 1;
        let (text, newline) = match layout {
            Layout::Csv(delimiter) => {
                let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\"").replace('~', line_end));
                let cells = [
                    "x".to_string(),
                    quoted(&cells[2]),
                    cells[3].clone(),
                    quoted(&cells[0]),
                    cells[1].clone(),
                    "5\" disk".to_string(),
                ];
                (cells.join(&delimiter.to_string()), line_end)
            }
            Layout::Text => (format!("{} {} [{}] {}", cells[0], cells[1], cells[2].replace('~', " "), cells[3]), " "),
            Layout::Logfmt => {
                let quoted = |cell: &str| serde_json::to_string(&cell.replace('~', "\n")).unwrap();
                let bare = if cells[3].is_empty() { "amount=" } else { &format!("amount={}", cells[3]) };
                let (id, name, note) = (&cells[0], quoted(&cells[1]), quoted(&cells[2]));
                (format!("id=old level=info retried  id={id} url=http://x/?a=b name={name} note={note} {bare}"), "\n")
            }
            _ => {
                let json = |cell: &str| serde_json::to_string(&cell.replace('~', "\n")).unwrap();
                // A number, a null, and a name given twice; the last counts.
                let amount = if cells[3].is_empty() { "null".to_string() } else { json(&cells[3]) };
                let space = if matches!(layout, Layout::PrettyArray | Layout::OneAfterTheOther) { "~" } else { "" };
                let text = format!(
                    r#"{{{space}"id": 7, "x": {{"id": [1, {{}}]}},{space} "id": {}, "name": {}, "note": {},"amount":{amount}{space}}}"#,
                    json(&cells[0]),
                    json(&cells[1]),
                    json(&cells[2]),
                );
                let comma = matches!(layout, Layout::Array | Layout::PrettyArray | Layout::Member) && index + 1 < ROWS.len();
                (wrap(layout, &text).replace('~', line_end) + if comma { "," } else { "" }, "\n")
            }
        };
        lines.extend(text.split(line_end).map(str::to_owned));
        let value = |cell: &String| Some(cell.replace('~', newline)).filter(|cell| !cell.is_empty());
        expected.push((first, lines.len() as u64, [0, 1, 2, 3].map(|column| value(&cells[column]))));
    }
    match layout {
        Layout::Array | Layout::PrettyArray => lines.push("]".into()),
        Layout::Member => lines.push("], \"more\": false}".into()),
        _ => {}
    }
    (lines.join(line_end), expected)
}

/// A message in what its layout puts before it; `~` parts lines.
fn wrap(layout: Layout, message: &str) -> String {
    let time = "2026-03-02T10:40:12.123456789Z";
    match layout {
        Layout::Docker => {
            let log = serde_json::to_string(&format!("{message}\n")).unwrap();
            format!(r#"{{"log":{log},"stream":"stdout","time":"{time}"}}"#)
        }
        Layout::Cri => {
            let half = message.char_indices().nth(message.chars().count() / 2).map_or(0, |(at, _)| at);
            let (front, back) = message.split_at(half);
            format!("{time} stdout P {front}~{time} stdout F {back}")
        }
        Layout::Syslog => format!("<134>1 {time} web-1 shop 17 - [origin@1 ip=\"10.0.0.1\"][x@2 q=\"\\]\"] {message}"),
        _ => message.to_owned(),
    }
}

fn source_for(layout: Layout, encoding: Option<&'static Encoding>) -> twicelog::rules::Source {
    let mut source = source(&COLUMNS);
    source.read.encoding = encoding;
    if layout == Layout::Text {
        source.read.pattern = Some(regex::Regex::new(r"^(?P<id>\S+) (?P<name>\S+) \[(?P<note>.*)\] (?P<amount>\S*)$").unwrap());
    }
    source
}

/// Bytes in an encoding, and what the source must say of it.
fn encode(text: &str, encoding: &'static Encoding, mark: &[u8]) -> Vec<u8> {
    let mut bytes = mark.to_vec();
    match encoding.name() {
        "UTF-16LE" => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        "UTF-16BE" => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        _ => {
            let (encoded, _, lossy) = encoding.encode(text);
            assert!(!lossy);
            bytes.extend_from_slice(&encoded);
        }
    }
    bytes
}

fn packings(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (front, back) = bytes.split_at(bytes.len() / 2);
    vec![
        ("plain", bytes.to_vec()),
        ("gzip", gzip(bytes)),
        ("gzip of two members", [gzip(front), gzip(b""), gzip(back)].concat()),
        ("zstd", zstd::encode_all(bytes, 3).unwrap()),
        ("zstd of two frames", [zstd::encode_all(front, 3).unwrap(), zstd::encode_all(back, 3).unwrap()].concat()),
    ]
}

#[test]
fn the_same_table_through_every_format_packing_encoding_and_line_end() {
    let encodings: [(&'static Encoding, &[u8], &str, bool); 9] = [
        (UTF_8, b"", "ё", false),
        (UTF_8, b"\xEF\xBB\xBF", "ё", false),
        (UTF_16LE, b"\xFF\xFE", "ё", false),
        (UTF_16BE, b"\xFE\xFF", "ё", false),
        (UTF_16LE, b"", "ё", false),
        (UTF_16BE, b"", "😀", false),
        (WINDOWS_1251, b"", "ё", true),
        (IBM866, b"", "ё", true),
        (WINDOWS_1252, b"", "é", true),
    ];
    for layout in LAYOUTS {
        for (encoding, mark, letter, told) in encodings {
            for line_end in ["\n", "\r\n", "\r"] {
                for last in ["", line_end] {
                    let (text, expected) = write(layout, letter, line_end);
                    let bytes = encode(&(text + last), encoding, mark);
                    for (packing, packed) in packings(&bytes) {
                        let what = format!("{layout:?} {} {packing} {line_end:?} last {last:?}", encoding.name());
                        let file = File::new(&packed);
                        let source = source_for(layout, told.then_some(encoding));
                        let input = harness::open(file.path(), "table", &source).unwrap_or_else(|e| panic!("{what}: {e}"));
                        let all = read(input.as_ref());
                        assert_eq!(all.fault, None, "{what}");
                        assert!(input.description().contains(encoding.name()), "{what}: {}", input.description());
                        assert_eq!(input.missing_columns(), &[] as &[String], "{what}");
                        assert_eq!(all.facts.bytes, packed.len() as u64, "{what}");
                        assert_eq!(all.facts.sha256, harness::sha256(&packed), "{what}");
                        let found: Vec<(u64, u64, Vec<Option<String>>)> = all
                            .records
                            .iter()
                            .filter(|record| record.kind == Kind::Record)
                            .map(|r| (r.lines[0], r.lines[1], r.cells.clone()))
                            .collect();
                        let expected: Vec<_> =
                            expected.iter().map(|(first, last, cells)| (*first, *last, cells.to_vec())).collect();
                        assert_eq!(found, expected, "{what}");
                        let numbers: Vec<u64> = all.records.iter().map(|record| record.number).collect();
                        assert_eq!(numbers, (1..=ROWS.len() as u64).collect::<Vec<_>>(), "{what}");
                    }
                }
            }
        }
    }
}
