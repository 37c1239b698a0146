//! `twicelog init`: infers a configuration from files, and writes it with its doubts beside it.

use super::args::InitArgs;
use super::config;
use super::exit::{Exit, Failure, complaint};
use super::library::library;
use super::output;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use twicelog::read::{self, Location};
use twicelog::report::mask::Masker;
use twicelog::report::{Mask, safe};
use twicelog::rules::profiles::Library;
use twicelog::rules::{self, Overrides};
use twicelog::scan::{Inference, Inferred, Survey, What, config_text, infer, recognise, survey};

pub fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let library = library(args.profiles.as_deref())?;
    let to_stdout = args.output.as_os_str() == "-";
    if !to_stdout {
        refuse_overwriting(&args.output)?;
        if !args.yes && !io::stdin().is_terminal() {
            return Err(Failure::new(
                Exit::Usage,
                "there is no terminal to ask on; write with --yes, or look first with --output -",
            ));
        }
    }
    let mut masker = Masker::new(if args.reveal { Mask::Off } else { Mask::On });
    let locations = config::locations(&args.files)?;
    let looked: Vec<Looked> =
        locations.iter().map(|location| look(location, args, &library, &mut masker)).collect::<Result<_, _>>()?;
    let names = names(&locations);
    let folder = args.output.parent().unwrap_or(Path::new(""));
    let paths: Vec<String> = locations.iter().map(|location| in_configuration(location, folder)).collect();
    let files: Vec<Inferred<'_>> = looked
        .iter()
        .zip(names.iter().zip(&paths))
        .map(|(looked, (name, file))| Inferred { name, file, what: looked.what() })
        .collect();
    let text = config_text(&files, args.zone.map(|zone| zone.name()));
    // What init writes, check must accept: a mistake here is ours, and is told rather than written.
    let overrides = Overrides { profiles: Some(&library), ..Overrides::default() };
    rules::load_with(&text, "the inferred configuration", folder, &overrides)
        .map_err(|errors| Failure::new(Exit::Usage, errors))?;
    if to_stdout {
        return output::print_lines(&text);
    }
    if !args.yes {
        output::print_lines(&text)?;
        if !agreed(&args.output)? {
            return Ok(Exit::Clean);
        }
    }
    output::to_file(&args.output, |out| out.write_all(text.as_bytes()))?;
    for url in locations.iter().filter_map(Location::url).filter(|url| url.has_secrets()) {
        let shown = safe::visible(&url.shown()).into_owned();
        output::talk(&format!("twicelog: {shown}: user and query were left out of the configuration; add what is needed\n"));
    }
    output::talk(&format!(
        "twicelog: wrote {}; read it, correct it, and run twicelog check --config {}\n",
        safe::visible(&args.output.display().to_string()),
        safe::visible(&args.output.display().to_string())
    ));
    Ok(Exit::Clean)
}

/// What was found out about a file.
enum Looked {
    Profile { name: String, why: String },
    Columns { survey: Box<Survey>, inference: Box<Inference> },
}

impl Looked {
    fn what(&self) -> What<'_> {
        match self {
            Self::Profile { name, why } => What::Profile { name, why },
            Self::Columns { survey, inference } => What::Columns { survey, inference },
        }
    }
}

fn look(location: &Location, args: &InitArgs, library: &Library, masker: &mut Masker) -> Result<Looked, Failure> {
    let incomplete = |error: read::OpenError| Failure::new(Exit::Incomplete, error);
    let spool_folder = std::env::temp_dir();
    let stored = location.store(&location.shown(), &spool_folder).map_err(incomplete)?;
    let glance = read::glance(&stored).map_err(incomplete)?;
    if !args.no_profile
        && let Some(recognised) = recognise(&glance, library)
    {
        return Ok(Looked::Profile { name: recognised.profile, why: recognised.why });
    }
    let mut survey = survey(stored, &glance, &spool_folder).map_err(incomplete)?;
    if let Some(fault) = &survey.fault {
        output::talk(&complaint(fault));
    }
    if let Some(value) = &survey.value_as_name {
        let message = format!(
            "{}: the table has no header: {value:?} names a column of values like it, so a record would be lost; put a line with the names of the columns above the first",
            location.shown()
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    leave_out_personal_names(location, &mut survey);
    let inference = infer(&survey);
    mask_samples(&mut survey, &inference, masker);
    Ok(Looked::Columns { survey: Box::new(survey), inference: Box::new(inference) })
}

/// A column that is called by an address or a number of somebody cannot be named without telling it.
fn leave_out_personal_names(location: &Location, survey: &mut Survey) {
    let mut masker = Masker::new(Mask::On);
    let all = survey.columns.len();
    survey.columns.retain(|column| masker.text(&column.name) == column.name);
    let left_out = all - survey.columns.len();
    if left_out > 0 {
        let place = location.shown();
        output::talk(&complaint(&format!(
            "{place}: {left_out} columns were left out of the configuration, because their names are addresses or numbers of people"
        )));
    }
}

/// A configuration is kept in version control, where names and addresses of customers have no place.
fn mask_samples(survey: &mut Survey, inference: &Inference, masker: &mut Masker) {
    for column in &mut survey.columns {
        let is_actor = inference.actor.as_ref().is_some_and(|guess| guess.column == column.name);
        for sample in &mut column.samples {
            *sample = if is_actor { masker.value("actor", sample) } else { masker.value(&column.name, sample) };
        }
        // The words of the outcome are written out; a word that says how something ended is left as it is.
        if inference.outcome.as_ref().is_some_and(|guess| guess.column == column.name) {
            let values = std::mem::take(&mut column.values);
            column.values = values.into_iter().map(|(value, count)| (masker.text(&value), count)).collect();
        }
    }
}

/// Names for sources: those of the files, told apart by a number where they are alike.
fn names(files: &[Location]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for location in files {
        let of_path = location.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let stem = location.url().map(|url| url.file_name().to_owned()).or(of_path).unwrap_or_default();
        let stem = stem.split('.').next().unwrap_or_default().to_owned();
        let stem = if stem.is_empty() { "source".to_owned() } else { stem };
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

/// A path as the configuration must write it: relative ones start at its folder. Signs that a pattern would take for wildcards are escaped.
fn in_configuration(location: &Location, folder: &Path) -> String {
    if let Some(url) = location.url() {
        return if url.scheme().is_web() { url.shown() } else { url.as_pattern() };
    }
    let Some(path) = location.path() else { return location.shown() };
    let inside = path.strip_prefix(folder).ok().filter(|_| !folder.as_os_str().is_empty());
    let path = match inside {
        Some(inside) => inside.to_owned(),
        None if folder.as_os_str().is_empty() => path.to_owned(),
        None => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
    };
    glob::Pattern::escape(&path.to_string_lossy())
}

fn refuse_overwriting(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        let message = format!("{}: is there already; name another file with --output", path.display());
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

fn agreed(path: &Path) -> Result<bool, Failure> {
    output::talk(&format!("write {}? [y/N] ", safe::visible(&path.display().to_string())));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::new(Exit::Usage, format!("no answer: {error}")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
