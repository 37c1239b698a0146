//! The roof: arguments, files, the clock, printing, exit codes. One file for each subcommand.

mod aftermath;
mod args;
mod baseline;
mod check;
mod config;
mod decisions;
mod digest;
mod exit;
mod explain;
mod explain_state;
mod hooks;
mod init;
mod inspect;
mod interrupt;
mod library;
mod mask_key;
mod night;
mod nightly_args;
mod output;
mod outputs;
mod profiles;
mod progress;
mod proof;
mod retell;
mod scan;
mod schedule;
mod shell;
mod staged;
mod state;
mod synth;
mod verify;
mod written_beside;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use exit::{Exit, Failure};
use std::process::ExitCode;

/// Runs the command line of this process.
#[allow(clippy::disallowed_methods, reason = "the command line is where arguments are read")]
pub fn run() -> ExitCode {
    if std::env::args_os().len() < 2 {
        let help = Cli::command().render_long_help();
        return finish(output::print(&help.to_string()));
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    interrupt::watch();
    finish(match cli.command {
        Command::Scan(args) => aftermath::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Report(args) => retell::run(&args),
        Command::Baseline(args) => baseline::run(&args),
        Command::State(args) => state::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Schedule(args) => schedule::run(&args),
        Command::Profiles(args) => profiles::run(&args),
        Command::Test(args) => profiles::test(&args),
        Command::Synth(args) => synth::run(&args),
        Command::Schema(args) => shell::schema(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    })
}

/// What clap has to say: help and version are answers, everything else is a mistake.
fn refused(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        let safe: Vec<_> = text.lines().map(twicelog::report::safe::visible).collect();
        output::talk(&format!("twicelog: {}\n", safe.join("\n")));
        return Exit::Usage.into();
    }
    finish(output::print(&text))
}

fn finish(result: Result<Exit, Failure>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if let Some(message) = failure.message() {
                output::talk(&message);
            }
            failure.exit.into()
        }
    }
}
