//! Web servers, and what they do to a transfer.

use super::super::{CALM, CONFIG, DOUBLED, HEADER, Place, Run, expect, export};
use super::server::{Answer, Server};
use std::io::Write;
use std::time::Duration;

fn gzip(text: &str) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

fn scan(code: i32, url: &str) -> Run {
    expect(code, &Place::with(CALM), &[], &["scan", url, "--format", "json"])
}

/// The result of a scan, with one name for its input.
fn result(run: &Run, name: &str) -> String {
    run.json()["result"].to_string().replace(name, "INPUT")
}

/// What a scan of the export as a file finds.
fn from_file() -> String {
    result(&expect(1, &Place::with(DOUBLED), &[], &["scan", "--format", "json"]), "pay.csv")
}

#[test]
fn a_url_gives_what_the_file_gives() {
    let server = Server::start(|request, _| match request.target.as_str() {
        "/a/pay.csv" => Answer::new(200, export()),
        _ => Answer::new(200, gzip(&export())),
    });
    let url = server.url("a/pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
    let zipped = server.url("pay.csv.gz");
    let run = scan(1, &zipped);
    assert_eq!(run.json()["result"]["findings"].as_array().map(Vec::len), Some(1), "{}", run.stdout);
    assert_eq!(run.json()["result"]["findings"][0]["records"][0]["file"], zipped.as_str());
    assert_eq!(run.json()["run"]["inputs"][0]["bytes"], gzip(&export()).len());
}

#[test]
fn every_command_reads_urls_and_asks_for_them_once() {
    let server = Server::start(|_, _| Answer::new(200, export()));
    let place = Place::empty();
    let url = server.url("shop/pay.csv");
    let asked = |arguments: &[&str], code: i32| {
        let before = server.requests().len();
        let run = expect(code, &place, &[], arguments);
        assert_eq!(server.requests().len() - before, 1, "{arguments:?}");
        run
    };
    assert!(asked(&["inspect", &url], 0).stdout.contains("customer"));
    asked(&["init", &url, "--yes"], 0);
    let inferred = place.read("twicelog.toml");
    assert!(inferred.contains(&format!("files = [\"{url}\"]")) && inferred.contains("name = \"pay\""), "{inferred}");
    place.write("twicelog.toml", CONFIG.replace("pay.csv", &url));
    assert!(asked(&["check"], 0).stdout.contains(&url));
    let run = asked(&["scan", "--format", "json"], 1);
    let id = run.json()["result"]["findings"][0]["id"].as_str().unwrap().to_owned();
    assert!(asked(&["explain", &id], 0).stdout.contains(&id));
    asked(&["scan", "--source", &format!("pay={url}")], 1);
}

#[test]
fn a_refusal_is_3_is_asked_for_once_and_hides_no_finding() {
    let server = Server::start(|request, _| match request.target.as_str() {
        "/gone.csv" => Answer::new(404, "no"),
        "/closed.csv" => Answer::new(403, "no"),
        _ => Answer::new(200, export()),
    });
    for (name, words) in
        [("gone.csv", "404 (not there); check the URL"), ("closed.csv", "403 (not permitted); check that the URL")]
    {
        let before = server.requests().len();
        let run = scan(3, &server.url(name));
        assert!(run.stderr.contains(&format!("{}: the server answered {words}", server.url(name))), "{}", run.stderr);
        assert_eq!(server.requests().len() - before, 1);
    }
    let place = Place::empty();
    let files = format!("{}\", \"{}", server.url("gone.csv"), server.url("pay.csv"));
    place.write("twicelog.toml", CONFIG.replace("pay.csv", &files));
    let run = expect(3, &place, &[], &["scan", "--format", "json"]);
    assert_eq!(run.json()["result"]["findings"].as_array().map(Vec::len), Some(1));
    // Without a configuration neither: what did not arrive is not a file that nobody knows.
    let run = expect(3, &Place::empty(), &[], &["scan", &server.url("gone.csv")]);
    assert!(run.stderr.contains("404"), "{}", run.stderr);
}

#[test]
fn a_body_cut_short_is_3_and_never_a_short_read() {
    // The bytes that arrive are whole records.
    let bytes = HEADER.len() + DOUBLED.lines().next().unwrap().len() + 1;
    let server = Server::start(move |_, _| Answer::new(200, export()).cut_after(bytes));
    let run = scan(3, &server.url("pay.csv"));
    assert!(run.stderr.contains(&format!("cut off: {bytes} of {} bytes arrived", export().len())), "{}", run.stderr);
    assert_eq!(run.json()["result"]["ledger"]["read"], 0);
    assert_eq!(server.requests().len(), 5, "it is asked for a few times, not for ever");
}

#[test]
fn a_body_of_unknown_length_is_refused() {
    let server = Server::start(|_, _| Answer::new(200, export()).without_length());
    assert!(scan(3, &server.url("pay.csv")).stderr.contains("does not say how long it is"));
}

#[test]
fn a_slow_server_is_waited_for_and_a_busy_one_asked_again() {
    let server = Server::start(|_, before| match before {
        0 => Answer::new(503, "busy"),
        _ => Answer::new(200, export()).after(Duration::from_millis(1500)),
    });
    let url = server.url("pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn redirects_are_followed_a_few_times() {
    let server = Server::start(|request, _| match request.target.as_str() {
        "/pay.csv" => Answer::new(302, "").header("location", "/there?to=pay"),
        "/there?to=pay" => Answer::new(200, export()),
        _ => Answer::new(302, "").header("location", "/round.csv"),
    });
    let url = server.url("pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
    let before = server.requests().len();
    assert!(scan(3, &server.url("round.csv")).stderr.contains("more than 5 times"));
    assert_eq!(server.requests().len() - before, 6);
}

#[test]
fn a_broken_transfer_goes_on_where_it_broke() {
    let server = Server::start(|request, before| match (before, request.from()) {
        (0, None) => Answer::new(200, export()).header("etag", "\"one\"").cut_after(30),
        (1, Some(from)) => Answer::rest(export().as_bytes(), from).header("etag", "\"one\"").cut_after(20),
        (_, Some(from)) => Answer::rest(export().as_bytes(), from).header("etag", "\"one\""),
        (_, None) => Answer::new(500, "asked for everything"),
    });
    let url = server.url("pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
    let asked: Vec<(Option<usize>, Option<String>)> =
        server.requests().iter().map(|request| (request.from(), request.header("if-range").map(str::to_owned))).collect();
    let tag = Some("\"one\"".to_owned());
    assert_eq!(asked, [(None, None), (Some(30), tag.clone()), (Some(50), tag)]);
}

#[test]
fn without_a_tag_a_broken_transfer_starts_again() {
    let server = Server::start(|request, before| match (before, request.from()) {
        (0, None) => Answer::new(200, export()).header("etag", "W/\"weak\"").cut_after(40),
        (1, None) => Answer::new(200, export()),
        _ => Answer::new(500, "asked for a part"),
    });
    let url = server.url("pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
}

#[test]
fn an_object_that_changed_meanwhile_is_read_from_its_first_byte() {
    let server = Server::start(|request, before| match (before, request.header("if-range")) {
        (0, _) => Answer::new(200, "some,other,table\n1,2,3\n4,5,6\n").header("etag", "\"old\"").cut_after(20),
        (_, Some("\"old\"")) => Answer::new(200, export()).header("etag", "\"new\""),
        _ => Answer::new(500, "asked without a condition"),
    });
    let url = server.url("pay.csv");
    assert_eq!(result(&scan(1, &url), &url), from_file());
}

#[test]
fn a_part_that_was_not_asked_for_is_refused() {
    let server = Server::start(|request, _| match request.from() {
        None => Answer::new(200, export()).header("etag", "\"one\"").cut_after(30),
        Some(from) => Answer::rest(export().as_bytes(), from - 1).header("etag", "\"one\""),
    });
    assert!(scan(3, &server.url("pay.csv")).stderr.contains("asked for the bytes from 30 on and sent \"bytes 29-"));
    let server = Server::start(|request, _| match request.from() {
        None => Answer::new(200, export()).header("etag", "\"one\"").cut_after(30),
        Some(from) => Answer::rest(export().as_bytes(), from).header("etag", "\"two\""),
    });
    assert!(scan(3, &server.url("pay.csv")).stderr.contains("changed while it was read"));
}

#[test]
fn secrets_are_used_and_never_shown() {
    let server = Server::start(|request, _| match request.target.split_once('?') {
        Some(("/pay.csv", "sig=hush" | "sig=hush2")) if request.header("authorization").is_some() => Answer::new(200, export()),
        _ => Answer::new(403, "no"),
    });
    let signed = |name: &str, query: &str| format!("http://anna:hush@{}/{name}?sig={query}", server.address());
    let shown = server.url("pay.csv");
    let place = Place::with(CALM);
    let one = signed("pay.csv", "hush");
    let run = expect(1, &place, &[], &["scan", &one, "--format", "json"]);
    assert_eq!(run.json()["result"]["findings"][0]["records"][0]["file"], shown.as_str());
    assert!(!run.stdout.contains("hush") && !run.stderr.contains("hush"), "{}{}", run.stdout, run.stderr);
    // Two inputs that are shown alike can still be told apart.
    let run = expect(1, &place, &[], &["scan", &one, &signed("pay.csv", "hush2"), "--format", "json"]);
    assert!(run.stdout.contains(&format!("{shown} (2)")) && !run.stdout.contains("hush"), "{}", run.stdout);
    let run = expect(3, &place, &[], &["scan", &signed("other.csv", "hush")]);
    assert!(run.stderr.contains("403") && !run.stderr.contains("hush"), "{}", run.stderr);
    let run = expect(0, &Place::empty(), &[], &["init", &one, "--yes", "--output", "new.toml"]);
    assert!(run.stderr.contains("left out of the configuration") && !run.stderr.contains("hush"), "{}", run.stderr);
}

#[test]
fn nobody_there_is_3() {
    let run = scan(3, "http://127.0.0.1:1/pay.csv");
    assert!(run.stderr.contains("http://127.0.0.1:1/pay.csv: cannot be fetched: "), "{}", run.stderr);
}
