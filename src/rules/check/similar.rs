//! `similar`: fields that must be near, and how near.

use super::rule::{Fields, steps_of};
use crate::rules::draft::{RuleDraft, SimilarDraft};
use crate::rules::normalise::Normaliser;
use crate::rules::problem::{Problems, quoted};
use crate::rules::{EditMethod, FieldRef, Measure, Similar};
use rust_decimal::Decimal;

/// Fields that must be near, each with its measure.
pub(super) fn check(
    draft: &RuleDraft,
    fields: &Fields<'_>,
    normalise: &[(FieldRef, Vec<Normaliser>)],
    problems: &mut Problems<'_>,
) -> Vec<Similar> {
    let in_fingerprint =
        |name: &str| draft.fingerprint.iter().flat_map(|names| names.get_ref()).any(|known| known.get_ref() == name);
    let mut similar = Vec::new();
    for one in &draft.similar {
        let measure = check_measure(one, problems);
        let Some(name) = &one.field else { continue };
        if in_fingerprint(name.get_ref()) {
            let message = format!("field {} is in the fingerprint, where it must be equal", quoted(name.get_ref()));
            problems.add(name.span(), message, "leave it in one of the two");
        }
        let field = fields.check_one(name, problems);
        if let Some(measure) = measure {
            similar.push(Similar { normalise: steps_of(&field, normalise), field, measure });
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
    let decimal = |text: &str| Decimal::from_str_exact(text.trim()).ok().filter(|value| !value.is_sign_negative());
    if let Some(days) = text.strip_suffix('d') {
        return days.trim().parse().ok().map(Measure::WithinDays);
    }
    match text.strip_suffix('%') {
        Some(share) => {
            decimal(share)?.checked_div(Decimal::ONE_HUNDRED).filter(|share| *share < Decimal::ONE).map(Measure::WithinShare)
        }
        None => decimal(text).map(Measure::Within),
    }
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
}
