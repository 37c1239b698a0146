//! Rows that say nothing, headers that stand again, and tables put one below the other.

use super::harness::{All, File, Kind, open_in_blocks, read, read_bytes, source};
use regex::Regex;
use twicelog::domain::record::InputError;
use twicelog::rules::{Continues, Footer, Source};

fn values(all: &All) -> Vec<Vec<String>> {
    all.cells().into_iter().map(|cells| cells.into_iter().map(Option::unwrap_or_default).collect()).collect()
}

fn kinds(all: &All) -> String {
    let letter = |kind: &Kind| match kind {
        Kind::Record => 'r',
        Kind::Ignored => 'i',
        Kind::Blank => 'b',
        Kind::Broken(_) => 'x',
    };
    all.records.iter().map(|found| letter(&found.kind)).collect()
}

/// As CSV, and as a page.
fn in_all_tables(rows: &str, source: &Source, check: impl Fn(&All)) {
    check(&read_bytes(rows.as_bytes(), source));
    let row = |line: &str| format!("<tr><td>{}</td></tr>", line.replace(',', "</td><td>"));
    let page = format!("<html><body><table>{}</table></body></html>", rows.lines().map(row).collect::<String>());
    check(&read_bytes(page.as_bytes(), source));
}

#[test]
fn rows_of_blanks_are_counted_and_ignored() {
    let rows = "id,amount\na,1\n , \nb,2\n";
    // A page or sheet has no such rows: cells without text are not there.
    in_all_tables(rows, &source(&["id", "amount"]), |all| assert_eq!(kinds(all).replace('i', ""), "rr"));
    assert_eq!(kinds(&read_bytes(rows.as_bytes(), &source(&["id", "amount"]))), "rir");
    let text = "id,amount,note\na,1,x\n,,\n\"\",,\" \"\n   \nb,2,\"\"\"\"\n,,\"\"\"\"\n,,\n";
    let mut source = source(&["id", "amount"]);
    assert_eq!(kinds(&read_bytes(text.as_bytes(), &source)), "riiirri", "a quote is something");
    source.read.continues = Some(Continues { key: vec!["id".to_owned()], filled: Vec::new(), items: Vec::new() });
    assert_eq!(kinds(&read_bytes(b"id,amount\na,1\n,\nb,2\n", &source)).matches('i').count(), 1);
}

#[test]
fn a_header_that_stands_again_is_ignored() {
    let rows = "id,amount\na,1\nid,amount\nb,2\n";
    in_all_tables(rows, &source(&["id", "amount"]), |all| assert_eq!((kinds(all).as_str(), values(all).len()), ("rir", 2)));
}

#[test]
fn a_header_in_another_order_names_the_rows_below_it() {
    let rows = "id,amount,refunded,note\na,1,0,x\nid,refunded,amount,note\nb,0,2,y\nc,0,3,z\n";
    let expected = [["a", "1", "0"], ["b", "2", "0"], ["c", "3", "0"]].map(|row| row.map(str::to_owned).to_vec());
    let source = source(&["id", "amount", "refunded"]);
    in_all_tables(rows, &source, |all| assert_eq!(values(all), expected));
    let file = File::new(rows.as_bytes());
    for block in [40, 50, 60, 70, 80] {
        assert_eq!(values(&read(open_in_blocks(file.path(), "test", &source, block).unwrap().as_ref())), expected, "{block}");
    }
    // Words of the header within a cell are no header, and neither is a row that holds some of them.
    let text = "id,amount,refunded,note\na,1,0,\"\nid,refunded,amount,note\n\"\nid,amount,2,3\n";
    assert_eq!(values(&read_bytes(text.as_bytes(), &source)).len(), 2);
}

#[test]
fn a_header_that_lacks_a_column_ends_the_table() {
    let text = "id,amount,refunded,note\na,1,0,x\nid,amount,paid,note\nb,2,2,y\n";
    let all = read_bytes(text.as_bytes(), &source(&["id", "refunded"]));
    assert_eq!(values(&all), [["a", "0"].map(str::to_owned).to_vec()]);
    assert!(
        matches!(&all.fault, Some(InputError::CutOff { what: "table", bytes: 32, reason, .. }) if reason.contains("\"refunded\""))
    );
}

const REGISTRY: [&str; 2] = [
    "Registry 1\nDay: 2026-03-01\nid;amount;text\na;1;x\nb;2;y\n\nCount: 2\nRegistry 1\nDay: 2026-03-02\nid;amount;text\n\
     c;3;z\n\nCount: 1\n",
    // The same as a spreadsheet saves it.
    "Registry 1;;\nDay: 2026-03-01;;\nid;amount;text\na;1;x\nb;2;y\n;;\nCount: 2;;\nRegistry 1;;\nDay: 2026-03-02;;\nid;amount;text\n\
     c;3;z\n;;\nCount: 1;;\n",
];

#[test]
fn registries_put_together_keep_their_days_and_their_footers() {
    let mut source = source(&["id", "day"]);
    source.read.preamble = vec![Regex::new(r"^Day: (?P<day>\S+)$").unwrap()];
    source.read.footer = Some(Footer { patterns: vec![Regex::new(r"^Count: (?P<count>\d+)$").unwrap()], sum_column: None });
    let expected = [["a", "2026-03-01"], ["b", "2026-03-01"], ["c", "2026-03-02"]].map(|row| row.map(str::to_owned).to_vec());
    for text in REGISTRY {
        let file = File::new(text.as_bytes());
        for block in [60, 70, 80, 1 << 20] {
            let all = read(open_in_blocks(file.path(), "test", &source, block).unwrap().as_ref());
            assert_eq!((values(&all), all.facts.notes.as_slice()), (expected.to_vec(), [].as_slice()), "{block} {text}");
        }
    }
    // A day without a line of its own has no day: the one before is not its.
    let unnamed = read_bytes(REGISTRY[0].replace("Day: 2026-03-02\n", "").as_bytes(), &source);
    assert_eq!(values(&unnamed)[2], ["c", ""]);
    // Each footer counts its own rows.
    let wrong = read_bytes(REGISTRY[0].replace("Count: 1", "Count: 3").as_bytes(), &source);
    assert_eq!(wrong.facts.notes.len(), 1);
}

/// Hooks write what each call posted as a line of its own.
#[test]
fn arrays_that_follow_one_another_are_read_as_one() {
    let text = "[{\"id\":\"a\"},{\"id\":\"b\"}]\n[]\r\n[ {\"id\":\"c\"} ]\n\n[{\"id\":\"d\"}]\n";
    let file = File::new(text.as_bytes());
    for block in [14, 20, 30, 40, 50, 1 << 20] {
        let all = read(open_in_blocks(file.path(), "test", &source(&["id"]), block).unwrap().as_ref());
        assert_eq!((values(&all).concat().concat(), &all.fault), ("abcd".to_owned(), &None), "{block}");
        assert_eq!(all.records.iter().map(|found| found.lines[0]).collect::<Vec<_>>(), [1, 1, 3, 5], "{block}");
    }
    // Other text after an array is still told.
    let all = read_bytes(b"[{\"id\":\"a\"}]\n{\"id\":\"b\"}", &source(&["id"]));
    assert!(values(&all).len() == 1 && all.fault.is_some());
}

#[test]
fn what_stands_after_a_document_costs_none_of_its_records() {
    let text = b"{\"object\":\"list\",\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}200";
    let all = read_bytes(text, &source(&["id"]));
    assert_eq!(values(&all).concat(), ["a", "b"]);
    assert!(matches!(&all.fault, Some(InputError::CutOff { reason, .. }) if reason.contains("more text")));
}
