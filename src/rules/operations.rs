//! Effect kinds by the name of the operation.

use crate::domain::EffectKind;

/// Shell-like patterns: `*` any run of characters, `?` one character; everything else literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs(Vec<String>);

impl Globs {
    pub fn new(patterns: Vec<String>) -> Self {
        Self(patterns)
    }

    pub fn patterns(&self) -> &[String] {
        &self.0
    }

    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| glob_matches(pattern.as_bytes(), name.as_bytes()))
    }

    /// True when one of the patterns is exactly this name, without a wildcard.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern == name)
    }
}

/// True when a shell-like pattern fits the whole name. Greedy matching with one step of memory: linear for all practical patterns, at worst pattern × name.
pub fn glob_matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p + 1, n));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                n += 1;
                // One character may be several bytes.
                while name.get(n).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    n += 1;
                }
            }
            Some(byte) if *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((after, from)) => {
                    p = after;
                    n = from + 1;
                    star = Some((after, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// What repeats of operations do, as one source sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// The tables of `[operations]` of the configuration. An exact name outranks a pattern; among equals the order decides.
    pub lists: Vec<(EffectKind, Globs)>,
    /// Those of the source's profile, for operations that the configuration does not name.
    pub of_profile: Vec<(EffectKind, Globs)>,
}

impl Operations {
    /// True when some operation undoes what others did.
    pub fn names_reversals(&self) -> bool {
        let mut all = self.lists.iter().chain(&self.of_profile);
        all.any(|(kind, globs)| *kind == EffectKind::Reversal && !globs.patterns().is_empty())
    }

    /// The kind of an operation; `Create` for one that no list names.
    pub fn kind_of(&self, operation: &str) -> EffectKind {
        kind_in(&self.lists, operation).or_else(|| kind_in(&self.of_profile, operation)).unwrap_or(EffectKind::Create)
    }
}

fn kind_in(lists: &[(EffectKind, Globs)], operation: &str) -> Option<EffectKind> {
    let exact = lists.iter().find(|(_, globs)| globs.names(operation));
    exact.or_else(|| lists.iter().find(|(_, globs)| globs.matches(operation))).map(|(kind, _)| *kind)
}
