//! Without a configuration: recognised exports, `inspect`, `init`, `profiles`, `test`.

use crate::place::{CALM, HEADER, Place};

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

#[test]
fn profiles_are_listed_shown_and_tested() {
    let place = Place::empty();
    assert!(place.expect(0, &["profiles"]).stdout.lines().count() > 45);
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
