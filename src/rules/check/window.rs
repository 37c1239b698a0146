//! Windows and spans of time.

use crate::domain::time::SECOND;
use crate::rules::draft::{WindowDraft, Words};
use crate::rules::problem::{Problems, quoted};
use crate::rules::window::Window;
use toml::Spanned;

const UNITS: [(&str, i64); 6] = [
    ("ms", SECOND / 1_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3_600 * SECOND),
    ("d", 86_400 * SECOND),
    ("w", 604_800 * SECOND),
];

/// Nanoseconds of `10m`, `24h`, `90d`: a whole number and `ms s m h d w`. None for anything else, or beyond 292 years.
pub(super) fn parse_span(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<i64>().ok()?.checked_mul(*nanos)
}

/// A span of time above zero.
pub(super) fn span(text: &Words, problems: &mut Problems<'_>) -> Option<i64> {
    let nanos = parse_span(text.get_ref()).filter(|nanos| *nanos > 0);
    if nanos.is_none() {
        let message = format!("unreadable span of time {}", quoted(text.get_ref()));
        problems.add(
            text.span(),
            message,
            "write a whole number above 0 and ms, s, m, h, d or w: \"10m\"",
        );
    }
    nanos
}

pub(super) fn check(draft: &Spanned<WindowDraft>, problems: &mut Problems<'_>) -> Option<Window> {
    match draft.get_ref() {
        WindowDraft::Text(text) if text == "unlimited" => Some(Window::Unlimited),
        WindowDraft::Text(text) => span(&Spanned::new(draft.span(), text.clone()), problems).map(Window::FromFirst),
        WindowDraft::Table {
            gap: None,
            span: None,
            days: Some(days),
        } => Some(Window::Days(*days)),
        WindowDraft::Table {
            gap: Some(gap),
            span: Some(whole),
            days: None,
        } => {
            let (gap_nanos, whole_nanos) = (span(gap, problems), span(whole, problems));
            let (gap_nanos, whole_nanos) = (gap_nanos?, whole_nanos?);
            if whole_nanos < gap_nanos {
                problems.add(whole.span(), "\"span\" is shorter than \"gap\"", "make it at least as long");
            }
            Some(Window::Gap {
                gap: gap_nanos,
                span: whole_nanos,
            })
        }
        WindowDraft::Table {
            gap: Some(_),
            span: None,
            days: None,
        } => {
            problems.add(
                draft.span(),
                "a window with \"gap\" and no \"span\" would chain without end",
                "add span = \"1h\" for example",
            );
            None
        }
        WindowDraft::Table { .. } => {
            if !problems.any_within(&draft.span()) {
                problems.add(
                    draft.span(),
                    "unclear window",
                    "write { gap = \"5m\", span = \"1h\" } or { days = 3 }",
                );
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_a_number_and_a_unit() {
        assert_eq!(parse_span("10m"), Some(600 * SECOND));
        assert_eq!(parse_span("1500ms"), Some(SECOND * 3 / 2));
        assert_eq!(parse_span("2w"), Some(14 * 86_400 * SECOND));
        assert_eq!(parse_span("3 d"), Some(3 * 86_400 * SECOND));
    }

    #[test]
    fn other_texts_are_no_spans() {
        for text in [
            "",
            "10",
            "m",
            "10 minutes",
            "-5m",
            "1.5h",
            "1h30m",
            "10M",
            "300000d",
            "99999999999999999999s",
            "٣m",
        ] {
            assert_eq!(parse_span(text), None, "{text}");
        }
    }
}
