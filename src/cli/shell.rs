//! Generated text: schemas, shell completions, manual pages.

use super::args::{Cli, CompletionsArgs, ManArgs, SchemaArgs, SchemaOf};
use super::exit::{Exit, Failure};
use super::output;
use clap::CommandFactory;

/// `twicelog schema`
pub fn schema(args: &SchemaArgs) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Result => twicelog::report::schema(),
        SchemaOf::Config => twicelog::rules::schema(),
        SchemaOf::Manifest => twicelog::nightly::proof::schema(),
        SchemaOf::Hook => twicelog::nightly::alert::schema(),
    };
    output::print(&format!("{schema:#}\n"))
}

/// `twicelog completions`
pub fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    // clap_complete panics when its writer fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "twicelog", &mut script);
    output::to_stdout(|out| out.write_all(&script))?;
    Ok(Exit::Clean)
}

/// `twicelog man`
pub fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let page = match &args.subcommand {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::new(Exit::Usage, format!("there is no subcommand {name:?}; see twicelog --help")))?,
    };
    output::to_stdout(|out| clap_mangen::Man::new(page).render(out))?;
    Ok(Exit::Clean)
}
