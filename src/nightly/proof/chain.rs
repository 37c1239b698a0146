//! The manifests of one folder as a chain: each names the one before it, and no night is left out.

use super::Manifest;
use chrono::{DateTime, NaiveDate};
use std::collections::BTreeMap;

/// One manifest of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub file: String,
    /// Of the manifest's bytes.
    pub sha256: String,
    pub manifest: Manifest,
}

/// Something that is wrong with a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Night {
    /// A manifest names a predecessor that is not in the folder, or that was changed since.
    NoPrevious { file: String, previous: String, sha256: String },
    /// A manifest names no predecessor, though it is not the first.
    Unchained { file: String },
    /// Two manifests name the same predecessor.
    Forked { file: String, other: String },
    /// No run started between two others, though runs usually come every so many days.
    Missing { after: NaiveDate, before: NaiveDate, usual_days: i64 },
    /// A manifest does not say readably when its run started.
    Undated { file: String, started: String },
}

impl Night {
    /// One line, without a place before it.
    pub fn told(&self) -> String {
        match self {
            Self::NoPrevious { file, previous, sha256 } => {
                format!("{file}: the manifest before it, {previous} with SHA-256 {sha256}, is missing or was changed")
            }
            Self::Unchained { file } => format!("{file}: names no manifest before it, though there are earlier ones"),
            Self::Forked { file, other } => format!("{file}: follows the same manifest as {other}"),
            Self::Missing { after, before, usual_days } => {
                let usual = if *usual_days == 1 { "every day".to_owned() } else { format!("every {usual_days} days") };
                format!("no run between {after} and {before}, though runs start {usual}")
            }
            Self::Undated { file, started } => format!("{file}: does not say readably when it started: {started:?}"),
        }
    }
}

/// What is wrong with the chain of these manifests, in the order of their starts.
pub fn nights(mut links: Vec<Link>) -> Vec<Night> {
    links.sort_by(|a, b| (&a.manifest.started, &a.file).cmp(&(&b.manifest.started, &b.file)));
    let mut wrong = Vec::new();
    let mut followed: BTreeMap<&str, &str> = BTreeMap::new();
    for (at, link) in links.iter().enumerate() {
        match &link.manifest.previous {
            None if at > 0 => wrong.push(Night::Unchained { file: link.file.clone() }),
            None => {}
            Some(previous) => {
                if !links.iter().any(|other| other.sha256 == previous.sha256) {
                    let (file, name) = (link.file.clone(), previous.file.clone());
                    wrong.push(Night::NoPrevious { file, previous: name, sha256: previous.sha256.clone() });
                }
                if let Some(other) = followed.insert(&previous.sha256, &link.file) {
                    wrong.push(Night::Forked { file: link.file.clone(), other: other.to_owned() });
                }
            }
        }
    }
    wrong.extend(missing(&links));
    wrong
}

/// Days without a run, by the usual distance between two runs: the middle one of all.
fn missing(links: &[Link]) -> Vec<Night> {
    let mut wrong = Vec::new();
    let mut days = Vec::new();
    for link in links {
        match DateTime::parse_from_rfc3339(&link.manifest.started) {
            Ok(started) => days.push(started.date_naive()),
            Err(_) => wrong.push(Night::Undated { file: link.file.clone(), started: link.manifest.started.clone() }),
        }
    }
    days.dedup();
    let gaps: Vec<(NaiveDate, NaiveDate)> = days.iter().copied().zip(days.iter().copied().skip(1)).collect();
    let mut lengths: Vec<i64> = gaps.iter().map(|(one, next)| (*next - *one).num_days()).collect();
    lengths.sort_unstable();
    // Of two middle ones the shorter: with one gap of one day and one of three, a night is missing.
    let Some(usual_days) = lengths.get(lengths.len().saturating_sub(1) / 2).copied().filter(|usual| *usual > 0) else {
        return wrong;
    };
    let is_missing = |(after, before): &(NaiveDate, NaiveDate)| (*before - *after).num_days() >= usual_days * 2;
    let night = |(after, before)| Night::Missing { after, before, usual_days };
    wrong.extend(gaps.into_iter().filter(is_missing).map(night));
    wrong
}
