//! Files that are left for another night, because somebody may still be writing to them.

/// A file that is left for another night.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    pub name: String,
    pub why: Moment,
}

/// When it was written to, as far as its time tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Now,
    /// Another clock wrote it, or somebody set its time.
    Ahead,
}

impl Moment {
    pub fn text(self) -> &'static str {
        match self {
            Self::Now => "was written to a moment ago; it is left for another night",
            Self::Ahead => {
                "its time of change lies ahead of this machine's clock, so that nobody can say whether it is still written to; it is left \
                 until that time has passed: set the clock right, touch the file, or scan without --settle"
            }
        }
    }
}
