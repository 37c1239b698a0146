//! What people's reports say, in English.

use super::{
    ABSENT, Counted, Texts, Words, and_more, batch_lag, decimal, explain_hint, hundredths, number, percent, sum_of_bits,
};
use crate::domain::decision::{Decision, Judgement, Standing};
use crate::domain::event::Outcome;
use crate::domain::finding::{Exposure, Finding, KeyRelation, Role, Severity, Verdict};
use crate::domain::memory::Changes;
use crate::domain::report::{Batch, Health, Incident, Ledger, Totals};
use crate::domain::time::span_text;

pub(super) struct English;

/// `1 finding`, `12 345 findings`.
fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

fn left(count: usize, one: &str, many: &str) -> String {
    plural(count as u64, one, many)
}

impl English {
    /// `EUR 59.00 (gross EUR 70.00, reversed EUR 11.00)`.
    fn net_with_parts(&self, exposure: &Exposure) -> String {
        let Exposure { currency, gross, reversed, net } = exposure;
        let [net, gross, reversed] = [net, gross, reversed].map(|amount| self.money(currency, amount));
        format!("{net} (gross {gross}, reversed {reversed})")
    }
}

impl Texts for English {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn money(&self, currency: &str, amount: &str) -> String {
        let currency = if currency == "XXX" { WORDS.no_currency } else { currency };
        match decimal(amount) {
            Some((sign, whole, Some(fraction))) => format!("{currency} {sign}{whole}.{fraction}"),
            Some((sign, whole, None)) => format!("{currency} {sign}{whole}"),
            None => format!("{currency} {amount}"),
        }
    }

    fn signed(&self, number: f64) -> String {
        format!("{number:+.1}")
    }

    fn time(&self, rfc3339: &str) -> String {
        let time = rfc3339.replacen('T', " ", 1);
        match time.strip_suffix(".000Z") {
            Some(whole) => format!("{whole}Z"),
            None => time,
        }
    }

    fn span(&self, nanos: i64) -> String {
        span_text(nanos)
    }

    fn sentence(&self, written: &str) -> String {
        written.to_owned()
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
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

    fn severity(&self, severity: Severity) -> &'static str {
        severity.name()
    }

    fn key_relation(&self, relation: KeyRelation) -> &'static str {
        match relation {
            KeyRelation::Same => "every attempt carries the same request key",
            KeyRelation::Changed => "a fresh request key on each attempt",
            KeyRelation::Partly => "some attempts share a request key",
            KeyRelation::None => "no request key",
            KeyRelation::Expired => "the request key was used again after its lifetime",
        }
    }

    fn role(&self, role: Role) -> &'static str {
        role.name()
    }

    fn outcome(&self, outcome: Outcome) -> &'static str {
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

    fn field<'a>(&self, name: &'a str) -> &'a str {
        name
    }

    fn evidence(&self, code: &str) -> String {
        code.replace('_', " ")
    }

    fn weekday(&self, from_monday: usize) -> &'static str {
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].get(from_monday).copied().unwrap_or(ABSENT)
    }

    fn findings(&self, count: u64) -> String {
        plural(count, "finding", "findings")
    }

    fn records(&self, count: u64) -> String {
        plural(count, "record", "records")
    }

    fn extra_effects(&self, count: u64) -> String {
        plural(count, "extra effect", "extra effects")
    }

    fn counted(&self, what: Counted, count: u64) -> &'static str {
        match (what, count) {
            (Counted::Findings, 1) => "finding",
            (Counted::Findings, _) => "findings",
            (Counted::ExtraEffects, 1) => "extra effect",
            (Counted::ExtraEffects, _) => "extra effects",
            (Counted::PossibleEffects, 1) => "possible one more",
            (Counted::PossibleEffects, _) => "possible ones more",
            (Counted::Decided, _) => WORDS.decided_findings,
        }
    }

    fn effects(&self, extra: u64, possible: u64) -> String {
        let possible = (possible > 0).then(|| plural(possible, "possible one", "possible ones"));
        and_more(self.extra_effects(extra), possible)
    }

    fn net_exposure(&self, exposure: &Exposure) -> String {
        format!("net exposure {}", self.net_with_parts(exposure))
    }

    fn possible_exposure(&self, exposure: &Exposure) -> String {
        format!("{} more at stake, not proven", self.money(&exposure.currency, &exposure.net))
    }

    fn stakes(&self, finding: &Finding) -> String {
        let (extra, possible) = (finding.extra_effects, finding.possible_extra_effects);
        let is_proven = extra > 0 || possible == 0;
        let effects = if is_proven {
            self.effects(extra, possible)
        } else {
            plural(possible, "possible extra effect", "possible extra effects")
        };
        let nets = finding.exposure.iter().map(|exposure| {
            if exposure.net == exposure.gross {
                self.money(&exposure.currency, &exposure.net)
            } else {
                self.net_with_parts(exposure)
            }
        });
        let nets: Vec<String> = nets.collect();
        match nets.join(", ") {
            nets if nets.is_empty() => format!("{effects}, no amount known"),
            nets if is_proven => format!("{effects}, net {nets}"),
            nets => format!("{effects}, {nets} at stake"),
        }
    }

    fn ledger(&self, files: u64, sources: u64, ledger: &Ledger) -> String {
        format!(
            "{} of {}, {} read: {} used, {} ignored, {} repeated, {} rejected",
            plural(files, "file", "files"),
            plural(sources, "source", "sources"),
            self.records(ledger.read),
            number(ledger.used),
            number(ledger.ignored),
            number(ledger.repeated),
            number(ledger.rejected),
        )
    }

    fn range(&self, first: &str, last: &str) -> String {
        format!("from {first} to {last}")
    }

    fn rejected(&self, file: &str, records: u64) -> String {
        format!("{file}: {} rejected", self.records(records))
    }

    fn reject(&self, records: u64, reason: &str, example: &str) -> String {
        format!("{} × {reason}, first: {example}", number(records))
    }

    fn found(&self, totals: &Totals) -> String {
        let effects = self.effects(totals.extra_effects, totals.possible_extra_effects);
        let decided = match totals.decided_findings() {
            0 => String::new(),
            1 => ", 1 more is decided (baseline)".to_owned(),
            more => format!(", {} more are decided (baseline)", number(more)),
        };
        format!("{}{decided}: {effects}", self.findings(totals.findings))
    }

    fn batches(&self, count: usize) -> String {
        format!("{} (a file or job run twice)", left(count, "batch", "batches"))
    }

    fn incidents(&self, count: usize) -> String {
        format!("{} (several findings about one business id)", left(count, "incident", "incidents"))
    }

    fn batch(&self, batch: &Batch) -> String {
        let nets: Vec<String> = batch.exposure.iter().map(|exposure| self.money(&exposure.currency, &exposure.net)).collect();
        let [first, last] = &batch.repeats;
        format!(
            "{} of rule {}, repeated after {} between {} and {}; net {}",
            self.findings(batch.findings),
            batch.rule,
            self.span(batch_lag(batch)),
            self.time(first),
            self.time(last),
            if nets.is_empty() { ABSENT.to_owned() } else { nets.join(", ") },
        )
    }

    fn verdict_line(&self, finding: &Finding) -> String {
        let name = finding.verdict.name();
        format!("{} ({name}), severity {}", self.verdict(finding.verdict), finding.severity.name())
    }

    fn cause(&self, title: &str, why: &str) -> String {
        if why.is_empty() { format!("cause: {title}") } else { format!("cause: {title}: {why}") }
    }

    fn rule(&self, finding: &Finding) -> String {
        let also = if finding.also.is_empty() { String::new() } else { format!(" (also {})", finding.also.join(", ")) };
        let keys = self.key_relation(finding.key_relation);
        match finding.verdict.is_reported() {
            true => format!("rule {}{also}; likelihood {}; {keys}", finding.rule, percent(finding.likelihood)),
            false => format!("rule {}{also}; {keys}", finding.rule),
        }
    }

    fn ties(&self, finding: &Finding) -> Option<String> {
        match (&finding.batch, &finding.incident) {
            (Some(batch), Some(incident)) => Some(format!("part of batch {batch} and incident {incident}")),
            (Some(batch), None) => Some(format!("part of batch {batch}")),
            (None, Some(incident)) => Some(format!("part of incident {incident}")),
            (None, None) => None,
        }
    }

    fn unread(&self, attempts: u64) -> String {
        let attempts = plural(attempts, "further attempt", "further attempts");
        format!("{attempts} counted, but not read in detail: the group is too large")
    }

    fn sum(&self, finding: &Finding) -> String {
        let bits = sum_of_bits(finding);
        match finding.verdict.is_reported() {
            true => format!("sum {bits:+.1} bits: likelihood {}", percent(finding.likelihood)),
            false => format!("sum {bits:+.1} bits; the verdict is read from the records, not weighed"),
        }
    }

    fn shown_of(&self, shown: usize, all: usize) -> String {
        let (shown, all) = (number(shown as u64), number(all as u64));
        if shown == all { format!("Findings ({all})") } else { format!("Findings ({shown} of {all} shown)") }
    }

    fn further_records(&self, more: usize, id: &str) -> String {
        format!("{}: {}", left(more, "further record", "further records"), explain_hint(id))
    }

    fn further_reasons(&self, more: usize) -> String {
        left(more, "further reason", "further reasons")
    }

    fn further_troubled_files(&self, more: usize) -> String {
        format!("{} with faults or rejected records", left(more, "further file", "further files"))
    }

    fn further_notes(&self, more: usize) -> String {
        format!("{} with --format json", left(more, "further note", "further notes"))
    }

    fn further_operations(&self, more: usize) -> String {
        format!("{} with --format json", left(more, "further operation", "further operations"))
    }

    fn undrawn_sources(&self, more: usize) -> String {
        left(more, "further source", "further sources")
    }

    fn further_rows(&self, more: usize) -> String {
        format!("{} in the JSON result", left(more, "further row", "further rows"))
    }

    fn rows_left_out(&self, sheet: &str, rows: u64) -> String {
        let rows = plural(rows, "row is", "rows are");
        format!("{sheet}: {rows} left out, because a sheet holds no more; the CSV and the JSON result hold all of them.")
    }

    fn fields_left_out(&self, fields: usize) -> String {
        let fields = plural(fields as u64, "field has", "fields have");
        format!("{fields} no column here; the CSV and the JSON result hold all of them.")
    }

    fn texts_cut(&self, cells: u64) -> String {
        let texts = plural(cells, "text is longer than a cell holds and ends", "texts are longer than a cell holds and end");
        format!("{texts} in …; the CSV and the JSON result hold all of it.")
    }

    fn no_findings(&self, records: u64, decided: u64) -> String {
        if decided > 0 {
            return format!(
                "Nothing new to report: {} decided (baseline), and no other operation among {} took effect twice as far as these \
                 records tell.",
                plural(decided, "finding is", "findings are"),
                plural(records, "used record", "used records")
            );
        }
        format!(
            "Nothing to report: no operation among {} took effect twice as far as these records tell.",
            plural(records, "used record", "used records")
        )
    }

    fn since_last(&self, changes: &Changes) -> String {
        let Changes { new, grown, unchanged, resolved, closed, dropped, renamed } = changes;
        let some =
            |count: usize, what: &str| if count == 0 { String::new() } else { format!(", {} {what}", number(count as u64)) };
        let closed = some(closed.len(), "too old to be looked at again")
            + &some(dropped.len(), "dropped because rules or sources have changed")
            + &some(renamed.len(), "under a new id");
        let [new, grown, unchanged, resolved] = [new, grown, unchanged, resolved].map(|ids| number(ids.len() as u64));
        format!("Since the last run: {new} new, {grown} grown, {unchanged} unchanged, {resolved} resolved{closed}")
    }

    fn decision(&self, decision: &Decision) -> String {
        let Decision { judgement, reason, by, until, standing } = decision;
        let judgement = match judgement {
            Judgement::FalseAlarm => "a false alarm",
            Judgement::Intended => "repeated on purpose",
            Judgement::Accepted => "accepted as it is",
            Judgement::BeingHandled => "being handled",
        };
        let by = by.as_ref().map_or(String::new(), |by| format!(", by {by}"));
        let until = until.as_ref().map_or(String::new(), |until| format!(", until {}", self.time(until)));
        let state = match standing {
            Standing::Live => "decided",
            Standing::Expired => "open again, the decision has expired",
            Standing::Grown => "open again, the finding has grown since the decision",
        };
        format!("{state}: {judgement}{by}{until}: {reason}")
    }

    fn further_decided(&self, more: usize) -> String {
        format!("and {} in the JSON result", left(more, "more decided finding", "more decided findings"))
    }

    fn health(&self, health: &Health) -> String {
        let Health { operation, repeats, doubled, possibly_doubled, conflicting, answered_differently, .. } = health;
        let repeats = number(*repeats);
        if *doubled > 0 {
            format!("retries of {operation} are not safe: {} of {repeats} took effect again", number(*doubled))
        } else if *conflicting > 0 {
            format!(
                "keys of {operation} are not safe: {} of {repeats} asked for something else under a known key",
                number(*conflicting)
            )
        } else if *possibly_doubled > 0 {
            let unsure = number(*possibly_doubled);
            format!("retries of {operation} are not proven safe: {unsure} of {repeats} may have taken effect again")
        } else if *answered_differently > 0 {
            let were = if *answered_differently == 1 { "was" } else { "were" };
            format!(
                "retries of {operation} did no harm, but {} of {repeats} {were} answered differently",
                number(*answered_differently)
            )
        } else if health.repeats == 0 {
            format!("{operation} was not put to the test: nothing was repeated")
        } else {
            format!("retries of {operation} were safe: none of {repeats} took effect again")
        }
    }

    fn incident(&self, incident: &Incident, effects: u64) -> String {
        let Incident { field, value, findings, .. } = incident;
        format!("{field} {value}: {} with {}", self.findings(findings.len() as u64), self.extra_effects(effects))
    }

    fn look_up(&self, source: &str, effect_ids: &str) -> String {
        format!("Look up in {source}: {effect_ids}")
    }

    fn page_holds(&self, shown: usize, full: usize, all: u64) -> String {
        let (shown, full) = (shown as u64, full as u64);
        let in_full = if full == shown {
            String::new()
        } else {
            let first = if full == 1 { "first is".to_owned() } else { format!("first {} are", number(full)) };
            format!(" The {first} told in full, the others in short.")
        };
        match all {
            0 => "There is no finding on this page.".to_owned(),
            1 if shown == all => "The one finding is on this page.".to_owned(),
            _ if shown == all => format!("All {} are on this page, the gravest first.{in_full}", self.findings(all)),
            _ => format!(
                "The top {} of {} are on this page; all of them are in findings.csv and result.json, which --report writes beside it.{in_full}",
                number(shown),
                self.findings(all)
            ),
        }
    }

    fn part_of(&self, what: &str, part: u64, whole: u64) -> String {
        format!("{what}: {} of {} ({})", number(part), number(whole), super::share(part, whole))
    }

    fn open_and_reversed(&self, currency: &str, open: &str, reversed: &str) -> String {
        format!("{} open, {} reversed", self.money(currency, open), self.money(currency, reversed))
    }

    fn gaps(&self, gaps: u64, median: i64, at_steps: u64) -> String {
        let near = format!("{} within a tenth of a usual timeout", plural(at_steps, "lies", "lie"));
        match gaps {
            1 => format!("The one repeat came after {}; {near}", span_text(median)),
            _ => format!("Half of {} came within {}; {near}", plural(gaps, "repeat", "repeats"), span_text(median)),
        }
    }

    fn largest_group(&self, doubles: u64, groups: u64, largest: u64) -> String {
        format!(
            "{} of {} {} two attempts; the largest holds {}",
            number(doubles),
            plural(groups, "finding", "findings"),
            if doubles == 1 { "holds" } else { "hold" },
            number(largest)
        )
    }

    fn busiest(&self, weekday: usize, hour: usize, part: u64, whole: u64) -> String {
        format!("Most on {} from {hour:02}:00 UTC: {} of {}", self.weekday(weekday), number(part), number(whole))
    }

    fn rate(&self, part: u64, whole: u64) -> String {
        hundredths(part, whole)
    }

    fn likeliest(&self, (weekday, hour): (usize, usize), (found, tried): (u64, u64), (all, attempts): (u64, u64)) -> String {
        format!(
            "{} from {hour:02}:00 UTC: {} in {} ({}); all week {}",
            self.weekday(weekday),
            self.findings(found),
            plural(tried, "attempt", "attempts"),
            self.rate(found, tried),
            self.rate(all, attempts)
        )
    }

    fn without_batches(&self, findings: u64) -> String {
        format!("{} of files or jobs that ran twice left out", self.findings(findings))
    }

    fn densest(&self, part: u64, whole: u64, gap: &str, when: &str) -> String {
        format!("Most lie {gap} after the original, from {when} on: {} of {}", number(part), number(whole))
    }

    fn findings_of_events(&self, findings: u64, events: u64) -> String {
        format!("{} of {}", number(findings), number(events))
    }

    fn windows(&self, today: u64, shortest: (&str, u64), longest: (&str, u64)) -> String {
        let ((short, less), (long, more)) = (shortest, longest);
        format!("{} with today's windows; {short} would find {}, {long} {}", self.findings(today), number(less), number(more))
    }

    fn same_windows(&self, from: &str, to: &str) -> String {
        format!("nothing changes from {from} to {to}")
    }

    fn nights(&self, tonight: u64, before: u64, range: (u64, u64), nights: u64) -> String {
        let (least, most) = (number(range.0), number(range.1));
        format!(
            "{} this time, {} the time before; {least} to {most} in {} runs",
            self.findings(tonight),
            number(before),
            number(nights)
        )
    }

    fn among(&self, records: u64) -> String {
        format!("among {}", self.records(records))
    }

    fn without_time(&self, findings: u64) -> String {
        format!("{} without a time", self.findings(findings))
    }

    fn too_far_off(&self, records: u64) -> String {
        format!("{} of other times left off", self.records(records))
    }

    fn timeline(&self, findings: u64, first: &str, last: &str, busiest: &str, most: u64) -> String {
        format!("{} from {first} to {last}; most at {busiest}: {}", self.findings(findings), number(most))
    }
}

const WORDS: Words = Words {
    coverage: "Coverage",
    result: "Result",
    health: "Idempotency health",
    notes: "Notes",
    decided: "Decided (baseline): listed, not counted",
    decided_findings: "decided, not counted",
    next: "Next",
    fingerprint: "Fingerprint: what makes these records the same operation",
    records: "Records",
    evidence: "Evidence, in bits: each doubles or halves the odds",
    evidence_in_bits: "Evidence, in bits",
    field_fingerprint: "Fingerprint",
    raw: "The records as they stand in their files",
    check: "What to check next",
    looks_alike: "looks the same",
    looks_for: "looks for",
    needs: "needs",
    what_to_do: "what to do",

    time: "time",
    gap: "gap",
    amount: "amount",
    effect_id: "effect id",
    request_key: "request key",
    outcome: "outcome",
    source: "source",
    place: "place",
    no_currency: "(no currency)",

    why_explain: "the evidence for the first finding, and what to check",
    why_csv: "every finding with its records, for a spreadsheet",
    why_rejects: "every rejected record with its place and reason",
    why_check: "how each file is read, and what becomes of its first records",
    why_all: "the repeats that did no harm",

    no_time: "no record with a time",
    no_amount: "no amount on these records, so no exposure",
    unlisted_outcomes: "But some outcomes are in no list, so nobody can say whether those records took effect: this zero does not count before \
                        they are listed. The notes name them.",
    nothing_used: "No record could be used, so this result says nothing about duplicates. Look at the rejects and notes, then at the \
                   mapping of the source: twicelog check.",
    nothing_new: "Nothing was written since the run before, and nothing is open.",
    nothing_read: "No record was read, so this result says nothing about duplicates. Check that the files are the right ones and not \
                   empty.",
    unbalanced: "The counts do not balance (read = used + ignored + repeated + rejected). Do not rely on this result; please report it.",
    incomplete: "At least one file could not be read to its end; there may be more findings than these.",

    source_heads: ["source", "read", "used", "ignored", "repeated", "rejected"],
    finding_heads: [
        "finding",
        "severity",
        "verdict",
        "rule",
        "cause",
        "why",
        "likelihood",
        "extra effects",
        "possible extra effects",
    ],
    finding_tail_heads: [
        "first (UTC)",
        "last (UTC)",
        "records",
        "attempts not read in detail",
        "request keys",
        "batch",
        "incident",
        "fingerprint",
        "also found by rules",
        "decision",
    ],
    record_heads: [
        "finding",
        "role",
        "source",
        "file",
        "record",
        "first line",
        "last line",
        "time (UTC)",
        "outcome",
        "effect id",
        "request key",
        "operation",
        "actor",
        "amount",
        "currency",
    ],
    as_logged: "as logged",
    totals: "Totals",
    groups: "groups",
    health_heads: ["operation", "attempts", "keyed", "repeats", "safe", "blocked", "doubled", "unsure", "conflict", "differ"],
    health_legend: "keyed: share of attempts with a request key; safe: repeats that returned the known result; unsure: may have doubled; \
                    differ: repeats answered differently",
    drift_legend: "new keys: groups with keys in which a repeat came under another one; usual gap: half of the repeats came sooner",

    title: "What took effect twice",
    utc: "All times are UTC.",
    contents: "Contents",
    charts: "Charts",
    findings: "Findings",
    extra_effects: "extra effects",
    batches: "Batches: a file or job run twice",
    incidents: "Incidents: several findings about one business id",
    glossary: "What verdicts and causes mean",
    run: "This run",
    file: "file",
    format: "read as",
    first: "first",
    last: "last",
    remarks: "remarks",
    complete: "complete",
    currency: "currency",
    gross: "gross",
    reversed: "reversed",
    net: "net",
    at_stake: "at stake, not proven",
    exposure_proven: "Exposure: money moved by proven extra effects",
    verdict: "verdict",
    rule: "rule",
    cause: "cause",
    actor: "actor",
    operation: "operation",
    harmless: "no harm",
    open: "open",
    share: "share",
    rest: "all others",
    attempts_in_group: "attempts in the group",
    attempts: "attempts",
    rate: "findings per attempt",
    too_few: "too few attempts to tell",
    usual_gap: "usual gap",
    new_keys: "new keys",
    first_run: "first run",
    second_run: "second run",
    started: "started",
    configuration: "configuration",
    bytes: "bytes",
    numbers: "The numbers",
    nothing_to_draw: "Nothing to draw.",
    too_large_to_draw: "too large to draw",
    masked: "Names, addresses and account numbers are masked; twicelog --reveal shows them.",
    pseudonyms: "After # stand pseudonyms, the same in every report with key",
    revealed: "Personal data is shown whole: pass it on with care.",

    filter: "Filter",
    all: "all",
    search: "text",
    sort: "order",
    by_order: "gravest first",
    by_time: "by time",
    by_money: "by money",
    by_likelihood: "by likelihood",
    open_all: "open all",
    close_all: "close all",
    reset: "reset",
    shown: "shown",
    link: "link to this finding",
    elsewhere: "The finding that this link names is not on this page. Look for its id in findings.csv and result.json, or ask \
                twicelog explain.",

    legend_equal: "equal",
    legend_normalised: "equal once normalised",
    legend_differs: "differs",

    records_read: "records read",
    nothing_read_then: "no records",
    not_read_tonight: "no records read this night",
    ask_when: "When did it happen, and among how many records?",
    ask_gap: "How soon did the repeat come?",
    ask_money: "How much money is open, and what came back?",
    ask_cause: "Why were operations repeated?",
    ask_hours: "At what hours is it frequent, for the attempts there are?",
    ask_health: "Whose retries are safe?",
    ask_drift: "When did repeats come, and how long after the original?",
    ask_batches: "Which files or jobs ran twice?",
    ask_windows: "Are the windows right?",
    ask_nights: "Is it getting better?",
    window: "window",
    todays_window: "today's windows",
    other_windows: "other windows",
    other_rules: "judged by other rules than today's",
    night_heads: ["new", "grown", "known before", "resolved"],
    windows_of_a_night: "Not tried: with a state only what is new is read, and longer windows would need records that are held no more. Scan the same files without --state to see it.",
    windows_not_tried: "Not tried: the scan that made this result drew no page and no picture, or more than 100,000 records take part.",
    windows_without_decisions: "Not drawn: when other windows were tried, other decisions held than those that settle findings here. Scan again to see it.",
    windows_too_many: "windows that are left out here would take in more than 100,000 records",
    events: "events, at most",
    rate_of_events: "findings for each event, at least",
    ask_size: "Twice, or a storm?",
    ask_actors: "Whom does it hit most?",
};
