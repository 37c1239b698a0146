//! Why an object did not arrive, in words.

use crate::domain::{RemoteUrl, Scheme};
use crate::read::OpenError;
use std::error::Error;
use std::io;

/// Why an object did not arrive, or was not listed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused, with an HTTP status and, where the store gave one, a code of its own: `AccessDenied`.
    Status(u16, Option<String>),
    /// Nothing answered, or not in time, or not who it should be.
    Unreachable(String),
    /// The environment does not say as whom to ask and where, or nothing that makes sense.
    NoAccess(String),
    /// Fewer bytes than the object has.
    CutOff { bytes: u64, of: Option<u64>, reason: String },
    /// The object is another than the one that was listed, or than its first part was of.
    Changed,
    /// The server's answer is none that can be trusted.
    Unfit { what: String, advice: &'static str },
    /// The temporary file.
    Spool(io::Error),
}

impl Failure {
    pub(super) fn told(self, url: &RemoteUrl) -> OpenError {
        let scheme = url.scheme();
        let (what, advice) = match self {
            Self::Spool(error) => return OpenError::Spool { file: url.shown(), reason: error.to_string() },
            Self::Status(status, code) => {
                let code = code.map(|code| format!(", \"{code}\"")).unwrap_or_default();
                (format!("the server answered {status} ({}){code}", meaning(status)), advice_on(status, scheme).to_owned())
            }
            Self::Unreachable(reason) if reason.contains("certificate") => {
                let advice = "check the address, or name the authority's certificate in SSL_CERT_FILE";
                (format!("the server cannot be trusted: {reason}"), advice.to_owned())
            }
            Self::Unreachable(reason) => {
                (format!("cannot be fetched: {reason}"), "check the address and the network, and scan again".into())
            }
            Self::NoAccess(reason) => (format!("access cannot be set up: {reason}"), credentials(scheme).to_owned()),
            Self::CutOff { bytes, of, reason } => {
                let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
                let what = format!("cut off: {bytes}{of} bytes arrived: {reason}");
                (what, "scan again, or save the object to a file and scan that".into())
            }
            Self::Changed => ("changed while it was read".into(), "scan again when nothing writes to it".into()),
            Self::Unfit { what, advice } => (what, advice.to_owned()),
        };
        OpenError::Remote { url: url.shown(), what, advice }
    }
}

/// What the innermost of several errors says: the outer ones repeat the URL, secrets and all.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let text = inner.to_string();
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

fn meaning(status: u16) -> &'static str {
    match status {
        301 | 302 | 307 | 308 => "it is elsewhere",
        400 => "the request makes no sense to it",
        401 => "who asks is unknown",
        403 => "not permitted",
        404 => "not there",
        410 => "not there any more",
        416 => "that part is not there",
        429 => "too many requests",
        500..=599 => "the server has trouble",
        _ => "unexpected",
    }
}

fn advice_on(status: u16, scheme: Scheme) -> &'static str {
    match status {
        401 | 403 if scheme.is_web() => "check that the URL is whole, and that its signature has not expired",
        400 | 401 | 403 => credentials(scheme),
        301 | 302 | 307 | 308 if scheme == Scheme::S3 => "set AWS_REGION to the bucket's region",
        404 | 410 if scheme.is_web() => "check the URL",
        404 | 410 => "check bucket and key; a pattern tells which objects there are",
        _ => "scan again later, or save the object to a file and scan that",
    }
}

fn credentials(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::S3 => {
            "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION of someone who may read it, or AWS_SKIP_SIGNATURE=true if everyone may"
        }
        Scheme::Gs => "set GOOGLE_APPLICATION_CREDENTIALS to the key file of someone who may read it",
        Scheme::Az | Scheme::Abfss => {
            "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN of someone who may read it"
        }
        Scheme::Https | Scheme::Http => "check the URL",
    }
}
