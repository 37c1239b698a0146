//! Printing and writing files: data on stdout, talk on stderr, files whole or not at all.

use super::args::{ColorChoice, LookArgs};
use super::exit::{Exit, Failure};
use super::interrupt::Unfinished;
use super::written_beside::WrittenBeside;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use terminal_size::{Width, terminal_size_of};
use twicelog::report::mask::Masker;
use twicelog::report::{Color, CsvFor, Mask, Style, safe};

/// Writes data to standard output.
pub fn print(text: &str) -> Result<Exit, Failure> {
    to_stdout(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Clean)
}

/// Writes lines of text to standard output, with what comes from files and configurations made harmless.
pub fn print_lines(text: &str) -> Result<Exit, Failure> {
    let lines: String = text.lines().map(|line| safe::visible(line).into_owned() + "\n").collect();
    print(&lines)
}

/// As [`print_lines`], for text in which values of a log may stand: `masker` says what of them is shown, and card numbers never are whole.
pub fn print_masked(text: &str, masker: &mut Masker) -> Result<Exit, Failure> {
    print_lines(&text.lines().map(|line| masker.text(line) + "\n").collect::<String>())
}

/// Lets `write` write to standard output. A reader that has gone is no trouble; any other error is told.
pub fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    write(&mut out).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::reader_gone(),
        _ => Failure::new(Exit::NotWritten, format!("standard output: cannot be written: {error}")),
    })
}

/// Says something on standard error. That nobody can hear it is no reason to stop.
pub fn talk(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes a file by way of a temporary one beside it, so that it is whole, old or new, at every moment, and only its owner can read it.
/// A link at the path is replaced, never followed; a device or pipe is written as it is.
pub fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    to_file_for(Readers::Owner, path, write)
}

/// As [`to_file`], readable for all: for what other accounts collect, and that holds nothing of a record.
pub fn to_public_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    to_file_for(Readers::All, path, write)
}

/// As [`to_file`], for a file of the user's that is changed: whoever could read it before still can.
pub fn to_changed_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    to_file_for(Readers::AsBefore, path, write)
}

/// Who can read a file that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    Owner,
    All,
    /// The owner alone, where there was no file.
    AsBefore,
}

fn to_file_for(readers: Readers, path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let written = if is_special(path) {
        OpenOptions::new().write(true).open(path).and_then(|mut out| write(&mut out))
    } else {
        replace(readers, path, write)
    };
    written.map_err(|error| Failure::new(Exit::NotWritten, format!("{}: cannot be written: {error}", path.display())))
}

/// A device or a pipe: nothing can be put in its place.
pub fn is_special(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|facts| !(facts.is_file() || facts.is_symlink() || facts.is_dir()))
}

fn replace(readers: Readers, path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let make = || {
        let file = tempfile::NamedTempFile::new_in(folder)?;
        let path = file.path().to_owned();
        Ok((file, path))
    };
    let (file, _unfinished) = Unfinished::made(make)?;
    let mut out = WrittenBeside::new(file.as_file().try_clone()?);
    write(&mut out)?;
    out.finish()?;
    #[cfg(unix)]
    {
        let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode;
        let permissions = match readers {
            Readers::Owner => None,
            Readers::All => Some(mode(0o644)),
            Readers::AsBefore => {
                std::fs::symlink_metadata(path).ok().filter(|facts| facts.is_file()).map(|facts| facts.permissions())
            }
        };
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
    }
    file.persist(path).map_err(|error| error.error)?;
    // The new name is safe only once the folder is.
    std::fs::File::open(folder)?.sync_all()
}

/// Makes a folder for reports, which only its owner can read; one that is there already stays as it is.
pub fn folder(path: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .map_err(|error| Failure::new(Exit::NotWritten, format!("{}: cannot be made a folder: {error}", path.display())))
}

/// How text looks on this standard output.
#[allow(clippy::disallowed_methods, reason = "the environment says how the terminal wants to be written to")]
pub fn style(look: &LookArgs) -> Style {
    let stdout = io::stdout();
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let colored = match look.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => stdout.is_terminal() && !set("NO_COLOR") && !dumb,
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let measured = || terminal_size_of(&stdout).map(|(Width(columns), _)| usize::from(columns));
    Style {
        width: columns.or_else(measured).unwrap_or(Style::WIDTH),
        color: if colored { Color::On } else { Color::Off },
        mask: Mask::On,
        language: look.lang,
        csv: CsvFor::Programs,
        explanations: twicelog::judge::explanations(),
    }
}
