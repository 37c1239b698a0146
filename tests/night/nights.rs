//! Nights in a row over a folder of their own.

use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;
use twicelog::domain::finding::Finding;
use twicelog::domain::memory::{FindingStatus, Memory};
use twicelog::engine::{Depth, NoProgress, Options};
use twicelog::read::Location;
use twicelog::rules::Rules;
use twicelog::scan::{Assigned, Night, NightOptions, Scanned, scan_files, scan_night};

pub struct Nights {
    folder: TempDir,
    pub rules: Rules,
    pub memory: Memory,
    pub options: NightOptions,
    count: usize,
    /// How often each finding was told as new.
    pub new: BTreeMap<String, u32>,
    /// Each finding as it was told last.
    pub told: BTreeMap<String, Finding>,
}

impl Nights {
    pub fn new(rules: Rules) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = NightOptions::new("night 0", [7; 32]);
        options.scan = Options { threads: 2, temp_dir: folder.path().to_owned(), depth: Depth::Findings, ..Options::default() };
        Self { folder, rules, memory: Memory::default(), options, count: 0, new: BTreeMap::new(), told: BTreeMap::new() }
    }

    pub fn of_config(config: &str) -> Self {
        Self::new(twicelog::rules::load(config, "twicelog.toml", Path::new("")).unwrap_or_else(|errors| panic!("{errors}")))
    }

    /// Where a file of a night lies.
    pub fn place(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("files").join(name)
    }

    /// Writes the files of a night, all of the first source, and nothing else.
    pub fn write(&self, files: &[(&str, &[u8])]) -> Vec<Assigned> {
        let folder = self.folder.path().join("files");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let write = |(name, bytes): &(&str, &[u8])| {
            std::fs::write(folder.join(name), bytes).unwrap();
            Assigned { location: Location::File(folder.join(name)), name: (*name).to_owned(), source: 0 }
        };
        files.iter().map(write).collect()
    }

    /// A night over these files that changes nothing.
    pub fn peek(&self, files: &[(&str, &[u8])]) -> Night {
        self.over(&self.write(files))
    }

    fn over(&self, files: &[Assigned]) -> Night {
        scan_night(&self.rules, files, &self.memory, &self.options, &NoProgress).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A night over these files, whatever is wrong with them.
    pub fn run_faulty(&mut self, files: &[(&str, &[u8])]) -> Night {
        let files = self.write(files);
        self.run_over(&files)
    }

    /// A night over the files as they lie there, ascending by name.
    pub fn run_lying(&mut self) -> Night {
        let files = self.lying();
        self.run_over(&files)
    }

    fn lying(&self) -> Vec<Assigned> {
        let there = std::fs::read_dir(self.place("")).unwrap();
        let mut names: Vec<String> = there.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.into_iter().map(|name| Assigned { location: Location::File(self.place(&name)), name, source: 0 }).collect()
    }

    fn run_over(&mut self, files: &[Assigned]) -> Night {
        self.count += 1;
        self.options.night = format!("night {}", self.count);
        let night = self.over(files);
        assert!(night.scanned.result.ledger.balances(), "{:?}", night.scanned.result.ledger);
        for source in &night.scanned.result.sources {
            let told = source.over_time.iter().flat_map(|over_time| &over_time.buckets).map(|bucket| bucket.records).sum::<u64>();
            assert_eq!(told, source.ledger.used, "what was read tonight, and nothing that was carried: {}", source.name);
        }
        for id in &night.changes.new {
            *self.new.entry(id.clone()).or_default() += 1;
        }
        for finding in night.scanned.result.findings.iter().filter(|finding| finding.verdict.is_reported()) {
            self.told.insert(finding.id.clone(), finding.clone());
        }
        // What is left is data that can be stored.
        let stored = serde_json::to_vec(&night.memory).unwrap();
        self.memory = serde_json::from_slice(&stored).unwrap();
        assert_eq!(self.memory, night.memory);
        night
    }

    pub fn run(&mut self, files: &[(&str, &[u8])]) -> Night {
        let night = self.run_faulty(files);
        assert_eq!(night.scanned.faults, Vec::<String>::new());
        night
    }

    /// All files at once, without a state.
    pub fn at_once(&self, files: &[(&str, &[u8])]) -> Scanned {
        let files = self.write(files);
        scan_files(&self.rules, &files, &self.options.scan, &NoProgress).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The findings that stand after all nights, as they were told last.
    pub fn standing(&self) -> Vec<(String, String)> {
        let resolved = |finding: &Finding| {
            let known = self.memory.findings.iter().find(|known| known.id == finding.id);
            known.is_some_and(|known| known.status == FindingStatus::Resolved) && finding.verdict.name() != "compensated"
        };
        self.told.values().filter(|finding| !resolved(finding)).map(essence).collect()
    }
}

/// A finding without what depends on the rest of the log.
pub fn essence(finding: &Finding) -> (String, String) {
    let records = finding.records.len();
    let text = format!(
        "{} {} extra {} possible {} {:?} {} to {}, {records} records",
        finding.rule,
        finding.verdict.name(),
        finding.extra_effects,
        finding.possible_extra_effects,
        finding.exposure,
        finding.first,
        finding.last
    );
    (finding.id.clone(), text)
}

pub fn essences(scanned: &Scanned) -> Vec<(String, String)> {
    let mut all: Vec<_> = scanned.result.findings.iter().filter(|finding| finding.verdict.is_reported()).map(essence).collect();
    all.sort();
    all
}

pub fn ids(scanned: &Scanned) -> Vec<String> {
    essences(scanned).into_iter().map(|(id, _)| id).collect()
}
