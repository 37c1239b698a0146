//! Files that are renamed, copied, packed, cut short, written anew, or end in the middle of something.

use crate::log::gzip;
use crate::nights::{Nights, ids};
use crate::workbook::{texts_row, xlsx};

pub const CONFIG: &str = r#"
version = 1
[[source]]
name = "pay"
files = ["unused"]
[source.map]
time = { from = "at", format = "iso" }
operation = { const = "charge" }
actor = "card"
amount = "amount"
currency = { const = "EUR" }
effect_id = "id"
[[rule]]
id = "double"
fingerprint = ["actor", "amount"]
window = "10m"
"#;

const HEADER: &str = "id,at,card,amount\n";

/// Payments of one day, each by another card; `doubled` are paid twice, a minute apart.
pub fn day(day: u32, count: u32, doubled: &[u32]) -> String {
    (0..count)
        .map(|number| pay(day, number, 0) + &if doubled.contains(&number) { pay(day, number, 1) } else { String::new() })
        .collect()
}

fn pay(day: u32, number: u32, again: u32) -> String {
    format!(
        "p-{day}-{number}-{again},2026-03-{day:02}T{:02}:{:02}:00Z,card-{day}-{number},12.50\n",
        number / 30,
        number % 30 * 2 + again
    )
}

fn csv(rows: &[&str]) -> Vec<u8> {
    [&[HEADER], rows].concat().concat().into_bytes()
}

/// A night, and how many records it read, used, and skipped inputs.
fn counts(nights: &mut Nights, files: &[(&str, &[u8])]) -> (u64, u64, u64) {
    let night = nights.run(files).scanned.result;
    (night.ledger.read, night.ledger.used, night.nightly.unwrap().skipped_inputs)
}

#[test]
fn a_known_text_is_not_read_again() {
    let mut nights = Nights::of_config(CONFIG);
    let first = csv(&[&day(2, 50, &[7])]);
    assert_eq!(counts(&mut nights, &[("app.log", &first)]), (51, 51, 0));
    assert_eq!(counts(&mut nights, &[("app.log", &first)]), (0, 0, 1), "as it was");
    assert_eq!(counts(&mut nights, &[("app.log.1", &first)]), (0, 0, 1), "renamed");
    assert_eq!(counts(&mut nights, &[("app.log.1.gz", &gzip(&first))]), (0, 0, 1), "packed in place");
    let copies: [(&str, &[u8]); 2] = [("app.log", &first), ("copy.log", &first)];
    assert_eq!(counts(&mut nights, &copies), (0, 0, 2), "copied");
    assert_eq!(nights.new.len(), 1);
    assert_eq!(nights.new.values().sum::<u32>(), 1);
}

#[test]
fn rotation_loses_nothing_and_doubles_nothing() {
    let (one, two, three) = (day(2, 40, &[3]), day(3, 40, &[]), day(4, 40, &[5, 6]));
    let mut nights = Nights::of_config(CONFIG);
    assert_eq!(counts(&mut nights, &[("app.log", &csv(&[&one]))]), (41, 41, 0));
    // Renamed, and a new one of the same header begun.
    let rotated: [(&str, &[u8]); 2] = [("app.log", &csv(&[&two])), ("app.log.1", &csv(&[&one]))];
    assert_eq!(counts(&mut nights, &rotated), (40, 40, 1));
    // The new one grew before it was rotated, packed, and cut to nothing.
    let packed = gzip(&csv(&[&two, &three]));
    let again: [(&str, &[u8]); 3] = [("app.log", b""), ("app.log.1.gz", &packed), ("app.log.2", &csv(&[&one]))];
    assert_eq!(counts(&mut nights, &again), (42, 42, 1));
    // Copied and cut short: the copy is known, what is left is another file.
    let four = day(5, 3, &[]);
    let copied: [(&str, &[u8]); 2] = [("app.log", &csv(&[&four])), ("app.log.1", &csv(&[&two, &three]))];
    assert_eq!(counts(&mut nights, &copied), (3, 3, 1));
    // Deleted and made anew, shorter than it was.
    let five = day(6, 2, &[]);
    assert_eq!(counts(&mut nights, &[("app.log", &csv(&[&five]))]), (2, 2, 0));
    assert_eq!(nights.new.len(), 3);
    let all = csv(&[&one, &two, &three, &four, &five]);
    let once = nights.at_once(&[("all.log", &all)]);
    assert_eq!(nights.told.keys().cloned().collect::<Vec<_>>(), ids(&once));
}

#[test]
fn files_without_records_are_not_all_the_same() {
    let mut nights = Nights::of_config(CONFIG);
    let empty: [(&str, &[u8]); 3] = [("a.log", b""), ("b.log", b""), ("c.log", HEADER.as_bytes())];
    assert_eq!(counts(&mut nights, &empty), (0, 0, 0));
    let rows = [day(2, 4, &[]), day(3, 4, &[]), day(4, 4, &[])];
    let files: Vec<Vec<u8>> = rows.iter().map(|rows| csv(&[rows])).collect();
    let filled: [(&str, &[u8]); 3] = [("a.log", &files[0]), ("b.log", &files[1]), ("c.log", &files[2])];
    assert_eq!(counts(&mut nights, &filled), (12, 12, 0));
    assert_eq!(counts(&mut nights, &filled), (0, 0, 3));
    // Each goes on by itself, although all begin alike.
    let grown: Vec<Vec<u8>> = rows.iter().zip(5..).map(|(rows, number)| csv(&[rows, &day(number, 2, &[])])).collect();
    let grown: [(&str, &[u8]); 3] = [("a.log", &grown[0]), ("b.log", &grown[1]), ("c.log", &grown[2])];
    assert_eq!(counts(&mut nights, &grown), (6, 6, 0));
}

#[test]
fn what_was_written_anew_is_read_anew() {
    let mut nights = Nights::of_config(CONFIG);
    let rows = day(2, 30, &[4]);
    nights.run(&[("app.log", &csv(&[&rows]))]);
    // One amount corrected at the front: another text, whose other rows are the same records.
    let corrected = rows.replacen("12.50", "13.00", 1);
    let night = nights.run(&[("app.log", &csv(&[&corrected]))]).scanned.result;
    assert_eq!((night.ledger.read, night.ledger.used, night.ledger.repeated), (31, 1, 30));
    assert_eq!(nights.new.values().sum::<u32>(), 1);
}

#[test]
fn half_a_line_waits() {
    let mut nights = Nights::of_config(CONFIG);
    let whole = csv(&[&day(2, 3, &[2])]);
    let half = &whole[..whole.len() - 9];
    let night = nights.run(&[("app.log", half)]);
    let (ledger, nightly) = (night.scanned.result.ledger, night.scanned.result.nightly.unwrap());
    assert_eq!((ledger.read, nightly.held), (3, 1));
    assert_eq!(night.changes.new, Vec::<String>::new());
    let night = nights.run(&[("app.log", half)]);
    assert_eq!((night.scanned.result.ledger.read, night.scanned.result.nightly.unwrap().held), (0, 1), "it still waits");
    let night = nights.run(&[("app.log", &whole)]);
    assert_eq!((night.scanned.result.ledger.read, night.scanned.result.nightly.unwrap().held), (1, 0));
    assert_eq!(night.changes.new.len(), 1);
    let records: Vec<(u64, [u64; 2])> =
        night.scanned.result.findings[0].records.iter().map(|record| (record.record, record.lines)).collect();
    assert_eq!(records, [(3, [4, 4]), (4, [5, 5])]);
    // What is said to be complete has no half lines.
    let mut nights = Nights::of_config(CONFIG);
    nights.options.inputs = twicelog::scan::Inputs::Complete;
    let night = nights.run(&[("app.log", &whole[..whole.len() - 1])]);
    assert_eq!((night.scanned.result.ledger.read, night.scanned.result.nightly.unwrap().held), (4, 0));
}

#[test]
fn half_a_quoted_field_waits() {
    let mut nights = Nights::of_config(CONFIG);
    let whole = csv(&[&day(2, 1, &[]), "q,2026-03-02T09:00:00Z,\"card\nof two lines\",5.00\n"]);
    let at = whole.iter().position(|byte| *byte == b'"').unwrap() + 6;
    assert_eq!(whole[at - 1], b'\n');
    let night = nights.run(&[("app.log", &whole[..at])]).scanned.result;
    assert_eq!((night.ledger.used, night.ledger.rejected, night.nightly.unwrap().held), (1, 0, 1));
    assert_eq!(counts(&mut nights, &[("app.log", &whole)]), (1, 1, 0));
}

#[test]
fn a_packed_file_that_was_cut_off_is_not_done() {
    let mut nights = Nights::of_config(CONFIG);
    let whole = csv(&[&day(2, 200, &[150])]);
    // Not so well packed that nothing is left before the fault.
    let packed = gzip(&whole);
    let cut = &packed[..packed.len() * 2 / 3];
    let night = nights.run_faulty(&[("app.log.gz", cut)]);
    let read = night.scanned.result.ledger.read;
    assert!(read > 20 && read < 201, "{read}");
    assert_eq!(night.scanned.faults.len(), 1);
    let night = nights.run_faulty(&[("app.log.gz", cut)]);
    assert_eq!((night.scanned.result.ledger.read, night.scanned.faults.len()), (0, 1), "it is said again");
    let night = nights.run(&[("app.log.gz", &packed)]);
    assert_eq!(night.scanned.result.ledger.read, 201 - read);
    assert_eq!(nights.new.values().sum::<u32>(), 1);
}

/// A sheet, a packed file of objects, a table: what is paid in one is paid again in another.
#[test]
fn formats_meet_over_nights() {
    let sheet = |ids: &[(&str, &str)]| {
        let cells = |(id, at): &(&str, &str)| [*id, *at, "card", "12.50"].map(str::to_owned);
        let rows = [["id", "at", "card", "amount"].map(str::to_owned)].into_iter().chain(ids.iter().map(cells));
        let rows = (1..).zip(rows).map(|(number, cells)| texts_row(number, &cells.each_ref().map(String::as_str)));
        xlsx(&[("Pay", &rows.collect::<String>())])
    };
    let object = |id: &str, at: &str| format!("{{\"id\":\"{id}\",\"at\":\"{at}\",\"card\":\"card\",\"amount\":\"12.50\"}}\n");
    let mut nights = Nights::of_config(CONFIG);
    let one = sheet(&[("a", "2026-03-02T23:58:00Z")]);
    assert_eq!(counts(&mut nights, &[("pay.xlsx", &one)]), (1, 1, 0));
    // Two objects: one alone could be a document, which has no front.
    let front = object("b", "2026-03-03T00:01:00Z") + &object("x", "2026-03-03T09:00:00Z");
    let packed = gzip(front.as_bytes());
    let night = nights.run(&[("pay.xlsx", &one), ("pay.ndjson.gz", &packed)]);
    assert_eq!((night.changes.new.len(), night.scanned.result.ledger.read), (1, 2));
    // Unpacked and longer: what it begins with is known.
    let more = front + &object("c", "2026-03-03T00:02:00Z");
    let night = nights.run(&[("pay.xlsx", &one), ("pay.ndjson", more.as_bytes())]);
    assert_eq!((night.changes.grown.len(), night.scanned.result.ledger.read), (1, 1));
    // A sheet has no front that could be known: it is read anew, and its records are the same.
    let two = sheet(&[("a", "2026-03-02T23:58:00Z"), ("d", "2026-03-03T00:03:00Z")]);
    let night = nights.run(&[("pay.xlsx", &two), ("pay.ndjson", more.as_bytes())]);
    assert_eq!((night.changes.grown.len(), night.scanned.result.ledger.read, night.scanned.result.ledger.repeated), (1, 2, 1));
    assert_eq!(nights.run(&[("other.xlsx", &two)]).scanned.result.nightly.unwrap().skipped_inputs, 1);
    let all: [(&str, &[u8]); 2] = [("pay.xlsx", &two), ("pay.ndjson", more.as_bytes())];
    assert_eq!(nights.told.keys().cloned().collect::<Vec<_>>(), ids(&nights.at_once(&all)));
    assert_eq!(nights.new.values().sum::<u32>(), 1);
}

#[test]
fn a_further_header_is_no_hindrance() {
    let mut nights = Nights::of_config(CONFIG);
    let (one, two) = (day(2, 10, &[1]), day(3, 10, &[2]));
    let other = "at,card,amount,id\n2026-03-03T20:00:00Z,x,5.00,x-1\n";
    nights.run(&[("app.log", &csv(&[&one, other]))]);
    let night = nights.run(&[("app.log", &csv(&[&one, other, "2026-03-03T20:01:00Z,x,5.00,x-2\n"]))]);
    assert_eq!(night.changes.new.len(), 1);
    assert_eq!(night.scanned.result.ledger.used, 1);
    let night = nights.run(&[("next.log", &csv(&[&two]))]);
    assert_eq!(night.changes.new.len(), 1);
}
