//! An object store as S3 speaks: one bucket whose objects are listed by prefix and given by key.

use super::server::{Answer, Request, Server};

#[derive(Clone)]
pub struct Object {
    pub key: &'static str,
    pub body: Vec<u8>,
    /// The tag that the listing tells; what is given has the tag `"now"`.
    pub listed_as: &'static str,
}

impl Object {
    pub fn new(key: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { key, body: body.into(), listed_as: "now" }
    }
}

/// Serves the bucket `box`.
pub fn bucket(objects: Vec<Object>) -> Server {
    Server::start(move |request, _| match request.target.split_once('?') {
        Some(("/box" | "/box/", query)) => listing(&objects, query),
        _ => object(&objects, request),
    })
}

fn object(objects: &[Object], request: &Request) -> Answer {
    let key = request.target.strip_prefix("/box/").unwrap_or_default();
    match objects.iter().find(|object| object.key == key) {
        Some(object) => Answer::new(200, object.body.clone())
            .header("etag", "\"now\"")
            .header("last-modified", "Mon, 02 Mar 2026 10:00:00 GMT"),
        None => Answer::new(404, "<Error><Code>NoSuchKey</Code><Message>of https://secret.example</Message></Error>"),
    }
}

fn listing(objects: &[Object], query: &str) -> Answer {
    let parameter = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value.replace("%2F", "/"))
    };
    assert_eq!(parameter("list-type").as_deref(), Some("2"), "{query}");
    let prefix = parameter("prefix").unwrap_or_default();
    let is_flat = parameter("delimiter").is_some();
    let mut text = "<?xml version=\"1.0\"?><ListBucketResult><Name>box</Name><IsTruncated>false</IsTruncated>".to_owned();
    // Not in order: the reader must sort.
    for object in objects.iter().rev().filter(|object| object.key.starts_with(&prefix)) {
        if is_flat && object.key[prefix.len()..].contains('/') {
            continue;
        }
        text += &format!(
            "<Contents><Key>{}</Key><Size>{}</Size><ETag>\"{}\"</ETag><LastModified>2026-03-02T10:00:00.000Z</LastModified></Contents>",
            object.key,
            object.body.len(),
            object.listed_as
        );
    }
    Answer::new(200, text + "</ListBucketResult>").header("content-type", "application/xml")
}
