//! All profiles that are at hand: those of the program, and those of the user's own folder.

use super::Profile;
use crate::rules::problem::{ConfigErrors, nearest};
use include_dir::{Dir, DirEntry, include_dir};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/rules/profiles");

/// Profiles by name.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Sorted by name.
    profiles: Vec<Profile>,
}

impl Library {
    /// The profiles that come with the program.
    ///
    /// # Errors
    /// One of them has a mistake, which the tests would have shown.
    pub fn built_in() -> Result<Self, ConfigErrors> {
        let mut texts = Vec::new();
        collect(&BUILT_IN, &mut texts);
        let mut library = Self::default();
        for (name, text) in texts {
            library.add(name, text)?;
        }
        Ok(library)
    }

    /// Adds a profile; one of the same name gives way.
    ///
    /// # Errors
    /// Every mistake of its text.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), ConfigErrors> {
        let profile = Profile::parse(name, text)?;
        match self.profiles.binary_search_by(|known| known.name.as_str().cmp(name)) {
            Ok(place) => self.profiles[place] = profile,
            Err(place) => self.profiles.insert(place, profile),
        }
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<&Profile> {
        let place = self.profiles.binary_search_by(|known| known.name.as_str().cmp(name)).ok()?;
        self.profiles.get(place)
    }

    /// All profiles by name.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.profiles.iter()
    }

    /// The name that is nearest to a mistyped one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.profiles.iter().map(|profile| profile.name.as_str()))
    }
}

fn collect(folder: &'static Dir<'_>, texts: &mut Vec<(&'static str, &'static str)>) {
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(inner) => collect(inner, texts),
            DirEntry::File(file) => {
                let name = file.path().to_str().and_then(|path| path.strip_suffix(".toml"));
                texts.extend(name.zip(file.contents_utf8()));
            }
        }
    }
}
