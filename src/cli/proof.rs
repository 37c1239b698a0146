//! The manifest that a scan leaves: where it goes, and which one came before it.

use super::args::ScanArgs;
use super::config::Loaded;
use super::digest;
use super::exit::{Exit, Failure};
use super::output;
use super::outputs;
use super::scan::Told;
use super::staged::Files;
use std::path::{Path, PathBuf};
use twicelog::domain::report::{Night, Report};
use twicelog::nightly::proof::{FilesFrom, Manifest, Previous, SCHEMA};
use twicelog::report::{self, Mask, OutputFormat};
use twicelog::rules::Rules;

/// What `--report` writes beside its page.
pub const IN_REPORT: &str = "manifest.json";

/// The manifest's file where it is known before the scan; one in a folder of manifests is called after its start.
pub fn file(args: &ScanArgs) -> Option<PathBuf> {
    match &args.proof.manifest {
        Some(path) if is_folder(path) => None,
        Some(path) => Some(path.clone()),
        None => args.outputs.report.as_ref().map(|folder| folder.join(IN_REPORT)),
    }
}

/// The folder of manifests that the scan adds one to.
pub fn folder(args: &ScanArgs) -> Option<&Path> {
    args.proof.manifest.as_deref().filter(|path| is_folder(path))
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Where the manifest of a run goes; None where none is wanted. `started` is the run's.
pub fn place(args: &ScanArgs, started: &str) -> Option<PathBuf> {
    let started = || started.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    file(args).or_else(|| Some(folder(args)?.join(format!("manifest-{}.json", started()))))
}

/// The runs before this one, of the folder that the scan adds a manifest to. One that is new has none.
pub fn earlier_nights(args: &ScanArgs, report: &Report, rules: &Rules) -> Result<Vec<Night>, Failure> {
    let Some(folder) = folder(args).filter(|folder| folder.is_dir()) else { return Ok(Vec::new()) };
    let earlier = read_folder(folder)?.into_iter().filter(|(_, manifest, _)| manifest.started < report.run.started);
    let night = |(_, manifest, _): (PathBuf, Manifest, String)| Night {
        same_rules: manifest.rules_sha256 == rules.sha256,
        started: manifest.started,
        findings: manifest.findings,
        decided: manifest.decided,
        ..Night::default()
    };
    Ok(earlier.map(night).collect())
}

/// Writes the manifest of a run, where one is wanted.
pub fn write(args: &ScanArgs, loaded: &Loaded, told: &Told, exit: Exit, files: &mut Files) -> Result<(), Failure> {
    let Some(path) = place(args, &told.report.run.started) else { return Ok(()) };
    let newest = match folder(args) {
        Some(folder) => {
            output::folder(folder)?;
            read_folder(folder)?.into_iter().next_back().map(|(path, ..)| path)
        }
        None => None,
    };
    let digest = report::result_sha256(&told.report.result)
        .map_err(|error| Failure::new(Exit::NotWritten, format!("{}: the result cannot be digested: {error}", path.display())))?;
    let mut manifest = Manifest::of(&told.report, &loaded.rules, &told.controls, digest);
    manifest.exit_code = exit as u8;
    manifest.files_from = if from_configuration(args, loaded) { FilesFrom::Configuration } else { FilesFrom::Arguments };
    let start = start(args, loaded)?;
    manifest.folder = start.to_string_lossy().into_owned();
    manifest.configuration.clone_from(&loaded.file);
    for file in [&mut manifest.configuration, &mut manifest.baseline].into_iter().flatten() {
        file.file = below(Path::new(&file.file), &start);
    }
    manifest.result.file = result_file(args).map(|file| beside(&file, &path));
    manifest.previous = match args.proof.previous.clone().or(newest) {
        Some(previous) => Some(link(&previous, &path)?),
        None => None,
    };
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|error| Failure::new(Exit::NotWritten, format!("{}: cannot be written: {error}", path.display())))?;
    files.write(&path, |out| writeln!(out, "{text}"))
}

fn from_configuration(args: &ScanArgs, loaded: &Loaded) -> bool {
    loaded.path.is_some() && args.files.is_empty() && args.input.source.is_empty()
}

/// Where relative names of inputs start: at the configuration, else where the user stands.
#[allow(clippy::disallowed_methods, reason = "a manifest says where its inputs lay")]
fn start(args: &ScanArgs, loaded: &Loaded) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir();
    let folder = if from_configuration(args, loaded) { here.map(|here| here.join(loaded.folder())) } else { here };
    let folder = folder.map_err(|error| Failure::new(Exit::NotWritten, format!("the working folder is not known: {error}")))?;
    Ok(folder.components().collect())
}

/// The whole result in a file.
fn result_file(args: &ScanArgs) -> Option<PathBuf> {
    let whole = |format: OutputFormat| format == OutputFormat::Json && outputs::mask(format, &args.look) == Mask::Off;
    outputs::files(&args.outputs).into_iter().find(|(format, _)| whole(*format)).map(|(_, path)| path)
}

/// A path as a manifest at `manifest` names it.
fn beside(path: &Path, manifest: &Path) -> String {
    let manifest = std::path::absolute(manifest).unwrap_or_else(|_| manifest.to_owned());
    below(path, manifest.parent().unwrap_or(Path::new("")))
}

/// A path relative to a folder where it lies below, else whole.
fn below(path: &Path, folder: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned()
}

fn link(previous: &Path, manifest: &Path) -> Result<Previous, Failure> {
    let (_, sha256) = read(previous)?;
    Ok(Previous { file: beside(previous, manifest), sha256 })
}

/// A manifest, and the digest of its bytes.
pub fn read(path: &Path) -> Result<(Manifest, String), Failure> {
    let trouble = |what: String| Failure::new(Exit::Usage, format!("{}: {what}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| trouble(format!("cannot be read: {error}")))?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|error| trouble(format!("not a manifest of twicelog: {error}")))?;
    if manifest.schema != SCHEMA {
        return Err(trouble(format!("unknown schema {:?}; this version reads {SCHEMA:?}", manifest.schema)));
    }
    Ok((manifest, digest::of_bytes(&bytes, "").sha256))
}

/// The manifests of a folder with the digests of their bytes, in the order of their starts. Other files are none.
///
/// # Errors
/// The folder cannot be read, or a file that says it is a manifest cannot.
pub fn read_folder(folder: &Path) -> Result<Vec<(PathBuf, Manifest, String)>, Failure> {
    let trouble = |error: std::io::Error| Failure::new(Exit::Usage, format!("{}: cannot be read: {error}", folder.display()));
    let mut manifests = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(trouble)? {
        let path = entry.map_err(trouble)?.path();
        let is_named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("manifest"));
        if is_named && path.extension().is_some_and(|extension| extension == "json") {
            let (manifest, sha256) = read(&path)?;
            manifests.push((path, manifest, sha256));
        }
    }
    manifests.sort_by(|(a, one, _), (b, other, _)| (&one.started, a).cmp(&(&other.started, b)));
    Ok(manifests)
}
