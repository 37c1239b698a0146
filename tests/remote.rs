//! Inputs at URLs: the same findings as from files, whatever happens on the way, or an error that says what happened.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise, its helpers too")]

#[path = "cli/place.rs"]
#[allow(dead_code, reason = "shared with the tests of the command line")]
mod place;

use place::{CALM, CONFIG, DOUBLED, HEADER, Place, Run};

/// The program with nothing in its environment but this: nothing leads to clouds or proxies.
fn run(place: &Place, environment: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = place.command(arguments);
    command.env_clear().env("HOME", place.folder()).envs(environment.iter().copied()).output().unwrap().into()
}

fn expect(code: i32, place: &Place, environment: &[(&str, &str)], arguments: &[&str]) -> Run {
    let run = run(place, environment, arguments);
    assert_eq!(run.code, Some(code), "{arguments:?}\n{}\n{}", run.stdout, run.stderr);
    run
}

fn export() -> String {
    HEADER.to_owned() + DOUBLED
}

#[test]
fn urls_that_mean_no_object_are_2() {
    let place = Place::with(CALM);
    for (url, advice) in [
        ("s3://box/exports/", "\"s3://box/exports/*.csv\""),
        ("s3://", "s3://BUCKET/KEY"),
        ("ftp://host/pay.csv", "known are s3, gs, az, abfss, https, http"),
        ("https://host/exports/*.csv", "name each of them"),
        ("s3://anna:secret@box/pay.csv", "set it in the environment"),
    ] {
        let run = expect(2, &place, &[], &["scan", url]);
        assert!(run.stderr.contains(advice) && !run.stderr.contains("secret"), "{url}: {}", run.stderr);
        place.write("other.toml", CONFIG.replace("pay.csv", url));
        let run = expect(2, &place, &[], &["check", "--config", "other.toml"]);
        assert!(run.stderr.contains("other.toml:4:10: ") && run.stderr.contains(advice), "{url}: {}", run.stderr);
    }
}

#[test]
fn outputs_are_not_written_to_urls() {
    let place = Place::with(DOUBLED);
    for arguments in [
        &["scan", "--output", "json=s3://box/result.json"][..],
        &["scan", "--rejects", "https://host/rejects.csv"],
        &["init", "pay.csv", "--yes", "--output", "gs://box/twicelog.toml"],
    ] {
        let run = expect(2, &place, &[], arguments);
        assert!(run.stderr.contains("outputs are not written to URLs"), "{}", run.stderr);
    }
    assert_eq!(place.names(), ["pay.csv", "twicelog.toml"]);
}

#[cfg(not(feature = "remote"))]
#[test]
fn a_build_that_reads_no_urls_says_so_and_reads_the_rest() {
    let place = Place::with(DOUBLED);
    place.write("twicelog.toml", CONFIG.replace("[\"pay.csv\"]", "[\"pay.csv\", \"s3://box/pay-*.csv\"]"));
    let run = expect(3, &place, &[], &["scan", "--format", "json"]);
    assert!(
        run.stderr.contains("s3://box/pay-*.csv: this build does not read s3:// URLs; build twicelog with"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["result"]["findings"].as_array().map(Vec::len), Some(1));
    assert!(export().len() > HEADER.len());
}

#[cfg(feature = "remote")]
#[path = "remote"]
mod remote {
    mod bucket;
    mod server;
    mod stores;
    mod web;
}
