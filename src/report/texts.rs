//! Every sentence of the terminal report, in one place, so that another language is another file like this one.

use crate::domain::event::Outcome;
use crate::domain::finding::{Exposure, Finding, KeyRelation, Role, Verdict};
use crate::domain::report::{Batch, Ledger, Totals};

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
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let currency = if currency == "XXX" { "(no currency)" } else { currency };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{currency} {amount}");
    }
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    format!("{currency} {sign}{}{fraction}", grouped(whole))
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

/// The money of one currency.
pub fn net_exposure(exposure: &Exposure) -> String {
    format!("net exposure {}", net_with_parts(exposure))
}

/// The money of one currency that may have moved.
pub fn possible_exposure(exposure: &Exposure) -> String {
    format!("{} more at stake, not proven", money(&exposure.currency, &exposure.net))
}

/// `EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)`.
fn net_with_parts(exposure: &Exposure) -> String {
    let Exposure { currency, gross, reversed, net } = exposure;
    let [net, gross, reversed] = [net, gross, reversed].map(|amount| money(currency, amount));
    format!("{net} (gross {gross}, reversed {reversed})")
}

/// Extra effects and money of one finding.
pub fn stakes(finding: &Finding) -> String {
    let effects = effects(finding.extra_effects, finding.possible_extra_effects);
    let nets = finding.exposure.iter().map(|exposure| {
        if exposure.net == exposure.gross { money(&exposure.currency, &exposure.net) } else { net_with_parts(exposure) }
    });
    let nets: Vec<String> = nets.collect();
    if nets.is_empty() { format!("{effects}, no amount known") } else { format!("{effects}, net {}", nets.join(", ")) }
}

pub fn ledger(files: u64, sources: u64, ledger: &Ledger) -> String {
    format!(
        "{} of {}, {} read: {} used, {} ignored, {} repeated, {} rejected",
        plural(files, "file", "files"),
        plural(sources, "source", "sources"),
        plural(ledger.read, "record", "records"),
        number(ledger.used),
        number(ledger.ignored),
        number(ledger.repeated),
        number(ledger.rejected),
    )
}

pub fn range(first: &str, last: &str) -> String {
    format!("from {first} to {last}")
}

pub fn rejected(file: &str, records: u64) -> String {
    format!("{file}: {} rejected", plural(records, "record", "records"))
}

pub fn reject(records: u64, reason: &str, example: &str) -> String {
    format!("{} × {reason}, first: {example}", number(records))
}

pub fn found(totals: &Totals) -> String {
    let effects = effects(totals.extra_effects, totals.possible_extra_effects);
    format!("{}: {effects}", plural(totals.findings, "finding", "findings"))
}

pub fn batches(count: usize) -> String {
    format!("{} (a file or job run twice)", plural(count as u64, "batch", "batches"))
}

pub fn incidents(count: usize) -> String {
    format!("{} (several findings about one business id)", plural(count as u64, "incident", "incidents"))
}

pub fn batch(batch: &Batch) -> String {
    let nets: Vec<String> = batch.exposure.iter().map(|exposure| money(&exposure.currency, &exposure.net)).collect();
    let [first, last] = &batch.repeats;
    format!(
        "{} of rule {}, repeated after {} s between {first} and {last}; net {}",
        plural(batch.findings, "finding", "findings"),
        batch.rule,
        batch.lag_seconds,
        if nets.is_empty() { ABSENT.to_owned() } else { nets.join(", ") },
    )
}

pub fn verdict_line(finding: &Finding) -> String {
    let name = finding.verdict.name();
    format!("{} ({name}), severity {}", verdict(finding.verdict), finding.severity.name())
}

pub fn cause(title: &str, why: &str) -> String {
    if why.is_empty() { format!("cause: {title}") } else { format!("cause: {title}: {why}") }
}

pub fn rule(finding: &Finding) -> String {
    let also = if finding.also.is_empty() { String::new() } else { format!(" (also {})", finding.also.join(", ")) };
    let keys = key_relation(finding.key_relation);
    format!("rule {}{also}; likelihood {}; {keys}", finding.rule, percent(finding.likelihood))
}

/// The batch and the incident that a finding is part of; None where it stands alone.
pub fn ties(finding: &Finding) -> Option<String> {
    match (&finding.batch, &finding.incident) {
        (Some(batch), Some(incident)) => Some(format!("part of batch {batch} and incident {incident}")),
        (Some(batch), None) => Some(format!("part of batch {batch}")),
        (None, Some(incident)) => Some(format!("part of incident {incident}")),
        (None, None) => None,
    }
}

pub fn unread(attempts: u64) -> String {
    let attempts = plural(attempts, "further attempt", "further attempts");
    format!("{attempts} counted, but not read in detail: the group is too large")
}

pub fn sum(bits: f64, likelihood: f64) -> String {
    format!("sum {bits:+.1} bits: likelihood {}", percent(likelihood))
}

pub fn shown_of(shown: usize, all: usize) -> String {
    let (shown, all) = (number(shown as u64), number(all as u64));
    if shown == all { format!("Findings ({all})") } else { format!("Findings ({shown} of {all} shown)") }
}

pub fn further_records(left: usize, id: &str) -> String {
    format!("{}: {}", plural(left as u64, "further record", "further records"), explain_hint(id))
}

pub fn further_reasons(left: usize) -> String {
    plural(left as u64, "further reason", "further reasons")
}

pub fn further_troubled_files(left: usize) -> String {
    format!("{} with faults or rejected records", plural(left as u64, "further file", "further files"))
}

pub fn further_notes(left: usize) -> String {
    format!("{} with --format json", plural(left as u64, "further note", "further notes"))
}

pub fn further_operations(left: usize) -> String {
    format!("{} with --format json", plural(left as u64, "further operation", "further operations"))
}

pub fn no_findings(records: u64) -> String {
    format!(
        "Nothing to report: no operation among {} took effect twice as far as these records tell.",
        plural(records, "used record", "used records")
    )
}

pub const COVERAGE: &str = "Coverage";
pub const RESULT: &str = "Result";
pub const HEALTH: &str = "Idempotency health";
pub const NOTES: &str = "Notes";
pub const NEXT: &str = "Next";
pub const FINGERPRINT: &str = "Fingerprint: what makes these records the same operation";
pub const RECORDS: &str = "Records";
pub const EVIDENCE: &str = "Evidence, in bits: each doubles or halves the odds";
pub const CHECK: &str = "What to check next";
pub const LOOKS_ALIKE: &str = "looks the same";

pub const TIME: &str = "time";
pub const GAP: &str = "gap";
pub const AMOUNT: &str = "amount";
pub const EFFECT_ID: &str = "effect id";
pub const REQUEST_KEY: &str = "request key";
pub const OUTCOME: &str = "outcome";
pub const SOURCE: &str = "source";
pub const PLACE: &str = "place";

pub const WHY_EXPLAIN: &str = "the evidence for the first finding, and what to check";
pub const HOW_CSV: &str = "twicelog scan … --output csv=findings.csv";
pub const WHY_CSV: &str = "every finding with its records, for a spreadsheet";
pub const HOW_REJECTS: &str = "twicelog scan … --rejects rejects.csv";
pub const WHY_REJECTS: &str = "every rejected record with its place and reason";
pub const HOW_CHECK: &str = "twicelog check";
pub const WHY_CHECK: &str = "how each file is read, and what becomes of its first records";
pub const HOW_ALL: &str = "twicelog scan … --all";
pub const WHY_ALL: &str = "the repeats that did no harm";

pub const NO_TIME: &str = "no record with a time";
pub const NO_AMOUNT: &str = "no amount on these records, so no exposure";
pub const NOTHING_USED: &str = "No record could be used, so this result says nothing about duplicates. Look at the rejects and notes, \
    then at the mapping of the source: twicelog check.";
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
pub const HEALTH_HEADS: [&str; 10] =
    ["operation", "attempts", "keyed", "repeats", "safe", "blocked", "doubled", "unsure", "conflict", "differ"];

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
        let files: Vec<String> = [0, 1, 2, 5, 11, 21, 101].iter().map(|count| plural(*count, "file", "files")).collect();
        assert_eq!(files, ["0 files", "1 file", "2 files", "5 files", "11 files", "21 files", "101 files"]);
    }

    #[test]
    fn certainty_is_not_rounded_up() {
        assert_eq!(percent(0.999), "> 99 %");
        assert_eq!(percent(0.001), "< 1 %");
        assert_eq!(percent(0.97), "97 %");
    }
}
