//! A connection to one store or server, and the small runtime that waits for its answers.

use super::failure::Failure;
use super::{store, web};
use crate::domain::RemoteUrl;
use crate::read::shelf::Shelf;
use crate::read::{OpenError, Stored};
use object_store::ObjectStore;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};

/// A connection, made when it is first needed. What it fetches shares one temporary file.
#[derive(Debug, Default)]
pub(super) struct Session(Mutex<Option<Connection>>);

#[derive(Debug)]
struct Connection {
    runtime: Runtime,
    server: Server,
    shelf: Shelf,
}

#[derive(Debug)]
enum Server {
    Store(Arc<dyn ObjectStore>),
    Web(reqwest::Client),
}

impl Session {
    /// Keys and versions of all objects that fit the pattern, in no order.
    pub(super) fn list(&self, url: &RemoteUrl) -> Result<Vec<(String, Version)>, OpenError> {
        self.with(url, |connection| match &connection.server {
            Server::Store(asked) => connection.runtime.block_on(store::list(asked.as_ref(), url)),
            Server::Web(_) => Ok(Vec::new()),
        })
    }

    /// The object's bytes, all of them.
    pub(super) fn fetch(&self, url: &RemoteUrl, listed: Option<&Version>, spool_folder: &Path) -> Result<Stored, OpenError> {
        self.with(url, |Connection { runtime, server, shelf }| {
            let mut copy = shelf.start(spool_folder).map_err(Failure::Spool)?;
            runtime.block_on(async {
                match server {
                    Server::Store(asked) => store::fetch(asked.as_ref(), url, listed, &mut copy).await,
                    Server::Web(client) => web::fetch(client, url, &mut copy).await,
                }
            })?;
            Ok(Stored::spooled(&url.shown(), copy.finish().map_err(Failure::Spool)?))
        })
    }

    fn with<T>(&self, url: &RemoteUrl, ask: impl FnOnce(&mut Connection) -> Result<T, Failure>) -> Result<T, OpenError> {
        // A panic elsewhere leaves nothing half-done here: the shelf's end moves only when an object is whole.
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match connection.take() {
            Some(opened) => Ok(opened),
            None => Connection::open(url),
        };
        opened.and_then(|opened| ask(connection.insert(opened))).map_err(|failure| failure.told(url))
    }
}

impl Connection {
    fn open(url: &RemoteUrl) -> Result<Self, Failure> {
        // An error says that the program has chosen its cryptography already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| Failure::Unreachable(error.to_string()))?;
        let server = if url.scheme().is_web() { Server::Web(web::client()?) } else { Server::Store(store::open(url)?) };
        Ok(Self { runtime, server, shelf: Shelf::default() })
    }
}

/// What tells one content of an object from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) bytes: u64,
    pub(super) e_tag: Option<String>,
}

impl Version {
    /// False when the object is another now, as far as size and tag tell.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let tags = self.e_tag.as_ref().zip(other.e_tag.as_ref());
        self.bytes == other.bytes && tags.is_none_or(|(one, another)| one == another)
    }
}
