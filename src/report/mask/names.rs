//! By which name a masked value goes: a number within one report, or a pseudonym that is the same wherever the key is the same.

use super::field::{Kind, kind_of_value};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

/// Signs of a pseudonym: digits and letters without those that are read for one another.
const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Signs of a pseudonym, five bits each. That among n values two share one has a chance of at most n²/2⁵¹: of 100,000 people, one in
/// 200,000; and then their first letters must be the same as well to make them look alike.
const PSEUDONYM: usize = 10;
/// Signs by which a key is told from others, and which tell nothing of it.
const KEY_ID: usize = 6;
/// Block of SHA-256 in bytes: what HMAC pads its key to.
const BLOCK: usize = 64;

/// What pseudonyms are made with: who has it can try names, who has not cannot.
#[derive(Clone)]
pub struct PseudonymKey(Hmac<Sha256>);

/// Why something is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakKey {
    /// Fewer bytes than [`PseudonymKey::SHORTEST`].
    Short,
    /// Fewer different bytes than [`PseudonymKey::FEWEST_DIFFERENT`]: zeros, one letter again and again.
    Plain,
}

impl PseudonymKey {
    /// Bytes without blanks at the end; 32 hexadecimal digits hold 128 bits.
    pub const SHORTEST: usize = 32;
    pub const FEWEST_DIFFERENT: usize = 8;

    /// The key that a secret stands for; blanks and line ends after it are none of it.
    ///
    /// # Errors
    /// The secret could be guessed.
    pub fn of(secret: &[u8]) -> Result<Self, WeakKey> {
        let secret = secret.trim_ascii_end();
        if secret.len() < Self::SHORTEST {
            return Err(WeakKey::Short);
        }
        if secret.iter().collect::<BTreeSet<_>>().len() < Self::FEWEST_DIFFERENT {
            return Err(WeakKey::Plain);
        }
        // The secret may serve elsewhere, too: what is made here tells nothing of that.
        let own = told(mac(Sha256::digest(secret).into()), &[b"twicelog pseudonyms, 1"]);
        Ok(Self(mac(own)))
    }

    /// By which two reports show that they were made with the same key.
    pub fn id(&self) -> String {
        signs(&told(self.0.clone(), &[b"which key"]), KEY_ID)
    }

    /// The same for the same value of the same kind, however it is written.
    fn pseudonym(&self, kind: Kind, value: &str) -> String {
        let kind = kind_of_value(kind, value);
        signs(&told(self.0.clone(), &[kind.name().as_bytes(), b"\0", kind.plain(value).as_bytes()]), PSEUDONYM)
    }
}

impl fmt::Debug for PseudonymKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PseudonymKey({})", self.id())
    }
}

fn mac(key: [u8; 32]) -> Hmac<Sha256> {
    let mut block = [0; BLOCK];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = from);
    <Hmac<Sha256> as KeyInit>::new(&block.into())
}

fn told(mut mac: Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// The first bits, five for each sign.
fn signs(bytes: &[u8; 32], count: usize) -> String {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(byte >> (7 - at % 8) & 1));
    let sign = |at: usize| (0..5).fold(0, |sign, next| sign << 1 | bit(5 * at + next));
    (0..count).map(|at| SIGNS.get(sign(at)).map_or('-', |sign| char::from(*sign))).collect()
}

/// What stands for masked values.
#[derive(Clone, Debug)]
pub(super) enum Names {
    /// In the order of appearance: says nothing outside of the report, and cannot be searched for.
    Numbers {
        known: Arc<Known>,
        fresh: BTreeMap<Value, u64>,
        /// The last number that was given here.
        last: u64,
        /// Numbers that values bear which were masked before: nobody else gets them.
        borne: BTreeSet<u64>,
    },
    Pseudonyms(PseudonymKey),
}

/// A kind, and a value of it without what its writing varies in.
type Value = (Kind, String);

/// Who has a number, and the last number that was given.
#[derive(Debug, Default)]
pub(super) struct Known {
    numbers: HashMap<Value, u64>,
    last: u64,
    borne: BTreeSet<u64>,
}

/// What has to be numbered: values in the order in which they came, and numbers that are not free.
#[derive(Default)]
pub(super) struct Met {
    values: Vec<Value>,
    borne: BTreeSet<u64>,
}

impl Names {
    pub(super) fn none_yet() -> Self {
        Self::numbers(Known::default())
    }

    fn numbers(known: Known) -> Self {
        let last = known.last;
        Self::Numbers { known: Arc::new(known), fresh: BTreeMap::new(), last, borne: BTreeSet::new() }
    }

    /// The name of a value; one that has none gets the next number.
    pub(super) fn of(&mut self, kind: Kind, value: &str) -> String {
        match self {
            Self::Pseudonyms(key) => key.pseudonym(kind, value),
            Self::Numbers { known, fresh, last, borne } => {
                let kind = kind_of_value(kind, value);
                let value = (kind, kind.plain(value));
                let known_number = known.numbers.get(&value).or_else(|| fresh.get(&value)).copied();
                let number = known_number.unwrap_or_else(|| {
                    *last = next_free(*last, |number| borne.contains(&number) || known.borne.contains(&number));
                    fresh.insert(value, *last);
                    *last
                });
                number.to_string()
            }
        }
    }

    /// A value was masked before, and bears this name.
    pub(super) fn bear(&mut self, name: &str) {
        if let (Self::Numbers { borne, .. }, Ok(number)) = (self, name.parse()) {
            borne.insert(number);
        }
    }

    /// The values that got numbers, in their order, and the numbers that were not free.
    pub(super) fn met(self) -> Met {
        let Self::Numbers { fresh, borne, .. } = self else { return Met::default() };
        let mut numbered: Vec<(Value, u64)> = fresh.into_iter().collect();
        numbered.sort_unstable_by_key(|(_, number)| *number);
        Met { values: numbered.into_iter().map(|(value, _)| value).collect(), borne }
    }

    /// These values, numbered in the order in which they come first.
    pub(super) fn in_order(met: Vec<Met>) -> Self {
        let mut known = Known::default();
        let (values, borne): (Vec<_>, Vec<_>) = met.into_iter().map(|met| (met.values, met.borne)).unzip();
        known.borne = borne.into_iter().flatten().collect();
        for value in values.into_iter().flatten() {
            let next = next_free(known.last, |number| known.borne.contains(&number));
            if *known.numbers.entry(value).or_insert(next) == next {
                known.last = next;
            }
        }
        Self::numbers(known)
    }
}

/// The first number after `last` that nobody bears.
fn next_free(last: u64, is_borne: impl Fn(u64) -> bool) -> u64 {
    (last + 1..).find(|number| !is_borne(*number)).unwrap_or(u64::MAX)
}

/// Whether [`Names::of`] may have given this name. A pseudonym of digits alone, one of a hundred thousand, is taken for none: a log could
/// write a telephone number so.
pub(super) fn may_be_name(name: &str) -> bool {
    const MOST_DIGITS: usize = 7;
    let is_number =
        (1..=MOST_DIGITS).contains(&name.len()) && !name.starts_with('0') && name.bytes().all(|sign| sign.is_ascii_digit());
    let is_pseudonym = name.len() == PSEUDONYM
        && name.bytes().all(|sign| SIGNS.contains(&sign))
        && name.bytes().any(|sign| sign.is_ascii_alphabetic());
    is_number || is_pseudonym
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(secret: &str) -> PseudonymKey {
        PseudonymKey::of(secret.as_bytes()).expect("a key")
    }

    const SECRET: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

    #[test]
    fn one_value_has_one_pseudonym_however_it_is_written() {
        let key = key(SECRET);
        let of = |kind, value| key.pseudonym(kind, value);
        let anna = of(Kind::Email, "anna@example.org");
        assert_eq!(anna.len(), PSEUDONYM);
        assert!(anna.bytes().all(|sign| SIGNS.contains(&sign)), "{anna}");
        assert_eq!(of(Kind::Person, " Anna@Example.ORG"), anna, "an actor is known by the address");
        assert_eq!(of(Kind::Phone, "+49 151 2345678"), of(Kind::Person, "+49 (151) 234-56-78"));
        assert_eq!(of(Kind::Account, "DE89 3704 0044 0532 0130 00"), of(Kind::Account, "de89370400440532013000"));
        // Ids of people may differ in nothing but the case.
        assert_ne!(of(Kind::Person, "cus_aB3"), of(Kind::Person, "cus_Ab3"));
        assert_ne!(of(Kind::Person, "1042"), of(Kind::Account, "1042"), "a user is no account");
    }

    #[test]
    fn another_key_gives_other_pseudonyms() {
        let (one, other) = (key(SECRET), key("another secret of thirty-two bytes"));
        assert_ne!(one.pseudonym(Kind::Email, "anna@example.org"), other.pseudonym(Kind::Email, "anna@example.org"));
        assert_ne!(one.id(), other.id());
        assert_eq!(one.id(), key(&format!("{SECRET}\r\n")).id(), "an editor's line end is no part of a key");
        assert_eq!(format!("{one:?}"), format!("PseudonymKey({})", one.id()));
    }

    /// Computed apart, with Python's hmac: reports of any version must agree.
    #[test]
    fn pseudonyms_stay_what_they_were() {
        let key = key(SECRET);
        assert_eq!(key.id(), "8hsf47");
        assert_eq!(key.pseudonym(Kind::Email, "anna@example.org"), "zad8ykmdc1");
    }

    #[test]
    fn what_could_be_guessed_is_no_key() {
        assert_eq!(PseudonymKey::of(b"").err(), Some(WeakKey::Short));
        assert_eq!(PseudonymKey::of(&SECRET.as_bytes()[1..]).err(), Some(WeakKey::Short));
        assert_eq!(PseudonymKey::of(format!("{}\n\n\n\n", &SECRET[4..]).as_bytes()).err(), Some(WeakKey::Short));
        assert_eq!(PseudonymKey::of(&[0; 64]).err(), Some(WeakKey::Plain));
        assert_eq!(PseudonymKey::of("abababab".repeat(8).as_bytes()).err(), Some(WeakKey::Plain));
    }
}
