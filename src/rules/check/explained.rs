//! Which fields show different operations when the configuration names none.

use crate::rules::draft::{PickDraft, RuleDraft, SourceDraft, Words};
use crate::rules::normalise::Normaliser;
use crate::rules::{FieldRef, FingerprintField};

/// Names of business ids and periods: where such a field differs between all effects of a group, they are different operations. A
/// named field counts when it is called so, ends in `_` and such a word, or is such a word with `_id`, `_no` or `_number` after it.
pub const BUSINESS_WORDS: [&str; 13] = [
    "order",
    "invoice",
    "contract",
    "subscription",
    "shipment",
    "parcel",
    "booking",
    "period",
    "billing_period",
    "month",
    "instalment",
    "installment",
    "occurrence",
];

/// Named fields called like a business id or a period, that neither must be equal nor near, and are not read from the very column of
/// the effect id or the request key: those differ with every effect and explain nothing.
pub(super) fn by_default(draft: &RuleDraft, judged: &[usize], sources: &[SourceDraft]) -> Vec<FieldRef> {
    let fingerprint = draft.fingerprint.iter().flat_map(|names| names.get_ref());
    let compared: Vec<&Words> = fingerprint.chain(draft.similar.iter().filter_map(|similar| similar.field.as_ref())).collect();
    let judged: Vec<&SourceDraft> = judged.iter().filter_map(|index| sources.get(*index)).collect();
    let mut explained_by = Vec::new();
    for (name, _) in judged.iter().flat_map(|source| &source.map.fields) {
        let text = name.get_ref().as_str();
        let field = FieldRef::parse(text);
        let is_compared = compared.iter().any(|known| known.get_ref() == text);
        if is_business_word(text)
            && !is_compared
            && !explained_by.contains(&field)
            && !judged.iter().any(|source| is_identity(source, text))
        {
            explained_by.push(field);
        }
    }
    explained_by
}

/// The fields with the steps that `normalise` names for them, or those of business ids.
pub(super) fn compared(fields: Vec<FieldRef>, normalise: &[(FieldRef, Vec<Normaliser>)]) -> Vec<FingerprintField> {
    let steps = |field: &FieldRef| normalise.iter().find(|(known, _)| known == field).map(|(_, steps)| steps.clone());
    let compared =
        |field: FieldRef| FingerprintField { normalise: steps(&field).unwrap_or_else(Normaliser::of_business_ids), field };
    fields.into_iter().map(compared).collect()
}

fn is_business_word(name: &str) -> bool {
    let name = name.to_lowercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    let bare = ["_id", "_no", "_number"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    BUSINESS_WORDS.iter().any(|word| [name.as_str(), last, bare].contains(word))
}

/// True when the source reads this named field from the column of its effect id or its request key.
fn is_identity(source: &SourceDraft, name: &str) -> bool {
    let columns =
        |pick: &PickDraft| -> Vec<String> { pick.from.iter().flatten().map(|column| column.get_ref().clone()).collect() };
    let Some(own) = source.map.fields.iter().find(|(known, _)| known.get_ref() == name).map(|(_, pick)| columns(pick)) else {
        return false;
    };
    let request_key = source.map.plain.iter().find(|(known, _)| *known == "request_key").map(|(_, pick)| pick);
    let identities = source.map.effect_id.as_ref().map(|effect| &effect.from).into_iter().chain(request_key);
    identities.flat_map(columns).any(|column| own.contains(&column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn business_words_are_whole_words() {
        for name in ["order", "Order_ID", "shop_order", "invoice_number", "billing_period"] {
            assert!(is_business_word(name), "{name}");
        }
        for name in ["reorder", "orders", "order_total", "sha", "border"] {
            assert!(!is_business_word(name), "{name}");
        }
    }
}
