//! The baseline: what people decided about findings, so that a settled finding is listed, but not counted again every night.
//!
//! A decision belongs to a finding's id. It stops holding after its last day, or when the finding has grown since it was decided.
//! `file` reads and checks the text, `edit` changes it, `apply` marks a result, `rates` learns from it.

mod apply;
mod edit;
mod file;
mod rates;

pub use apply::{apply, standing};
pub use edit::{Decided, EMPTY, EditError, Pruned, add, prune, update};
pub use file::load;
pub use rates::{Proposal, Rate, rates};

use crate::domain::Judgement;
use crate::domain::finding::{Finding, Role};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// The name that a baseline has beside its configuration.
pub const FILE_NAME: &str = "twicelog.baseline.toml";

/// Decisions as a file holds them, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Written by people, in the order of the file; no two of one finding.
    pub entries: Vec<Entry>,
    /// Written by the program: what each finding was when it was decided, by the finding's id.
    pub seen: BTreeMap<String, Seen>,
}

impl Baseline {
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entry of a finding: its own, else that of an id under which it was told of before.
    pub fn entry_of(&self, id: &str, was: &Was) -> Option<&Entry> {
        let earlier = was.get(id).into_iter().flatten();
        self.entry(id).or_else(|| earlier.filter_map(|id| self.entry(id)).next())
    }
}

/// The ids under which findings were told of before, by those that they have now.
pub type Was = BTreeMap<String, Vec<String>>;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The finding, `TL-` and 12 hex digits.
    pub id: String,
    pub judgement: Judgement,
    pub reason: String,
    pub by: Option<String>,
    /// The last day on which it holds; None: for good.
    pub until: Option<NaiveDate>,
}

/// What a finding was: the numbers that must not grow without a new decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub rule: String,
    /// Effects among its records, undone ones too.
    pub effects: u64,
    pub extra_effects: u64,
    pub possible_extra_effects: u64,
    /// Net in major units, by currency.
    pub exposure: BTreeMap<String, Decimal>,
}

impl Seen {
    /// What a finding is now.
    pub fn of(finding: &Finding) -> Self {
        let effects = finding.records.iter().filter(|record| matches!(record.role, Role::Original | Role::Repeat)).count() as u64;
        Self {
            rule: finding.rule.clone(),
            effects: effects + finding.unread_records,
            extra_effects: finding.extra_effects,
            possible_extra_effects: finding.possible_extra_effects,
            exposure: finding.exposure.iter().map(|sum| (sum.currency.clone(), amount(&sum.net))).collect(),
        }
    }

    /// In which number `now` is more than this, as `extra effects 1, now 2`; None where it has not grown.
    pub fn growth(&self, now: &Self) -> Option<String> {
        let counts = [
            ("extra effects", self.extra_effects, now.extra_effects),
            ("possible extra effects", self.possible_extra_effects, now.possible_extra_effects),
            ("effects", self.effects, now.effects),
        ];
        let count = counts.into_iter().find(|(_, then, now)| now > then);
        count.map(|(name, then, now)| format!("{name} {then}, now {now}")).or_else(|| {
            let nothing = Decimal::ZERO;
            now.exposure.iter().find_map(|(currency, net)| {
                let then = self.exposure.get(currency).unwrap_or(&nothing);
                (net > then).then(|| format!("net {currency} {then}, now {net}"))
            })
        })
    }
}

/// An amount of a finding. What is no decimal becomes the largest one: a figure that nobody takes for a believable one.
fn amount(text: &str) -> Decimal {
    text.parse().unwrap_or(Decimal::MAX)
}
