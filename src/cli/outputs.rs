//! Which reports go where: standard output, files, and the folder of `--report`.

use super::args::{LookArgs, OutputArgs};
use super::exit::{Exit, Failure};
use super::output;
use super::staged::{Files, Job};
use std::io::{self, IsTerminal, Read};
use std::path::{Component, Path, PathBuf};
use twicelog::engine::OtherWindows;
use twicelog::report::{self, Color, Mask, OutputFormat, Style, Telling};

/// Columns of a text report that is written to a file.
const FILE_WIDTH: usize = 100;

/// What `--report` writes into its folder: the page, and what stands beside it for programs and spreadsheets.
const FOLDER: [(OutputFormat, &str); 5] = [
    (OutputFormat::Html, "report.html"),
    (OutputFormat::Png, "report.png"),
    (OutputFormat::Json, "result.json"),
    (OutputFormat::Csv, "findings.csv"),
    (OutputFormat::Xlsx, "findings.xlsx"),
];

/// Where in that folder the pictures of single charts lie.
const CHARTS: &str = "charts";

/// Every file that will be written.
pub fn paths(args: &OutputArgs) -> Vec<PathBuf> {
    let charts = args.report.iter().flat_map(|folder| report::CHARTS.map(|name| chart_path(folder, name)));
    files(args).into_iter().map(|(_, path)| path).chain(charts).collect()
}

fn chart_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(CHARTS).join(name).with_extension("png")
}

/// The whole reports, in order.
pub fn files(args: &OutputArgs) -> Vec<(OutputFormat, PathBuf)> {
    let in_folder = args.report.iter().flat_map(|folder| FOLDER.map(|(format, name)| (format, folder.join(name))));
    args.output.iter().cloned().chain(in_folder).collect()
}

/// Writes the report to every file that the arguments name, side by side. Gives the pictures that an earlier run may have left beside them,
/// and that this one has not drawn: see [`clear`].
pub fn write_files(
    args: &OutputArgs,
    look: &LookArgs,
    telling: &Telling<'_>,
    files: &mut Files,
) -> Result<Vec<PathBuf>, Failure> {
    let style = Style { csv: args.csv_for, color: Color::Off, width: FILE_WIDTH, ..output::style(look) };
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut undrawn = Vec::new();
    if let Some(folder) = &args.report {
        output::folder(folder)?;
        output::folder(&folder.join(CHARTS))?;
        let style = Style { mask: mask(OutputFormat::Png, look), ..style.clone() };
        let pictures = telling.chart_pictures(&style);
        let pictures = pictures.map_err(|error| Failure::new(Exit::NotWritten, format!("{}: {error}", folder.display())))?;
        let is_drawn = |name: &str| pictures.iter().any(|(drawn, _)| drawn == name);
        undrawn.extend(report::CHARTS.into_iter().filter(|name| !is_drawn(name)).map(|name| chart_path(folder, name)));
        for (name, picture) in pictures {
            jobs.push(Job { path: chart_path(folder, &name), write: Box::new(move |out| out.write_all(&picture)) });
        }
    }
    for (format, path) in self::files(args) {
        let style = Style { mask: mask(format, look), ..style.clone() };
        jobs.push(Job { path, write: Box::new(move |out| telling.write(format, &style, out)) });
    }
    // The longest work comes first, so that it does not begin last.
    jobs.reverse();
    files.write_each(jobs)?;
    Ok(undrawn)
}

/// Removes what an earlier run drew: beside tonight's page it would be taken for tonight's. What twicelog has not drawn stays, whatever it is
/// called.
pub fn clear(undrawn: &[PathBuf]) {
    for path in undrawn.iter().filter(|path| is_drawn_by_us(path)) {
        if let Err(error) = std::fs::remove_file(path) {
            let path = path.display();
            output::talk(&format!(
                "twicelog: {path}: drawn by an earlier run, and cannot be removed: {error}; it is not of this run\n"
            ));
        }
    }
}

fn is_drawn_by_us(path: &Path) -> bool {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file());
    let mut begin = [0; report::CHART_PICTURE_BEGIN];
    is_file
        && std::fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && report::begins_chart_picture(&begin)
}

/// Whether a report is asked for that draws what other windows would find.
pub fn draws(args: &OutputArgs) -> OtherWindows {
    let draws = |format: &OutputFormat| matches!(format, OutputFormat::Html | OutputFormat::Png);
    let asked =
        std::iter::once(args.format).chain(files(args).into_iter().map(|(format, _)| format)).any(|format| draws(&format));
    if asked { OtherWindows::Tried } else { OtherWindows::Left }
}

/// Writes the report to standard output.
pub fn print(args: &OutputArgs, look: &LookArgs, telling: &Telling<'_>) -> Result<(), Failure> {
    let style = Style { mask: mask(args.format, look), csv: args.csv_for, ..output::style(look) };
    output::to_stdout(|out| telling.write(args.format, &style, out))
}

/// A terminal must not get what is no text.
pub fn refuse_noise(args: &OutputArgs) -> Result<(), Failure> {
    if args.format.is_binary() && io::stdout().is_terminal() {
        let name = args.format.name();
        return Err(Failure::new(
            Exit::Usage,
            format!("standard output: is a terminal, which cannot show {name}; write a file with --output {name}=FILE"),
        ));
    }
    Ok(())
}

/// What a format masks, unless the user says otherwise.
pub fn mask(format: OutputFormat, look: &LookArgs) -> Mask {
    match (look.mask, look.reveal) {
        (true, _) => Mask::On,
        (_, true) => Mask::Off,
        _ => format.default_mask(),
    }
}

/// An output must not take the place of an input, nor two outputs one file.
pub fn refuse_overwriting(inputs: &[&Path], outputs: &[&Path]) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| whereabouts(a) == whereabouts(b);
    for (index, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| same(input, output)) {
            return Err(Failure::new(Exit::Usage, format!("{}: is an input; write the output elsewhere", output.display())));
        }
        if outputs.iter().take(index).any(|other| same(other, output)) {
            return Err(Failure::new(
                Exit::Usage,
                format!("{}: named for two outputs; give each a file of its own", output.display()),
            ));
        }
    }
    Ok(())
}

/// No output may lie in a folder that holds something else, whether the folder is there yet or not.
pub fn refuse_within(folder: &Path, outputs: &[PathBuf]) -> Result<(), Failure> {
    let folder = end_of(folder);
    // A link at the place of an output is replaced, so only the folders before it are followed.
    let place = |output: &Path| match (output.parent(), output.file_name()) {
        (Some(parent), Some(name)) => end_of(parent).join(name),
        _ => end_of(output),
    };
    match outputs.iter().find(|output| place(output).starts_with(&folder)) {
        Some(output) => {
            Err(Failure::new(Exit::Usage, format!("{}: lies within the state; write the output elsewhere", output.display())))
        }
        None => Ok(()),
    }
}

/// Where a path will lead once all its folders are made. Links in what is there are followed; in what is not there are none.
fn end_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut end = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(end.pop()),
            Component::CurDir => {}
            part => end.push(part),
        }
        end = std::fs::canonicalize(&end).unwrap_or(end);
    }
    end
}

/// Where a path leads. What is not there yet is known by its folder: `a` and `./a` will be one file.
fn whereabouts(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = || Some(std::fs::canonicalize(folder).ok()?.join(path.file_name()?));
    let absolute = || std::path::absolute(path).map(|path| path.components().collect()).unwrap_or_else(|_| path.to_owned());
    std::fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(absolute)
}
