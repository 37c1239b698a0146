//! What a verdict, a cause or another named thing means, in words a reader can act on.

/// One text of the catalogue. It is written beside the code it explains and feeds terminal, HTML and `explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The name in configuration, JSON and on the command line: `duplicate_effect`, `client_retry`.
    pub code: &'static str,
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
