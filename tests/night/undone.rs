//! Refunds that are undone in turn, on a night of their own.

use crate::nights::{Nights, essences};
use twicelog::domain::Verdict;
use twicelog::domain::memory::FindingStatus;

const CONFIG: &str = r#"
version = 1
[operations]
reversal = ["refund"]
[[source]]
name = "pay"
files = ["unused"]
[source.map]
time = { from = "at", format = "iso" }
operation = "what"
actor = "card"
amount = "amount"
currency = { const = "EUR" }
effect_id = "id"
reverses = "of"
outcome = { from = "status", took_effect = ["ok"], failed = ["failed"], reversed = ["undone"] }
[[rule]]
id = "double"
fingerprint = ["actor", "amount"]
window = "10m"
[[rule]]
id = "near"
fingerprint = ["actor"]
window = "20m"
"#;

fn csv(rows: &[&str]) -> Vec<u8> {
    ["id,at,what,card,amount,of,status", rows.join("\n").as_str(), ""].join("\n").into_bytes()
}

const TWICE: [&str; 2] = ["a,2026-03-02T10:00:00Z,charge,c,5.00,,ok", "b,2026-03-02T10:01:00Z,charge,c,5.00,,ok"];
const REFUND: &str = "r,2026-03-03T10:00:00Z,refund,c,5.00,b,ok";

#[test]
fn a_refund_that_failed_later_opens_its_finding_again() {
    for end in ["r,2026-03-05T09:00:00Z,refund,c,5.00,b,failed", "r,2026-03-05T09:00:00Z,refund,,5.00,b,undone"] {
        let mut nights = Nights::of_config(CONFIG);
        let files = [csv(&TWICE), csv(&[REFUND]), csv(&["x,2026-03-04T10:00:00Z,charge,d,1.00,,ok"]), csv(&[end])];
        let first = nights.run(&[("1.csv", &files[0])]);
        let second = nights.run(&[("2.csv", &files[1])]);
        assert_eq!(second.changes.resolved, first.changes.new);
        assert_eq!(second.scanned.result.findings[0].verdict, Verdict::Compensated);
        nights.run(&[("3.csv", &files[2])]);
        let fourth = nights.run(&[("4.csv", &files[3])]);
        assert_eq!(fourth.changes.grown, first.changes.new, "whoever was told that it is settled is told that it is not");
        let finding = &fourth.scanned.result.findings[0];
        assert_eq!(
            (finding.verdict, finding.exposure[0].net.as_str(), finding.records.len()),
            (Verdict::DuplicateEffect, "5.00", 4)
        );
        assert_eq!(nights.memory.findings[0].status, FindingStatus::Open);
        // The same again, and as one scan.
        let fifth = nights.run(&[]);
        assert_eq!((fifth.changes.grown.len(), fifth.changes.unchanged.len()), (0, 1));
        let all: Vec<(&str, &[u8])> =
            ["1.csv", "2.csv", "3.csv", "4.csv"].into_iter().zip(files.iter().map(Vec::as_slice)).collect();
        assert_eq!(nights.standing(), essences(&nights.at_once(&all)));
    }
}

#[test]
fn a_refund_that_had_failed_before_it_succeeded_stands() {
    let failed = "r,2026-03-03T09:00:00Z,refund,c,5.00,b,failed";
    let nights = Nights::of_config(CONFIG);
    for order in [[REFUND, failed], [failed, REFUND]] {
        let files = [csv(&TWICE), csv(&order)];
        let once = nights.at_once(&[("1.csv", &files[0]), ("2.csv", &files[1])]);
        assert_eq!(once.result.findings[0].verdict, Verdict::Compensated);
    }
}

/// What became of the refund is known before the refund is.
#[test]
fn the_end_may_come_before_what_it_ends() {
    let mut nights = Nights::of_config(CONFIG);
    nights.options.lateness = 3 * 86_400_000_000_000;
    let first = nights.run(&[("1.csv", &csv(&TWICE))]);
    let second = nights.run(&[("2.csv", &csv(&["r,2026-03-03T12:00:00Z,refund,c,5.00,b,failed"]))]);
    assert_eq!(second.changes.unchanged, first.changes.new);
    assert_eq!(second.scanned.result.findings[0].records.len(), 2, "a refund that only failed says nothing of the payments");
    let third = nights.run(&[("3.csv", &csv(&[REFUND]))]);
    assert_eq!(third.changes.resolved, Vec::<String>::new());
    assert_eq!(
        (third.scanned.result.findings[0].verdict, third.scanned.result.findings[0].records.len()),
        (Verdict::DuplicateEffect, 4)
    );
}
