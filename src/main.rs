//! The twicelog program: hands the arguments to the command line and returns its exit code.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
