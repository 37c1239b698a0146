//! Incidents: findings of several rules that speak of one order, one invoice, one booking.

use super::field::{all_named, is_called};
use super::head::Head;
use super::identity::incident_id;
use crate::domain::Group;
use crate::domain::report::Incident;
use crate::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// Named fields that name one business object, without their dress and without a trailing `id`, `no` or `number`. Periods and
/// customers are not among them: what they share is not one operation.
const BUSINESS_FIELDS: [&str; 24] = [
    "order",
    "invoice",
    "payment",
    "booking",
    "shipment",
    "quote",
    "cart",
    "checkout",
    "subscription",
    "contract",
    "deal",
    "ticket",
    "case",
    "lead",
    "claim",
    "transaction",
    "reference",
    "ref",
    "document",
    "purchaseorder",
    "po",
    "payout",
    "transfer",
    "issue",
];

/// A value that ties more findings than this is no id of one object (`n/a`, a test order) and ties none.
const MOST: usize = 50;

/// A business object that a finding's records name: field and value.
pub(super) type Named = (String, String);

/// The business objects that the records of a group name, each once.
pub(super) fn named(group: &Group, rules: &Rules) -> BTreeSet<Named> {
    let of_event = |event| all_named(event, rules).filter(|(name, _)| is_called(name, &BUSINESS_FIELDS));
    let named = group.events.iter().flat_map(of_event);
    named.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

/// Incidents over the reported findings, which come in total order: each with its id and what it names. Each finding is part of one
/// incident at most.
pub(super) fn incidents(findings: Vec<(&Head, String, BTreeSet<Named>)>, ranks: &[u32]) -> Vec<Incident> {
    let mut ties: BTreeMap<Named, BTreeSet<usize>> = BTreeMap::new();
    let mut heads: Vec<(&Head, String)> = Vec::with_capacity(findings.len());
    for (index, (head, id, named)) in findings.into_iter().enumerate() {
        heads.push((head, id));
        for tie in named {
            ties.entry(tie).or_default().insert(index);
        }
    }
    let mut taken = vec![false; heads.len()];
    let mut incidents = Vec::new();
    for ((field, value), tied) in ties {
        let mut free: Vec<(usize, &Head, &str)> = tied
            .into_iter()
            .filter(|index| taken.get(*index) == Some(&false))
            .filter_map(|index| heads.get(index).map(|(head, id)| (index, *head, id.as_str())))
            .collect();
        let rules_of: BTreeSet<usize> = free.iter().map(|(_, head, _)| head.rule).collect();
        if rules_of.len() < 2 || free.len() > MOST {
            continue;
        }
        for (index, ..) in &free {
            if let Some(slot) = taken.get_mut(*index) {
                *slot = true;
            }
        }
        free.sort_by(|(_, a, a_id), (_, b, b_id)| a.happened(b, ranks).then_with(|| a_id.cmp(b_id)));
        let ids = free.into_iter().map(|(_, _, id)| id.to_owned()).collect();
        incidents.push(Incident { id: incident_id(&field, &value), field, value, findings: ids });
    }
    incidents
}
