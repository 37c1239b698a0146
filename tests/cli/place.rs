//! A folder of its own for each test, and the program run in it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub const CONFIG: &str = r#"version = 1
[[source]]
name = "pay"
files = ["pay.csv"]
[source.map]
time = { from = "at", format = "iso", zone = "UTC" }
operation = { const = "charge" }
actor = "customer"
amount = "amount"
currency = { const = "EUR" }
effect_id = "id"
[[rule]]
id = "double-charge"
fingerprint = ["actor", "amount"]
window = "10m"
"#;

pub const HEADER: &str = "id,at,customer,amount\n";
/// Nothing happened twice.
pub const CALM: &str = "ch_1,2026-03-02T10:00:00Z,anna,59.00\nch_2,2026-03-02T11:00:00Z,boris,20.00\n";
/// anna was charged twice.
pub const DOUBLED: &str = "ch_1,2026-03-02T10:00:00Z,anna,59.00\nch_2,2026-03-02T10:00:40Z,anna,59.00\n";
pub const UNREADABLE_ROW: &str = "ch_3,yesterday,clara,20.00\n";

pub struct Place(TempDir);

/// How a run ended.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let run = Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(run.stderr.is_empty() || run.stderr.starts_with("twicelog: "), "{}", run.stderr);
        assert_eq!(run.stderr.is_empty(), run.stderr.trim().is_empty());
        assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "a terminal was spoken to, but there is none");
        run
    }
}

impl Run {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl Place {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// An empty one in this folder.
    #[cfg(target_os = "linux")]
    pub fn within(folder: &Path) -> Self {
        Self(tempfile::tempdir_in(folder).unwrap())
    }

    /// With a configuration, and `pay.csv` of these rows.
    pub fn with(rows: &str) -> Self {
        let place = Self::empty();
        place.write("twicelog.toml", CONFIG);
        place.write("pay.csv", &(HEADER.to_owned() + rows));
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of everything in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program, standing in this folder, with nothing in its environment that it listens to.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_twicelog"));
        command.args(arguments).current_dir(self.folder()).stdin(Stdio::null());
        ["TWICELOG_CONFIG", "TWICELOG_MASK_KEY", "NO_COLOR", "COLUMNS", "TERM"].iter().for_each(|name| {
            command.env_remove(name);
        });
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().unwrap().into()
    }

    /// As [`Self::expect`], with this on standard input.
    pub fn pipe(&self, code: i32, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, Some(code), "{arguments:?}: {}{}", run.stdout, run.stderr);
        run
    }

    /// Runs and expects this exit code.
    pub fn expect(&self, code: i32, arguments: &[&str]) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}\n{}\n{}", run.stdout, run.stderr);
        run
    }
}
