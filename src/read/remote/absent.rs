//! A build that reads no URLs, and says so.

use crate::domain::RemoteUrl;
use crate::read::{OpenError, Stored};
use std::path::Path;

/// What a connection would be.
#[derive(Debug, Default)]
pub(super) struct Session;

/// There is none, because nothing is ever listed.
#[derive(Clone, Debug)]
pub(super) enum Version {}

impl Session {
    pub(super) fn list(&self, url: &RemoteUrl) -> Result<Vec<(String, Version)>, OpenError> {
        Err(Self::refuse(url))
    }

    pub(super) fn fetch(&self, url: &RemoteUrl, _: Option<&Version>, _: &Path) -> Result<Stored, OpenError> {
        Err(Self::refuse(url))
    }

    fn refuse(url: &RemoteUrl) -> OpenError {
        OpenError::Remote {
            url: url.shown(),
            what: format!("this build does not read {}:// URLs", url.scheme().name()),
            advice: "build twicelog with the feature \"remote\", or save the object to a file and scan that".into(),
        }
    }
}
