//! Groups out of candidates, details and ties: what the judge will see.

use super::EngineError;
use super::details::{Detail, Values, holds_attempts};
use super::grouping::Candidate;
use super::keyer::Play;
use super::links::Ties;
use super::row::{Net, Place};
use super::similar;
use crate::domain::event::Event;
use crate::domain::group::{Group, Link, LinkKind, Proven};
use crate::domain::{EffectKind, Outcome};
use crate::rules::window::Reach;
use crate::rules::{FieldRef, Rule, Rules};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The records read in detail, by place. Whoever asks last for one gets it, the others before get copies.
pub struct Details<'d> {
    places: &'d [Place],
    details: Vec<Option<Detail>>,
    /// How often each will still be asked for.
    asked: Vec<u32>,
}

impl<'d> Details<'d> {
    /// `details` are those of `places`, in the same order. Where records speak about others, all stay to be looked up to the end.
    pub fn new(places: &'d [Place], details: Vec<Detail>, candidates: &[Candidate], ties: &Ties) -> Self {
        let mut asked = vec![u32::from(!ties.is_empty()); details.len()];
        for place in candidates.iter().flat_map(|candidate| &candidate.places) {
            if let Some(asked) = places.binary_search(place).ok().and_then(|at| asked.get_mut(at)) {
                *asked += 1;
            }
        }
        Self { places, details: details.into_iter().map(Some).collect(), asked }
    }

    fn at(&self, place: Place) -> Option<&Detail> {
        self.places.binary_search(&place).ok().and_then(|at| self.details.get(at)?.as_ref())
    }

    fn hand_over(&mut self, place: Place) -> Option<Detail> {
        let at = self.places.binary_search(&place).ok()?;
        let (detail, asked) = (self.details.get_mut(at)?, self.asked.get_mut(at)?);
        *asked = asked.saturating_sub(1);
        if *asked == 0 { detail.take() } else { detail.clone() }
    }
}

/// What the groups are made with.
pub struct Assembly<'a> {
    pub rules: &'a Rules,
    pub details: Details<'a>,
    pub ties: &'a Ties,
    /// Of the windows that the candidates were cut with.
    pub reach: Reach,
    /// Nanoseconds since 1970 of the first and last event of each source, on earlier nights, too.
    pub ranges: Vec<Option<(i64, i64)>>,
}

/// A group, and where its events and then its links were read.
pub type PlacedGroup = (Group, Vec<Place>);

/// A detail and where it was read.
type Placed = (Place, Detail);

/// An event in the making of a group, with the place it came from.
struct Member {
    place: Place,
    event: Box<Event>,
    values: Values,
}

impl<'a> Assembly<'a> {
    /// All groups of all candidates, and of attempts that are candidates only because several proofs speak of them.
    pub fn groups(mut self, candidates: &[Candidate]) -> Result<Vec<PlacedGroup>, EngineError> {
        let mut taken: BTreeSet<(usize, Place)> = BTreeSet::new();
        if !self.ties.is_empty() {
            for candidate in candidates.iter().filter(|candidate| holds_attempts(candidate.net)) {
                taken.extend(candidate.places.iter().map(|place| (candidate.rule, *place)));
            }
        }
        let mut groups = self.of_all(candidates);
        let mut lone = Vec::new();
        for (attempt, proofs) in self.ties.proven() {
            let Some(detail) = self.details.at(attempt).filter(|_| proofs.len() > 1) else {
                continue;
            };
            for (rule, play, _) in &detail.plays {
                if *play == Play::Attempt && !taken.contains(&(*rule, attempt)) && self.wanted(*rule, &detail.event)? {
                    let places = vec![attempt];
                    lone.push(Candidate { rule: *rule, net: Net::Fingerprint, places, stands_alone: true, unread: 0 });
                }
            }
        }
        groups.extend(self.of_all(&lone));
        Ok(groups)
    }

    /// The groups of candidates, in their order, made on all threads of the pool.
    fn of_all(&mut self, candidates: &[Candidate]) -> Vec<PlacedGroup> {
        let mut hand_over = |place: &Place| Some((*place, self.details.hand_over(*place)?));
        let mut details_of =
            |candidate: &Candidate| -> Vec<Placed> { candidate.places.iter().filter_map(&mut hand_over).collect() };
        let handed: Vec<_> = candidates.iter().map(|candidate| (candidate, details_of(candidate))).collect();
        let assembly = &*self;
        handed.into_par_iter().flat_map_iter(|(candidate, details)| assembly.of(candidate, details)).collect()
    }

    /// Whether a rule's filter keeps an event. Candidates passed it in pass one; those that only proofs brought up did not.
    fn wanted(&self, rule: usize, event: &Event) -> Result<bool, EngineError> {
        let Some((rule, filter)) = self.rules.rules.get(rule).and_then(|rule| Some((rule, rule.filter.as_ref()?))) else {
            return Ok(true);
        };
        let text = |field: &FieldRef| match field {
            FieldRef::Time => Some(event.time.to_text()),
            _ => similar::text_of(event, field, &self.rules.sources),
        };
        let columns: Vec<Vec<Option<String>>> = filter.fields.iter().map(|field| vec![text(field)]).collect();
        let kept = filter.keep(&columns);
        let kept = kept.map_err(|error| EngineError::Filter { rule: rule.id.clone(), reason: error.to_string() })?;
        Ok(kept.first() == Some(&true))
    }

    /// The groups of one candidate, out of the details of its places.
    fn of(&self, candidate: &Candidate, details: Vec<Placed>) -> Vec<PlacedGroup> {
        let Some(rule) = self.rules.rules.get(candidate.rule) else {
            return Vec::new();
        };
        let mut members = members(candidate, details);
        members.sort_by(|a, b| a.event.order(&b.event));
        let clusters = if rule.similar.is_empty() || !holds_attempts(candidate.net) {
            // Equal hashes of unequal values would be two groups that only look like one.
            if candidate.net == Net::RequestKey || rule.by_key { vec![members] } else { by_values(members) }
        } else {
            let events: Vec<Event> = members.iter().map(|member| (*member.event).clone()).collect();
            let clusters = similar::cluster(&events, rule, self.reach.of(rule.window), &self.rules.sources);
            let mut members: Vec<Option<Member>> = members.into_iter().map(Some).collect();
            clusters.into_iter().map(|cluster| cluster.into_iter().filter_map(|at| members[at].take()).collect()).collect()
        };
        let several = clusters.len() > 1;
        let is_group = |members: &Vec<Member>| {
            let attempts = members.iter().filter(|member| !member.event.is_reversal()).count();
            // A cluster of one is no repeat, unless it is all there was (proofs may speak of a lone attempt).
            attempts > 1 || !several
        };
        let clusters = clusters.into_iter().map(|members| self.without_strangers(members));
        clusters.filter(is_group).map(|members| self.group(rule, candidate, members)).collect()
    }

    /// Without reversals that name another effect than those of these attempts: equal values do not make them speak of these. Where the
    /// attempts have no ids, no name can be held against them.
    fn without_strangers(&self, mut members: Vec<Member>) -> Vec<Member> {
        let names = |member: &Member| member.event.is_reversal() && member.event.reverses.is_some();
        if !members.iter().any(names) {
            return members;
        }
        let attempts = members.iter().filter(|member| !member.event.is_reversal());
        let own = attempts.flat_map(|member| {
            let proofs = self.ties.proofs_of(member.place).iter().filter_map(|tie| self.details.at(tie.place));
            proofs.map(|proof| &proof.event.effect_id).chain([&member.event.effect_id]).flatten().cloned()
        });
        let own: BTreeSet<String> = own.collect();
        let is_of_these = |id: &String| own.is_empty() || own.contains(id);
        members.retain(|member| !member.event.is_reversal() || member.event.reverses.as_ref().is_none_or(is_of_these));
        members
    }

    fn group(&self, rule: &Rule, candidate: &Candidate, members: Vec<Member>) -> PlacedGroup {
        let names = rule.fingerprint.iter().map(|part| part.field.name().to_owned());
        let attempt = members.iter().find(|member| !member.event.is_reversal()).or(members.first());
        let values = attempt.map(|member| member.values.clone()).unwrap_or_default();
        let fingerprint = names.zip(values).collect();
        let mut links: BTreeMap<Place, Link> = BTreeMap::new();
        let mut proven = Vec::with_capacity(members.len());
        for member in &members {
            let proofs = self.ties.proofs_of(member.place);
            proofs.iter().for_each(|tie| self.link(tie.place, LinkKind::Proof, &mut links));
            proven.push(if !proofs.is_empty() || self.is_covered(&member.event) { Proven::Asked } else { Proven::Unasked });
        }
        for reversal in self.ties.reversals_of(members.iter().map(|member| member.place)) {
            self.link(reversal, LinkKind::Reversal, &mut links);
        }
        // Reversals that stand in the group are no links.
        for member in &members {
            links.remove(&member.place);
        }
        let mut links: Vec<(Place, Link)> = links.into_iter().collect();
        links.sort_by(|(_, a), (_, b)| a.event.order(&b.event));
        let places = members.iter().map(|member| member.place).chain(links.iter().map(|(place, _)| *place)).collect();
        let links = links.into_iter().map(|(_, link)| link).collect();
        let events = members.into_iter().map(|member| *member.event).collect();
        (Group { rule: candidate.rule, fingerprint, events, proven, links, unread: candidate.unread }, places)
    }

    fn link(&self, place: Place, kind: LinkKind, links: &mut BTreeMap<Place, Link>) {
        if let Some(detail) = self.details.at(place) {
            links.entry(place).or_insert_with(|| Link { kind, event: (*detail.event).clone() });
        }
    }

    /// Whether some proof that finds nothing for an attempt means that it had no effect: the attempt has all fields to match by, and
    /// the proof source has records from before and after it.
    fn is_covered(&self, event: &Event) -> bool {
        self.rules.proofs.iter().filter(|proof| proof.of == event.source).any(|proof| {
            let has_fields = proof.fields.iter().all(|field| match field {
                FieldRef::Time => true,
                _ => similar::text_of(event, field, &self.rules.sources).is_some(),
            });
            let range = self.ranges.get(proof.source).copied().flatten();
            has_fields && range.is_some_and(|(first, last)| (first..=last).contains(&event.time.nanos))
        })
    }
}

/// The events of a candidate, as its rule sees them.
fn members(candidate: &Candidate, details: Vec<Placed>) -> Vec<Member> {
    let member = |(place, detail): Placed| {
        let Detail { mut event, plays } = detail;
        let (_, play, values) = plays.into_iter().find(|(rule, ..)| *rule == candidate.rule)?;
        match (candidate.net, play) {
            // Deliveries and other records that only accompany attempts change nothing by themselves.
            (Net::Accompanying, _) => event.kind = EffectKind::Read,
            (_, Play::Reversal) => event.outcome = Outcome::Reversal,
            // A rule that names refunds asks about refunds: each is an effect of its own.
            (_, Play::Attempt) if event.kind == EffectKind::Reversal => {
                event.kind = EffectKind::Create;
                if event.outcome == Outcome::Reversal {
                    event.outcome = Outcome::TookEffect;
                }
            }
            _ => {}
        }
        Some(Member { place, event, values })
    };
    details.into_iter().filter_map(member).collect()
}

/// Members of equal fingerprints, keeping their order. Reversals, whose operation is another one, stay with the first.
fn by_values(members: Vec<Member>) -> Vec<Vec<Member>> {
    let values = |member: &Member| (!member.event.is_reversal()).then(|| member.values.clone());
    let mut all: Vec<Values> = members.iter().filter_map(values).collect();
    all.sort_unstable();
    all.dedup();
    let mut groups: Vec<Vec<Member>> = all.iter().map(|_| Vec::new()).collect();
    for member in members {
        let at = if member.event.is_reversal() { 0 } else { all.binary_search(&member.values).unwrap_or(0) };
        if let Some(group) = groups.get_mut(at) {
            group.push(member);
        }
    }
    groups
}
