//! URLs of inputs: which store or server holds an object, under which key, and how it is told without its secrets.

use std::path::Path;
use thiserror::Error;

/// What an object is fetched from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// Amazon S3, and what speaks like it.
    S3,
    /// Google Cloud Storage.
    Gs,
    /// A container of the Azure account that the environment names.
    Az,
    /// A container and the Azure account it is in: `abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY`.
    Abfss,
    Https,
    Http,
}

impl Scheme {
    pub const ALL: [Self; 6] = [Self::S3, Self::Gs, Self::Az, Self::Abfss, Self::Https, Self::Http];

    pub fn name(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Gs => "gs",
            Self::Az => "az",
            Self::Abfss => "abfss",
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    /// True of web servers, which give single objects and list none.
    pub fn is_web(self) -> bool {
        matches!(self, Self::Https | Self::Http)
    }
}

/// A checked URL of an object, or of all objects that fit a pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RemoteUrl {
    /// As written; it may hold a password or a signature.
    text: String,
    scheme: Scheme,
    authority: String,
    /// What follows the first slash. In a store the key as it is, nothing decoded; of a web server's URL also the query.
    key: String,
}

/// Why a URL cannot be read, told without its secrets.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{url}: {what}; {advice}")]
pub struct UrlError {
    pub url: String,
    pub what: String,
    pub advice: String,
}

/// Query parameters that give access to whoever has them.
const SIGNATURES: [&str; 3] = ["sig=", "x-amz-signature=", "x-goog-signature="];

impl RemoteUrl {
    /// None: a path, not a URL.
    ///
    /// # Errors
    /// The scheme is none that is read, or the URL names no object.
    pub fn of(path: &Path) -> Option<Result<Self, UrlError>> {
        let text = path.to_str()?;
        let (scheme, rest) = text.split_once("://")?;
        let first = scheme.bytes().next()?;
        let is_scheme =
            first.is_ascii_alphabetic() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        is_scheme.then(|| Self::parse(text, scheme, rest))
    }

    fn parse(text: &str, scheme: &str, rest: &str) -> Result<Self, UrlError> {
        let Some(scheme) = Scheme::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(scheme)) else {
            let shown = format!("{scheme}://{}", without_query(without_user(rest)));
            let known = Scheme::ALL.map(Scheme::name).join(", ");
            return Err(UrlError {
                url: shown,
                what: format!("the scheme \"{scheme}\" is not read"),
                advice: format!("known are {known}; save the file, and name its path"),
            });
        };
        let rest = if scheme.is_web() { rest.split('#').next().unwrap_or(rest) } else { rest };
        let end = rest.find(|c| c == '/' || (c == '?' && scheme.is_web())).unwrap_or(rest.len());
        let (authority, key) = rest.split_at(end);
        let url = Self {
            text: text.to_owned(),
            scheme,
            authority: authority.to_owned(),
            key: key.strip_prefix('/').unwrap_or(key).to_owned(),
        };
        url.check()?;
        Ok(url)
    }

    fn check(&self) -> Result<(), UrlError> {
        let wrong = |what: &str, advice: String| Err(UrlError { url: self.shown(), what: what.to_owned(), advice });
        if self.scheme.is_web() {
            if self.host().is_empty() {
                return wrong("names no server", format!("write {}://SERVER/PATH", self.scheme.name()));
            }
            if self.shown_key().contains('*') {
                return wrong("a web server cannot be asked which objects it has", "name each of them".into());
            }
            return Ok(());
        }
        if self.scheme == Scheme::Abfss {
            let is_whole = matches!(self.authority.split_once('@'), Some((container, account))
                if !container.is_empty() && !container.contains(':') && !account.is_empty());
            if !is_whole {
                return wrong(
                    "names no container and account",
                    "write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY".into(),
                );
            }
        } else if self.authority.contains('@') {
            return wrong("a password in the URL is not used", "set it in the environment, and leave it out of the URL".into());
        } else if self.authority.is_empty() {
            return wrong("names no bucket", format!("write {}://BUCKET/KEY", self.scheme.name()));
        }
        if self.signature().is_some() {
            let advice = "write the whole https:// URL that was given out, or set the key in the environment";
            return wrong("is signed, and a signature belongs to a URL of https", advice.into());
        }
        if self.key.is_empty() || self.key.ends_with('/') {
            let slash = if self.key.is_empty() { "/" } else { "" };
            let shown = self.shown();
            let shown = if self.key.is_empty() { shown.trim_end_matches('/') } else { &shown };
            return wrong(
                "names a folder, and no object",
                format!("name the objects in it by a pattern such as \"{shown}{slash}*.csv\""),
            );
        }
        if let Err(error) = glob::Pattern::new(&self.key) {
            return wrong(&format!("is no pattern: {}", error.msg), "write [*], [?] and [[] for the signs themselves".into());
        }
        Ok(())
    }

    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// As written, with whatever secrets it holds: for asking the server, never for showing.
    pub fn with_secrets(&self) -> &str {
        &self.text
    }

    /// The bucket, or the container.
    pub fn bucket(&self) -> &str {
        self.authority.split_once('@').map_or(self.authority.as_str(), |(container, _)| container)
    }

    /// The server, with its port.
    pub fn host(&self) -> &str {
        without_user(&self.authority)
    }

    /// What stands after the bucket; a pattern where [`Self::is_pattern`] says so.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// True when the store has to be asked which objects are meant.
    pub fn is_pattern(&self) -> bool {
        !self.scheme.is_web() && self.key.contains(['*', '?', '['])
    }

    /// The object of the same bucket under this key, which is no pattern whatever signs it holds.
    pub fn sibling(&self, key: &str) -> Self {
        let text = format!("{}://{}/{key}", self.scheme.name(), self.authority);
        Self { text, key: key.to_owned(), ..self.clone() }
    }

    /// The URL that a configuration writes for exactly this object of a store, with the signs of a pattern escaped.
    pub fn as_pattern(&self) -> String {
        format!("{}://{}/{}", self.scheme.name(), self.authority, glob::Pattern::escape(&self.key))
    }

    /// How results and messages call it: no user, no password, no query.
    pub fn shown(&self) -> String {
        // What stands before the @ is the container's name there, unless it has a password.
        let is_container = self.scheme == Scheme::Abfss && !self.bucket().contains(':');
        let authority = if is_container { &self.authority } else { self.host() };
        format!("{}://{authority}/{}", self.scheme.name(), self.shown_key())
    }

    /// The last part of the key.
    pub fn file_name(&self) -> &str {
        self.shown_key().rsplit('/').next().unwrap_or_default()
    }

    /// True when what [`Self::shown`] leaves out may be needed to read it.
    pub fn has_secrets(&self) -> bool {
        self.scheme.is_web() && (self.key.contains('?') || self.authority.contains('@'))
    }

    fn shown_key(&self) -> &str {
        match self.signature() {
            Some(at) => self.key.get(..at).unwrap_or_default(),
            None if self.scheme.is_web() => without_query(&self.key),
            None => &self.key,
        }
    }

    /// Where the query starts that holds a signature.
    fn signature(&self) -> Option<usize> {
        let at = self.key.find('?')?;
        let query = self.key.get(at..)?.to_ascii_lowercase();
        SIGNATURES.iter().any(|name| query.contains(&format!("?{name}")) || query.contains(&format!("&{name}"))).then_some(at)
    }
}

/// Secrets do not reach logs by way of `{:?}` either.
impl std::fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.shown())
    }
}

fn without_user(rest: &str) -> &str {
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, _) = rest.split_at(end);
    authority.rfind('@').and_then(|at| rest.get(at + 1..)).unwrap_or(rest)
}

fn without_query(text: &str) -> &str {
    text.split(['?', '#']).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> RemoteUrl {
        RemoteUrl::of(Path::new(text)).unwrap().unwrap()
    }

    fn wrong(text: &str) -> String {
        RemoteUrl::of(Path::new(text)).unwrap().unwrap_err().to_string()
    }

    #[test]
    fn a_path_is_no_url() {
        for path in ["pay.csv", "./a:b.csv", "C:\\pay.csv", "/x//y", "://x", "1a://x", "-"] {
            assert_eq!(RemoteUrl::of(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_key_is_taken_as_it_is() {
        let object = url("S3://bucket/exports/a%20b #1+.csv");
        assert_eq!((object.scheme(), object.bucket(), object.key()), (Scheme::S3, "bucket", "exports/a%20b #1+.csv"));
        assert!(!object.is_pattern() && url("gs://b/x-*.csv").is_pattern() && url("az://b/[ab].csv").is_pattern());
        let azure = url("abfss://box@acct.dfs.core.windows.net/x.csv");
        assert_eq!((azure.bucket(), azure.host(), azure.key()), ("box", "acct.dfs.core.windows.net", "x.csv"));
        assert_eq!(azure.sibling("a*b").shown(), "abfss://box@acct.dfs.core.windows.net/a*b");
    }

    #[test]
    fn secrets_are_not_shown() {
        let signed = url("https://anna:secret@files.example:8443/a/pay.csv?X-Amz-Signature=secret#part");
        assert_eq!(signed.shown(), "https://files.example:8443/a/pay.csv");
        assert_eq!((signed.file_name(), signed.has_secrets(), signed.is_pattern()), ("pay.csv", true, false));
        assert!(!format!("{signed:?}").contains("secret") && signed.with_secrets().contains("secret"));
        for text in [
            "s3://anna:secret@bucket/pay.csv",
            "abfss://anna:secret@acct.dfs.core.windows.net/pay.csv",
            "az://box/pay.csv?sv=1&sig=secret",
            "ftp://anna:secret@host/x?token=secret",
            "https://h/*.csv?token=secret",
        ] {
            assert!(!wrong(text).contains("secret"), "{}", wrong(text));
        }
    }

    #[test]
    fn a_folder_offers_its_pattern() {
        assert!(wrong("s3://bucket/exports/").contains("\"s3://bucket/exports/*.csv\""));
        assert!(wrong("gs://bucket").contains("\"gs://bucket/*.csv\""));
        assert!(wrong("gs://bucket/").contains("\"gs://bucket/*.csv\""));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, part) in [
            ("file:///tmp/x.csv", "the scheme \"file\" is not read"),
            ("s3:///x.csv", "names no bucket"),
            ("https:///x.csv", "names no server"),
            ("https://host/*.csv", "name each of them"),
            ("abfss://box/x.csv", "CONTAINER@ACCOUNT"),
            ("s3://b/x[.csv", "is no pattern"),
        ] {
            assert!(wrong(text).contains(part), "{text}: {}", wrong(text));
        }
    }
}
