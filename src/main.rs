//! The twicelog program: hands the arguments to the command line and returns its exit code.

mod cli;

/// Events are many small strings, made by one thread and dropped by another: the system's allocator spends a tenth of a scan on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
