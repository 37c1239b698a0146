//! Without a configuration: recognised exports, `inspect`, `init`, `profiles`, `test`.

use crate::place::{CALM, HEADER, Place};
use std::io::Write;

/// An export whose kind a profile knows: one payment made twice, one after a failure.
const EXPORT: &str = "\
id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Status,Customer Email,PaymentIntent ID,order_id (metadata)
ch_a1,2026-05-04 09:00:00,75.50,0.00,eur,true,Paid,ines@example.org,pi_a1,A-1
ch_a2,2026-05-04 09:00:40,75.50,0.00,eur,true,Paid,ines@example.org,pi_a2,A-1
ch_b1,2026-05-04 10:00:00,12.00,0.00,eur,false,Failed,otto@example.org,pi_b1,B-1
ch_b2,2026-05-04 10:00:30,12.00,0.00,eur,true,Paid,otto@example.org,pi_b1,B-1
";

fn place() -> Place {
    let place = Place::empty();
    place.write("export.csv", EXPORT);
    place
}

#[test]
fn an_export_is_recognised_and_scanned() {
    let place = place();
    let run = place.expect(1, &["scan", "export.csv", "--format", "json"]);
    assert!(run.stderr.contains("export.csv: read as stripe/payments"), "{}", run.stderr);
    let result = run.json();
    assert_eq!(result["result"]["findings"].as_array().unwrap().len(), 1);
    assert_eq!(result["result"]["findings"][0]["verdict"], "duplicate_effect");
    assert_eq!(result["result"]["sources"][0]["name"], "stripe/payments");
    let piped = place.pipe(1, &["scan", "-", "--format", "json"], EXPORT.as_bytes()).json();
    assert_eq!(piped["result"]["findings"][0]["id"], result["result"]["findings"][0]["id"]);
}

/// A pipe gives its bytes once, though it is looked at before it is read.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_recognised_and_scanned() {
    let place = place();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    for arguments in [vec!["scan", "pipe", "--format", "json"], vec!["inspect", "pipe"]] {
        let path = place.path("pipe");
        let writer = std::thread::spawn(move || std::fs::write(path, EXPORT).unwrap());
        let run = place.expect(i32::from(arguments[0] == "scan"), &arguments);
        assert!(run.stdout.contains("stripe/payments"), "{}", run.stdout);
        writer.join().unwrap();
    }
    let piped = place.pipe(1, &["scan", "/dev/stdin", "--format", "json"], EXPORT.as_bytes());
    assert!(piped.stderr.contains("stripe/payments"), "{}", piped.stderr);
}

#[test]
fn a_configuration_outranks_profiles_unless_told_otherwise() {
    let place = place();
    place.write(
        "twicelog.toml",
        "version = 1\n[[source]]\nname = \"mine\"\nprofile = \"stripe/payments\"\nfiles = [\"export.csv\"]\n",
    );
    let mine = place.expect(1, &["scan", "--format", "json"]).json();
    assert_eq!(mine["result"]["sources"][0]["name"], "mine");
    let told = place.expect(1, &["scan", "export.csv", "--no-config", "--format", "json"]).json();
    assert_eq!(told["result"]["sources"][0]["name"], "stripe/payments");
    place.expect(2, &["scan", "export.csv", "--profile", "stripe/paymets"]);
}

#[test]
fn what_no_profile_knows_is_said() {
    let place = place();
    place.write("strange.csv", "colour,weight\nred,1\nblue,2\n");
    let run = place.expect(2, &["scan", "export.csv", "strange.csv"]);
    assert!(run.stderr.contains("strange.csv: no profile knows this export") && run.stderr.contains("init"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

/// What is cut off is no mistake of the user's: the scan is incomplete, be there a configuration or none.
#[test]
fn a_cut_off_archive_is_incomplete_whatever_is_asked() {
    let place = Place::with(CALM);
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("export.csv", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(EXPORT.as_bytes()).unwrap();
    let whole = archive.finish().unwrap().into_inner();
    place.write("whole.zip", &whole);
    place.expect(1, &["scan", "--no-config", "whole.zip"]);
    for length in [30, whole.len() / 2, whole.len() - 1] {
        place.write("cut.zip", &whole[..length]);
        for arguments in
            [vec!["scan", "--no-config", "cut.zip"], vec!["scan", "cut.zip"], vec!["scan", "whole.zip", "cut.zip", "--no-config"]]
        {
            let run = place.expect(3, &arguments);
            assert!(run.stderr.contains("cut.zip: the ZIP archive is damaged or cut off"), "{arguments:?}: {}", run.stderr);
        }
    }
}

#[test]
fn profiles_are_listed_shown_and_tested() {
    let place = Place::empty();
    assert!(place.expect(0, &["profiles"]).stdout.lines().count() > 90);
    let card = place.expect(0, &["profiles", "stripe/payments"]).stdout;
    assert!(card.contains("recognised by") && card.contains("unverified") && card.contains("window"), "{card}");
    let all = place.expect(0, &["profiles", "--json"]).json();
    assert!(all.as_array().unwrap().iter().any(|profile| profile["name"] == "stripe/payments"));
    assert!(place.expect(2, &["profiles", "stripe/paymens"]).stderr.contains("stripe/payments"));
    assert!(place.expect(0, &["test", "stripe/payments"]).stdout.contains("all as they say"));
}

const OWN: &str = r#"version = 1
title = "Ours: till receipts"
[detect]
columns = ["Till", "Receipt", "Sum"]
[source]
[source.map]
time = { from = "At", format = "iso" }
operation = { const = "sell" }
amount = "Sum"
currency = { const = "EUR" }
effect_id = "Receipt"
[source.map.fields]
till = "Till"
[[rule]]
id = "till-receipt-twice"
fingerprint = ["till", "amount"]
window = "1m"
[[example]]
about = "one sale rung up twice"
text = "Till,Receipt,At,Sum\n4,r1,2026-01-05T10:00:00Z,3.20\n4,r2,2026-01-05T10:00:05Z,3.20\n"
events = [{ effect_id = "r1", amount = "3.20 EUR" }, { effect_id = "r2" }]
findings = [{ verdict = "duplicate_effect", records = [1, 2] }]
"#;

#[test]
fn profiles_of_ones_own() {
    let place = Place::empty();
    place.write("own/till/receipts.toml", OWN);
    place.write("shop.csv", "Till,Receipt,At,Sum\n1,a,2026-01-05T10:00:00Z,3.20\n1,b,2026-01-05T10:00:05Z,3.20\n");
    place.expect(1, &["scan", "shop.csv", "--profiles", "own"]);
    place.expect(0, &["test", "till/receipts", "--profiles", "own"]);
    place.write("own/till/receipts.toml", OWN.replace("records = [1, 2]", "records = [1]"));
    let run = place.expect(2, &["test", "till/receipts", "--profiles", "own"]);
    assert!(run.stderr.contains("one sale rung up twice"), "{}", run.stderr);
    place.write("own/till/receipts.toml", OWN.replace("fingerprint", "fingerprnt"));
    assert!(place.expect(2, &["scan", "shop.csv", "--profiles", "own"]).stderr.contains("fingerprnt"));
}

#[test]
fn inspect_tells_what_a_file_is() {
    let place = place();
    let told = place.expect(0, &["inspect", "export.csv"]).stdout;
    for expected in ["stripe/payments", "UTF-8", "Amount Refunded", "effect_id 100 %", "2026-05-04T09:00:00Z", "window"] {
        assert!(told.contains(expected), "{expected:?} is missing in\n{told}");
    }
    assert!(!told.contains("ines@"), "masked: {told}");
    assert!(place.expect(0, &["inspect", "export.csv", "--no-profile"]).stdout.contains("time: Created date (UTC)"));
    place.expect(3, &["inspect", "gone.csv"]);
}

#[test]
fn init_writes_what_check_accepts() {
    let place = place();
    place.write("shop.csv", format!("{HEADER}{CALM}"));
    let run = place.expect(2, &["init", "shop.csv"]);
    assert!(run.stderr.contains("--yes"), "{}", run.stderr);
    place.expect(0, &["init", "shop.csv", "export.csv", "--yes"]);
    let written = place.read("twicelog.toml");
    assert!(written.contains("profile = \"stripe/payments\"") && written.contains("[source.map]"), "{written}");
    assert!(!written.contains("anna") && !written.contains("ines@"), "masked: {written}");
    place.expect(0, &["check"]);
    let run = place.expect(2, &["init", "shop.csv", "--yes"]);
    assert!(run.stderr.contains("is there already"), "{}", run.stderr);
    assert!(place.expect(0, &["init", "export.csv", "--no-profile", "--output", "-"]).stdout.contains("effect_id = \"id\""));
}

/// Two sources with profiles, and an export on standard input: looked at and then scanned, from one reading.
#[test]
fn standard_input_finds_its_source_and_is_read_whole() {
    let place = place();
    let source = |name: &str, profile: &str| format!("[[source]]\nname = \"{name}\"\nprofile = \"{profile}\"\n");
    let config = format!("version = 1\n{}{}", source("pay", "stripe/payments"), source("shop", "shopify/orders"));
    place.write("twicelog.toml", config);
    let result = place.pipe(1, &["scan", "-", "--format", "json"], EXPORT.as_bytes()).json();
    assert_eq!(result["result"]["ledger"]["read"], 4);
    let told = place.pipe(0, &["inspect", "-"], EXPORT.as_bytes()).stdout;
    assert!(told.contains("mapped: 4 read"), "{told}");
    place.write("strange.csv", "colour,weight\nred,1\n");
    assert!(place.expect(2, &["scan", "strange.csv"]).stderr.contains("no profile knows"));
}

#[test]
fn no_config_outranks_the_environment() {
    let place = place();
    place.write("twicelog.toml", "version = 1\n");
    let mut command = place.command(&["scan", "export.csv", "--no-config"]);
    assert_eq!(command.env("TWICELOG_CONFIG", "twicelog.toml").output().unwrap().status.code(), Some(1));
    place.expect(3, &["scan", "gone.csv", "--no-config"]);
}

/// The option settles what no value decides, and nothing else.
#[test]
fn a_date_order_does_not_overrule_the_dates() {
    let place = Place::empty();
    place.write("own/till/receipts.toml", OWN.replace("format = \"iso\"", "format = \"auto\""));
    let shop = |dates: [&str; 3]| {
        let rows: String = dates.iter().enumerate().map(|(at, date)| format!("1,r{at},{date} 10:00:00,3.20\n")).collect();
        place.write("shop.csv", format!("Till,Receipt,At,Sum\n{rows}"));
    };
    let first = |code: i32, order: &[&str]| {
        let arguments = ["scan", "shop.csv", "--profiles", "own", "--format", "json"];
        let run = place.expect(code, &[&arguments, order].concat());
        if code == 1 { run.json()["result"]["sources"][0]["first"].as_str().unwrap().to_owned() } else { run.stderr }
    };
    shop(["25/04/2026", "03/04/2026", "03/04/2026"]);
    assert_eq!(first(1, &["--date-order", "month_first"]), "2026-04-03T10:00:00Z");
    shop(["03/04/2026", "03/04/2026", "05/06/2026"]);
    assert!(first(2, &[]).contains("--date-order"));
    assert_eq!(first(1, &["--date-order", "month_first"]), "2026-03-04T10:00:00Z");
    shop(["25/04/2026", "04/25/2026", "04/25/2026"]);
    assert!(first(2, &["--date-order", "day_first"]).contains("only"));
}

#[test]
fn two_profiles_with_one_rule_id_are_told() {
    let place = Place::empty();
    place.write("own/till/receipts.toml", OWN);
    place.write(
        "own/till/slips.toml",
        OWN.replace("\"Till\", \"Receipt\", \"Sum\"", "\"Till\", \"Slip\", \"Sum\"").replace("Receipt", "Slip"),
    );
    place.write("a.csv", "Till,Receipt,At,Sum\n1,a,2026-01-05T10:00:00Z,3.20\n");
    place.write("b.csv", "Till,Slip,At,Sum\n1,a,2026-01-05T10:00:00Z,3.20\n");
    let run = place.expect(2, &["scan", "a.csv", "b.csv", "--profiles", "own"]);
    assert!(run.stderr.contains("till-receipt-twice") && run.stderr.contains("profile till/"), "{}", run.stderr);
}

/// What nobody said stays unsaid: the zone, the order of a date, the unit of whole numbers; and any name is written as TOML.
#[test]
fn init_decides_nothing_that_the_values_leave_open() {
    let place = Place::empty();
    let row = |id: u32, minute: u32| format!("r{id},03/04/2026 09:{minute:02} PM,7550,EUR\n");
    let rows: String = (1..9).map(|id| row(id, id)).collect();
    place.write("a\u{a0}b.csv", format!("id,created,Amount (incl.\u{a0}VAT),currency\n{rows}"));
    place.write("a\u{a0}b-2.csv", format!("id,created,Amount,currency\n{rows}"));
    let written = place.expect(0, &["init", "a\u{a0}b.csv", "a\u{a0}b-2.csv", "--output", "-"]).stdout;
    assert!(written.contains("# zone = ") && !written.contains("\nzone = "), "{written}");
    assert!(written.contains("can be read in several ways") && written.contains("%d/%m/%Y %I:%M %p"), "{written}");
    assert!(written.contains("if these are cents"), "{written}");
}

/// What a column says itself is taken at its word: whose id it is, and that it holds cents.
#[test]
fn init_reads_the_names_of_columns() {
    let place = Place::empty();
    let line = |number: u32, order: u32| {
        format!(
            r#"{{"at":"2026-03-02T10:{number:02}:00Z","op":"pay","order":{{"id":"O{order}"}},"amount_cents":{},"payment_id":"p{number}"}}"#,
            1000 + order
        )
    };
    let lines: Vec<String> = (0..20).map(|number| line(number, number.min(18))).collect();
    place.write("hooks.ndjson", lines.join("\n"));
    place.expect(0, &["init", "hooks.ndjson", "--yes"]);
    let written = place.read("twicelog.toml");
    for expected in ["effect_id = \"/payment_id\"", "order_id = \"/order/id\"", "\"/amount_cents\", unit = \"hundredths\""] {
        assert!(written.contains(expected), "{expected} is missing in\n{written}");
    }
    assert!(place.expect(1, &["scan"]).stdout.contains("10.18"));
}

#[test]
fn a_cut_off_file_is_told_by_inspect_and_init() {
    let place = Place::empty();
    let mut packed = Vec::new();
    let mut gzip = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
    for id in 0..20_000 {
        writeln!(gzip, "ch_{id},2026-03-02T10:00:00Z,actor {},{}.{:02}", id * 7919 % 10_007, id % 97, id % 89).unwrap();
    }
    gzip.finish().unwrap();
    let whole = [b"id,at,customer,amount\n".as_slice(), &[]].concat();
    let mut head = Vec::new();
    let mut gzip = flate2::write::GzEncoder::new(&mut head, flate2::Compression::fast());
    gzip.write_all(&whole).unwrap();
    gzip.finish().unwrap();
    head.extend_from_slice(&packed[..packed.len() / 2]);
    place.write("cut.csv.gz", head);
    let run = place.expect(3, &["inspect", "cut.csv.gz", "--no-profile"]);
    assert!(run.stdout.contains("cut off"), "{}", run.stdout);
    let run = place.expect(0, &["init", "cut.csv.gz", "--no-profile", "--output", "-"]);
    assert!(run.stdout.contains("could not be read to its end") && run.stderr.contains("cut off"), "{}", run.stdout);
}

/// Logs whose order is their only clock: a place in one says nothing of a place in another.
#[test]
fn records_without_times_are_compared_within_their_log() {
    let place = Place::empty();
    let call = |id: &str| {
        let function = r#"{"name":"send_email","arguments":"{\"to\":\"x@example.org\"}"}"#;
        format!(
            "{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"{id}\",\"type\":\"function\",\"function\":{function}}}]}}\n{{\"role\":\"tool\",\"tool_call_id\":\"{id}\",\"content\":\"sent {id}\"}}\n"
        )
    };
    place.write("a.jsonl", call("call_a"));
    place.write("b.jsonl", call("call_b"));
    place.write("both.jsonl", call("call_a") + &call("call_b"));
    place.expect(0, &["scan", "a.jsonl", "b.jsonl"]);
    let result = place.expect(1, &["scan", "both.jsonl", "--format", "json"]).json();
    let why = result["result"]["findings"][0]["cause"]["why"].as_str().unwrap();
    assert!(!why.contains("within"), "{why}");
}
