//! Finding and loading the configuration, and the files to read.

use super::args::InputArgs;
use super::digest;
use super::exit::{Exit, Failure, complaint};
use super::library::library;
use super::output;
use std::path::{Path, PathBuf};
use twicelog::domain::report::RunInput;
use twicelog::read::Location;
use twicelog::rules::profiles::Library;
use twicelog::rules::{self, Overrides, Rules};
use twicelog::scan::{self, Assigned, ByProfile, Unassigned, assign, configured, recognise_all, unmatched};

const NAME: &str = "twicelog.toml";

/// A configuration with the folder that its relative paths start from.
pub struct Loaded {
    pub rules: Rules,
    /// None where profiles stand in for a configuration.
    pub path: Option<PathBuf>,
    /// Size and digest of the configuration's file.
    pub file: Option<RunInput>,
    folder: PathBuf,
    /// The files, where their profiles were recognised.
    recognised: Option<Vec<Assigned>>,
}

impl Loaded {
    /// Where relative paths start.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn usage(message: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Usage, message)
}

/// A file that is damaged is no mistake of the user's, as one that no profile knows is.
fn refused(is_usage: bool, error: impl std::fmt::Display) -> Failure {
    Failure::new(if is_usage { Exit::Usage } else { Exit::Incomplete }, error)
}

/// What the arguments name: paths, URLs, or `-`.
pub fn locations(paths: &[PathBuf]) -> Result<Vec<Location>, Failure> {
    scan::locations(paths).map_err(usage)
}

/// Loads the configuration that the arguments name, else the nearest upward from the working folder, else what the profiles of `files`
/// say.
pub fn load(args: &InputArgs, files: &[Location]) -> Result<Loaded, Failure> {
    let wanted = if args.no_config || args.profile.is_some() { None } else { args.config.clone().or_else(nearest) };
    match wanted {
        Some(path) => configuration(path, args),
        None if files.is_empty() && args.source.is_empty() => Err(usage(
            "there is no twicelog.toml here or in a folder above; name files to have them recognised, or write a configuration (docs/configuration.md shows how) and name it with --config",
        )),
        None => by_profile(files, args, &library(args.profiles.as_deref())?),
    }
}

fn configuration(path: PathBuf, args: &InputArgs) -> Result<Loaded, Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|error| usage(format!("{name}: cannot be read: {error}; check --config")))?;
    let file = digest::of_bytes(&bytes, &name);
    let text = String::from_utf8(bytes).map_err(|error| {
        usage(format!("{name}: not UTF-8 from byte {} on; save it as UTF-8", error.utf8_error().valid_up_to()))
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // Without a folder of the user's own, the built-in profiles are read when a source names one.
    let library = args.profiles.as_deref().map(|folder| library(Some(folder))).transpose()?;
    let rules = rules::load_with(text, &name, &folder, &overrides(args, library.as_ref())).map_err(usage)?;
    Ok(Loaded { rules, path: Some(path), file: Some(file), folder, recognised: None })
}

fn overrides<'l>(args: &InputArgs, profiles: Option<&'l Library>) -> Overrides<'l> {
    Overrides { zone: args.zone, date_order: args.date_order, decimal: args.decimal, profiles }
}

/// Each file by its own profile.
fn by_profile(files: &[Location], args: &InputArgs, library: &Library) -> Result<Loaded, Failure> {
    let mut unassigned = Vec::new();
    for (profile, path) in &args.source {
        for location in locations(std::slice::from_ref(path))? {
            unassigned.push(Unassigned { profile: Some(profile.clone()), name: location.shown(), location });
        }
    }
    let plain = files.iter().cloned();
    unassigned.extend(plain.map(|location| Unassigned { profile: args.profile.clone(), name: location.shown(), location }));
    reach(&unassigned)?;
    let ByProfile { rules, files, recognised } =
        recognise_all(unassigned, &overrides(args, Some(library)), library, &std::env::temp_dir())
            .map_err(|error| refused(error.is_usage(), error))?;
    for (name, recognised) in &recognised {
        let also = match recognised.also.as_slice() {
            [] => String::new(),
            others => format!("; {} would fit as well", others.join(", ")),
        };
        let text = format!("{name}: read as {} ({}){also}", recognised.profile, recognised.why);
        output::talk(&complaint(&text));
    }
    Ok(Loaded { rules, path: None, file: None, folder: PathBuf::new(), recognised: Some(files) })
}

/// An input that cannot be read is no mistake of the user's, as a file that no profile knows is.
fn reach(unassigned: &[Unassigned]) -> Result<(), Failure> {
    let failed = unassigned.iter().filter_map(|input| input.location.store(&input.name, &std::env::temp_dir()).err());
    let told: Vec<String> = failed.map(|error| error.to_string()).collect();
    if told.is_empty() { Ok(()) } else { Err(Failure::new(Exit::Incomplete, told.join("\n"))) }
}

#[allow(clippy::disallowed_methods, reason = "the search for a configuration starts where the user stands")]
pub fn nearest() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let found = here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())?;
    // The usual case, told as the user would.
    Some(if found.parent() == Some(&here) { PathBuf::from(NAME) } else { found })
}

/// The files to read: those of the command line, else those of the configuration.
pub fn files(plain: &[Location], args: &InputArgs, loaded: &Loaded) -> Result<Vec<Assigned>, Failure> {
    if let Some(recognised) = &loaded.recognised {
        return Ok(recognised.clone());
    }
    let files = if plain.is_empty() && args.source.is_empty() {
        unmatched(&loaded.rules, &loaded.folder).iter().for_each(|pattern| output::talk(&complaint(pattern)));
        configured(&loaded.rules, &loaded.folder)
    } else {
        // All profiles are read only where a file may have to be recognised.
        let sources = &loaded.rules.sources;
        let may_ask = sources.len() > 1 && sources.iter().any(|source| source.profile.is_some());
        let library = may_ask.then(|| library(args.profiles.as_deref())).transpose()?;
        assign(&loaded.rules, plain, &args.source, library.as_ref(), &std::env::temp_dir())
    };
    let files = files.map_err(|error| refused(error.is_usage(), error))?;
    if files.is_empty() {
        return Err(Failure::new(Exit::Usage, "no file to read; name files on the command line or in source.files"));
    }
    Ok(files)
}
