//! Which files belong to which source.

use super::recognise::{Unrecognised, profile_of};
use crate::domain::{RemoteUrl, UrlError};
use crate::read::Location;
use crate::rules::Rules;
use crate::rules::profiles::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An input and the source it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    pub location: Location,
    /// How results call it.
    pub name: String,
    /// Index into `Rules::sources`.
    pub source: usize,
}

/// How standard input is named.
const STDIN: &str = "-";

#[derive(Debug, Error)]
pub enum FilesError {
    #[error("source {source_name:?}: no file matches {patterns:?}; check source.files, or name the files on the command line")]
    NoMatch { source_name: String, patterns: Vec<String> },
    #[error("{pattern:?}: not a file pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("{file}: could belong to any of the sources {sources:?}; say which with --source NAME={file}")]
    Ambiguous { file: String, sources: Vec<String> },
    #[error("{0}; say whose it is with --source NAME=FILE")]
    Unrecognised(#[from] Unrecognised),
    #[error("--source {name}={file}: there is no source {name:?}; the configuration has {sources:?}")]
    NoSource { name: String, file: String, sources: Vec<String> },
    #[error("{file}: named for two sources; a file is read once")]
    Twice { file: String },
    #[error("{url}: no object fits this pattern; check it, and remember that * stays within one part of the key")]
    NoObject { url: String },
    #[error(transparent)]
    Url(#[from] UrlError),
}

/// What the command line names. Patterns are expanded where no shell does it, in URLs.
///
/// # Errors
/// A URL is none that can be read, or nothing fits its pattern.
pub fn locations(paths: &[PathBuf]) -> Result<Vec<Location>, FilesError> {
    let mut locations = Vec::with_capacity(paths.len());
    for path in paths {
        match RemoteUrl::of(path).transpose()? {
            Some(url) => {
                let shown = url.shown();
                let objects = Location::remote(url);
                if objects.is_empty() {
                    return Err(FilesError::NoObject { url: shown });
                }
                locations.extend(objects);
            }
            None => locations.push(literal(path)),
        }
    }
    Ok(locations)
}

fn literal(path: &Path) -> Location {
    if path.as_os_str() == STDIN { Location::Stdin } else { Location::File(path.to_owned()) }
}

/// The files that the configuration names, sorted by path within each source. A literal path is kept even when nothing is there, so
/// that the scan can say so. Names are told relative to `folder`, the configuration's.
pub fn configured(rules: &Rules, folder: &Path) -> Result<Vec<Assigned>, FilesError> {
    let mut files = Vec::new();
    for (index, source) in rules.sources.iter().enumerate() {
        let mut locations = Vec::new();
        for pattern in &source.files {
            expand(pattern, &mut locations)?;
        }
        locations.sort();
        let mut seen = BTreeSet::new();
        locations.retain(|location| seen.insert(whereabouts(location)));
        if locations.is_empty() && !source.files.is_empty() {
            let patterns = source.files.iter().map(|pattern| shown(pattern, folder)).collect();
            return Err(FilesError::NoMatch { source_name: source.name.to_string(), patterns });
        }
        files.extend(locations.into_iter().map(|location| assigned(location, folder, index)));
    }
    tell_apart(&mut files);
    Ok(files)
}

/// Patterns of the configuration that nothing matches, beside others of their source that something does, in words. Errors stand in
/// [`configured`].
pub fn unmatched(rules: &Rules, folder: &Path) -> Vec<String> {
    let mut told = Vec::new();
    for source in rules.sources.iter().filter(|source| source.files.len() > 1) {
        for pattern in &source.files {
            let mut locations = Vec::new();
            if expand(pattern, &mut locations).is_ok() && locations.is_empty() {
                let pattern = shown(pattern, folder);
                told.push(format!("source {:?}: no file matches {pattern:?}; its other files were read", source.name));
            }
        }
    }
    told
}

fn assigned(location: Location, folder: &Path, source: usize) -> Assigned {
    let name = location.path().map_or_else(|| location.shown(), |path| shown(path, folder));
    Assigned { name, location, source }
}

/// Numbers inputs that results would call alike: URLs that differ in nothing but their query.
fn tell_apart(files: &mut [Assigned]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for file in files {
        let alike = seen.entry(file.name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *alike > 1 {
            file.name = format!("{} ({alike})", file.name);
        }
    }
}

/// A path as results tell it: relative to the folder where it lies inside, with forward slashes. A URL loses its secrets.
fn shown(path: &Path, folder: &Path) -> String {
    if let Some(Ok(url)) = RemoteUrl::of(path) {
        return url.shown();
    }
    let relative = if folder.as_os_str().is_empty() { path } else { path.strip_prefix(folder).unwrap_or(path) };
    let text = relative.to_string_lossy();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

/// Where a path leads, so that one file under several names (`a.csv`, `./a.csv`, a link) is read once.
fn whereabouts(location: &Location) -> OsString {
    match location {
        Location::Stdin => STDIN.into(),
        Location::File(path) => std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()).into_os_string(),
        Location::Remote(_) => location.url().map(RemoteUrl::with_secrets).unwrap_or_default().into(),
    }
}

fn expand(pattern: &Path, locations: &mut Vec<Location>) -> Result<(), FilesError> {
    if let Some(url) = RemoteUrl::of(pattern).transpose()? {
        locations.extend(Location::remote(url));
        return Ok(());
    }
    let text = pattern.to_string_lossy();
    if text == STDIN || !text.contains(['*', '?', '[']) || pattern.exists() {
        locations.push(literal(pattern));
        return Ok(());
    }
    let trouble = |reason: String| FilesError::Pattern { pattern: text.to_string(), reason };
    for found in glob::glob(&text).map_err(|error| trouble(error.to_string()))? {
        match found {
            Ok(path) if path.is_dir() => {}
            Ok(path) => locations.push(Location::File(path)),
            // A folder that cannot be looked into may hold files: reading it fails later and says so.
            Err(error) => locations.push(Location::File(error.path().to_owned())),
        }
    }
    Ok(())
}

/// Files from the command line instead of the configured ones: `plain` ones find their source by its patterns, else by the profile of
/// the library that knows them, or are of the only one; `named` ones say it.
///
/// # Errors
/// A file can be of several sources or of none, or it must be looked into and cannot be read.
pub fn assign(
    rules: &Rules,
    plain: &[Location],
    named: &[(String, PathBuf)],
    library: Option<&Library>,
    spool_folder: &Path,
) -> Result<Vec<Assigned>, FilesError> {
    let mut files = Vec::new();
    for (name, path) in named {
        let Some(source) = rules.sources.iter().position(|source| source.name.as_ref() == name) else {
            let sources = rules.sources.iter().map(|source| source.name.to_string()).collect();
            return Err(FilesError::NoSource { name: name.clone(), file: shown(path, Path::new("")), sources });
        };
        let named = locations(std::slice::from_ref(path))?;
        files.extend(named.into_iter().map(|location| assigned(location, Path::new(""), source)));
    }
    for location in plain {
        files.push(assigned(location.clone(), Path::new(""), source_of(rules, location, library, spool_folder)?));
    }
    read_once(files)
}

/// Each file once, sorted by source and place, with a name of its own.
///
/// # Errors
/// A file is named for two sources.
pub(super) fn read_once(mut files: Vec<Assigned>) -> Result<Vec<Assigned>, FilesError> {
    files.sort_by(|a, b| (a.source, &a.location).cmp(&(b.source, &b.location)));
    let mut seen = BTreeMap::new();
    let mut once = Vec::with_capacity(files.len());
    for file in files {
        match seen.insert(whereabouts(&file.location), file.source) {
            None => once.push(file),
            Some(source) if source == file.source => {}
            Some(_) => return Err(FilesError::Twice { file: file.name }),
        }
    }
    tell_apart(&mut once);
    Ok(once)
}

fn source_of(rules: &Rules, location: &Location, library: Option<&Library>, spool_folder: &Path) -> Result<usize, FilesError> {
    if rules.sources.len() == 1 {
        return Ok(0);
    }
    let matching: Vec<usize> = rules
        .sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.files.iter().any(|pattern| fits(pattern, location)))
        .map(|(index, _)| index)
        .collect();
    match (&matching[..], library) {
        ([only], _) => Ok(*only),
        (_, Some(library)) if rules.sources.iter().any(|source| source.profile.is_some()) => {
            let recognised = profile_of(location, &location.shown(), library, spool_folder)?;
            of_its_profile(rules, &matching, &recognised.profile).ok_or_else(|| ambiguous(rules, location))
        }
        _ => Err(ambiguous(rules, location)),
    }
}

impl FilesError {
    /// True when every file can be read, and the user has to say more.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Unrecognised(trouble) => trouble.is_usage(),
            _ => true,
        }
    }
}

fn ambiguous(rules: &Rules, location: &Location) -> FilesError {
    let sources = rules.sources.iter().map(|source| source.name.to_string()).collect();
    FilesError::Ambiguous { file: location.shown(), sources }
}

/// The only source (of those whose patterns fit, if any do) that draws on the profile that a file was recognised as.
fn of_its_profile(rules: &Rules, matching: &[usize], profile: &str) -> Option<usize> {
    let mut fitting = rules.sources.iter().enumerate().filter(|(index, source)| {
        source.profile.as_deref() == Some(profile) && (matching.is_empty() || matching.contains(index))
    });
    match (fitting.next(), fitting.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    }
}

/// A pattern fits the whole path or URL, or its last part fits the file's name: exports move between folders, and into buckets.
fn fits(pattern: &Path, location: &Location) -> bool {
    let (path, name) = match location {
        Location::Stdin => return pattern.as_os_str() == STDIN,
        Location::File(path) => (std::path::absolute(path).unwrap_or_else(|_| path.clone()), path.file_name()),
        Location::Remote(_) => (PathBuf::from(location.shown()), location.url().map(|url| url.file_name().as_ref())),
    };
    let pattern = RemoteUrl::of(pattern).and_then(Result::ok).map_or_else(|| pattern.to_owned(), |url| url.shown().into());
    let matches = |pattern: &Path, path: &Path| {
        glob::Pattern::new(&pattern.to_string_lossy()).is_ok_and(|compiled| compiled.matches_path(path))
    };
    let names = pattern.file_name().zip(name);
    matches(&pattern, &path) || names.is_some_and(|(pattern, name)| matches(Path::new(pattern), Path::new(name)))
}
