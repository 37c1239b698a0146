//! Objects at URLs: listed, and fetched once into a temporary file, however often they are read.
//!
//! `session` holds the connection and runs what waits; `store` asks object stores, `web` asks web servers; `failure` puts into words why
//! an object did not arrive. A build without the feature `remote` has `absent` in place of these. Nothing else in the library is
//! asynchronous.

#[cfg(not(feature = "remote"))]
mod absent;
#[cfg(feature = "remote")]
mod failure;
#[cfg(feature = "remote")]
mod session;
#[cfg(feature = "remote")]
mod store;
#[cfg(feature = "remote")]
mod web;

use super::{OpenError, Stored};
use crate::domain::RemoteUrl;
#[cfg(not(feature = "remote"))]
use absent::{Session, Version};
#[cfg(feature = "remote")]
use session::{Session, Version};
use std::cmp::Ordering;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An object at a URL. Two are the same when their URLs are.
#[derive(Clone, Debug)]
pub struct Remote {
    url: RemoteUrl,
    /// What the store said when it was asked for all objects of a pattern.
    listed: Option<Version>,
    session: Arc<Session>,
    fetched: Arc<OnceLock<Result<Stored, OpenError>>>,
}

impl Remote {
    /// The object that a URL names, or those that fit its pattern, by key. Where the store does not tell which, the pattern itself, which
    /// fails as the listing did.
    pub(super) fn expand(url: RemoteUrl) -> Vec<Self> {
        let session: Arc<Session> = Arc::default();
        if !url.is_pattern() {
            return vec![Self { url, listed: None, session, fetched: Arc::default() }];
        }
        let mut found = match session.list(&url) {
            Ok(found) => found,
            Err(error) => return vec![Self { url, listed: None, session, fetched: Arc::new(OnceLock::from(Err(error))) }],
        };
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let object = |(key, version): (String, Version)| Self {
            url: url.sibling(&key),
            listed: Some(version),
            session: Arc::clone(&session),
            fetched: Arc::default(),
        };
        found.into_iter().map(object).collect()
    }

    pub(super) fn url(&self) -> &RemoteUrl {
        &self.url
    }

    /// The object's bytes, fetched by the first that asks.
    pub(super) fn stored(&self, spool_folder: &Path) -> Result<Stored, OpenError> {
        let fetch = || self.session.fetch(&self.url, self.listed.as_ref(), spool_folder);
        self.fetched.get_or_init(fetch).clone()
    }
}

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for Remote {}

impl PartialOrd for Remote {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Remote {
    fn cmp(&self, other: &Self) -> Ordering {
        self.url.cmp(&other.url)
    }
}
