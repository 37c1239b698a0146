//! Every sentence of the terminal report, in one place, so that another language is another file like this one.

use crate::domain::event::Outcome;
use crate::domain::finding::{KeyRelation, Role, Verdict};
use rust_decimal::Decimal;

/// Where a record does not say.
pub const ABSENT: &str = "—";

/// Digits in groups of three, set apart by a no-break space: `12 345`.
pub fn number(count: u64) -> String {
    grouped(&count.to_string())
}

/// A count with its noun: `1 finding`, `12 345 findings`.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// Decimal text with its currency, the whole part in groups: `EUR 12 345.60`. Text that is not a decimal stays as it is.
pub fn money(currency: &str, amount: &str) -> String {
    let (sign, digits) = amount.strip_prefix('-').map_or(("", amount), |digits| ("-", digits));
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let currency = if currency == "XXX" { "(no currency)" } else { currency };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{currency} {amount}");
    }
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    format!("{currency} {sign}{}{fraction}", grouped(whole))
}

pub fn money_of(currency: &str, amount: Decimal) -> String {
    money(currency, &amount.to_string())
}

fn grouped(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('\u{a0}');
        }
        grouped.push(digit);
    }
    grouped
}

/// A likelihood in whole percent; never `100 %` or `0 %` for what is not certain.
pub fn percent(share: f64) -> String {
    match share {
        share if share > 0.99 && share < 1.0 => "> 99 %".into(),
        share if share > 0.0 && share < 0.01 => "< 1 %".into(),
        share => format!("{:.0} %", share * 100.0),
    }
}

/// A share of a count in whole percent; `—` of nothing.
pub fn share(part: u64, whole: u64) -> String {
    match (u128::from(part) * 100).checked_div(u128::from(whole)) {
        Some(percent) => format!("{percent} %"),
        None => ABSENT.into(),
    }
}

pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::KeyConflict => "one request key, different requests",
        Verdict::IdempotentRepeat => "harmless repeat: nothing could change",
        Verdict::Compensated => "took effect twice, undone since",
        Verdict::LegitimateRepeat => "intended repeat",
        Verdict::DuplicateEffect => "took effect more than once",
        Verdict::PossibleDuplicate => "may have taken effect more than once",
        Verdict::InconsistentReplay => "one effect, but the answers differ",
        Verdict::SafeReplay => "safe replay: the known result was returned",
        Verdict::BlockedRepeat => "the repeat was refused",
        Verdict::RetriedFailure => "failed attempts, then at most one effect",
    }
}

pub fn key_relation(relation: KeyRelation) -> &'static str {
    match relation {
        KeyRelation::Same => "every attempt carries the same request key",
        KeyRelation::Changed => "a fresh request key on each attempt",
        KeyRelation::Partly => "some attempts share a request key",
        KeyRelation::None => "no request key",
        KeyRelation::Expired => "the request key was used again after its lifetime",
    }
}

pub fn role(role: Role) -> &'static str {
    match role {
        Role::Original => "original",
        Role::Repeat => "repeat",
        Role::Retry => "retry",
        Role::Replay => "replay",
        Role::Reversal => "reversal",
        Role::Proof => "proof",
    }
}

pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Started => "started, no end seen",
        Outcome::Failed => "failed",
        Outcome::Unknown => "unknown",
        Outcome::TookEffect => "took effect",
        Outcome::Reversed => "took effect, reversed later",
        Outcome::Replayed => "replayed",
        Outcome::Reversal => "reversal",
    }
}

pub fn effects(extra: u64, possible: u64) -> String {
    let extra_text = plural(extra, "extra effect", "extra effects");
    match possible {
        0 => extra_text,
        _ => format!("{extra_text}, {}", plural(possible, "possible one", "possible ones")),
    }
}

pub fn shown_of(shown: usize, all: usize) -> String {
    let number_of = |count: usize| number(count as u64);
    if shown == all {
        format!("Findings ({})", number_of(all))
    } else {
        format!("Findings ({} of {} shown)", number_of(shown), number_of(all))
    }
}

pub fn no_findings(records: u64) -> String {
    format!(
        "Nothing to report: no operation among {} took effect twice as far as these records tell.",
        plural(records, "used record", "used records")
    )
}

pub const NOTHING_USED: &str = "No record could be used, so this result says nothing about duplicates. Look at the rejects and notes, \
    then at the mapping of the source: twicelog inspect FILE.";
pub const NOTHING_READ: &str = "No record was read, so this result says nothing about duplicates. Check that the files are the right ones \
    and not empty.";
pub const UNBALANCED: &str =
    "The counts do not balance (read = used + ignored + repeated + rejected). Do not rely on this result; please report it.";
pub const INCOMPLETE: &str = "At least one file could not be read to its end; there may be more findings than these.";

pub fn explain_hint(id: &str) -> String {
    format!("twicelog explain {id}")
}

pub const SOURCE_HEADS: [&str; 6] = ["source", "read", "used", "ignored", "repeated", "rejected"];
/// What the short heads of the health table mean.
pub const HEALTH_LEGEND: &str = "keyed: share of attempts with a request key; safe: repeats that returned the known result; unsure: may \
    have doubled; differ: repeats answered differently";
pub const HEALTH_HEADS: [&str; 10] = [
    "operation",
    "attempts",
    "keyed",
    "repeats",
    "safe",
    "blocked",
    "doubled",
    "unsure",
    "conflict",
    "differ",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_money_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_234_567), "1\u{a0}234\u{a0}567");
        assert_eq!(money("EUR", "-12345.60"), "EUR -12\u{a0}345.60");
        assert_eq!(money("JPY", "7200"), "JPY 7\u{a0}200");
        assert_eq!(money("EUR", "n/a"), "EUR n/a");
    }

    #[test]
    fn plurals_of_english() {
        let files: Vec<String> = [0, 1, 2, 5, 11, 21, 101]
            .iter()
            .map(|count| plural(*count, "file", "files"))
            .collect();
        assert_eq!(
            files,
            ["0 files", "1 file", "2 files", "5 files", "11 files", "21 files", "101 files"]
        );
    }

    #[test]
    fn certainty_is_not_rounded_up() {
        assert_eq!(percent(0.999), "> 99 %");
        assert_eq!(percent(0.001), "< 1 %");
        assert_eq!(percent(0.97), "97 %");
    }
}
