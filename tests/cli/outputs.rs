//! Outputs: whole or not at all, never over an input, never through a link; a reader that leaves is no trouble.

use crate::place::{CALM, CONFIG, DOUBLED, HEADER, Place, Run, UNREADABLE_ROW};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn several_outputs_at_once() {
    let place = Place::with(DOUBLED);
    place.write("r.json", "old");
    let run = place.expect(
        1,
        &["scan", "--output", "json=r.json", "--output", "csv=r.csv", "--output", "ndjson=r.ndjson", "--output", "text=r.txt"],
    );
    assert!(run.stdout.contains("TL-"), "the summary is still printed");
    let json: serde_json::Value = serde_json::from_str(&place.read("r.json")).unwrap();
    let id = json["result"]["findings"][0]["id"].as_str().unwrap();
    for name in ["r.csv", "r.ndjson", "r.txt"] {
        assert!(place.read(name).contains(id), "{name}");
    }
    assert_eq!(
        place.names(),
        ["pay.csv", "r.csv", "r.json", "r.ndjson", "r.txt", "twicelog.toml"],
        "and nothing else is left behind"
    );
}

#[test]
fn what_cannot_be_written_is_4() {
    let place = Place::with(CALM);
    std::fs::create_dir(place.path("folder")).unwrap();
    for output in ["json=no/such/r.json", "json=folder", "json=/proc/r.json"] {
        let run = place.expect(4, &["scan", "--output", output]);
        assert!(run.stderr.contains(output.split_once('=').unwrap().1), "{}", run.stderr);
    }
    place.expect(4, &["scan", "--rejects", "no/such/rejects.csv"]);
    place.expect(4, &["scan", "--max-memory", "0", "--temp-dir", "no/such/folder"]);
    assert_eq!(place.names(), ["folder", "pay.csv", "twicelog.toml"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_4() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with(CALM);
    let folder = place.path("closed");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o500)).unwrap();
    // Root may write anywhere.
    if std::fs::write(folder.join("probe"), "").is_err() {
        place.expect(4, &["scan", "--output", "json=closed/r.json"]);
    }
}

#[test]
fn a_mistake_leaves_the_old_output() {
    let place = Place::with(CALM);
    place.write("r.json", "old");
    place.expect(2, &["scan", "--output", "json=r.json", "--source", "shop=pay.csv"]);
    place.write("twicelog.toml", "version = 2\n");
    place.expect(2, &["scan", "--output", "json=r.json"]);
    assert_eq!(place.read("r.json"), "old");
}

#[test]
fn an_input_is_never_written_over() {
    let place = Place::with(CALM);
    for arguments in [
        &["scan", "--output", "csv=pay.csv"][..],
        &["scan", "--output", "csv=./pay.csv"],
        &["scan", "--rejects", "pay.csv"],
        &["scan", "--output", "text=twicelog.toml"],
        &["scan", "--output", "text=r", "--output", "json=r"],
    ] {
        place.expect(2, arguments);
        assert_eq!(place.read("pay.csv"), HEADER.to_owned() + CALM, "{arguments:?}");
        assert_eq!(place.read("twicelog.toml"), CONFIG, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_at_the_output_is_replaced_not_followed() {
    let place = Place::with(CALM);
    place.write("precious.txt", "precious");
    std::os::unix::fs::symlink("precious.txt", place.path("r.json")).unwrap();
    place.expect(0, &["scan", "--output", "json=r.json"]);
    assert_eq!(place.read("precious.txt"), "precious");
    assert!(place.read("r.json").contains("twicelog.result/1"));

    // A link to an input is that input.
    std::os::unix::fs::symlink("pay.csv", place.path("link.csv")).unwrap();
    place.expect(2, &["scan", "--output", "csv=link.csv"]);
    assert_eq!(place.read("pay.csv"), HEADER.to_owned() + CALM);
}

#[test]
fn a_folder_holds_the_page_the_result_and_the_tables() {
    let place = Place::with(DOUBLED);
    place.expect(1, &["scan", "--report", "out/night"]);
    let page = place.read("out/night/report.html");
    assert!(page.starts_with("<!doctype html>") && !page.contains("anna"), "a page is masked");
    assert!(place.read("out/night/result.json").contains("anna") && place.read("out/night/findings.csv").contains("anna"));
    let workbook = std::fs::read(place.path("out/night/findings.xlsx")).unwrap();
    assert!(workbook.starts_with(b"PK"));
    for picture in ["report.png", "charts/money.png", "charts/windows.png"] {
        let bytes = std::fs::read(place.path(&format!("out/night/{picture}"))).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n"), "{picture}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name| std::fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("out/night"), mode("out/night/report.html")), (0o700, 0o600));
        assert_eq!((mode("out/night/charts"), mode("out/night/charts/money.png")), (0o700, 0o600));
    }
    place.expect(2, &["scan", "--report", "out/night", "--output", "json=out/night/result.json"]);
    place.write("file", "");
    place.expect(4, &["scan", "--report", "file"]);
}

/// An input may lie in the folder that a report is written to, under the name of one of its files.
#[test]
fn a_report_takes_the_place_of_no_input_of_its_result() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("pay.csv", "findings.csv"));
    std::fs::rename(place.path("pay.csv"), place.path("findings.csv")).unwrap();
    place.expect(1, &["scan", "--output", "json=r.json"]);
    let before = place.read("findings.csv");
    let run = place.expect(2, &["report", "r.json", "--report", "."]);
    assert!(run.stderr.contains("findings.csv: is an input"), "{}", run.stderr);
    assert_eq!(place.read("findings.csv"), before);
}

#[test]
fn a_result_is_told_again_as_the_scan_told_it() {
    let place = Place::with(DOUBLED);
    for lang in ["en", "ru"] {
        for format in ["text", "json", "ndjson", "csv", "html", "markdown", "sarif", "junit"] {
            let scan = place.expect(1, &["scan", "--output", "json=r.json", "--lang", lang, "--format", format]);
            let again = place.expect(0, &["report", "r.json", "--lang", lang, "--format", format]);
            // Only the run differs between two runs, and the JSON beside this scan is of the same run.
            assert!(again.stdout == scan.stdout, "{lang} {format}\n{}\n{}", scan.stdout, again.stdout);
        }
    }
    // A workbook is no text, and tells nothing of the run.
    place.expect(1, &["scan", "--output", "json=r.json", "--output", "xlsx=scanned.xlsx"]);
    place.expect(0, &["report", "r.json", "--output", "xlsx=told.xlsx"]);
    let bytes = |name| std::fs::read(place.path(name)).unwrap();
    assert!(bytes("scanned.xlsx") == bytes("told.xlsx"));
    let english = place.expect(1, &["scan", "--format", "json"]).json();
    let russian = place.expect(1, &["scan", "--format", "json", "--lang", "ru"]).json();
    assert_eq!(english["result"], russian["result"]);
    assert!(place.expect(0, &["explain", "client_retry", "--lang", "ru"]).stdout.contains("что делать"));
    place.expect(2, &["scan", "--lang", "tlh"]);
}

#[test]
fn what_is_no_result_is_not_told() {
    let place = Place::with(DOUBLED);
    place.expect(1, &["scan", "--output", "json=r.json"]);
    place.write("next.json", place.read("r.json").replace("twicelog.result/1", "twicelog.result/2"));
    place.write("cut.json", &place.read("r.json")[..200]);
    for (name, said) in [("next.json", "unknown schema"), ("cut.json", "not a result"), ("none.json", "cannot be read")] {
        let run = place.expect(2, &["report", name]);
        assert!(run.stderr.contains(name) && run.stderr.contains(said), "{}", run.stderr);
    }
    place.expect(2, &["report", "r.json", "--output", "html=r.json"]);
}

#[test]
fn rejected_records_are_written_with_their_reason() {
    let place = Place::with(&(CALM.to_owned() + UNREADABLE_ROW));
    place.expect(3, &["scan", "--rejects", "rejects.csv"]);
    let rejects = place.read("rejects.csv");
    let mut reader = csv::Reader::from_reader(rejects.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1, "{rejects}");
    assert_eq!(rows[0].iter().take(4).collect::<Vec<_>>(), ["pay", "pay.csv", "3", "4"]);
    assert!(rows[0][4].contains("yesterday"), "{rejects}");

    Place::with(CALM).expect(0, &["scan", "--rejects", "/dev/null"]);
}

#[test]
fn csv_files_suit_who_reads_them() {
    let place = Place::with(&(DOUBLED.to_owned() + UNREADABLE_ROW));
    place.expect(3, &["scan", "--csv-for", "excel-ru", "--output", "csv=r.csv", "--report", "out", "--rejects", "rejects.csv"]);
    for name in ["r.csv", "out/findings.csv", "rejects.csv"] {
        let csv = place.read(name);
        assert!(csv.starts_with('\u{feff}') && csv.contains(';') && csv.ends_with("\r\n"), "{name}: {csv}");
    }
    assert!(place.read("r.csv").contains(";59,00;"), "{}", place.read("r.csv"));
    let plain = place.expect(3, &["scan", "--format", "csv"]).stdout;
    assert!(plain.starts_with("finding,rule,") && plain.contains(",59.00,"), "{plain}");
    let run = place.expect(2, &["scan", "--csv-for", "lotus"]);
    assert!(run.stderr.contains("known are programs, excel, excel-ru"), "{}", run.stderr);
}

#[test]
fn raw_records_are_kept_when_asked_for() {
    let place = Place::with(DOUBLED);
    let raw = "ch_2,2026-03-02T10:00:40Z,anna,59.00";
    assert!(!place.expect(1, &["scan", "--format", "json"]).stdout.contains("\"raw\""));
    let kept = place.expect(1, &["scan", "--raw", "--format", "json", "--output", "html=r.html", "--output", "markdown=r.md"]);
    let json = kept.json();
    assert_eq!(json["result"]["findings"][0]["records"][1]["raw"], raw);
    let masked = raw.replace("anna", "a… #1");
    for (name, masked) in [("r.html", masked.clone()), ("r.md", masked.replace('_', "\\_").replace('#', "\\#"))] {
        assert!(place.read(name).contains(&masked) && !place.read(name).contains("anna"), "{name}: {}", place.read(name));
    }
    let id = json["result"]["findings"][0]["id"].as_str().unwrap();
    assert!(!place.expect(0, &["explain", id]).stdout.contains("as they stand in their files"));
    assert!(place.expect(0, &["explain", id, "--raw", "--reveal"]).stdout.contains(raw));

    let long = Place::with(&DOUBLED.replace("anna", &"a".repeat(3_000)));
    let json = long.expect(1, &["scan", "--raw", "--format", "json"]).json();
    let raw = json["result"]["findings"][0]["records"][0]["raw"].as_str().unwrap();
    assert!(raw.ends_with('…') && raw.chars().count() == 2_001, "{raw}");
}

/// `script` (util-linux) runs a command in a terminal of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_workbook() {
    let place = Place::with(DOUBLED);
    let program = env!("CARGO_BIN_EXE_twicelog");
    let in_terminal = |arguments: &str| {
        let mut command = std::process::Command::new("script");
        command.args(["--quiet", "--return", "--command", &format!("'{program}' {arguments}"), "/dev/null"]);
        command.current_dir(place.folder()).stdin(Stdio::null()).output().unwrap()
    };
    let run = in_terminal("scan --format xlsx");
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot show xlsx; write a file with --output xlsx=FILE"), "{said}");
    assert_eq!(in_terminal("scan --output xlsx=r.xlsx").status.code(), Some(1));
    assert!(place.names().contains(&"r.xlsx".to_owned()));
}

/// Enough findings to fill every buffer between the program and its reader.
fn many_findings() -> Place {
    let pair = |number: u32| DOUBLED.replace("anna", &format!("c-{number}")).replace("ch_", &format!("ch-{number}-"));
    Place::with(&(0..400).map(pair).collect::<String>())
}

#[test]
fn a_reader_that_leaves_is_no_trouble() {
    let place = many_findings();
    for format in ["text", "json", "ndjson", "csv", "html", "markdown", "xlsx", "sarif", "junit"] {
        let mut command = place.command(&["scan", "--format", format, "--all"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = Vec::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_until(b'\n', &mut line).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        // What fits into the pipe was delivered before anybody left.
        assert!(matches!(run.code, Some(0 | 1)), "{format}: {:?} {}", run.code, run.stderr);
        assert_eq!(run.stderr, "", "{format}");
        if format == "json" {
            assert_eq!(run.code, Some(0));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_at_stdout_is_4() {
    let place = Place::with(DOUBLED);
    for arguments in [
        &["scan"][..],
        &["scan", "--format", "json"],
        &["scan", "--format", "csv"],
        &["schema", "result"],
        &["completions", "bash"],
        &["man"],
        &["explain", "duplicate_effect"],
        &["check"],
        &["--help"],
        &["--version"],
        &[],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(place.command(arguments).stdout(full).output().unwrap());
        assert_eq!(run.code, Some(4), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("cannot be written"), "{arguments:?}: {}", run.stderr);
    }
}

/// Two charges a quarter of an hour apart, under a window of ten minutes.
const APART: &str = "ch_5,2026-03-02T10:00:00Z,anna,59.00\nch_6,2026-03-02T10:15:00Z,anna,59.00\n";

#[test]
fn reports_with_charts_tell_what_other_windows_would_find() {
    let place = Place::with(&(DOUBLED.to_owned() + &APART.replace("anna", "boris")));
    let plain = place.expect(1, &["scan", "--format", "json"]).json();
    assert!(plain.get("windows").is_none() && plain["result"]["totals"]["findings"] == 1);
    place.expect(1, &["scan", "--output", "png=r.png", "--output", "json=r.json"]);
    let drawn: serde_json::Value = serde_json::from_str(&place.read("r.json")).unwrap();
    assert_eq!(drawn["result"], plain["result"], "the result is that of the rules, whatever is drawn beside it");
    let steps: Vec<(&str, u64, &str)> = drawn["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            let net = step["exposure"][0]["net"].as_str().unwrap();
            (step["factor"].as_str().unwrap(), step["findings"].as_u64().unwrap(), net)
        })
        .collect();
    let expected = [("1/4", 1, "59.00"), ("1/2", 1, "59.00"), ("1", 1, "59.00")];
    assert_eq!(steps[..3], expected);
    assert_eq!(steps[3..].iter().map(|step| (step.1, step.2)).collect::<Vec<_>>(), [(2, "118.00"); 4]);
    // What people decided is left out of all windows as of the result; what a longer window adds to a decided finding is not.
    let id = plain["result"]["findings"][0]["id"].as_str().unwrap();
    place.write(
        "twicelog.baseline.toml",
        format!("version = 1\n[[entry]]\nid = \"{id}\"\ndecision = \"intended\"\nreason = \"gift\"\n"),
    );
    place.expect(0, &["scan", "--output", "html=d.html", "--output", "json=d.json"]);
    let settled: serde_json::Value = serde_json::from_str(&place.read("d.json")).unwrap();
    let counts: Vec<u64> = settled["windows"].as_array().unwrap().iter().map(|step| step["findings"].as_u64().unwrap()).collect();
    assert_eq!(counts, [0, 0, 0, 1, 1, 1, 1], "boris' charges are nobody's decision");
    assert!(place.read("d.html").contains("0 findings with today"), "the chart is there");
    std::fs::remove_file(place.path("twicelog.baseline.toml")).unwrap();
    // A window that is longer by so much finds the same.
    for (factor, window) in [("1/4", "150s"), ("2", "20m"), ("16", "160m")] {
        place.write("twicelog.toml", CONFIG.replace("10m", window));
        let totals = &place.expect(1, &["scan", "--format", "json"]).json()["result"]["totals"];
        let step = drawn["windows"].as_array().unwrap().iter().find(|step| step["factor"] == factor).unwrap();
        for number in ["findings", "extra_effects", "exposure"] {
            assert_eq!(step[number], totals[number], "{factor}: {number}");
        }
    }
}

#[test]
fn nights_are_told_from_the_manifests_of_their_folder() {
    let place = Place::with(CALM);
    place.expect(0, &["scan", "--manifest", "nights/", "--output", "json=r.json", "--output", "html=r.html"]);
    let report = || serde_json::from_str::<serde_json::Value>(&place.read("r.json")).unwrap();
    assert!(report().get("nights").is_none());
    place.write("pay.csv", HEADER.to_owned() + DOUBLED);
    place.expect(1, &["scan", "--manifest", "nights/", "--output", "json=r.json", "--output", "html=r.html"]);
    let nights = report()["nights"].clone();
    assert_eq!(nights.as_array().unwrap().len(), 1);
    assert_eq!((&nights[0]["findings"], &nights[0]["same_rules"]), (&0.into(), &true.into()));
    assert!(place.read("r.html").contains("1 finding this time, 0 the time before"), "the page draws them");
}

const KEY: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

/// What stands for anna on a page.
fn name_of_anna(page: &str) -> String {
    let found = regex::Regex::new("a… #([0-9a-z]+)").unwrap().captures(page).expect("a masked actor");
    found[1].to_owned()
}

#[cfg(unix)]
fn close(place: &Place, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[cfg(unix)]
#[test]
fn pseudonyms_are_the_same_wherever_the_key_is() {
    // boris comes first here, and last there.
    let of_boris = DOUBLED.replace("anna", "boris").replace("ch_", "cg_").replace("59.00", "80.00");
    let (here, there) = (Place::with(&(of_boris.clone() + DOUBLED)), Place::with(DOUBLED));
    for place in [&here, &there] {
        place.write("mask.key", format!("{KEY}\n"));
        close(place, "mask.key");
    }
    let run = here
        .expect(1, &["scan", "--mask-key", "mask.key", "--output", "json=r.json", "--output", "json=s.json", "--report", "out"]);
    assert_eq!(run.stderr, "");
    there.expect(1, &["scan", "--mask-key", "mask.key", "--output", "html=r.html"]);
    let anna = name_of_anna(&there.read("r.html"));
    assert!(anna.len() == 10 && here.read("out/report.html").contains(&anna) && run.stdout.contains(&anna), "{anna}");
    // Told again from the result, which masks nothing, by way of the environment.
    let mut again = here.command(&["report", "r.json", "--format", "html"]);
    let again = Run::from(again.env("TWICELOG_MASK_KEY", here.path("mask.key")).output().unwrap());
    assert!(again.stdout.contains(&anna), "{}", again.stderr);
    let masked = here.expect(1, &["scan", "--mask", "--mask-key", "mask.key", "--format", "json"]);
    assert!(masked.stdout.contains(&anna) && !masked.stdout.contains("anna"));
    let ids = |json: &serde_json::Value| {
        json["result"]["findings"].as_array().unwrap().iter().map(|f| f["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&masked.json()), ids(&serde_json::from_str(&here.read("r.json")).unwrap()), "ids do not know of masks");
    for name in here.names().iter().filter(|name| here.path(name).is_file() && *name != "mask.key") {
        assert!(!String::from_utf8_lossy(&std::fs::read(here.path(name)).unwrap()).contains(&KEY[..16]), "{name} holds the key");
    }
    let id = ids(&masked.json())[0].as_str().unwrap().to_owned();
    assert!(here.expect(0, &["explain", &id, "--result", "r.json", "--mask-key", "mask.key"]).stdout.contains("… #"));
}

#[cfg(unix)]
#[test]
fn a_key_that_is_none_stops_before_anything_is_read() {
    let place = Place::with(DOUBLED);
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("short", &KEY[..31]);
    place.write("plain", "0".repeat(64));
    for (name, said) in [
        ("gone", "the key of pseudonyms cannot be read"),
        ("folder", "is a folder"),
        ("short", "has 32 characters or more"),
        ("plain", "has 8 different characters or more"),
        ("/dev/zero", "which is no key"),
    ] {
        let run = place.expect(2, &["scan", "--mask-key", name, "--output", "json=r.json"]);
        assert!(run.stderr.starts_with(&format!("twicelog: {name}: ")) && run.stderr.contains(said), "{}", run.stderr);
        assert!(!place.names().contains(&"r.json".to_owned()));
    }
    place.write("open", KEY);
    let run = place.expect(1, &["scan", "--mask-key", "open"]);
    assert!(run.stderr.contains("open: others can read this key") && run.stderr.contains("chmod 600 open"), "{}", run.stderr);
    let run = place.expect(2, &["scan", "--mask-key", "open", "--output", "json=open"]);
    assert!(run.stderr.contains("open: is an input") && place.read("open") == KEY, "{}", run.stderr);
}

#[test]
fn a_picture_of_an_earlier_run_does_not_stay_beside_the_page() {
    let place = Place::with(DOUBLED);
    let night = ["scan", "--report", "out", "--manifest", "proof/"];
    place.expect(1, &night);
    place.expect(1, &night);
    assert!(place.path("out/charts/nights.png").is_file(), "two nights are known");
    place.write("out/charts/mine.png", "mine");
    place.expect(1, &["scan", "--report", "out"]);
    assert!(!place.path("out/charts/nights.png").exists(), "this run knows of no other night");
    assert!(place.path("out/charts/windows.png").is_file());
    // What is called like a chart and is none of ours stays.
    place.write("out/charts/nights.png", "mine too");
    place.expect(1, &["scan", "--report", "out"]);
    assert_eq!((place.read("out/charts/mine.png"), place.read("out/charts/nights.png")), ("mine".into(), "mine too".into()));
}

#[test]
fn coverage_of_dates_tells_days_and_not_the_instants_at_which_they_begin() {
    let place = Place::with("ch_1,2025-01-12,anna,59.00\nch_2,2025-01-14,boris,20.00\n");
    place.write("twicelog.toml", CONFIG.replace("zone = \"UTC\"", "zone = \"Europe/Prague\""));
    let covered = |run: &Run| {
        let source = run.json()["result"]["sources"][0].clone();
        [&source, &source["files"][0]].map(|told| ["first", "last"].map(|end| told[end].as_str().unwrap().to_owned()))
    };
    let days = covered(&place.expect(0, &["scan", "--format", "json"]));
    assert_eq!(days, [["2025-01-12", "2025-01-14"]; 2]);
    assert!(place.expect(0, &["scan"]).stdout.contains("from 2025-01-12 to 2025-01-14. All times are UTC."));
    assert!(place.expect(0, &["scan", "--lang", "ru"]).stdout.contains("с 12.01.2025 по 14.01.2025. Всё время указано в UTC."));
    // Where one attempt has a time of day, a day that begins another stands at its beginning.
    place.write("pay.csv", place.read("pay.csv") + "ch_3,2025-01-15T10:00:00Z,clara,20.00\n");
    let instants = covered(&place.expect(0, &["scan", "--format", "json"]));
    assert_eq!(instants, [["2025-01-11T23:00:00Z", "2025-01-15T10:00:00Z"]; 2]);
}
