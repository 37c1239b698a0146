//! `strip:CHARS`: the characters that the configuration names.

/// Characters to drop wherever they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    characters: String,
}

impl Strip {
    pub const NAME: &'static str = "strip";
    pub const MEANING: &'static str = "the characters CHARS are dropped";

    /// Errors: no character is named.
    pub fn parse(characters: &str) -> Result<Self, String> {
        if characters.is_empty() {
            return Err("names no character; write strip:-/ for example".into());
        }
        Ok(Self {
            characters: characters.to_owned(),
        })
    }

    pub fn argument(&self) -> &str {
        &self.characters
    }

    pub(super) fn apply(&self, value: &str, out: &mut String) {
        out.extend(value.chars().filter(|c| !self.characters.contains(*c)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Normaliser, applied};

    #[test]
    fn drops_the_named_characters_only() {
        assert_eq!(applied("strip:-/ ", "СЧ-17 / б.2"), "СЧ17б.2");
    }

    #[test]
    fn refuses_an_empty_list() {
        assert!(Normaliser::parse("strip:").is_err());
    }
}
