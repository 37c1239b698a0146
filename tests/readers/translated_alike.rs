//! The same table in every format that is translated: packed, cut off, byte by byte, in blocks of any size.

use super::harness::{File, Kind, gzip, open, open_in_blocks, open_stream, read, source};
use super::translated::{texts_row, xlsx, zip};
use twicelog::domain::record::InputError;
use twicelog::read::OpenError;
use twicelog::rules::{Continues, Format, RecordTypes, Source};

/// Id, name, total.
const ROWS: [[&str; 3]; 4] = [
    ["a-1", "Anna", "10.00"],
    ["a-2", "Пётр; \"x\", <y> & z", "00020.50"],
    ["a-3", "two\tparts", "7"],
    ["a-4", "O'Brien", "1e3"],
];

struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
    source: Source,
    /// Cut off anywhere, it still gives the records before the cut.
    streams: bool,
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn lines(front: &str, line: impl Fn([&str; 3]) -> String, back: &str) -> Vec<u8> {
    (front.to_owned() + &ROWS.map(line).concat() + back).into_bytes()
}

fn samples() -> Vec<Sample> {
    let named = ["id", "name", "total"];
    let csv = |[id, name, total]: [&str; 3]| format!("{id},{},{total}", quoted(name));
    let mut continued = source(&named);
    continued.read.continues = Some(Continues {
        key: vec!["id".into()],
        filled: vec!["total".into()],
        items: vec![glob::Pattern::new("item*").unwrap()],
    });
    let mut typed = source(&named);
    typed.read.record_types = Some(RecordTypes { header: vec!["H".into()], data: vec!["D".into()], counts: vec!["E".into()] });
    let page = |[id, name, total]: [&str; 3]| {
        // A page makes one blank of any.
        format!("<tr><td>{id}</td><td>{}</td><td>{total}</td></tr>\n", escaped(name).replace('\t', "&#9;"))
    };
    let span = |[id, name, total]: [&str; 3]| {
        let attribute = |key: &str, text: &str| format!(r#"{{"key":"{key}","value":{{"stringValue":{}}}}}"#, json(text));
        let attributes = [attribute("name", name), attribute("total", total)].join(",");
        format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"0a","spanId":"{id}","attributes":[{attributes}]}}]}}]}}]}}"#
        ) + "\n"
    };
    let call = |[id, name, total]: [&str; 3]| {
        let block = format!(r#"{{"type":"tool_use","id":"{id}","name":{},"input":{}}}"#, json(name), json(total));
        format!(r#"{{"role":"assistant","content":[{block}]}}"#) + "\n"
    };
    let sheet: String =
        ROWS.iter().zip(2..).map(|(row, number)| texts_row(number, &row.map(escaped).each_ref().map(String::as_str))).collect();
    let sample = |name, bytes, source, streams| Sample { name, bytes, source, streams };
    vec![
        sample(
            "continued",
            lines("id,name,total,item\n", |row| format!("{},i\n{},,,i\n", csv(row), row[0]), ""),
            continued,
            true,
        ),
        sample("typed", lines("X,1\nH,id,name,total\n", |row| format!("D,{}\n", csv(row)), "E,4\n"), typed, true),
        sample("html", lines("<table><tr><th>id<th>name<th>total</tr>\n", page, "</table>\n"), source(&named), true),
        sample(
            "1c",
            lines(
                "1CClientBankExchange\nВерсияФормата=1.03\nКодировка=UTF-8\n",
                |[id, name, total]| format!("СекцияДокумент=x\nid={id}\nname={name}\ntotal={total}\nКонецДокумента\n"),
                "КонецФайла\n",
            ),
            source(&named),
            true,
        ),
        sample("otlp", lines("", span, ""), source(&["spanId", "/attributes/name", "/attributes/total"]), true),
        sample("transcript", lines("", call, ""), source(&["call_id", "name", "arguments"]), true),
        sample("xlsx", xlsx(&[("S", &(texts_row(1, &named) + &sheet))]), source(&named), false),
    ]
}

fn expected() -> Vec<Vec<Option<String>>> {
    ROWS.iter().map(|row| row.iter().map(|cell| Some(cell.to_string())).collect()).collect()
}

#[test]
fn the_same_records_from_every_format_and_packing() {
    for sample in samples() {
        let mut packings = vec![sample.bytes.clone(), gzip(&sample.bytes), zstd::encode_all(&sample.bytes[..], 3).unwrap()];
        packings.push(zip(&[("the file", &sample.bytes)]));
        if sample.name != "xlsx" {
            let text = String::from_utf8(sample.bytes.clone()).unwrap();
            packings.push([b"\xEF\xBB\xBF", &sample.bytes[..]].concat());
            packings.push(text.replace('\n', "\r\n").into_bytes());
            packings.push([&[0xFF, 0xFE][..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()].concat());
        }
        for (number, packed) in packings.iter().enumerate() {
            let what = format!("{} packing {number}", sample.name);
            let file = File::new(packed);
            let input = open(file.path(), "in", &sample.source).unwrap_or_else(|error| panic!("{what}: {error}"));
            let all = read(input.as_ref());
            assert_eq!((all.cells(), &all.fault), (expected(), &None), "{what}");
            assert_eq!(input.missing_columns(), [""; 0], "{what}");
            let numbers: Vec<u64> =
                all.records.iter().filter(|found| found.kind == Kind::Record).map(|found| found.number).collect();
            assert_eq!(numbers, if sample.name == "continued" { vec![1, 3, 5, 7] } else { vec![1, 2, 3, 4] }, "{what}");
            assert_eq!((all.facts.bytes, &all.facts.sha256), (packed.len() as u64, &super::harness::sha256(packed)), "{what}");
            assert_eq!(all.facts.notes, [], "{what}");
        }
    }
}

/// Gives a byte at a time.
struct Dripping<'b>(&'b [u8]);

impl std::io::Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let some = buffer.len().min(1);
        std::io::Read::read(&mut self.0, &mut buffer[..some])
    }
}

#[test]
fn streams_and_small_blocks_give_the_same() {
    for sample in samples() {
        let dripped = open_stream(&mut Dripping(&sample.bytes), "-", &sample.source).unwrap();
        assert_eq!(read(dripped.as_ref()).cells(), expected(), "{}", sample.name);
        for limit in [250, 1_000] {
            let file = File::new(&sample.bytes);
            let input = open_in_blocks(file.path(), "in", &sample.source, limit).unwrap();
            assert_eq!(read(input.as_ref()).cells(), expected(), "{} {limit}", sample.name);
        }
    }
}

#[test]
fn what_is_cut_off_gives_the_records_before_and_never_a_wrong_one() {
    for sample in samples().into_iter().filter(|sample| sample.streams) {
        let packed = gzip(&sample.bytes);
        for cut in (12..packed.len()).step_by(7) {
            let file = File::new(&packed[..cut]);
            match open(file.path(), "in", &sample.source) {
                Ok(input) => {
                    let all = read(input.as_ref());
                    assert!(matches!(all.fault, Some(InputError::CutOff { .. })), "{} {cut}: {:?}", sample.name, all.fault);
                    let cells = all.cells();
                    // A record of several rows may lack its last ones; no column that was asked for comes from them.
                    assert_eq!(cells, expected()[..cells.len()], "{} {cut}", sample.name);
                }
                Err(OpenError::Input(InputError::CutOff { .. })) => {}
                Err(error) => panic!("{} {cut}: {error}", sample.name),
            }
        }
    }
}

#[test]
fn flipped_bytes_never_panic_here_either() {
    for sample in samples() {
        for at in (0..sample.bytes.len()).step_by(sample.bytes.len() / 120 + 1) {
            let mut bytes = sample.bytes.clone();
            bytes[at] ^= 0x94;
            if let Ok(input) = open(File::new(&bytes).path(), "in", &sample.source) {
                read(input.as_ref());
            }
        }
    }
}

#[test]
fn a_huge_field_breaks_its_record_only() {
    let huge = "x".repeat(2 << 20);
    for sample in samples().into_iter().filter(|sample| sample.name != "xlsx") {
        let text = String::from_utf8(sample.bytes).unwrap();
        // In the second record of four.
        let bytes = text.replacen("00020.50", &huge, 1).into_bytes();
        let all = read(open(File::new(&bytes).path(), "in", &sample.source).unwrap().as_ref());
        let ids: Vec<_> = all.cells().into_iter().map(|cells| cells[0].clone().unwrap_or_default()).collect();
        assert_eq!(ids, ["a-1", "a-3", "a-4"], "{}", sample.name);
        let broken = all.broken();
        let (huge, after) = broken.split_first().unwrap();
        assert!(huge.1.contains("is longer than the limit"), "{} {huge:?}", sample.name);
        // The second row of the record, where it has one, is not added to another record.
        let torn = if sample.name == "continued" { 1 } else { 0 };
        assert_eq!(after.len(), torn, "{} {after:?}", sample.name);
        assert!(after.iter().all(|(_, reason)| reason.starts_with("continues a row that could not be read")), "{after:?}");
    }
}

#[test]
fn nothing_at_all_is_an_input_without_records_of_any_format() {
    for format in [Format::BankExchange, Format::Html, Format::Otlp, Format::Transcript] {
        for bytes in [&b""[..], b"\n\n", b"\xEF\xBB\xBF"] {
            let asked = Source { format: Some(format), ..source(&["id"]) };
            let all = read(open(File::new(bytes).path(), "in", &asked).unwrap().as_ref());
            assert_eq!((all.records.len(), all.fault), (0, None), "{format:?}");
        }
    }
    let of_another_kind = Source { format: Some(Format::Workbook), ..source(&["id"]) };
    let error = open(File::new(b"id,x\n1,2\n").path(), "in", &of_another_kind).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error,
        "in: is not \"xlsx\": its bytes are no workbook; set format, or leave it out to have it told from the content"
    );
}
