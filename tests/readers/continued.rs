//! Rows that cannot be read where a record is several rows or a file several sections: what they cost, and what they do not.

use super::harness::{Kind, read_bytes, source};
use super::translated::{records, row, texts};
use twicelog::rules::{Continues, RecordTypes, Source};

/// As Amazon's orders: every row repeats the order, and no column is of the first row only.
fn orders() -> Source {
    let mut asked = source(&["order", "item", "total"]);
    let items = vec![glob::Pattern::new("item").unwrap()];
    asked.read.continues = Some(Continues { key: texts(&["order"]), filled: Vec::new(), items });
    asked
}

const TORN: &str = "continues a row that could not be read; repair that row";

#[test]
fn a_broken_row_costs_its_own_record_and_no_others() {
    let text = b"order,item,total\no1,cup\no1,pot,9\no2,mug,5\n,jar,\no3,mug,5\n";
    let all = read_bytes(text, &orders());
    assert_eq!(records(&all), [row(3, 4, 5, &["o2", "mug\njar", "5"]), row(5, 6, 6, &["o3", "mug", "5"])]);
    let broken = all.broken();
    assert_eq!(broken.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(broken[1].1, TORN);
    assert!(all.records.iter().all(|found| found.kind != Kind::Ignored));
}

#[test]
fn rows_after_a_broken_one_are_not_added_to_the_record_before_it() {
    // The broken row may be of either order; rows of the order before it are incomplete without it.
    let all = read_bytes(b"order,item,total\no1,cup,9\no2,x\no1,pot,9\n,jar,\no2,mug,5\no3,mug,5\n", &orders());
    assert_eq!(records(&all), [row(1, 2, 2, &["o1", "cup", "9"]), row(6, 7, 7, &["o3", "mug", "5"])]);
    let broken: Vec<(u64, &str)> = all.broken().into_iter().skip(1).collect();
    assert_eq!(broken, [(4, TORN), (5, TORN), (6, TORN)]);
}

/// A row of another key began a record when nothing was broken; so it does after a broken row.
#[test]
fn a_row_of_another_key_begins_a_record_after_a_broken_one() {
    let mut asked = orders();
    let continues = Continues { filled: texts(&["total"]), ..asked.read.continues.take().unwrap() };
    asked.read.continues = Some(continues);
    let all = read_bytes(b"order,item,total\no1,cup\no1,pot,\no2,mug,\no3,mug,5\n", &asked);
    assert_eq!(records(&all), [row(3, 4, 4, &["o2", "mug", ""]), row(4, 5, 5, &["o3", "mug", "5"])]);
    assert_eq!(all.broken().len(), 2);
}

fn report() -> Source {
    let mut asked = source(&["Id", "Total *"]);
    asked.read.record_types = Some(RecordTypes { header: texts(&["CH"]), data: texts(&["SB"]), counts: Vec::new() });
    asked
}

#[test]
fn sections_may_spell_their_columns_in_different_ways() {
    let text = b"CH,id,Total (USD)\nSB,a,5\nCH,Total USD,ID\nSB,6,b\nCH,x,y\nSB,7,c\n";
    let all = read_bytes(text, &report());
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 4, 4, &["b", "6"]), row(3, 6, 6, &["", ""])]);
}

/// The columns of the section before are not those of the rows below a header that cannot be read.
#[test]
fn rows_below_a_broken_header_are_rejected() {
    let mut asked = report();
    asked.read.encoding = Some(encoding_rs::UTF_8);
    let text = b"CH,Id,Total x\nSB,a,5\nCH,Total \xFF,Id\nSB,6,b\nSB,7,c\nCH,Id,Total x\nSB,d,8\n";
    let all = read_bytes(text, &asked);
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(5, 7, 7, &["d", "8"])]);
    let broken = all.broken();
    assert_eq!(broken.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(broken[1].1, "stands below a header that could not be read; repair that header");
}

#[test]
fn what_stands_above_typed_and_continued_rows_fills_columns() {
    let day = || vec![regex::Regex::new(r"^RH,(?P<day>\S+)").unwrap()];
    let mut typed = source(&["Id", "day"]);
    typed.read.record_types = Some(RecordTypes { header: texts(&["CH"]), data: texts(&["SB"]), counts: Vec::new() });
    typed.read.preamble = day();
    let all = read_bytes(b"RH,01.03\nCH,Id\nSB,a\n", &typed);
    assert_eq!(records(&all), [row(1, 3, 3, &["a", "01.03"])]);
    let mut continued = source(&["order", "item", "day"]);
    continued.read.continues = orders().read.continues;
    continued.read.preamble = day();
    let all = read_bytes(b"RH,01.03\norder,item,total\no1,cup,5\no1,pot,5\n", &continued);
    assert_eq!(records(&all), [row(1, 3, 4, &["o1", "cup\npot", "01.03"])]);
}
