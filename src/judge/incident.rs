//! Incidents: findings of several rules that speak of one order, one invoice, one booking.

use super::field::{all_named, is_called};
use super::identity::incident_id;
use super::judged::Judged;
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

/// Incidents over the reported findings; `findings` pairs each with its id, in total order. Each finding is part of one at most.
pub(super) fn incidents(findings: &[(&Judged, &str)], rules: &Rules) -> Vec<Incident> {
    // Findings of one rule that name one object are no incident.
    if rules.rules.len() < 2 {
        return Vec::new();
    }
    let mut ties: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    for (index, (judged, _)) in findings.iter().enumerate() {
        for event in &judged.group.events {
            for (name, value) in all_named(event, rules).filter(|(name, _)| is_called(name, &BUSINESS_FIELDS)) {
                ties.entry((name.to_owned(), value.trim().to_owned())).or_default().insert(index);
            }
        }
    }
    let mut taken = vec![false; findings.len()];
    let mut incidents = Vec::new();
    for ((field, value), tied) in ties {
        let mut free: Vec<(usize, &Judged, &str)> = tied
            .into_iter()
            .filter(|index| taken.get(*index) == Some(&false))
            .filter_map(|index| findings.get(index).map(|(judged, id)| (index, *judged, *id)))
            .collect();
        let rules_of: BTreeSet<usize> = free.iter().map(|(_, judged, _)| judged.group.rule).collect();
        if rules_of.len() < 2 || free.len() > MOST {
            continue;
        }
        for (index, ..) in &free {
            if let Some(slot) = taken.get_mut(*index) {
                *slot = true;
            }
        }
        free.sort_by(|(_, a, a_id), (_, b, b_id)| a.happened(b).then_with(|| a_id.cmp(b_id)));
        let ids = free.into_iter().map(|(_, _, id)| id.to_owned()).collect();
        incidents.push(Incident { id: incident_id(&field, &value), field, value, findings: ids });
    }
    incidents
}
