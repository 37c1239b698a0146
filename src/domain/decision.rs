//! What people decided about a finding, and whether that still holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a finding is in the eyes of those who looked at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The records are not one operation; the rule should not have spoken.
    FalseAlarm,
    /// The operation was repeated on purpose; the rule should not have spoken.
    Intended,
    /// It took effect twice, and is left as it is.
    Accepted,
    /// It took effect twice, and somebody is putting it right.
    BeingHandled,
}

impl Judgement {
    pub const ALL: [Self; 4] = [Self::FalseAlarm, Self::Intended, Self::Accepted, Self::BeingHandled];

    /// The name in the baseline, in JSON and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FalseAlarm => "false_alarm",
            Self::Intended => "intended",
            Self::Accepted => "accepted",
            Self::BeingHandled => "being_handled",
        }
    }

    /// The judgement of this name; None when there is none.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|judgement| judgement.name() == name)
    }

    /// True where nothing took effect twice by mistake.
    pub fn is_no_duplicate(self) -> bool {
        matches!(self, Self::FalseAlarm | Self::Intended)
    }
}

/// Whether a decision holds for the finding as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It holds: the finding is not counted.
    Live,
    /// Its last day has passed: the finding counts again.
    Expired,
    /// The finding has more effects or more money than it had when it was decided: it counts again.
    Grown,
}

impl Standing {
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Expired => "expired",
            Self::Grown => "grown",
        }
    }
}

/// A decision as the baseline holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    #[serde(rename = "decision")]
    pub judgement: Judgement,
    pub reason: String,
    /// Who decided; null where the entry does not say.
    pub by: Option<String>,
    /// The last day on which it holds, `2026-12-31`; null: for good.
    pub until: Option<String>,
    pub standing: Standing,
}
