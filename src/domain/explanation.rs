//! What a verdict, a cause or another named thing means, in words a reader can act on.

use super::language::Language;

/// One entry of the catalogue. It is written beside the code it explains, in every language, and feeds terminal, HTML and `explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The name in configuration, JSON and on the command line: `duplicate_effect`, `client_retry`.
    pub code: &'static str,
    pub english: Meaning,
    pub russian: Meaning,
}

/// What a code means, in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// A few words for a heading.
    pub title: &'static str,
    /// What the code looks for.
    pub looks_for: &'static str,
    /// Which fields or files it needs to see it.
    pub needs: &'static str,
    /// What else looks the same and is not it.
    pub looks_alike: &'static str,
    /// What to do about it, or to check next.
    pub what_to_do: &'static str,
}

impl Explanation {
    /// The meaning in the reader's language.
    pub fn told_in(&self, language: Language) -> &Meaning {
        match language {
            Language::English => &self.english,
            Language::Russian => &self.russian,
        }
    }
}
