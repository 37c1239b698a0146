//! Case folders: reading what one expects, scanning it, and comparing the two.

use rust_decimal::Decimal;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use twicelog::domain::finding::{Finding, Role, Severity};
use twicelog::domain::report::Ledger;
use twicelog::domain::{KeyRelation, Verdict};
use twicelog::engine::{Depth, NoProgress, Options};
use twicelog::scan::{Scanned, configured, scan_files};

/// A set of records, each as `file:number`.
pub type Records = BTreeSet<String>;

/// A folder of `tests/cases/`.
pub struct Case {
    pub name: String,
    folder: PathBuf,
    /// `twicelog.toml`
    config: String,
    pub expected: Expected,
}

/// `expected.json`. Members that explain the case to a reader are not looked at.
#[derive(Deserialize)]
pub struct Expected {
    pub findings: Vec<ExpectedFinding>,
    pub quiet: Vec<Quiet>,
    #[serde(default)]
    pub batches: Vec<ExpectedBatch>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    ledger: Option<Ledger>,
    /// The feature without which the configuration cannot be used.
    #[serde(default)]
    needs: Option<String>,
}

#[derive(Deserialize)]
pub struct ExpectedFinding {
    pub records: Records,
    pub verdict: Verdict,
    extra_effects: u64,
    #[serde(default)]
    possible_extra_effects: u64,
    net: Option<BTreeMap<String, Decimal>>,
    gross: Option<BTreeMap<String, Decimal>>,
    key_relation: Option<KeyRelation>,
    severity: Option<Severity>,
    proof: Option<Records>,
    cause_any_of: Option<Vec<String>>,
}

#[derive(Deserialize)]
pub struct Quiet {
    pub records: Records,
    pub verdict: Verdict,
}

#[derive(Deserialize)]
pub struct ExpectedBatch {
    lag_seconds: f64,
    extra_effects: u64,
}

impl Case {
    /// All cases, by name, but for those that this build cannot read.
    pub fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        let mut folders: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.retain(|folder| folder.is_dir());
        folders.sort();
        folders.into_iter().map(Self::read).filter(Self::fits_this_build).collect()
    }

    fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let text =
            |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{name}/{file}: {error}"));
        let config = text("twicelog.toml");
        let expected = serde_json::from_str(&text("expected.json")).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name, folder, config, expected }
    }

    fn fits_this_build(&self) -> bool {
        match self.expected.needs.as_deref() {
            None => true,
            Some("columnar") => cfg!(feature = "columnar"),
            Some(other) => panic!("{}: no feature {other:?}", self.name),
        }
    }

    pub fn config(&self) -> &str {
        &self.config
    }

    /// Written by us, so that every quiet expectation is a group. The handed ones also list records that never meet in one.
    pub fn is_own(&self) -> bool {
        self.name.contains("-own-")
    }

    /// Scans with quiet groups too.
    pub fn scan(&self, threads: usize, max_memory: usize) -> Scanned {
        let trouble = |error: &dyn std::fmt::Display| -> ! { panic!("{}: {error}", self.name) };
        let rules = twicelog::rules::load(&self.config, "twicelog.toml", &self.folder).unwrap_or_else(|errors| trouble(&errors));
        let files = configured(&rules, &self.folder).unwrap_or_else(|error| trouble(&error));
        let options = Options { threads, max_memory, depth: Depth::All, ..Options::default() };
        let scanned = scan_files(&rules, &files, &options, &NoProgress).unwrap_or_else(|error| trouble(&error));
        assert_eq!(scanned.faults, Vec::<String>::new(), "{}", self.name);
        scanned
    }

    /// What a scan tells otherwise than expected; `known` are quiet record sets that cannot be as expected.
    pub fn differences(&self, scanned: &Scanned, known: &[Records]) -> Vec<String> {
        let result = &scanned.result;
        let mut found: BTreeMap<Records, Vec<&Finding>> = BTreeMap::new();
        let mut calm: BTreeMap<Records, Verdict> = BTreeMap::new();
        for finding in &result.findings {
            if finding.verdict.is_reported() {
                found.entry(records(finding)).or_default().push(finding);
            } else {
                calm.insert(records(finding), finding.verdict);
            }
        }
        let mut differences = Vec::new();
        for expected in &self.expected.findings {
            match found.remove(&expected.records).as_deref() {
                None => differences.push(format!("missed: {} of {:?}", expected.verdict.name(), expected.records)),
                Some([finding]) => {
                    expected.compare(finding, &mut differences);
                    // Without a [[proof]] the expected ones are where a person would look, not what the program is told.
                    let proof = expected.proof.as_ref().filter(|_| self.config.contains("[[proof]]"));
                    if let Some(proof) = proof.filter(|proof| **proof != proofs(finding)) {
                        differences.push(format!("proof {:?}, expected {proof:?}", proofs(finding)));
                    }
                }
                Some(several) => differences.push(format!("reported {} times: {:?}", several.len(), expected.records)),
            }
        }
        differences.extend(
            found.iter().map(|(records, findings)| format!("false alarm: {} of {records:?}", findings[0].verdict.name())),
        );
        for expected in self.expected.quiet.iter().filter(|quiet| quiet.records.len() > 1 && !known.contains(&quiet.records)) {
            let got = calm.get(&expected.records);
            let never_met = !self.is_own() && expected.verdict == Verdict::LegitimateRepeat && got.is_none();
            if got != Some(&expected.verdict) && !never_met {
                differences.push(format!("quiet {:?}: {got:?}, expected {:?}", expected.records, expected.verdict));
            }
        }
        for expected in &self.expected.batches {
            let fits = |lag: f64, extra| (lag - expected.lag_seconds).abs() < 0.01 && extra == expected.extra_effects;
            if !result.batches.iter().any(|batch| fits(batch.lag_seconds, batch.extra_effects)) {
                differences.push(format!("no batch {} s later with {} effects", expected.lag_seconds, expected.extra_effects));
            }
        }
        if !self.expected.notes.is_empty() && result.notes.is_empty() {
            differences.push(format!("no note; expected one saying {:?}", self.expected.notes));
        }
        if let Some(ledger) = self.expected.ledger.filter(|ledger| *ledger != result.ledger) {
            differences.push(format!("{:?}, expected {ledger:?}", result.ledger));
        }
        differences
    }
}

impl ExpectedFinding {
    fn compare(&self, finding: &Finding, differences: &mut Vec<String>) {
        let mut check = |what: &str, got: String, expected: String| {
            if got != expected {
                differences.push(format!("{what} {got}, expected {expected}, of {:?}", self.records));
            }
        };
        check("verdict", finding.verdict.name().into(), self.verdict.name().into());
        check("extra_effects", finding.extra_effects.to_string(), self.extra_effects.to_string());
        check("possible_extra_effects", finding.possible_extra_effects.to_string(), self.possible_extra_effects.to_string());
        if let Some(net) = &self.net {
            check("net", format!("{:?}", money(finding, |exposure| &exposure.net)), format!("{:?}", nonzero(net)));
        }
        if let Some(gross) = &self.gross {
            check("gross", format!("{:?}", money(finding, |exposure| &exposure.gross)), format!("{:?}", nonzero(gross)));
        }
        if let Some(relation) = self.key_relation {
            check("key_relation", finding.key_relation.name().into(), relation.name().into());
        }
        if let Some(severity) = self.severity {
            check("severity", finding.severity.name().into(), severity.name().into());
        }
        if let Some(causes) = self.cause_any_of.as_ref().filter(|causes| !causes.contains(&finding.cause.code)) {
            differences.push(format!("cause {}, expected one of {causes:?}, of {:?}", finding.cause.code, self.records));
        }
    }
}

/// The records of a finding but for its proofs.
pub fn records(finding: &Finding) -> Records {
    places(finding, |role| role != Role::Proof)
}

fn proofs(finding: &Finding) -> Records {
    places(finding, |role| role == Role::Proof)
}

fn places(finding: &Finding, wanted: impl Fn(Role) -> bool) -> Records {
    let base = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
    let wanted = finding.records.iter().filter(|record| wanted(record.role));
    wanted.map(|record| format!("{}:{}", base(&record.file), record.record)).collect()
}

fn money(finding: &Finding, part: impl Fn(&twicelog::domain::finding::Exposure) -> &String) -> BTreeMap<String, Decimal> {
    let sums = finding.exposure.iter().map(|exposure| (exposure.currency.clone(), part(exposure).parse().unwrap())).collect();
    nonzero(&sums)
}

/// What is left without zeros; written alike however many digits it was written with.
fn nonzero(sums: &BTreeMap<String, Decimal>) -> BTreeMap<String, Decimal> {
    sums.iter().filter(|(_, sum)| !sum.is_zero()).map(|(currency, sum)| (currency.clone(), sum.normalize())).collect()
}
