//! Every sentence that people's formats say, in the reader's language. To add a language, write a file like `en.rs`: what it leaves
//! out does not compile.

mod en;
mod phrases;
mod ru;

use crate::domain::Language;
use crate::domain::decision::Decision;
use crate::domain::event::Outcome;
use crate::domain::finding::{Exposure, Finding, KeyRelation, Role, Severity, Verdict};
use crate::domain::memory::Changes;
use crate::domain::report::{Batch, Health, Incident, Ledger, ScanResult, Totals};
use crate::domain::time::SECOND;

/// Where a record does not say.
pub const ABSENT: &str = "—";

/// Commands are the same in every language.
pub const HOW_CSV: &str = "twicelog scan … --output csv=findings.csv";
pub const HOW_REJECTS: &str = "twicelog scan … --rejects rejects.csv";
pub const HOW_CHECK: &str = "twicelog check";
pub const HOW_ALL: &str = "twicelog scan … --all";

pub fn explain_hint(id: &str) -> String {
    format!("twicelog explain {id}")
}

/// The sentences of a language.
pub fn of(language: Language) -> &'static dyn Texts {
    match language {
        Language::English => &en::English,
        Language::Russian => &ru::Russian,
    }
}

/// The numbers of the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Findings,
    ExtraEffects,
    PossibleEffects,
    /// Findings that a decision settles.
    Decided,
}

/// Sentences with something in them.
pub trait Texts: Sync {
    fn words(&self) -> &'static Words;

    /// Decimal text with its currency, the whole part in groups; text that is not a decimal stays as it is.
    fn money(&self, currency: &str, amount: &str) -> String;
    /// A number with one digit after the decimal sign, and its sign: `+1.5`.
    fn signed(&self, number: f64) -> String;
    /// An instant or a date of the result (RFC 3339 in UTC) as the reader writes it.
    fn time(&self, rfc3339: &str) -> String;
    /// A length of time in nanoseconds, in the two largest units.
    fn span(&self, nanos: i64) -> String;
    /// A sentence that the judgement wrote into the result (a cause, a piece of evidence, a note). What a language has no words for
    /// stays as written.
    fn sentence(&self, written: &str) -> String;

    fn verdict(&self, verdict: Verdict) -> &'static str;
    fn severity(&self, severity: Severity) -> &'static str;
    fn key_relation(&self, relation: KeyRelation) -> &'static str;
    fn role(&self, role: Role) -> &'static str;
    fn outcome(&self, outcome: Outcome) -> &'static str;
    /// A canonical field; other names are the reader's own and stay.
    fn field<'a>(&self, name: &'a str) -> &'a str;
    /// A piece of evidence by its code.
    fn evidence(&self, code: &str) -> String;
    fn weekday(&self, from_monday: usize) -> &'static str;

    fn findings(&self, count: u64) -> String;
    fn records(&self, count: u64) -> String;
    fn extra_effects(&self, count: u64) -> String;
    /// What stands below such a number of the headline, in the form that the number asks for.
    fn counted(&self, what: Counted, count: u64) -> &'static str;
    fn effects(&self, extra: u64, possible: u64) -> String;
    fn net_exposure(&self, exposure: &Exposure) -> String;
    fn possible_exposure(&self, exposure: &Exposure) -> String;
    /// Extra effects and money of one finding.
    fn stakes(&self, finding: &Finding) -> String;
    fn ledger(&self, files: u64, sources: u64, ledger: &Ledger) -> String;
    fn range(&self, first: &str, last: &str) -> String;
    fn rejected(&self, file: &str, records: u64) -> String;
    fn reject(&self, records: u64, reason: &str, example: &str) -> String;
    fn found(&self, totals: &Totals) -> String;
    fn batches(&self, count: usize) -> String;
    fn incidents(&self, count: usize) -> String;
    fn batch(&self, batch: &Batch) -> String;
    fn verdict_line(&self, finding: &Finding) -> String;
    fn cause(&self, title: &str, why: &str) -> String;
    fn rule(&self, finding: &Finding) -> String;
    /// The batch and the incident that a finding is part of; None where it stands alone.
    fn ties(&self, finding: &Finding) -> Option<String>;
    fn unread(&self, attempts: u64) -> String;
    /// What the evidence comes to; a verdict that is no finding claims nothing that could be likely.
    fn sum(&self, finding: &Finding) -> String;
    fn shown_of(&self, shown: usize, all: usize) -> String;
    fn further_records(&self, left: usize, id: &str) -> String;
    fn further_reasons(&self, left: usize) -> String;
    fn further_troubled_files(&self, left: usize) -> String;
    fn further_notes(&self, left: usize) -> String;
    fn further_operations(&self, left: usize) -> String;
    /// Rows of a table that are not shown.
    fn further_rows(&self, left: usize) -> String;
    /// A zero that says what it rests on; some findings may be decided.
    fn no_findings(&self, records: u64, decided: u64) -> String;
    /// What became of findings since the run before.
    fn since_last(&self, changes: &Changes) -> String;
    /// What people decided about a finding, and whether it still holds.
    fn decision(&self, decision: &Decision) -> String;
    fn further_decided(&self, left: usize) -> String;
    /// Rows that a sheet has no room for.
    fn rows_left_out(&self, sheet: &str, rows: u64) -> String;
    /// Fields that have no column.
    fn fields_left_out(&self, fields: usize) -> String;
    /// Texts that a cell has no room for.
    fn texts_cut(&self, cells: u64) -> String;
    /// Why there is nothing to report, for a result without open findings.
    fn nothing_found(&self, result: &ScanResult) -> String {
        match (result.ledger.read, result.ledger.used) {
            _ if result.is_quiet_night() => self.words().nothing_new.to_owned(),
            (0, _) => self.words().nothing_read.to_owned(),
            (_, 0) => self.words().nothing_used.to_owned(),
            (_, used) if result.has_unlisted_outcomes() => {
                format!("{} {}", self.no_findings(used, result.totals.decided_findings()), self.words().unlisted_outcomes)
            }
            (_, used) => self.no_findings(used, result.totals.decided_findings()),
        }
    }
    /// A currency by its code, or that there is none.
    fn currency<'a>(&self, code: &'a str) -> &'a str {
        if code == "XXX" { self.words().no_currency } else { code }
    }
    /// Sources that a chart has no lanes of their own for.
    fn undrawn_sources(&self, left: usize) -> String;
    /// How an operation stood the test of its repeats.
    fn health(&self, health: &Health) -> String;
    /// The first sentence of an incident.
    fn incident(&self, incident: &Incident, effects: u64) -> String;
    /// Which effects to look up, and in which source.
    fn look_up(&self, source: &str, effect_ids: &str) -> String;
    /// How many of the findings the page holds, and where the others are.
    fn page_holds(&self, shown: usize, full: usize, all: u64) -> String;
    /// A part of a whole: `client_retry: 5 of 8 (62 %)`.
    fn part_of(&self, what: &str, part: u64, whole: u64) -> String;
    /// Money that stands open and money that came back.
    fn open_and_reversed(&self, currency: &str, open: &str, reversed: &str) -> String;
    /// The middle and the usual steps of gaps.
    fn gaps(&self, gaps: u64, median: i64, at_steps: u64) -> String;
    fn largest_group(&self, doubles: u64, groups: u64, largest: u64) -> String;
    fn busiest(&self, weekday: usize, hour: usize, part: u64, whole: u64) -> String;
    /// A part of a whole in hundredths of a percent; `—` of nothing.
    fn rate(&self, part: u64, whole: u64) -> String;
    /// The weekday and hour with most findings for its attempts, both counts, and those of the whole week.
    fn likeliest(&self, at: (usize, usize), here: (u64, u64), all: (u64, u64)) -> String;
    /// Findings of batches that a chart leaves out.
    fn without_batches(&self, findings: u64) -> String;
    /// Where in time and gap most repeats lie.
    fn densest(&self, part: u64, whole: u64, gap: &str, when: &str) -> String;
    /// Findings of an actor, and events of this actor at most: `3 of at most 40`.
    fn findings_of_events(&self, findings: u64, events: u64) -> String;
    /// Findings with today's windows, with the shortest that were tried and with the longest.
    fn windows(&self, today: u64, shortest: (&str, u64), longest: (&str, u64)) -> String;
    /// Between which windows nothing changes.
    fn same_windows(&self, from: &str, to: &str) -> String;
    /// Findings of this night, of the one before, the least and most of so many nights.
    fn nights(&self, tonight: u64, before: u64, range: (u64, u64), nights: u64) -> String;
    /// Records among which something was found.
    fn among(&self, records: u64) -> String;
    /// Findings, and the records among which they were found, where these are known.
    fn found_among(&self, findings: u64, records: Option<u64>) -> String {
        let found = self.findings(findings);
        records.map_or_else(|| found.clone(), |records| format!("{found} · {}", self.records(records)))
    }
    /// Findings that stand at no place of a time axis.
    fn without_time(&self, findings: u64) -> String;
    /// Records that a time axis leaves off.
    fn too_far_off(&self, records: u64) -> String;
    fn timeline(&self, findings: u64, first: &str, last: &str, busiest: &str, most: u64) -> String;
}

/// Words and sentences without anything in them.
#[derive(Debug)]
pub struct Words {
    pub coverage: &'static str,
    pub result: &'static str,
    pub health: &'static str,
    pub notes: &'static str,
    pub decided: &'static str,
    /// The same as a figure of the page.
    pub decided_findings: &'static str,
    pub next: &'static str,
    pub fingerprint: &'static str,
    pub records: &'static str,
    pub evidence: &'static str,
    /// The same in a card, where room is short.
    pub evidence_in_bits: &'static str,
    pub field_fingerprint: &'static str,
    /// Records as they stand in their files.
    pub raw: &'static str,
    pub check: &'static str,
    pub looks_alike: &'static str,
    pub looks_for: &'static str,
    pub needs: &'static str,
    pub what_to_do: &'static str,

    pub time: &'static str,
    pub gap: &'static str,
    pub amount: &'static str,
    pub effect_id: &'static str,
    pub request_key: &'static str,
    pub outcome: &'static str,
    pub source: &'static str,
    pub place: &'static str,
    pub no_currency: &'static str,

    pub why_explain: &'static str,
    pub why_csv: &'static str,
    pub why_rejects: &'static str,
    pub why_check: &'static str,
    pub why_all: &'static str,

    pub no_time: &'static str,
    pub no_amount: &'static str,
    pub nothing_used: &'static str,
    /// After a zero, where records ended with words in no list.
    pub unlisted_outcomes: &'static str,
    pub nothing_read: &'static str,
    pub nothing_new: &'static str,
    pub unbalanced: &'static str,
    pub incomplete: &'static str,

    /// Heads of the table of sources.
    pub source_heads: [&'static str; 6],
    /// Heads of the sheet of findings: before the columns of money, and after them.
    pub finding_heads: [&'static str; 9],
    pub finding_tail_heads: [&'static str; 10],
    /// Heads of the sheet of records, before the columns of named fields.
    pub record_heads: [&'static str; 15],
    /// Beside the head of a field that is called like another column.
    pub as_logged: &'static str,
    pub totals: &'static str,
    pub groups: &'static str,
    /// Heads of the table of health, and what its short heads mean.
    pub health_heads: [&'static str; 10],
    pub health_legend: &'static str,
    /// What the columns that only a page has room for mean.
    pub drift_legend: &'static str,

    pub title: &'static str,
    pub utc: &'static str,
    pub contents: &'static str,
    pub charts: &'static str,
    pub findings: &'static str,
    pub extra_effects: &'static str,
    pub batches: &'static str,
    pub incidents: &'static str,
    pub glossary: &'static str,
    pub run: &'static str,
    pub file: &'static str,
    pub format: &'static str,
    pub first: &'static str,
    pub last: &'static str,
    pub remarks: &'static str,
    pub complete: &'static str,
    pub currency: &'static str,
    pub gross: &'static str,
    pub reversed: &'static str,
    pub net: &'static str,
    pub at_stake: &'static str,
    pub exposure_proven: &'static str,
    pub verdict: &'static str,
    pub rule: &'static str,
    pub cause: &'static str,
    pub actor: &'static str,
    pub operation: &'static str,
    pub harmless: &'static str,
    pub open: &'static str,
    pub share: &'static str,
    pub rest: &'static str,
    pub attempts_in_group: &'static str,
    pub attempts: &'static str,
    /// Findings for each attempt.
    pub rate: &'static str,
    pub too_few: &'static str,
    pub usual_gap: &'static str,
    /// Repeats under another key than the original's.
    pub new_keys: &'static str,
    pub first_run: &'static str,
    pub second_run: &'static str,
    pub started: &'static str,
    pub configuration: &'static str,
    pub bytes: &'static str,
    pub numbers: &'static str,
    pub nothing_to_draw: &'static str,
    pub too_large_to_draw: &'static str,
    pub masked: &'static str,
    /// Before the id of a key.
    pub pseudonyms: &'static str,
    pub revealed: &'static str,

    pub filter: &'static str,
    pub all: &'static str,
    pub search: &'static str,
    pub sort: &'static str,
    pub by_order: &'static str,
    pub by_time: &'static str,
    pub by_money: &'static str,
    pub by_likelihood: &'static str,
    pub open_all: &'static str,
    pub close_all: &'static str,
    pub reset: &'static str,
    pub shown: &'static str,
    pub link: &'static str,
    /// Where a finding is that a link names and the page does not hold.
    pub elsewhere: &'static str,

    pub legend_equal: &'static str,
    pub legend_normalised: &'static str,
    pub legend_differs: &'static str,

    pub records_read: &'static str,
    /// A time of which a source has no records.
    pub nothing_read_then: &'static str,
    /// The same on a night, which does not read again what was read before.
    pub not_read_tonight: &'static str,
    pub ask_when: &'static str,
    pub ask_gap: &'static str,
    pub ask_money: &'static str,
    pub ask_cause: &'static str,
    pub ask_hours: &'static str,
    pub ask_health: &'static str,
    pub ask_size: &'static str,
    pub ask_actors: &'static str,
    pub ask_drift: &'static str,
    pub ask_batches: &'static str,
    pub ask_windows: &'static str,
    pub ask_nights: &'static str,
    pub window: &'static str,
    pub todays_window: &'static str,
    pub other_windows: &'static str,
    /// Nights judged by other rules than this one.
    pub other_rules: &'static str,
    /// What became of findings in a night: new, grown, known before, resolved.
    pub night_heads: [&'static str; 4],
    /// Why other windows are not drawn.
    pub windows_of_a_night: &'static str,
    pub windows_not_tried: &'static str,
    pub windows_without_decisions: &'static str,
    /// Why some of them are not.
    pub windows_too_many: &'static str,
    /// Events of an actor, at most.
    pub events: &'static str,
    /// Findings for each of them, at least.
    pub rate_of_events: &'static str,
}

/// Digits in groups of three, set apart by a no-break space: `12 345`.
pub fn number(count: u64) -> String {
    grouped(&count.to_string())
}

/// Decimal text as sign, grouped whole part, and fraction; None where it is no decimal.
fn decimal(amount: &str) -> Option<(&str, String, Option<&str>)> {
    let (sign, digits) = amount.strip_prefix('-').map_or(("", amount), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_number = !whole.is_empty() && whole.bytes().chain(fraction.unwrap_or("0").bytes()).all(|byte| byte.is_ascii_digit());
    is_number.then(|| (sign, grouped(whole), fraction))
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
        Some(percent) => format!("{percent}\u{a0}%"),
        None => ABSENT.into(),
    }
}

/// A share in percent with two digits, exact to the last of them, and not rounded up to `0.00` or `100.00`.
pub fn hundredths(part: u64, whole: u64) -> String {
    match (u128::from(part) * 10_000).checked_div(u128::from(whole)) {
        Some(0) if part > 0 => "<\u{a0}0.01\u{a0}%".into(),
        Some(share) => format!("{}.{:02}\u{a0}%", share / 100, share % 100),
        None => ABSENT.into(),
    }
}

/// The time from the first run of a batch to the second, in nanoseconds: a length to read, not to compare.
fn batch_lag(batch: &Batch) -> i64 {
    (batch.lag_seconds * SECOND as f64).round() as i64
}

/// What the evidence of a finding comes to.
fn sum_of_bits(finding: &Finding) -> f64 {
    finding.evidence.iter().map(|evidence| evidence.bits).sum()
}

/// `a`, or `a; b` where there is something to add.
fn and_more(first: String, more: Option<String>) -> String {
    match more {
        Some(more) => format!("{first}, {more}"),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_money_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_234_567), "1\u{a0}234\u{a0}567");
        let [english, russian] = Language::ALL.map(of);
        assert_eq!(english.money("EUR", "-12345.60"), "EUR -12\u{a0}345.60");
        assert_eq!(english.money("JPY", "7200"), "JPY 7\u{a0}200");
        assert_eq!(english.money("EUR", "n/a"), "EUR n/a");
        assert_eq!(russian.money("EUR", "-12345.60"), "-12\u{a0}345,60\u{a0}EUR");
        assert_eq!(russian.money("EUR", "n/a"), "n/a\u{a0}EUR");
    }

    #[test]
    fn plurals() {
        let counts = [0, 1, 2, 5, 11, 21, 22, 101, 111];
        let of_language = |language| counts.map(|count| of(language).findings(count));
        assert_eq!(
            of_language(Language::English),
            [
                "0 findings",
                "1 finding",
                "2 findings",
                "5 findings",
                "11 findings",
                "21 findings",
                "22 findings",
                "101 findings",
                "111 findings"
            ]
        );
        assert_eq!(
            of_language(Language::Russian),
            [
                "0 находок",
                "1 находка",
                "2 находки",
                "5 находок",
                "11 находок",
                "21 находка",
                "22 находки",
                "101 находка",
                "111 находок"
            ]
        );
    }

    #[test]
    fn one_is_told_as_one() {
        let [english, russian] = Language::ALL.map(of);
        assert_eq!(english.page_holds(1, 1, 1), "The one finding is on this page.");
        assert_eq!(
            english.gaps(1, 30_000_000_000, 1),
            "The one repeat came after 30 s; 1 lies within a tenth of a usual timeout"
        );
        assert_eq!(english.largest_group(1, 8, 5), "1 of 8 findings holds two attempts; the largest holds 5");
        assert_eq!(russian.page_holds(1, 1, 1), "На странице единственная находка.");
        assert_eq!(
            russian.page_holds(1_000, 1_000, 34_148),
            "На странице первые 1\u{a0}000 из 34\u{a0}148 находок; все — в файлах findings.csv и result.json, которые --report кладёт рядом."
        );
        let health = |doubled| Health { operation: "refund".into(), repeats: 4, doubled, ..Health::default() };
        assert_eq!(russian.health(&health(1)), "повторы refund небезопасны: 1 из 4 сработал ещё раз");
        assert_eq!(russian.health(&health(2)), "повторы refund небезопасны: 2 из 4 сработали ещё раз");
    }

    #[test]
    fn times_and_spans_are_the_readers() {
        let russian = of(Language::Russian);
        assert_eq!(russian.time("2026-03-02T10:40:12.000Z"), "02.03.2026 10:40:12");
        assert_eq!(russian.time("2026-03-02T10:40:12.123Z"), "02.03.2026 10:40:12,123");
        assert_eq!(russian.time("2026-03-02"), "02.03.2026");
        assert_eq!(russian.time("yesterday"), "yesterday");
        assert_eq!(russian.span(182_500_000_000), "3 мин 2 с");
        assert_eq!(russian.span(1_500_000_000), "1,5 с");
        assert_eq!(of(Language::English).time("2026-03-02T10:40:12.123Z"), "2026-03-02 10:40:12.123Z");
    }

    #[test]
    fn certainty_is_not_rounded_up() {
        assert_eq!(percent(0.999), "> 99 %");
        assert_eq!(percent(0.001), "< 1 %");
        assert_eq!(percent(0.97), "97 %");
    }
}
