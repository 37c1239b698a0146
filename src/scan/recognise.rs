//! Which profile a file belongs to, told from its content alone.

use super::Assigned;
use super::files::{FilesError, read_once};
use crate::read::{self, Glance, HeaderRow, Location, OpenError};
use crate::rules::operations::glob_matches;
use crate::rules::profiles::{Detect, Library, Profile};
use crate::rules::{self, ConfigErrors, Overrides, Rules, toml_text};
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use thiserror::Error;

/// Records of the front that members are looked for in, and lines that a pattern is tried on.
const MOST_LINES: usize = 200;
/// Lines that may be the opening.
const OPENING_LINES: usize = 30;

/// What a file was recognised as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The profile's name.
    pub profile: String,
    /// What gave it away, in words.
    pub why: String,
    /// Other profiles that fit as well, though they ask less of the file.
    pub also: Vec<String>,
}

/// The profile that fits and asks most of the file; None where none fits. Of two that ask alike, the first by name is taken and the
/// other told in `also`.
pub fn recognise(glance: &Glance, library: &Library) -> Option<Recognised> {
    let mut fitting: Vec<(usize, &Profile, String)> =
        library.iter().filter_map(|profile| Some((profile.detect.weight(), profile, fits(glance, &profile.detect)?))).collect();
    fitting.sort_by(|(one, a, _), (other, b, _)| other.cmp(one).then_with(|| a.name.cmp(&b.name)));
    let mut fitting = fitting.into_iter();
    let (_, profile, why) = fitting.next()?;
    let also = fitting.map(|(_, other, _)| other.name.clone()).collect();
    Some(Recognised { profile: profile.name.clone(), why, also })
}

/// What in the file meets every condition; None where one is not met, or none is given.
fn fits(glance: &Glance, detect: &Detect) -> Option<String> {
    let mut why = Vec::new();
    if let Some(format) = &detect.format {
        (glance.content().name() == format).then(|| why.push(format!("is {format}")))?;
    }
    if !detect.columns.is_empty() {
        why.push(header(glance, detect)?);
    }
    if !detect.members.is_empty() {
        why.push(members(glance, detect)?);
    }
    if let Some(line) = &detect.line {
        // A pattern may be meant for whole lines, or for what stands in them behind a wrapper.
        let told = most_match(line, glance.lines()).or_else(|| most_match(line, glance.messages()))?;
        why.push(told);
    }
    if let Some(opening) = &detect.opening {
        let at = glance.lines().take(OPENING_LINES).position(|text| opening.is_match(text))?;
        why.push(format!("line {} opens it", at + 1));
    }
    (!why.is_empty()).then(|| why.join(", "))
}

/// Tells how many of the first lines a pattern matches, where it is half of them.
fn most_match<'l>(pattern: &Regex, lines: impl Iterator<Item = &'l str>) -> Option<String> {
    let lines: Vec<&str> = lines.filter(|text| !text.trim().is_empty()).take(MOST_LINES).collect();
    let matching = lines.iter().filter(|text| pattern.is_match(text)).count();
    (matching > 0 && matching * 2 >= lines.len()).then(|| format!("{matching} of {} lines match", lines.len()))
}

/// The first row of the front that holds all the columns and none of those that must not be there.
fn header(glance: &Glance, detect: &Detect) -> Option<String> {
    let has = |row: &HeaderRow, name: &str| row.names.iter().any(|column| column_fits(name, column));
    let holds = |row: &&HeaderRow| {
        detect.columns.iter().all(|names| names.iter().any(|name| has(row, name)))
            && !detect.without.iter().any(|name| has(row, name))
    };
    let row = glance.headers().iter().find(holds)?;
    let shown: Vec<String> = detect
        .columns
        .iter()
        .filter_map(|names| names.iter().find(|name| has(row, name)))
        .take(3)
        .map(|name| format!("{name:?}"))
        .collect();
    let more = if detect.columns.len() > shown.len() { " …" } else { "" };
    Some(format!("line {} has the columns {}{more}", row.line, shown.join(", ")))
}

/// True when a column's name is the one that a profile writes, `*` standing for anything; the case of letters does not matter.
fn column_fits(name: &str, column: &str) -> bool {
    let (name, column) = (name.to_lowercase(), column.to_lowercase());
    if name.contains('*') { glob_matches(name.as_bytes(), column.as_bytes()) } else { name == column }
}

/// At least half of the first records have all the members: those where the profile says they are, else those at the top, else those of
/// an array further in.
fn members(glance: &Glance, detect: &Detect) -> Option<String> {
    match &detect.records {
        Some(pointer) => members_at(glance, detect, Some(pointer)),
        None => {
            let inner = || glance.records_at().iter().find_map(|at| members_at(glance, detect, Some(at)));
            members_at(glance, detect, None).or_else(inner)
        }
    }
}

fn members_at(glance: &Glance, detect: &Detect, at: Option<&str>) -> Option<String> {
    let pointers: Vec<String> = detect.members.iter().map(|(pointer, _)| pointer).chain(&detect.without).cloned().collect();
    let records = glance.values(at, &pointers);
    let meets = |values: &&Vec<Option<String>>| {
        let (wanted, unwanted) = values.split_at_checked(detect.members.len()).unwrap_or((values, &[]));
        let is_wanted = |(value, (_, pattern)): (&Option<String>, &(String, String))| {
            value.as_ref().is_some_and(|value| glob_matches(pattern.as_bytes(), value.as_bytes()))
        };
        wanted.iter().zip(&detect.members).all(is_wanted) && unwanted.iter().all(Option::is_none)
    };
    let meeting = records.iter().filter(meets).count();
    let shown: Vec<String> = detect.members.iter().take(3).map(|(pointer, pattern)| format!("{pointer} = {pattern}")).collect();
    (meeting > 0 && meeting * 2 >= records.len()).then(|| format!("records have {}", shown.join(", ")))
}

/// The configuration that nobody wrote: one source for each profile, called like it. Their rules come with them.
pub fn zero_config<'p>(profiles: impl IntoIterator<Item = &'p str>) -> String {
    profiles.into_iter().fold("version = 1\n".to_owned(), |mut text, name| {
        let name = toml_text(name);
        // Writing to a String does not fail.
        let _ = write!(text, "[[source]]\nname = {name}\nprofile = {name}\n");
        text
    })
}

/// The rules of a scan of files that are of this profile alone.
///
/// # Errors
/// Every mistake of the profile.
pub fn rules_of_profile(name: &str, library: &Library) -> Result<Rules, ConfigErrors> {
    let overrides = Overrides { profiles: Some(library), ..Overrides::default() };
    rules::load_with(&zero_config([name]), "no configuration", Path::new(""), &overrides)
}

/// A file that no configuration speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// As the user says; None: to be recognised.
    pub profile: Option<String>,
    pub location: Location,
    /// How results call it.
    pub name: String,
}

/// Files without a configuration, ready to be scanned.
pub struct ByProfile {
    pub rules: Rules,
    pub files: Vec<Assigned>,
    /// The files that were recognised, by name.
    pub recognised: Vec<(String, Recognised)>,
}

/// Why files without a configuration cannot be scanned.
#[derive(Debug, Error)]
pub enum UnassignedError {
    /// Files that no profile knows, or cannot be read: a line for each.
    #[error("{}", .0.iter().map(Unrecognised::to_string).collect::<Vec<_>>().join("\n"))]
    Unrecognised(Vec<Unrecognised>),
    #[error(transparent)]
    Configuration(#[from] ConfigErrors),
    #[error(transparent)]
    Files(#[from] FilesError),
}

impl UnassignedError {
    /// True when every file can be read, and the user has to say more.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Unrecognised(files) => files.iter().all(Unrecognised::is_usage),
            Self::Configuration(_) | Self::Files(_) => true,
        }
    }
}

/// Why a file has no profile.
#[derive(Debug, Error)]
pub enum Unrecognised {
    #[error(transparent)]
    Unread(#[from] OpenError),
    #[error(
        "{name}: no profile knows this export ({format}); twicelog init {name} writes a configuration for it, and --profile names one"
    )]
    Unknown { name: String, format: String },
}

impl Unrecognised {
    /// True when the file is whole.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Unread(error) => error.is_usage(),
            Self::Unknown { .. } => true,
        }
    }
}

/// Gives each file to its own profile, and takes the rules of all of them.
///
/// # Errors
/// One file cannot be scanned: a zero that leaves a file out would be no zero.
pub fn recognise_all(
    files: Vec<Unassigned>,
    overrides: &Overrides<'_>,
    library: &Library,
    spool_folder: &Path,
) -> Result<ByProfile, UnassignedError> {
    let (mut recognised, mut unknown) = (Vec::new(), Vec::new());
    let mut of_profile: Vec<(String, Assigned)> = Vec::new();
    for Unassigned { profile, location, name } in files {
        let profile = match profile {
            Some(profile) => profile,
            None => match profile_of(&location, &name, library, spool_folder) {
                Ok(found) => {
                    recognised.push((name.clone(), found.clone()));
                    found.profile
                }
                Err(trouble) => {
                    unknown.push(trouble);
                    continue;
                }
            },
        };
        of_profile.push((profile, Assigned { location, name, source: 0 }));
    }
    if !unknown.is_empty() {
        return Err(UnassignedError::Unrecognised(unknown));
    }
    let names: BTreeSet<&str> = of_profile.iter().map(|(profile, _)| profile.as_str()).collect();
    let rules = rules::load_with(&zero_config(names.iter().copied()), "no configuration", Path::new(""), overrides)?;
    let source_of = |profile: &str| names.iter().position(|name| *name == profile).unwrap_or(0);
    let files = of_profile.iter().map(|(profile, file)| Assigned { source: source_of(profile), ..file.clone() }).collect();
    Ok(ByProfile { rules, files: read_once(files)?, recognised })
}

/// The profile of one file.
///
/// # Errors
/// It cannot be read, or no profile fits.
pub fn profile_of(location: &Location, name: &str, library: &Library, spool_folder: &Path) -> Result<Recognised, Unrecognised> {
    let stored = location.store(name, spool_folder)?;
    let glance = read::glance(&stored)?;
    recognise(&glance, library).ok_or_else(|| Unrecognised::Unknown { name: name.to_owned(), format: glance.description() })
}
