//! A rule: its fields, window, filter and defaults.

use super::{globs, version, window};
use crate::domain::finding::Severity;
use crate::domain::time::SECOND;
use crate::rules::draft::{PickDraft, RuleDraft, SimilarDraft, SourceDraft, Words};
use crate::rules::filter::Filter;
use crate::rules::normalise::{Normaliser, NotANormaliser};
use crate::rules::problem::{Problems, did_you_mean, quoted};
use crate::rules::{EditMethod, FieldRef, FingerprintField, Measure, Rule, Similar};
use rust_decimal::Decimal;

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

const KEY_LIFETIME: i64 = 24 * 3_600 * SECOND;

/// None only where a problem was noted.
pub(super) fn check(draft: &RuleDraft, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Option<Rule> {
    let judged = check_sources(draft, sources, problems);
    let fields = Fields::of(&judged, sources);
    let normalise = check_normalise(draft, problems);
    let fingerprint = check_fingerprint(draft, &fields, problems);
    let similar = check_similar(draft, &fields, &normalise, problems);
    let conflict_on = fields.check(&draft.conflict_on, problems);
    let explained_by = match &draft.explained_by {
        Some(names) => fields.check(names, problems),
        None => explained_by_default(draft, &judged, sources),
    };
    if let Some(by_key) = draft
        .by_key
        .as_ref()
        .filter(|by_key| *by_key.get_ref() && !fields.known.contains(&"request_key"))
    {
        problems.add(
            by_key.span(),
            "\"by_key\" needs a request key",
            "map request_key in one of the rule's sources",
        );
    }
    let filter = draft.filter.as_ref().and_then(|sql| check_filter(sql, &fields, problems));
    let window = draft.window.as_ref().map(|window| window::check(window, problems));
    let key_lifetime = draft.key_lifetime.as_ref().map(|text| window::span(text, problems));
    let severity = draft
        .severity
        .as_ref()
        .and_then(|name| Severity::ALL.into_iter().find(|known| known.name() == name.get_ref()));
    let operations = draft.operations.as_ref().map(|patterns| {
        if patterns.get_ref().is_empty() {
            problems.add(
                patterns.span(),
                "\"operations\" names none",
                "leave it out for all that are not read, set, delete or reversal",
            );
        }
        globs(patterns.get_ref(), problems)
    });
    let mut rule = Rule {
        id: draft.id.as_ref()?.get_ref().clone(),
        sources: judged,
        operations,
        fingerprint: fingerprint
            .into_iter()
            .map(|field| FingerprintField {
                normalise: steps_of(&field, &normalise),
                field,
            })
            .collect(),
        similar,
        window: window??,
        by_key: draft.by_key.as_ref().is_some_and(|by_key| *by_key.get_ref()),
        key_lifetime: key_lifetime.unwrap_or(Some(KEY_LIFETIME))?,
        allow: draft.allow.unwrap_or(1),
        conflict_on,
        filter,
        explained_by,
        severity: severity.unwrap_or(Severity::Medium),
        version: String::new(),
    };
    rule.version = version::digest(&rule, sources);
    Some(rule)
}

/// The fields that the sources of a rule map.
struct Fields<'d> {
    known: Vec<&'d str>,
}

impl<'d> Fields<'d> {
    fn of(judged: &[usize], sources: &'d [SourceDraft]) -> Self {
        let mut known = Vec::new();
        for name in judged
            .iter()
            .filter_map(|index| sources.get(*index))
            .flat_map(SourceDraft::mapped)
        {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        Self { known }
    }

    fn check_one(&self, name: &Words, problems: &mut Problems<'_>) -> FieldRef {
        if !self.known.contains(&name.get_ref().as_str()) {
            let message = format!("no source of this rule maps a field {}", quoted(name.get_ref()));
            problems.add(name.span(), message, did_you_mean(name.get_ref(), self.known.iter().copied()));
        }
        FieldRef::parse(name.get_ref())
    }

    fn check(&self, names: &[Words], problems: &mut Problems<'_>) -> Vec<FieldRef> {
        let mut fields = Vec::new();
        for name in names {
            let field = self.check_one(name, problems);
            if fields.contains(&field) {
                problems.add(
                    name.span(),
                    format!("field {} is named twice", quoted(name.get_ref())),
                    "leave one",
                );
            }
            fields.push(field);
        }
        fields
    }
}

/// The index of the source of this name.
pub(super) fn source_index(name: &Words, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Option<usize> {
    let names = sources
        .iter()
        .map(|source| source.name.as_ref().map_or("", |name| name.get_ref().as_str()));
    let index = names.clone().position(|known| known == name.get_ref());
    if index.is_none() {
        let message = format!("unknown source {}", quoted(name.get_ref()));
        problems.add(name.span(), message, did_you_mean(name.get_ref(), names));
    }
    index
}

fn check_sources(draft: &RuleDraft, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Vec<usize> {
    let Some(names) = &draft.sources else {
        return (0..sources.len()).collect();
    };
    if names.get_ref().is_empty() {
        problems.add(names.span(), "\"sources\" names none", "leave it out for all sources");
    }
    let mut judged: Vec<usize> = names
        .get_ref()
        .iter()
        .filter_map(|name| source_index(name, sources, problems))
        .collect();
    judged.sort_unstable();
    judged.dedup();
    judged
}

fn check_fingerprint(draft: &RuleDraft, fields: &Fields<'_>, problems: &mut Problems<'_>) -> Vec<FieldRef> {
    let Some(names) = &draft.fingerprint else {
        return Vec::new();
    };
    if names.get_ref().is_empty() {
        problems.add(
            names.span(),
            "the fingerprint is empty",
            "name the fields that one operation's records share",
        );
    }
    fields.check(names.get_ref(), problems)
}

fn check_normalise(draft: &RuleDraft, problems: &mut Problems<'_>) -> Vec<(FieldRef, Vec<Normaliser>)> {
    let fingerprint = draft.fingerprint.iter().flat_map(|names| names.get_ref());
    let similar = draft.similar.iter().filter_map(|similar| similar.field.as_ref());
    let used: Vec<&str> = fingerprint.chain(similar).map(|name| name.get_ref().as_str()).collect();
    let mut normalise = Vec::new();
    for (name, texts) in &draft.normalise {
        if !used.contains(&name.get_ref().as_str()) {
            let message = format!(
                "field {} is neither in the fingerprint nor in similar",
                quoted(name.get_ref())
            );
            problems.add(name.span(), message, did_you_mean(name.get_ref(), used.iter().copied()));
        }
        let steps = texts.iter().filter_map(|text| check_step(text, problems)).collect();
        normalise.push((FieldRef::parse(name.get_ref()), steps));
    }
    normalise
}

fn check_step(text: &Words, problems: &mut Problems<'_>) -> Option<Normaliser> {
    match Normaliser::parse(text.get_ref()) {
        Ok(step) => return Some(step),
        Err(NotANormaliser::UnknownName(name)) => {
            let list = Normaliser::list();
            let known = list.iter().map(|(known, _)| known.split(':').next().unwrap_or(known));
            problems.add(
                text.span(),
                format!("unknown normaliser {}", quoted(&name)),
                did_you_mean(&name, known),
            );
        }
        Err(NotANormaliser::Argument(reason)) => {
            let message = format!("normaliser {} cannot be used: it {reason}", quoted(text.get_ref()));
            problems.add(text.span(), message, "correct it");
        }
    }
    None
}

fn steps_of(field: &FieldRef, normalise: &[(FieldRef, Vec<Normaliser>)]) -> Vec<Normaliser> {
    normalise
        .iter()
        .find(|(known, _)| known == field)
        .map(|(_, steps)| steps.clone())
        .unwrap_or_default()
}

fn check_similar(
    draft: &RuleDraft,
    fields: &Fields<'_>,
    normalise: &[(FieldRef, Vec<Normaliser>)],
    problems: &mut Problems<'_>,
) -> Vec<Similar> {
    let in_fingerprint = |name: &str| {
        draft
            .fingerprint
            .iter()
            .flat_map(|names| names.get_ref())
            .any(|known| known.get_ref() == name)
    };
    let mut similar = Vec::new();
    for one in &draft.similar {
        let measure = check_measure(one, problems);
        let Some(name) = &one.field else { continue };
        if in_fingerprint(name.get_ref()) {
            let message = format!(
                "field {} is in the fingerprint, where it must be equal",
                quoted(name.get_ref())
            );
            problems.add(name.span(), message, "leave it in one of the two");
        }
        let field = fields.check_one(name, problems);
        if let Some(measure) = measure {
            similar.push(Similar {
                normalise: steps_of(&field, normalise),
                field,
                measure,
            });
        }
    }
    similar
}

fn check_measure(draft: &SimilarDraft, problems: &mut Problems<'_>) -> Option<Measure> {
    if problems.any_within(&draft.span) {
        return None;
    }
    match (&draft.method, draft.at_least, &draft.within) {
        (Some(method), Some(at_least), None) => {
            let method = EditMethod::ALL.into_iter().find(|known| known.name() == method.get_ref());
            method.map(|method| Measure::Edit { method, at_least })
        }
        (None, None, Some(within)) => {
            let measure = parse_within(within.get_ref());
            if measure.is_none() {
                let message = format!("unreadable distance {}", quoted(within.get_ref()));
                problems.add(within.span(), message, "write \"0.05\", \"0.5%\" or \"3d\"");
            }
            measure
        }
        _ => {
            problems.add(draft.span.clone(), "unclear measure", "write method and at_least, or within");
            None
        }
    }
}

/// A decimal distance, a share in per cent, or whole days.
fn parse_within(text: &str) -> Option<Measure> {
    let decimal = |text: &str| {
        Decimal::from_str_exact(text.trim())
            .ok()
            .filter(|value| !value.is_sign_negative())
    };
    if let Some(days) = text.strip_suffix('d') {
        return days.trim().parse().ok().map(Measure::WithinDays);
    }
    match text.strip_suffix('%') {
        Some(share) => decimal(share)?
            .checked_div(Decimal::ONE_HUNDRED)
            .filter(|share| *share < Decimal::ONE)
            .map(Measure::WithinShare),
        None => decimal(text).map(Measure::Within),
    }
}

fn check_filter(sql: &Words, fields: &Fields<'_>, problems: &mut Problems<'_>) -> Option<Filter> {
    match Filter::parse(sql.get_ref(), &fields.known) {
        Ok(filter) => Some(filter),
        Err(error) => {
            problems.add(sql.span(), error.message, error.help);
            None
        }
    }
}

/// Named fields called like a business id or a period, that neither must be equal nor near, and are not read from the very column of
/// the effect id or the request key: those differ with every effect and explain nothing.
fn explained_by_default(draft: &RuleDraft, judged: &[usize], sources: &[SourceDraft]) -> Vec<FieldRef> {
    let fingerprint = draft.fingerprint.iter().flat_map(|names| names.get_ref());
    let compared: Vec<&Words> = fingerprint
        .chain(draft.similar.iter().filter_map(|similar| similar.field.as_ref()))
        .collect();
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

fn is_business_word(name: &str) -> bool {
    let name = name.to_lowercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    let bare = ["_id", "_no", "_number"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    BUSINESS_WORDS.iter().any(|word| [name.as_str(), last, bare].contains(word))
}

/// True when the source reads this named field from the column of its effect id or its request key.
fn is_identity(source: &SourceDraft, name: &str) -> bool {
    let columns =
        |pick: &PickDraft| -> Vec<String> { pick.from.iter().flatten().map(|column| column.get_ref().clone()).collect() };
    let Some(own) = source
        .map
        .fields
        .iter()
        .find(|(known, _)| known.get_ref() == name)
        .map(|(_, pick)| columns(pick))
    else {
        return false;
    };
    let request_key = source
        .map
        .plain
        .iter()
        .find(|(known, _)| *known == "request_key")
        .map(|(_, pick)| pick);
    let identities = source
        .map
        .effect_id
        .as_ref()
        .map(|effect| &effect.from)
        .into_iter()
        .chain(request_key);
    identities.flat_map(columns).any(|column| own.contains(&column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_exact() {
        assert_eq!(parse_within("0.5%"), Some(Measure::WithinShare(Decimal::new(5, 3))));
        assert_eq!(parse_within("0.05"), Some(Measure::Within(Decimal::new(5, 2))));
        assert_eq!(parse_within("3d"), Some(Measure::WithinDays(3)));
        for text in ["-1", "1e2", "", "%", "100%", "d", "-3d", "3 days"] {
            assert_eq!(parse_within(text), None, "{text}");
        }
    }

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
