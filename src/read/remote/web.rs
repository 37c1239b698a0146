//! Web servers: the bytes of one URL, whole, however often the connection breaks.

use super::failure::{Failure, innermost};
use crate::domain::RemoteUrl;
use crate::read::shelf::ShelfWriter;
use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_RANGE, RANGE, TRANSFER_ENCODING};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url, Version};
use std::io::Write;
use std::time::Duration;

const CONNECT: Duration = Duration::from_secs(5);
/// The longest silence, before the first byte and between any two.
const SILENCE: Duration = Duration::from_secs(30);
const ATTEMPTS: u32 = 5;
/// Before the second attempt; each further one waits twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MOST_REDIRECTS: usize = 5;

pub(super) fn client() -> Result<Client, Failure> {
    let client = Client::builder()
        .user_agent(concat!("twicelog/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        // What a URL is signed with must not be told to where it leads.
        .referer(false)
        .redirect(Policy::custom(|attempt| match refused(attempt.previous(), attempt.url()) {
            Some(reason) => attempt.error(reason),
            None => attempt.follow(),
        }));
    client.build().map_err(|error| Failure::Unreachable(innermost(&error)))
}

/// Why a redirect is not followed.
fn refused(before: &[Url], next: &Url) -> Option<&'static str> {
    let was_safe = before.iter().any(|url| url.scheme() == "https");
    if before.len() > MOST_REDIRECTS {
        Some("more than 5 times")
    } else if was_safe && next.scheme() != "https" {
        Some("from https to http, where anyone could change it")
    } else {
        None
    }
}

/// What the first part of an object said of the whole.
#[derive(Debug, Default)]
struct Whole {
    bytes: Option<u64>,
    /// A tag that stands for these very bytes, so that a broken transfer may go on where it broke.
    e_tag: Option<String>,
}

/// How an attempt failed.
enum Trouble {
    /// Trying again may help.
    Passing(Failure),
    Lasting(Failure),
}

/// Copies all bytes that the URL gives.
pub(super) async fn fetch(client: &Client, url: &RemoteUrl, copy: &mut ShelfWriter<'_>) -> Result<(), Failure> {
    let mut whole = Whole::default();
    let mut pause = FIRST_PAUSE;
    for _ in 1..ATTEMPTS {
        match attempt(client, url, &mut whole, copy).await {
            Ok(()) => return Ok(()),
            Err(Trouble::Lasting(failure)) => return Err(failure),
            Err(Trouble::Passing(_)) => tokio::time::sleep(pause).await,
        }
        pause *= 2;
    }
    attempt(client, url, &mut whole, copy).await.map_err(|trouble| match trouble {
        Trouble::Passing(failure) | Trouble::Lasting(failure) => failure,
    })
}

/// One request: for the rest where there is a tag to ask it by, else for everything.
async fn attempt(client: &Client, url: &RemoteUrl, whole: &mut Whole, copy: &mut ShelfWriter<'_>) -> Result<(), Trouble> {
    let mut request = client.get(url.with_secrets());
    let rest_of = whole.e_tag.as_deref().filter(|_| copy.bytes() > 0);
    if let Some(e_tag) = rest_of {
        // A server that has other bytes by now answers with all of them.
        request = request.header(RANGE, format!("bytes={}-", copy.bytes())).header(IF_RANGE, e_tag);
    }
    let response = request.send().await.map_err(unsent)?;
    match response.status().as_u16() {
        200 => {
            copy.restart().map_err(|error| Trouble::Lasting(Failure::Spool(error)))?;
            *whole = described(&response)?;
        }
        206 if rest_of.is_some() => check_rest(&response, whole, copy.bytes())?,
        // The object became shorter than what was read of it: everything is asked for again.
        416 if rest_of.is_some() => {
            whole.e_tag = None;
            return Err(Trouble::Passing(Failure::Changed));
        }
        status @ (408 | 425 | 429 | 500..=599) => return Err(Trouble::Passing(Failure::Status(status, None))),
        status => return Err(Trouble::Lasting(Failure::Status(status, None))),
    }
    receive(response, whole, copy).await
}

fn unsent(error: reqwest::Error) -> Trouble {
    let reason = innermost(&error);
    if error.is_redirect() {
        let what = format!("the server leads elsewhere: {reason}");
        return Trouble::Lasting(Failure::Unfit { what, advice: "name the URL of the object itself" });
    }
    let failure = Failure::Unreachable(reason);
    if error.is_builder() { Trouble::Lasting(failure) } else { Trouble::Passing(failure) }
}

/// What an answer says of the object.
fn described(response: &Response) -> Result<Whole, Trouble> {
    let headers = response.headers();
    let bytes = text(headers, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
    // The end of the connection is all that ends such a body, and a break looks the same.
    let ends_itself = bytes.is_some() || headers.contains_key(TRANSFER_ENCODING) || response.version() > Version::HTTP_11;
    if !ends_itself {
        return Err(Trouble::Lasting(Failure::Unfit {
            what: "the server does not say how long it is, so that one could not tell whether it was cut off".into(),
            advice: "save it to a file and scan that",
        }));
    }
    let strong = text(headers, &ETAG).filter(|tag| tag.starts_with('"'));
    Ok(Whole { bytes, e_tag: strong.map(str::to_owned) })
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The part that was sent must be the one that is missing, and of the same object.
fn check_rest(response: &Response, whole: &Whole, from: u64) -> Result<(), Trouble> {
    let headers = response.headers();
    if text(headers, &ETAG).is_some_and(|tag| whole.e_tag.as_deref() != Some(tag)) {
        return Err(Trouble::Lasting(Failure::Changed));
    }
    let range = text(headers, &CONTENT_RANGE).unwrap_or_default();
    let fits = range.strip_prefix("bytes ").and_then(|range| range.split_once('/')).is_some_and(|(part, total)| {
        let starts = part.split_once('-').is_some_and(|(start, _)| start.parse() == Ok(from));
        starts && (total == "*" || whole.bytes.is_none_or(|bytes| total.parse() == Ok(bytes)))
    });
    if fits {
        return Ok(());
    }
    Err(Trouble::Lasting(Failure::Unfit {
        what: format!("the server was asked for the bytes from {from} on and sent \"{range}\""),
        advice: "save the object to a file and scan that",
    }))
}

async fn receive(mut response: Response, whole: &Whole, copy: &mut ShelfWriter<'_>) -> Result<(), Trouble> {
    loop {
        let cut_off = |reason: String, bytes: u64| Trouble::Passing(Failure::CutOff { bytes, of: whole.bytes, reason });
        match response.chunk().await {
            Ok(Some(bytes)) => copy.write_all(&bytes).map_err(|error| Trouble::Lasting(Failure::Spool(error)))?,
            Ok(None) if whole.bytes.is_none_or(|bytes| bytes == copy.bytes()) => return Ok(()),
            Ok(None) => return Err(cut_off("the answer ended".into(), copy.bytes())),
            Err(error) => return Err(cut_off(innermost(&error), copy.bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_do_not_lead_out_of_tls() {
        let url = |text: &str| text.parse::<Url>().unwrap();
        let (safe, plain) = (url("https://a/x"), url("http://a/x"));
        assert_eq!(refused(std::slice::from_ref(&plain), &safe), None);
        assert_eq!(refused(std::slice::from_ref(&safe), &url("https://b/y")), None);
        assert!(refused(std::slice::from_ref(&safe), &plain).is_some());
        assert!(refused(&[plain.clone(), safe], &plain).is_some());
        assert_eq!(refused(&vec![plain.clone(); 5], &plain), None);
        assert!(refused(&vec![plain.clone(); 6], &plain).is_some());
    }
}
