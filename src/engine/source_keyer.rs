//! What the records of each source are keyed by, settled before the first record is read.

use super::OpenInput;
use super::amount::Exponents;
use super::keyer::{Found, Play, RuleKeyer};
use super::mapping::{Conventions, Mapped, Mapper};
use super::options::Depth;
use super::recall::Recall;
use super::shape::{self, Shapes};
use crate::rules::{Proof, Rules};

/// What the records of one source are keyed by.
pub struct SourceKeyer<'r> {
    pub source: usize,
    pub mapper: Mapper<'r>,
    pub rules: Vec<RuleKeyer<'r>>,
    pub shapes: Shapes<'r>,
    /// Proofs that this source gives, and proofs of its attempts: index, side, and the fields to match by.
    pub proofs: Vec<(usize, ProofSide, Vec<Found>)>,
    pub repeats: Repeats,
    /// Some source names the effects that its records undo.
    pub linked_reversals: bool,
    pub depth: Depth,
    /// On a night: nanoseconds since 1970 up to which times are past.
    pub past: Option<i64>,
}

/// Which side of a proof a source stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProofSide {
    Proving,
    Proven,
}

/// How the same record may come again in a source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    Never,
    /// Records name themselves; within one input, too.
    ById,
    /// Records name themselves, and there are several inputs for those that do not.
    ByIdOrText,
    /// Several inputs, whose contents may overlap.
    ByText,
}

impl<'r> SourceKeyer<'r> {
    /// Keyers for all sources, in the order of `Rules::sources`.
    pub fn all(
        rules: &'r Rules,
        conventions: &[Conventions],
        inputs: &[OpenInput],
        depth: Depth,
        recall: Option<&Recall<'_>>,
    ) -> Vec<Self> {
        let linked_reversals = rules.sources.iter().any(|source| source.map.reverses.is_some());
        let side = |proof: &Proof, index| match (proof.source == index, proof.of == index) {
            (true, _) => Some(ProofSide::Proving),
            (_, true) => Some(ProofSide::Proven),
            _ => None,
        };
        let numbers = shape::numbers(rules);
        let each = rules.sources.iter().enumerate().map(|(index, source)| {
            // Another night may bring the same again.
            let several = recall.is_some() || inputs.iter().filter(|open| open.source == index).count() > 1;
            let proofs = rules.proofs.iter().enumerate().filter_map(|(number, proof)| {
                let fields = proof.fields.iter().map(|field| Found::in_source(field, source)).collect();
                Some((number, side(proof, index)?, fields))
            });
            let keyers = RuleKeyer::of_source(rules, index);
            Self {
                source: index,
                mapper: Mapper::new(
                    source,
                    conventions.get(index).copied().unwrap_or_else(|| Conventions::first(source, Exponents::Refused)),
                ),
                shapes: Shapes::of_source(rules, index, &keyers, &numbers),
                rules: keyers,
                proofs: proofs.collect(),
                repeats: match (source.map.record_id.is_some(), several) {
                    (false, false) => Repeats::Never,
                    (true, false) => Repeats::ById,
                    (true, true) => Repeats::ByIdOrText,
                    (false, true) => Repeats::ByText,
                },
                linked_reversals,
                depth,
                past: recall.map(|recall| recall.as_of.unwrap_or(i64::MAX)),
            }
        });
        each.collect()
    }

    /// Whether an event entered the count of its operation: some rule judges it, or it is naturally idempotent.
    pub fn counts_as_attempt(&self, mapped: &Mapped<'_>) -> bool {
        mapped.kind.is_idempotent() || self.rules.iter().any(|rule| rule.play(mapped) == Play::Attempt)
    }
}
