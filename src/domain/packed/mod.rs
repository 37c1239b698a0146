//! Packed things: events, groups and findings as bytes, a fraction of the memory of their many small strings.
//!
//! The form lives no longer than a run. Whoever adds a member to one of these types names it in its list, or it does not compile.

mod event;
mod finding;
mod plain;

use std::io;
use std::sync::Arc;

/// A thing that can lie in a store.
pub trait Pack: Sized {
    fn pack(&self, out: &mut Vec<u8>);

    /// None where the bytes are no such thing.
    fn unpack(from: &mut Packed<'_>) -> Option<Self>;
}

/// Bytes that are being unpacked.
pub struct Packed<'p> {
    bytes: &'p [u8],
    names: &'p mut Names,
}

impl<'p> Packed<'p> {
    /// The next byte, for choices.
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// The next bytes, for what unpacks itself.
    pub fn bytes(&mut self, count: usize) -> Option<&'p [u8]> {
        let (bytes, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn text(&mut self) -> Option<&'p str> {
        let length = usize::try_from(u64::unpack(self)?).ok()?;
        std::str::from_utf8(self.bytes(length)?).ok()
    }

    /// A number of things that follow: never more than there are bytes.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(u64::unpack(self)?).ok().filter(|count| *count <= self.bytes.len())
    }
}

/// Names of sources and files that were met last: records that follow each other share them.
#[derive(Default)]
pub struct Names {
    recent: [Option<Arc<str>>; 4],
    next: usize,
}

impl Names {
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.recent.iter().flatten().find(|known| ***known == *text) {
            return Arc::clone(known);
        }
        let name: Arc<str> = text.into();
        self.next = (self.next + 1) % self.recent.len();
        if let Some(slot) = self.recent.get_mut(self.next) {
            *slot = Some(Arc::clone(&name));
        }
        name
    }
}

/// Unpacks all of these bytes.
///
/// # Errors
/// They are no such thing.
pub fn unpacked<T: Pack>(bytes: &[u8], names: &mut Names) -> io::Result<T> {
    let mut packed = Packed { bytes, names };
    let thing = T::unpack(&mut packed).filter(|_| packed.bytes.is_empty());
    thing.ok_or_else(|| io::Error::other("a temporary file was changed by somebody else"))
}

/// Packs a struct member by member.
macro_rules! pack_members {
    ($name:ty { $($member:ident),* $(,)? }) => {
        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                let Self { $($member),* } = self;
                $($member.pack(out);)*
            }

            fn unpack(from: &mut Packed<'_>) -> Option<Self> {
                $(let $member = Pack::unpack(from)?;)*
                Some(Self { $($member),* })
            }
        }
    };
}

/// Packs a choice as one byte.
macro_rules! pack_choice {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                out.push(match self { $(Self::$variant => Self::$variant as u8),* });
            }

            fn unpack(from: &mut Packed<'_>) -> Option<Self> {
                let code = from.byte()?;
                [$(Self::$variant),*].into_iter().find(|choice| *choice as u8 == code)
            }
        }
    };
}

pub(crate) use {pack_choice, pack_members};
