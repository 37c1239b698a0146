//! Groups out of candidates, details and ties: what the judge will see.

use super::EngineError;
use super::details::{Detail, Details, Values, holds_attempts};
use super::grouping::{Candidate, MOST_MEMBERS};
use super::keyer::Play;
use super::links::Ties;
use super::row::{Net, Place};
use super::second_visit::SecondVisit;
use super::similar::{self, Near};
use crate::domain::event::Event;
use crate::domain::group::{Group, Link, LinkKind, Proven};
use crate::domain::store::Unpacker;
use crate::domain::{EffectKind, Outcome};
use crate::rules::window::Reach;
use crate::rules::{FieldRef, Rule, Rules};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What the groups are made with.
pub struct Assembly<'a> {
    pub rules: &'a Rules,
    pub details: &'a Details,
    /// Where the details were read.
    pub second: &'a SecondVisit<'a>,
    pub ties: &'a Ties,
    /// Of the windows that the candidates were cut with.
    pub reach: Reach,
    /// Nanoseconds since 1970 of the first and last event of each source, on earlier nights, too.
    pub ranges: Vec<Option<(i64, i64)>>,
}

/// A group, and where its events and then its links were read.
pub type PlacedGroup = (Group, Vec<Place>);

/// Records whose groups one thread makes and hands on before it turns to others: they stay in its processor's cache.
const AT_ONCE: usize = 512;

/// An event in the making of a group, with the place it came from.
struct Member {
    place: Place,
    event: Box<Event>,
    values: Values,
}

impl<'a> Assembly<'a> {
    /// All groups of all candidates, and of attempts that are candidates only because several proofs speak of them. All threads of the pool
    /// make them, each some at a time, which it hands to `each`; what that makes of them comes back in the order of the candidates.
    pub fn groups<T: Send>(
        &self,
        candidates: &[Candidate],
        each: &(impl Fn(Vec<PlacedGroup>) -> Result<T, EngineError> + Sync),
    ) -> Result<Vec<T>, EngineError> {
        let mut made = self.of_all(candidates, each)?;
        made.extend(self.of_all(&self.lone(candidates)?, each)?);
        Ok(made)
    }

    /// Attempts that only proofs brought up.
    fn lone(&self, candidates: &[Candidate]) -> Result<Vec<Candidate>, EngineError> {
        let mut lone = Vec::new();
        if self.ties.is_empty() {
            return Ok(lone);
        }
        let attempts = candidates.iter().filter(|candidate| holds_attempts(candidate.net));
        let taken: BTreeSet<(usize, Place)> =
            attempts.flat_map(|candidate| candidate.places.iter().map(|place| (candidate.rule, *place))).collect();
        let mut unpacker = Unpacker::default();
        for (attempt, _) in self.ties.proven().filter(|(_, proofs)| proofs.len() > 1) {
            let Some(detail) = self.details.at(attempt, &mut unpacker)? else {
                continue;
            };
            let event = &detail.event;
            for keyer in self.second.rules(event.source) {
                let is_attempt = keyer.play_of(&event.operation, event.kind, event.outcome) == Play::Attempt;
                if is_attempt && !taken.contains(&(keyer.index, attempt)) && self.wanted(keyer.index, event)? {
                    let places = vec![attempt];
                    lone.push(Candidate { rule: keyer.index, net: Net::Fingerprint, places, stands_alone: true, unread: 0 });
                }
            }
        }
        Ok(lone)
    }

    /// The groups of candidates, in their order.
    fn of_all<T: Send>(
        &self,
        candidates: &[Candidate],
        each: &(impl Fn(Vec<PlacedGroup>) -> Result<T, EngineError> + Sync),
    ) -> Result<Vec<T>, EngineError> {
        let of_some = |unpacker: &mut Unpacker, some: &[Candidate]| {
            let mut groups = Vec::new();
            for candidate in some {
                groups.extend(self.of(candidate, unpacker)?);
            }
            each(groups)
        };
        share_of_work(candidates).into_par_iter().map_init(Unpacker::default, of_some).collect()
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
    fn of(&self, candidate: &Candidate, unpacker: &mut Unpacker) -> Result<Vec<PlacedGroup>, EngineError> {
        let Some(rule) = self.rules.rules.get(candidate.rule) else {
            return Ok(Vec::new());
        };
        let clusters = if rule.similar.is_empty() || !holds_attempts(candidate.net) {
            let placed = |place: &Place| self.member(candidate, *place, unpacker);
            let members: Result<Vec<Option<Member>>, EngineError> = candidate.places.iter().map(placed).collect();
            let mut members: Vec<Member> = members?.into_iter().flatten().collect();
            members.sort_by(|a, b| a.event.order(&b.event));
            // Equal hashes of unequal values would be two groups that only look like one.
            let clusters = if candidate.net == Net::RequestKey || rule.by_key { vec![members] } else { by_values(members) };
            clusters.into_iter().map(|members| (members, candidate.unread)).collect()
        } else {
            self.near(candidate, rule, unpacker)?
        };
        let several = clusters.len() > 1;
        let is_group = |members: &Vec<Member>| {
            let attempts = members.iter().filter(|member| !member.event.is_reversal()).count();
            // A cluster of one is no repeat, unless it is all there was (proofs may speak of a lone attempt).
            attempts > 1 || !several
        };
        let mut groups = Vec::new();
        for (members, unread) in clusters {
            let members = self.without_strangers(members, unpacker)?;
            if is_group(&members) {
                groups.push(self.group(rule, candidate.rule, members, unread, unpacker)?);
            }
        }
        Ok(groups)
    }

    /// The event at a place, as the candidate's rule sees it.
    fn member(&self, candidate: &Candidate, place: Place, unpacker: &mut Unpacker) -> Result<Option<Member>, EngineError> {
        let Some(detail) = self.details.at(place, unpacker)? else { return Ok(None) };
        let Some(keyer) = self.second.rule(detail.event.source, candidate.rule) else { return Ok(None) };
        let Some((play, values)) = detail.under(keyer)? else { return Ok(None) };
        let Detail { mut event, .. } = detail;
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
        Ok(Some(Member { place, event, values }))
    }

    /// The clusters of near values of a candidate, each with the number of its attempts that are only counted. A block may be far larger than
    /// any group: of each record only what is compared is held, and those without a repeat are not looked at again.
    fn near(&self, candidate: &Candidate, rule: &Rule, unpacker: &mut Unpacker) -> Result<Vec<(Vec<Member>, u64)>, EngineError> {
        let mut heads = Vec::with_capacity(candidate.places.len());
        for place in &candidate.places {
            if let Some(Member { event, .. }) = self.member(candidate, *place, unpacker)? {
                heads.push((event.standing(), *place, Near::new(&event, rule, &self.rules.sources)));
            }
        }
        heads.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let (places, near): (Vec<Place>, Vec<Near>) = heads.into_iter().map(|(_, place, near)| (place, near)).unzip();
        let clusters = similar::cluster(&near, rule, self.reach.of(rule.window));
        let several = clusters.len() > 1;
        let mut some = Vec::new();
        for cluster in clusters {
            let attempts = cluster.iter().filter(|at| !near[**at].is_reversal).count();
            if several && attempts < 2 {
                continue;
            }
            let unread = attempts.saturating_sub(MOST_MEMBERS);
            let (mut members, mut room) = (Vec::with_capacity(cluster.len() - unread), MOST_MEMBERS);
            for at in cluster {
                if near[at].is_reversal || room > 0 {
                    room -= usize::from(!near[at].is_reversal);
                    members.extend(self.member(candidate, places[at], unpacker)?);
                }
            }
            some.push((members, unread as u64));
        }
        Ok(some)
    }

    /// Without reversals that name another effect than those of these attempts: equal values do not make them speak of these. Where the
    /// attempts have no ids, no name can be held against them.
    fn without_strangers(&self, mut members: Vec<Member>, unpacker: &mut Unpacker) -> Result<Vec<Member>, EngineError> {
        let names = |member: &Member| member.event.is_reversal() && member.event.reverses.is_some();
        if !members.iter().any(names) {
            return Ok(members);
        }
        let mut own: BTreeSet<String> = BTreeSet::new();
        for member in members.iter().filter(|member| !member.event.is_reversal()) {
            own.extend(member.event.effect_id.clone());
            for tie in self.ties.proofs_of(member.place) {
                own.extend(self.details.at(tie.place, unpacker)?.and_then(|proof| proof.event.effect_id));
            }
        }
        let is_of_these = |id: &String| own.is_empty() || own.contains(id);
        members.retain(|member| !member.event.is_reversal() || member.event.reverses.as_ref().is_none_or(is_of_these));
        Ok(members)
    }

    fn group(
        &self,
        rule: &Rule,
        number: usize,
        members: Vec<Member>,
        unread: u64,
        unpacker: &mut Unpacker,
    ) -> Result<PlacedGroup, EngineError> {
        let names = rule.fingerprint.iter().map(|part| part.field.name().to_owned());
        let attempt = members.iter().find(|member| !member.event.is_reversal()).or(members.first());
        let values = attempt.map(|member| member.values.clone()).unwrap_or_default();
        let fingerprint = names.zip(values).collect();
        let mut links: BTreeMap<Place, Link> = BTreeMap::new();
        let mut proven = Vec::with_capacity(members.len());
        for member in &members {
            let proofs = self.ties.proofs_of(member.place);
            for tie in proofs {
                self.link(tie.place, LinkKind::Proof, &mut links, unpacker)?;
            }
            proven.push(if !proofs.is_empty() || self.is_covered(&member.event) { Proven::Asked } else { Proven::Unasked });
        }
        for reversal in self.ties.reversals_of(members.iter().map(|member| member.place)) {
            self.link(reversal, LinkKind::Reversal, &mut links, unpacker)?;
        }
        // Reversals that stand in the group are no links.
        for member in &members {
            links.remove(&member.place);
        }
        let mut links: Vec<(Place, Link)> = links.into_iter().collect();
        without_idle_ends(&members, &mut links);
        links.sort_by(|(_, a), (_, b)| a.event.order(&b.event));
        let places = members.iter().map(|member| member.place).chain(links.iter().map(|(place, _)| *place)).collect();
        let links = links.into_iter().map(|(_, link)| link).collect();
        let events = members.into_iter().map(|member| *member.event).collect();
        Ok((Group { rule: number, fingerprint, events, proven, links, unread }, places))
    }

    fn link(
        &self,
        place: Place,
        kind: LinkKind,
        links: &mut BTreeMap<Place, Link>,
        unpacker: &mut Unpacker,
    ) -> Result<(), EngineError> {
        if links.contains_key(&place) {
            return Ok(());
        }
        if let Some(detail) = self.details.at(place, unpacker)? {
            links.insert(place, Link { kind, event: *detail.event });
        }
        Ok(())
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

/// Takes out what ends no reversal of the group: that a refund failed says nothing where it was never said to have succeeded.
fn without_idle_ends(members: &[Member], links: &mut Vec<(Place, Link)>) {
    let ends = |link: &Link| link.kind == LinkKind::Reversal && matches!(link.event.outcome, Outcome::Failed | Outcome::Reversed);
    if !links.iter().any(|(_, link)| ends(link)) {
        return;
    }
    let linked = links.iter().filter(|(_, link)| link.kind == LinkKind::Reversal && !ends(link)).map(|(_, link)| &link.event);
    let inside = members.iter().map(|member| &*member.event).filter(|event| event.is_reversal());
    let reversals: BTreeSet<String> = linked.chain(inside).filter_map(|event| event.effect_id.clone()).collect();
    links.retain(|(_, link)| !ends(link) || link.event.effect_id.as_ref().is_some_and(|id| reversals.contains(id)));
}

/// Cuts the candidates where they come to [`AT_ONCE`] records.
fn share_of_work(mut candidates: &[Candidate]) -> Vec<&[Candidate]> {
    let mut pieces = Vec::new();
    while !candidates.is_empty() {
        let mut records = 0;
        let is_last = |candidate: &Candidate| {
            records += candidate.places.len();
            records >= AT_ONCE
        };
        let count = candidates.iter().position(is_last).map_or(candidates.len(), |last| last + 1);
        let (piece, rest) = candidates.split_at(count);
        pieces.push(piece);
        candidates = rest;
    }
    pieces
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
