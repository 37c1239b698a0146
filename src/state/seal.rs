//! Sealing: what a state keeps of records can be read, and changed, only with the key, and opened only where it belongs.

use super::StateError;
use super::key;
use crate::domain::zstd_frame;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use std::path::Path;

/// Bytes of a nonce: enough that random ones never meet.
const NONCE: usize = 24;
/// Effort of zstd: what is carried is packed already, the rest is text.
const LEVEL: i32 = 1;

/// Seals and opens with one key.
pub(super) struct Sealer(XChaCha20Poly1305);

impl Sealer {
    pub fn new(key: [u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&key.into()))
    }

    /// Packs and seals. `database` is for the error only.
    pub fn seal(&self, belongs_to: &str, plain: &[u8], database: &Path) -> Result<Vec<u8>, StateError> {
        let packed = zstd_frame::pack(plain, LEVEL).map_err(|error| StateError::not_written(database, error))?;
        let nonce: [u8; NONCE] = key::random(database)?;
        let payload = Payload { msg: &packed, aad: belongs_to.as_bytes() };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let sealed =
            sealed.map_err(|_| StateError::not_written(database, format_args!("{belongs_to} is too large to be sealed")))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// None where it was not sealed with this key, for this place, exactly as it is.
    pub fn open(&self, belongs_to: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let packed = self.0.decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: belongs_to.as_bytes() }).ok()?;
        zstd_frame::unpack(&packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_only_as_it_is_and_where_it_belongs() {
        let sealer = Sealer::new([7; 32]);
        let sealed = sealer.seal("seen/1", b"anna, 59.00", Path::new("x")).unwrap();
        assert_eq!(sealer.open("seen/1", &sealed).as_deref(), Some(&b"anna, 59.00"[..]));
        assert!(sealer.open("seen/2", &sealed).is_none());
        assert!(Sealer::new([8; 32]).open("seen/1", &sealed).is_none());
        assert_ne!(sealer.seal("seen/1", b"anna, 59.00", Path::new("x")).unwrap(), sealed, "a nonce is never used twice");
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert!(sealer.open("seen/1", &damaged).is_none(), "byte {at}");
            assert!(sealer.open("seen/1", &sealed[..at]).is_none(), "cut at {at}");
        }
    }
}
