//! Object stores: which objects fit a pattern, and the bytes of one.

use super::failure::{Failure, innermost};
use super::session::Version;
use crate::domain::{RemoteUrl, Scheme};
use crate::read::shelf::ShelfWriter;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientConfigKey, Error, GetOptions, ObjectMeta, ObjectStore, RetryConfig};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// How long connecting may take, and silence while reading. A whole object may take as long as it needs.
const TIMES: [(ClientConfigKey, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "5 seconds"),
    (ClientConfigKey::ReadTimeout, "30 seconds"),
    (ClientConfigKey::Timeout, "1 day"),
];

/// Where clouds give credentials to the machines in them: no answer from there means that this machine has none.
const METADATA: [&str; 3] = ["169.254.169.254", "169.254.170.2", "metadata.google.internal"];

/// Tries again for a while where trying again can help. The library itself resumes a broken transfer by range, and compares tags.
fn retries() -> RetryConfig {
    let backoff = BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2.0 };
    RetryConfig { backoff, max_retries: 4, retry_timeout: Duration::from_secs(60) }
}

/// The store of a URL, with region, endpoint and credentials as the environment says. The library reads the environment itself, by the
/// names that the clouds' own tools use: `AWS_*`, `GOOGLE_*`, `AZURE_*`. Only access depends on it, never what is found.
pub(super) fn open(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>, Failure> {
    let built = match url.scheme() {
        Scheme::S3 => s3(url),
        Scheme::Gs => gs(url),
        _ => azure(url),
    };
    built.map_err(|error| Failure::NoAccess(innermost(&error)))
}

/// Plain HTTP is for servers of one's own, and only where the environment's endpoint begins with it.
fn plain_http(endpoint: Option<&String>) -> &'static str {
    if endpoint.is_some_and(|endpoint| endpoint.starts_with("http://")) { "true" } else { "false" }
}

fn s3(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>, Error> {
    let builder = AmazonS3Builder::from_env().with_bucket_name(url.bucket()).with_retry(retries());
    let own = builder.get_config_value(&AmazonS3ConfigKey::S3Endpoint);
    let endpoint = own.or_else(|| builder.get_config_value(&AmazonS3ConfigKey::Endpoint));
    let http = (ClientConfigKey::AllowHttp, plain_http(endpoint.as_ref()));
    let set = |builder: AmazonS3Builder, (key, value)| builder.with_config(AmazonS3ConfigKey::Client(key), value);
    Ok(Arc::new(TIMES.into_iter().chain([http]).fold(builder, set).build()?))
}

fn gs(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>, Error> {
    let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(url.bucket()).with_retry(retries());
    let http = (ClientConfigKey::AllowHttp, plain_http(builder.get_config_value(&GoogleConfigKey::BaseUrl).as_ref()));
    let set = |builder: GoogleCloudStorageBuilder, (key, value)| builder.with_config(GoogleConfigKey::Client(key), value);
    Ok(Arc::new(TIMES.into_iter().chain([http]).fold(builder, set).build()?))
}

fn azure(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>, Error> {
    let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(url.bucket()).with_retry(retries());
    if url.scheme() == Scheme::Abfss {
        builder = builder.with_url(format!("abfss://{}@{}/", url.bucket(), url.host()));
    }
    let http = (ClientConfigKey::AllowHttp, plain_http(builder.get_config_value(&AzureConfigKey::Endpoint).as_ref()));
    let set = |builder: MicrosoftAzureBuilder, (key, value)| builder.with_config(AzureConfigKey::Client(key), value);
    Ok(Arc::new(TIMES.into_iter().chain([http]).fold(builder, set).build()?))
}

/// Keys and versions of all objects that fit the pattern. As in paths, `*` stays within one part of the key and `**` does not.
pub(super) async fn list(store: &dyn ObjectStore, url: &RemoteUrl) -> Result<Vec<(String, Version)>, Failure> {
    let unfit = |what: String| Failure::Unfit { what, advice: "name the objects one by one" };
    let pattern = glob::Pattern::new(url.key()).map_err(|error| unfit(format!("is no pattern: {}", error.msg)))?;
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    let fixed = url.key().find(['*', '?', '[']).and_then(|at| url.key().get(..at)).unwrap_or_default();
    let (folder, rest) = match fixed.rfind('/') {
        Some(at) => (url.key().get(..at), url.key().get(at + 1..).unwrap_or_default()),
        None => (None, url.key()),
    };
    let folder = folder.map(Path::parse).transpose().map_err(|error| unfit(error.to_string()))?;
    let found: Vec<ObjectMeta> = if rest.contains('/') {
        store.list(folder.as_ref()).try_collect().await.map_err(failure)?
    } else {
        store.list_with_delimiter(folder.as_ref()).await.map_err(failure)?.objects
    };
    let folders = folders(&found);
    let is_folder = |object: &ObjectMeta| object.size == 0 && folders.contains(object.location.as_ref());
    let fitting = found.iter().filter(|object| pattern.matches_with(object.location.as_ref(), options) && !is_folder(object));
    Ok(fitting.map(|object| (object.location.to_string(), version(object))).collect())
}

/// Keys that others lie below. Consoles make folders of empty objects whose keys end in a slash, which the library cuts off.
fn folders(objects: &[ObjectMeta]) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for object in objects {
        let key: &str = object.location.as_ref();
        // The folders above one that is known are known.
        for (at, _) in key.rmatch_indices('/') {
            if !key.get(..at).is_some_and(|folder| folders.insert(folder.to_owned())) {
                break;
            }
        }
    }
    folders
}

/// Azure quotes a tag when it gives the object, and not when it lists it.
fn version(object: &ObjectMeta) -> Version {
    Version { bytes: object.size, e_tag: object.e_tag.as_ref().map(|tag| tag.trim_matches('"').to_owned()) }
}

/// Copies all bytes of the object.
pub(super) async fn fetch(
    store: &dyn ObjectStore,
    url: &RemoteUrl,
    listed: Option<&Version>,
    copy: &mut ShelfWriter<'_>,
) -> Result<(), Failure> {
    let key = Path::parse(url.key()).ok().filter(|key| key.as_ref() == url.key());
    let key = key.ok_or_else(|| Failure::Unfit {
        what: format!("the key \"{}\" has an empty part, or one of dots", url.key()),
        advice: "copy the object to another key",
    })?;
    let answer = store.get_opts(&key, GetOptions::default()).await.map_err(failure)?;
    let now = version(&answer.meta);
    if listed.is_some_and(|listed| !listed.agrees(&now)) {
        return Err(Failure::Changed);
    }
    let mut body = answer.into_stream();
    loop {
        match body.try_next().await {
            Ok(Some(bytes)) => copy.write_all(&bytes).map_err(Failure::Spool)?,
            Ok(None) if copy.bytes() == now.bytes => return Ok(()),
            Ok(None) => {
                let reason = "the answer ended".to_owned();
                return Err(Failure::CutOff { bytes: copy.bytes(), of: Some(now.bytes), reason });
            }
            Err(error) => {
                return Err(Failure::CutOff { bytes: copy.bytes(), of: Some(now.bytes), reason: innermost(&error) });
            }
        }
    }
}

fn failure(error: Error) -> Failure {
    let text = error.to_string();
    if METADATA.iter().any(|server| text.contains(server)) {
        return Failure::NoAccess("neither the environment nor this machine has credentials".into());
    }
    let status = match &error {
        Error::NotFound { .. } => Some(404),
        Error::PermissionDenied { .. } => Some(403),
        Error::Unauthenticated { .. } => Some(401),
        Error::Precondition { .. } => return Failure::Changed,
        // The library keeps the status of other refusals to itself, but for its words.
        _ => text.split_once("status code: ").and_then(|(_, rest)| rest.get(..3)?.parse().ok()),
    };
    match status {
        Some(status) => Failure::Status(status, code(&text)),
        None if text.contains("redirect without LOCATION") => Failure::Status(301, None),
        None => Failure::Unreachable(innermost(&error)),
    }
}

/// The store's own word for a refusal, as S3, Google and Azure write it in XML.
fn code(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    (code.len() < 80 && code.bytes().all(|byte| byte.is_ascii_alphanumeric())).then(|| code.to_owned())
}
