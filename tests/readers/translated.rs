//! Formats that are translated when they are opened: what every record holds, its number and its lines.

use super::harness::{All, File, Kind, open, read, read_bytes, source};
use twicelog::rules::{Continues, RecordTypes, Source};

/// Number, first and last line, cells of the records that are whole.
pub fn records(all: &All) -> Vec<(u64, [u64; 2], Vec<String>)> {
    let whole = all.records.iter().filter(|found| found.kind == Kind::Record);
    whole
        .map(|found| (found.number, found.lines, found.cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect()))
        .collect()
}

fn row(number: u64, first: u64, last: u64, cells: &[&str]) -> (u64, [u64; 2], Vec<String>) {
    (number, [first, last], cells.iter().map(|cell| cell.to_string()).collect())
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn orders() -> Source {
    let mut source = source(&["Name", "Total", "Lineitem name", "Lineitem discount", "Email"]);
    source.read.continues = Some(Continues {
        key: texts(&["Name"]),
        filled: texts(&["Financial Status", "Total"]),
        items: vec![glob::Pattern::new("Lineitem *").unwrap()],
    });
    source
}

#[test]
fn rows_that_continue_a_record_are_gathered_in_it() {
    let text = "Name,Email,Financial Status,Total,Lineitem name,Lineitem discount\n\
        #1,a@x,paid,10,mug,\n\
        #1,a@x,,,\"cup\nblue\",1.00\n\
        ,,,,pot,\n\
        #2,,paid,7,mug,\n\
        #3,c@x,,,stray,\n\
        #4,d@x,paid,,mug,\n";
    for line_end in ["\n", "\r\n"] {
        let all = read_bytes(text.replace('\n', line_end).as_bytes(), &orders());
        let cup = format!("mug\ncup{line_end}blue\npot");
        let expected = [
            row(1, 2, 5, &["#1", "10", &cup, "\n1.00\n", "a@x"]),
            row(4, 6, 6, &["#2", "7", "mug", "", ""]),
            row(5, 7, 7, &["#3", "", "stray", "", "c@x"]),
            row(6, 8, 8, &["#4", "", "mug", "", "d@x"]),
        ];
        assert_eq!(records(&all), expected);
    }
}

#[test]
fn a_broken_row_among_those_of_a_record_is_told_with_its_line() {
    let text = b"Name,Email,Financial Status,Total,Lineitem name\n#1,a,paid,1,x\n#1,\xFF,,,y\n#2,b,paid,2\n#2,b,paid,2,z\n";
    let mut source = orders();
    source.read.encoding = Some(encoding_rs::UTF_8);
    let all = read_bytes(text, &source);
    assert_eq!(records(&all), [row(1, 2, 2, &["#1", "1", "x", "", "a"]), row(4, 5, 5, &["#2", "2", "z", "", "b"])]);
    let broken = all.broken();
    assert_eq!(broken.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4]);
    assert!(broken[0].1.contains("bytes that are not UTF-8"), "{}", broken[0].1);
    assert!(broken[1].1.starts_with("has 4 fields, the header has 5"), "{}", broken[1].1);
    let file = File::new(text);
    assert_eq!(open(file.path(), "in", &source).unwrap().missing_columns(), ["Lineitem discount"]);
}

fn report() -> Source {
    let mut source = source(&["Transaction ID", "Amount"]);
    source.read.record_types = Some(RecordTypes { header: texts(&["CH"]), data: texts(&["SB"]), counts: texts(&["SC", "RC"]) });
    source
}

#[test]
fn rows_of_the_data_types_are_records_and_the_others_are_counted() {
    let text = "\"RH\",2026/03/02,\"A\"\nFH,1\nSH,x,y\n\"CH\",\"Transaction ID\",Amount\nSB,T1,\"5\"\nSB,T2,6\nSC,2\n\
        CH,Amount,Transaction ID,More\nSB,7,T3,m\nSB,8\nSC,3\nRC,4\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "in", &report()).unwrap();
    let all = read(input.as_ref());
    assert_eq!(records(&all), [row(1, 5, 5, &["T1", "5"]), row(2, 6, 6, &["T2", "6"]), row(3, 9, 9, &["T3", "7"])]);
    assert_eq!(all.broken(), [(10, "has 2 fields, the header has 4; quote cells that hold the delimiter")]);
    assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 6);
    let notes: Vec<String> = input.notes().into_iter().map(|note| note.message).collect();
    assert_eq!(notes, ["in:11: row \"SC\" tells of \"3\" rows of data, but 2 stand before it; check that the file is whole"]);
    assert_eq!(input.missing_columns(), &[] as &[String]);

    let semicolons = text.replace(',', ";");
    assert_eq!(records(&read_bytes(semicolons.as_bytes(), &report())), records(&all));
    let none = File::new(b"a,b\n1,2\n");
    let error = open(none.path(), "in", &report()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "in: no row begins with \"SB\"; set read.record_types to the types that the file has");
}

#[test]
fn columns_that_no_row_names_are_numbered() {
    let mut source = source(&["2", "3"]);
    source.read.record_types = Some(RecordTypes { header: Vec::new(), data: texts(&["I"]), counts: Vec::new() });
    let all = read_bytes(b"H,1,x\nI,a,5\nI,b,6\nL,2\n", &source);
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 3, 3, &["b", "6"])]);
}
