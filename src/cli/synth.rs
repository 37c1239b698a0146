//! `twicelog synth`: a made-up log with known duplicates, its configuration, and the answers.

use super::args::SynthArgs;
use super::exit::{Exit, Failure};
use super::output;
use std::io::{BufWriter, Write};
use twicelog::synth::{self, Wanted};

pub fn run(args: &SynthArgs) -> Result<Exit, Failure> {
    let wanted = Wanted { payments: args.payments, cases: args.cases, seed: args.seed };
    let file = |name: &str| args.folder.join(name);
    let [log, config, answers] = ["payments.csv", "twicelog.toml", "answers.json"].map(file);
    // A configuration of the user's own is worth more than a made-up one.
    if let Some(there) = [&log, &config, &answers].into_iter().find(|path| path.exists()) {
        return Err(Failure::new(Exit::Usage, format!("{}: is there already; name an empty folder", there.display())));
    }
    output::folder(&args.folder)?;
    let mut planted = None;
    output::to_file(&log, |out| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        planted = Some(synth::write(&wanted, &mut out)?);
        out.flush()
    })?;
    output::to_file(&config, |out| out.write_all(synth::CONFIG.as_bytes()))?;
    let Some(planted) = planted else { return Ok(Exit::Clean) };
    let reported = planted.cases.iter().filter(|case| case.verdict.is_some()).count();
    output::to_file(&answers, |out| {
        serde_json::to_writer_pretty(&mut *out, &planted)?;
        out.write_all(b"\n")
    })?;
    output::print_lines(&format!(
        "{}: {} records with {} planted cases: {reported} to be found, {} that only look like duplicates\n\
         {}: which they are\ntwicelog scan --config {}",
        log.display(),
        planted.records,
        planted.cases.len(),
        planted.cases.len() - reported,
        answers.display(),
        config.display(),
    ))
}
