//! `twicelog verify`: is everything still as a manifest says, and is no night missing.

use super::digest;
use super::exit::{Exit, Failure};
use super::nightly_args::VerifyArgs;
use super::output;
use super::proof;
use super::retell;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use twicelog::domain::RemoteUrl;
use twicelog::nightly::proof::{Difference, FilesFrom, Found, Kind, Link, Manifest, Verified, nights};
use twicelog::report;
use twicelog::rules;
use twicelog::scan::configured;

pub fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    if args.manifest.is_dir() { folder(&args.manifest) } else { manifest(args) }
}

fn folder(folder: &Path) -> Result<Exit, Failure> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let links: Vec<Link> = proof::read_folder(folder)?
        .into_iter()
        .map(|(path, manifest, sha256)| Link { file: name(&path), sha256, manifest })
        .collect();
    let count = links.len();
    if count == 0 {
        let message = format!("{}: holds no manifest (manifest*.json); scan writes them with --manifest", folder.display());
        return Err(Failure::new(Exit::Incomplete, message));
    }
    let wrong = nights(links);
    let mut lines: Vec<String> = wrong.iter().map(|night| night.told()).collect();
    lines.push(match wrong.len() {
        0 => format!("{}: {count} manifests, each names the one before it, and no night is missing", folder.display()),
        wrong => format!("{}: {count} manifests, {}", folder.display(), troubles(wrong)),
    });
    output::print_lines(&lines.join("\n"))?;
    Ok(if wrong.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn manifest(args: &VerifyArgs) -> Result<Exit, Failure> {
    let (manifest, _) = proof::read(&args.manifest)?;
    let start = args.folder.clone().unwrap_or_else(|| PathBuf::from(&manifest.folder));
    let mut verified = Verified::default();
    for input in &manifest.inputs {
        verified.look(Kind::Input, input, found(&input.file, &start));
    }
    verified.differences.extend(added(&manifest, &start));
    if let Some(configuration) = &manifest.configuration {
        verified.look(Kind::Configuration, configuration, found(&configuration.file, &start));
        check_rules(&manifest, &start, &mut verified);
    }
    if let Some(baseline) = &manifest.baseline {
        verified.look(Kind::Baseline, baseline, found(&baseline.file, &start));
    }
    check_result(args, &manifest, &mut verified);
    check_chain(&args.manifest, &manifest, &mut verified);
    tell(&args.manifest, &verified)
}

/// What there is now under the name of an input.
fn found(name: &str, start: &Path) -> Found {
    if name == "-" {
        return Found::Unreadable("standard input can be read once".into());
    }
    if RemoteUrl::of(Path::new(name)).is_some() {
        return Found::Unreadable("it lies at a URL; fetch it, and compare its SHA-256".into());
    }
    match digest::of_file(&start.join(name), name) {
        Ok(now) => Found::File(now),
        Err(error) if error.kind() == ErrorKind::NotFound => Found::Missing,
        Err(error) => Found::Unreadable(error.to_string()),
    }
}

/// The configuration's path, where it can be loaded.
fn rules_now(manifest: &Manifest, start: &Path) -> Option<Result<rules::Rules, String>> {
    let name = &manifest.configuration.as_ref()?.file;
    let text = std::fs::read_to_string(start.join(name)).ok()?;
    let folder = start.join(name).parent().map(Path::to_owned).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Some(rules::load(text, name, &folder).map_err(|errors| errors.to_string()))
}

/// Files that fit the configuration's patterns now, and did not when the scan ran.
fn added(manifest: &Manifest, start: &Path) -> Vec<Difference> {
    let Some(Ok(rules)) = rules_now(manifest, start).filter(|_| manifest.files_from == FilesFrom::Configuration) else {
        return Vec::new();
    };
    // Where nothing fits a pattern any more, the inputs themselves are told to be missing.
    let Ok(now) = configured(&rules, start) else { return Vec::new() };
    let known: BTreeSet<&str> = manifest.inputs.iter().map(|input| input.file.as_str()).collect();
    let fresh = now.into_iter().map(|file| file.name).filter(|name| !known.contains(name.as_str()));
    fresh.map(|name| Difference::Added { kind: Kind::Input, name }).collect()
}

/// The profiles that the configuration draws on are part of the rules, and come with the program.
fn check_rules(manifest: &Manifest, start: &Path, verified: &mut Verified) {
    match rules_now(manifest, start) {
        Some(Ok(rules)) => verified.digest(Kind::Rules, "configuration and profiles", &manifest.rules_sha256, &rules.sha256),
        Some(Err(reason)) => verified.differences.push(Difference::Unverifiable {
            kind: Kind::Rules,
            name: "configuration and profiles".into(),
            reason: reason.lines().next().unwrap_or_default().to_owned(),
        }),
        // That the file is missing is told already.
        None => {}
    }
}

fn check_result(args: &VerifyArgs, manifest: &Manifest, verified: &mut Verified) {
    let recorded = manifest.result.file.as_ref().map(|file| beside(&args.manifest, file));
    let Some(path) = args.result.clone().or(recorded) else { return };
    let name = path.display().to_string();
    if !path.exists() {
        return verified.differences.push(Difference::Missing { kind: Kind::Result, name });
    }
    let now = retell::read(&path)
        .map_err(|failure| failure.message().unwrap_or_default())
        .and_then(|report| report::result_sha256(&report.result).map_err(|error| error.to_string()));
    match now {
        Ok(now) => verified.digest(Kind::Result, &name, &manifest.result.sha256, &now),
        Err(reason) => verified.differences.push(Difference::Changed {
            kind: Kind::Result,
            name,
            was: format!("SHA-256 {}", manifest.result.sha256),
            is: reason.trim().to_owned(),
        }),
    }
}

/// A file that a manifest names.
fn beside(manifest: &Path, file: &str) -> PathBuf {
    manifest.parent().unwrap_or(Path::new("")).join(file)
}

/// Follows the manifests back to the first.
fn check_chain(path: &Path, manifest: &Manifest, verified: &mut Verified) {
    let (mut path, mut previous) = (path.to_owned(), manifest.previous.clone());
    // A chain that leads back into itself cannot be: each link holds the digest of the one before it.
    while let Some(link) = previous.take() {
        let file = beside(&path, &link.file);
        let name = file.display().to_string();
        if !file.exists() {
            return verified.differences.push(Difference::Missing { kind: Kind::Manifest, name });
        }
        match proof::read(&file) {
            Ok((before, sha256)) => {
                verified.digest(Kind::Manifest, &name, &link.sha256, &sha256);
                if sha256 == link.sha256 {
                    previous = before.previous;
                }
            }
            Err(failure) => {
                let reason = failure.message().unwrap_or_default().trim().to_owned();
                return verified.differences.push(Difference::Unverifiable { kind: Kind::Manifest, name, reason });
            }
        }
        path = file;
    }
}

fn troubles(count: usize) -> String {
    format!("{count} trouble{}", if count == 1 { "" } else { "s" })
}

/// What differs outranks what cannot be told: a file taken away must not hide that another was changed.
fn tell(manifest: &Path, verified: &Verified) -> Result<Exit, Failure> {
    let Verified { same, differences } = verified;
    let mut lines: Vec<String> = differences.iter().map(Difference::told).collect();
    lines.push(match differences.len() {
        0 => format!("{}: all {same} digests are as it says", manifest.display()),
        wrong => format!("{}: {same} digests are as it says, {}", manifest.display(), troubles(wrong)),
    });
    output::print_lines(&lines.join("\n"))?;
    Ok(match (differences.is_empty(), differences.iter().any(Difference::is_proven)) {
        (true, _) => Exit::Clean,
        (false, true) => Exit::Findings,
        (false, false) => Exit::Incomplete,
    })
}
