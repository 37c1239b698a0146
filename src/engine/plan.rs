//! Plans: what becomes of events of one operation and outcome under all rules of their source, worked out once.

use super::keyer::Play;
use super::mapping::Mapped;
use super::rule_sets::RuleSets;
use super::source_keyer::SourceKeyer;
use crate::domain::Outcome;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is done with an event.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Numbers of the sets of rules that group by request key, too.
    pub by_key: Vec<usize>,
    /// Rules whose filter must be asked, by their place in the source, and the part that the event plays under each.
    pub filtered: Vec<(usize, Play)>,
    /// Some rule takes the event for an attempt.
    pub is_wanted: bool,
}

/// One row, for all rules that would make the same.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Place of the shape in the source.
    pub shape: usize,
    pub play: Play,
    /// Number of the set of these rules.
    pub set: usize,
    /// Their places in the source.
    pub rules: Vec<usize>,
}

impl Plan {
    /// Of all events that have operation, kind and outcome in common with this one.
    fn of(keyer: &SourceKeyer<'_>, mapped: &Mapped<'_>, sets: &RuleSets) -> Self {
        let mut plan = Self { steps: Vec::new(), by_key: Vec::new(), filtered: Vec::new(), is_wanted: false };
        let mut alike: BTreeMap<(usize, Play), Vec<usize>> = BTreeMap::new();
        let mut by_key = Vec::new();
        for (at, rule) in keyer.rules.iter().enumerate() {
            let play = rule.play(mapped);
            plan.is_wanted |= play == Play::Attempt;
            match play {
                Play::None => {}
                // What undoes something undoes it whether or not the filter would ask about it.
                Play::Attempt | Play::Idempotent if rule.rule.filter.is_some() => plan.filtered.push((at, play)),
                _ => {
                    alike.entry((keyer.shapes.of_rule(at), play)).or_default().push(at);
                    if play == Play::Attempt && rule.rule.by_key {
                        by_key.push(at);
                    }
                }
            }
        }
        let set_of = |rules: &[usize]| {
            let indices: Vec<usize> = rules.iter().filter_map(|at| Some(keyer.rules.get(*at)?.index)).collect();
            sets.number(&indices)
        };
        // Where there is no number for a set, each rule is one by itself.
        let parts = |rules: Vec<usize>| -> Vec<(usize, Vec<usize>)> {
            match set_of(&rules) {
                Some(set) => vec![(set, rules)],
                None => rules.into_iter().filter_map(|at| Some((set_of(&[at])?, vec![at]))).collect(),
            }
        };
        for ((shape, play), rules) in alike {
            plan.steps.extend(parts(rules).into_iter().map(|(set, rules)| Step { shape, play, set, rules }));
        }
        if !by_key.is_empty() {
            plan.by_key = parts(by_key).into_iter().map(|(set, _)| set).collect();
        }
        plan
    }
}

/// The plans that one thread has worked out.
#[derive(Default)]
pub struct Plans {
    /// By source; then by number of the operation and by outcome.
    of_sources: Vec<Vec<Option<Rc<Plan>>>>,
}

/// One more than the greatest outcome.
const OUTCOMES: usize = Outcome::Reversal as usize + 1;

impl Plans {
    /// The plan for an event; `operation` is the number of its operation.
    #[inline]
    pub fn of(&mut self, keyer: &SourceKeyer<'_>, mapped: &Mapped<'_>, operation: u16, sets: &RuleSets) -> Rc<Plan> {
        let at = usize::from(operation) * OUTCOMES + mapped.outcome as usize;
        if let Some(Some(plan)) = self.of_sources.get(keyer.source).and_then(|plans| plans.get(at)) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(Plan::of(keyer, mapped, sets));
        // Number 0 is that of many operations.
        if operation > 0 {
            if self.of_sources.len() <= keyer.source {
                self.of_sources.resize(keyer.source + 1, Vec::new());
            }
            let plans = &mut self.of_sources[keyer.source];
            if plans.len() <= at {
                plans.resize(at + 1, None);
            }
            plans[at] = Some(Rc::clone(&plan));
        }
        plan
    }
}
