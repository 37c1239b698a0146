//! `twicelog report`: tells a result that was written as JSON again, in any format, language and mask.

use super::args::RetellArgs;
use super::exit::{Exit, Failure};
use super::mask_key;
use super::outputs;
use super::staged::Files;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use twicelog::domain::report::{Report, SCHEMA};
use twicelog::report::Telling;

pub fn run(args: &RetellArgs) -> Result<Exit, Failure> {
    outputs::refuse_noise(&args.outputs)?;
    let written = outputs::paths(&args.outputs);
    let written: Vec<&Path> = written.iter().map(PathBuf::as_path).collect();
    let key = args.look.mask_key.as_deref();
    let inputs: Vec<&Path> = std::iter::once(args.result.as_path()).chain(key).collect();
    outputs::refuse_overwriting(&inputs, &written)?;
    let key = mask_key::named(&args.look)?;
    let report = read(&args.result)?;
    let read_then: Vec<&Path> =
        report.run.inputs.iter().map(|input| Path::new(&input.file)).filter(|input| input.exists()).collect();
    outputs::refuse_overwriting(&read_then, &written)?;
    let telling = Telling::of(&report, key);
    let undrawn = outputs::write_files(&args.outputs, &args.look, &telling, &mut Files::AtOnce)?;
    outputs::clear(&undrawn);
    outputs::print(&args.outputs, &args.look, &telling)?;
    drop(telling);
    // The process is about to end: giving millions of small strings back one by one would only take time.
    std::mem::forget(report);
    Ok(Exit::Clean)
}

fn all_of_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A result that `--output json` wrote; `-` is standard input. Errors name the file.
pub fn read(path: &Path) -> Result<Report, Failure> {
    let trouble = |what: String| Failure::new(Exit::Usage, format!("{}: {what}", path.display()));
    let read = || if path.as_os_str() == "-" { all_of_stdin() } else { std::fs::read(path) };
    let bytes = read().map_err(|error| trouble(format!("cannot be read: {error}")))?;
    let report: Report = serde_json::from_slice(&bytes).map_err(|error| trouble(format!("not a result of twicelog: {error}")))?;
    if report.schema != SCHEMA {
        return Err(trouble(format!("unknown schema {:?}; this version reads {SCHEMA:?}", report.schema)));
    }
    Ok(report)
}
