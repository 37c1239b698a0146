//! Which files belong to which source.

use crate::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file (or standard input) and the source it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// None: standard input.
    pub path: Option<PathBuf>,
    /// How results call it.
    pub name: String,
    /// Index into `Rules::sources`.
    pub source: usize,
}

/// How results call standard input.
const STDIN: &str = "-";

#[derive(Debug, Error, PartialEq, Eq)]
pub enum FilesError {
    #[error("source {source_name:?}: no file matches {patterns:?}; check source.files, or name the files on the command line")]
    NoMatch { source_name: String, patterns: Vec<String> },
    #[error("{pattern:?}: not a file pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("{file}: could belong to any of the sources {sources:?}; say which with --source NAME={file}")]
    Ambiguous { file: String, sources: Vec<String> },
    #[error("--source {name}={file}: there is no source {name:?}; the configuration has {sources:?}")]
    NoSource { name: String, file: String, sources: Vec<String> },
    #[error("{file}: named for two sources; a file is read once")]
    Twice { file: String },
}

/// The files that the configuration names, sorted by path within each source. A literal path is kept even when nothing is there, so
/// that the scan can say so. Names are told relative to `folder`, the configuration's.
pub fn configured(rules: &Rules, folder: &Path) -> Result<Vec<Assigned>, FilesError> {
    let mut files = Vec::new();
    for (index, source) in rules.sources.iter().enumerate() {
        let mut paths = Vec::new();
        for pattern in &source.files {
            expand(pattern, &mut paths)?;
        }
        paths.sort();
        let mut seen = BTreeSet::new();
        paths.retain(|path| seen.insert(whereabouts(path)));
        if paths.is_empty() && !source.files.is_empty() {
            let patterns = source.files.iter().map(|pattern| shown(pattern, folder)).collect();
            return Err(FilesError::NoMatch { source_name: source.name.to_string(), patterns });
        }
        files.extend(paths.into_iter().map(|path| assigned(path, folder, index)));
    }
    Ok(files)
}

fn assigned(path: PathBuf, folder: &Path, source: usize) -> Assigned {
    if path.as_os_str() == STDIN {
        return Assigned { path: None, name: STDIN.into(), source };
    }
    Assigned { name: shown(&path, folder), path: Some(path), source }
}

/// A path as results tell it: relative to the folder where it lies inside, with forward slashes.
fn shown(path: &Path, folder: &Path) -> String {
    let relative = if folder.as_os_str().is_empty() { path } else { path.strip_prefix(folder).unwrap_or(path) };
    let text = relative.to_string_lossy();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

/// Where a path leads, so that one file under several names (`a.csv`, `./a.csv`, a link) is read once.
fn whereabouts(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn expand(pattern: &Path, paths: &mut Vec<PathBuf>) -> Result<(), FilesError> {
    let text = pattern.to_string_lossy();
    if text == STDIN || !text.contains(['*', '?', '[']) || pattern.exists() {
        paths.push(pattern.to_owned());
        return Ok(());
    }
    let trouble = |reason: String| FilesError::Pattern { pattern: text.to_string(), reason };
    for found in glob::glob(&text).map_err(|error| trouble(error.to_string()))? {
        match found {
            Ok(path) if path.is_dir() => {}
            Ok(path) => paths.push(path),
            // A folder that cannot be looked into may hold files: reading it fails later and says so.
            Err(error) => paths.push(error.path().to_owned()),
        }
    }
    Ok(())
}

/// Files from the command line instead of the configured ones: `plain` ones find their source by its patterns, else by the profile that
/// `profile_of` tells, or are of the only one; `named` ones say it.
pub fn assign(
    rules: &Rules,
    plain: &[PathBuf],
    named: &[(String, PathBuf)],
    profile_of: &dyn Fn(&Path) -> Option<String>,
) -> Result<Vec<Assigned>, FilesError> {
    let mut files = Vec::new();
    for (name, path) in named {
        let Some(source) = rules.sources.iter().position(|source| source.name.as_ref() == name) else {
            let sources = rules.sources.iter().map(|source| source.name.to_string()).collect();
            return Err(FilesError::NoSource { name: name.clone(), file: path.display().to_string(), sources });
        };
        files.push(assigned(path.clone(), Path::new(""), source));
    }
    for path in plain {
        files.push(assigned(path.clone(), Path::new(""), source_of(rules, path, profile_of)?));
    }
    files.sort_by(|a, b| (a.source, &a.path).cmp(&(b.source, &b.path)));
    let mut seen = BTreeMap::new();
    let mut once = Vec::with_capacity(files.len());
    for file in files {
        let place = file.path.as_deref().map(whereabouts);
        match seen.insert(place, file.source) {
            None => once.push(file),
            Some(source) if source == file.source => {}
            Some(_) => return Err(FilesError::Twice { file: file.name }),
        }
    }
    Ok(once)
}

fn source_of(rules: &Rules, path: &Path, profile_of: &dyn Fn(&Path) -> Option<String>) -> Result<usize, FilesError> {
    if rules.sources.len() == 1 {
        return Ok(0);
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let matching: Vec<usize> = rules
        .sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.files.iter().any(|pattern| fits(pattern, path, &whole)))
        .map(|(index, _)| index)
        .collect();
    match matching[..] {
        [only] => Ok(only),
        _ => of_its_profile(rules, &matching, profile_of(path)).ok_or_else(|| FilesError::Ambiguous {
            file: path.display().to_string(),
            sources: rules.sources.iter().map(|source| source.name.to_string()).collect(),
        }),
    }
}

/// The only source (of those whose patterns fit, if any do) that draws on the profile that a file was recognised as.
fn of_its_profile(rules: &Rules, matching: &[usize], profile: Option<String>) -> Option<usize> {
    let profile = profile?;
    let mut fitting =
        rules.sources.iter().enumerate().filter(|(index, source)| {
            source.profile.as_ref() == Some(&profile) && (matching.is_empty() || matching.contains(index))
        });
    match (fitting.next(), fitting.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    }
}

/// A pattern fits the whole path, or its last part fits the file's name: exports move between folders.
fn fits(pattern: &Path, path: &Path, whole: &Path) -> bool {
    let matches = |pattern: &Path, path: &Path| {
        glob::Pattern::new(&pattern.to_string_lossy()).is_ok_and(|compiled| compiled.matches_path(path))
    };
    let names = pattern.file_name().zip(path.file_name());
    matches(pattern, whole) || names.is_some_and(|(pattern, name)| matches(Path::new(pattern), Path::new(name)))
}
