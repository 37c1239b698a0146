//! What is kept from night to night, for how long, and what is told of it.

use crate::nights::{Nights, essences};
use crate::rotated::{CONFIG, day};
use twicelog::domain::Verdict;
use twicelog::domain::memory::FindingStatus;

const HEADER: &str = "id,at,card,amount\n";

fn csv(rows: &str) -> Vec<u8> {
    format!("{HEADER}{rows}").into_bytes()
}

#[test]
fn the_same_night_three_times() {
    let mut nights = Nights::of_config(CONFIG);
    let (one, two) = (csv(&day(2, 40, &[3, 9])), csv(&day(3, 40, &[1])));
    nights.run(&[("1.log", &one)]);
    // From the same memory the same night says the same, in whatever order its files come.
    let files: [(&str, &[u8]); 2] = [("1.log", &one), ("2.log", &two)];
    let json = |nights: &Nights, files: &[(&str, &[u8])]| {
        let night = nights.peek(files);
        (serde_json::to_string(&night.scanned.result).unwrap(), night.memory, night.changes)
    };
    let first = json(&nights, &files);
    nights.options.scan.threads = 8;
    assert_eq!(json(&nights, &files), first);
    let shuffled: [(&str, &[u8]); 2] = [("2.log", &two), ("1.log", &one)];
    assert_eq!(json(&nights, &shuffled), first);
    assert_eq!(first.2.new.len(), 1);
    // After it, the same files bring nothing new, however often.
    nights.run(&files);
    let second = nights.run(&files);
    let third = nights.run(&files);
    assert_eq!(second.scanned.result, third.scanned.result);
    assert_eq!((second.changes.new.len(), second.changes.grown.len(), second.changes.unchanged.len()), (0, 0, 3));
    assert_eq!(second.changes, third.changes);
    assert_eq!(nights.new.values().sum::<u32>(), 3);
}

#[test]
fn a_third_payment_makes_a_finding_grow() {
    let mut nights = Nights::of_config(CONFIG);
    let rows = |upto: usize| {
        let pays = ["a,2026-03-02T23:58:00Z,c,5.00\n", "b,2026-03-02T23:59:00Z,c,5.00\n", "d,2026-03-03T00:01:00Z,c,5.00\n"];
        csv(&pays[..upto].concat())
    };
    let first = nights.run(&[("1.log", &rows(1))]);
    assert!(first.changes.new.is_empty());
    let second = nights.run(&[("1.log", &rows(2))]);
    let third = nights.run(&[("1.log", &rows(3))]);
    assert_eq!(second.changes.new, third.changes.grown);
    assert_eq!(third.changes.new.len() + third.changes.unchanged.len(), 0);
    assert_eq!(third.scanned.result.findings[0].extra_effects, 2);
    assert_eq!(third.scanned.result.findings[0].late_records, 0);
}

#[test]
fn an_earlier_record_that_comes_late_is_no_new_finding() {
    let mut nights = Nights::of_config(CONFIG);
    let first = nights.run(&[("1.log", &csv("b,2026-03-02T10:01:00Z,c,5.00\nc,2026-03-02T10:02:00Z,c,5.00\n"))]);
    let second = nights.run(&[("2.log", &csv("a,2026-03-02T10:00:00Z,c,5.00\n"))]);
    assert_eq!((first.changes.new.len(), second.changes.new.len(), second.changes.grown.len()), (1, 0, 1));
    assert_ne!(first.changes.new, second.changes.grown, "the first record is part of an id");
    assert_eq!(second.changes.resolved.len() + second.changes.closed.len(), 0);
    assert_eq!(second.changes.renamed.iter().collect::<Vec<_>>(), [(&first.changes.new[0], &second.changes.grown[0])]);
    let known = |id: &str| nights.memory.findings.iter().find(|known| known.id == id).unwrap();
    assert_eq!(known(&second.changes.grown[0]).was, first.changes.new);
    assert_eq!(known(&first.changes.new[0]).now.as_ref(), Some(&second.changes.grown[0]));
    let third = nights.run(&[]);
    assert_eq!(third.changes.unchanged, second.changes.grown);
    assert_eq!(third.changes.resolved.len() + third.changes.closed.len(), 0);
}

#[test]
fn logs_that_are_called_alike_are_told_apart() {
    let mut nights = Nights::of_config(CONFIG);
    let log = |day: u32| csv(&format!("a-{day},2026-03-{day:02}T10:00:00Z,c,5.00\nb-{day},2026-03-{day:02}T10:01:00Z,c,5.00\n"));
    nights.run(&[("app.log", &log(2))]);
    nights.run(&[("app.log", &log(4))]);
    let night = nights.run(&[("app.log", &log(6))]);
    assert_eq!((night.changes.new.len(), night.changes.unchanged.len()), (1, 2));
    let files: std::collections::BTreeSet<&str> =
        night.scanned.result.findings.iter().map(|finding| finding.records[0].file.as_str()).collect();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["app.log", "app.log (night 1)", "app.log (night 2)"]);
}

/// Days go by; each has a file of its own.
fn days(nights: &mut Nights, days: std::ops::Range<u32>) {
    for number in days {
        nights.run(&[("app.log", &csv(&day(number, 20, &[])))]);
    }
}

#[test]
fn late_records_find_their_group_or_are_told() {
    let mut nights = Nights::of_config(CONFIG);
    days(&mut nights, 2..10);
    // The latest event is of 9 March, 00:38; this one is of half a day before, within the day that late ones have.
    let carried: u64 = nights.memory.carried.iter().map(|part| part.records).sum();
    assert!((20..40).contains(&carried), "{carried} of 160 records are carried");
    nights.run(&[("b.log", &csv("x-1,2026-03-08T12:00:00Z,late,7.00\n"))]);
    let night = nights.run(&[("c.log", &csv("x-2,2026-03-08T12:05:00Z,late,7.00\n"))]);
    assert_eq!(night.changes.new.len(), 1);
    assert_eq!(night.scanned.result.findings[0].late_records, 1);
    assert_eq!(night.scanned.result.nightly.unwrap().late, 0);
    // Told once: the next night it is no news.
    let night = nights.run(&[]);
    assert_eq!((night.changes.unchanged.len(), night.scanned.result.findings[0].late_records), (1, 0));
    // Beyond: counted, said, and the run is incomplete.
    let night = nights.run_faulty(&[("d.log", &csv("x-3,2026-03-03T12:00:00Z,late,7.00\nx-4,2026-03-03T12:01:00Z,late,7.00\n"))]);
    let nightly = night.scanned.result.nightly.unwrap();
    assert_eq!((nightly.late, night.scanned.result.ledger.used, night.scanned.faults.len()), (2, 2, 1));
    assert!(night.scanned.result.notes.iter().any(|note| note.code == "late_records"));
    assert_eq!(night.changes.new.len(), 1, "they are compared with each other all the same");
}

#[test]
fn a_far_future_makes_nothing_late() {
    let mut nights = Nights::of_config(CONFIG);
    let nanos = |day: i64| (20_513 + day) * 86_400_000_000_000;
    assert_eq!(nanos(0), 1_772_323_200_000_000_000, "2026-03-01");
    nights.options.as_of = Some(nanos(2));
    nights.run(&[("1.log", &csv(&(day(2, 10, &[]) + "f,2099-01-01T00:00:00Z,f,5.00\n")))]);
    nights.options.as_of = Some(nanos(3));
    let night = nights.run(&[("2.log", &csv(&day(3, 10, &[4])))]);
    assert_eq!((night.changes.new.len(), night.scanned.result.nightly.unwrap().late), (1, 0));
}

const REFUNDS: &str = r#"
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
outcome = { from = "state", took_effect = ["ok"], reversal = ["refund"] }
effect_id = "id"
reverses = "of"
[[rule]]
id = "double"
fingerprint = ["actor", "amount"]
window = "10m"
"#;

/// It says which payment it undoes, and that one is held no more: equal values do not make it another one's.
#[test]
fn a_refund_of_what_is_not_held_is_told_and_goes_nowhere() {
    let mut nights = Nights::of_config(REFUNDS);
    let csv = |rows: &str| format!("id,at,card,amount,state,of\n{rows}").into_bytes();
    let old = "a,2026-03-02T10:00:00Z,c,5.00,ok,\n";
    nights.run(&[("1.log", &csv(old))]);
    for day in 10..20 {
        nights.run(&[("2.log", &csv(&format!("r{day},2026-03-{day}T10:00:00Z,r{day},1.00,ok,\n")))]);
    }
    assert!(nights.memory.carried.iter().map(|part| part.records).sum::<u64>() < 5, "the first payment is not held");
    let late = "x,2026-03-20T10:00:00Z,c,5.00,refund,a\np,2026-03-20T10:00:30Z,c,5.00,ok,\nq,2026-03-20T10:01:00Z,c,5.00,ok,\n";
    let night = nights.run(&[("3.log", &csv(late))]);
    let notes = |notes: &[twicelog::domain::report::Note]| notes.iter().filter(|note| note.code == "unknown_reversal").count();
    assert_eq!(notes(&night.scanned.result.notes), 1);
    let once = nights.at_once(&[("1.log", &csv(old)), ("3.log", &csv(late))]);
    assert_eq!((essences(&night.scanned), notes(&once.result.notes)), (essences(&once), 0));
    assert_eq!(night.scanned.result.findings[0].records.len(), 2);
    // Told once; a scan of the new file alone tells it, too.
    assert_eq!(notes(&nights.run(&[]).scanned.result.notes), 0);
    assert_eq!(notes(&nights.at_once(&[("3.log", &csv(late))]).result.notes), 1);
}

#[test]
fn a_refund_weeks_later_resolves_the_finding() {
    let mut nights = Nights::of_config(REFUNDS);
    let csv = |rows: &str| format!("id,at,card,amount,state,of\n{rows}").into_bytes();
    let pays = "a,2026-03-02T10:00:00Z,c,5.00,ok,\nb,2026-03-02T10:01:00Z,c,5.00,ok,\n";
    let first = nights.run(&[("1.log", &csv(pays))]);
    assert_eq!(first.changes.new.len(), 1);
    for day in 10..25 {
        let row = format!("r{day},2026-03-{day}T10:00:00Z,r{day},1.00,ok,\n");
        let night = nights.run(&[("2.log", &csv(&row))]);
        assert_eq!(night.changes.unchanged, first.changes.new);
    }
    let refund = "x,2026-03-25T10:00:00Z,c,5.00,refund,b\n";
    let night = nights.run(&[("3.log", &csv(refund))]);
    assert_eq!(night.changes.resolved, first.changes.new);
    assert_eq!(night.scanned.result.findings[0].verdict, Verdict::Compensated);
    assert_eq!(nights.memory.findings[0].status, FindingStatus::Resolved);
    let once = nights.at_once(&[("1.log", &csv(pays)), ("3.log", &csv(refund))]);
    assert_eq!(nights.standing(), essences(&once));
    // Told once, and held no longer than findings are.
    assert_eq!(nights.run(&[]).changes.unchanged, first.changes.new);
    let far =
        |month: u32| -> String { (1..4).map(|day| format!("z{day},2026-{month:02}-0{day}T10:00:00Z,z,1.00,ok,\n")).collect() };
    let night = nights.run(&[("4.log", &csv(&far(9)))]);
    assert_eq!(night.scanned.result.findings.len(), 1);
    let night = nights.run(&[("5.log", &csv("y,2026-09-04T10:00:00Z,y,1.00,ok,\n"))]);
    assert_eq!((night.scanned.result.findings.len(), night.changes.resolved.len()), (0, 0));
}

/// Months later, and more than a slip of the hand.
const JULY: &str = "a,2026-07-01T10:00:00Z,a,1.00\nb,2026-07-02T10:00:00Z,b,1.00\nc,2026-07-03T10:00:00Z,c,1.00\n";

/// What was let go is never called resolved, whatever is asked for afterwards.
#[test]
fn what_is_held_no_more_is_never_resolved() {
    let mut nights = Nights::of_config(CONFIG);
    let first = nights.run(&[("1.log", &csv(&day(2, 20, &[3])))]);
    nights.run(&[("2.log", &csv(JULY))]);
    nights.options.keep_findings *= 10;
    let night = nights.run(&[]);
    assert_eq!((&night.changes.closed, night.changes.resolved.len()), (&first.changes.new, 0));
    // A day that lies back brings no horizon back.
    nights.options.as_of = Some(1_772_500_000_000_000_000);
    let night = nights.run(&[]);
    assert_eq!(night.changes.closed.len() + night.changes.resolved.len(), 0);
}

/// A date of next year in a log of this one, up to the day of the run: it makes nothing late, and lets nothing go.
#[test]
fn a_slip_of_the_hand_moves_no_horizon() {
    let mut nights = Nights::of_config(CONFIG);
    let first = nights.run(&[("1.log", &csv(&day(2, 20, &[3])))]);
    nights.run(&[("2.log", &csv(&(day(3, 20, &[]) + "slip,2027-03-03T10:00:00Z,slip,9.00\n")))]);
    // One more, and the first of them again in another file.
    let slips = "slip,2027-03-03T10:00:00Z,slip,9.00\nslop,2027-05-03T10:00:00Z,slop,9.00\n";
    let night = nights.run(&[("3.log", &csv(&(day(4, 20, &[5]) + slips)))]);
    assert_eq!((night.changes.new.len(), &night.changes.unchanged), (1, &first.changes.new));
    assert_eq!(night.scanned.result.nightly.unwrap().late, 0);
    let night = nights.run(&[("4.log", &csv("p-4-0-1,2026-03-04T00:01:00Z,card-4-0,12.50\n"))]);
    assert_eq!((night.changes.new.len(), night.changes.unchanged.len()), (1, 2), "it meets what is held");
    assert_eq!(night.changes.resolved.len() + night.changes.closed.len(), 0);
}

#[test]
fn an_open_finding_is_closed_when_it_is_too_old() {
    let mut nights = Nights::of_config(CONFIG);
    let first = nights.run(&[("1.log", &csv(&day(2, 20, &[3])))]);
    nights.run(&[("2.log", &csv(JULY))]);
    let night = nights.run(&[("3.log", &csv("d,2026-07-04T10:00:00Z,d,1.00\n"))]);
    assert_eq!(night.changes.closed, first.changes.new);
    let night = nights.run(&[]);
    assert_eq!(night.changes.closed.len() + night.changes.resolved.len(), 0);
}

#[test]
fn a_changed_rule_is_said() {
    let mut nights = Nights::of_config(CONFIG);
    let first = nights.run(&[("1.log", &csv(&day(2, 20, &[3])))]);
    let other = CONFIG.replace("10m", "15m");
    nights.rules = twicelog::rules::load(&other, "twicelog.toml", std::path::Path::new("")).unwrap();
    let night = nights.run(&[]);
    assert!(night.scanned.result.notes.iter().any(|note| note.code == "rules_changed"));
    assert_eq!((&night.changes.dropped, night.changes.closed.len()), (&first.changes.new, 0));
    assert_eq!(night.changes.new.len(), 1);
    assert!(nights.run(&[]).scanned.result.notes.iter().all(|note| note.code != "rules_changed"));
}

#[test]
fn damaged_memory_is_refused() {
    let mut nights = Nights::of_config(CONFIG);
    nights.run(&[("1.log", &csv(&day(2, 20, &[3])))]);
    let files = nights.write(&[]);
    let refused = |memory: &twicelog::domain::Memory| {
        twicelog::scan::scan_night(&nights.rules, &files, memory, &nights.options, &twicelog::engine::NoProgress).is_err()
    };
    assert!(!refused(&nights.memory));
    for at in [0, 1, 2, 6, 20] {
        let mut memory = nights.memory.clone();
        memory.carried[0].bytes[at] ^= 0xFF;
        assert!(refused(&memory), "byte {at}");
    }
    let mut memory = nights.memory.clone();
    memory.frequencies.truncate(100);
    assert!(refused(&memory));
}
