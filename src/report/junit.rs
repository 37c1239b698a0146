//! The `junit` format: what a build server shows as tests. Each rule is a suite and each of its findings a test that failed; a rule
//! without findings is a test that passed. So is each file that was read to its end.
//!
//! There is no standard of this format; written is what Jenkins, GitLab and their like read. The schemas that go around (Surefire's, the one of
//! Jenkins' xUnit plugin) know neither the file of a test, which GitLab links to, nor its line.

use super::by_rule::{Judged, by_rule};
use super::xml::text;
use super::{Out, Style, Told, in_words};
use crate::domain::finding::Finding;
use crate::domain::report::ScanResult;
use std::io::{self, Write};

/// The suite of the files; no rule's suite comes before it.
const INPUTS: &str = "twicelog.inputs";
/// Its last test: whether every record is accounted for.
const LEDGER: &str = "ledger";

pub(super) fn write(told: &Told<'_>, style: &Style, out: &mut Out<'_>) -> io::Result<()> {
    let report = &told.frame;
    let rules = by_rule(&told.unmasked().result);
    let mut suites = vec![inputs(&report.result, style)];
    suites.extend(rules.iter().map(|rule| of_rule(rule, told, style)));
    let (tests, failures, errors) = suites.iter().fold((0, 0, 0), |(tests, failures, errors), suite| {
        (tests + suite.cases.len(), failures + suite.count(Kind::Failure), errors + suite.count(Kind::Error))
    });
    let (version, counts) = (text(&report.run.version), format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\""));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"twicelog {version}\" {counts}>")?;
    suites.iter().try_for_each(|suite| suite.write(&report.run.started, out))?;
    writeln!(out, "</testsuites>")
}

struct Suite {
    name: String,
    cases: Vec<Case>,
    /// What a reader of the suite should know, passed or not.
    said: Option<String>,
}

struct Case {
    name: String,
    /// File and line where it is to be looked at.
    place: Option<(String, u64)>,
    trouble: Option<Trouble>,
}

/// Why a test did not pass.
struct Trouble {
    kind: Kind,
    /// A word for the kind of trouble.
    code: &'static str,
    message: String,
    /// Lines that tell it in full.
    details: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The data is not as it should be.
    Failure,
    /// It could not be looked at.
    Error,
}

impl Suite {
    fn count(&self, kind: Kind) -> usize {
        self.cases.iter().filter_map(|case| case.trouble.as_ref()).filter(|trouble| trouble.kind == kind).count()
    }

    fn write(&self, started: &str, out: &mut Out<'_>) -> io::Result<()> {
        let (name, started) = (text(&self.name), text(started));
        let (tests, failures, errors) = (self.cases.len(), self.count(Kind::Failure), self.count(Kind::Error));
        write!(out, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")?;
        writeln!(out, " skipped=\"0\" timestamp=\"{started}\">")?;
        for case in &self.cases {
            case.write(&name, out)?;
        }
        if let Some(said) = &self.said {
            writeln!(out, "    <system-out>{}</system-out>", text(said))?;
        }
        writeln!(out, "  </testsuite>")
    }
}

impl Case {
    fn write(&self, suite: &str, out: &mut Out<'_>) -> io::Result<()> {
        write!(out, "    <testcase classname=\"{suite}\" name=\"{}\"", text(&self.name))?;
        if let Some((file, line)) = &self.place {
            write!(out, " file=\"{}\" line=\"{line}\"", text(file))?;
        }
        let Some(Trouble { kind, code, message, details }) = &self.trouble else {
            return writeln!(out, "/>");
        };
        let element = if *kind == Kind::Failure { "failure" } else { "error" };
        write!(out, ">\n      <{element} type=\"{code}\" message=\"{}\">", text(message))?;
        for line in details {
            write!(out, "\n{}", text(line))?;
        }
        writeln!(out, "</{element}>\n    </testcase>")
    }
}

/// Each file is a test that it could be read, and the ledger one that nothing was lost.
fn inputs(result: &ScanResult, style: &Style) -> Suite {
    let texts = style.texts();
    let files = result.sources.iter().flat_map(|source| &source.files);
    let error = |code, message: &str| Trouble { kind: Kind::Error, code, message: message.to_owned(), details: vec![] };
    let case = |name: &str, trouble| Case { name: name.to_owned(), place: None, trouble };
    let mut cases: Vec<Case> =
        files.map(|file| case(&file.file, file.fault.as_deref().map(|fault| error("fault", fault)))).collect();
    let said = texts.ledger(cases.len() as u64, result.sources.len() as u64, &result.ledger);
    let unbalanced = (!result.ledger.balances()).then(|| error("unbalanced", texts.words().unbalanced));
    cases.push(case(LEDGER, unbalanced));
    Suite { name: INPUTS.into(), cases, said: Some(said) }
}

fn of_rule(rule: &Judged<'_>, told: &Told<'_>, style: &Style) -> Suite {
    let mut masker = told.masker();
    let mut cases: Vec<Case> = rule.findings.iter().map(|finding| of_finding(&masker.finding(finding), style)).collect();
    if cases.is_empty() {
        cases.push(Case { name: rule.id.to_owned(), place: None, trouble: None });
    }
    Suite { name: rule.id.to_owned(), cases, said: None }
}

/// A verdict that is no finding (with `--all`) is a test that passed, and so is a finding that people decided about.
fn of_finding(finding: &Finding, style: &Style) -> Case {
    let texts = style.texts();
    let mut facts = in_words::facts(finding, style);
    let details = facts.split_off(2).into_iter().chain(finding.records.iter().map(|record| in_words::record(record, texts)));
    let place = finding.records.first().map(|record| (record.file.clone(), record.lines[0]));
    let code = finding.verdict.name();
    let trouble = Trouble { kind: Kind::Failure, code, message: facts.join("; "), details: details.collect() };
    let is_open = finding.verdict.is_reported() && !finding.is_decided();
    Case { name: format!("{} {code}", finding.id), place, trouble: is_open.then_some(trouble) }
}
