//! Proof: a manifest says what was read and found, and verify names everything that is no longer so.

use super::place::{CALM, CONFIG, DOUBLED, HEADER, Place};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Write;

fn manifest(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_manifest_says_what_was_read_and_found() {
    let place = Place::with(&(DOUBLED.to_owned() + "ch_5,2026-03-02T15:00:00Z,dora,-20.005\n"));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all((HEADER.to_owned() + CALM.replace("ch_", "gz_").as_str()).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    place.write("pay-2.csv.gz", &packed);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay*\"]"));
    place.expect(1, &["scan", "--report", "out"]);
    let manifest = manifest(&place, "out/manifest.json");
    assert_eq!(manifest["schema"], "twicelog.manifest/1");
    assert_eq!((&manifest["exit_code"], &manifest["findings"]), (&1.into(), &1.into()));
    let inputs = manifest["inputs"].as_array().unwrap();
    let of = |name: &str| inputs.iter().find(|input| input["file"] == name).unwrap()["sha256"].clone();
    assert_eq!(of("pay-2.csv.gz"), sha256(&packed));
    assert_eq!(of("pay.csv"), sha256(place.read("pay.csv").as_bytes()));
    assert_eq!(manifest["configuration"]["sha256"], sha256(place.read("twicelog.toml").as_bytes()));
    // 59 + 59 - 20.00 (half-even) + 59 + 20
    let control = serde_json::json!([{ "currency": "EUR", "records": 5, "amount": "177.00" }]);
    assert_eq!(manifest["sources"][0]["controls"], control);
    assert_eq!(manifest["ledger"]["used"], 5);
    assert_eq!((&manifest["first"], &manifest["last"]), (&"2026-03-02T10:00:00Z".into(), &"2026-03-02T15:00:00Z".into()));
    assert_eq!(manifest["result"]["file"], "result.json");
    let schema = jsonschema::validator_for(&place.expect(0, &["schema", "manifest"]).json()).unwrap();
    assert!(schema.is_valid(&manifest), "{manifest:#}");
    let told = place.expect(0, &["verify", "out/manifest.json"]).stdout;
    assert!(told.contains("all 5 digests are as it says"), "{told}");
}

#[test]
fn a_record_exported_twice_is_added_up_once() {
    let place = Place::with(CALM);
    place.write("more.csv", HEADER.to_owned() + CALM);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"*.csv\"]"));
    place.expect(0, &["scan", "--manifest", "m.json"]);
    let controls = &manifest(&place, "m.json")["sources"][0]["controls"];
    assert_eq!(*controls, serde_json::json!([{ "currency": "EUR", "records": 2, "amount": "79.00" }]));
}

#[test]
fn verify_names_what_changed_is_missing_or_was_added() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay*.csv\"]"));
    place.write("pay-2.csv", HEADER.to_owned() + &CALM.replace("ch_", "no_"));
    place.write("twicelog.baseline.toml", "version = 1\n");
    place.expect(1, &["scan", "--report", "out"]);
    place.expect(0, &["verify", "out/manifest.json"]);
    /// The file that is tampered with, how, and what verify says.
    type Trouble = (&'static str, fn(&Place), &'static str);
    let troubles: [Trouble; 7] = [
        ("pay.csv", |place| place.write("pay.csv", HEADER.to_owned() + DOUBLED + " "), "input: pay.csv differs"),
        ("pay.csv", |place| std::fs::remove_file(place.path("pay.csv")).unwrap(), "input: pay.csv is missing"),
        ("pay-3.csv", |place| place.write("pay-3.csv", HEADER), "input: pay-3.csv was added"),
        (
            "twicelog.toml",
            |place| place.write("twicelog.toml", place.read("twicelog.toml") + "# x\n"),
            "configuration: twicelog.toml differs",
        ),
        (
            "twicelog.baseline.toml",
            |place| place.write("twicelog.baseline.toml", "version = 1 \n"),
            "baseline: twicelog.baseline.toml differs",
        ),
        (
            "out/result.json",
            |place| place.write("out/result.json", place.read("out/result.json").replace("59.00", "58.00")),
            "out/result.json differs",
        ),
        ("out/result.json", |place| std::fs::remove_file(place.path("out/result.json")).unwrap(), "out/result.json is missing"),
    ];
    for (file, trouble, named) in troubles {
        let before = std::fs::read(place.path(file)).ok();
        trouble(&place);
        let told = place.expect(1, &["verify", "out/manifest.json"]).stdout;
        assert!(told.contains(named), "{named}: {told}");
        match before {
            Some(before) => place.write(file, before),
            None => std::fs::remove_file(place.path(file)).unwrap(),
        }
    }
    place.expect(0, &["verify", "out/manifest.json"]);
    place.expect(2, &["verify", "pay.csv"]);
    place.expect(2, &["verify", "gone.json"]);
}

#[test]
fn a_result_of_the_same_inputs_is_the_same_result() {
    let place = Place::with(DOUBLED);
    place.expect(1, &["scan", "--manifest", "m.json", "--output", "json=one.json"]);
    let again = place.expect(1, &["scan", "--format", "json", "--threads", "2"]).stdout;
    place.write("again.json", &again);
    place.expect(0, &["verify", "m.json", "--result", "again.json"]);
    place.write("again.json", again.replace("59.00", "58.00"));
    place.expect(1, &["verify", "m.json", "--result", "again.json"]);
}

#[test]
fn standard_input_cannot_be_looked_at_again() {
    let place = Place::with(CALM);
    place.pipe(0, &["scan", "-", "--manifest", "m.json"], (HEADER.to_owned() + CALM).as_bytes());
    assert!(place.expect(3, &["verify", "m.json"]).stdout.contains("standard input"));
}

/// Three nights, each with a manifest in `proof`.
fn nights(place: &Place) -> Vec<String> {
    for _ in 0..3 {
        place.expect(1, &["scan", "--manifest", "proof/"]);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let mut names: Vec<String> = std::fs::read_dir(place.path("proof"))
        .unwrap()
        .map(|entry| format!("proof/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    names.sort();
    assert_eq!(names.len(), 3);
    names
}

#[test]
fn a_chain_shows_what_was_changed_or_taken_out() {
    let place = Place::with(DOUBLED);
    let names = nights(&place);
    assert!(manifest(&place, &names[0])["previous"].is_null());
    assert_eq!(manifest(&place, &names[2])["previous"]["sha256"], sha256(place.read(&names[1]).as_bytes()));
    place.expect(0, &["verify", "proof"]);
    let told = place.expect(0, &["verify", &names[2]]).stdout;
    assert!(told.contains("all 5 digests"), "an input, its configuration, the rules, two manifests: {told}");
    let middle = place.read(&names[1]);
    place.write(&names[1], middle.replace("\"findings\": 1", "\"findings\": 0"));
    assert!(place.expect(1, &["verify", &names[2]]).stdout.contains("manifest: "));
    assert!(place.expect(1, &["verify", "proof"]).stdout.contains("is missing or was changed"));
    std::fs::remove_file(place.path(&names[1])).unwrap();
    assert!(place.expect(1, &["verify", &names[2]]).stdout.contains("is missing"));
    assert!(place.expect(1, &["verify", "proof"]).stdout.contains("is missing or was changed"));
    place.expect(3, &["verify", "."]);
}

#[test]
fn a_missing_night_is_visible_although_the_chain_holds() {
    let place = Place::with(DOUBLED);
    place.expect(1, &["scan", "--manifest", "m.json"]);
    let text = place.read("m.json");
    let started = manifest(&place, "m.json")["started"].as_str().unwrap().to_owned();
    let mut previous = String::from("null");
    for day in ["01", "02", "03", "06", "07"] {
        let night = text.replace(&started, &format!("2026-03-{day}T02:30:00.000Z"));
        let night = night.replace("\"previous\": null", &format!("\"previous\": {previous}"));
        previous = serde_json::json!({ "file": format!("manifest-{day}.json"), "sha256": sha256(night.as_bytes()) }).to_string();
        place.write(&format!("proof/manifest-{day}.json"), night);
    }
    let told = place.expect(1, &["verify", "proof"]).stdout;
    assert!(told.contains("no run between 2026-03-03 and 2026-03-06, though runs start every day"), "{told}");
    assert_eq!(told.lines().count(), 2, "{told}");
}
