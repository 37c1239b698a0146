//! A table of names: what a source calls something, and what it is called here.

use super::operations::glob_matches;

/// Values and what they are called, in the order they are tried: exact ones first, then patterns with `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    exact: Vec<(String, String)>,
    patterns: Vec<(String, String)>,
}

impl Names {
    /// Among patterns the longer is tried first: it says more.
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        let (mut patterns, mut exact): (Vec<_>, Vec<_>) = names.into_iter().partition(|(value, _)| value.contains(['*', '?']));
        exact.sort();
        patterns.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        Self { exact, patterns }
    }

    /// The name of a value, blanks around it dropped; None for a value that the table does not know.
    pub fn name_of(&self, value: &str) -> Option<&str> {
        let value = value.trim();
        let exact = self.exact.binary_search_by(|(known, _)| known.as_str().cmp(value)).ok().and_then(|at| self.exact.get(at));
        exact
            .or_else(|| self.patterns.iter().find(|(pattern, _)| glob_matches(pattern.as_bytes(), value.as_bytes())))
            .map(|(_, name)| name.as_str())
    }

    /// Every value or pattern with its name, in the order they are tried.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.exact.iter().chain(&self.patterns).map(|(value, name)| (value.as_str(), name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn exact_names_outrank_patterns_and_long_patterns_short_ones() {
        let names = Names::new(
            [("pay*", "payment"), ("payout", "payout"), ("pay*_reversal", "reversal")].map(|(a, b)| (a.into(), b.into())),
        );
        assert_eq!(names.name_of("payout"), Some("payout"));
        assert_eq!(names.name_of(" payment "), Some("payment"));
        assert_eq!(names.name_of("payment_reversal"), Some("reversal"));
        assert_eq!(names.name_of("fee"), None);
    }
}
