//! Likelihood: a sum of named pieces of evidence in bits, that one operation took effect twice against its will.
//!
//! The sum starts at 0 bits (even odds) and is turned into a probability by 1 / (1 + 2^-sum). Each weight is a judgement, written
//! beside it with its reason; none is fitted to data.

use super::cause::{SESSIONS, Scene};
use super::facts::Facts;
use super::field::{self, all_named, value};
use super::verdict::explanation_of_repeat;
use crate::domain::finding::Evidence;
use crate::domain::frequency::Frequencies;
use crate::domain::money::amount_text;
use crate::domain::time::span_text;
use crate::domain::{Currency, Event, KeyRelation, Verdict};
use crate::rules::FieldRef;
use std::collections::BTreeSet;

/// What the rest of the judgement has found out.
pub(super) struct Context<'a> {
    pub verdict: Verdict,
    pub cause: &'a str,
    pub cause_bits: f64,
    /// Findings of the batch that this one is part of.
    pub batch: Option<u64>,
    pub frequencies: &'a Frequencies,
}

/// The evidence in a fixed order, and the likelihood.
pub(super) fn likelihood(scene: &Scene<'_>, context: &Context<'_>) -> (Vec<Evidence>, f64) {
    let facts = scene.facts;
    let first = facts.attempts.first().map(|attempt| attempt.event);
    let evidence: Vec<Evidence> = [
        effects(facts, context.verdict),
        keys(facts),
        first.and_then(|event| gap(scene, event, context.frequencies)),
        first.and_then(|event| amount(event, context.frequencies)),
        first.and_then(|event| actor(event, context.frequencies)),
        session(scene),
        cause(context),
        batch(context),
        differing(scene),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Hundredths of a bit are whole numbers, so that the sum does not hang on the order or the platform.
    let hundredths: i64 = evidence.iter().map(|piece| (piece.bits * 100.0).round() as i64).sum();
    let odds = (-(hundredths as f64) / 100.0).exp2();
    let likelihood = (10_000.0 / (1.0 + odds)).round() / 10_000.0;
    (evidence, likelihood)
}

fn piece(code: &str, bits: f64, text: String) -> Option<Evidence> {
    // Adding zero turns -0.0 into 0.0, which is the same weight and prints without a sign.
    Some(Evidence { code: code.to_owned(), bits: (bits * 100.0).round() / 100.0 + 0.0, text })
}

/// What is known of the effects is the ground of everything.
fn effects(facts: &Facts<'_>, verdict: Verdict) -> Option<Evidence> {
    let distinct = facts.distinct();
    match verdict {
        // An explained repeat is nearly certainly wanted: the explanation outweighs all that follows.
        Verdict::LegitimateRepeat => piece("explained", -8.0, explanation_of_repeat(facts)?),
        // Different ids are different effects; that both were wanted remains possible.
        _ if distinct > facts.rule.allow => piece("effects_differ", 3.0, format!("{distinct} different effects in one group")),
        // A timeout takes effect often enough, yet less often than not.
        Verdict::PossibleDuplicate if facts.doubts.anonymous.is_empty() => {
            piece("outcome_open", -1.0, "one effect is known, another attempt has no known outcome".to_owned())
        }
        // Two successes without ids are more often two than one told twice, but not by much.
        Verdict::PossibleDuplicate => {
            piece("effects_unnamed", 0.5, "successes without effect ids cannot be told apart".to_owned())
        }
        // Where no second effect is known or open, nothing can be doubled.
        _ => piece("no_second_effect", -8.0, "no second effect is known or possible".to_owned()),
    }
}

/// The caller's own word on whether it asked once or twice.
fn keys(facts: &Facts<'_>) -> Option<Evidence> {
    match facts.key_relation {
        // One key says "this is one request": two effects under it were never wanted.
        KeyRelation::Same => piece("key_same", 3.0, "all attempts carry one request key".to_owned()),
        // Some share a key: at least those are one request.
        KeyRelation::Partly => piece("key_partly", 0.5, "some attempts share a request key".to_owned()),
        // A fresh key is what both a wanted repeat and a careless retry carry: it weighs little.
        KeyRelation::Changed => piece("key_changed", -0.5, "each attempt carries a fresh request key".to_owned()),
        // After its lifetime a key means nothing any more.
        KeyRelation::Expired => piece("key_expired", -0.5, "the request key was used again after its lifetime".to_owned()),
        KeyRelation::None => None,
    }
}

/// A repeat much sooner than this actor usually asks for this operation was hardly wanted. Half a bit for each halving of the
/// usual gap, at most 4 bits: beyond that shorter is not more telling. No more than 2 bits against: busy actors are doubled as
/// well.
fn gap(scene: &Scene<'_>, event: &Event, frequencies: &Frequencies) -> Option<Evidence> {
    let gap = scene.gaps().min()?;
    let usual = frequencies.usual_gap(event.actor.as_deref()?, &event.operation).filter(|usual| *usual > 0)?;
    // Two records of one instant are no nearer than their stamps can tell; a second is near enough.
    let floor = gap.max(1_000_000_000);
    let bits = ((usual as f64 / floor as f64).log2() / 2.0).clamp(-2.0, 4.0);
    piece("gap", bits, format!("{} apart, usually {} for this actor and operation", span_text(gap), span_text(usual)))
}

/// Equal amounts by chance are as likely as the amount is common: a price of 9.90 says little, 1 384.27 much. A third of the
/// amount's information, less one bit, because equal amounts are already in most fingerprints; from -1 to 3 bits.
fn amount(event: &Event, frequencies: &Frequencies) -> Option<Evidence> {
    let money = event.amount?;
    let share = frequencies.amount_share(&money).filter(|share| *share > 0.0)?;
    let bits = ((1.0 / share).log2() / 3.0 - 1.0).clamp(-1.0, 3.0);
    let code = if money.currency == Currency::NONE { "" } else { money.currency.as_str() };
    let text = format!("{} {code}", amount_text(money.amount, money.currency));
    piece("amount", bits, format!("{} is {} of all amounts", text.trim_end(), percent(share)))
}

/// A rare actor repeats by chance less often than the one behind every third record; a weak sign, from -0.5 to 1 bit.
fn actor(event: &Event, frequencies: &Frequencies) -> Option<Evidence> {
    let share = frequencies.actor_share(event.actor.as_deref()?).filter(|share| *share > 0.0)?;
    let bits = ((1.0 / share).log2() / 8.0 - 0.5).clamp(-0.5, 1.0);
    piece("actor", bits, format!("the actor is behind {} of all records", percent(share)))
}

fn percent(share: f64) -> String {
    if share < 0.0001 { "under 0.01 %".to_owned() } else { format!("{:.2} %", share.min(1.0) * 100.0) }
}

/// One session or client asks for the same thing twice by mistake rather than on purpose: 1 bit.
fn session(scene: &Scene<'_>) -> Option<Evidence> {
    let (name, value) = scene.shared_field(&SESSIONS)?;
    piece("session_same", 1.0, format!("all came from one {name} ({value})"))
}

/// A recognised cause explains a mistake; how well, is said beside each detector.
fn cause(context: &Context<'_>) -> Option<Evidence> {
    (context.cause_bits != 0.0).then(|| piece("cause", context.cause_bits, format!("the records look like {}", context.cause)))?
}

/// Nobody wants a whole run of the same things again, one lag later: 3 bits.
fn batch(context: &Context<'_>) -> Option<Evidence> {
    let findings = context.batch?;
    piece("batch", 3.0, format!("{findings} findings repeat after the same time"))
}

/// Named fields outside the fingerprint that differ between the acts hint at different operations: half a bit each, at most 1.5,
/// because most such fields (line numbers, request times) differ by their nature.
fn differing(scene: &Scene<'_>) -> Option<Evidence> {
    let facts = scene.facts;
    let in_fingerprint = |name: &str| facts.group.fingerprint.iter().any(|(field, _)| field == name);
    let first = facts.attempts.first()?.event;
    let names: BTreeSet<&str> =
        all_named(first, facts.rules).map(|(name, _)| name).filter(|name| !in_fingerprint(name)).collect();
    let differs = |name: &&str| {
        let field = FieldRef::Named((*name).to_owned());
        let values = || scene.events().map(|event| value(event, &field, facts.rules));
        values().all(|value| value.is_some()) && field::common(values()).is_none()
    };
    let differing: Vec<&str> = names.into_iter().filter(differs).collect();
    if differing.is_empty() {
        return None;
    }
    piece("fields_differ", -(0.5 * differing.len() as f64).min(1.5), format!("the attempts differ in {}", differing.join(", ")))
}
