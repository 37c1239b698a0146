//! The first records of an input, mapped but not judged: what `check` shows before a real scan.

use super::amount::Exponents;
use super::derive::DerivedCells;
use super::details::event;
use super::keyer::{Play, RuleKeyer, Viewed, Work};
use super::mapping::{ColumnEvidence, Conventions, Mapper, Mapping, Rejection};
use super::{EngineError, OpenInput};
use crate::domain::event::{Event, Origin};
use crate::domain::record::{Position, Record, Split};
use crate::domain::report::Ledger;
use crate::rules::Rules;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What became of the first records of an input.
#[derive(Debug, Default)]
pub struct Previewed {
    pub ledger: Ledger,
    /// The first events.
    pub events: Vec<PreviewedEvent>,
    /// Number of the record, line and reason of the first rejected records.
    pub rejects: Vec<(u64, u64, String)>,
}

/// An event with what each rule compares of it.
#[derive(Debug)]
pub struct PreviewedEvent {
    pub event: Event,
    /// Index of the rule, and the normalised values of its fingerprint.
    pub fingerprints: Vec<(usize, Vec<Option<String>>)>,
}

/// How much of an input is looked at, and how much of that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewLimits {
    pub records: u64,
    /// Events, and rejects.
    pub kept: usize,
}

/// Maps the first records of an input. What they say about their columns holds for all of them.
pub fn preview(open: &OpenInput, rules: &Rules, limits: PreviewLimits) -> Result<Previewed, EngineError> {
    let Some(source) = rules.sources.get(open.source) else {
        return Ok(Previewed::default());
    };
    let assumed = Conventions::first(source, Exponents::of(open.input.writes_numbers()));
    let mut look = Look {
        open,
        mapper: Mapper::new(source, assumed),
        rules: RuleKeyer::of_source(rules, open.source),
        file: Arc::from(open.input.name()),
        kept: limits.kept,
    };
    let (first, evidence) = look.over(limits.records)?;
    let settled = evidence.conventions(source, assumed);
    if settled == assumed {
        return Ok(first);
    }
    look.mapper = Mapper::new(source, settled);
    Ok(look.over(limits.records)?.0)
}

struct Look<'l> {
    open: &'l OpenInput,
    mapper: Mapper<'l>,
    rules: Vec<RuleKeyer<'l>>,
    file: Arc<str>,
    kept: usize,
}

impl Look<'_> {
    fn over(&self, records: u64) -> Result<(Previewed, ColumnEvidence), EngineError> {
        let (look, open) = (self, self.open);
        let (mut previewed, mut evidence) = (Previewed::default(), ColumnEvidence::default());
        let mut blocks = open.input.blocks()?;
        let (mut number, mut line) = (0, open.input.first_line());
        while previewed.ledger.read < records {
            let Some(block) = blocks.next_block()? else {
                break;
            };
            line += u64::from(open.input.splitter().split(&block, 0, &mut |split| {
                number += 1;
                look.at(split, number, line, &mut previewed, &mut evidence);
                if previewed.ledger.read < records { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }));
        }
        Ok((previewed, evidence))
    }

    fn at(&self, split: Split<'_>, number: u64, line: u64, previewed: &mut Previewed, evidence: &mut ColumnEvidence) {
        match split {
            Split::Blank => {}
            Split::Ignored { .. } => {
                previewed.ledger.read += 1;
                previewed.ledger.ignored += 1;
            }
            Split::Broken(broken) => {
                previewed.ledger.read += 1;
                let position = broken.position.unwrap_or_else(|| counted(number, line, broken.line, broken.lines));
                self.reject(previewed, &position, &Rejection::Broken { reason: Cow::Owned(broken.reason) });
            }
            Split::Record(record) => {
                previewed.ledger.read += 1;
                let position = record.position.unwrap_or_else(|| counted(number, line, record.line, record.lines));
                self.record(&record, position, previewed, evidence);
            }
        }
    }

    fn record<'a>(&'a self, record: &Record<'a>, position: Position, previewed: &mut Previewed, evidence: &mut ColumnEvidence) {
        let derived = DerivedCells::of(self.mapper.source, record);
        match self.mapper.map(record, &derived, evidence) {
            Mapping::Ignored(_) => previewed.ledger.ignored += 1,
            Mapping::Rejected(reason) => self.reject(previewed, &position, &reason),
            Mapping::Event(mapped) => {
                previewed.ledger.used += 1;
                if previewed.events.len() >= self.kept {
                    return;
                }
                let viewed = Viewed { mapper: &self.mapper, record, derived: &derived, mapped: &mapped };
                let mut work = Work::default();
                let mut fingerprints = Vec::new();
                for rule in self.rules.iter().filter(|rule| rule.play(&mapped) == Play::Attempt) {
                    let mut values = Vec::new();
                    rule.values(&viewed, Play::Attempt, &mut work, |value| values.push(value.map(str::to_owned)));
                    fingerprints.push((rule.index, values));
                }
                let origin = Origin {
                    source: self.mapper.source.name.clone(),
                    file: self.file.clone(),
                    record: position.number,
                    lines: position.lines,
                };
                previewed.events.push(PreviewedEvent { event: event(origin, self.open.source, &viewed), fingerprints });
            }
        }
    }

    fn reject(&self, previewed: &mut Previewed, position: &Position, reason: &Rejection<'_>) {
        previewed.ledger.rejected += 1;
        if previewed.rejects.len() < self.kept {
            previewed.rejects.push((position.number, position.lines[0], reason.message()));
        }
    }
}

/// Where a record stands, from what was counted: `line` is that of the block.
fn counted(number: u64, line: u64, before: u32, lines: u32) -> Position {
    let first = line + u64::from(before);
    Position { number, lines: [first, first + u64::from(lines.max(1)) - 1] }
}
