//! What values of a log are shown by commands that look at files, and by what they write.

use crate::place::{CONFIG, DOUBLED, HEADER, Place};

const HEADERLESS: &str = "\
2026-03-02T10:00:00Z,zorg.quimby@example.org,50.00,EUR,paid,+79165557731,4111111111111111,40817810099910004312
2026-03-02T10:00:02Z,zorg.quimby@example.org,50.00,EUR,paid,ch_1,k1,o-1
2026-03-02T11:00:00Z,bob@example.org,50.00,EUR,paid,ch_2,k2,o-2
";
const PERSONAL: [&str; 4] = ["quimby", "79165557731", "4111111111111111", "40817810099910004312"];

fn assert_hidden(text: &str) {
    for personal in PERSONAL {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}

#[test]
fn names_of_columns_are_masked_as_values_are() {
    let place = Place::empty();
    place.write("in.csv", HEADERLESS);
    let run = place.expect(0, &["inspect", "in.csv", "--no-config"]);
    assert_hidden(&run.stdout);
    assert!(run.stdout.contains("has no header"), "{}", run.stdout);
    let revealed = place.expect(0, &["inspect", "in.csv", "--no-config", "--reveal"]).stdout;
    assert!(revealed.contains("quimby") && !revealed.contains("4111111111111111"), "{revealed}");
    // A configuration may name such columns: check tells it.
    let columns = r#"from = "4111111111111111", format = "iso""#;
    let config =
        CONFIG.replace("\"customer\"", "\"zorg.quimby@example.org\"").replace("from = \"at\", format = \"iso\"", columns);
    place.write("twicelog.toml", config);
    place.write("pay.csv", "id,4111111111111111,zorg.quimby@example.org,amount\nch_1,2026-03-02T10:00:00Z,anna,59.00\n");
    let run = place.expect(0, &["check"]);
    assert_hidden(&run.stdout);
    assert!(run.stdout.contains("411111******1111"), "{}", run.stdout);
}

#[test]
fn a_table_without_a_header_loses_no_record_in_silence() {
    let place = Place::empty();
    place.write("in.csv", HEADERLESS);
    let run = place.expect(2, &["init", "in.csv", "--yes", "--output", "-"]);
    assert!(run.stderr.contains("in.csv: the table has no header"), "{}", run.stderr);
    assert_hidden(&(run.stderr + &run.stdout));
    // Months above amounts are names.
    let rows = (0..3).map(|at| format!("p{at},2026-03-02T10:0{at}:00Z,anna,50.00\n")).collect::<String>();
    place.write("plan.csv", "id,time,customer,2026-01-01\n".to_owned() + &rows);
    place.expect(0, &["init", "plan.csv", "--yes", "--output", "-"]);
}

#[test]
fn rejects_are_masked_when_it_is_asked_for() {
    let place = Place::with(&format!("{DOUBLED}ch_3,quimby@example.org,4111111111111111,20.00\n"));
    place.run(&["scan", "--rejects", "r.csv"]);
    assert!(place.read("r.csv").contains("quimby"), "{}", place.read("r.csv"));
    place.run(&["scan", "--mask", "--rejects", "r.csv"]);
    assert_hidden(&place.read("r.csv"));
    // Whoever stands in the report too goes by one name, with a key and without.
    place.write("pay.csv", place.read("pay.csv").replace("anna", "quimby@example.org"));
    place.write("mask.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0");
    for key in [&["--mask-key", "mask.key"][..], &[]] {
        let told = place
            .expect(1, &[&["scan", "--mask", "--format", "json", "--max-rejected", "1", "--rejects", "r.csv"], key].concat());
        let name = told.json()["result"]["findings"][0]["records"][0]["values"]["actor"].as_str().unwrap().to_owned();
        assert!(name.starts_with("q…@e….org #") && place.read("r.csv").contains(&name), "{name} in {}", place.read("r.csv"));
    }
}

#[test]
fn a_masked_result_is_told_again() {
    let rows = DOUBLED.replace("anna", "zorg.quimby@example.org");
    let place = Place::with(&rows);
    place.write("mask.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0");
    let keyed = ["--mask-key", "mask.key"];
    for first in [&keyed[..], &[]] {
        let masked = place.expect(1, &[&["scan", "--mask", "--format", "json"], first].concat()).stdout;
        place.write("masked.json", &masked);
        for second in [&keyed[..], &[]] {
            let again = place.expect(0, &[&["report", "masked.json", "--mask", "--format", "json"], second].concat()).stdout;
            assert_eq!(again, masked);
        }
        assert_eq!(place.pipe(0, &["report", "-", "--format", "json"], masked.as_bytes()).stdout, masked);
    }
}

/// What nobody can judge is not called nothing.
#[test]
fn an_outcome_in_no_list_is_told_where_nothing_was_found() {
    let place = Place::empty();
    place.write(
        "twicelog.toml",
        CONFIG.replace("effect_id", "outcome = { from = \"status\", took_effect = [\"yes\"] }\neffect_id"),
    );
    place.write("pay.csv", "id,at,customer,amount,status\nch_1,2026-03-02T10:00:00Z,anna,59.00,glorped\n");
    let told = || place.expect(0, &["scan"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told().contains("before they are listed"), "{}", told());
    place.write("pay.csv", HEADER.to_owned().replace("amount", "amount,status") + "ch_1,2026-03-02T10:00:00Z,anna,59.00,yes\n");
    assert!(!told().contains("before they are listed"), "{}", told());
}

const STATUSES: &str = "\
Номер,Дата,Клиент,\"Сумма, руб.\",Статус
p1,2026-03-02 10:00:00,anna,50.00,Проведен
p2,2026-03-02 10:01:00,anna,50.00,Проведён
p3,2026-03-02 10:02:00,boris,20.00,Отклонён
";

#[test]
fn usual_words_of_status_are_understood_from_the_first_run() {
    let place = Place::empty();
    place.write("in.csv", STATUSES);
    place.expect(0, &["init", "in.csv", "--yes", "--output", "t.toml"]);
    let run = place.expect(1, &["scan", "--config", "t.toml", "--format", "json"]).json();
    assert_eq!(run["result"]["findings"][0]["extra_effects"], 1, "{run:#}");
}

#[test]
fn one_letter_to_many_is_no_finding() {
    let place = Place::empty();
    let rows: Vec<String> = (0..20)
        .map(|at| format!("2026-03-02 10:00:{at:02},shop@example.org,u{at}@example.org,March news,<m{at}@x>,delivered\n"))
        .collect();
    place.write("mail.csv", "Date,From,To,Subject,Message-ID,Status\n".to_owned() + &rows.concat());
    place.expect(0, &["init", "mail.csv", "--yes", "--output", "t.toml"]);
    place.expect(0, &["scan", "--config", "t.toml"]);
}
