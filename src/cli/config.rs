//! Finding and loading the configuration, and the files to read.

use super::args::InputArgs;
use super::exit::{Exit, Failure};
use std::path::{Path, PathBuf};
use twicelog::rules::{self, Overrides, Rules};
use twicelog::scan::{Assigned, assign, configured};

const NAME: &str = "twicelog.toml";

/// A configuration with the folder that its relative paths start from.
pub struct Loaded {
    pub rules: Rules,
    pub path: PathBuf,
    folder: PathBuf,
}

/// Loads the configuration that the arguments name, else the nearest upward from the working folder.
pub fn load(args: &InputArgs) -> Result<Loaded, Failure> {
    let path = match &args.config {
        Some(path) => path.clone(),
        None => nearest().ok_or_else(|| {
            let message = "there is no twicelog.toml here or in a folder above; write one (docs/configuration.md shows how) or name it with --config";
            Failure::new(Exit::Usage, message)
        })?,
    };
    let name = path.display().to_string();
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let bytes = std::fs::read(&path).map_err(|error| usage(format!("{name}: cannot be read: {error}; check --config")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        usage(format!("{name}: not UTF-8 from byte {} on; save it as UTF-8", error.utf8_error().valid_up_to()))
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let rules = rules::load_with(text, &name, &folder, &Overrides { zone: args.zone, ..Overrides::default() })
        .map_err(|errors| usage(errors.to_string()))?;
    Ok(Loaded { rules, path, folder })
}

#[allow(clippy::disallowed_methods, reason = "the search for a configuration starts where the user stands")]
fn nearest() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let found = here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())?;
    // The usual case, told as the user would.
    Some(if found.parent() == Some(&here) { PathBuf::from(NAME) } else { found })
}

/// The files to read: those of the command line, else those of the configuration.
pub fn files(plain: &[PathBuf], args: &InputArgs, loaded: &Loaded) -> Result<Vec<Assigned>, Failure> {
    let files = if plain.is_empty() && args.source.is_empty() {
        configured(&loaded.rules, &loaded.folder)
    } else {
        assign(&loaded.rules, plain, &args.source)
    };
    let files = files.map_err(|error| Failure::new(Exit::Usage, error))?;
    if files.is_empty() {
        return Err(Failure::new(Exit::Usage, "no file to read; name files on the command line or in source.files"));
    }
    Ok(files)
}
