//! Looking again: what a manifest says of each file, against what the file is now.

use crate::domain::report::RunInput;

/// What there is now under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    File(RunInput),
    /// Nothing is there.
    Missing,
    /// It cannot be looked at again, for this reason: standard input is gone, a file cannot be read.
    Unreadable(String),
}

/// What kind of thing a manifest speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Input,
    Configuration,
    Rules,
    Baseline,
    Result,
    Manifest,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Configuration => "configuration",
            Self::Rules => "rules",
            Self::Baseline => "baseline",
            Self::Result => "result",
            Self::Manifest => "manifest",
        }
    }
}

/// Something that is not as the manifest says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    Changed {
        kind: Kind,
        name: String,
        was: String,
        is: String,
    },
    Missing {
        kind: Kind,
        name: String,
    },
    Added {
        kind: Kind,
        name: String,
    },
    /// Nobody can say whether it changed.
    Unverifiable {
        kind: Kind,
        name: String,
        reason: String,
    },
}

impl Difference {
    /// One line, without a place before it.
    pub fn told(&self) -> String {
        match self {
            Self::Changed { kind, name, was, is } => format!("{}: {name} differs: was {was}, is {is}", kind.name()),
            Self::Missing { kind, name } => format!("{}: {name} is missing", kind.name()),
            Self::Added { kind, name } => format!("{}: {name} was added", kind.name()),
            Self::Unverifiable { kind, name, reason } => format!("{}: {name} cannot be verified: {reason}", kind.name()),
        }
    }

    /// False where only the means to tell are lacking.
    pub fn is_proven(&self) -> bool {
        !matches!(self, Self::Unverifiable { .. })
    }
}

/// What came of looking again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Things that are as the manifest says.
    pub same: u64,
    pub differences: Vec<Difference>,
}

impl Verified {
    /// Holds one thing against what is found now.
    pub fn look(&mut self, kind: Kind, expected: &RunInput, found: Found) {
        match compare(kind, expected, found) {
            None => self.same += 1,
            Some(difference) => self.differences.push(difference),
        }
    }

    /// Holds a digest against that of now.
    pub fn digest(&mut self, kind: Kind, name: &str, was: &str, is: &str) {
        if was == is {
            self.same += 1;
        } else {
            self.differences.push(Difference::Changed {
                kind,
                name: name.to_owned(),
                was: format!("SHA-256 {was}"),
                is: format!("SHA-256 {is}"),
            });
        }
    }
}

/// None where a thing is as it was.
pub fn compare(kind: Kind, expected: &RunInput, found: Found) -> Option<Difference> {
    let name = expected.file.clone();
    match found {
        Found::File(now) if now.sha256 == expected.sha256 && now.bytes == expected.bytes => None,
        Found::File(now) => {
            let told = |file: &RunInput| format!("{} bytes, SHA-256 {}", file.bytes, file.sha256);
            Some(Difference::Changed { kind, name, was: told(expected), is: told(&now) })
        }
        Found::Missing => Some(Difference::Missing { kind, name }),
        Found::Unreadable(reason) => Some(Difference::Unverifiable { kind, name, reason }),
    }
}
