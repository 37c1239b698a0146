//! Ascending hashes of a day's records: at hand, or where a state keeps them until somebody asks.

use serde::de::Deserializer;
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Where hashes are kept.
pub trait Keeper: Send + Sync {
    /// The hashes, ascending; None where they do not come back.
    fn fetch(&self) -> Option<Vec<u64>>;

    /// Whatever tells these hashes from all others, to whoever keeps them.
    fn digest(&self) -> &[u8];
}

/// Most days of the past are not asked for on a night. Theirs stay where they are, and go on to the next night unseen.
#[derive(Clone)]
pub struct Hashes {
    list: OnceLock<Arc<Vec<u64>>>,
    keeper: Option<Arc<dyn Keeper>>,
}

impl Hashes {
    /// Hashes that stay with their keeper for now.
    pub fn kept(keeper: Arc<dyn Keeper>) -> Self {
        Self { list: OnceLock::new(), keeper: Some(keeper) }
    }

    /// All of them; None where they do not come back from where they are kept.
    pub fn all(&self) -> Option<&[u64]> {
        if self.list.get().is_none() {
            let fetched = self.keeper.as_ref()?.fetch()?;
            // Somebody else may have been faster, with the same.
            let _ = self.list.set(Arc::new(fetched));
        }
        self.list.get().map(|list| list.as_slice())
    }

    /// Who keeps them just as they are.
    pub fn keeper(&self) -> Option<&dyn Keeper> {
        self.keeper.as_deref()
    }
}

impl Default for Hashes {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl From<Vec<u64>> for Hashes {
    fn from(list: Vec<u64>) -> Self {
        Self { list: OnceLock::from(Arc::new(list)), keeper: None }
    }
}

impl PartialEq for Hashes {
    fn eq(&self, other: &Self) -> bool {
        match (self.keeper(), other.keeper()) {
            (Some(one), Some(other)) if one.digest() == other.digest() => true,
            _ => self.all() == other.all(),
        }
    }
}

impl Eq for Hashes {}

impl fmt::Debug for Hashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().fmt(f)
    }
}

impl Serialize for Hashes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all().ok_or_else(|| S::Error::custom("hashes do not come back from where they are kept"))?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Hashes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shelf(Option<Vec<u64>>);

    impl Keeper for Shelf {
        fn fetch(&self) -> Option<Vec<u64>> {
            self.0.clone()
        }

        fn digest(&self) -> &[u8] {
            b"shelf"
        }
    }

    #[test]
    fn kept_hashes_are_the_same_hashes_once_somebody_asks() {
        let (listed, kept) = (Hashes::from(vec![1, 5]), Hashes::kept(Arc::new(Shelf(Some(vec![1, 5])))));
        assert!(kept.list.get().is_none());
        assert_eq!((&listed, kept.all()), (&kept, Some(&[1, 5][..])));
        assert_eq!(serde_json::to_string(&kept).unwrap(), "[1,5]");
        assert!(listed.keeper().is_none() && kept.keeper().is_some());
    }

    #[test]
    fn hashes_that_do_not_come_back_are_no_hashes() {
        let gone = Hashes::kept(Arc::new(Shelf(None)));
        assert_eq!(gone.all(), None);
        assert_ne!(gone, Hashes::default());
        assert!(serde_json::to_string(&gone).is_err());
    }
}
