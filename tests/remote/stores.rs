//! Object stores: which objects a pattern means, and what stands in the way of reading them.

use super::super::{CONFIG, DOUBLED, HEADER, Place, Run, expect, export};
use super::bucket::{Object, bucket};
use super::server::{Answer, Server};
use std::time::{Duration, Instant};

fn keys(endpoint: &str) -> [(&'static str, &str); 5] {
    [
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "anna"),
        ("AWS_SECRET_ACCESS_KEY", "hush"),
        ("AWS_REGION", "eu-central-1"),
    ]
}

fn scan(code: i32, server: &Server, place: &Place, arguments: &[&str]) -> Run {
    expect(code, place, &keys(&server.url("")), &[&["scan", "--format", "json"], arguments].concat())
}

/// Each row of the export in an object of its own.
fn halves() -> [String; 2] {
    let (one, two) = DOUBLED.split_once('\n').unwrap();
    [format!("{HEADER}{one}\n"), HEADER.to_owned() + two]
}

#[test]
fn a_pattern_means_the_objects_that_fit() {
    let [one, two] = halves();
    let place = Place::empty();
    place.write("pay-1.csv", &one);
    place.write("pay-2.csv", &two);
    place.write("twicelog.toml", CONFIG.replace("pay.csv", "pay-*.csv"));
    let local = expect(1, &place, &[], &["scan", "--format", "json"]).json()["result"].to_string();
    let server = bucket(vec![
        Object::new("exports/", ""),
        Object::new("exports/deep/pay-3.csv", "not,asked,for\n"),
        Object::new("exports/pay-1.csv", one),
        Object::new("exports/pay-2.csv", two),
        Object::new("exports/refunds.csv", "not,asked,for\n"),
    ]);
    let told = |run: Run| run.json()["result"].to_string().replace("s3://box/exports/", "");
    assert_eq!(told(scan(1, &server, &place, &["s3://box/exports/pay-*.csv"])), local);
    assert_eq!(told(scan(1, &server, &place, &["s3://box/exports/pay-2.csv", "s3://box/exports/pay-[1].csv"])), local);
    assert_eq!(told(scan(1, &server, &place, &["s3://box/*/pay-*.csv"])), local);
    assert!(scan(2, &server, &place, &["s3://box/**/exports"]).stderr.contains("no object fits"), "a folder is no object");
    assert!(scan(2, &server, &place, &["s3://box/exports/*.gz"]).stderr.contains("no object fits this pattern"));
    place.write("twicelog.toml", CONFIG.replace("pay.csv", "s3://box/exports/pay-*.csv"));
    assert_eq!(told(scan(1, &server, &place, &[])), local);
    let signed = server.requests().iter().all(|request| request.header("authorization").is_some_and(|key| key.contains("anna/")));
    assert!(signed, "every request is signed with the key of the environment");
}

#[test]
fn google_and_azure_give_the_same() {
    let [one, two] = halves();
    let server = bucket(vec![Object::new("exports/pay-1.csv", one), Object::new("exports/pay-2.csv", two)]);
    let endpoint = server.url("");
    let endpoint = endpoint.trim_end_matches('/');
    let google = [("GOOGLE_BASE_URL", endpoint), ("GOOGLE_SKIP_SIGNATURE", "true")];
    let azure = [("AZURE_ENDPOINT", endpoint), ("AZURE_STORAGE_ACCOUNT_NAME", "acct"), ("AZURE_SKIP_SIGNATURE", "true")];
    for (url, environment) in [("gs://box/exports/*.csv", &google[..]), ("az://box/exports/*.csv", &azure)] {
        let run = expect(1, &Place::with(""), environment, &["scan", "--format", "json", url]);
        let findings = &run.json()["result"]["findings"];
        assert_eq!(findings[0]["records"][1]["file"], url.replace('*', "pay-2").as_str(), "{}", run.stdout);
    }
}

#[test]
fn an_object_that_changed_since_it_was_listed_is_told() {
    let other = Object { listed_as: "before", ..Object::new("pay.csv", export()) };
    let run = scan(3, &bucket(vec![other]), &Place::with(""), &["s3://box/p*.csv"]);
    assert!(run.stderr.contains("s3://box/pay.csv: changed while it was read"), "{}", run.stderr);
}

#[test]
fn what_the_store_refuses_is_3_with_its_reason() {
    let run = scan(3, &bucket(Vec::new()), &Place::with(""), &["s3://box/gone.csv"]);
    assert!(run.stderr.contains("s3://box/gone.csv: the server answered 404 (not there), \"NoSuchKey\""), "{}", run.stderr);
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    let closed = Server::start(|_, _| Answer::new(403, "<Error><Code>AccessDenied</Code></Error>"));
    for url in ["s3://box/pay.csv", "s3://box/*.csv"] {
        let run = scan(3, &closed, &Place::with(""), &[url]);
        assert!(run.stderr.contains("403 (not permitted), \"AccessDenied\"; set AWS_ACCESS_KEY_ID"), "{}", run.stderr);
        assert!(!run.stderr.contains("hush"), "{}", run.stderr);
    }
}

#[test]
fn an_object_cut_short_is_resumed_or_told() {
    let answer = |request: &super::server::Request, from: usize| {
        let answer = if request.from().is_some() { Answer::rest(export().as_bytes(), from) } else { Answer::new(200, export()) };
        answer.header("etag", "\"now\"").header("last-modified", "Mon, 02 Mar 2026 10:00:00 GMT")
    };
    let resumed = Server::start(move |request, before| match before {
        0 => answer(request, 0).cut_after(30),
        _ => answer(request, request.from().unwrap_or_default()),
    });
    let run = scan(1, &resumed, &Place::with(""), &["s3://box/pay.csv"]);
    assert_eq!(run.json()["result"]["ledger"]["read"], 2, "no record twice");
    assert_eq!(resumed.requests()[1].from(), Some(30));
    let broken = Server::start(move |request, _| answer(request, request.from().unwrap_or_default()).cut_after(2));
    let run = scan(3, &broken, &Place::with(""), &["s3://box/pay.csv"]);
    assert!(run.stderr.contains("s3://box/pay.csv: cut off: "), "{}", run.stderr);
}

#[test]
fn plain_http_needs_an_endpoint_that_says_so() {
    let server = bucket(vec![Object::new("pay.csv", export())]);
    let endpoint = server.url("");
    let environment: Vec<_> = keys(&endpoint).into_iter().filter(|(name, _)| *name != "AWS_ALLOW_HTTP").collect();
    expect(1, &Place::with(""), &environment, &["scan", "s3://box/pay.csv"]);
    let safe = endpoint.replace("http://", "https://");
    expect(3, &Place::with(""), &keys(&safe), &["scan", "s3://box/pay.csv"]);
    assert!(server.requests().iter().all(|request| request.target.starts_with("/box/")));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn without_credentials_a_cloud_is_not_waited_for_long() {
    let place = Place::with("");
    for url in ["s3://box/pay.csv", "gs://box/pay.csv", "az://box/pay.csv", "abfss://box@acct.dfs.core.windows.net/pay.csv"] {
        let started = Instant::now();
        let run = expect(3, &place, &[], &["scan", url]);
        assert!(run.stderr.contains(&format!("{url}: ")) && run.stderr.contains("; "), "{}", run.stderr);
        assert!(started.elapsed() < Duration::from_secs(45), "{url}: {:?}", started.elapsed());
    }
}
