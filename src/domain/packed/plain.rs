//! Numbers, texts and lists, packed.

use super::{Pack, Packed};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Pack for u64 {
    /// Seven bits a byte, the lowest first.
    fn pack(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = from.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

impl Pack for usize {
    fn pack(&self, out: &mut Vec<u8>) {
        (*self as u64).pack(out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Self::try_from(u64::unpack(from)?).ok()
    }
}

impl Pack for i64 {
    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        from.array().map(Self::from_le_bytes)
    }
}

impl Pack for u128 {
    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        from.array().map(Self::from_le_bytes)
    }
}

impl Pack for f64 {
    /// Bit by bit: what comes back is the same number.
    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bits().to_le_bytes());
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Some(Self::from_bits(u64::from_le_bytes(from.array()?)))
    }
}

impl Pack for bool {
    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

pub(super) fn pack_text(text: &str, out: &mut Vec<u8>) {
    text.len().pack(out);
    out.extend_from_slice(text.as_bytes());
}

impl Pack for String {
    fn pack(&self, out: &mut Vec<u8>) {
        pack_text(self, out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        from.text().map(str::to_owned)
    }
}

impl Pack for Arc<str> {
    fn pack(&self, out: &mut Vec<u8>) {
        pack_text(self, out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        let text = from.text()?;
        Some(from.names.shared(text))
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        self.is_some().pack(out);
        if let Some(thing) = self {
            thing.pack(out);
        }
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        if bool::unpack(from)? { T::unpack(from).map(Some) } else { Some(None) }
    }
}

impl<T: Pack> Pack for Box<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        (**self).pack(out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        T::unpack(from).map(Self::new)
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        self.len().pack(out);
        self.iter().for_each(|thing| thing.pack(out));
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        (0..from.count()?).map(|_| T::unpack(from)).collect()
    }
}

impl<T: Pack> Pack for BTreeMap<String, T> {
    fn pack(&self, out: &mut Vec<u8>) {
        self.len().pack(out);
        for (name, thing) in self {
            name.pack(out);
            thing.pack(out);
        }
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        (0..from.count()?).map(|_| Some((String::unpack(from)?, T::unpack(from)?))).collect()
    }
}

impl Pack for [u64; 2] {
    fn pack(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|number| number.pack(out));
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Some([u64::unpack(from)?, u64::unpack(from)?])
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

impl<A: Pack, B: Pack, C: Pack> Pack for (A, B, C) {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
        self.2.pack(out);
    }

    fn unpack(from: &mut Packed<'_>) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?, C::unpack(from)?))
    }
}
