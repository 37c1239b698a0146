//! The profiles at hand: those of the program, and those of the user's folder.

use super::exit::{Exit, Failure};
use std::path::{Path, PathBuf};
use twicelog::rules::profiles::Library;

/// Folders within the user's folder that are looked into.
const DEEPEST: usize = 4;

/// The built-in profiles and those of `folder`, which are called by their path in it.
pub fn library(folder: Option<&Path>) -> Result<Library, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let mut library = Library::built_in().map_err(|errors| usage(errors.to_string()))?;
    let Some(folder) = folder else { return Ok(library) };
    let mut files = Vec::new();
    collect(folder, DEEPEST, &mut files).map_err(|error| usage(format!("{}: cannot be read: {error}", folder.display())))?;
    files.sort();
    for path in files {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("").to_string_lossy().replace('\\', "/");
        let text =
            std::fs::read_to_string(&path).map_err(|error| usage(format!("{}: cannot be read: {error}", path.display())))?;
        library.add(&name, &text).map_err(|errors| usage(errors.to_string()))?;
    }
    Ok(library)
}

fn collect(folder: &Path, deepest: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && deepest > 0 {
            collect(&path, deepest - 1, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
