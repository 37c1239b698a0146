//! An object store as S3 speaks (and Google, when asked so), or Azure: one bucket whose objects are listed by prefix and given by key.

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
        Some(("/box" | "/box/", query)) if query.contains("comp=list") => azure_listing(&objects, query),
        Some(("/box" | "/box/", query)) => s3_listing(&objects, query),
        _ => object(&objects, request),
    })
}

fn object(objects: &[Object], request: &Request) -> Answer {
    let key = decoded(request.target.strip_prefix("/box/").unwrap_or_default());
    match objects.iter().find(|object| object.key == key) {
        Some(object) => Answer::new(200, object.body.clone())
            .header("etag", "\"now\"")
            .header("last-modified", "Mon, 02 Mar 2026 10:00:00 GMT"),
        None => Answer::new(404, "<Error><Code>NoSuchKey</Code><Message>of https://secret.example</Message></Error>"),
    }
}

fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap().to_owned();
    for part in parts {
        decoded.push(char::from(u8::from_str_radix(&part[..2], 16).unwrap()));
        decoded += &part[2..];
    }
    decoded
}

fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| decoded(value))
}

/// The objects under the prefix, and in no folder below it where a delimiter is given. Not in order: the reader must sort.
fn asked_for<'o>(objects: &'o [Object], query: &str) -> Vec<&'o Object> {
    let prefix = parameter(query, "prefix").unwrap_or_default();
    let is_flat = parameter(query, "delimiter").is_some();
    let below = objects.iter().rev().filter(|object| object.key.starts_with(&prefix));
    below.filter(|object| !(is_flat && object.key[prefix.len()..].contains('/'))).collect()
}

fn s3_listing(objects: &[Object], query: &str) -> Answer {
    assert_eq!(parameter(query, "list-type").as_deref(), Some("2"), "{query}");
    let mut text = "<?xml version=\"1.0\"?><ListBucketResult><Name>box</Name><IsTruncated>false</IsTruncated>".to_owned();
    for object in asked_for(objects, query) {
        text += &format!(
            "<Contents><Key>{}</Key><Size>{}</Size><ETag>\"{}\"</ETag><LastModified>2026-03-02T10:00:00.000Z</LastModified></Contents>",
            object.key,
            object.body.len(),
            object.listed_as
        );
    }
    Answer::new(200, text + "</ListBucketResult>").header("content-type", "application/xml")
}

/// Azure's listing quotes no tags.
fn azure_listing(objects: &[Object], query: &str) -> Answer {
    let mut text = "<?xml version=\"1.0\"?><EnumerationResults><Blobs>".to_owned();
    for object in asked_for(objects, query) {
        text += &format!(
            "<Blob><Name>{}</Name><Properties><Last-Modified>Mon, 02 Mar 2026 10:00:00 GMT</Last-Modified><Etag>{}</Etag>\
             <Content-Length>{}</Content-Length><Content-Type>text/csv</Content-Type></Properties></Blob>",
            object.key,
            object.listed_as,
            object.body.len()
        );
    }
    Answer::new(200, text + "</Blobs><NextMarker/></EnumerationResults>").header("content-type", "application/xml")
}
